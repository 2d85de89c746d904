"""Games in the manner of OpenSpiel: a `State` without any dependency, and Python games for `pyspiel`."""

from __future__ import annotations

from operator import index
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from ._missing import needs
from ._oracle import as_rules
from ._tictac import Game, Position, Rules

TERMINAL_PLAYER = -4
"""The current player of a finished game, as in `pyspiel.PlayerId.TERMINAL`."""


class PlayerAction(NamedTuple):
    """A player and the action that this player has played."""

    player: int
    action: int


class State:
    """A state with the methods of OpenSpiel's states.

    It starts at a position, which may be given as `Position` takes it: rules, a game or a text. The strings and tensors of
    m,n,k games equal those of OpenSpiel's `tic_tac_toe` and `mnk`: planes for empty squares, O and X.

    >>> from tictac import State
    >>> state = State("3,3,3")
    >>> state.apply_action(0)
    >>> print(state)
    x..
    ...
    ...
    >>> state.current_player(), state.legal_actions()
    (1, [1, 2, 3, 4, 5, 6, 7, 8])
    >>> state.action_to_string(4), state.string_to_action("o(1,1)"), state.serialize()
    ('o(1,1)', 4, '0\\n')
    """

    def __init__(self, position: Position | Game | Rules | str = "3,3,3", rules: Rules | str | None = None) -> None:
        self.position = Position(position, rules)
        self._earlier: list[Position] = []
        self._history: list[int] = []

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    def num_players(self) -> int:
        """Return the number of players: 2."""
        return 2

    def num_distinct_actions(self) -> int:
        """Return the number of actions, legal or not."""
        return self.rules.n_actions

    def current_player(self) -> int:
        """Return the player to move: 0, 1, or -4 when the game is over."""
        return TERMINAL_PLAYER if self.is_terminal() else self.position.player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.is_over

    def is_player_node(self) -> bool:
        """Return whether a player is to move, which is so until the end."""
        return not self.is_terminal()

    def is_chance_node(self) -> bool:
        """Return False: there is no chance in these games."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Return False: the players take turns."""
        return False

    def is_initial_state(self) -> bool:
        """Return whether no action has been played."""
        return not self._history

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions in increasing order; none for the player who is not to move."""
        if player is not None and player != self.current_player():
            return []
        return self.position.legal_actions

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Return 1 for every legal action and 0 for the others."""
        mask = [0] * self.rules.n_actions
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Play an action, which must be legal."""
        action = index(action)
        after = self.position.play(action)
        self._earlier.append(self.position)
        self._history.append(action)
        self.position = after

    def apply_action_with_legality_check(self, action: int) -> None:
        """Play an action; `apply_action` checks it too."""
        self.apply_action(action)

    def undo_action(self, player: int, action: int) -> None:
        """Take back the last action, which must be this one of this player."""
        if self.full_history()[-1:] != [(player, action)]:
            raise ValueError(f"action: {action} of player {player} is not the last action of {self.history()}")
        self.position = self._earlier.pop()
        self._history.pop()

    def returns(self) -> list[float]:
        """Return the results of both players: 1, 0 or -1."""
        return list(self.position.returns)

    def rewards(self) -> list[float]:
        """Return the rewards of the last move, which are the results."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """Return the result of a player."""
        return self.position.returns[_checked_player(player)]

    def player_reward(self, player: int) -> float:
        """Return the reward of a player for the last move."""
        return self.player_return(player)

    def history(self) -> list[int]:
        """Return the actions played so far."""
        return list(self._history)

    def full_history(self) -> list[PlayerAction]:
        """Return the actions played so far, with the players."""
        pairs = zip(self._earlier, self._history, strict=True)
        return [PlayerAction(before.player, action) for before, action in pairs]

    def history_str(self) -> str:
        """Return the actions played so far, as text."""
        return ", ".join(map(str, self._history))

    def move_number(self) -> int:
        """Return the number of actions played so far."""
        return len(self._history)

    def clone(self) -> State:
        """Return a copy that can be played on independently."""
        copy = State(self.position)
        copy._earlier = list(self._earlier)
        copy._history = list(self._history)
        return copy

    def child(self, action: int) -> State:
        """Return the state after an action."""
        child = self.clone()
        child.apply_action(action)
        return child

    def serialize(self) -> str:
        """Return the actions as OpenSpiel writes them, one per line; `deserialize` reads them."""
        return "\n".join(map(str, self._history)) + "\n"

    @classmethod
    def deserialize(cls, text: str, position: Position | Game | Rules | str = "3,3,3") -> Self:
        """Return the state after the actions of `serialize`, played from where the other state started."""
        state = cls(position)
        for line in text.split():
            state.apply_action(int(line))
        return state

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """Return the text of an action, such as `x(1,1)` or `o(0,2)`; of other rules than m,n,k, its name.

        The player may be left out: the one to move.
        """
        if action is None:
            player, action = self.position.player, player
        if self.rules.marks != "own":
            return self.position.move(action)
        return f"{'xo'[_checked_player(player)]}({action // self.rules.columns},{action % self.rules.columns})"

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """Return the legal action with this text; the player may be left out."""
        wanted, mover = (player, self.position.player) if isinstance(player, str) else (text, player)
        for action in self.legal_actions():
            if self.action_to_string(mover, action) == wanted:
                return action
        raise ValueError(f"text: {wanted!r} is no legal action in {self.position}")

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return planes for empty squares, O and X, one after the other; several boards follow each other."""
        tensor: list[float] = observation_tensor(self.position).reshape(-1).tolist()
        return tensor

    def observation_string(self, player: int | None = None) -> str:
        """Return the board as text."""
        return str(self)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return the planes of `observation_tensor`, and then for each action when it was played: 0 for never, up to 1."""
        tensor: list[float] = information_state_tensor(self).tolist()
        return tensor

    def information_state_string(self, player: int | None = None) -> str:
        """Return the actions played so far."""
        return self.history_str()

    def to_string(self) -> str:
        """Return the board as text."""
        return str(self)

    def __str__(self) -> str:
        boards = str(self.position).rsplit(" ", 1)[0]
        return boards.lower().replace("/", "\n").replace("+", "\n\n")

    def __repr__(self) -> str:
        return f"State({self.position!r})"


def _checked_player(player: int) -> int:
    if player not in (0, 1):
        raise ValueError(f"player must be 0 or 1, not {player}")
    return player


def information_state_tensor(state: State) -> npt.NDArray[np.float32]:
    """Return what a player knows: the board, and the order of the actions."""
    order = np.zeros(state.rules.n_actions, dtype=np.float32)
    order[state.history()] = np.arange(1, state.move_number() + 1) / state.rules.max_moves
    return np.concatenate([observation_tensor(state.position).reshape(-1), order])


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

    The parameters of the game are `rows`, `columns`, `line_length`, `marks` ("own", "wild" or "x-only"), `misere` and `boards`;
    `load_game` sets them by the text of rules.
    """
    with needs("open_spiel"):
        from . import _pyspiel_game
    return _pyspiel_game.GAME_NAME


def load_game(rules: Rules | str = "3,3,3") -> Any:
    """Return the game of `pyspiel` with these rules, which it registers if necessary.

    It equals `pyspiel.load_game("python_tictac(rows=4,columns=4,misere=True)")` for "4,4,3 misere".
    """
    name = register()
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    return pyspiel.load_game(name, game_parameters(as_rules(rules)))


def game_parameters(rules: Rules) -> dict[str, Any]:
    """Return rules as parameters, because the text of rules has commas, which separate the parameters of `pyspiel`."""
    return {
        "rows": rules.rows,
        "columns": rules.columns,
        "line_length": rules.line_length,
        "marks": rules.marks,
        "misere": rules.misere,
        "boards": rules.boards,
    }
