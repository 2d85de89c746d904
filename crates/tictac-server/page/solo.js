// @ts-check
// 3×3 against the computer without a server. The table of all positions replaces it.

import { Board } from "./board.js";
import { celebrate } from "./celebrate.js";
import { alertUser, announce, byId, selectedMark } from "./dom.js";
import { onKeys, shortcutsDialog } from "./keys.js";
import { cellsAfter, hasMarkChoice, marksAt, parseRules, squareOf, summaryOf, toLink } from "./notation.js";
import { Solved } from "./solved.js";
import { play } from "./sound.js";
import { localPath, t } from "./text.js";
import { soloDetail, soloStatus, spokenMove, valueLabel } from "./words.js";

/** @typedef {import("./notation.js").Rules} Rules */
/** @typedef {import("./notation.js").Side} Side */
/** @typedef {import("./solved.js").Facts} Facts */
/** @typedef {import("./solved.js").MoveFacts} MoveFacts */
/** @typedef {{ rules: string, level: string, begins: "me" | "opponent", moves: string[] }} SavedGame */

const STORAGE_KEY = "tictac-solo";
/** The pause before the computer moves, in milliseconds, so that the player sees the move. */
const THINKING_PAUSE = 450;

/** Starts the page. */
export async function start() {
  try {
    new Solo(await Solved.load());
  } catch {
    byId("status", HTMLElement).textContent = t("This page could not be loaded. Open it once while you are online.");
  }
}

class Solo {
  /** @type {SavedGame} */
  #game;
  /** @type {Rules} */
  #rules;
  #showsValues = false;
  /** Changes when a move of the computer is no longer wanted. */
  #turn = 0;

