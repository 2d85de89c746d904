// boardgame.io in its default configuration: games in memory.
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
    // Subscribe once and never again: boardgame.io numbers subscribers by their count, so a new one may replace another.
    const waiting = { n: Infinity, resolve: null };
    const made = () => client.getState()?.G.made ?? -1;
    const look = () => {
      if (made() < waiting.n) return;
      waiting.n = Infinity;
      waiting.resolve();
    };
    client.subscribe(look);
    const reaches = (n) =>
      new Promise((resolve) => {
        Object.assign(waiting, { n, resolve });
        look();
      });
    return { client, made, reaches };
  };
  const players = [connect('0'), connect('1')];
  await Promise.all(players.map((player) => player.reaches(0)));
  return {
    move: async (n) => {
      const seen = players[(n + 1) % 2].reaches(n + 1);
      players[n % 2].client.moves.mark(MOVES[n % 9]);
      await seen;
    },
    survived: async () => {
      players.forEach((player) => player.client.stop());
      const again = connect('0');
      await again.reaches(0);
      return again.made() > 0;
    },
  };
}

if (process.argv[2] === 'server') serve(Number(process.argv[3]));
else require('./load.cjs').drive('boardgame.io 0.50.2', __filename, 9471, open);
