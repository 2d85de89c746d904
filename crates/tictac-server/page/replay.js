// @ts-check
// Replays and analyses the game in the link.

import { Board } from "./board.js";
import { start as startCheck } from "./check.js";
import { alertUser, announce, byId, h, selectedMark } from "./dom.js";
import { onKeys, shortcutsDialog } from "./keys.js";
import { cellsAfter, fromLink, hasMarkChoice, squareOf, summaryOf, toLink, toRecord } from "./notation.js";
import { bestLineAfter, factsOf, IllegalGame } from "./oracle.js";
import { addShareButtons, download } from "./share.js";
import { bestOf } from "./solved.js";
import { t } from "./text.js";
import { criticism, isMistake, linesThrough, perfectPlay, replayStatus, squaresInWords, valueLabel, valueOf } from "./words.js";

/** @typedef {import("./solved.js").Facts} Facts */
/** @typedef {import("./notation.js").Rules} Rules */

/** Starts the page. */
export function start() {
  addEventListener("hashchange", () => location.reload());
  startCheck();
  const game = fromLink(location.hash.length > 1 ? location.hash : "#3,3,3/");
  if (game) {
    // A board to set up shows at once what every square is worth.
    new Replay(game.rules, game.moves, game.moves.length === 0);
    return;
  }
  byId("trouble", HTMLElement).hidden = false;
  byId("trouble", HTMLElement).textContent = t("There is no game in this link. Check that you copied all of it.");
}

class Replay {
  /** The game as it was played. @type {string[]} */
  #main;
  /** The moves shown: the game, or a variation of it. @type {string[]} */
  #moves;
  /** The number of moves played on the board. */
  #ply;
  /** The ply at which the variation leaves the game. @type {number | null} */
  #leaves = null;
  /** Whether the page was opened with a game: on an empty board, every move belongs to the game. */
  #hasGame;
  /** @type {Facts[] | null} */
  #facts = null;
  /** True until the facts have arrived. */
  #isLoading = true;
  /** What is wrong with the game in the link. */
  #error = "";
  #showsValues = false;
  /** The mistake that the player is trying to correct. @type {{ ply: number, solved: boolean } | null} */
  #lesson = null;

  /** @param {Rules} rules @param {string[]} moves @param {boolean} showsValues */
  constructor(rules, moves, showsValues) {
    this.rules = rules;
    this.#showsValues = showsValues;
    byId("values", HTMLElement).setAttribute("aria-pressed", String(showsValues));
    this.#main = moves;
    this.#hasGame = moves.length > 0;
    this.#moves = moves;
    this.#ply = moves.length;
    byId("replay", HTMLElement).hidden = false;
    byId("board", HTMLElement).dataset.line = rules.variant.line;
    byId("rules", HTMLElement).textContent = `${summaryOf(rules)}.`;
    byId("marks", HTMLElement).hidden = !hasMarkChoice(rules);
    this.board = new Board(byId("board", HTMLElement), rules, (square) => this.#play(square));
    this.#listen();
    this.#draw();
    this.#loadFacts();
  }

  /** The facts about the position on the board. */
  get #here() {
    return this.#facts?.[this.#ply];
  }

