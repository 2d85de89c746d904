// Colyseus in its default configuration: rooms in memory.
'use strict';

const { after, MOVES, EMPTY } = require('./board.cjs');

async function serve(port) {
  const { Room, Server } = require('@colyseus/core');
  const { WebSocketTransport } = require('@colyseus/ws-transport');
  class TicTacToe extends Room {
    onCreate() {
      this.maxClients = 2;
      this.cells = EMPTY;
      this.made = 0;
      this.onMessage('mark', (client, cell) => {
        const cells = after(this.cells, cell, this.made % 2);
        if (cells === null || client.sessionId !== this.clients[this.made % 2].sessionId) return;
        this.cells = cells;
        this.made += 1;
        this.broadcast('marked', this.made);
      });
    }
  }
  const server = new Server({ greet: false, transport: new WebSocketTransport() });
  server.define('tic-tac-toe', TicTacToe);
  await server.listen(port);
  console.log('ready');
}

async function open(_number, port) {
  // The client logs every attempt to reconnect after the server is killed.
  console.info = console.log = console.warn = () => {};
  const { Client } = require('@colyseus/sdk');
  const first = await new Client(`ws://127.0.0.1:${port}`).create('tic-tac-toe');
  const second = await new Client(`ws://127.0.0.1:${port}`).joinById(first.roomId);
  const seen = [0, 0];
  const waiting = [null, null];
  [first, second].forEach((room, player) => {
    room.onMessage('marked', (made) => {
      seen[player] = made;
      waiting[player]?.(made);
    });
    room.onError(() => {});
  });
  return {
    move: async (n) => {
      const other = (n + 1) % 2;
      const told = new Promise((resolve) => {
        waiting[other] = (made) => made > n && resolve();
      });
      [first, second][n % 2].send('mark', MOVES[n % 9]);
      await told;
    },
    survived: async (again) =>
      new Client(`ws://127.0.0.1:${again}`).joinById(first.roomId).then(
        () => true,
        () => false,
      ),
  };
}

if (process.argv[2] === 'server') serve(Number(process.argv[3]));
else require('./load.cjs').drive('Colyseus 0.18.16', __filename, 9472, open);
