// @ts-check
// The boards of every page. They are a single tab stop with arrow keys, number keys and typed squares; every square is a
// button with a label for screen readers.

import { drawMark, h } from "./dom.js";
import { parsePlace, placeName, rowName } from "./notation.js";
import { t } from "./text.js";

/** @typedef {import("./notation.js").Size} Size */
/** @typedef {import("./notation.js").Place} Place */

/**
 * The value of an empty square.
 * @typedef {object} Label
 * @property {"win" | "draw" | "loss" | "unknown"} kind
 * @property {string} short the text on the square: "W5"
 * @property {string} words the text for screen readers: "win in 5"
 */

/**
 * What the boards show.
 * @typedef {object} Content
 * @property {readonly string[]} cells a string of ".", "X" and "O" per board
 * @property {string | null} [last] the square of the last move
 * @property {string | null} [pending] the square of a move that is not saved yet
 * @property {readonly (readonly string[])[]} [lines] the squares of each completed line
 * @property {readonly number[]} [finished] the boards that are finished, counted from 1
 * @property {Map<string, Label> | null} [labels] the values of empty squares
 * @property {boolean} [playable] true if a click plays a move
 * @property {string | null} [ghost] the mark to show under the pointer
 */

/** How long a typed row waits for its column, in milliseconds. */
const TYPING_PAUSE = 2000;

export class Board {
  /** @type {Map<string, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {Place} */
  #focus;
  #flipped = false;
  #typed = "";
  #typedAt = 0;
  /** @type {Content} */
  #content = { cells: [] };
  /** False until there is something to see, because only changes are animated. */
  #isShown = false;

