// @ts-check
// The sentences of the pages that work without a game on the server: solo and replay. Those about a game on the server
// are in src/page/game/sentences.rs.

import { marksNamePlayers, squareOf } from "./notation.js";
import { t } from "./text.js";

/** @typedef {import("./notation.js").Rules} Rules */
/** @typedef {import("./notation.js").Side} Side */
/** @typedef {import("./solved.js").Facts} Facts */
/** @typedef {import("./solved.js").MoveFacts} MoveFacts */
/** @typedef {import("./board.js").Label} Label */

/** Returns the name of a player: their mark, if marks name players. @param {Rules} rules @param {Side} side @param {boolean} swapped */
function playerName(rules, side, swapped) {
  const number = side === "first" ? 0 : 1;
  if (!marksNamePlayers(rules)) return t("Player {number}", { number: number + 1 });
  return rules.variant.marks[swapped ? 1 - number : number][0];
}

/** Returns the value of a move in words. @param {MoveFacts} move */
export function valueOf({ value, distance }) {
  if (value === null) return t("unknown");
  if (value === "draw") return t("draw");
  if (distance === null) return value === "win" ? t("win") : t("loss");
  return value === "win" ? t("win in {number}", { number: distance }) : t("loss in {number}", { number: distance });
}

/** Returns the label of a square with its value. @param {MoveFacts} move @returns {Label} */
export function valueLabel(move) {
  const { value, distance } = move;
  if (value === null) return { kind: "unknown", short: "?", words: t("value unknown") };
  const letter = value === "win" ? t("W") : value === "draw" ? t("D") : t("L");
  return { kind: value, short: `${letter}${value === "draw" ? "" : (distance ?? "")}`, words: valueOf(move) };
}

/** Returns "B2", "B2 or C3" or "A1, B2 or C3". @param {readonly MoveFacts[]} moves */
export function squaresInWords(moves) {
  const names = moves.map(({ move }) => squareOf(move));
  return names.length < 2 ? (names[0] ?? "") : t("{some} or {last}", { some: names.slice(0, -1).join(", "), last: names[names.length - 1] });
}

/** Returns true if a move gave away a win or a draw. @param {MoveFacts | undefined} move */
export const isMistake = (move) => move?.verdict === "mistake" || move?.verdict === "blunder";

/** Returns the sign that chess players use for a move, and what it means; null for a good move. @param {MoveFacts | undefined} move */
export function criticism(move) {
  if (move?.verdict === "blunder") return { sign: "??", words: t("is a blunder") };
  if (move?.verdict === "mistake") return { sign: "?", words: t("is a mistake") };
  if (move?.verdict === "ok") return { sign: "?!", words: move.value === "win" ? t("wins, but not as fast as possible") : t("loses faster than necessary") };
  return null;
}

/** Returns a move as screen readers should say it. @param {string} move */
export const spokenMove = (move) => t("{mark} on {square}", { mark: move[0], square: squareOf(move) });

/** Returns the squares of the lines through the last move. On several boards, other lines may be older. @param {Facts["lines"]} lines @param {string | undefined} move */
export function linesThrough(lines, move) {
  const through = lines.filter((line) => move !== undefined && line.includes(squareOf(move)));
  return through.map((line) => line.join("–")).join(", ");
}

/** Returns the headline of a solo game. @param {Facts} facts @param {Side} me */
export function soloStatus(facts, me) {
  if (facts.outcome === "draw") return t("Draw!");
  if (facts.outcome) return facts.outcome === me ? t("You win!") : t("The computer wins");
  return facts.to_move === me ? t("Your turn") : t("The computer is thinking …");
}

/** Returns the sentence below the headline of a solo game. @param {Rules} rules @param {Facts} facts @param {Side} me */
export function soloDetail(rules, facts, me) {
  if (facts.outcome === "draw") return t("The board is full.");
  if (facts.outcome && rules.variant.line === "wins") return "";
  if (facts.outcome === me) return t("{name} completed a line. In this variant, that loses.", { name: t("The computer") });
  if (facts.outcome) return t("You completed a line. In this variant, that loses.");
  if (facts.dead) return t("Dead draw: {reason}.", { reason: t(facts.dead) });
  return marksNamePlayers(rules) ? t("You are {mark}.", { mark: playerName(rules, me, false) }) : "";
}

/** Returns the headline of a replay. @param {Rules} rules @param {Facts | undefined} facts @param {number} ply @param {readonly string[]} moves */
export function replayStatus(rules, facts, ply, moves) {
  const name = (/** @type {Side} */ side) => playerName(rules, side, moves[0]?.[0] === "O");
  if (!facts) return ply === 0 ? t("Start of the game") : t("After move {number}", { number: ply });
  if (facts.outcome === "draw") return t("Draw!");
  if (facts.outcome) return t("{name} wins", { name: name(facts.outcome) });
  return moves.length === 0 ? t("Play a move to start") : t("{name}'s turn", { name: name(facts.to_move ?? "first") });
}

/** Returns what perfect play leads to. @param {Rules} rules @param {Facts} facts @param {readonly string[]} moves */
export function perfectPlay(rules, facts, moves) {
  if (facts.outcome === "draw") return t("The board is full.");
  if (facts.outcome) return "";
  if (facts.dead) return t("Dead draw: {reason}.", { reason: t(facts.dead) });
  if (!facts.value) return t("It is not known who wins with perfect play.");
  if (facts.value === "draw") return t("With perfect play, it's a draw.");
  const values = { name: playerName(rules, facts.to_move ?? "first", moves[0]?.[0] === "O"), number: facts.distance ?? 0 };
  if (facts.value === "loss") return facts.distance === null ? t("{name} loses against perfect play.", values) : t("{name} loses in {number} moves against perfect play.", values);
  if (facts.distance === 1) return t("{name} can win with this move.", values);
  return facts.distance === null ? t("{name} can win.", values) : t("{name} can win in {number} moves.", values);
}
