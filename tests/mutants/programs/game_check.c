/* game-check in C with getline, isspace and a switch. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char board[3][3];

static int is_line(char p)
{
    for (int i = 0; i < 3; i++) {
        if (board[i][0] == p && board[i][1] == p && board[i][2] == p) return 1;
        if (board[0][i] == p && board[1][i] == p && board[2][i] == p) return 1;
    }
    if (board[0][0] == p && board[1][1] == p && board[2][2] == p) return 1;
    return board[0][2] == p && board[1][1] == p && board[2][0] == p;
}

/* Returns 1 and fills in the move if the line is one. */
static int parse(const char *s, size_t n, int *number, char *player, int *row, int *column)
{
    size_t i = 0;
#define BLANK(c) isspace((unsigned char)(c))
    if (i >= n || s[i] < '1' || s[i] > '9') return 0;
    *number = s[i++] - '0';
    if (i >= n || !BLANK(s[i])) return 0;
    while (i < n && BLANK(s[i])) i++;
    if (i >= n) return 0;
    switch (s[i++]) {
    case 'x': case 'X': *player = 'X'; break;
    case 'o': case 'O': *player = 'O'; break;
    default: return 0;
    }
    if (i >= n || !BLANK(s[i])) return 0;
    while (i < n && BLANK(s[i])) i++;
    if (n - i < 2) return 0;
    switch (s[i++]) {
    case 'a': case 'A': *row = 0; break;
    case 'b': case 'B': *row = 1; break;
    case 'c': case 'C': *row = 2; break;
    default: return 0;
    }
    if (s[i] < '1' || s[i] > '3') return 0;
    *column = s[i++] - '1';
    if (i == n) return 1;
    if (!BLANK(s[i])) return 0;
    while (i < n && BLANK(s[i])) i++;
    return i == n || s[i] == '#';
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    int moves = 0, over = 0;
    char last = 0, winner = 0;

    while ((n = getline(&line, &size, stdin)) != -1) {
        int number, row, column;
        char player;
        if (n > 0 && line[n - 1] == '\n') n--;
        if (!parse(line, (size_t)n, &number, &player, &row, &column)) {
            puts("Parse error.");
            free(line);
            return 1;
        }
        if (over || number != moves + 1 || player == last || board[row][column]) {
            puts("Invalid move.");
            free(line);
            return 2;
        }
        board[row][column] = last = player;
        moves++;
        if (is_line(player)) winner = player;
        over = winner || moves == 9;
    }
    free(line);
    if (winner) printf("Game over: %c wins.\n", winner);
    else if (over) puts("Game over: Draw.");
    else if (moves == 0) puts("Game in progress: New game.");
    else printf("Game in progress: %c's turn.\n", last == 'X' ? 'O' : 'X');
    return 0;
}
