// @ts-check
// The values of positions on 3×3, read from a table that the library computed. src/page/solved.rs describes the format.

import { cellsAfter, isSwapped, marksAt, placeName } from "./notation.js";

/** @typedef {import("./notation.js").Rules} Rules */
/** @typedef {import("./notation.js").Side} Side */
/** @typedef {"win" | "draw" | "loss"} Value */
/** @typedef {"best" | "ok" | "mistake" | "blunder"} Verdict the library's verdict on a move */

/**
 * A legal move with its value for the player who makes it; null where it is not known.
 * @typedef {object} MoveFacts
 * @property {string} move
 * @property {Value | null} value
 * @property {number | null} distance
 * @property {Verdict | null} verdict
 */

/**
 * The facts about a position, as `POST /api/v1/judge` returns them (docs/api.md).
 * @typedef {object} Facts
 * @property {Side | null} to_move
 * @property {Side | "draw" | null} outcome
 * @property {readonly (readonly string[])[]} lines
 * @property {readonly number[]} finished the boards that are finished, counted from 1
 * @property {string | null} dead why no line can be completed any more
 * @property {Value | null} value
 * @property {number | null} distance
 * @property {readonly MoveFacts[]} moves
 */

/**
 * The first line of the file.
 * @typedef {object} Header
 * @property {number[][]} symmetries
 * @property {number[][]} lines
 * @property {string[]} dead
 * @property {string[]} variants the words of each variant, in the order of the sections
 * @property {(Verdict | null)[][]} verdicts
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

  /** Loads the table on the first call. */
  static load() {
    Solved.#loading ??= fetch(new URL("solved.bin", import.meta.url))
      .then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new Error("the table could not be loaded"))))
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
    // The index of each board's image with the lowest number.
    this.places = new Uint16Array(CODES);
    this.n = 0;
    for (let code = 0; code < CODES; code++) {
      const least = this.#least(code);
      this.places[code] = least === code ? this.n++ : this.places[least];
    }
  }

  /** Returns true if the table contains these rules. @param {Rules} rules */
  static covers(rules) {
    return rules.rows === 3 && rules.columns === 3 && rules.length === 3 && rules.boards === 1;
  }

  /** Returns the facts about the position after some legal moves. @param {Rules} rules @param {readonly string[]} moves @returns {Facts} */
  facts(rules, moves) {
    const cells = cellsAfter(rules, moves)[0];
    const swapped = isSwapped(rules, moves);
    const here = this.#look(rules, cells, swapped);
    const isOver = here.distance === 0;
    /** @type {Side} */
    const next = moves.length % 2 === 0 ? "first" : "second";
    const other = next === "first" ? "second" : "first";
    const outcome = !isOver ? null : here.value === "draw" ? "draw" : here.value === "win" ? next : other;
    /** @type {MoveFacts[]} */
    const judged = [];
    for (let index = 0; index < SQUARES && !isOver; index++) {
      if (cells[index] !== ".") continue;
      for (const mark of marksAt(rules, moves.length, swapped)) {
        const after = this.#look(rules, cells.slice(0, index) + mark + cells.slice(index + 1), swapped);
        const distance = after.value === "draw" || after.distance === null ? null : after.distance + 1;
        const verdict = this.header.verdicts[here.bits][after.bits];
        judged.push({ move: `${mark} ${placeName(rules, { board: 0, index })}`, value: forOther(after.value), distance, verdict });
      }
    }
    return {
      to_move: isOver ? null : next,
      outcome,
      lines: outcome && outcome !== "draw" ? this.#lines(rules, cells) : [],
      finished: [],
      dead: here.dead,
      value: here.value,
      distance: here.value === "draw" ? null : here.distance,
      moves: judged,
    };
  }

  /** Returns how far a level looks ahead and how many percent of the squares it overlooks. @param {string} name */
  level(name) {
    const { levels } = this.header;
    return levels.find((level) => level.name === name) ?? levels[levels.length - 1];
  }

  /** Returns a line of best play, if one player can force a win. @param {Rules} rules @param {readonly string[]} moves */
  bestLine(rules, moves) {
    const line = [...moves];
    for (let facts = this.facts(rules, line); facts.moves.length > 0 && facts.value !== "draw"; facts = this.facts(rules, line)) {
      line.push(bestOf(facts.moves)[0].move);
    }
    return line.slice(moves.length);
  }

  /** @param {Rules} rules @param {string} cells @param {boolean} swapped */
  #look({ variant }, cells, swapped) {
    const section = this.header.variants.indexOf(variant.words);
    let code = 0;
    for (let index = SQUARES - 1; index >= 0; index--) {
      const digit = ".XO".indexOf(cells[index]);
      code = code * 3 + (swapped && digit > 0 ? 3 - digit : digit);
    }
    const byte = this.bytes[section * this.n + this.places[code]];
    const distance = (byte >> 2) & 15;
    return {
      bits: byte & 63,
      value: VALUES[byte & 3],
      distance: distance === NO_DISTANCE ? null : distance,
      dead: byte >> 6 ? this.header.dead[(byte >> 6) - 1] : null,
    };
  }

  /** @param {Rules} rules @param {string} cells */
  #lines(rules, cells) {
    const full = this.header.lines.filter(([a, b, c]) => cells[a] !== "." && cells[a] === cells[b] && cells[b] === cells[c]);
    return full.map((line) => line.map((index) => placeName(rules, { board: 0, index })));
  }

  /** Returns the lowest number of all images of a board. @param {number} code */
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

/** Returns the best moves. @param {readonly MoveFacts[]} moves */
export const bestOf = (moves) => moves.filter(({ verdict }) => verdict === "best");
