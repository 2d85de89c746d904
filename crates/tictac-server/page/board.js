// @ts-check
// The board: one tab stop, arrow keys, number keys and typed squares; every cell is a button with a spoken name.

import { drawn, h } from "./dom.js";
import { placeName, readPlace, rowName } from "./notation.js";

/** @typedef {import("./notation.js").Shape} Shape */
/** @typedef {import("./notation.js").Place} Place */

/**
 * What an analysis says of a square.
 * @typedef {object} Worth
 * @property {"win" | "draw" | "loss" | "unknown"} kind
 * @property {string} short what stands on the square: "W5"
 * @property {string} words what is said: "win in 5"
 */

/**
 * What is to be seen.
 * @typedef {object} Scene
 * @property {readonly string[]} cells one string of ".", "X" and "O" a board
 * @property {string | null} [last] the square of the last move
 * @property {string | null} [pending] the square of a move that is not saved yet
 * @property {readonly (readonly string[])[]} [lines] completed lines, by their squares
 * @property {readonly number[]} [finished] boards that are finished, from 1
 * @property {Map<string, Worth> | null} [worths]
 * @property {boolean} [playable] whether a click makes a move
 * @property {string | null} [ghost] the mark that a click would write
 */

export class Board {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {Place} */
  #focus;
  #flipped = false;
  #typed = "";
  #typedAt = 0;
  /** @type {Scene} */
  #scene = { cells: [] };

  /**
   * @param {HTMLElement} container
   * @param {Shape} shape
   * @param {(square: string) => void} onPlay hears the name of a chosen empty square
   */
  constructor(container, shape, onPlay) {
    this.container = container;
    this.shape = shape;
    this.onPlay = onPlay;
    this.#focus = { board: 0, index: Math.floor(shape.rows / 2) * shape.columns + Math.floor(shape.columns / 2) };
    this.#build();
  }

  /** Draws a scene; only what has changed is touched. @param {Scene} scene */
  show(scene) {
    this.#scene = scene;
    const inLine = new Set((scene.lines ?? []).flat());
    this.container.classList.toggle("is-playable", scene.playable === true);
    this.container.dataset.ghost = scene.playable ? (scene.ghost ?? "") : "";
    scene.cells.forEach((marks, board) => {
      const isFinished = scene.finished?.includes(board + 1) ?? false;
      this.container.querySelector(`[data-board="${board}"]`)?.classList.toggle("is-finished", isFinished);
      Array.from(marks).forEach((mark, index) => this.#showCell({ board, index }, mark, inLine, isFinished));
    });
  }

  /** Turns the board by half a circle, and back. */
  flip() {
    this.#flipped = !this.#flipped;
    this.#build();
    this.show(this.#scene);
  }

  /** Moves the keyboard to the board. */
  focus() {
    this.#button(this.#focus)?.focus();
  }

  /** Whether the keyboard is on the board. */
  get hasFocus() {
    return this.container.contains(document.activeElement);
  }

  /** @param {Place} place */
  #button(place) {
    return this.#buttons.get(placeName(this.shape, place));
  }

  /** @param {Place} place @param {string} mark @param {Set<string>} inLine @param {boolean} isFinished */
  #showCell(place, mark, inLine, isFinished) {
    const button = this.#button(place);
    if (!button) return;
    const name = placeName(this.shape, place);
    const scene = this.#scene;
    const worth = mark === "." ? scene.worths?.get(name) : undefined;
    const isPending = scene.pending === name;
    const state = [mark, worth?.short ?? "", isPending].join();
    if (button.dataset.state !== state) {
      // A mark is drawn with a stroke only when it is new on a board that was already seen.
      const isNew = button.dataset.state !== undefined && mark !== "." && !button.querySelector(".mark");
      button.dataset.state = state;
      button.replaceChildren(...this.#inside(mark, worth, isNew));
    }
    button.classList.toggle("is-pending", isPending);
    button.classList.toggle("is-last", scene.last === name && !isPending);
    button.classList.toggle("is-in-line", inLine.has(name));
    button.dataset.worth = worth?.kind ?? "";
    const open = mark === "." && scene.playable === true && !isFinished;
    button.setAttribute("aria-disabled", String(!open));
    button.setAttribute("aria-label", this.#spoken(place, mark, inLine, worth, isFinished));
  }

  /** @param {string} mark @param {Worth | undefined} worth @param {boolean} isNew */
  #inside(mark, worth, isNew) {
    if (mark !== ".") {
      const drawing = drawn(mark);
      if (isNew) drawing.classList.add("is-new");
      return [drawing];
    }
    // The short form is drawn by the style sheet: the name of the button says it in words.
    return worth ? [h("span", { class: "worth", "data-short": worth.short })] : [];
  }

  /** @param {Place} place @param {string} mark @param {Set<string>} inLine @param {Worth | undefined} worth @param {boolean} isFinished */
  #spoken(place, mark, inLine, worth, isFinished) {
    const { rows, columns, boards } = this.shape;
    const name = placeName({ ...this.shape, boards: 1 }, place);
    const isCentre = rows % 2 === 1 && columns % 2 === 1 && rows > 1 && columns > 1 && place.index === (rows * columns - 1) / 2;
    const full = placeName(this.shape, place);
    const words = [
      boards > 1 ? `board ${place.board + 1}, ${name}` : name,
      isCentre && mark === "." ? "centre" : "",
      mark === "." ? "empty" : mark,
      worth?.words ?? "",
      this.#scene.pending === full ? "not saved yet" : this.#scene.last === full ? "last move" : "",
      inLine.has(full) ? "in the line" : "",
      isFinished && mark === "." ? "board finished" : "",
    ];
    return words.filter(Boolean).join(", ");
  }

