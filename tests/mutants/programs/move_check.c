/* move-check in C, with fgets and pointers. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char line[4000000];

static const char *skip_blanks(const char *s)
{
    while (*s && isspace((unsigned char)*s)) s++;
    return s;
}

/* Returns the end of the blanks at s, or NULL if there are none. */
static const char *blanks(const char *s)
{
    return isspace((unsigned char)*s) ? skip_blanks(s) : NULL;
}

int main(void)
{
    const char *s = line;
    char number, player, row, column;
    int is_move = 0;

    if (fgets(line, sizeof line, stdin)) {
        /* A line may contain '\0', so its end is looked for, and not its length. */
        char *end = memchr(line, '\n', sizeof line);
        if (end == NULL) end = strchr(line, '\0');
        *end = '\0';
        number = *s;
        if (number >= '1' && number <= '9' && (s = blanks(s + 1)) != NULL) {
            player = (char)toupper((unsigned char)*s);
            if ((player == 'X' || player == 'O') && (s = blanks(s + 1)) != NULL) {
                row = (char)toupper((unsigned char)*s);
                column = row ? s[1] : '\0';
                if (row >= 'A' && row <= 'C' && column >= '1' && column <= '3') {
                    s += 2;
                    is_move = s == end || (isspace((unsigned char)*s) && (s = skip_blanks(s), s == end || *s == '#'));
                }
            }
        }
    }
    if (is_move) {
        printf("%c %c %c%c\n", number, player, row, column);
        return 0;
    }
    puts("Parse error.");
    return 1;
}
