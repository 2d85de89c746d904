// @ts-check
// Sentences about a game.

import { squareOf } from "./notation.js";

/** @typedef {import("./notation.js").Shape} Shape */
/** @typedef {import("./solved.js").Judged} Judged */
/** @typedef {import("./solved.js").Side} Side */
/** @typedef {import("./board.js").Worth} Worth */
/** @typedef {"best" | "slow" | "hasty" | "mistake" | "blunder"} Verdict */

/** What a side is called: its mark, where marks name players. @param {Shape} shape @param {Side} side @param {string} opener */
export function sideName(shape, side, opener) {
  if (shape.marks === "own") return side === "first" ? opener : opener === "X" ? "O" : "X";
  return side === "first" ? "First player" : "Second player";
}

/** @param {string} value @param {number | null} distance */
export function valueInWords(value, distance) {
  return distance === null ? value : `${value} in ${distance}`;
}

/** What an analysis writes on a square. @param {Judged} judged @returns {Worth} */
export function worthOf({ value, distance }) {
  if (value === null) return { kind: "unknown", short: "?", words: "value unknown" };
  return { kind: value, short: value[0].toUpperCase() + (distance ?? ""), words: valueInWords(value, distance) };
}

/** "B2", "B2 or C3", "A1, B2 or C3". @param {readonly string[]} moves */
export function either(moves) {
  const names = moves.map(squareOf);
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} or ${names[names.length - 1]}`;
}

/** How good a move was among the legal ones; null where not enough is known. @param {readonly Judged[]} moves @param {string} move @returns {Verdict | null} */
export function verdictOf(moves, move) {
  const made = moves.find((judged) => judged.move === move);
  if (!made?.value || moves.some(({ value }) => value === null)) return null;
  const worth = { loss: 0, draw: 1, win: 2 };
  const top = /** @type {"win" | "draw" | "loss"} */ (["win", "draw", "loss"].find((value) => moves.some((judged) => judged.value === value)));
  if (made.value === "loss" && top !== "loss") return "blunder";
  if (worth[made.value] < worth[top]) return "mistake";
  if (top === "draw") return "best";
  const distances = moves.filter(({ value }) => value === top).map(({ distance }) => distance ?? 0);
  const wanted = top === "win" ? Math.min(...distances) : Math.max(...distances);
  if ((made.distance ?? 0) === wanted) return "best";
  return top === "win" ? "slow" : "hasty";
}

/** The signs of chess, which everybody who analyses knows. @type {Record<Verdict, { sign: string, words: string }>} */
export const VERDICTS = {
  best: { sign: "", words: "" },
  slow: { sign: "?!", words: "is not the quickest way" },
  hasty: { sign: "?!", words: "loses sooner than needed" },
  mistake: { sign: "?", words: "is a mistake" },
  blunder: { sign: "??", words: "is a blunder" },
};

/** Whether a move gave something away; what is only slow or hasty did not. @param {Verdict | null} verdict */
export const isMistake = (verdict) => verdict === "mistake" || verdict === "blunder";

/** The lines that a move completed, in words; on several boards others had theirs before. @param {readonly (readonly string[])[]} lines @param {string | undefined} move */
export function linesThrough(lines, move) {
  return lines
    .filter((line) => move !== undefined && line.includes(squareOf(move)))
    .map((line) => line.join("–"))
    .join(" and ");
}
