/* lab3 in C, with sscanf. As in the transcripts, the second player is Y in turns and O as the winner. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIM 5
#define PROMPT "Please enter a comma-seperated coordinate in [1:3,1:3] or type 'quit'\n"

enum { SUCCESS = 0, INCORRECT_ARGUMENTS = 1, EARLY_QUIT = 3, DRAW_NO_WINNER = 4 };

static char board[DIM][DIM];
static int moves[9][2], turns;

static void print_board(void)
{
    putchar('\n');
    for (int y = DIM - 1; y >= 0; y--) {
        int last = -1;
        printf("%d", y);
        for (int x = 0; x < DIM; x++) if (board[y][x]) last = x;
        for (int x = 0; x <= last; x++) printf(" %c", board[y][x] ? board[y][x] : ' ');
        putchar('\n');
    }
    puts("  0 1 2 3 4\n");
}

static int three(int y, int x, int dy, int dx)
{
    char c = board[y][x];
    return c && board[y + dy][x + dx] == c && board[y + 2 * dy][x + 2 * dx] == c;
}

static int done(void)
{
    for (int i = 1; i <= 3; i++)
        if (three(i, 1, 0, 1) || three(1, i, 1, 0)) return 1;
    return three(1, 1, 1, 1) || three(3, 1, -1, 1);
}

/* A sign is no digit, so "%u" is only asked after looking. */
static int coordinates(const char *s, int *y, int *x)
{
    unsigned long long a, b;
    char comma;
    int n = 0;
    s += strspn(s, " \t\v\f\r");
    if (*s < '0' || *s > '9') return 0;
    a = strtoull(s, (char **)&s, 10);
    if (sscanf(s, " %c%n", &comma, &n) != 1 || comma != ',') return 0;
    s += n;
    s += strspn(s, " \t\v\f\r");
    if (*s < '0' || *s > '9') return 0;
    b = strtoull(s, NULL, 10);
    if (a > 2147483647ULL || b > 2147483647ULL) return 0;
    *y = (int)a;
    *x = (int)b;
    return 1;
}

static int is_quit(const char *s)
{
    char word[6], more;
    return sscanf(s, "%5s %c", word, &more) == 1 && strcmp(word, "quit") == 0;
}

/* Returns 0 if the player quits. */
static int prompt(int *y, int *x)
{
    static char *line;
    static size_t size;
    for (;;) {
        ssize_t n;
        fputs(PROMPT, stdout);
        fflush(stdout);
        n = getline(&line, &size, stdin);
        if (n < 0) return 0;
        if (n > 0 && line[n - 1] == '\n') line[--n] = '\0';
        fputs("You entered: ", stdout);
        fwrite(line, 1, (size_t)n, stdout);
        putchar('\n');
        if (is_quit(line)) return 0;
        if (!coordinates(line, y, x)) continue;
        if (*y < 1 || *y > DIM - 2 || *x < 1 || *x > DIM - 2)
            puts("Careful, you entered out of bound. Try again!");
        else if (board[*y][*x])
            puts("Sorry, the place is not empty. Try again!");
        else
            return 1;
    }
}

int main(int argc, char **argv)
{
    const char *name = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
    if (argc != 2 || strcmp(argv[1], "TicTacToeGame") != 0) {
        printf("%s requires 1 argument.\nusage: %s TicTacToeGame\n", name, name);
        return INCORRECT_ARGUMENTS;
    }
    print_board();
    for (;;) {
        int y, x, player = turns % 2;
        printf("Player %c's turn...\n", player ? 'Y' : 'X');
        if (!prompt(&y, &x)) {
            printf("someone wants to quit the game.\nis it draw? # moves: %d, max: 9\n", turns);
            printf("Player %c quits! %d turns have been played.\n", player ? 'X' : 'O', turns);
            return EARLY_QUIT;
        }
        board[y][x] = player ? 'O' : 'X';
        moves[turns][0] = y;
        moves[turns++][1] = x;
        print_board();
        printf("\nPlayer %c :", player ? 'Y' : 'X');
        for (int i = player; i < turns; i += 2) printf(" %d, %d;", moves[i][0], moves[i][1]);
        putchar('\n');
        if (done()) {
            printf("Won! Player %c is the winner!\n", player ? 'O' : 'X');
            return SUCCESS;
        }
        printf("is it draw? # moves: %d, max: 9\n", turns);
        if (turns == 9) {
            puts("Draw! 9 turns have been played. No winning moves remained.");
            return DRAW_NO_WINNER;
        }
    }
}
