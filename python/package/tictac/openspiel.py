"""Games in the manner of OpenSpiel: a `State` without any dependency, and Python games for `pyspiel`."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from ._oracle import as_rules
from ._tictac import Position, Rules

TERMINAL_PLAYER = -4
"""The current player of a finished game, as in `pyspiel.PlayerId.TERMINAL`."""

GAME_NAME = "python_tictac"


class State:
    """A state with the methods of OpenSpiel's states.

    The strings and tensors of 3,3,3 equal those of OpenSpiel's `tic_tac_toe`: planes for empty squares, O and X.

    >>> from tictac import State
    >>> state = State("3,3,3")
    >>> state.apply_action(0)
    >>> print(state)
    x..
    ...
    ...
    >>> state.current_player(), state.legal_actions()
    (1, [1, 2, 3, 4, 5, 6, 7, 8])
    """

    def __init__(self, rules: Rules | str | Position = "3,3,3") -> None:
        self.position = rules if isinstance(rules, Position) else as_rules(rules).start()
        self._history: list[int] = []

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    def current_player(self) -> int:
        """Return the player to move: 0, 1, or -4 when the game is over."""
        return TERMINAL_PLAYER if self.is_terminal() else self.position.player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.is_over

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions in increasing order; none for the player who is not to move."""
        if player is not None and player != self.current_player():
            return []
        return self.position.legal_actions

    def legal_actions_mask(self) -> list[int]:
        """Return 1 for every legal action and 0 for the others."""
        mask = [0] * self.rules.n_actions
        for action in self.position.legal_actions:
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Play an action."""
        action = index(action)
        self.position = self.position.play(action)
        self._history.append(action)

    def returns(self) -> list[float]:
        """Return the results of both players: 1, 0 or -1."""
        return list(self.position.returns)

    def rewards(self) -> list[float]:
        """Return the rewards of the last move, which are the results."""
        return self.returns()

    def history(self) -> list[int]:
        """Return the actions played so far."""
        return list(self._history)

    def clone(self) -> State:
        """Return a copy that can be played on independently."""
        copy = State(self.position)
        copy._history = list(self._history)
        return copy

    def child(self, action: int) -> State:
        """Return the state after an action."""
        child = self.clone()
        child.apply_action(action)
        return child

    def action_to_string(self, player: int, action: int) -> str:
        """Return the text of an action, such as `x(1,1)` or `o(0,2)`; of other rules than m,n,k, its name."""
        if self.rules.marks != "own":
            return self.position.move(action)
        return f"{'xo'[player]}({action // self.rules.columns},{action % self.rules.columns})"

    def observation_tensor(self, player: int = 0) -> list[float]:
        """Return planes for empty squares, O and X, one after the other; several boards follow each other."""
        return observation_tensor(self.position).reshape(-1).tolist()

    def observation_string(self, player: int = 0) -> str:
        """Return the board as text."""
        return str(self)

    def information_state_string(self, player: int = 0) -> str:
        """Return the actions played so far."""
        return ", ".join(map(str, self._history))

    def __str__(self) -> str:
        boards = str(self.position).rsplit(" ", 1)[0]
        return boards.lower().replace("/", "\n").replace("+", "\n\n")

    def __repr__(self) -> str:
        return f"State({self.position!r})"


def observation_tensor(position: Position) -> npt.NDArray[np.float32]:
    """Return planes for empty squares, O and X of each board."""
    rules = position.rules
    planes = np.zeros((rules.boards, 3, rules.n_squares), dtype=np.float32)
    for board, (x, o) in enumerate(position.bits):
        for square in range(rules.n_squares):
            planes[board, 2 if x >> square & 1 else 1 if o >> square & 1 else 0, square] = 1.0
    return planes.reshape(rules.boards * 3, rules.rows, rules.columns)


def register() -> str:
    """Register the Python game with `pyspiel`, which must be installed, and return its name.

    `pyspiel.load_game(tictac.openspiel.register(), {"rules": "4,4,3"})` loads it; the name of 3,3,3 needs no parameters.
    """
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    if GAME_NAME not in pyspiel.registered_names():
        game_type, game_class = _pyspiel_game(pyspiel)
        pyspiel.register_game(game_type, game_class)
    return GAME_NAME


def _pyspiel_game(pyspiel: Any) -> tuple[Any, Any]:
    """Return the type and the class of the Python game."""
    game_type = pyspiel.GameType(
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
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": "3,3,3"},
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

    class FamilyObserver:
        """What OpenSpiel asks for tensors and strings."""

        def __init__(self, rules: Rules) -> None:
            shape = (3 * rules.boards, rules.rows, rules.columns)
            self.tensor = np.zeros(int(np.prod(shape)), np.float32)
            self.dict = {"observation": self.tensor.reshape(shape)}

        def set_from(self, state: Any, player: int) -> None:
            self.dict["observation"][...] = observation_tensor(state._state.position)

        def string_from(self, state: Any, player: int) -> str:
            return str(state)

    class FamilyGame(pyspiel.Game):  # type: ignore[misc,name-defined,unused-ignore]
        """The Python game of one set of rules."""

        def __init__(self, params: Any = None) -> None:
            params = params or {}
            self._rules = Rules(params.get("rules", "3,3,3"))
            info = pyspiel.GameInfo(
                num_distinct_actions=self._rules.n_actions,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self._rules.max_moves,
            )
            super().__init__(game_type, info, params)

        def new_initial_state(self) -> Any:
            return FamilyState(self, self._rules)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return FamilyObserver(self._rules)

    return game_type, FamilyGame
