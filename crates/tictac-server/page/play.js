// @ts-check
// A game on the server: play it, or watch it.

import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { byId, drawn, h } from "./dom.js";
import { keysDialog, listen } from "./keys.js";
import { cellsAfter, readRules, squareOf, toLink } from "./notation.js";
import { sayAtOnce, sayPolitely } from "./say.js";
import { wireCopies } from "./share.js";
import { linesThrough, sideName } from "./words.js";

/** @typedef {import("./connection.js").Update} Update */
/** @typedef {import("./connection.js").Action} Action */
/** @typedef {import("./connection.js").Sitter} Sitter */
/** @typedef {import("./solved.js").Side} Side */

/** Starts the page. */
export function start() {
  const root = byId("play", HTMLElement);
  new Play(JSON.parse(root.dataset.update ?? "null"), root.dataset.game ?? "");
}

class Play {
  /** @type {Update} */
  #update;
  /** @type {Action | null} */
  #pending = null;
  /** How many events there were when something was last refused. */
  #refusedAt = 0;
  /** @type {Connection} */
  #connection;

  /** @param {Update} update @param {string} game */
  constructor(update, game) {
    const shape = readRules(update.state.rules);
    if (!shape) throw new Error(`rules that this page does not know: ${update.state.rules}`);
    this.shape = shape;
    this.game = game;
    this.#update = update;
    this.board = new Board(byId("board", HTMLElement), shape, (square) => this.#choose(square));
    this.#wire();
    this.#draw();
    this.#connection = new Connection(game, update.seq, {
      onUpdate: (next) => this.#take(next),
      onPresence: (presence) => {
        this.#tellPresence(presence);
        this.#update = { ...this.#update, presence };
        this.#draw();
      },
      onProblem: (problem) => this.#tellProblem(problem),
      onLine: (line) => this.#drawLine(line),
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


  /** @param {Side} side */
  #name(side) {
    return sideName(this.shape, side, this.#update.state.first.mark ?? "X");
  }

  #wire() {
    byId("act", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
    for (const radio of document.getElementsByName("mark")) radio.addEventListener("change", () => this.#draw());
    const marks = (/** @type {string} */ mark) => () => {
      const radio = document.querySelector(`input[name=mark][value=${mark}]`);
      if (radio instanceof HTMLInputElement) radio.click();
    };
    listen({ f: () => this.board.flip(), "?": keysDialog(), x: marks("X"), o: marks("O") });
    wireCopies(document);
  }

  get #mark() {
    const { marks } = this.#update.state;
    const chosen = document.querySelector("input[name=mark]:checked");
    return marks.length > 1 && chosen instanceof HTMLInputElement ? chosen.value : (marks[0] ?? "X");
  }

  /** @param {string} square */
  #choose(square) {
    const { state } = this.#update;
    if (state.status !== "playing") return sayPolitely("The game is over.");
    if (!this.#update.you) return sayPolitely("You are watching this game.");
    if (this.#pending) return sayPolitely("Your last move is still being saved.");
    if (!this.#isMyTurn) return sayPolitely("It is the other player's turn.");
    if (state.moves.some((move) => squareOf(move) === square)) return sayPolitely(`${square} is already taken.`);
    this.#tellProblem(null);
    this.#connection.send({ seq: this.#update.seq, kind: "move", move: `${this.#mark} ${square}` });
  }

  /** @param {string} kind */
  #act(kind) {
    if (this.#pending) return sayPolitely("Wait until your last action is saved.");
    if (kind === "resign" && !confirm("Resign this game?")) return;
    this.#tellProblem(null);
    this.#connection.send({ seq: this.#update.seq, kind });
  }

  /** @param {Update} next */
  #take(next) {
    const before = this.#update;
    this.#update = next;
    if (next.seq > this.#refusedAt) this.#tellProblem(null);
    this.#draw();
    this.#sayNews(before, next);
    if (next.state.next && !before.state.next && next.you) location.assign(`/g/${this.game}/next`);
  }

  /** Says what has happened. @param {Update} before @param {Update} next */
  #sayNews(before, next) {
    const [was, is] = [before.state, next.state];
    if (is.status !== "playing" && was.status === "playing") return sayAtOnce(`${this.#lastMove(next)}${this.#sentence()}. ${this.#why()}`);
    if (is.moves.length > was.moves.length) return sayPolitely(`${this.#lastMove(next)}${this.#sentence()}. ${this.#why()}`);
    if (is.moves.length < was.moves.length) return sayPolitely(`The last move was taken back. ${this.#sentence()}.`);
    if (is.offer && is.offer.by !== this.#update.you && JSON.stringify(is.offer) !== JSON.stringify(was.offer)) sayAtOnce(this.#offerSentence());
    else if (was.offer && !is.offer) sayPolitely("The offer is off the table.");
    else if (was.second.open !== is.second.open || was.first.open !== is.first.open) sayAtOnce("Your friend has joined. The game begins.");
  }

  /** @param {Update} update */
  #lastMove(update) {
    const move = update.state.moves[update.state.moves.length - 1];
    return move ? `${move.replace(" ", " on ")}. ` : "";
  }

  #draw() {
    const { state } = this.#update;
    const pendingMove = this.#pending?.kind === "move" ? (this.#pending.move ?? null) : null;
    const moves = pendingMove && this.#pending?.seq === this.#update.seq ? [...state.moves, pendingMove] : state.moves;
    const last = state.moves[state.moves.length - 1];
    const finished = this.shape.boards > 1 ? state.lines.map((line) => Number(line[0].split(".")[0])) : [];
    byId("board", HTMLElement).dataset.goal = this.shape.goal;
    this.board.show({
      cells: cellsAfter(this.shape, moves),
      last: last ? squareOf(last) : null,
      pending: moves === state.moves || !pendingMove ? null : squareOf(pendingMove),
      lines: state.lines,
      finished,
      playable: this.#isMyTurn && !this.#pending,
      ghost: this.#mark,
    });
    byId("status", HTMLElement).textContent = this.#sentence();
    byId("why", HTMLElement).textContent = this.#why();
    this.#drawPlayers();
    this.#drawMoves();
    this.#drawOffer();
    this.#drawActions();
    document.title = `${this.#sentence()} – tictac`;
  }

  #sentence() {
    const { state, you } = this.#update;
    if (this.#pending?.kind === "move" && this.#pending.seq === this.#update.seq) return "Saving your move …";
    if (state.status === "drawn") return "Draw";
    if (state.winner) {
      if (you === "both" || you === null) return `${this.#name(state.winner)} wins`;
      return state.winner === you ? "You win" : "You lose";
    }
    if (state.first.open || state.second.open) return you ? "Waiting for your friend" : "Waiting for a player";
    if (you === null || you === "both") return `${this.#name(state.to_move ?? "first")} to move`;
    return this.#isMyTurn ? "Your move" : "The other player's move";
  }

  #why() {
    const { state } = this.#update;
    const lines = linesThrough(state.lines, state.moves[state.moves.length - 1]);
    const loser = state.winner ? this.#name(state.winner === "first" ? "second" : "first") : "";
    switch (state.reason) {
      case "line":
        if (this.shape.goal === "complete") return `${this.#name(state.winner ?? "first")} completed ${lines}.`;
        return this.shape.boards > 1 ? `${loser} completed the last line, ${lines}, and that loses here.` : `${loser} completed ${lines}, and a line loses here.`;
      case "full":
        return "The board is full without a line.";
      case "resigned":
        return `${loser} resigned.`;
      case "agreed":
        return "Both agreed to it.";
      default:
        if (state.dead) return `This can only be a draw now: ${state.dead}.`;
        return this.#isMyTurn && this.shape.marks === "own" ? `You write ${this.#mark}.` : "";
    }
  }

  #drawPlayers() {
    const { state, presence } = this.#update;
    const item = (/** @type {Side} */ side) => this.#player(side, state[side], presence[side]);
    byId("players", HTMLElement).replaceChildren(item("first"), item("second"));
    const watching = byId("watching", HTMLElement);
    watching.hidden = presence.watching === 0;
    watching.textContent = presence.watching === 1 ? "One person is watching." : `${presence.watching} people are watching.`;
  }

