#ifndef NOTAKTO_H
#define NOTAKTO_H

// Prints a board.
void draw_board(const bool board[3][3]);

// Returns whether a board has a line of three X.
bool has_line(const bool board[3][3]);

// Places an X at an index from 1 to 9; returns whether this was possible.
bool place_x(bool board[3][3], int idx);

#endif