  /**
   * @param {HTMLElement} container
   * @param {Size} size
   * @param {(square: string) => void} onPlay called with the name of the chosen square
   */
  constructor(container, size, onPlay) {
    this.container = container;
    this.size = size;
    this.onPlay = onPlay;
    this.#focus = { board: 0, index: Math.floor(size.rows / 2) * size.columns + Math.floor(size.columns / 2) };
    container.addEventListener("keydown", (event) => this.#onKey(event));
    this.#build();
  }

  /** Shows new content, and changes only the elements that differ. @param {Content} content */
  show(content) {
    this.#content = content;
    const inLine = new Set((content.lines ?? []).flat());
    this.container.classList.toggle("is-playable", content.playable === true);
    this.container.dataset.ghost = content.playable ? (content.ghost ?? "") : "";
    content.cells.forEach((marks, board) => {
      const isFinished = content.finished?.includes(board + 1) ?? false;
      this.container.querySelector(`[data-board="${board}"]`)?.classList.toggle("is-finished", isFinished);
      Array.from(marks).forEach((mark, index) => this.#showCell({ board, index }, mark, inLine, isFinished));
      this.#showStrokes(board, content.lines ?? []);
    });
    this.#isShown = true;
  }

  /** Draws a stroke through every completed line of a board. @param {number} board @param {readonly (readonly string[])[]} lines */
  #showStrokes(board, lines) {
    const area = this.container.querySelector(`[data-board="${board}"] .area`);
    const { rows, columns } = this.size;
    const places = lines.map((line) => [line[0], line[line.length - 1]].map((name) => parsePlace(this.size, name)));
    const paths = places.flatMap(([from, to]) => {
      if (!from || !to || from.board !== board) return [];
      // The stroke begins and ends beyond the centres of the squares.
      const beyond = (/** @type {number} */ at, /** @type {number} */ other, /** @type {number} */ size) => {
        const end = at + 0.5 + 0.32 * Math.sign(at - other);
        return this.#flipped ? size - end : end;
      };
      const point = (/** @type {Place} */ a, /** @type {Place} */ b) =>
        `${beyond(a.index % columns, b.index % columns, columns)} ${beyond(Math.floor(a.index / columns), Math.floor(b.index / columns), rows)}`;
      return [`M${point(from, to)}L${point(to, from)}`];
    });
    const drawn = [...(area?.querySelectorAll(".stroke path") ?? [])].map((path) => path.getAttribute("d"));
    if (drawn.join() === paths.join()) return;
    for (const stroke of area?.querySelectorAll(".stroke") ?? []) stroke.remove();
    for (const path of paths) area?.append(svgStroke(columns, rows, path, this.#isShown && !drawn.includes(path)));
  }

  /** Turns the boards upside down, and back. */
  flip() {
    this.#flipped = !this.#flipped;
    this.#build();
    this.show(this.#content);
  }

  /** Moves the keyboard focus to the board. */
  focus() {
    this.#button(this.#focus)?.focus();
  }

  get hasFocus() {
    return this.container.contains(document.activeElement);
  }

  /** @param {Place} place */
  #button(place) {
    return this.#buttons.get(placeName(this.size, place));
  }

  /** @param {Place} place @param {string} mark @param {Set<string>} inLine @param {boolean} isFinished */
  #showCell(place, mark, inLine, isFinished) {
    const button = this.#button(place);
    if (!button) return;
    const name = placeName(this.size, place);
    const content = this.#content;
    const label = mark === "." ? content.labels?.get(name) : undefined;
    const isPending = content.pending === name;
    const state = [mark, label?.short ?? "", isPending].join();
    if (button.dataset.state !== state) {
      // Only a mark that appears on a visible board is animated.
      const isNew = button.dataset.state !== undefined && mark !== "." && !button.querySelector(".mark");
      button.dataset.state = state;
      button.replaceChildren(...this.#drawing(mark, label, isNew));
    }
    button.classList.toggle("is-pending", isPending);
    button.classList.toggle("is-last", content.last === name && !isPending);
    button.classList.toggle("is-in-line", inLine.has(name));
    button.dataset.worth = label?.kind ?? "";
    const open = mark === "." && content.playable === true && !isFinished;
    button.setAttribute("aria-disabled", String(!open));
    button.setAttribute("aria-label", this.#spokenLabel(place, mark, inLine, label, isFinished));
  }

  /** @param {string} mark @param {Label | undefined} label @param {boolean} isNew */
  #drawing(mark, label, isNew) {
    if (mark !== ".") {
      const drawing = drawMark(mark);
      if (isNew) drawing.classList.add("is-new");
      return [drawing];
    }
    // The style sheet shows the short form, so that screen readers read only the label of the button.
    return label ? [h("span", { class: "worth", "data-short": label.short })] : [];
  }

  /** @param {Place} place @param {string} mark @param {Set<string>} inLine @param {Label | undefined} label @param {boolean} isFinished */
  #spokenLabel(place, mark, inLine, label, isFinished) {
    const { rows, columns, boards } = this.size;
    const name = placeName({ ...this.size, boards: 1 }, place);
    const isCentre = rows % 2 === 1 && columns % 2 === 1 && rows > 1 && columns > 1 && place.index === (rows * columns - 1) / 2;
    const full = placeName(this.size, place);
    const words = [
      boards > 1 ? `${t("board {number}", { number: place.board + 1 })}, ${name}` : name,
      isCentre && mark === "." ? t("centre") : "",
      mark === "." ? t("empty") : mark,
      label?.words ?? "",
      this.#content.pending === full ? t("not saved yet") : this.#content.last === full ? t("last move") : "",
      inLine.has(full) ? t("in the line") : "",
      isFinished && mark === "." ? t("board finished") : "",
    ];
    return words.filter(Boolean).join(", ");
  }

  #build() {
    const hadFocus = this.hasFocus;
    const { rows, columns, boards } = this.size;
    this.#buttons.clear();
    this.container.classList.add("boards");
    Object.assign(this.container.dataset, { rows, columns, boards, size: Math.max(rows, columns) });
    const all = Array.from({ length: boards }, (_, board) => this.#buildBoard(board));
    this.container.replaceChildren(...all);
    if (hadFocus) this.focus();
  }

  /** @param {number} board */
  #buildBoard(board) {
    const { rows, columns, boards } = this.size;
    const turned = (/** @type {number} */ n, /** @type {number} */ size) => (this.#flipped ? size - 1 - n : n);
    const label = t("Board {number}, {rows} rows, {columns} columns", { number: board + 1, rows, columns });
    const top = h("div", { class: "columns", "aria-hidden": "true", "data-columns": columns });
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
    const title = boards > 1 ? h("p", { class: "board-name", "aria-hidden": "true" }, t("Board {number}", { number: board + 1 })) : null;
    return h("div", { class: "board", "data-board": board }, title, top, h("div", { class: "area" }, grid));
  }

  /** @param {Place} place */
  #buildCell(place) {
    const isFocus = place.board === this.#focus.board && place.index === this.#focus.index;
    const name = placeName(this.size, place);
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
    this.onPlay(placeName(this.size, place));
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

  /** Returns the square that a navigation key leads to; null for other keys. @param {string} key @returns {Place | null} */
  #target(key) {
    const { rows, columns, boards } = this.size;
    const { board, index } = this.#focus;
    const [row, column] = [Math.floor(index / columns), index % columns];
    const step = this.#flipped ? -1 : 1;
    const to = (/** @type {number} */ r, /** @type {number} */ c, b = board) => {
      // Beyond the edge of a board is the next board.
      if (c < 0 || c >= columns) {
        b += c < 0 ? -1 : 1;
        c = c < 0 ? columns - 1 : 0;
      }
      const isThere = r >= 0 && r < rows && b >= 0 && b < boards;
      return isThere ? { board: b, index: r * columns + c } : this.#focus;
    };
    switch (key) {
      case "ArrowLeft":
        return to(row, column - step);
      case "ArrowRight":
        return to(row, column + step);
      case "ArrowUp":
        return to(row - step, column);
      case "ArrowDown":
        return to(row + step, column);
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
   * Handles a typed character: "5" or "b2" on one board, "2.b2" on several. Returns true if it was part of a square.
   * @param {string} key @param {number} now
   */
  #type(key, now) {
    const before = now - this.#typedAt < TYPING_PAUSE ? this.#typed : "";
    const { rows, columns, boards } = this.size;
    const isNumber = /^[1-9]$/.test(key);
    if (before === "" && isNumber && boards === 1 && rows * columns <= 9 && Number(key) <= rows * columns) {
      return this.#chooseTyped({ board: 0, index: Number(key) - 1 });
    }
    const isRow = /[a-z]/i.test(key) && key.toUpperCase() <= rowName(Math.min(rows, 26) - 1);
    if (!isRow && before === "" && boards === 1) return false;
    if (/[a-z]/i.test(key) && !isRow) return false;
    this.#typed = before + key.toUpperCase();
    this.#typedAt = now;
    const place = parsePlace(this.size, boards > 1 && !this.#typed.includes(".") ? `${this.#focus.board + 1}.${this.#typed}` : this.#typed);
    if (!place) return true;
    // "A1" may still become "A12", so it is only focused. Enter plays it.
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

/** Creates the stroke through a line; a square is one unit wide. @param {number} columns @param {number} rows @param {string} d @param {boolean} isNew */
function svgStroke(columns, rows, d, isNew) {
  const create = (/** @type {string} */ name, /** @type {Record<string, string>} */ attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
    return element;
  };
  const stroke = create("svg", { class: isNew ? "stroke is-new" : "stroke", viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": "true" });
  stroke.append(create("path", { d, pathLength: "1" }));
  return stroke;
}
