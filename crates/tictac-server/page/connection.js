// @ts-check
// The socket of a game. It reconnects by itself, resumes after the last known event, and repeats an action that was not
// acknowledged.

import { localPath, t } from "./text.js";

/** @typedef {import("./notation.js").Side} Side */

/**
 * @typedef {object} SeatState
 * @property {"person" | { computer: string }} who
 * @property {string | null} name
 * @property {boolean} open
 * @property {string | null} mark
 */

/**
 * The state of a game, as docs/api.md describes it.
 * @typedef {object} State
 * @property {string} rules
 * @property {string} position
 * @property {string[]} moves
 * @property {Side | null} to_move
 * @property {string[]} marks
 * @property {"playing" | "won" | "drawn"} status
 * @property {Side | null} winner
 * @property {"line" | "full" | "resigned" | "agreed" | "time" | "decided" | null} reason
 * @property {string[][]} lines
 * @property {string | null} dead
 * @property {{ kind: "draw" | "undo" | "rematch", by: Side } | null} offer
 * @property {SeatState} first
 * @property {SeatState} second
 * @property {string | null} previous
 * @property {string | null} next
 * @property {{ id: string }} [tournament]
 */

/** @typedef {{ first: boolean, second: boolean, watching: number }} Presence */
/** @typedef {{ seq: number, kind: string, by?: Side, move?: string }} Event */
/** @typedef {{ seq: number, events: Event[], state: State, you: Side | "both" | null, presence: Presence }} Update */
/** @typedef {{ seq: number, kind: string, move?: string }} Action */
/** @typedef {{ code: string, message: string, help?: string | null, update?: Update }} Problem */
/** @typedef {import("./link.js").LinkState} LinkState */

/**
 * @typedef {object} Listener
 * @property {(parts: Record<string, string>) => void} onParts the parts of the page as HTML, before the update that they belong to
 * @property {(update: Update) => void} onUpdate
 * @property {(presence: Presence) => void} onPresence
 * @property {(by: Side, reaction: string) => void} onReaction
 * @property {(problem: Problem) => void} onProblem the action was refused and will not be repeated
 * @property {(state: LinkState) => void} onLink
 * @property {(action: Action | null) => void} onPending the action that waits for its acknowledgement
 */

