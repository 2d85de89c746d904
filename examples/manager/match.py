"""Let `tictac engine ugi` play a match under python-chess, a tournament manager's library for UCI engines.

    pip install chess
    python3 match.py --games 20 "tictac engine --level perfect ugi" "tictac engine --level club ugi"
    python3 match.py --games 20 "tictac engine ugi" fairy-stockfish

python-chess starts the engines, keeps the protocol and the clocks; this script only knows the rules. Engines take turns to go
first. The exit status is 1 if an engine breaks the protocol or plays an illegal move.
"""

import argparse
import asyncio
import os
import shlex
import sys
import tempfile
import time

import chess.engine

SQUARES = [column + row for column in "abc" for row in "123"]
LINES = [["a1", "b2", "c3"], ["a3", "b2", "c1"]]
LINES += [[column + row for row in "123"] for column in "abc"]
LINES += [[column + row for column in "abc"] for row in "123"]

# Fairy-Stockfish reads the rules of tic-tac-toe from a file.
VARIANT = """[tictactoe]
maxRank = 3
maxFile = 3
immobile = p
startFen = 3/3/3[PPPPPpppp] w - - 0 1
pieceDrops = true
doubleStep = false
castling = false
stalemateValue = draw
immobilityIllegal = false
connectN = 3
"""


class Drop:
    """A move, as an engine writes it: `b2`, or `P@b2` for Fairy-Stockfish."""

    def __init__(self, square, prefix=""):
        self.square, self.prefix = square, prefix

    def uci(self):
        return self.prefix + self.square


class Board:
    """The part of a chess board that python-chess asks for."""

    uci_variant = "chess"
    chess960 = False
    prefix = ""
    start = chess.STARTING_FEN

    def __init__(self, squares=()):
        self.move_stack = [Drop(square, self.prefix) for square in squares]

    @property
    def turn(self):
        return chess.WHITE if len(self.move_stack) % 2 == 0 else chess.BLACK

    def squares(self):
        return [move.square for move in self.move_stack]

    def copy(self, stack=True):
        return type(self)(self.squares())

    def root(self):
        return type(self)()

    def fen(self, **_):
        return self.start

    def parse_uci(self, text):
        square = text.lower().removeprefix(self.prefix.lower())
        if square not in SQUARES or square in self.squares():
            raise ValueError(f"illegal move {text} after {self.squares()}")
        return Drop(square, self.prefix)

    def push_uci(self, text):
        self.move_stack.append(self.parse_uci(text))
        return self.move_stack[-1]

    def pop(self):
        return self.move_stack.pop()


class FairyBoard(Board):
    """The same for Fairy-Stockfish, with pieces in hand."""

    uci_variant = "tictactoe"
    prefix = "P@"
    start = "3/3/3[PPPPPpppp] w - - 0 1"


def winner(squares):
    """Returns 0 or 1 for the player with a line, or None."""
    for player in (0, 1):
        if any(set(line) <= set(squares[player::2]) for line in LINES):
            return player
    return None


class Entrant:
    """An engine in the match."""

    def __init__(self, command, engine, board):
        self.name, self.engine, self.board = command, engine, board
        self.slowest = 0.0

    @classmethod
    async def start(cls, command, folder):
        _, engine = await chess.engine.popen_uci(shlex.split(command))
        if "VariantPath" in engine.options:
            path = os.path.join(folder, "tictactoe.ini")
            with open(path, "w", encoding="utf-8") as file:
                file.write(VARIANT)
            await engine.configure({"VariantPath": path})
            engine.options["UCI_Variant"].var.append("tictactoe")
            return cls(command, engine, FairyBoard)
        await engine.configure({"Letters": "column"})
        return cls(command, engine, Board)

    async def move(self, squares, game, clocks):
        limit = chess.engine.Limit(white_clock=clocks[0], black_clock=clocks[1], white_inc=0.1, black_inc=0.1)
        start = time.perf_counter()
        played = await self.engine.play(self.board(squares), limit, game=game)
        taken = time.perf_counter() - start
        self.slowest = max(self.slowest, taken)
        return played.move.square, taken

    async def ponder(self, squares):
        """Starts an infinite search on a position that the next game replaces, and stops it."""
        with await self.engine.analysis(self.board(squares)) as analysis:
            await asyncio.sleep(0.01)
            analysis.stop()
            await analysis.wait()


async def play_game(players, game, seconds):
    squares, clocks = [], [seconds, seconds]
    while winner(squares) is None and len(squares) < 9:
        side = len(squares) % 2
        square, taken = await players[side].move(squares, game, clocks)
        clocks[side] += 0.1 - taken
        if clocks[side] < 0:
            raise chess.engine.EngineError(f"{players[side].name} lost on time")
        squares.append(square)
    return winner(squares), squares


async def play_match(commands, n_games, seconds):
    with tempfile.TemporaryDirectory() as folder:
        entrants = [await Entrant.start(command, folder) for command in commands]
        results = [0, 0, 0]
        for game in range(n_games):
            first = game % 2
            players = [entrants[first], entrants[1 - first]]
            won, squares = await play_game(players, game, seconds)
            results[1 if won is None else 2 * (won ^ first)] += 1
            for entrant in entrants:
                await entrant.ponder(squares[:1])
        for entrant in entrants:
            print(f"{entrant.name}: slowest move {entrant.slowest * 1000:.0f} ms")
            await entrant.engine.quit()
        print(f"{commands[0]}: {results[0]} won, {results[1]} drawn, {results[2]} lost against {commands[1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", nargs=2, help="the command that starts an engine")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=10, help="each player's time for a game")
    arguments = parser.parse_args()
    try:
        asyncio.run(play_match(arguments.engine, arguments.games, arguments.seconds))
    except chess.engine.EngineError as error:
        sys.exit(f"match.py: {error}")


if __name__ == "__main__":
    main()
