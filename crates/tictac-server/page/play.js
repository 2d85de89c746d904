// @ts-check
// A game on the server, for players and spectators. The server renders everything around the board; this module replaces
// those parts after every event, draws the board, and sends actions.

import { Board } from "./board.js";
import { celebrate } from "./celebrate.js";
import { Clocks } from "./clock.js";
import { Connection } from "./connection.js";
import { alertUser, announce, byId, selectedMark } from "./dom.js";
import { showLink } from "./link.js";
import { onKeys, shortcutsDialog } from "./keys.js";
import { cellsAfter, squareOf } from "./notation.js";
import { offerPush } from "./push.js";
import { Reactions } from "./reactions.js";
import { addShareButtons, offerInvite } from "./share.js";
import { play } from "./sound.js";
import { localPath, t } from "./text.js";
import { note } from "./yours.js";
import { spokenMove } from "./words.js";

/** @typedef {import("./connection.js").Update} Update */
/** @typedef {import("./connection.js").Action} Action */

/** How long an offer that has just appeared ignores taps, in milliseconds: they were meant for what was there before. */
const OFFER_PAUSE = 700;
/** The gap between the board and the notices, and a little more, in pixels. */
const NOTICE_GAP = 8;
/** How long the end of a game of a tournament is shown, in milliseconds. */
const END_PAUSE = 4_000;

/** Starts the page. */
export function start() {
  const root = byId("play", HTMLElement);
  new Play(JSON.parse(root.dataset.update ?? "null"), root.dataset.game ?? "", root.dataset.watch !== undefined);
}

class Play {
  /** @type {Update} */
  #update;
  /** @type {Action | null} */
  #pending = null;
  /** The number of events when the last action was refused. */
  #refusedAt = 0;
  /** The title of the page, for the time after a move has been saved. */
  #status = "";
  /** @type {Connection} */
  #connection;

  #isEmbedded;

  #clocks = new Clocks();
  /** The offer on the page, and when it appeared. */
  #offer = { text: "", since: -Infinity };

  /** The reactions; none in a frame on another site. @type {Reactions | null} */
  #reactions;

