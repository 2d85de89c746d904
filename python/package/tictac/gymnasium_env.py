"""A Gymnasium environment: one agent against an opponent."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, ClassVar, SupportsIndex

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from . import _observe, _render
from ._copied import Copied
from ._oracle import as_rules
from ._registration import register
from ._tictac import EnvCore, Position, Rules

register()

Opponent = str | Callable[[Position], str | int] | None


class GymEnv(Copied, gymnasium.Env[Any, Any]):
    """One agent against an opponent, or against itself with `opponent=None`.

    `opponent` is "random", a level ("beginner", "casual", "club", "expert", "perfect") or a function that returns a move of
    a `Position`. `side` is 0 (the agent moves first), 1, or None to draw it at every reset. `start` is a position.
    `observation` is "planes" (own marks, other marks; X and O in wild games), "flat", "text" or "json". `illegal` says what
    an illegal action does: it loses the game ("lose") or raises an exception ("raise"). The reward is 1 for a win and -1
    for a loss of the agent; in self-play, of the player who moved. `info["action_mask"]` has a 1 for every legal action, and
    `info["illegal_action"]` is the action that lost the game by being illegal.

    Environments can be copied and pickled (with an opponent that can be pickled); the copy goes on like the original.

    >>> import tictac
    >>> env = tictac.gym("3,3,3", opponent="perfect")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, int(info["action_mask"].sum())
    ((2, 3, 3), 9)
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": _render.RENDER_MODES, "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        rules: Rules | str = "3,3,3",
        *,
        opponent: Opponent = "random",
        side: int | None = 0,
        start: Position | str | None = None,
        observation: str = "planes",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        _render.check_mode(render_mode)
        self.render_mode = render_mode
        self._function = opponent if callable(opponent) else None
        name = None if callable(opponent) else opponent
        if not isinstance(name, str | None):
            raise TypeError(f"opponent must be a name, a function or None, not {type(name).__name__}")
        self._core = EnvCore(as_rules(rules), start, name, side, illegal, callable(opponent))
        self._kind = observation
        self._is_seeded = False
        self.observation_space = _observe.space(self._core, observation)
        self.action_space = spaces.Discrete(self.rules.n_actions)
        self._bind_step()

    def _bind_step(self) -> None:
        """Use the Rust method itself where there is nothing to add, which saves a third of the time of a step."""
        is_plain = self._kind == "planes" and self._function is None and self.render_mode != "human"
        if is_plain and type(self).step is GymEnv.step:
            self.step = self._core.step  # type: ignore[method-assign]

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes without the bound step, which would still be that of the original."""
        return {name: value for name, value in self.__dict__.items() if name != "step"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set the attributes of a copy."""
        self.__dict__.update(state)
        self._bind_step()

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._core.rules

    @property
    def position(self) -> Position:
        """The current position."""
        return self._core.position

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, as MaskablePPO of sb3-contrib asks for it."""
        return self._core.action_mask().astype(np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game."""
        super().reset(seed=seed)
        if seed is not None:
            self._core.seed(seed % 2**64)
        elif not self._is_seeded:
            self._core.seed(int(self.np_random.integers(2**63)))
        self._is_seeded = True
        planes, info = self._core.reset()
        if self._function is not None:
            if self.position.player != self._core.agent:
                try:
                    self._reply()
                except BaseException:
                    self._core.is_reset = False
                    raise
            planes, info = self._core.observe(self._core.agent), {"action_mask": self._core.action_mask()}
        self._show()
        return _observe.convert(planes, self.position, self._kind), info

    def step(self, action: SupportsIndex) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's reply."""
        before = self.position
        planes, reward, terminated, truncated, info = self._core.step(index(action))
        if self._function is not None:
            if not terminated:
                try:
                    reward = -self._reply()
                except BaseException:
                    # As in Rust, a failed reply takes back the agent's move too.
                    self._core.position = before
                    raise
                info = {"action_mask": self._core.action_mask()}
            planes = self._core.observe(self._core.agent)
        self._show()
        return (
            _observe.convert(planes, self.position, self._kind),
            reward,
            self._core.is_over,
            truncated,
            info,
        )

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _reply(self) -> float:
        """Play the move of the opponent's function and return the opponent's reward."""
        assert self._function is not None
        position = self.position
        move = self._function(position)
        if not isinstance(move, str | int | np.integer) or position.action(move) not in position.legal_actions:
            raise ValueError(f"opponent: {move!r} is not a legal move in {position}")
        return self._core.step(position.action(move))[1]

    def render(self) -> Any:
        """Return the position in the render mode: a text, an SVG document or pixels; "human" prints it instead."""
        return _render.render(self.position, self.render_mode)
