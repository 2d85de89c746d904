// @ts-check
// A replay in a frame on another site: the board, and buttons to step through the game.

import { Board } from "./board.js";
import { announce, byId } from "./dom.js";
import { onKeys } from "./keys.js";
import { cellsAfter, fromLink, squareOf, toRecord } from "./notation.js";
import { factsOf } from "./oracle.js";
import { Solved } from "./solved.js";
import { t } from "./text.js";
import { replayStatus } from "./words.js";

/** Starts the page. */
export function start() {
  addEventListener("hashchange", () => location.reload());
  const game = fromLink(location.hash);
  if (game) new EmbeddedReplay(game.rules, game.moves);
  else {
    byId("trouble", HTMLElement).hidden = false;
    byId("trouble", HTMLElement).textContent = t("There is no game in this link. Check that you copied all of it.");
  }
}

class EmbeddedReplay {
  #ply;
  /** @type {import("./solved.js").Facts[] | null} */
  #facts = null;

  /** @param {import("./notation.js").Rules} rules @param {string[]} moves */
  constructor(rules, moves) {
    this.rules = rules;
    this.moves = moves;
    this.#ply = moves.length;
    byId("replay", HTMLElement).hidden = false;
    byId("open", HTMLAnchorElement).hash = location.hash;
    byId("board", HTMLElement).dataset.line = rules.variant.line;
    this.board = new Board(byId("board", HTMLElement), rules, () => {});
    const steps = { "to-start": () => 0, back: () => this.#ply - 1, forward: () => this.#ply + 1, "to-end": () => moves.length };
    for (const [id, to] of Object.entries(steps)) byId(id, HTMLElement).addEventListener("click", () => this.#go(to()));
    onKeys({ ArrowLeft: () => this.#go(this.#ply - 1), ArrowRight: () => this.#go(this.#ply + 1), Home: () => this.#go(0), End: () => this.#go(moves.length) });
    this.#draw();
    this.#load().catch(() => {});
  }

  /** Loads who has won. Visitors of another site must not make the server analyse positions, so larger boards are only checked. */
  async #load() {
    if (Solved.covers(this.rules)) {
      this.#facts = await factsOf(this.rules, this.moves);
    } else {
      const response = await fetch("/api/v1/check", { method: "POST", headers: { "content-type": "text/plain" }, body: toRecord(this.rules, this.moves) });
      const game = (await response.json()).games[0];
      const outcome = game?.moves.length === this.moves.length && game.status !== "playing" ? (game.winner ?? "draw") : null;
      if (outcome) this.#facts = Object.assign([], { [this.moves.length]: { to_move: null, outcome, lines: [], finished: [], dead: null, value: null, distance: null, moves: [] } });
    }
    this.#draw();
  }

  /** @param {number} ply */
  #go(ply) {
    this.#ply = Math.max(0, Math.min(this.moves.length, ply));
    this.#draw();
    announce(byId("status", HTMLElement).textContent ?? "");
  }

  #draw() {
    const made = this.moves.slice(0, this.#ply);
    const facts = this.#facts?.[this.#ply];
    const last = made.at(-1);
    this.board.show({ cells: cellsAfter(this.rules, made), last: last ? squareOf(last) : null, lines: facts?.lines ?? [], finished: facts?.finished ?? [] });
    byId("status", HTMLElement).textContent = replayStatus(this.rules, facts, this.#ply, made);
    for (const [id, off] of /** @type {const} */ ([["to-start", this.#ply === 0], ["back", this.#ply === 0], ["forward", this.#ply === this.moves.length], ["to-end", this.#ply === this.moves.length]])) {
      byId(id, HTMLElement).setAttribute("aria-disabled", String(off));
    }
  }
}
