// The same closed loop for every peer: the next move goes out when the opponent has seen the last one.
'use strict';

const { spawn } = require('node:child_process');
const { once } = require('node:events');

/** Starts `file server PORT` and waits for its first line. */
async function startServer(file, port) {
  const child = spawn(process.execPath, [file, 'server', String(port)], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return child;
}

/**
 * Plays `games` at once for `seconds`; `open(number)` gives a table with `move(n)`, a promise that is kept when the opponent
 * has seen move number n, and `moves()`, how many moves the server says were made.
 */
async function drive(name, file, port, games, seconds, open) {
  let server = await startServer(file, port);
  const tables = [];
  for (let number = 0; number < games; number += 1) tables.push(await open(number, port));
  const times = [];
  const start = performance.now();
  const end = start + (seconds + 1) * 1000;
  await Promise.all(
    tables.map(async (table) => {
      for (let n = 0; performance.now() < end; n += 1) {
        const sent = performance.now();
        await table.move(n);
        // The first second warms up.
        if (sent > start + 1000) times.push(performance.now() - sent);
      }
    }),
  );
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))].toFixed(1);
  server.kill('SIGKILL');
  await once(server, 'exit');
  server = await startServer(file, port);
  const survived = await tables[0].survived(port);
  server.kill('SIGKILL');
  const rate = Math.round(times.length / seconds);
  process.stdout.write(`| ${name} | ${games} | ${rate} | ${at(0.5)} | ${at(0.99)} | ${survived ? 'kept' : 'all lost'} |\n`);
  process.exit(0);
}

module.exports = { drive };
