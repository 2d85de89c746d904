"""The Python game of `pyspiel`, which is registered when this module is imported, also by reading a pickled game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found,unused-ignore]

from ._tictac import Rules
from .openspiel import State, game_parameters, information_state_tensor, observation_tensor

GAME_NAME = "python_tictac"

_GAME_TYPE = pyspiel.GameType(
    short_name=GAME_NAME,
    long_name="The tic-tac-toe family",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=game_parameters(Rules()),
)


class FamilyState(pyspiel.State):  # type: ignore[misc,name-defined,unused-ignore]
    """A state of the Python game, which asks `State` everything."""

    def __init__(self, game: Any, rules: Rules) -> None:
        super().__init__(game)
        self._state = State(rules)

    def current_player(self) -> Any:
        return pyspiel.PlayerId.TERMINAL if self._state.is_terminal() else self._state.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self._state.legal_actions(player)

    def _apply_action(self, action: int) -> None:
        self._state.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._state.action_to_string(player, action)

    def is_terminal(self) -> bool:
        return self._state.is_terminal()

    def returns(self) -> list[float]:
        return self._state.returns()

    def __str__(self) -> str:
        return str(self._state)

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        """Pickle a state as the texts of its game and of itself."""
        return _read_state, (str(self.get_game()), self.serialize())


class FamilyObserver:
    """What OpenSpiel asks for tensors and strings: of the board, or with perfect recall of all that has happened."""

    def __init__(self, rules: Rules, has_recall: bool) -> None:
        self._has_recall = has_recall
        state = State(rules)
        shape: tuple[int, ...] = (3 * rules.boards, rules.rows, rules.columns)
        if has_recall:
            shape = information_state_tensor(state).shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: Any, player: int) -> None:
        ours = state._state
        seen = information_state_tensor(ours) if self._has_recall else observation_tensor(ours.position)
        self.dict["observation"][...] = seen

    def string_from(self, state: Any, player: int) -> str:
        return state._state.history_str() if self._has_recall else str(state)


class FamilyGame(pyspiel.Game):  # type: ignore[misc,name-defined,unused-ignore]
    """The Python game of one set of rules."""

    def __init__(self, params: Any = None) -> None:
        params = params or {}
        self._rules = _rules(params)
        info = pyspiel.GameInfo(
            num_distinct_actions=self._rules.n_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self._rules.max_moves,
        )
        super().__init__(_GAME_TYPE, info, params)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Pickle a game as its text."""
        return _read_game, (str(self),)

    def new_initial_state(self) -> Any:
        return FamilyState(self, self._rules)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        return FamilyObserver(self._rules, iig_obs_type is not None and iig_obs_type.perfect_recall)


def _read_game(text: str) -> Any:
    return pyspiel.load_game(text)


def _read_state(game: str, state: str) -> Any:
    return _read_game(game).deserialize_state(state)


def _rules(given: dict[str, Any]) -> Rules:
    """Return the rules of parameters; the default is 3,3,3."""
    of = game_parameters(Rules()) | given
    words = [f"{of['rows']},{of['columns']},{of['line_length']}"]
    words += [of["marks"]] if of["marks"] != "own" else []
    words += ["misere"] if of["misere"] else []
    words += [f"boards={of['boards']}"] if of["boards"] != 1 else []
    return Rules(" ".join(words))


pyspiel.register_game(_GAME_TYPE, FamilyGame)
