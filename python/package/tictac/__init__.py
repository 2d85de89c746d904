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
from typing import TYPE_CHECKING, Any

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
    from .gymnasium_env import GymEnv
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


def env(rules: Rules | str = "3,3,3", **options: Any) -> TwoPlayerEnv:
    """Return a PettingZoo environment (AEC) for two agents; the options are those of `TwoPlayerEnv`."""
    with needs("pettingzoo"):
        from .pettingzoo_env import TwoPlayerEnv
    return TwoPlayerEnv(rules, **options)


def gym(rules: Rules | str = "3,3,3", **options: Any) -> GymEnv:
    """Return a Gymnasium environment for one agent against an opponent; the options are those of `GymEnv`."""
    with needs("gymnasium"):
        from .gymnasium_env import GymEnv
    return GymEnv(rules, **options)


def vector(rules: Rules | str = "3,3,3", num_envs: int = 1024, **options: Any) -> VectorEnv:
    """Return a Gymnasium vector environment that steps many games in Rust; the options are those of `VectorEnv`."""
    with needs("gymnasium"):
        from .vector_env import VectorEnv
    return VectorEnv(rules, num_envs, **options)


# Importing Gymnasium takes ten times as long as importing this package, so it is not imported here.
if "gymnasium" in sys.modules:
    register()
