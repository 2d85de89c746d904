// @ts-check
// 3×3 against the computer without a server: the table knows everything, and levels see less of it.

import { Board } from "./board.js";
import { byId } from "./dom.js";
import { keysDialog, listen } from "./keys.js";
import { cellsAfter, readRules, rulesInWords, squareOf, toLink } from "./notation.js";
import { sayAtOnce, sayPolitely } from "./say.js";
import { best, Solved } from "./solved.js";
import { sideName, worthOf } from "./words.js";

/** @typedef {import("./notation.js").Shape} Shape */
/** @typedef {import("./solved.js").Facts} Facts */
/** @typedef {import("./solved.js").Judged} Judged */
/** @typedef {{ rules: string, level: string, begins: "me" | "opponent", moves: string[] }} Saved */

const KEY = "tictac-solo";
/** The computer seems to think, so that its move is seen. */
const THINKING = 450;

/** Starts the page. */
export async function start() {
  try {
    new Solo(await Solved.load());
  } catch {
    byId("status", HTMLElement).textContent = "The table could not be loaded. Open this page once while you are online.";
  }
}

class Solo {
  /** @type {Saved} */
  #game;
  /** @type {Shape} */
  #shape;
  #showsValues = false;
  #turn = 0;

  /** @param {Solved} solved */
  constructor(solved) {
    this.solved = solved;
    this.#game = restored();
    this.#shape = shapeOf(this.#game.rules);
    this.board = new Board(byId("board", HTMLElement), this.#shape, (square) => this.#choose(square));
    this.#wire();
    this.#draw();
    this.#answer();
  }

  #wire() {
    const form = byId("solo-form", HTMLFormElement);
    for (const name of /** @type {const} */ (["rules", "level", "begins"])) /** @type {HTMLSelectElement} */ (form.elements.namedItem(name)).value = this.#game[name];
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id, HTMLElement).addEventListener("click", act);
    on("undo", () => this.#undo());
    on("values", () => this.#toggleValues());
    on("again", () => this.#begin());
    for (const radio of document.getElementsByName("mark")) radio.addEventListener("change", () => this.#draw());
    listen({ f: () => this.board.flip(), v: () => this.#toggleValues(), u: () => this.#undo(), n: () => this.#begin(), "?": keysDialog() });
  }

  #begin() {
    const form = new FormData(byId("solo-form", HTMLFormElement));
    const begins = form.get("begins") === "opponent" ? "opponent" : "me";
    this.#game = { rules: String(form.get("rules")), level: String(form.get("level")), begins, moves: [] };
    const shape = shapeOf(this.#game.rules);
    if (shape.rules !== this.#shape.rules) this.#shape = this.board.shape = shape;
    this.#turn++;
    this.#draw();
    sayPolitely(`A new game. ${byId("status", HTMLElement).textContent}`);
    this.#answer();
  }

  /** @returns {Facts} */
  get #facts() {
    return this.solved.facts(this.#shape, this.#game.moves);
  }

  get #me() {
    return this.#game.begins === "me" ? "first" : "second";
  }

  get #mark() {
    const chosen = document.querySelector("input[name=mark]:checked");
    if (this.#shape.marks === "either" && chosen instanceof HTMLInputElement) return chosen.value;
    return this.#shape.marks === "own" && this.#game.moves.length % 2 === 1 ? "O" : "X";
  }

  /** @param {string} square */
  #choose(square) {
    const facts = this.#facts;
    if (facts.outcome) return sayPolitely("The game is over.");
    if (facts.to_move !== this.#me) return sayPolitely("The computer is thinking.");
    const move = `${this.#mark} ${square}`;
    if (!facts.moves.some((judged) => judged.move === move)) return sayPolitely(`${square} is already taken.`);
    this.#make(move);
    this.#answer();
  }

  /** @param {string} move */
  #make(move) {
    this.#game.moves.push(move);
    this.#draw();
    const sentence = `${move.replace(" ", " on ")}. ${byId("status", HTMLElement).textContent}. ${byId("why", HTMLElement).textContent}`;
    if (this.#facts.outcome) sayAtOnce(sentence);
    else sayPolitely(sentence);
  }

  /** Lets the computer move, if it is its turn. */
  #answer() {
    const facts = this.#facts;
    if (facts.outcome || facts.to_move === this.#me) return;
    const turn = ++this.#turn;
    setTimeout(() => {
      if (turn === this.#turn) this.#make(choice(facts.moves, this.solved.level(this.#game.level)));
    }, THINKING);
  }

  #undo() {
    const { moves } = this.#game;
    const mine = this.#me === "first" ? 0 : 1;
    if (moves.length <= mine) return;
    this.#turn++;
    moves.pop();
    if (moves.length % 2 !== mine) moves.pop();
    this.#draw();
    sayPolitely(`Taken back. ${byId("status", HTMLElement).textContent}`);
  }

  #toggleValues() {
    this.#showsValues = !this.#showsValues;
    byId("values", HTMLElement).setAttribute("aria-pressed", String(this.#showsValues));
    this.#draw();
  }

  #draw() {
    const facts = this.#facts;
    const { moves } = this.#game;
    const isMine = facts.to_move === this.#me;
    const seen = facts.moves.filter(({ move }) => move[0] === this.#mark);
    byId("board", HTMLElement).dataset.goal = this.#shape.goal;
    this.board.show({
      cells: cellsAfter(this.#shape, moves),
      last: moves.length > 0 ? squareOf(moves[moves.length - 1]) : null,
      lines: facts.lines,
      worths: this.#showsValues && isMine ? new Map(seen.map((judged) => [squareOf(judged.move), worthOf(judged)])) : null,
      playable: isMine,
      ghost: this.#mark,
    });
    byId("legend", HTMLElement).hidden = !this.#showsValues || !isMine;
    byId("status", HTMLElement).textContent = this.#sentence(facts);
    byId("why", HTMLElement).textContent = this.#why(facts);
    byId("rules-in-words", HTMLElement).textContent = rulesInWords(this.#shape);
    byId("marks", HTMLElement).hidden = this.#shape.marks !== "either";
    byId("undo", HTMLElement).setAttribute("aria-disabled", String(moves.length <= (this.#me === "first" ? 0 : 1)));
    byId("again", HTMLElement).hidden = facts.outcome === null;
    const analyse = byId("analyse", HTMLAnchorElement);
    analyse.hidden = moves.length === 0;
    analyse.href = `/r#${toLink(this.#game.rules, moves)}`;
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#game));
    } catch {
      // Without storage the game does not survive a reload; it can still be played.
    }
  }

  /** @param {Facts} facts */
  #sentence(facts) {
    if (facts.outcome === "draw") return "Draw";
    if (facts.outcome) return facts.outcome === this.#me ? "You win" : "The computer wins";
    return facts.to_move === this.#me ? "Your move" : "The computer is thinking …";
  }

  /** @param {Facts} facts */
  #why(facts) {
    if (facts.outcome === "draw") return "The board is full without a line.";
    if (facts.outcome) return `The line: ${facts.lines.map((line) => line.join("–")).join(" and ")}.`;
    if (facts.dead) return `This can only be a draw now: ${facts.dead}.`;
    return this.#shape.marks === "own" ? `You write ${sideName(this.#shape, this.#me, "X")}.` : "";
  }
}

/** @returns {Saved} */
function restored() {
  /** @type {Saved} */
  const fresh = { rules: "3,3,3", level: "club", begins: "me", moves: [] };
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) ?? "null");
    const isWhole = saved && readRules(saved.rules) && Array.isArray(saved.moves) && Solved.covers(shapeOf(saved.rules));
    return isWhole ? saved : fresh;
  } catch {
    return fresh;
  }
}

/** @param {string} rules @returns {Shape} */
function shapeOf(rules) {
  const shape = readRules(rules);
  if (!shape) throw new Error(`no such rules: ${rules}`);
  return shape;
}

/**
 * A move at a level: squares are overlooked by chance, and ends that lie too far ahead are not seen.
 * @param {readonly Judged[]} moves @param {{ plies: number, overlooks: number }} level
 */
function choice(moves, level) {
  const seen = moves.filter(() => Math.random() * 100 >= level.overlooks);
  const judged = (seen.length > 0 ? seen : moves).map((candidate) => ((candidate.distance ?? 0) > level.plies ? { ...candidate, value: null, distance: null } : candidate));
  const good = best(judged);
  return good[Math.floor(Math.random() * good.length)].move;
}
