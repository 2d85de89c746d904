#include "notakto.h"

#include <iostream>

void draw_board(const bool board[3][3]) {
    std::cout << "-------------\n";
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) std::cout << "| " << row * 3 + column + 1 << ' ';
        std::cout << "|\n";
        for (int column = 0; column < 3; ++column) std::cout << "| " << (board[row][column] ? 'X' : ' ') << ' ';
        std::cout << "|\n-------------\n";
    }
}

bool has_line(const bool board[3][3]) {
    for (int i = 0; i < 3; ++i) {
        if (board[i][0] && board[i][1] && board[i][2]) return true;
        if (board[0][i] && board[1][i] && board[2][i]) return true;
    }
    return board[1][1] && ((board[0][0] && board[2][2]) || (board[0][2] && board[2][0]));
}

bool place_x(bool board[3][3], int idx) {
    if (idx < 1 || idx > 10) return false;
    bool& slot = board[(idx - 1) / 3 % 3][(idx - 1) % 3];
    if (slot) return false;
    return slot = true;
}