  /** @param {Solved} solved */
  constructor(solved) {
    this.solved = solved;
    this.#game = loadGame();
    this.#rules = rulesOf(this.#game);
    this.board = new Board(byId("board", HTMLElement), this.#rules, (square) => this.#play(square));
    this.#listen();
    this.#draw();
    this.#answer();
  }

  #listen() {
    const form = byId("solo-form", HTMLFormElement);
    for (const name of /** @type {const} */ (["rules", "level", "begins"])) /** @type {HTMLSelectElement} */ (form.elements.namedItem(name)).value = this.#game[name];
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    const onClick = (/** @type {string} */ id, /** @type {() => void} */ act) => byId(id, HTMLElement).addEventListener("click", act);
    onClick("undo", () => this.#undo());
    onClick("values", () => this.#toggleValues());
    onClick("again", () => this.#start());
    for (const radio of document.getElementsByName("mark")) radio.addEventListener("change", () => this.#draw());
    onKeys({ f: () => this.board.flip(), v: () => this.#toggleValues(), u: () => this.#undo(), n: () => this.#start(), "?": shortcutsDialog() });
  }

  #start() {
    const form = new FormData(byId("solo-form", HTMLFormElement));
    const begins = form.get("begins") === "opponent" ? "opponent" : "me";
    this.#game = { rules: String(form.get("rules")), level: String(form.get("level")), begins, moves: [] };
    this.#rules = rulesOf(this.#game);
    this.#turn++;
    this.#draw();
    announce(`${t("New game")}. ${this.#headline}`);
    this.#answer();
  }

  get #facts() {
    return this.solved.facts(this.#rules, this.#game.moves);
  }

  /** @returns {Side} */
  get #me() {
    return this.#game.begins === "me" ? "first" : "second";
  }

  get #mark() {
    return hasMarkChoice(this.#rules) ? selectedMark() : marksAt(this.#rules, this.#game.moves.length, false)[0];
  }

  get #headline() {
    return `${byId("status", HTMLElement).textContent}. ${byId("why", HTMLElement).textContent}`;
  }

  /** @param {string} square */
  #play(square) {
    const facts = this.#facts;
    if (facts.outcome) return announce(t("The game is over."));
    if (facts.to_move !== this.#me) return announce(t("The computer is thinking …"));
    const move = `${this.#mark} ${square}`;
    if (!facts.moves.some((candidate) => candidate.move === move)) return announce(t("{square} is already taken.", { square }));
    this.#make(move);
    this.#answer();
  }

  /** @param {string} move */
  #make(move) {
    this.#game.moves.push(move);
    this.#draw();
    const news = `${spokenMove(move)}. ${this.#headline}`;
    const { outcome, to_move } = this.#facts;
    if (outcome) alertUser(news);
    else announce(news);
    if (outcome === this.#me) celebrate(byId("board", HTMLElement));
    play(outcome === null ? (to_move === this.#me ? "theirs" : "mine") : outcome === "draw" ? "draw" : outcome === this.#me ? "win" : "loss");
  }

  /** Lets the computer move, if it is its turn. */
  #answer() {
    const facts = this.#facts;
    if (facts.outcome || facts.to_move === this.#me) return;
    const turn = ++this.#turn;
    setTimeout(() => {
      if (turn === this.#turn) this.#make(chooseMove(facts.moves, this.solved.level(this.#game.level)));
    }, THINKING_PAUSE);
  }

  #undo() {
    const { moves } = this.#game;
    const n_before = this.#me === "first" ? 0 : 1;
    if (moves.length <= n_before) return;
    this.#turn++;
    moves.pop();
    if (moves.length % 2 !== n_before) moves.pop();
    this.#draw();
    announce(`${t("Taken back.")} ${this.#headline}`);
  }

  #toggleValues() {
    this.#showsValues = !this.#showsValues;
    byId("values", HTMLElement).setAttribute("aria-pressed", String(this.#showsValues));
    this.#draw();
  }

  #draw() {
    const facts = this.#facts;
    const { moves } = this.#game;
    const isMyTurn = facts.to_move === this.#me;
    const withMark = facts.moves.filter(({ move }) => move[0] === this.#mark);
    byId("board", HTMLElement).dataset.line = this.#rules.variant.line;
    this.board.show({
      cells: cellsAfter(this.#rules, moves),
      last: moves.length > 0 ? squareOf(moves[moves.length - 1]) : null,
      lines: facts.lines,
      labels: this.#showsValues && isMyTurn ? new Map(withMark.map((candidate) => [squareOf(candidate.move), valueLabel(candidate)])) : null,
      playable: isMyTurn,
      ghost: this.#mark,
    });
    byId("legend", HTMLElement).hidden = !this.#showsValues || !isMyTurn;
    byId("status", HTMLElement).textContent = soloStatus(facts, this.#me);
    byId("headline", HTMLElement).dataset.mood = facts.outcome === null ? (isMyTurn ? "turn" : "") : facts.outcome === "draw" ? "draw" : facts.outcome === this.#me ? "win" : "loss";
    byId("why", HTMLElement).textContent = soloDetail(this.#rules, facts, this.#me);
    byId("rules-in-words", HTMLElement).textContent = `${summaryOf(this.#rules)}.`;
    byId("marks", HTMLElement).hidden = !hasMarkChoice(this.#rules);
    byId("undo", HTMLElement).setAttribute("aria-disabled", String(moves.length <= (this.#me === "first" ? 0 : 1)));
    byId("again", HTMLElement).hidden = facts.outcome === null;
    const analyse = byId("analyse", HTMLAnchorElement);
    analyse.hidden = moves.length === 0;
    analyse.href = localPath(`/r#${toLink(this.#rules, moves)}`);
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(this.#game));
    } catch {
      // Without storage, the game does not survive a reload.
    }
  }
}

/** @returns {SavedGame} */
function loadGame() {
  /** @type {SavedGame} */
  const fresh = { rules: "3,3,3", level: "club", begins: "me", moves: [] };
  try {
    const saved = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null");
    return saved && Array.isArray(saved.moves) && Solved.covers(rulesOf(saved)) ? saved : fresh;
  } catch {
    return fresh;
  }
}

/** @param {SavedGame} game @returns {Rules} */
function rulesOf(game) {
  const rules = parseRules(game.rules);
  if (!rules) throw new Error(`unknown rules: ${game.rules}`);
  return rules;
}

/**
 * Chooses a move like the library's level: it overlooks random squares, and does not see an end that is too far away.
 * @param {readonly MoveFacts[]} moves @param {{ plies: number, overlooks: number }} level
 */
export function chooseMove(moves, level) {
  const noticed = moves.filter(() => Math.random() * 100 >= level.overlooks);
  const candidates = noticed.length > 0 ? noticed : moves;
  const score = (/** @type {MoveFacts} */ { value, distance }) => {
    if (value === "draw" || value === null || (distance ?? 0) > level.plies) return 0;
    // A quick win is best, a quick loss is worst.
    return (value === "win" ? 1 : -1) * (1000 - (distance ?? 500));
  };
  const top = Math.max(...candidates.map(score));
  const best = candidates.filter((candidate) => score(candidate) === top);
  return best[Math.floor(Math.random() * best.length)].move;
}
