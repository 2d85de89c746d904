/* notakto in C, with the three functions of the document and scanf. */
#include <stdbool.h>
#include <stdio.h>

static void draw_board(bool board[3][3])
{
    for (int r = 0; r < 3; r++) {
        printf("-------------\n");
        printf("| %d | %d | %d |\n", 3 * r + 1, 3 * r + 2, 3 * r + 3);
        for (int c = 0; c < 3; c++) printf("| %c ", board[r][c] ? 'X' : ' ');
        printf("|\n");
    }
    printf("-------------\n");
}

static bool has_line(bool b[3][3])
{
    for (int i = 0; i < 3; i++) {
        if (b[i][0] && b[i][1] && b[i][2]) return true;
        if (b[0][i] && b[1][i] && b[2][i]) return true;
    }
    return b[1][1] && ((b[0][0] && b[2][2]) || (b[0][2] && b[2][0]));
}

static bool place_x(bool board[3][3], int idx)
{
    if (idx < 1 || idx > 9) return false;
    bool *slot = &board[(idx - 1) / 3][(idx - 1) % 3];
    if (*slot) return false;
    *slot = true;
    return true;
}

int main(void)
{
    bool board[3][3] = {{false}};
    for (int player = 1;; player = 3 - player) {
        draw_board(board);
        printf("Player %d's turn (Enter a location to place X):\n", player);
        fflush(stdout);
        for (;;) {
            int idx = 0, read = scanf("%d", &idx);
            if (read == EOF) return 1;
            if (read != 1) {
                scanf("%*s");
                idx = 0;
            }
            if (place_x(board, idx)) break;
            printf("Location invalid or already taken. Please try again.\n");
            fflush(stdout);
        }
        if (has_line(board)) {
            draw_board(board);
            printf("Player %d wins!\n", 3 - player);
            return 0;
        }
    }
}
