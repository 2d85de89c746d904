// The load loops for every peer. Closed: the next move is sent when the opponent has seen the last one. Open: moves are due at fixed
// times, and a late start counts as latency.
'use strict';

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { readFileSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');

const WARM_UP = 2000;
const MEASURED = 8000;

/** Starts `file server PORT` and waits for its first line. */
async function startServer(file, port) {
  const child = spawn(process.execPath, [file, 'server', String(port)], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return child;
}

/** Returns the CPU time of a process in milliseconds. */
function processorTime(child) {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(')').pop().trim().split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Plays one table until `end`, adds the latencies to `times`, and returns the number of moves. A closed loop has no `interval`. */
async function play(table, start, phase, interval, times) {
  const end = start + WARM_UP + MEASURED;
  let n = 0;
  for (let due = start + phase; due < end; n += 1) {
    if (due > performance.now()) await sleep(Math.ceil(due - performance.now()));
    const from = interval === null ? performance.now() : due;
    await table.move(n);
    if (from >= start + WARM_UP && performance.now() < end) times.push(performance.now() - from);
    due = interval === null ? performance.now() : due + interval;
  }
  return n;
}

/**
 * Measures one row: `node FILE GAMES [MOVES_PER_SECOND]`. `open(number, port)` returns a table with `move(n)`, a promise that resolves
 * when the opponent has seen move n. `survived(port)` returns whether the game still exists after the server was killed and restarted.
 */
async function drive(name, file, port, open) {
  const games = Number(process.argv[2] ?? 100);
  const rate = process.argv[3] === undefined ? null : Number(process.argv[3]);
  let server = await startServer(file, port);
  const tables = [];
  for (let number = 0; number < games; number += 1) tables.push(await open(number, port));
  const interval = rate === null ? null : (1000 * games) / rate;
  const times = [];
  const start = performance.now();
  const played = await Promise.all(
    tables.map((table, number) => play(table, start, ((interval ?? 0) * number) / games, interval, times)),
  );
  const micros = (1000 * processorTime(server)) / played.reduce((sum, n) => sum + n, 0);
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))]?.toFixed(1) ?? '–';
  server.kill('SIGKILL');
  await once(server, 'exit');
  server = await startServer(file, port);
  const left = (await tables[0].survived(port)) ? 'kept' : 'all lost';
  server.kill('SIGKILL');
  const loop = rate === null ? 'closed' : `open, ${rate}/s`;
  const perSecond = Math.round((1000 * times.length) / MEASURED);
  const columns = [name, games, loop, perSecond, at(0.5), at(0.99), at(0.999), Math.round(micros), left];
  process.stdout.write(`| ${columns.join(' | ')} |\n`);
  process.exit(0);
}

module.exports = { drive };