  /** @param {Update} update @param {string} game @param {boolean} isEmbedded */
  constructor(update, game, isEmbedded) {
    this.game = game;
    this.#isEmbedded = isEmbedded;
    this.#update = update;
    const container = byId("board", HTMLElement);
    const { rows, columns, boards } = container.dataset;
    this.size = { rows: Number(rows), columns: Number(columns), boards: Number(boards) };
    this.board = new Board(container, this.size, (square) => this.#play(square));
    this.#status = byId("status", HTMLElement).textContent ?? "";
    this.#reactions = isEmbedded ? null : new Reactions((reaction) => this.#connection.react(reaction));
    if (!isEmbedded) this.#listen();
    this.#clocks.restart();
    this.#draw();
    this.#note();
    this.#connection = new Connection(game, update.seq, isEmbedded, {
      onParts: (parts) => this.#showParts(parts),
      onUpdate: (next) => this.#receive(next),
      onPresence: (presence) => this.#announcePresence(presence),
      onReaction: (by, reaction) => this.#reactions?.show(by, reaction),
      onProblem: (problem) => this.#showProblem(problem),
      onLink: (state) => {
        showLink(state);
        this.#placeNotices();
      },
      onPending: (action) => {
        this.#pending = action;
        this.#draw();
      },
    });
  }

  get #isMyTurn() {
    const { state, you } = this.#update;
    return state.to_move !== null && (you === "both" || you === state.to_move);
  }

  /** The move that waits to be saved, if it continues the moves on the board. */
  get #pendingMove() {
    return this.#pending?.kind === "move" && this.#pending.seq === this.#update.seq ? (this.#pending.move ?? null) : null;
  }

  get #mark() {
    const { marks } = this.#update.state;
    return marks.length > 1 ? selectedMark() : (marks[0] ?? "X");
  }

  #listen() {
    // The buttons are forms, which also work without scripts.
    byId("play", HTMLElement).addEventListener("submit", (event) => {
      if (!(event.target instanceof HTMLFormElement) || !event.target.action.endsWith("/act")) return;
      event.preventDefault();
      if (event.submitter instanceof HTMLButtonElement && event.submitter.name === "kind") this.#act(event.submitter.value);
    });
    for (const radio of document.getElementsByName("mark")) radio.addEventListener("change", () => this.#draw());
    const selectMark = (/** @type {string} */ mark) => () => {
      const radio = document.querySelector(`input[type=radio][name=mark][value=${mark}]`);
      if (radio instanceof HTMLInputElement) radio.click();
    };
    onKeys({ f: () => this.board.flip(), "?": shortcutsDialog(), x: selectMark("X"), o: selectMark("O") });
    addShareButtons(document);
    offerInvite();
    offerPush(this.game);
  }

  /** @param {string} square */
  #play(square) {
    const { state, you } = this.#update;
    if (state.status !== "playing") return announce(t("The game is over."));
    if (!you) return announce(t("You are watching this game."));
    if (this.#pending) return announce(t("Your last move is still being saved."));
    if (!this.#isMyTurn) return announce(t("It is not your turn."));
    if (state.moves.some((move) => squareOf(move) === square)) return announce(t("{square} is already taken.", { square }));
    this.#showProblem(null);
    this.#connection.send({ seq: this.#update.seq, kind: "move", move: `${this.#mark} ${square}` });
  }

  /** @param {string} kind */
  #act(kind) {
    if (this.#pending) return announce(t("Wait until your last move is saved."));
    if (kind === "resign" && !confirm(t("Resign this game?"))) return;
    this.#showProblem(null);
    this.#connection.send({ seq: this.#update.seq, kind });
  }

  /** Replaces the parts that the server has rendered. @param {Record<string, string>} parts */
  #showParts(parts) {
    for (const [id, html] of Object.entries(parts)) this.#showPart(id, html);
    this.#clocks.restart();
    this.#holdOffer();
    this.#placeNotices();
    this.#status = byId("status", HTMLElement).textContent ?? "";
    const moves = document.querySelector("#moves .moves");
    if (moves) moves.scrollTop = moves.scrollHeight;
    this.#showSaving();
  }

  /** Replaces a part and keeps the keyboard focus in it. @param {string} id @param {string} html */
  #showPart(id, html) {
    const part = document.getElementById(id);
    // A frame on another site shows only some of them.
    if (!part) return;
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    part.outerHTML = html;
    if (focused === null) return;
    const same = focused instanceof HTMLButtonElement ? `button[value="${focused.value}"]` : focused.tagName;
    const next = document.querySelector(`#${id} ${same}`) ?? document.querySelector(`#${id} :is(button, a)`);
    if (next instanceof HTMLElement) next.focus();
    else this.board.focus();
  }

  /** Disables the buttons of a new offer for a moment. */
  #holdOffer() {
    const text = document.querySelector("#offer p")?.textContent ?? "";
    if (text !== this.#offer.text) this.#offer = { text, since: performance.now() };
    const left = this.#offer.since + OFFER_PAUSE - performance.now();
    if (left <= 0) return;
    const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#offer button"));
    for (const button of buttons) button.disabled = true;
    setTimeout(() => buttons.forEach((button) => (button.disabled = false)), left);
  }

  /** Puts the notices below the board if the place above it is not on the screen. */
  #placeNotices() {
    const notices = document.querySelector(".notices");
    if (!(notices instanceof HTMLElement)) return;
    const { top, bottom } = /** @type {HTMLElement} */ (notices.parentElement).getBoundingClientRect();
    const height = notices.offsetHeight + NOTICE_GAP;
    notices.classList.toggle("is-below", top < height && bottom + height < innerHeight);
  }

  /** Shows that a move is being saved instead of the server's headline. */
  #showSaving() {
    const status = this.#pendingMove ? t("Saving your move …") : this.#status;
    byId("status", HTMLElement).textContent = status;
    this.#signalTurn(status);
  }

  /** Shows in the tab of the browser whose turn it is. @param {string} status */
  #signalTurn(status) {
    const { state, you } = this.#update;
    const isDue = this.#isMyTurn && you !== "both" && !this.#pendingMove && !state.first.open && !state.second.open;
    document.title = `${isDue ? "● " : ""}${status} – tictac`;
    const icon = document.getElementById("icon");
    if (!(icon instanceof HTMLLinkElement)) return;
    icon.dataset.usual ??= icon.href;
    const wanted = (isDue ? icon.dataset.turn : icon.dataset.usual) ?? icon.href;
    if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  }

  /** @param {Update} next */
  #receive(next) {
    const before = this.#update;
    this.#update = next;
    if (next.seq > this.#refusedAt) this.#showProblem(null);
    this.#draw();
    this.#note();
    this.#announceNews(before, next);
    this.#celebrateNews(before, next);
    const { tournament } = next.state;
    const isOver = before.state.status === "playing" && next.state.status !== "playing";
    // After a look at the end, the tournament leads to the next game.
    if (tournament && isOver && next.you) setTimeout(() => location.assign(localPath(`/t/${tournament.id}`)), END_PAUSE);
    if (next.state.next && !before.state.next && next.you) location.assign(localPath(`/g/${this.game}/next`));
  }

  /** Remembers the game for the home page of a player. */
  #note() {
    const { state, you } = this.#update;
    const names = [...document.querySelectorAll("#players .player b")].map((name) => name.textContent ?? "");
    if (you && !this.#isEmbedded && names.length === 2) note({ path: `/g/${this.game}`, title: names.join(" – "), over: state.status !== "playing" });
  }

  #draw() {
    const { state, you } = this.#update;
    const pending = this.#pendingMove;
    const last = state.moves[state.moves.length - 1];
    this.board.show({
      cells: cellsAfter(this.size, pending ? [...state.moves, pending] : state.moves),
      last: last ? squareOf(last) : null,
      pending: pending ? squareOf(pending) : null,
      lines: state.lines,
      finished: this.size.boards > 1 ? state.lines.map((line) => Number(line[0].split(".")[0])) : [],
      playable: this.#isMyTurn && !this.#pending,
      ghost: this.#mark,
    });
    this.#showSaving();
    const isOpen = state.first.open || state.second.open;
    const hide = (/** @type {string} */ id, /** @type {boolean} */ isHidden) => document.getElementById(id)?.toggleAttribute("hidden", isHidden);
    hide("invite", you === null || !isOpen);
    hide("downloads", state.moves.length === 0);
    this.#reactions?.offer(you !== "both" && !isOpen && state.first.who === "person" && state.second.who === "person", you !== null);
    const marks = document.getElementById("marks");
    if (marks) marks.hidden = state.marks.length < 2 || !you;
  }

  /** Announces what has happened, in the words of the new headline. @param {Update} before @param {Update} next */
  #announceNews(before, next) {
    const [was, is] = [before.state, next.state];
    const last = is.moves[is.moves.length - 1];
    const headline = `${this.#status}. ${byId("why", HTMLElement).textContent}`;
    const news = last ? `${spokenMove(last)}. ${headline}` : headline;
    const offer = document.querySelector("#offer p")?.textContent ?? "";
    const notice = document.getElementById("notice")?.textContent ?? "";
    if (is.status !== "playing" && was.status === "playing") alertUser(news);
    else if (is.moves.length > was.moves.length) announce(news);
    else if (is.moves.length < was.moves.length) announce(`${t("The last move was taken back.")} ${this.#status}.`);
    else if (is.offer && is.offer.by !== next.you && JSON.stringify(is.offer) !== JSON.stringify(was.offer)) alertUser(offer);
    else if (notice) alertUser(notice);
    else if (was.offer && !is.offer) announce(t("The offer was withdrawn or declined."));
    else if (was.second.open !== is.second.open || was.first.open !== is.first.open) alertUser(`${t("Your friend has joined.")} ${headline}`);
  }

  /** Plays the sound of what has happened, and celebrates a win. @param {Update} before @param {Update} next */
  #celebrateNews(before, { state, you }) {
    const isNew = state.moves.length > before.state.moves.length;
    if (state.status === "playing" || before.state.status !== "playing") {
      if (isNew) play(this.#isMyTurn && you !== "both" ? "theirs" : "mine");
      else if (before.state.second.open !== state.second.open || before.state.first.open !== state.first.open) play("pop");
      return;
    }
    const isLoser = state.winner !== null && (you === "first" || you === "second") && you !== state.winner;
    play(state.winner === null ? "draw" : isLoser ? "loss" : "win");
    if (state.winner !== null && !isLoser && you) celebrate(byId("board", HTMLElement));
  }

  /** @param {import("./connection.js").Presence} presence */
  #announcePresence(presence) {
    const { you, presence: before } = this.#update;
    this.#update = { ...this.#update, presence };
    if (you !== "first" && you !== "second") return;
    const other = you === "first" ? "second" : "first";
    if (presence[other] !== before[other]) announce(presence[other] ? t("Your opponent is online.") : t("Your opponent is away."));
  }

  /** @param {import("./connection.js").Problem | null} problem */
  #showProblem(problem) {
    const banner = document.getElementById("problem");
    banner?.toggleAttribute("hidden", problem === null);
    if (!problem || !banner) return;
    this.#refusedAt = this.#update.seq;
    const message = t(problem.message);
    const sentence = message[0].toUpperCase() + message.slice(1);
    banner.textContent = `${sentence}.${problem.help ? ` ${t(problem.help)}` : ""}`;
    this.#placeNotices();
    alertUser(banner.textContent);
  }
}
