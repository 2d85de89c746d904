// A main function, prints, helpers and static state are the student's own business.
#include <array>
#include <iostream>
#include "TicTacToeBoard.h"
using namespace std;

static int calls = 0;

static Piece line(array<Piece, 3> p) {
    return p[0] == p[1] && p[1] == p[2] ? p[0] : Blank;
}

TicTacToeBoard::TicTacToeBoard() {
    turn = X;
    for (int i = 0; i < 9; i++) board[i / 3][i % 3] = Blank;
}

Piece TicTacToeBoard::toggleTurn() {
    cout << "turn " << ++calls << endl;
    return turn = (turn == O ? X : O);
}

Piece TicTacToeBoard::placePiece(int r, int c) {
    if (getPiece(r, c) == Blank && getWinner() == Invalid) {
        board[r][c] = turn;
        toggleTurn();
    }
    return getPiece(r, c);
}

Piece TicTacToeBoard::getPiece(int r, int c) {
    bool inside = r >= 0 && r <= 2 && c >= 0 && c <= 2;
    return inside ? board[r][c] : Invalid;
}

Piece TicTacToeBoard::getWinner() {
    Piece found = Blank;
    int empty = 0;
    for (int i = 0; i < 3; i++) {
        Piece row = line({board[i][0], board[i][1], board[i][2]});
        Piece column = line({board[0][i], board[1][i], board[2][i]});
        if (row != Blank) found = row;
        if (column != Blank) found = column;
        for (int j = 0; j < 3; j++) empty += board[i][j] == Blank;
    }
    Piece down = line({board[0][0], board[1][1], board[2][2]});
    Piece up = line({board[2][0], board[1][1], board[0][2]});
    if (down != Blank) found = down;
    if (up != Blank) found = up;
    if (found != Blank) return found;
    return empty > 0 ? Invalid : Blank;
}

int main() {
    TicTacToeBoard board;
    cout << board.getWinner() << endl;
}
