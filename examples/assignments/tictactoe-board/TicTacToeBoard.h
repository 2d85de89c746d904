#ifndef TIC_TAC_TOE_BOARD_H
#define TIC_TAC_TOE_BOARD_H

enum Piece { X, O, Blank, Invalid };

class TicTacToeBoard {
public:
    TicTacToeBoard();
    Piece toggleTurn();
    Piece placePiece(int row, int column);
    Piece getPiece(int row, int column);
    Piece getWinner();

private:
    Piece board[3][3];
    Piece turn;
};

#endif
