// @ts-check
// How squares, moves, positions and links are written. No rule of any game is known here: which moves are legal and how
// a game stands is told by the server, or by the table that the library filled (solved.js).

/**
 * What a board looks like, as far as drawing needs it.
 * @typedef {object} Shape
 * @property {string} rules the rules as text, such as "3,3,3 misere"
 * @property {number} rows
 * @property {number} columns
 * @property {number} line how many in a row make a line
 * @property {number} boards
 * @property {"own" | "either" | "x-only"} marks
 * @property {"complete" | "avoid"} goal
 */

/**
 * A place to write on.
 * @typedef {object} Place
 * @property {number} board from 0
 * @property {number} index row by row, from 0
 */

/** The letter of a row, given from 0: A … Z, AA, AB, … @param {number} row @returns {string} */
export function rowName(row) {
  const rest = row >= 26 ? rowName(Math.floor(row / 26) - 1) : "";
  return rest + String.fromCharCode(65 + (row % 26));
}

/** The name of a place, such as "B2" or, with several boards, "2.B2". @param {Shape} shape @param {Place} place */
export function placeName(shape, place) {
  const name = rowName(Math.floor(place.index / shape.columns)) + String((place.index % shape.columns) + 1);
  return shape.boards > 1 ? `${place.board + 1}.${name}` : name;
}

/** Reads a name of a place, or returns null where the grid has none. @param {Shape} shape @param {string} name @returns {Place | null} */
export function readPlace(shape, name) {
  const parts = /^(?:(\d+)\.)?([A-Z]{1,2})(\d{1,2})$/.exec(name.toUpperCase());
  if (!parts) return null;
  const letters = parts[2];
  const row = letters.length === 1 ? letters.charCodeAt(0) - 65 : (letters.charCodeAt(0) - 64) * 26 + letters.charCodeAt(1) - 65;
  const column = Number(parts[3]) - 1;
  const board = parts[1] === undefined ? 0 : Number(parts[1]) - 1;
  const fits = row < shape.rows && column >= 0 && column < shape.columns && board >= 0 && board < shape.boards;
  return fits ? { board, index: row * shape.columns + column } : null;
}

/** The mark and the place of a written move, such as "X B2". @param {Shape} shape @param {string} move */
export function readMove(shape, move) {
  const [mark, name] = move.split(" ");
  return { mark, place: readPlace(shape, name ?? "") };
}

/** The place of a move without its mark: "B2". @param {string} move */
export const squareOf = (move) => move.slice(2);

/**
 * What is written on every board, one string of ".", "X" and "O" each.
 * @param {Shape} shape @param {readonly string[]} moves @returns {string[]}
 */
export function cellsAfter(shape, moves) {
  const boards = Array.from({ length: shape.boards }, () => Array(shape.rows * shape.columns).fill("."));
  for (const move of moves) {
    const { mark, place } = readMove(shape, move);
    // What is written stays; whether the move is allowed is for others to say.
    if (place && boards[place.board][place.index] === ".") boards[place.board][place.index] = mark;
  }
  return boards.map((cells) => cells.join(""));
}

/**
 * The shape of rules as text; null where the text is not understood.
 * @param {string} rules @returns {Shape | null}
 */
export function readRules(rules) {
  const named = { classic: "3,3,3", misere: "3,3,3 misere", wild: "3,3,3 wild", notakto: "3,3,3 x-only misere" };
  const words = rules.trim().toLowerCase().replace("è", "e").split(/\s+/);
  const long = words.flatMap((word) => (named[/** @type {keyof typeof named} */ (word)] ?? word).split(" "));
  // "notakto" and "3,3,3 misere" may both name the grid; the words of the second kind remain words.
  const grid = /^(\d+),(\d+),(\d+)$/.exec(long.find((word) => word.includes(",")) ?? "3,3,3");
  if (!grid) return null;
  const boards = Number(long.find((word) => word.startsWith("boards="))?.slice(7) ?? 1);
  const [rows, columns, line] = grid.slice(1).map(Number);
  if (!(rows * columns > 0 && rows * columns <= 64 && boards >= 1 && boards <= 99)) return null;
  const marks = long.includes("wild") ? "either" : long.includes("x-only") ? "x-only" : "own";
  return { rules: rules.trim(), rows, columns, line, boards, marks, goal: long.includes("misere") ? "avoid" : "complete" };
}

/** The rules in everyday words. @param {Shape} shape */
export function rulesInWords(shape) {
  const size = `${shape.rows}×${shape.columns}`;
  const lose = shape.goal === "avoid" ? "loses" : "wins";
  const boards = shape.boards > 1 ? ` on ${shape.boards} boards` : "";
  const marks = { own: "", either: ", either mark", "x-only": ", both write X" }[shape.marks];
  return `${size}, ${shape.line} in a row ${lose}${marks}${boards}`;
}

/**
 * A whole game as the part of a link after "#": rules, then squares, compactly. Marks are left out where they alternate.
 * @param {string} rules @param {readonly string[]} moves
 */
export function toLink(rules, moves) {
  const shape = readRules(rules);
  const alternate = shape?.marks !== "either";
  const opener = shape?.marks === "own" && moves[0]?.startsWith("O") ? "O:" : "";
  const squares = moves.map((move) => (alternate ? squareOf(move) : move.replace(" ", "")));
  return `${rules.replaceAll(" ", "+")}/${opener}${squares.join("-")}`;
}

/**
 * The opposite of `toLink`; null where the text is not such a link.
 * @param {string} hash @returns {{ rules: string, moves: string[] } | null}
 */
export function fromLink(hash) {
  let text = hash.replace(/^#/, "");
  try {
    text = decodeURIComponent(text);
  } catch {
    return null;
  }
  const parts = /^([\w,=+ -]{1,60})\/(O:)?([\w.-]{0,2000})$/.exec(text);
  if (!parts) return null;
  const rules = parts[1].replaceAll("+", " ");
  const shape = readRules(rules);
  if (!shape) return null;
  const squares = parts[3] === "" ? [] : parts[3].toUpperCase().split("-");
  const first = parts[2] ? 1 : 0;
  const markAt = (/** @type {number} */ ply) => (shape.marks === "own" && (ply + first) % 2 === 1 ? "O" : "X");
  const moves = squares.map((square, ply) =>
    shape.marks === "either" ? `${square.slice(0, 1)} ${square.slice(1)}` : `${markAt(ply)} ${square}`,
  );
  return moves.every((move) => readMove(shape, move).place) ? { rules, moves } : null;
}

/** A record as text, one move a line. @param {string} rules @param {readonly string[]} moves */
export function toRecord(rules, moves) {
  const tag = rules === "3,3,3" ? "" : `[Rules "${rules}"]\n`;
  return tag + moves.map((move, ply) => `${ply + 1} ${move}\n`).join("");
}
