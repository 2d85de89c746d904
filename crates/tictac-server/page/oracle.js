// @ts-check
// Facts about positions: from the table on 3×3, which also works offline, or else from the server.

import { isSwapped, toRecord } from "./notation.js";
import { Solved } from "./solved.js";
import { t } from "./text.js";

/** @typedef {import("./notation.js").Rules} Rules */
/** @typedef {import("./solved.js").Facts} Facts */

/** The error about a game that contains an illegal move. */
export class IllegalGame extends Error {
  /** @param {string} message @param {number} legal how many moves are legal before it */
  constructor(message, legal) {
    super(message);
    this.legal = legal;
  }
}

/** @type {Map<string, Promise<Facts[]>>} */
const cache = new Map();

/**
 * Returns the facts about every position of a game, including the start. Fails if a move is illegal or the server cannot answer.
 * @param {Rules} rules @param {readonly string[]} moves @returns {Promise<Facts[]>}
 */
export function factsOf(rules, moves) {
  const key = `${rules.rules}/${moves.join("-")}`;
  let answer = cache.get(key);
  if (!answer) {
    answer = Solved.covers(rules) ? fromTable(rules, moves) : fromServer(rules, moves);
    cache.set(key, answer);
    answer.catch(() => cache.delete(key));
  }
  return answer;
}

/** Returns a line of best play after some moves; empty if none is known. @param {Rules} rules @param {readonly string[]} moves @returns {Promise<string[]>} */
export async function bestLineAfter(rules, moves) {
  if (Solved.covers(rules)) return (await Solved.load()).bestLine(rules, moves);
  const answer = await ask(rules, moves);
  return answer.line ?? [];
}

/** @param {Rules} rules @param {readonly string[]} moves */
async function fromTable(rules, moves) {
  const solved = await Solved.load();
  const facts = [solved.facts(rules, [])];
  for (let ply = 1; ply <= moves.length; ply++) {
    const isLegal = facts[ply - 1].moves.some(({ move }) => move === moves[ply - 1]);
    // The moves at the start are those of X, but O may open.
    if (!isLegal && !(ply === 1 && isSwapped(rules, moves))) throw notLegal(moves, ply - 1);
    facts.push(solved.facts(rules, moves.slice(0, ply)));
  }
  return facts;
}

/** @param {Rules} rules @param {readonly string[]} moves */
async function fromServer(rules, moves) {
  const answer = await ask(rules, moves);
  return answer.plies;
}

/** @param {Rules} rules @param {readonly string[]} moves @returns {Promise<{ plies: Facts[], line?: string[] }>} */
async function ask(rules, moves) {
  const response = await fetch("/api/v1/judge", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rules: rules.rules, moves }),
  });
  const body = await response.json();
  if (response.status === 422) throw notLegal(moves, await legalOf(rules, moves));
  if (!response.ok) throw new Error(body.message ?? t("the server could not answer"));
  return body;
}

/** @param {readonly string[]} moves @param {number} legal */
const notLegal = (moves, legal) => new IllegalGame(t("Move {number}, {move}, is illegal.", { number: legal + 1, move: moves[legal] }), legal);

/** Returns how many moves come before the first illegal one. @param {Rules} rules @param {readonly string[]} moves @returns {Promise<number>} */
async function legalOf(rules, moves) {
  const response = await fetch("/api/v1/check", {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: toRecord(rules, moves),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.message ?? t("the server could not answer"));
  // If even the first move is illegal, there may be no game in the response.
  return Math.min(body.games[0]?.moves.length ?? 0, moves.length - 1);
}
