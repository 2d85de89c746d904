// @ts-check
// Who knows about a position: the table on 3×3 (also offline), else the server.

import { toRecord } from "./notation.js";
import { Solved } from "./solved.js";

/** @typedef {import("./notation.js").Shape} Shape */
/** @typedef {import("./solved.js").Facts} Facts */

/** A game with a move that the rules forbid. */
export class IllegalGame extends Error {
  /** @param {string} message @param {number} legal how many moves come before it */
  constructor(message, legal) {
    super(message);
    this.legal = legal;
  }
}

/** @type {Map<string, Promise<Facts[]>>} */
const asked = new Map();

/**
 * Facts about every position of a game, the start included; rejects where nobody can be asked or a move is illegal.
 * @param {Shape} shape @param {readonly string[]} moves @returns {Promise<Facts[]>}
 */
export function factsOf(shape, moves) {
  const key = `${shape.rules}/${moves.join("-")}`;
  let answer = asked.get(key);
  if (!answer) {
    answer = Solved.covers(shape) ? fromTable(shape, moves) : fromServer(shape, moves);
    asked.set(key, answer);
    answer.catch(() => asked.delete(key));
  }
  return answer;
}

/** A line of best play after some moves, where one is known. @param {Shape} shape @param {readonly string[]} moves @returns {Promise<string[]>} */
export async function bestLineAfter(shape, moves) {
  if (Solved.covers(shape)) return (await Solved.load()).bestLine(shape, moves);
  const answer = await ask(shape, moves);
  return answer.line ?? [];
}

/** @param {Shape} shape @param {readonly string[]} moves */
async function fromTable(shape, moves) {
  const solved = await Solved.load();
  const facts = [solved.facts(shape, [])];
  for (let ply = 1; ply <= moves.length; ply++) {
    const isLegal = facts[ply - 1].moves.some(({ move }) => move === moves[ply - 1]);
    // A record may open with O: the start knows only of X.
    const opensWithO = ply === 1 && shape.marks === "own" && moves[0].startsWith("O");
    if (!isLegal && !opensWithO) throw notLegal(moves, ply - 1);
    facts.push(solved.facts(shape, moves.slice(0, ply)));
  }
  return facts;
}

/** @param {Shape} shape @param {readonly string[]} moves */
async function fromServer(shape, moves) {
  const answer = await ask(shape, moves);
  return answer.plies;
}

/** @param {Shape} shape @param {readonly string[]} moves @returns {Promise<{ plies: Facts[], line?: string[] }>} */
async function ask(shape, moves) {
  const answer = await fetch("/api/v1/judge", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rules: shape.rules, moves }),
  });
  const body = await answer.json();
  if (answer.status === 422) throw notLegal(moves, await legalOf(shape, moves));
  if (!answer.ok) throw new Error(body.message ?? "the server could not answer");
  return body;
}

/** @param {readonly string[]} moves @param {number} legal */
const notLegal = (moves, legal) => new IllegalGame(`move ${legal + 1}, ${moves[legal]}, is not legal here`, legal);

/** How many moves of a bad game come before the first that is not legal. @param {Shape} shape @param {readonly string[]} moves @returns {Promise<number>} */
async function legalOf(shape, moves) {
  const answer = await fetch("/api/v1/check", {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: toRecord(shape.rules, moves),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message ?? "the server could not answer");
  // A game whose first move is wrong may be no game at all.
  return Math.min(body.games[0]?.moves.length ?? 0, moves.length - 1);
}
