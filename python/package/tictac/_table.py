"""All positions of small rules as arrays."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ._oracle import as_rules
from ._tictac import Position, Rules, table_arrays


@dataclass(frozen=True, eq=False)
class Table:
    """All positions that play reaches when X opens, in the order of the number of marks; row 0 is the start.

    >>> import tictac
    >>> positions = tictac.table("3,3,3")
    >>> len(positions), int(positions.over.sum()), positions.position(1)
    (5478, 958, Position('X../.../... O'))
    """

    rules: Rules
    boards: npt.NDArray[np.uint64]
    """The squares of X and those of O, shape (n, 2)."""
    value: npt.NDArray[np.int8]
    """The value for the player to move: 1 win, 0 draw, -1 loss."""
    distance: npt.NDArray[np.int8]
    """The number of plies to the end, or -1 for a draw."""
    best: npt.NDArray[np.bool_]
    """Which actions are best, shape (n, n_actions)."""
    over: npt.NDArray[np.bool_]
    """Whether the game is over."""
    child: npt.NDArray[np.int32]
    """The row after each action, or -1 if the action is illegal, shape (n, n_actions)."""

    def __len__(self) -> int:
        return len(self.value)

    @cached_property
    def legal(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, shape (n, n_actions)."""
        return self.child >= 0

    @cached_property
    def ply(self) -> npt.NDArray[np.int8]:
        """The number of marks."""
        marks = self.boards[:, 0] | self.boards[:, 1]
        bits = np.unpackbits(marks.view(np.uint8).reshape(-1, 8), axis=1)
        return np.asarray(bits.sum(axis=1), dtype=np.int8)

    @cached_property
    def layers(self) -> list[slice]:
        """The rows with 0, 1, 2 … marks."""
        bounds = np.searchsorted(self.ply, np.arange(self.ply[-1] + 2))
        return [slice(int(first), int(last)) for first, last in zip(bounds[:-1], bounds[1:], strict=True)]

    def position(self, row: int) -> Position:
        """Return the position of a row."""
        x, o = self.boards[row].tolist()
        return Position.from_bits(x, o, self.rules)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a Parquet file; needs pyarrow. Masks of actions become numbers with bit i for action i."""
        try:
            import pyarrow as pa  # type: ignore[import-untyped,import-not-found,unused-ignore]
            import pyarrow.parquet as pq  # type: ignore[import-untyped,import-not-found,unused-ignore]
        except ImportError as error:
            raise ImportError("to_parquet needs pyarrow: pip install pyarrow") from error
        weights = np.uint32(1) << np.arange(self.best.shape[1], dtype=np.uint32)
        columns = {
            "x": self.boards[:, 0],
            "o": self.boards[:, 1],
            "ply": self.ply,
            "value": self.value,
            "distance": self.distance,
            "over": self.over,
            "best": np.where(self.best, weights, 0).sum(axis=1, dtype=np.uint32),
            "legal": np.where(self.legal, weights, 0).sum(axis=1, dtype=np.uint32),
        }
        written = pa.table(columns).replace_schema_metadata({"rules": str(self.rules)})
        pq.write_table(written, os.fspath(path))


_tables: dict[Rules, Table] = {}
_MAX_KEPT_ROWS = 1_000_000


def table(rules: Rules | str = "3,3,3") -> Table:
    """Return all positions of rules with one board of up to 16 squares (12 in wild games), with their values.

    3,3,3 takes milliseconds, 4,3,3 a tenth of a second, 4,4,3 (six million positions) seconds and a gigabyte.
    """
    rules = as_rules(rules)
    if rules in _tables:
        return _tables[rules]
    found = Table(rules, *table_arrays(rules))
    for array in (found.boards, found.value, found.distance, found.best, found.over, found.child):
        array.flags.writeable = False
    if len(found) <= _MAX_KEPT_ROWS:
        _tables[rules] = found
    return found
