// @ts-check
// Replay and analysis of a game that lives in the link.

import { Board } from "./board.js";
import { byId, h } from "./dom.js";
import { keysDialog, listen } from "./keys.js";
import { cellsAfter, fromLink, readRules, rulesInWords, squareOf, toLink, toRecord } from "./notation.js";
import { bestLineAfter, factsOf, IllegalGame } from "./oracle.js";
import { sayAtOnce, sayPolitely } from "./say.js";
import { download, qrOf, wireCopies } from "./share.js";
import { best } from "./solved.js";
import { either, isMistake, linesThrough, sideName, valueInWords, VERDICTS, verdictOf, worthOf } from "./words.js";

/** @typedef {import("./solved.js").Facts} Facts */
/** @typedef {import("./notation.js").Shape} Shape */

/** Starts the page. */
export function start() {
  const game = fromLink(location.hash) ?? (location.hash.length > 1 ? null : { rules: "3,3,3", moves: [] });
  addEventListener("hashchange", () => location.reload());
  const shape = game && readRules(game.rules);
  if (!game || !shape) {
    byId("trouble", HTMLElement).hidden = false;
    byId("trouble", HTMLElement).textContent = "This link holds no game that can be read. It may have been cut short.";
    return;
  }
  new Replay(shape, game.moves);
}

class Replay {
  /** The game as it was played. @type {string[]} */
  #main;
  /** The moves on the screen: the game, or a variation of it. @type {string[]} */
  #moves;
  /** How many moves are shown as made. */
  #ply;
  /** Where the variation leaves the game, or null. @type {number | null} */
  #leaves = null;
  /** @type {Facts[] | null} */
  #facts = null;
  /** Whether the oracle has not answered yet. */
  #isAsking = true;
  /** What is wrong with the link, for as long as its game is shown. */
  #fault = "";
  #showsValues = false;
  /** The mistake to be mended, while learning. @type {{ ply: number, solved: boolean } | null} */
  #lesson = null;

  /** @param {Shape} shape @param {string[]} moves */
  constructor(shape, moves) {
    this.shape = shape;
    this.#main = moves;
    this.#moves = moves;
    this.#ply = moves.length;
    byId("replay", HTMLElement).hidden = false;
    byId("board", HTMLElement).dataset.goal = shape.goal;
    byId("rules", HTMLElement).textContent = rulesInWords(shape);
    this.board = new Board(byId("board", HTMLElement), shape, (square) => this.#choose(square));
    this.#wire();
    this.#draw();
    this.#ask();
  }

  get #opener() {
    return this.#moves[0]?.[0] ?? "X";
  }

