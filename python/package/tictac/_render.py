"""Boards on the screen, as text and as pictures of pixels, for `render`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._tictac import Position

RENDER_MODES = ["human", "ansi", "svg", "rgb_array"]
VECTOR_RENDER_MODES = RENDER_MODES[1:]
_CELL = 32


def check_mode(mode: str | None, modes: list[str] = RENDER_MODES) -> None:
    """Raise an error for an unknown render mode."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode must be one of {', '.join(modes)} or None, not {mode!r}")


def render(position: Position, mode: str | None) -> Any:
    """Return the position in a render mode; None if there is no mode, and after printing it for people."""
    text = f"{position.diagram()}{position.status}\n"
    if mode == "human":
        print(text)
    if mode == "ansi":
        return text
    if mode == "svg":
        return position.svg()
    if mode == "rgb_array":
        return _pixels(position)
    return None


def _pixels(position: Position) -> npt.NDArray[np.uint8]:
    boards = [_board_pixels(x, o, position.rules.rows, position.rules.columns) for x, o in position.bits]
    return np.concatenate(boards, axis=1)


def _board_pixels(x: int, o: int, rows: int, columns: int) -> npt.NDArray[np.uint8]:
    picture = np.full((rows * _CELL, columns * _CELL, 3), 255, dtype=np.uint8)
    picture[::_CELL] = picture[:, ::_CELL] = (200, 200, 200)
    down, right = np.mgrid[0:_CELL, 0:_CELL] - (_CELL - 1) / 2
    inside = np.maximum(abs(down), abs(right)) < _CELL * 0.33
    cross = ((abs(down - right) < 3) | (abs(down + right) < 3)) & inside
    ring = abs(np.hypot(down, right) - _CELL * 0.3) < 2
    for square in range(rows * columns):
        top, left = square // columns * _CELL, square % columns * _CELL
        cell = picture[top : top + _CELL, left : left + _CELL]
        if x >> square & 1:
            cell[cross] = (31, 111, 235)
        elif o >> square & 1:
            cell[ring] = (201, 81, 12)
    return picture
