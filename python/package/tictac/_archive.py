"""Archives of records."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._oracle import as_rules
from ._tictac import Rules, check_archive

ENDINGS = ("x_won", "o_won", "drawn", "unfinished", "bad")


class Fault(NamedTuple):
    """An error in an archive, with its place; lines and columns count from 1."""

    file: str
    game: int
    line: int
    column: int
    code: str
    message: str
    help: str | None


@dataclass(frozen=True, eq=False)
class CheckedGames:
    """The games of an archive in order, one element per game, and the errors in them."""

    ending: npt.NDArray[np.uint8]
    """The ending of each game, as a place in `endings`."""
    moves: npt.NDArray[np.uint32]
    """The number of legal moves before the first error."""
    line: npt.NDArray[np.uint64]
    """The line in which each game starts."""
    faults: list[Fault]
    totals: dict[str, int]
    """The number of games, of each ending and of moves."""
    endings = ENDINGS

    def __len__(self) -> int:
        return len(self.ending)


def check(source: str | os.PathLike[str] | bytes, rules: Rules | str = "3,3,3", *, threads: int = 1) -> CheckedGames:
    r"""Check the games of a text (`bytes`), or of a file or folder (a path); compressed files are read too.

    >>> import tictac
    >>> games = tictac.check(b"1 X B2\n2 O B2\n")
    >>> games.totals["bad"], games.faults[0].line, games.faults[0].message
    (1, 2, 'B2 is already taken (X played it at move 1)')
    """
    if not isinstance(source, bytes | str | os.PathLike):
        raise TypeError(f"source must be bytes or a path, not {type(source).__name__}")
    if threads < 1:
        raise ValueError(f"threads must be 1 or more, not {threads}")
    if not isinstance(source, bytes):
        source = os.fspath(source)
        if source == "-" or not os.path.exists(source):
            raise FileNotFoundError(f"source: no such file: {source}")
    ending, moves, line, faults, totals = check_archive(source, as_rules(rules), threads)
    return CheckedGames(ending, moves, line, [Fault(*fault) for fault in faults], totals)