  /** Returns the facts about a move of the game. @param {number} ply @param {string} [move] */
  #moveFacts(ply, move = this.#moves[ply]) {
    return this.#facts?.[ply]?.moves.find((candidate) => candidate.move === move);
  }

  #listen() {
    const onClick = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id, HTMLElement).addEventListener("click", act);
    onClick("to-start", () => this.#go(0));
    onClick("back", () => this.#go(this.#ply - 1));
    onClick("forward", () => this.#go(this.#ply + 1));
    onClick("to-end", () => this.#go(this.#moves.length));
    onClick("values", () => this.#toggleValues());
    onClick("flip", () => this.board.flip());
    onClick("learn", () => this.#learn());
    onClick("share", () => this.#share());
    onClick("download-moves", () => download("game.ttt", toRecord(this.rules, this.#moves), "text/plain"));
    for (const radio of document.getElementsByName("mark")) radio.addEventListener("change", () => this.#draw());
    onKeys({
      ArrowLeft: () => this.#go(this.#ply - 1),
      ArrowRight: () => this.#go(this.#ply + 1),
      Home: () => this.#go(0),
      End: () => this.#go(this.#moves.length),
      f: () => this.board.flip(),
      v: () => this.#toggleValues(),
      "?": shortcutsDialog(),
    });
    addShareButtons(document);
  }

  /** Loads the facts about all positions of the moves shown. */
  async #loadFacts() {
    const moves = this.#moves;
    this.#isLoading = true;
    let trouble = "";
    try {
      const facts = await factsOf(this.rules, moves);
      if (this.#moves !== moves) return;
      this.#facts = facts;
    } catch (error) {
      if (this.#moves !== moves) return;
      if (error instanceof IllegalGame) return this.#cutAt(error);
      this.#facts = null;
      trouble = navigator.onLine && error instanceof Error ? t("Analysis failed: {reason}.", { reason: error.message }) : t("You are offline. Only 3×3 boards can be analysed.");
    }
    this.#isLoading = false;
    this.#warn([this.#error, trouble].filter(Boolean).join(" "));
    this.#draw();
  }

  /** Removes the first illegal move and all that follow. @param {IllegalGame} error @returns {Promise<void>} */
  #cutAt({ legal, message }) {
    this.#error = legal === 0 ? message : `${message} ${t("The game is shown up to move {number}.", { number: legal })}`;
    this.#warn(this.#error);
    this.#main = this.#moves.slice(0, legal);
    this.#moves = this.#main;
    this.#ply = Math.min(this.#ply, legal);
    this.#draw();
    return this.#loadFacts();
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
    announce(`${to === 0 ? t("Start of the game") : t("Move {number}, {move}", { number: to, move })}. ${byId("status", HTMLElement).textContent}`);
  }

  #toggleValues() {
    this.#showsValues = !this.#showsValues;
    byId("values", HTMLElement).setAttribute("aria-pressed", String(this.#showsValues));
    this.#draw();
    if (this.#showsValues && !this.#facts) announce(t("The values are still loading."));
    else if (this.#showsValues) announce(t("Every empty square now has its value."));
  }

  /** The mark that a click writes. */
  get #mark() {
    return hasMarkChoice(this.rules) ? selectedMark() : (this.#here?.moves[0]?.move[0] ?? "X");
  }

  /** @param {string} square */
  #play(square) {
    const move = `${this.#mark} ${square}`;
    if (!this.#moveFacts(this.#ply, move)) {
      announce(this.#here?.outcome ? t("The game is over.") : t("{square} cannot be played now.", { square }));
      return;
    }
    if (this.#lesson) this.#answer(move);
    else if (this.#moves[this.#ply] === move) this.#go(this.#ply + 1);
    else this.#vary(move);
  }

  /** Plays a move that is not in the game. @param {string} move */
  #vary(move) {
    const from = this.#leaves ?? this.#ply;
    this.#leaves = this.#hasGame ? Math.min(from, this.#ply) : null;
    this.#moves = [...this.#moves.slice(0, this.#ply), move];
    if (this.#leaves === null) this.#main = this.#moves;
    this.#ply = this.#moves.length;
    this.#facts = this.#facts?.slice(0, this.#ply) ?? null;
    history.replaceState(null, "", `#${toLink(this.rules, this.#moves)}`);
    this.#draw();
    this.#loadFacts().then(() => announce(`${move}. ${byId("status", HTMLElement).textContent}`));
  }

  #backToGame() {
    this.#moves = this.#main;
    this.#ply = this.#leaves ?? this.#ply;
    this.#leaves = null;
    history.replaceState(null, "", `#${toLink(this.rules, this.#moves)}`);
    this.#draw();
    this.#loadFacts();
  }

  #draw() {
    const facts = this.#here;
    const made = this.#moves.slice(0, this.#ply);
    const withMark = facts?.moves.filter(({ move }) => move[0] === this.#mark) ?? [];
    const labels = this.#showsValues && !this.#lesson && facts ? new Map(withMark.map((candidate) => [squareOf(candidate.move), valueLabel(candidate)])) : null;
    this.board.show({
      cells: cellsAfter(this.rules, made),
      last: made.length > 0 ? squareOf(made[made.length - 1]) : null,
      lines: facts?.lines ?? [],
      finished: facts?.finished ?? [],
      labels,
      playable: facts !== undefined && facts.outcome === null,
      ghost: this.#mark,
    });
    byId("legend", HTMLElement).hidden = !labels;
    this.#drawHeadline();
    this.#drawVerdict();
    this.#drawMoves();
    this.#drawControls();
  }

  #drawHeadline() {
    const facts = this.#here;
    const why = byId("why", HTMLElement);
    byId("status", HTMLElement).textContent = replayStatus(this.rules, facts, this.#ply, this.#moves);
    why.textContent = facts ? perfectPlay(this.rules, facts, this.#moves) : this.#isLoading ? t("Analysing …") : "";
    const lines = facts?.outcome ? linesThrough(facts.lines, this.#moves[this.#ply - 1]) : "";
    if (lines) why.append(h("span", { class: "unseen" }, ` ${t("Line: {lines}.", { lines })}`));
  }

  /** Shows what was wrong with the last move, and the line that refutes it. */
  #drawVerdict() {
    const banner = byId("verdict", HTMLElement);
    const before = this.#facts?.[this.#ply - 1];
    const move = this.#moveFacts(this.#ply - 1);
    const mistake = criticism(move);
    banner.hidden = this.#lesson !== null || !mistake;
    if (banner.hidden || !before || !move || !mistake) return;
    banner.className = isMistake(move) ? "banner bad" : "banner";
    const better = bestOf(before.moves);
    banner.textContent = t("{move} {criticism}. Better: {squares} ({value}).", { move: move.move, criticism: mistake.words, squares: squaresInWords(better), value: valueOf(better[0]) });
    if (!isMistake(move)) return;
    const ply = this.#ply;
    const addLine = (/** @type {string[]} */ line) => {
      if (this.#ply === ply && line.length > 0) banner.append(` ${t("Best play from here: {moves}.", { moves: line.join(", ") })}`);
    };
    bestLineAfter(this.rules, this.#moves.slice(0, ply)).then(addLine, () => {});
  }

  #drawMoves() {
    const list = byId("moves", HTMLElement);
    const hadFocus = list.contains(document.activeElement);
    const items = this.#moves.map((move, index) => this.#moveItem(move, index + 1));
    list.replaceChildren(...items);
    const current = list.querySelector("[aria-current]");
    if (current instanceof HTMLElement) {
      // `scrollIntoView` would also scroll the page.
      const item = current.offsetTop - list.offsetTop;
      if (item < list.scrollTop || item + current.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = item - list.clientHeight / 2;
      if (hadFocus) current.focus();
    }
    const leave = byId("variation", HTMLElement);
    leave.hidden = this.#leaves === null;
    if (this.#leaves !== null) {
      leave.replaceChildren(
        `${t("You left the game at move {number}.", { number: this.#leaves + 1 })} `,
        h("button", { class: "button", type: "button", onclick: () => this.#backToGame() }, t("Back to the game")),
      );
    }
  }

  /** @param {string} move @param {number} number */
  #moveItem(move, number) {
    const facts = this.#moveFacts(number - 1, move);
    const mistake = criticism(facts);
    const button = h(
      "button",
      { type: "button", "aria-current": number === this.#ply ? "step" : null, onclick: () => this.#go(number) },
      h("span", { class: "number" }, `${number}.`),
      h("span", { class: move[0].toLowerCase() }, move),
    );
    if (mistake) {
      button.append(h("span", { class: `verdict ${isMistake(facts) ? "mistake" : "slow"}`, "aria-hidden": "true" }, mistake.sign), h("span", { class: "unseen" }, `, ${mistake.words}`));
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
    learn.textContent = mistakes.length === 1 ? t("Learn from 1 mistake") : t("Learn from {number} mistakes", { number: mistakes.length });
    byId("values", HTMLElement).hidden = !this.#facts && !this.#isLoading;
    const form = byId("play-from-here", HTMLFormElement);
    form.hidden = this.#here?.outcome !== null;
    const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
    field("rules").value = this.rules.rules;
    field("moves").value = this.#moves.slice(0, this.#ply).join("\n");
    field("begins").value = this.#ply % 2 === 0 ? "me" : "opponent";
    const picture = byId("picture", HTMLAnchorElement);
    picture.href = `/picture.svg?game=${encodeURIComponent(toLink(this.rules, this.#moves.slice(0, this.#ply)))}`;
  }

  #share() {
    const path = `/r#${toLink(this.rules, this.#moves)}`;
    byId("link", HTMLInputElement).value = new URL(path, location.href).href;
    byId("frame", HTMLInputElement).value = `<iframe src="${new URL(`/embed${path}`, location.href).href}" width="360" height="540" loading="lazy" title="tic-tac-toe"></iframe>`;
    byId("qr", HTMLImageElement).src = `/qr.svg?path=${encodeURIComponent(path)}`;
    byId("share-dialog", HTMLDialogElement).showModal();
  }

  /** Returns the plies of all mistakes. */
  #mistakes() {
    return this.#moves.flatMap((_, ply) => (isMistake(this.#moveFacts(ply)) ? [ply] : []));
  }

  /** Asks for a better move than the next mistake. @param {number} [after] */
  #learn(after = -1) {
    const next = this.#mistakes().find((ply) => ply > after);
    if (next === undefined) {
      this.#lesson = null;
      this.#draw();
      this.#showLesson(t("That was the last mistake."), "good", []);
      return;
    }
    this.#lesson = { ply: next, solved: false };
    this.#ply = next;
    this.#draw();
    this.#showLesson(t("{move} was a mistake. Find a better move.", { move: this.#moves[next] }), "", [[t("Show me"), () => this.#reveal()]]);
    this.board.focus();
  }

  /** @param {string} move */
  #answer(move) {
    if (!this.#lesson || this.#lesson.solved) return;
    const { ply } = this.#lesson;
    const facts = this.#moveFacts(ply, move);
    if (!facts) return;
    if (facts.verdict !== null && !isMistake(facts)) {
      this.#lesson.solved = true;
      this.#showLesson(t("Correct: {move} ({value}).", { move, value: valueOf(facts) }), "good", [[t("Next"), () => this.#learn(ply)]]);
    } else {
      this.#showLesson(t("{move} is not better ({value}). Try another square.", { move, value: valueOf(facts) }), "bad", [[t("Show me"), () => this.#reveal()]]);
    }
  }

  #reveal() {
    if (!this.#lesson) return;
    const { ply } = this.#lesson;
    const best = bestOf(this.#facts?.[ply].moves ?? []);
    this.#lesson.solved = true;
    this.#showLesson(t("The best move was {squares} ({value}).", { squares: squaresInWords(best), value: valueOf(best[0]) }), "", [[t("Next"), () => this.#learn(ply)]]);
  }

  /** @param {string} text @param {string} tone @param {[string, () => void][]} buttons */
  #showLesson(text, tone, buttons) {
    const banner = byId("verdict", HTMLElement);
    banner.hidden = false;
    banner.className = `banner ${tone}`;
    const all = buttons.map(([label, act]) => h("button", { class: "button", type: "button", onclick: act }, label));
    banner.replaceChildren(text, all.length > 0 ? h("div", { class: "buttons" }, ...all) : "");
    alertUser(text);
  }
}