  /** @param {Side} side @param {Sitter} sitter @param {boolean} isHere */
  #player(side, sitter, isHere) {
    const { you, state } = this.#update;
    const isComputer = typeof sitter.who === "object";
    const name = sitter.name ?? (typeof sitter.who === "object" ? `Computer, ${sitter.who.computer}` : side === "first" ? "First player" : "Second player");
    const isMe = you === side || you === "both";
    const where = sitter.open ? "not here yet" : isComputer ? "ready" : isHere || isMe ? "here" : "away";
    return h(
      "li",
      { class: `player${state.to_move === side ? " is-to-move" : ""}` },
      sitter.mark ? drawn(sitter.mark) : null,
      h("span", {}, h("b", {}, name), you === side ? " (you)" : "", sitter.mark ? h("span", { class: "unseen" }, `, plays ${sitter.mark}`) : null),
      state.to_move === side ? h("span", { class: "unseen" }, ", to move") : null,
      h("span", { class: `presence${where === "here" || where === "ready" ? " is-here" : ""}` }, where),
    );
  }

  #drawMoves() {
    const list = byId("moves", HTMLElement);
    const { moves } = this.#update.state;
    const items = moves.map((move, index) =>
      h("li", {}, h("span", { "aria-current": index === moves.length - 1 ? "step" : null }, h("span", { class: "number" }, `${index + 1}.`), h("span", { class: move[0].toLowerCase() }, move))),
    );
    list.replaceChildren(...items);
    list.scrollTop = list.scrollHeight;
  }

  #offerSentence() {
    const { offer } = this.#update.state;
    const what = { draw: "offers a draw", undo: "asks to take back the last move", rematch: "would like a rematch" };
    return offer ? `${this.#update.state[offer.by].name ?? this.#name(offer.by)} ${what[offer.kind]}.` : "";
  }

  #drawOffer() {
    const { state, you } = this.#update;
    const isMine = state.offer !== null && state.offer.by === you;
    const mine = { draw: "You offer a draw.", undo: "You ask to take back your last move.", rematch: "You would like a rematch." };
    const text = isMine && state.offer ? mine[state.offer.kind] : this.#offerSentence();
    byId("offer", HTMLElement).hidden = state.offer === null;
    /** @type {[string, string][]} */
    const buttons = isMine ? [["decline", "Withdraw"]] : [["accept", "Accept"], ["decline", "Decline"]];
    this.#redraw("offer", text + String(you), () => [h("p", {}, text), h("div", { class: "buttons" }, ...(you ? buttons.map(([kind, label]) => this.#button(kind, label)) : []))]);
  }

  #drawActions() {
    const { state, you } = this.#update;
    const playing = state.status === "playing" && !state.first.open && !state.second.open;
    const free = you !== null && state.offer === null;
    const made = state.moves.length > (you === "second" ? 1 : 0);
    /** @type {[string, string, boolean][]} */
    const all = [
      ["ask-undo", "Take back", free && playing && made],
      ["offer-draw", "Offer a draw", free && playing && you !== "both"],
      ["resign", "Resign", you !== null && playing],
      ["rematch", "Rematch", free && state.status !== "playing" && !state.next],
    ];
    const shown = all.filter(([, , isShown]) => isShown);
    const analysis = state.status !== "playing" || you === "both" ? `/r#${toLink(state.rules, state.moves)}` : null;
    this.#redraw("actions", JSON.stringify([shown, analysis, state.next]), () => [
      ...shown.map(([kind, label]) => this.#button(kind, label)),
      ...(state.next ? [h("a", { class: "button first", href: `/g/${this.game}/next` }, "To the next game")] : []),
      ...(analysis ? [h("a", { class: "button", href: analysis }, "Replay and analyse")] : []),
    ]);
    byId("invite", HTMLElement).hidden = you === null || !(state.first.open || state.second.open);
    byId("downloads", HTMLElement).hidden = state.moves.length === 0;
    const marks = document.getElementById("marks");
    if (marks) marks.hidden = state.marks.length < 2 || !you;
  }

  /** @param {string} kind @param {string} label */
  #button(kind, label) {
    return h("button", { class: "button", type: "button", "data-action": kind, onclick: () => this.#act(kind) }, label);
  }

  /**
   * Draws a part of the page anew if it has changed, and keeps the keyboard where it was.
   * @param {string} id @param {string} key @param {() => HTMLElement[]} draw
   */
  #redraw(id, key, draw) {
    const part = byId(id, HTMLElement);
    if (part.dataset.drawn === key) return;
    const focus = part.contains(document.activeElement) ? document.activeElement : null;
    part.dataset.drawn = key;
    part.replaceChildren(...draw());
    if (!(focus instanceof HTMLElement)) return;
    const same = part.querySelector(`[data-action="${focus.dataset.action}"]`) ?? part.querySelector("button, a");
    if (same instanceof HTMLElement) same.focus();
    else this.board.focus();
  }

  /** @param {import("./connection.js").Presence} presence */
  #tellPresence(presence) {
    const { you, presence: before } = this.#update;
    if (you !== "first" && you !== "second") return;
    const other = you === "first" ? "second" : "first";
    if (presence[other] !== before[other]) sayPolitely(presence[other] ? "The other player is here." : "The other player is away.");
  }

  /** @param {import("./connection.js").Problem | null} problem */
  #tellProblem(problem) {
    const banner = byId("problem", HTMLElement);
    banner.hidden = problem === null;
    if (!problem) return;
    this.#refusedAt = this.#update.seq;
    const sentence = problem.message[0].toUpperCase() + problem.message.slice(1);
    banner.textContent = `${sentence}.${problem.help ? ` ${problem.help}` : ""}`;
    sayAtOnce(banner.textContent);
  }

  /** @param {import("./connection.js").Line} line */
  #drawLine(line) {
    const banner = byId("connection", HTMLElement);
    const sentences = {
      lost: "The connection is lost. The game is safe; trying again …",
      offline: "You are offline. The game is safe and goes on when you are back.",
    };
    const wasHidden = banner.hidden;
    if (line === "open") {
      banner.hidden = true;
      if (!wasHidden) sayPolitely("Connected again.");
    } else if (line !== "connecting") {
      banner.textContent = sentences[line];
      banner.hidden = false;
      if (wasHidden) sayAtOnce(sentences[line]);
    }
  }
}
