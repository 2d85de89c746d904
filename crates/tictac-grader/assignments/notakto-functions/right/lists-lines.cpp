// Another style: a table of lines, int for bool, a main function, and prints for debugging.
#include <cstdio>
#include <iostream>
using namespace std;

void draw_board(const bool b[3][3]) {
    for (int r = 0; r < 3; r++) {
        printf("-------------\n| %d | %d | %d |\n", 3 * r + 1, 3 * r + 2, 3 * r + 3);
        for (int c = 0; c < 3; c++) cout << "| " << (b[r][c] ? "X" : " ") << " ", cout.flush();
        puts("|");
    }
    puts("-------------");
}

static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

int has_line(const bool b[3][3]) {
    int found = 0;
    for (auto& line : lines) {
        int n = 0;
        for (int square : line) n += b[square / 3][square % 3];
        found |= n == 3;
    }
    cout << "debug: " << found << endl;
    return found;
}

int place_x(bool (*b)[3], const int index) {
    static int calls = 0;
    calls++;
    if (index <= 0 || index >= 10 || b[(index - 1) / 3][(index - 1) % 3]) return 0;
    b[(index - 1) / 3][(index - 1) % 3] = true;
    return 1;
}

int main() {
    bool board[3][3] = {};
    draw_board(board);
    return place_x(board, 5);
}
