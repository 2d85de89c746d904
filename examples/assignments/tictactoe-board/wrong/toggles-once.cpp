#include "TicTacToeBoard.h"

TicTacToeBoard::TicTacToeBoard() : turn(X) {
    for (auto& row : board)
        for (Piece& piece : row) piece = Blank;
}

Piece TicTacToeBoard::toggleTurn() {
    turn = O;
    return turn;
}

Piece TicTacToeBoard::placePiece(int row, int column) {
    Piece there = getPiece(row, column);
    if (there != Blank) return there;
    if (getWinner() != Invalid) return Blank;
    board[row][column] = turn;
    toggleTurn();
    return board[row][column];
}

Piece TicTacToeBoard::getPiece(int row, int column) {
    if (row < 0 || row > 2 || column < 0 || column > 2) return Invalid;
    return board[row][column];
}

Piece TicTacToeBoard::getWinner() {
    for (int i = 0; i < 3; i++) {
        if (board[i][0] != Blank && board[i][0] == board[i][1] && board[i][1] == board[i][2]) return board[i][0];
        if (board[0][i] != Blank && board[0][i] == board[1][i] && board[1][i] == board[2][i]) return board[0][i];
    }
    if (board[1][1] != Blank && board[0][0] == board[1][1] && board[1][1] == board[2][2]) return board[1][1];
    if (board[1][1] != Blank && board[0][2] == board[1][1] && board[1][1] == board[2][0]) return board[1][1];
    for (auto& row : board)
        for (Piece piece : row)
            if (piece == Blank) return Invalid;
    return Blank;
}