/** The shortest and the longest pause before reconnecting, in milliseconds. A page that is not visible may wait longer. */
const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 1_500;
const LONGEST_HIDDEN_PAUSE = 15_000;
/** How long an acknowledgement may take before the connection is given up, in milliseconds. */
const ACKNOWLEDGEMENT_TIMEOUT = 8_000;
/** The events that do not change whose turn it is or what is offered, so that an action is simply sent again after them. */
const NEUTRAL_EVENTS = ["joined", "device-link", "device-joined", "devices-revoked", "resumed"];
/** The pause before an action is repeated because the server was busy, in milliseconds. */
const BUSY_PAUSE = 3_000;

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Action | null} */
  #pending = null;
  #attempts = 0;
  #id = 0;
  /** The id of the last reaction that was sent. */
  #reaction = 0;
  #seq;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watchdog;

  /** @param {string} game @param {number} seq the number of events seen @param {boolean} watches true if a seat is not used @param {Listener} listener */
  constructor(game, seq, watches, listener) {
    this.game = game;
    this.watches = watches;
    this.listener = listener;
    this.#seq = seq;
    this.#pending = this.#remembered();
    listener.onPending(this.#pending);
    addEventListener("online", () => this.#now());
    addEventListener("offline", () => this.#drop("offline"));
    // A computer that wakes up has a dead connection, so it reconnects immediately.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && !this.#isOpen) this.#now();
    });
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.#now();
    });
    this.#connect();
  }

  get #isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Sends an action, and repeats it until the server has answered. @param {Action} action */
  send(action) {
    if (this.#pending) return;
    this.#remember(action);
    this.#transmit();
  }

  /** Sends a reaction, which is not repeated. @param {string} reaction */
  react(reaction) {
    if (!this.#isOpen) return;
    this.#reaction = ++this.#id;
    this.#socket?.send(JSON.stringify({ id: this.#reaction, reaction }));
  }

  /** Sets the pending action, and stores it for a reload. @param {Action | null} action */
  #remember(action) {
    this.#pending = action;
    const key = `tictac-pending-${this.game}`;
    try {
      if (action) sessionStorage.setItem(key, JSON.stringify(action));
      else sessionStorage.removeItem(key);
    } catch {
      // Without storage, a pending move does not survive a reload.
    }
    this.listener.onPending(action);
  }

  /** @returns {Action | null} */
  #remembered() {
    try {
      return JSON.parse(sessionStorage.getItem(`tictac-pending-${this.game}`) ?? "null");
    } catch {
      return null;
    }
  }

  #now() {
    clearTimeout(this.#retry);
    this.#attempts = 0;
    if (!this.#isOpen) this.#connect();
  }

  #connect() {
    if (this.#socket && this.#socket.readyState < WebSocket.CLOSING) return;
    this.listener.onLink("connecting");
    const path = `/api/v1/games/${this.game}/socket?since=${this.#seq}&html=true${this.watches ? "&watch=true" : ""}`;
    const address = new URL(localPath(path), location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener("message", (event) => this.#receive(socket, String(event.data)));
    socket.addEventListener("close", () => {
      if (this.#socket === socket) this.#drop("lost");
    });
  }

  /** @param {LinkState} state */
  #drop(state) {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    clearTimeout(this.#watchdog);
    clearTimeout(this.#retry);
    this.listener.onLink(navigator.onLine ? state : "offline");
    const longest = document.visibilityState === "visible" ? LONGEST_PAUSE : LONGEST_HIDDEN_PAUSE;
    const pause = Math.min(longest, FIRST_PAUSE * 2 ** this.#attempts++);
    // With a random pause, not all clients reconnect at once after a restart of the server.
    this.#retry = setTimeout(() => this.#connect(), pause * (0.5 + Math.random() / 2));
  }

  /** @param {WebSocket} socket @param {string} text */
  #receive(socket, text) {
    if (this.#socket !== socket) return;
    const message = JSON.parse(text);
    switch (message.type) {
      case "hello":
        this.#attempts = 0;
        this.#take(message);
        this.listener.onLink("open");
        if (this.#pending) this.#transmit();
        break;
      case "update":
        this.#take(message);
        break;
      case "page":
        this.listener.onParts(message.parts);
        break;
      case "presence":
        this.listener.onPresence(message.presence);
        break;
      case "reaction":
        this.listener.onReaction(message.by, message.reaction);
        break;
      case "error":
        this.#refused(message);
        break;
    }
  }

  /** @param {Update} update */
  #take(update) {
    if (update.seq >= this.#seq) {
      this.#seq = update.seq;
      this.listener.onUpdate(update);
    }
    // After the update, because an update hides older problems.
    this.#settle(update);
  }

  /** Drops the pending action if an event has taken its number, whether it is the same one or another. @param {Update} update */
  #settle(update) {
    const pending = this.#pending;
    if (!pending || update.seq <= pending.seq) return;
    clearTimeout(this.#watchdog);
    const event = update.events.find(({ seq }) => seq === pending.seq);
    if (event && update.seq === pending.seq + 1 && NEUTRAL_EVENTS.includes(event.kind)) {
      this.#remember({ ...pending, seq: update.seq });
      this.#transmit();
      return;
    }
    // The answer of a busy server has been replaced by an acknowledgement.
    if (this.#isOpen) this.listener.onLink("open");
    const isMine = !event || (event.kind === pending.kind && (pending.move === undefined || event.move === pending.move));
    this.#remember(null);
    if (!isMine && event) this.listener.onProblem({ code: "conflict", message: conflictMessage(event, update.you) });
  }

  /** @param {Problem & { re?: number }} problem */
  #refused(problem) {
    if (problem.re === this.#reaction) return;
    clearTimeout(this.#watchdog);
    const had = this.#pending;
    if (problem.update) this.#take(problem.update);
    // A neutral event came first, and the action was sent again.
    if (problem.code === "conflict" && had && this.#pending && this.#pending.seq > had.seq) return;
    // The server is busy or its disk is full, so the action is repeated later.
    if (["unavailable", "too-many", "storage-full"].includes(problem.code)) {
      setTimeout(() => this.#transmit(), BUSY_PAUSE);
      this.listener.onLink(problem.code === "storage-full" ? "full" : "busy");
      return;
    }
    const isSettled = this.#pending !== had || had === null;
    if (!isSettled) this.#remember(null);
    // If the conflicting event came first, it was already reported.
    if (problem.code !== "conflict" || !isSettled) this.listener.onProblem(problem);
  }

  #transmit() {
    if (!this.#pending || !this.#isOpen) return;
    this.#socket?.send(JSON.stringify({ id: ++this.#id, ...this.#pending }));
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#drop("lost"), ACKNOWLEDGEMENT_TIMEOUT);
  }
}

/** Returns what happened instead of the viewer's own action. @param {Event} event @param {Side | "both" | null} you */
function conflictMessage(event, you) {
  if (event.by === undefined || (event.by !== you && you !== "both")) return t("your opponent was faster, so your action was not carried out");
  return event.kind === "move" ? t("you have already moved in another window") : t("you have already done something else in another window");
}
