// @ts-check
// The sentences of the pages that work without a game on the server: solo and replay. Those about a game on the server
// are in src/page/game/sentences.rs.

import { marksNamePlayers, squareOf } from "./notation.js";

/** @typedef {import("./notation.js").Rules} Rules */
/** @typedef {import("./notation.js").Side} Side */
/** @typedef {import("./solved.js").Facts} Facts */
/** @typedef {import("./solved.js").MoveFacts} MoveFacts */
/** @typedef {import("./board.js").Label} Label */

/** Returns the name of a player: their mark, if marks name players. @param {Rules} rules @param {Side} side @param {boolean} swapped */
function playerName(rules, side, swapped) {
  const number = side === "first" ? 0 : 1;
  if (!marksNamePlayers(rules)) return `Player ${number + 1}`;
  return rules.variant.marks[swapped ? 1 - number : number][0];
}

/** @param {MoveFacts} move */
export const valueOf = ({ value, distance }) => (value === null ? "unknown" : distance === null ? value : `${value} in ${distance}`);

/** Returns the label of a square with its value. @param {MoveFacts} move @returns {Label} */
export function valueLabel(move) {
  const { value, distance } = move;
  if (value === null) return { kind: "unknown", short: "?", words: "value unknown" };
  return { kind: value, short: value[0].toUpperCase() + (distance ?? ""), words: valueOf(move) };
}

/** Returns "B2", "B2 or C3" or "A1, B2 or C3". @param {readonly MoveFacts[]} moves */
export function squaresInWords(moves) {
  const names = moves.map(({ move }) => squareOf(move));
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} or ${names[names.length - 1]}`;
}

/** Returns true if a move gave away a win or a draw. @param {MoveFacts | undefined} move */
export const isMistake = (move) => move?.verdict === "mistake" || move?.verdict === "blunder";

/** Returns the sign that chess players use for a move, and what it means; null for a good move. @param {MoveFacts | undefined} move */
export function criticism(move) {
  if (move?.verdict === "blunder") return { sign: "??", words: "is a blunder" };
  if (move?.verdict === "mistake") return { sign: "?", words: "is a mistake" };
  if (move?.verdict === "ok") return { sign: "?!", words: move.value === "win" ? "wins, but not as fast as possible" : "loses faster than necessary" };
  return null;
}

/** Returns a move as screen readers should say it. @param {string} move */
export const spokenMove = (move) => move.replace(" ", " on ");

/** Returns the squares of the lines through the last move. On several boards, other lines may be older. @param {Facts["lines"]} lines @param {string | undefined} move */
export function linesThrough(lines, move) {
  const through = lines.filter((line) => move !== undefined && line.includes(squareOf(move)));
  return through.map((line) => line.join("–")).join(" and ");
}

/** Returns the headline of a solo game. @param {Facts} facts @param {Side} me */
export function soloStatus(facts, me) {
  if (facts.outcome === "draw") return "It's a draw";
  if (facts.outcome) return facts.outcome === me ? "You win!" : "The computer wins";
  return facts.to_move === me ? "Your turn" : "The computer is thinking …";
}

/** Returns the sentence below the headline of a solo game. @param {Rules} rules @param {Facts} facts @param {Side} me */
export function soloDetail(rules, facts, me) {
  if (facts.outcome === "draw") return "The board is full.";
  if (facts.outcome) return rules.variant.line === "wins" ? "" : `${facts.outcome === me ? "The computer" : "You"} completed a line. In this variant, that loses.`;
  if (facts.dead) return `Dead draw: ${facts.dead}.`;
  return marksNamePlayers(rules) ? `You are ${playerName(rules, me, false)}.` : "";
}

/** Returns the headline of a replay. @param {Rules} rules @param {Facts | undefined} facts @param {number} ply @param {readonly string[]} moves */
export function replayStatus(rules, facts, ply, moves) {
  const name = (/** @type {Side} */ side) => playerName(rules, side, moves[0]?.[0] === "O");
  if (!facts) return ply === 0 ? "Start of the game" : `After move ${ply}`;
  if (facts.outcome === "draw") return "It's a draw";
  if (facts.outcome) return `${name(facts.outcome)} wins`;
  return moves.length === 0 ? "Play a move to start" : `${name(facts.to_move ?? "first")}'s turn`;
}

/** Returns what perfect play leads to. @param {Rules} rules @param {Facts} facts @param {readonly string[]} moves */
export function perfectPlay(rules, facts, moves) {
  if (facts.outcome === "draw") return "The board is full.";
  if (facts.outcome) return "";
  if (facts.dead) return `Dead draw: ${facts.dead}.`;
  if (!facts.value) return "It is not known who wins with perfect play.";
  const name = playerName(rules, facts.to_move ?? "first", moves[0]?.[0] === "O");
  if (facts.value === "draw") return "With perfect play, it's a draw.";
  const distance = facts.distance === null ? "" : facts.distance === 1 ? " with this move" : ` in ${facts.distance} moves`;
  return facts.value === "win" ? `${name} can win${distance}.` : `${name} loses${distance} against perfect play.`;
}
