// @ts-check
// What perfect play brings on 3×3, read from a table that the library filled: there is no second rule engine here.
// The first line of the file is JSON (symmetries, lines, reasons, rules), then follows one byte for each board that stands
// for all its mirror images, in the order of their numbers, once for each set of rules.

import { cellsAfter, placeName } from "./notation.js";

/** @typedef {import("./notation.js").Shape} Shape */
/** @typedef {"win" | "draw" | "loss"} Value */
/** @typedef {"first" | "second"} Side */

/**
 * A legal move and what it is worth to the one who makes it; null where nobody knows.
 * @typedef {object} Judged
 * @property {string} move
 * @property {Value | null} value
 * @property {number | null} distance
 */

/**
 * Everything the page wants to know of a position.
 * @typedef {object} Facts
 * @property {Side | null} to_move
 * @property {Side | "draw" | null} outcome
 * @property {readonly (readonly string[])[]} lines
 * @property {readonly number[]} finished boards that are finished, from 1
 * @property {string | null} dead why no line can be completed any more
 * @property {Value | null} value
 * @property {number | null} distance
 * @property {readonly Judged[]} moves
 */

/**
 * @typedef {object} Header
 * @property {number[][]} symmetries
 * @property {number[][]} lines
 * @property {string[]} dead
 * @property {{ marks: string, goal: string }[]} rules
 * @property {{ name: string, plies: number, overlooks: number }[]} levels
 */

const SQUARES = 9;
const CODES = 3 ** SQUARES;
/** @type {(Value | null)[]} */
const VALUES = [null, "loss", "draw", "win"];
const NO_DISTANCE = 15;

/** @param {Value | null} value @returns {Value | null} */
const forOther = (value) => (value === "win" ? "loss" : value === "loss" ? "win" : value);

export class Solved {
  /** @type {Promise<Solved> | undefined} */
  static #loading;

  /** Loads the table once. */
  static load() {
    Solved.#loading ??= fetch(new URL("solved.bin", import.meta.url))
      .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error("no table"))))
      .then((buffer) => new Solved(new Uint8Array(buffer)));
    Solved.#loading.catch(() => (Solved.#loading = undefined));
    return Solved.#loading;
  }

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    const end = bytes.indexOf(10);
    /** @type {Header} */
    this.header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    this.bytes = bytes.subarray(end + 1);
    // Every board's number becomes the place of its representative.
    this.places = new Uint16Array(CODES);
    this.n = 0;
    for (let code = 0; code < CODES; code++) {
      const least = this.#least(code);
      this.places[code] = least === code ? this.n++ : this.places[least];
    }
  }

  /** Whether the table knows these rules. @param {Shape} shape */
  static covers(shape) {
    return shape.rows === 3 && shape.columns === 3 && shape.line === 3 && shape.boards === 1;
  }

  /** Everything about the position after some legal moves. @param {Shape} shape @param {readonly string[]} moves @returns {Facts} */
  facts(shape, moves) {
    const cells = cellsAfter(shape, moves)[0];
    const swap = shape.marks === "own" && moves[0]?.startsWith("O") === true;
    const here = this.#look(shape, cells, swap);
    const isOver = here.distance === 0;
    /** @type {Side} */
    const next = moves.length % 2 === 0 ? "first" : "second";
    const other = next === "first" ? "second" : "first";
    const outcome = !isOver ? null : here.value === "draw" ? "draw" : here.value === "win" ? next : other;
    const marks = shape.marks === "either" ? ["X", "O"] : [shape.marks === "own" && (moves.length % 2 === 1) !== swap ? "O" : "X"];
    /** @type {Judged[]} */
    const judged = [];
    for (let index = 0; index < SQUARES && !isOver; index++) {
      if (cells[index] !== ".") continue;
      for (const mark of marks) {
        const after = this.#look(shape, cells.slice(0, index) + mark + cells.slice(index + 1), swap);
        const distance = after.value === "draw" || after.distance === null ? null : after.distance + 1;
        judged.push({ move: `${mark} ${placeName(shape, { board: 0, index })}`, value: forOther(after.value), distance });
      }
    }
    return {
      to_move: isOver ? null : next,
      outcome,
      lines: outcome && outcome !== "draw" ? this.#lines(shape, cells) : [],
      finished: [],
      dead: here.dead,
      value: here.value,
      distance: here.value === "draw" ? null : here.distance,
      moves: judged,
    };
  }

  /** How far a level looks and how much it overlooks; the last one sees everything. @param {string} name */
  level(name) {
    const { levels } = this.header;
    return levels.find((level) => level.name === name) ?? levels[levels.length - 1];
  }

  /** A line of best play from here: the winner shortens, the loser lengthens. @param {Shape} shape @param {readonly string[]} moves */
  bestLine(shape, moves) {
    const line = [...moves];
    for (let facts = this.facts(shape, line); facts.moves.length > 0; facts = this.facts(shape, line)) {
      if (facts.value === "draw") break;
      line.push(best(facts.moves)[0].move);
    }
    return line.slice(moves.length);
  }

  /** @param {Shape} shape @param {string} cells @param {boolean} swap */
  #look(shape, cells, swap) {
    const section = this.header.rules.findIndex(({ marks, goal }) => marks === shape.marks && goal === shape.goal);
    let code = 0;
    for (let index = SQUARES - 1; index >= 0; index--) {
      const digit = ".XO".indexOf(cells[index]);
      code = code * 3 + (swap && digit > 0 ? 3 - digit : digit);
    }
    const byte = this.bytes[section * this.n + this.places[code]];
    const distance = (byte >> 2) & 15;
    return {
      value: VALUES[byte & 3],
      distance: distance === NO_DISTANCE ? null : distance,
      dead: byte >> 6 ? this.header.dead[(byte >> 6) - 1] : null,
    };
  }

  /** @param {Shape} shape @param {string} cells */
  #lines(shape, cells) {
    const full = this.header.lines.filter(([a, b, c]) => cells[a] !== "." && cells[a] === cells[b] && cells[b] === cells[c]);
    return full.map((line) => line.map((index) => placeName(shape, { board: 0, index })));
  }

  /** The least number among the images of a board. @param {number} code */
  #least(code) {
    const digits = Array.from({ length: SQUARES }, (_, index) => Math.floor(code / 3 ** index) % 3);
    let least = code;
    for (const image of this.header.symmetries) {
      let number = 0;
      for (let index = 0; index < SQUARES; index++) number += digits[index] * 3 ** image[index];
      least = Math.min(least, number);
    }
    return least;
  }
}

/** How good a judged move is, to compare: quick wins, draws, slow losses. @param {Judged} judged */
export function rank({ value, distance }) {
  if (value === "win") return 1000 - (distance ?? 500);
  if (value === "loss") return -1000 + (distance ?? 500);
  return 0;
}

/** The best of some moves; all of them where nothing is known. @param {readonly Judged[]} moves */
export function best(moves) {
  const top = Math.max(...moves.map(rank));
  return moves.filter((judged) => rank(judged) === top);
}

