"""The oracle for many boards at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._tictac import Rules, look_up


def as_rules(rules: Rules | str) -> Rules:
    """Return rules given as an object or as text."""
    return rules if isinstance(rules, Rules) else Rules(rules)


def as_bits(boards: npt.ArrayLike, rules: Rules) -> tuple[npt.NDArray[np.uint64], tuple[int, ...]]:
    """Return boards as pairs of bit sets, and the shape of the batch.

    The last axis of `uint64` boards holds the squares of X and those of O; where both players write X it may also hold
    just one. Other dtypes are planes of 0 and 1: the last axes are (2 marks, rows, columns), or (1, rows, columns).
    """
    array = np.asarray(boards)
    marks = (1, 2) if rules.n_marks == 1 else (2,)
    if rules.boards > 1:
        raise ValueError(f"rules: {rules} has several boards; batches take one")
    if array.dtype == np.uint64:
        if array.ndim < 1 or array.shape[-1] not in marks:
            raise ValueError(
                f"boards must have the shape (..., 2) for uint64, the squares of X and of O, not {array.shape}"
            )
        batch = array.shape[:-1]
        bits = array.reshape(-1, array.shape[-1])
    elif array.dtype.kind in "biuf":
        size = (rules.rows, rules.columns)
        if array.ndim < 3 or array.shape[-2:] != size or array.shape[-3] not in marks:
            raise ValueError(
                f"boards must be uint64 of the shape (..., 2), or planes of the shape (..., 2, {size[0]}, {size[1]}), "
                f"not {array.dtype} of the shape {array.shape}"
            )
        batch = array.shape[:-3]
        if not np.isin(array, (0, 1)).all():
            wrong = array[~np.isin(array, (0, 1))].flat[0]
            raise ValueError(f"boards: planes hold 1 for a mark and 0 for none, not {wrong}")
        planes = array.reshape(-1, array.shape[-3], rules.n_squares) != 0
        weights = np.uint64(1) << np.arange(rules.n_squares, dtype=np.uint64)
        bits = np.where(planes, weights, np.uint64(0)).sum(axis=-1, dtype=np.uint64)
    else:
        raise TypeError(f"boards must be an array of uint64 or planes of numbers, not of {array.dtype}")
    if bits.shape[-1] == 1:
        bits = np.concatenate([bits, np.zeros_like(bits)], axis=-1)
    return np.ascontiguousarray(bits), batch


def _look_up(boards: npt.ArrayLike, rules: Rules | str, what: str, threads: int) -> npt.NDArray[Any]:
    if threads < 0:
        raise ValueError(f"threads must be 0 (all cores) or more, not {threads}")
    rules = as_rules(rules)
    bits, batch = as_bits(boards, rules)
    found: npt.NDArray[Any] = look_up(bits, rules, what, threads)
    return found.reshape(batch + found.shape[1:])


def values(boards: npt.ArrayLike, rules: Rules | str = "3,3,3", *, threads: int = 1) -> npt.NDArray[np.int8]:
    """Return the value of each board for the player to move: 1 win, 0 draw, -1 loss. X moved first.

    Boards are `uint64` pairs (the squares of X, those of O, square i in bit i) or planes of 0 and 1 with the last axes
    (2, rows, columns). The interpreter lock is released; `threads=0` uses all cores.

    >>> import numpy as np
    >>> import tictac
    >>> tictac.values(np.array([[0, 0], [0b011, 0b11000]], dtype=np.uint64))
    array([0, 1], dtype=int8)
    """
    return _look_up(boards, rules, "values", threads)


def distances(boards: npt.ArrayLike, rules: Rules | str = "3,3,3", *, threads: int = 1) -> npt.NDArray[np.int8]:
    """Return the number of plies to the end of each board with best play, or -1 for a draw; see `values`."""
    return _look_up(boards, rules, "distances", threads)


def optimal_mask(boards: npt.ArrayLike, rules: Rules | str = "3,3,3", *, threads: int = 1) -> npt.NDArray[np.bool_]:
    """Return which actions are best in each board: quickest wins, else draws, else slowest losses; see `values`.

    >>> import numpy as np
    >>> import tictac
    >>> board = np.array([0b011, 0b11000], dtype=np.uint64)  # XX./OO./... X
    >>> np.flatnonzero(tictac.optimal_mask(board))
    array([2])
    """
    return _look_up(boards, rules, "best", threads)


def legal_mask(boards: npt.ArrayLike, rules: Rules | str = "3,3,3", *, threads: int = 1) -> npt.NDArray[np.bool_]:
    """Return which actions are legal in each board; see `values`."""
    return _look_up(boards, rules, "legal", threads)
