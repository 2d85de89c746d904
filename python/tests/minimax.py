"""A plain minimax in Python, which shares nothing with the package: the other opinion in the tests."""

from __future__ import annotations

from functools import cache


class PlainGame:
    """The rules of m,n,k in the plainest code, by bits of X and O; X opens."""

    def __init__(self, rows: int, columns: int, k: int, *, misere: bool = False, marks: str = "own") -> None:
        self.n = rows * columns
        self.misere = misere
        self.marks = marks
        self.lines = []
        for row in range(rows):
            for column in range(columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(row + i * down, column + i * right) for i in range(k)]
                    if all(0 <= r < rows and 0 <= c < columns for r, c in cells):
                        self.lines.append(sum(1 << (r * columns + c) for r, c in cells))
        self.solve = cache(self._solve)

    def has_line(self, x: int, o: int) -> bool:
        return any(line & x == line or line & o == line for line in self.lines)

    def children(self, x: int, o: int) -> list[tuple[int, int, int]]:
        """Return (action, x, o) for every legal move."""
        if self.has_line(x, o):
            return []
        free = [square for square in range(self.n) if not (x | o) >> square & 1]
        if self.marks == "wild":
            moves = [(square, x | 1 << square, o) for square in free]
            return moves + [(self.n + square, x, o | 1 << square) for square in free]
        if self.marks == "own" and (x | o).bit_count() % 2:
            return [(square, x, o | 1 << square) for square in free]
        return [(square, x | 1 << square, o) for square in free]

    def _solve(self, x: int, o: int) -> tuple[int, int, frozenset[int]]:
        """Return the value for the player to move, the distance (-1 for a draw) and the best actions."""
        if self.has_line(x, o):
            return (1 if self.misere else -1), 0, frozenset()
        answers = []
        for action, child_x, child_o in self.children(x, o):
            value, distance, _ = self.solve(child_x, child_o)
            answers.append((-value, distance + 1 if value else -1, action))
        if not answers:
            return 0, -1, frozenset()
        rank = [(value, -distance if value > 0 else distance if value < 0 else 0) for value, distance, _ in answers]
        best = max(rank)
        chosen = [answer for answer, found in zip(answers, rank, strict=True) if found == best]
        return chosen[0][0], chosen[0][1], frozenset(action for _, _, action in chosen)

    def positions(self) -> list[tuple[int, int]]:
        """Return all reachable positions."""
        seen = {(0, 0)}
        todo = [(0, 0)]
        while todo:
            for _, x, o in self.children(*todo.pop()):
                if (x, o) not in seen:
                    seen.add((x, o))
                    todo.append((x, o))
        return sorted(seen)


PLAIN_GAMES = {
    "3,3,3": PlainGame(3, 3, 3),
    "3,3,3 misere": PlainGame(3, 3, 3, misere=True),
    "3,3,3 wild": PlainGame(3, 3, 3, marks="wild"),
    "3,3,3 wild misere": PlainGame(3, 3, 3, marks="wild", misere=True),
    "notakto": PlainGame(3, 3, 3, marks="x-only", misere=True),
    "4,3,3": PlainGame(4, 3, 3),
}
