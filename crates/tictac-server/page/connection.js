// @ts-check
// The socket of a game: comes back by itself, resumes where it was, and repeats what was not acknowledged.

/** @typedef {"first" | "second"} Side */

/**
 * @typedef {object} Sitter
 * @property {"person" | { computer: string }} who
 * @property {string | null} name
 * @property {boolean} open
 * @property {string | null} mark
 */

/**
 * Where a game stands, as the server tells it (docs/api.md).
 * @typedef {object} State
 * @property {string} rules
 * @property {string} position
 * @property {string[]} moves
 * @property {Side | null} to_move
 * @property {string[]} marks
 * @property {"playing" | "won" | "drawn"} status
 * @property {Side | null} winner
 * @property {"line" | "full" | "resigned" | "agreed" | null} reason
 * @property {string[][]} lines
 * @property {string | null} dead
 * @property {{ kind: "draw" | "undo" | "rematch", by: Side } | null} offer
 * @property {Sitter} first
 * @property {Sitter} second
 * @property {string | null} previous
 * @property {string | null} next
 */

/** @typedef {{ first: boolean, second: boolean, watching: number }} Presence */
/** @typedef {{ seq: number, kind: string, by?: Side, move?: string }} Event */
/** @typedef {{ seq: number, events: Event[], state: State, you: Side | "both" | null, presence: Presence }} Update */
/** @typedef {{ seq: number, kind: string, move?: string }} Action */
/** @typedef {{ code: string, message: string, help?: string | null, update?: Update }} Problem */
/** @typedef {"connecting" | "open" | "lost" | "offline"} Line */

/**
 * @typedef {object} Listener
 * @property {(update: Update) => void} onUpdate
 * @property {(presence: Presence) => void} onPresence
 * @property {(problem: Problem) => void} onProblem the action was refused and is forgotten
 * @property {(line: Line) => void} onLine
 * @property {(action: Action | null) => void} onPending what waits for its acknowledgement
 */

/** The first pause before trying again, and the longest, in milliseconds. */
const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 15_000;
/** How long an acknowledgement may take before the line counts as dead. */
const PATIENCE = 8_000;

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Action | null} */
  #pending = null;
  #attempts = 0;
  #id = 0;
  #seq;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watchdog;

  /** @param {string} game @param {number} seq the last number seen @param {Listener} listener */
  constructor(game, seq, listener) {
    this.game = game;
    this.listener = listener;
    this.#seq = seq;
    this.#pending = this.#remembered();
    listener.onPending(this.#pending);
    addEventListener("online", () => this.#now());
    addEventListener("offline", () => this.#drop("offline"));
    // A laptop that was closed wakes up with a dead line: better to ask at once.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && !this.isOpen) this.#now();
    });
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.#now();
    });
    this.#connect();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** What waits for its acknowledgement. */
  get pending() {
    return this.#pending;
  }

  /** Asks for an event; it is repeated until the server has answered. @param {Action} action */
  send(action) {
    if (this.#pending) return false;
    this.#remember(action);
    this.#transmit();
    return true;
  }

  /** Gives up what waits, after the server has said what is really there. */
  #remember(/** @type {Action | null} */ action) {
    this.#pending = action;
    const key = `tictac-pending-${this.game}`;
    try {
      if (action) sessionStorage.setItem(key, JSON.stringify(action));
      else sessionStorage.removeItem(key);
    } catch {
      // Without storage a move in flight does not survive a reload; everything else works.
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
    if (!this.isOpen) this.#connect();
  }

  #connect() {
    if (this.#socket && this.#socket.readyState < WebSocket.CLOSING) return;
    this.listener.onLine("connecting");
    const address = new URL(`/api/v1/games/${this.game}/socket?since=${this.#seq}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener("message", (event) => this.#receive(socket, String(event.data)));
    socket.addEventListener("close", () => {
      if (this.#socket === socket) this.#drop("lost");
    });
  }

  /** @param {Line} why */
  #drop(why) {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    clearTimeout(this.#watchdog);
    clearTimeout(this.#retry);
    this.listener.onLine(navigator.onLine ? why : "offline");
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#attempts++);
    // Jitter: after a restart of the server not everybody comes back in the same instant.
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
        this.listener.onLine("open");
        if (this.#pending) this.#transmit();
        break;
      case "update":
        this.#take(message);
        break;
      case "presence":
        this.listener.onPresence(message.presence);
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
    // Afterwards, because an event takes away what was said before it.
    this.#settle(update);
  }

  /** Forgets what waits if the game has gone past it: it is there, or something else is. @param {Update} update */
  #settle(update) {
    const pending = this.#pending;
    if (!pending || update.seq <= pending.seq) return;
    clearTimeout(this.#watchdog);
    const event = update.events.find(({ seq }) => seq === pending.seq);
    const isMine = !event || (event.kind === pending.kind && (pending.move === undefined || event.move === pending.move));
    this.#remember(null);
    if (!isMine && event) this.listener.onProblem({ code: "conflict", message: overtaken(event, update.you) });
  }

  /** @param {Problem & { re?: number }} problem */
  #refused(problem) {
    clearTimeout(this.#watchdog);
    const had = this.#pending;
    if (problem.update) this.#take(problem.update);
    // A line that is busy or a store that is full for a moment is no answer: what waits is repeated later.
    if (["unavailable", "too-many", "storage-full"].includes(problem.code)) {
      setTimeout(() => this.#transmit(), 3000);
      this.listener.onLine("lost");
      return;
    }
    const isSettled = this.#pending !== had || had === null;
    if (!isSettled) this.#remember(null);
    // What overtook the action was told when it came.
    if (problem.code !== "conflict" || !isSettled) this.listener.onProblem(problem);
  }

  #transmit() {
    if (!this.#pending || !this.isOpen) return;
    this.#socket?.send(JSON.stringify({ id: ++this.#id, ...this.#pending }));
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#drop("lost"), PATIENCE);
  }
}

/** Says what happened instead of one's own action. @param {Event} event @param {Side | "both" | null} you */
function overtaken(event, you) {
  if (event.by === undefined || (event.by !== you && you !== "both")) return "the other player was quicker, so your action was not carried out";
  return event.kind === "move" ? "you have already moved in another window" : "you have already done something else in another window";
}
