// boardgame.io as it comes: games in memory.
'use strict';

const { after, MOVES, EMPTY } = require('./board.cjs');

const TicTacToe = {
  name: 'tic-tac-toe',
  setup: () => ({ cells: EMPTY, made: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      const cells = after(G.cells, cell, playerID);
      return cells === null ? 'INVALID_MOVE' : { cells, made: G.made + 1 };
    },
  },
};

function serve(port) {
  const { Server } = require('boardgame.io/server');
  const server = Server({ games: [TicTacToe], origins: [/.*/] });
  server.run({ port, callback: () => console.log('ready') });
}

async function open(number, port) {
  const { Client } = require('boardgame.io/client');
  const { SocketIO } = require('boardgame.io/multiplayer');
  const connect = (playerID, matchID = `match-${number}`) => {
    const multiplayer = SocketIO({ server: `http://127.0.0.1:${port}` });
    const client = Client({ game: TicTacToe, numPlayers: 2, multiplayer, matchID, playerID, debug: false });
    client.start();
    return client;
  };
  const made = (client) => client.getState()?.G.made ?? -1;
  const reaches = (client, n) =>
    new Promise((resolve) => {
      const stop = client.subscribe(() => {
        if (made(client) >= n) {
          setImmediate(() => stop());
          resolve();
        }
      });
    });
  const players = [connect('0'), connect('1')];
  await Promise.all(players.map((player) => reaches(player, 0)));
  return {
    move: async (n) => {
      const seen = reaches(players[(n + 1) % 2], n + 1);
      players[n % 2].moves.mark(MOVES[n % 9]);
      await seen;
    },
    survived: async () => {
      players.forEach((player) => player.stop());
      const again = connect('0');
      await reaches(again, 0);
      return made(again) > 0;
    },
  };
}

if (process.argv[2] === 'server') serve(Number(process.argv[3]));
else require('./load.cjs').drive('boardgame.io 0.50.2', __filename, 9471, Number(process.argv[2] ?? 100), 8, open);
