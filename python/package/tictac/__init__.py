"""The tic-tac-toe family: rules, a perfect oracle, measures of play and reinforcement-learning environments.

>>> import tictac
>>> tictac.solve("X.O/.X./... O").value
<Value.DRAW: 'draw'>
>>> tictac.best_moves(tictac.Rules("notakto").start())
['B2']

Wherever rules or a position are expected, their text works too. Environments need their own package, which is imported
when the first one is made: `env` needs PettingZoo, and `gym` and `vector` need Gymnasium.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ._archive import CheckedGames, Fault, check
from ._measures import (
    exploitability,
    good_move_rate,
    nash_conv,
    perfect_move_rate,
    policy_matrix,
    regret,
    trembling_values,
)
from ._missing import needs
from ._oracle import distances, legal_mask, optimal_mask, values
from ._registration import register
from ._table import Table, table
from ._tictac import (
    Game,
    IllegalMoveError,
    JudgedPly,
    ParseError,
    Position,
    Record,
    Rules,
    Solution,
    __version__,
    best_moves,
    certificate,
    judge,
    solve,
    verify,
)
from ._value import Value
from .openspiel import State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import numpy.typing as npt
    from gymnasium.vector import AutoresetMode

    from .gymnasium_env import GymEnv, Opponent
    from .pettingzoo_env import TwoPlayerEnv
    from .vector_env import VectorEnv

__all__ = [
    "CheckedGames",
    "Fault",
    "Game",
    "IllegalMoveError",
    "JudgedPly",
    "ParseError",
    "Position",
    "Record",
    "Rules",
    "Solution",
    "State",
    "Table",
    "Value",
    "__version__",
    "best_moves",
    "certificate",
    "check",
    "distances",
    "env",
    "exploitability",
    "good_move_rate",
    "gym",
    "judge",
    "legal_mask",
    "nash_conv",
    "optimal_mask",
    "perfect_move_rate",
    "policy_matrix",
    "register",
    "regret",
    "solve",
    "table",
    "trembling_values",
    "values",
    "vector",
    "verify",
]


def env(
    rules: Rules | str = "3,3,3",
    *,
    start: Position | str | None = None,
    observation: str = "planes",
    illegal: str = "lose",
    render_mode: str | None = None,
) -> TwoPlayerEnv:
    """Return a PettingZoo environment (AEC) for two agents; `TwoPlayerEnv` explains the options."""
    with needs("pettingzoo"):
        from .pettingzoo_env import TwoPlayerEnv
    return TwoPlayerEnv(rules, start=start, observation=observation, illegal=illegal, render_mode=render_mode)


def gym(
    rules: Rules | str = "3,3,3",
    *,
    opponent: Opponent = "random",
    side: int | None = 0,
    start: Position | str | None = None,
    observation: str = "planes",
    illegal: str = "lose",
    render_mode: str | None = None,
) -> GymEnv:
    """Return a Gymnasium environment for one agent against an opponent; `GymEnv` explains the options."""
    with needs("gymnasium"):
        from .gymnasium_env import GymEnv
    return GymEnv(
        rules,
        opponent=opponent,
        side=side,
        start=start,
        observation=observation,
        illegal=illegal,
        render_mode=render_mode,
    )


def vector(
    rules: Rules | str = "3,3,3",
    num_envs: int = 1024,
    *,
    opponent: str | None = None,
    side: int | None = 0,
    start: Position | str | None = None,
    observation: str = "planes",
    illegal: str = "lose",
    autoreset_mode: AutoresetMode | str = "NextStep",
    copy: bool = True,
    buffers: Mapping[str, npt.NDArray[Any]] | None = None,
    render_mode: str | None = None,
) -> VectorEnv:
    """Return a Gymnasium vector environment that steps many games in Rust; `VectorEnv` explains the options."""
    with needs("gymnasium"):
        from .vector_env import VectorEnv
    return VectorEnv(
        rules,
        num_envs,
        opponent=opponent,
        side=side,
        start=start,
        observation=observation,
        illegal=illegal,
        autoreset_mode=autoreset_mode,
        copy=copy,
        buffers=buffers,
        render_mode=render_mode,
    )


def __dir__() -> list[str]:
    """Return the public names: editors offer what is meant to be used."""
    return sorted(__all__)


# Importing Gymnasium takes ten times as long as importing this package, so it is not imported here.
if "gymnasium" in sys.modules:
    register()