  #wire() {
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id, HTMLElement).addEventListener("click", act);
    on("to-start", () => this.#go(0));
    on("back", () => this.#go(this.#ply - 1));
    on("forward", () => this.#go(this.#ply + 1));
    on("to-end", () => this.#go(this.#moves.length));
    on("values", () => this.#toggleValues());
    on("flip", () => this.board.flip());
    on("learn", () => this.#learn());
    on("share", () => this.#share());
    on("record", () => download("game.ttt", toRecord(this.shape.rules, this.#moves), "text/plain"));
    for (const radio of document.getElementsByName("mark")) radio.addEventListener("change", () => this.#draw());
    byId("marks", HTMLElement).hidden = this.shape.marks !== "either";
    const openKeys = keysDialog();
    listen({
      ArrowLeft: () => this.#go(this.#ply - 1),
      ArrowRight: () => this.#go(this.#ply + 1),
      Home: () => this.#go(0),
      End: () => this.#go(this.#moves.length),
      f: () => this.board.flip(),
      v: () => this.#toggleValues(),
      "?": openKeys,
    });
    wireCopies(document);
  }

  /** Asks the oracle about the moves on the screen. */
  async #ask() {
    const moves = this.#moves;
    this.#isAsking = true;
    let trouble = "";
    try {
      const facts = await factsOf(this.shape, moves);
      if (this.#moves !== moves) return;
      this.#facts = facts;
    } catch (error) {
      if (this.#moves !== moves) return;
      if (error instanceof IllegalGame) return this.#cutShort(error);
      this.#facts = null;
      trouble = navigator.onLine && error instanceof Error ? `No analysis: ${error.message}.` : "You are offline: only 3×3 boards can be analysed now.";
    }
    this.#isAsking = false;
    this.#warn([this.#fault, trouble].filter((sentence) => sentence !== "").join(" "));
    this.#draw();
  }

  /** Keeps of a game what the rules allow. @param {IllegalGame} error @returns {Promise<void>} */
  #cutShort({ legal, message }) {
    const upTo = legal === 0 ? "The board is shown without it." : `The game is shown up to move ${legal}.`;
    this.#fault = `${message[0].toUpperCase()}${message.slice(1)}. ${upTo}`;
    this.#warn(this.#fault);
    this.#main = this.#moves.slice(0, legal);
    this.#moves = this.#main;
    this.#ply = Math.min(this.#ply, legal);
    this.#draw();
    return this.#ask();
  }

  /** @param {string} text */
  #warn(text) {
    const trouble = byId("trouble", HTMLElement);
    trouble.hidden = text === "";
    if (trouble.textContent !== text) trouble.textContent = text;
  }

  /** @param {number} ply */
  #go(ply) {
    const to = Math.max(0, Math.min(this.#moves.length, ply));
    if (to === this.#ply && this.#lesson === null) return;
    this.#lesson = null;
    this.#ply = to;
    this.#draw();
    const move = this.#moves[to - 1];
    sayPolitely(`${to === 0 ? "Start" : `Move ${to}, ${move}`}. ${byId("status", HTMLElement).textContent}`);
  }

  #toggleValues() {
    this.#showsValues = !this.#showsValues;
    byId("values", HTMLElement).setAttribute("aria-pressed", String(this.#showsValues));
    this.#draw();
    if (this.#showsValues && !this.#facts) sayPolitely("The values are not known yet.");
    else if (this.#showsValues) sayPolitely("Every empty square says what it is worth.");
  }

  /** The mark that a click writes. */
  get #mark() {
    const facts = this.#facts?.[this.#ply];
    if (this.shape.marks !== "either") return facts?.moves[0]?.move[0] ?? "X";
    const chosen = document.querySelector("input[name=mark]:checked");
    return chosen instanceof HTMLInputElement ? chosen.value : "X";
  }

  /** @param {string} square */
  #choose(square) {
    const facts = this.#facts?.[this.#ply];
    const move = `${this.#mark} ${square}`;
    if (!facts?.moves.some((judged) => judged.move === move)) {
      sayPolitely(facts?.outcome ? "The game is over." : `${square} cannot be played now.`);
      return;
    }
    if (this.#lesson) this.#answer(move);
    else if (this.#moves[this.#ply] === move) this.#go(this.#ply + 1);
    else this.#vary(move);
  }

  /** Leaves the game with another move. @param {string} move */
  #vary(move) {
    const from = this.#leaves ?? this.#ply;
    const isAtEnd = this.#leaves === null && this.#ply === this.#main.length && this.#main.length === 0;
    this.#leaves = isAtEnd ? null : Math.min(from, this.#ply);
    this.#moves = [...this.#moves.slice(0, this.#ply), move];
    if (this.#leaves === null) this.#main = this.#moves;
    this.#ply = this.#moves.length;
    this.#facts = this.#facts?.slice(0, this.#ply) ?? null;
    history.replaceState(null, "", `#${toLink(this.shape.rules, this.#moves)}`);
    this.#draw();
    this.#ask().then(() => sayPolitely(`${move}. ${byId("status", HTMLElement).textContent}`));
  }

  #backToGame() {
    this.#moves = this.#main;
    this.#ply = this.#leaves ?? this.#ply;
    this.#leaves = null;
    history.replaceState(null, "", `#${toLink(this.shape.rules, this.#moves)}`);
    this.#draw();
    this.#ask();
  }

  #draw() {
    const facts = this.#facts?.[this.#ply];
    const made = this.#moves.slice(0, this.#ply);
    const worths = this.#showsValues && !this.#lesson && facts ? facts.moves.filter(({ move }) => move[0] === this.#mark).map((judged) => /** @type {const} */ ([squareOf(judged.move), worthOf(judged)])) : null;
    this.board.show({
      cells: cellsAfter(this.shape, made),
      last: made.length > 0 ? squareOf(made[made.length - 1]) : null,
      lines: facts?.lines ?? [],
      finished: facts?.finished ?? [],
      worths: worths && new Map(worths),
      playable: facts !== undefined && facts.outcome === null,
      ghost: this.#mark,
    });
    byId("legend", HTMLElement).hidden = !worths;
    this.#drawStatus(facts);
    this.#drawVerdict();
    this.#drawMoves();
    this.#drawControls();
  }

  /** @param {Facts | undefined} facts */
  #drawStatus(facts) {
    const status = byId("status", HTMLElement);
    const name = (/** @type {"first" | "second"} */ side) => sideName(this.shape, side, this.#opener);
    const start = this.#moves.length === 0 && this.#ply === 0;
    if (!facts) status.textContent = this.#ply === 0 ? "The start" : `After move ${this.#ply}`;
    else if (facts.outcome === "draw") status.textContent = "Draw: the board is full";
    else if (facts.outcome) status.textContent = `${name(facts.outcome)} wins`;
    else status.textContent = start ? "Play a move, or step through a game" : `${name(facts.to_move ?? "first")} to move`;
    byId("why", HTMLElement).textContent = this.#whyOf(facts);
  }

  /** What perfect play brings, in a sentence. @param {Facts | undefined} facts */
  #whyOf(facts) {
    if (!facts) return this.#isAsking ? "Asking what perfect play brings …" : "";
    if (facts.outcome) return facts.lines.length > 0 ? `The line: ${linesThrough(facts.lines, this.#moves[this.#ply - 1])}.` : "";
    if (facts.dead) return `This will be a draw: ${facts.dead}.`;
    if (!facts.value) return "Who wins with perfect play is not known here.";
    const side = sideName(this.shape, facts.to_move ?? "first", this.#opener);
    const brings = { win: "can force a win", draw: "can hold a draw, and no more", loss: "is lost against perfect play" }[facts.value];
    return `${side} ${brings}${facts.distance === null ? "" : facts.distance === 1 ? ", with this move" : `, in ${facts.distance} moves of both sides`}.`;
  }

  /** Says what is wrong with the last move, and the line that punishes it. */
  #drawVerdict() {
    const banner = byId("verdict", HTMLElement);
    const before = this.#facts?.[this.#ply - 1];
    const move = this.#moves[this.#ply - 1];
    const verdict = before && move ? verdictOf(before.moves, move) : null;
    banner.hidden = this.#lesson !== null || verdict === null || verdict === "best";
    if (banner.hidden || !before || !verdict) return;
    banner.classList.toggle("bad", isMistake(verdict));
    const [good] = best(before.moves);
    const better = either(best(before.moves).map((judged) => judged.move));
    banner.textContent = `${move} ${VERDICTS[verdict].words}: ${better} was better (${valueInWords(good.value ?? "", good.distance)}).`;
    if (!isMistake(verdict)) return;
    const ply = this.#ply;
    bestLineAfter(this.shape, this.#moves.slice(0, ply)).then((line) => {
      if (this.#ply === ply && line.length > 0) banner.append(` Punished by ${line.join(", ")}.`);
    }, () => {});
  }

  #drawMoves() {
    const list = byId("moves", HTMLElement);
    const hadFocus = list.contains(document.activeElement);
    const items = this.#moves.map((move, index) => this.#moveItem(move, index + 1));
    list.replaceChildren(...items);
    const current = list.querySelector("[aria-current]");
    if (current instanceof HTMLElement) {
      // Only the list scrolls, never the page.
      const item = current.offsetTop - list.offsetTop;
      if (item < list.scrollTop || item + current.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = item - list.clientHeight / 2;
      if (hadFocus) current.focus();
    }
    const leave = byId("variation", HTMLElement);
    leave.hidden = this.#leaves === null;
    if (this.#leaves !== null) {
      leave.replaceChildren(
        `A variation from move ${this.#leaves + 1}. `,
        h("button", { class: "button", type: "button", onclick: () => this.#backToGame() }, "Back to the game"),
      );
    }
  }

  /** @param {string} move @param {number} number */
  #moveItem(move, number) {
    const verdict = this.#facts?.[number - 1] ? verdictOf(this.#facts[number - 1].moves, move) : null;
    const mark = VERDICTS[verdict ?? "best"];
    const isHere = number === this.#ply;
    const button = h(
      "button",
      { type: "button", "aria-current": isHere ? "step" : null, onclick: () => this.#go(number) },
      h("span", { class: "number" }, `${number}.`),
      h("span", { class: move[0].toLowerCase() }, move),
    );
    if (mark.sign) {
      button.append(h("span", { class: `verdict ${isMistake(verdict) ? "mistake" : "slow"}`, "aria-hidden": "true" }, mark.sign), h("span", { class: "unseen" }, `, ${mark.words}`));
    }
    return h("li", {}, button);
  }

  #drawControls() {
    const disable = (/** @type {string} */ id, /** @type {boolean} */ off) => byId(id, HTMLElement).setAttribute("aria-disabled", String(off));
    disable("to-start", this.#ply === 0);
    disable("back", this.#ply === 0);
    disable("forward", this.#ply === this.#moves.length);
    disable("to-end", this.#ply === this.#moves.length);
    const mistakes = this.#mistakes();
    const learn = byId("learn", HTMLElement);
    learn.hidden = mistakes.length === 0 || this.#lesson !== null;
    learn.textContent = mistakes.length === 1 ? "Learn from 1 mistake" : `Learn from ${mistakes.length} mistakes`;
    const facts = this.#facts?.[this.#ply];
    byId("values", HTMLElement).hidden = !this.#facts && !this.#isAsking;
    const form = byId("play-from-here", HTMLFormElement);
    form.hidden = facts === undefined || facts.outcome !== null;
    const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    field("rules").value = this.shape.rules;
    field("moves").value = this.#moves.slice(0, this.#ply).join("\n");
    field("begins").value = this.#ply % 2 === 0 ? "me" : "opponent";
    const picture = byId("picture", HTMLAnchorElement);
    picture.href = `/picture.svg?game=${encodeURIComponent(toLink(this.shape.rules, this.#moves.slice(0, this.#ply)))}`;
  }

  #share() {
    const path = `/r#${toLink(this.shape.rules, this.#moves)}`;
    byId("link", HTMLInputElement).value = new URL(path, location.href).href;
    byId("qr", HTMLImageElement).src = qrOf(path);
    byId("share-dialog", HTMLDialogElement).showModal();
  }

  // Learning from mistakes: the position before one, and another try.

  /** The numbers of the moves that gave something away. */
  #mistakes() {
    return this.#moves.flatMap((move, index) => {
      const facts = this.#facts?.[index];
      const verdict = facts ? verdictOf(facts.moves, move) : null;
      return isMistake(verdict) ? [index] : [];
    });
  }

  /** @param {number} [after] */
  #learn(after = -1) {
    const next = this.#mistakes().find((ply) => ply > after);
    if (next === undefined) {
      this.#lesson = null;
      this.#draw();
      this.#tell("That was the last mistake.", "good", []);
      sayAtOnce("That was the last mistake.");
      return;
    }
    this.#lesson = { ply: next, solved: false };
    this.#ply = next;
    this.#draw();
    const question = `Move ${next + 1} was ${this.#moves[next]}, a mistake. Find a better move.`;
    this.#tell(question, "", [["Show it", () => this.#reveal()]]);
    sayAtOnce(question);
    this.board.focus();
  }

  /** @param {string} move */
  #answer(move) {
    if (!this.#lesson || this.#lesson.solved) return;
    const { ply } = this.#lesson;
    const moves = this.#facts?.[ply].moves ?? [];
    const verdict = verdictOf(moves, move);
    const judged = moves.find((candidate) => candidate.move === move);
    const worth = judged?.value ? valueInWords(judged.value, judged.distance) : "unknown";
    if (verdict !== null && !isMistake(verdict)) {
      this.#lesson.solved = true;
      this.#tell(`Yes: ${move} (${worth}).`, "good", [["Next", () => this.#learn(ply)]]);
      sayAtOnce(`Yes, ${move}: ${worth}.`);
    } else {
      this.#tell(`${move} is no better (${worth}). Try another square.`, "bad", [["Show it", () => this.#reveal()]]);
      sayAtOnce(`${move} is no better: ${worth}. Try another square.`);
    }
  }

  #reveal() {
    if (!this.#lesson) return;
    const { ply } = this.#lesson;
    const good = best(this.#facts?.[ply].moves ?? []);
    this.#lesson.solved = true;
    const sentence = `${either(good.map(({ move }) => move))} was right (${valueInWords(good[0].value ?? "", good[0].distance)}).`;
    this.#tell(sentence, "", [["Next", () => this.#learn(ply)]]);
    sayAtOnce(sentence);
  }

  /** @param {string} text @param {string} tone @param {[string, () => void][]} buttons */
  #tell(text, tone, buttons) {
    const banner = byId("verdict", HTMLElement);
    banner.hidden = false;
    banner.className = `banner ${tone}`;
    const all = buttons.map(([label, act]) => h("button", { class: "button", type: "button", onclick: act }, label));
    banner.replaceChildren(text, all.length > 0 ? h("div", { class: "buttons" }, ...all) : "");
  }
}