  #build() {
    const hadFocus = this.hasFocus;
    const { rows, columns, boards } = this.shape;
    this.#buttons.clear();
    this.container.classList.add("boards");
    this.container.dataset.columns = String(columns);
    this.container.dataset.boards = boards > 1 ? "many" : "one";
    this.container.dataset.size = String(Math.max(rows, columns));
    const all = Array.from({ length: boards }, (_, board) => this.#buildBoard(board));
    this.container.replaceChildren(...all);
    if (!this.container.dataset.listens) {
      this.container.dataset.listens = "yes";
      this.container.addEventListener("keydown", (event) => this.#onKey(event));
    }
    if (hadFocus) this.focus();
  }

  /** @param {number} board */
  #buildBoard(board) {
    const { rows, columns, boards } = this.shape;
    const turned = (/** @type {number} */ n, /** @type {number} */ size) => (this.#flipped ? size - 1 - n : n);
    const label = `${boards > 1 ? `Board ${board + 1}` : "Board"}, ${rows} rows, ${columns} columns`;
    const top = h("div", { class: "columns", "aria-hidden": "true" });
    for (let n = 0; n < columns; n++) top.append(h("span", {}, String(turned(n, columns) + 1)));
    const grid = h("div", { class: "grid", role: "grid", "aria-label": label, "data-columns": columns });
    for (let r = 0; r < rows; r++) {
      const row = h("div", { class: "row", role: "row" });
      row.append(h("span", { class: "row-name", role: "presentation", "aria-hidden": "true" }, rowName(turned(r, rows))));
      for (let c = 0; c < columns; c++) {
        const place = { board, index: turned(r, rows) * columns + turned(c, columns) };
        row.append(h("div", { role: "gridcell", class: "place" }, this.#buildCell(place)));
      }
      grid.append(row);
    }
    const title = boards > 1 ? h("p", { class: "board-name", "aria-hidden": "true" }, `Board ${board + 1}`) : null;
    return h("div", { class: "board", "data-board": board }, title, top, grid);
  }

  /** @param {Place} place */
  #buildCell(place) {
    const isFocus = place.board === this.#focus.board && place.index === this.#focus.index;
    const name = placeName(this.shape, place);
    const button = h("button", {
      class: "cell",
      type: "button",
      tabindex: isFocus ? 0 : -1,
      "data-square": name,
      onclick: () => this.#choose(place),
      onfocus: () => this.#moveTabStop(place),
    });
    this.#buttons.set(name, button);
    return button;
  }

  /** @param {Place} place */
  #moveTabStop(place) {
    this.#button(this.#focus)?.setAttribute("tabindex", "-1");
    this.#focus = place;
    this.#button(place)?.setAttribute("tabindex", "0");
  }

  /** @param {Place} place */
  #choose(place) {
    this.onPlay(placeName(this.shape, place));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = this.#target(event.key);
    if (target) {
      event.preventDefault();
      event.stopPropagation();
      this.#button(target)?.focus();
      return;
    }
    if (/^[a-z0-9.]$/i.test(event.key) && this.#type(event.key, event.timeStamp)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Where a key of movement leads from here, if it is one. @param {string} key @returns {Place | null} */
  #target(key) {
    const { rows, columns, boards } = this.shape;
    const { board, index } = this.#focus;
    const [row, column] = [Math.floor(index / columns), index % columns];
    const way = this.#flipped ? -1 : 1;
    const to = (/** @type {number} */ r, /** @type {number} */ c, b = board) => {
      // Past the side of a board lies the next one; past the last one there is nothing.
      if (c < 0 || c >= columns) {
        b += c < 0 ? -1 : 1;
        c = c < 0 ? columns - 1 : 0;
      }
      const isThere = r >= 0 && r < rows && b >= 0 && b < boards;
      return isThere ? { board: b, index: r * columns + c } : this.#focus;
    };
    switch (key) {
      case "ArrowLeft":
        return to(row, column - way);
      case "ArrowRight":
        return to(row, column + way);
      case "ArrowUp":
        return to(row - way, column);
      case "ArrowDown":
        return to(row + way, column);
      case "Home":
        return to(row, this.#flipped ? columns - 1 : 0);
      case "End":
        return to(row, this.#flipped ? 0 : columns - 1);
      case "PageUp":
        return boards > 1 ? to(row, column, board - 1) : null;
      case "PageDown":
        return boards > 1 ? to(row, column, board + 1) : null;
      default:
        return null;
    }
  }

  /**
   * Takes a typed character: "5" or "b2" on small boards, "2.b2" on several; returns whether it was of use.
   * @param {string} key @param {number} now
   */
  #type(key, now) {
    /** How long one may think between the letter and the digit. */
    const patience = 2000;
    const before = now - this.#typedAt < patience ? this.#typed : "";
    const { rows, columns, boards } = this.shape;
    const isNumber = /^[1-9]$/.test(key);
    if (before === "" && isNumber && boards === 1 && rows * columns <= 9 && Number(key) <= rows * columns) {
      return this.#chooseTyped({ board: 0, index: Number(key) - 1 });
    }
    const isRow = /[a-z]/i.test(key) && key.toUpperCase() <= rowName(Math.min(rows, 26) - 1);
    if (!isRow && before === "" && boards === 1) return false;
    if (/[a-z]/i.test(key) && !isRow) return false;
    this.#typed = before + key.toUpperCase();
    this.#typedAt = now;
    const place = readPlace(this.shape, boards > 1 && !this.#typed.includes(".") ? `${this.#focus.board + 1}.${this.#typed}` : this.#typed);
    if (!place) return true;
    // "A1" may still become "A12": then the keyboard goes there, and Enter plays.
    const mayGrow = (place.index % columns) + 1 < 10 && ((place.index % columns) + 1) * 10 <= columns;
    if (mayGrow) this.#button(place)?.focus();
    else this.#chooseTyped(place);
    return true;
  }

  /** @param {Place} place */
  #chooseTyped(place) {
    this.#typed = "";
    this.#button(place)?.focus();
    this.#choose(place);
    return true;
  }
}
