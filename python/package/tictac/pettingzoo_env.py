"""A PettingZoo environment: two agents who take turns (AEC)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped,import-not-found,unused-ignore]

from . import _observe, _render
from ._copied import Copied
from ._oracle import as_rules
from ._tictac import EnvCore, Position, Rules

AGENTS = ("player_0", "player_1")


class TwoPlayerEnv(Copied, AECEnv):  # type: ignore[misc,type-arg,unused-ignore]
    """Two agents, "player_0" and "player_1", who take turns; `player_0` moves first.

    An observation is a dictionary of "observation" and "action_mask"; the mask is also in `infos`. `start`, `observation` and
    `illegal` are as in `GymEnv`: an illegal action ends the game with -1 for the agent and 0 for the other, or raises an
    exception.

    >>> import tictac
    >>> env = tictac.env("4,4,3 misere")
    >>> env.reset(seed=1)
    >>> env.agent_selection, env.observe("player_0")["observation"].shape
    ('player_0', (2, 4, 4))
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": _render.RENDER_MODES,
        "name": "tictac_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Rules | str = "3,3,3",
        *,
        start: Position | str | None = None,
        observation: str = "planes",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        _render.check_mode(render_mode)
        self.render_mode = render_mode
        self._core = EnvCore(as_rules(rules), start, None, 0, illegal)
        self._kind = observation
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        mask = spaces.Box(0, 1, (self.rules.n_actions,), np.int8)
        view = _observe.space(self._core, observation)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": view, "action_mask": mask}) for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(self.rules.n_actions) for agent in AGENTS}

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._core.rules

    @property
    def position(self) -> Position:
        """The current position."""
        return self._core.position

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game."""
        self._core.reset()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.player]
        self._show()

    def _mask(self, agent: str) -> npt.NDArray[np.int8]:
        """Return the legal actions of an agent: none unless it is the agent's turn."""
        mask = self._core.action_mask()
        return mask if AGENTS[self.position.player] == agent else np.zeros_like(mask)

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees."""
        planes = self._core.observe(AGENTS.index(agent))
        return {
            "observation": _observe.convert(planes, self.position, self._kind),
            "action_mask": self._mask(agent),
        }

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Play an action of the selected agent; None if that agent is done."""
        if not self._core.is_reset:
            raise ValueError("action: no game is started; call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not isinstance(action, int | np.integer):
            raise TypeError(f"action must be an int, not {type(action).__name__}")
        other = AGENTS[1 - AGENTS.index(agent)]
        _, reward, terminated, _, info = self._core.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.rewards = {agent: reward, other: 0.0 if "illegal_action" in info else -reward}
        if terminated:
            self.terminations = dict.fromkeys(AGENTS, True)
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in AGENTS}
        self.agent_selection = other
        self._accumulate_rewards()
        self._show()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Return the position in the render mode: a text, an SVG document or pixels; "human" prints it instead."""
        return _render.render(self.position, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
