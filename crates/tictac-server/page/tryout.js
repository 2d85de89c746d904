// @ts-check
// The board on the home page: a game against the computer that starts with the first click.

import { Board } from "./board.js";
import { celebrate } from "./celebrate.js";
import { announce, byId } from "./dom.js";
import { cellsAfter, marksAt, parseRules, squareOf } from "./notation.js";
import { chooseMove } from "./solo.js";
import { Solved } from "./solved.js";
import { play as playSound } from "./sound.js";
import { t } from "./text.js";
import { soloStatus, spokenMove } from "./words.js";

const LEVEL = "casual";
/** The pause before the computer moves, in milliseconds. */
const THINKING_PAUSE = 450;

/** Loads what the board needs; fails if it cannot be loaded. */
export async function load() {
  const rules = parseRules("3,3,3");
  const solved = await Solved.load();
  if (!rules) throw new Error("the page has no catalogue of variants");
  return () => new TryOut(rules, solved);
}

class TryOut {
  /** @type {string[]} */
  #moves = [];

  /** @param {import("./notation.js").Rules} rules @param {Solved} solved */
  constructor(rules, solved) {
    this.rules = rules;
    this.solved = solved;
    byId("again", HTMLElement).addEventListener("click", () => {
      this.#moves = [];
      this.#draw();
      this.board.focus();
    });
    this.board = new Board(byId("board", HTMLElement), rules, (square) => this.play(square));
    this.#draw();
  }

  get #facts() {
    return this.solved.facts(this.rules, this.#moves);
  }

  /** Plays a square, if that is possible, and lets the computer answer. @param {string} square */
  play(square) {
    const { outcome, to_move, moves } = this.#facts;
    const move = `${marksAt(this.rules, this.#moves.length, false)[0]} ${square}`;
    if (outcome || to_move !== "first" || !moves.some((candidate) => candidate.move === move)) return;
    this.#make(move, "mine");
    const { outcome: ended, moves: answers } = this.#facts;
    if (ended) return;
    const before = this.#moves;
    setTimeout(() => {
      if (this.#moves === before) this.#make(chooseMove(answers, this.solved.level(LEVEL)), "theirs");
    }, THINKING_PAUSE);
  }

  /** @param {string} move @param {"mine" | "theirs"} sound */
  #make(move, sound) {
    this.#moves = [...this.#moves, move];
    this.#draw();
    const { outcome } = this.#facts;
    if (outcome === "first") celebrate(byId("board", HTMLElement));
    playSound(outcome === "first" ? "win" : outcome === "second" ? "loss" : outcome ? "draw" : sound);
    announce(`${spokenMove(move)}. ${byId("status", HTMLElement).textContent}`);
  }

  #draw() {
    const facts = this.#facts;
    const last = this.#moves.at(-1);
    this.board.show({
      cells: cellsAfter(this.rules, this.#moves),
      last: last ? squareOf(last) : null,
      lines: facts.lines,
      playable: facts.to_move === "first",
      ghost: "X",
    });
    byId("status", HTMLElement).textContent = this.#moves.length === 0 ? t("Try it: make a move") : soloStatus(facts, "first");
    byId("again", HTMLElement).hidden = facts.outcome === null;
  }
}
