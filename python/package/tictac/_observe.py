"""What an agent sees: planes, a flat array, text or JSON."""

from __future__ import annotations

import json
import string
from typing import Any

import numpy as np
from gymnasium import spaces

from ._tictac import EnvCore, Position

OBSERVATIONS = ("planes", "flat", "text", "json")


def space(core: EnvCore, kind: str) -> spaces.Space[Any]:
    """Return the space of observations of this kind."""
    shape = core.observation_shape
    if kind == "planes":
        return spaces.Box(0, 1, shape, np.int8)
    if kind == "flat":
        return spaces.Box(0, 1, (int(np.prod(shape)),), np.int8)
    if kind not in OBSERVATIONS:
        raise ValueError(f"observation must be one of {', '.join(OBSERVATIONS)}, not {kind!r}")
    longest = len(str(core.position)) if kind == "text" else 4096 + 16 * core.rules.n_actions
    return spaces.Text(longest, charset=string.printable)


def convert(planes: Any, position: Position, kind: str) -> Any:
    """Return an observation of this kind, given the planes and the position."""
    if kind == "planes":
        return planes
    if kind == "flat":
        return planes.reshape(-1)
    return str(position) if kind == "text" else as_json(position)


def as_json(position: Position) -> str:
    """Return a position as JSON, for agents that read text."""
    return json.dumps(
        {
            "rules": str(position.rules),
            "position": str(position),
            "to_move": position.to_move,
            "legal_moves": position.legal_moves,
            "status": position.status,
        }
    )
