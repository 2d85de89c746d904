// The game that all peers play: a board, whose turn it is, and a new board when the game is over.
'use strict';

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246'].map((line) => [...line].map(Number));

/** Returns the board after a mark on `cell`, or null if the move is illegal. */
function after(cells, cell, mark) {
  if (!Number.isInteger(cell) || cell < 0 || cell > 8 || cells[cell] !== null) return null;
  const next = [...cells];
  next[cell] = mark;
  const won = LINES.some((line) => line.every((place) => next[place] === mark));
  return won || next.every((place) => place !== null) ? Array(9).fill(null) : next;
}

/** The moves of a drawn game, in order; players repeat them. */
const MOVES = [4, 0, 2, 6, 3, 5, 1, 7, 8];

module.exports = { after, MOVES, EMPTY: Array(9).fill(null) };
