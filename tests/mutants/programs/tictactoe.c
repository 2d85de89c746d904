/* tictactoe in C, with scanf; a tie as soon as neither player can win. */
#include <stdio.h>

static char grid[3][3];

static void print_me(void)
{
    printf("  1  2  3\n");
    for (int r = 0; r < 3; r++) printf("%d %c  %c  %c\n", r + 1, grid[r][0], grid[r][1], grid[r][2]);
    printf("\n");
}

static int take_turn(int row, int col, char token)
{
    if (row < 1 || row > 3 || col < 1 || col > 3) {
        printf("Invalid move: row and column must be between 1 and 3.\n");
        return 0;
    }
    if (grid[row - 1][col - 1] != '-') {
        printf("Invalid move: that position is already taken.\n");
        return 0;
    }
    grid[row - 1][col - 1] = token;
    return 1;
}

static int is_win(char t)
{
    for (int i = 0; i < 3; i++) {
        if (grid[i][0] == t && grid[i][1] == t && grid[i][2] == t) {
            printf("Player %c won via row%d\n", t, i + 1);
            return 1;
        }
        if (grid[0][i] == t && grid[1][i] == t && grid[2][i] == t) {
            printf("Player %c won via column%d\n", t, i + 1);
            return 1;
        }
    }
    if (grid[0][0] == t && grid[1][1] == t && grid[2][2] == t) {
        printf("Player %c won via diagonal 1\n", t);
        return 1;
    }
    if (grid[0][2] == t && grid[1][1] == t && grid[2][0] == t) {
        printf("Player %c won via diagonal 2\n", t);
        return 1;
    }
    return 0;
}

static int has_line(char t)
{
    for (int i = 0; i < 3; i++) {
        if (grid[i][0] == t && grid[i][1] == t && grid[i][2] == t) return 1;
        if (grid[0][i] == t && grid[1][i] == t && grid[2][i] == t) return 1;
    }
    return grid[1][1] == t && ((grid[0][0] == t && grid[2][2] == t) || (grid[0][2] == t && grid[2][0] == t));
}

/* Returns whether a line can still be completed if this token is placed next. */
static int may_win(char t)
{
    for (int i = 0; i < 9; i++) {
        char *square = &grid[i / 3][i % 3];
        int found;
        if (*square != '-') continue;
        *square = t;
        found = has_line(t) || may_win(t == 'X' ? 'O' : 'X');
        *square = '-';
        if (found) return 1;
    }
    return 0;
}

int main(void)
{
    const char tokens[2] = {'X', 'O'};
    int player = 0;
    for (int i = 0; i < 9; i++) grid[i / 3][i % 3] = '-';
    printf("Let's play Tic Tac Toe!\n");
    print_me();
    printf("Enter your move as two numbers from 1 to 3: the row, a space, the column.\n");
    for (;;) {
        int row, col, read;
        printf("%c's turn: ", tokens[player]);
        fflush(stdout);
        read = scanf("%d %d", &row, &col);
        if (read == EOF) return 0;
        if (read != 2) {
            int c;
            while ((c = getchar()) != '\n' && c != EOF) { }
            if (c == EOF) return 0;
            printf("Please enter numbers.\n");
            continue;
        }
        if (!take_turn(row, col, tokens[player])) continue;
        print_me();
        if (is_win(tokens[player])) {
            printf("Goodbye!\n");
            return 0;
        }
        if (!may_win(tokens[1 - player])) {
            printf("It is a tie.\nGoodbye!\n");
            return 0;
        }
        player = (player + 1) % 2;
    }
}
