// @ts-check
// How squares, moves, rules and links are written. The rules of the games are not here: the server decides which moves are
// legal, or the table that the library computed (solved.js). The page contains a catalogue of all variants.

import { t } from "./text.js";

/** @typedef {"first" | "second"} Side */

/**
 * The size of the boards.
 * @typedef {object} Size
 * @property {number} rows
 * @property {number} columns
 * @property {number} boards
 */

/**
 * The description of a variant by the server (src/page/variant.rs).
 * @typedef {object} Variant
 * @property {string} words the words after the size in the text of the rules
 * @property {[string[], string[]]} marks the marks that each player may write if X opens
 * @property {"wins" | "loses"} line
 * @property {string} summary the rules in words, with {rows}, {columns} and {length} to be filled in
 */

/** @typedef {Size & { rules: string, length: number, variant: Variant }} Rules */

/**
 * A square of one of the boards.
 * @typedef {object} Place
 * @property {number} board counted from 0
 * @property {number} index row by row, counted from 0
 */

/** Returns the letter of a row, counted from 0: A … Z, AA, AB, … @param {number} row @returns {string} */
export function rowName(row) {
  const rest = row >= 26 ? rowName(Math.floor(row / 26) - 1) : "";
  return rest + String.fromCharCode(65 + (row % 26));
}

/** Returns the name of a square, such as "B2" or, on several boards, "2.B2". @param {Size} size @param {Place} place */
export function placeName(size, place) {
  const name = rowName(Math.floor(place.index / size.columns)) + String((place.index % size.columns) + 1);
  return size.boards > 1 ? `${place.board + 1}.${name}` : name;
}

/** Parses the name of a square; null if there is no such square. @param {Size} size @param {string} name @returns {Place | null} */
export function parsePlace(size, name) {
  const parts = /^(?:(\d+)\.)?([A-Z]{1,2})(\d{1,2})$/.exec(name.toUpperCase());
  if (!parts) return null;
  const letters = parts[2];
  const row = letters.length === 1 ? letters.charCodeAt(0) - 65 : (letters.charCodeAt(0) - 64) * 26 + letters.charCodeAt(1) - 65;
  const column = Number(parts[3]) - 1;
  const board = parts[1] === undefined ? 0 : Number(parts[1]) - 1;
  const isThere = row < size.rows && column >= 0 && column < size.columns && board >= 0 && board < size.boards;
  return isThere ? { board, index: row * size.columns + column } : null;
}

/** Returns the square of a move: "B2" of "X B2". @param {string} move */
export const squareOf = (move) => move.slice(2);

/**
 * Returns the content of every board as a string of ".", "X" and "O".
 * @param {Size} size @param {readonly string[]} moves @returns {string[]}
 */
export function cellsAfter(size, moves) {
  const boards = Array.from({ length: size.boards }, () => Array(size.rows * size.columns).fill("."));
  for (const move of moves) {
    const place = parsePlace(size, squareOf(move));
    // A link may contain an illegal move. It does not overwrite a mark.
    if (place && boards[place.board][place.index] === ".") boards[place.board][place.index] = move[0];
  }
  return boards.map((cells) => cells.join(""));
}

/** @returns {{ variants: Variant[], names: Record<string, string> }} */
const catalogue = () => JSON.parse(document.getElementById("variants")?.dataset.catalogue ?? '{"variants":[],"names":{}}');

/** Parses the text of rules; null if a word is unknown or the boards are too large. @param {string} text @returns {Rules | null} */
export function parseRules(text) {
  const { variants, names } = catalogue();
  let [rows, columns, length, boards] = [3, 3, 3, 1];
  /** @type {string[]} */
  const words = [];
  for (const word of text.trim().toLowerCase().replace("è", "e").split(/\s+/)) {
    const size = /^(\d+),(\d+),(\d+)$/.exec(word);
    if (size) [rows, columns, length] = size.slice(1).map(Number);
    else if (word.startsWith("boards=")) boards = Number(word.slice(7));
    else words.push(names[word] ?? word);
  }
  const sorted = (/** @type {string} */ list) => list.split(" ").filter(Boolean).sort().join(" ");
  const wanted = sorted(words.join(" "));
  const variant = variants.find((candidate) => sorted(candidate.words) === wanted);
  const fits = rows * columns > 0 && rows * columns <= 64 && boards >= 1 && boards <= 99;
  return variant && fits ? { rules: text.trim(), rows, columns, length, boards, variant } : null;
}

/** Returns the rules in words. @param {Rules} rules */
export function summaryOf({ variant, rows, columns, length, boards }) {
  const summary = variant.summary.replace("{rows}", String(rows)).replace("{columns}", String(columns)).replace("{length}", String(length));
  return boards > 1 ? t("{summary}, {boards} boards", { summary, boards }) : summary;
}

/** Returns true if a player may choose between marks. @param {Rules} rules */
export const hasMarkChoice = ({ variant }) => variant.marks[0].length > 1;

/** Returns true if a mark shows which player wrote it. @param {Rules} rules */
export const marksNamePlayers = ({ variant: { marks } }) => marks.every((own) => own.length === 1) && marks[0][0] !== marks[1][0];

/** Returns true if the marks of the players are swapped, because O opened. @param {Rules} rules @param {readonly string[]} moves */
export const isSwapped = (rules, moves) => marksNamePlayers(rules) && moves.length > 0 && moves[0][0] !== rules.variant.marks[0][0];

/**
 * Returns the marks that may be written after some moves.
 * @param {Rules} rules @param {number} ply how many moves @param {boolean} swapped
 */
export const marksAt = ({ variant }, ply, swapped) => variant.marks[(ply + (swapped ? 1 : 0)) % 2];

/** Returns a game as the part of a link after "#". A mark is written only if a player can choose it. @param {Rules} rules @param {readonly string[]} moves */
export function toLink(rules, moves) {
  const squares = moves.map((move) => (hasMarkChoice(rules) ? move.replace(" ", "") : squareOf(move)));
  return `${rules.rules.replaceAll(" ", "+")}/${isSwapped(rules, moves) ? "O:" : ""}${squares.join("-")}`;
}

/** Parses the part of a link after "#"; null if it does not contain a game. @param {string} hash @returns {{ rules: Rules, moves: string[] } | null} */
export function fromLink(hash) {
  let text = hash.replace(/^#/, "");
  try {
    text = decodeURIComponent(text);
  } catch {
    return null;
  }
  const parts = /^([\w,=+ -]{1,60})\/(O:)?([\w.-]{0,2000})$/.exec(text);
  const rules = parts && parseRules(parts[1].replaceAll("+", " "));
  if (!parts || !rules) return null;
  const squares = parts[3] === "" ? [] : parts[3].toUpperCase().split("-");
  const swapped = parts[2] !== undefined;
  const moves = squares.map((square, ply) => (hasMarkChoice(rules) ? `${square.slice(0, 1)} ${square.slice(1)}` : `${marksAt(rules, ply, swapped)[0]} ${square}`));
  return moves.every((move) => parsePlace(rules, squareOf(move))) ? { rules, moves } : null;
}

/** Returns a game as a record, one move per line. @param {Rules} rules @param {readonly string[]} moves */
export function toRecord({ rules }, moves) {
  const tag = rules === "3,3,3" ? "" : `[Rules "${rules}"]\n`;
  return tag + moves.map((move, ply) => `${ply + 1} ${move}\n`).join("");
}
