"""A Gymnasium vector environment that steps many games in Rust."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any, ClassVar, SupportsIndex

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from . import _render
from ._copied import Copied
from ._oracle import as_rules
from ._registration import register
from ._tictac import Position, Rules, VectorCore

register()

_DTYPES = {
    "observations": np.int8,
    "action_masks": np.int8,
    "rewards": np.float32,
    "terminations": np.bool_,
    "truncations": np.bool_,
}


class VectorEnv(Copied, GymnasiumVectorEnv[Any, Any, Any]):
    """Many games that are stepped together, each as in `GymEnv`; by default self-play.

    `opponent` is a name; a function of Python would be as slow as `GymEnv`. `observation` is "planes" or "flat". The rules may
    have several boards, with up to 64 squares together. `autoreset_mode` is one of Gymnasium's.

    With `copy=False` every step returns the same arrays, which the next step overwrites. `buffers` gives arrays of the
    caller for them: "observations" (n, planes, rows, columns), or (n, squares) if they are flat, and "action_masks" (n, actions)
    of int8, "rewards" of float32, "terminations" and "truncations" of bool.

    The infos are those of Gymnasium's vectors: "action_mask", and where games ended by an illegal action "illegal_action". When
    games end in the mode SAME_STEP, "final_obs" and "final_info" hold their last observations and infos. Each has a mask of
    the games that it is about, such as "_final_obs".

    >>> import tictac
    >>> env = tictac.vector("3,3,3", 4)
    >>> observations, info = env.reset(seed=1)
    >>> observations, rewards, terminations, truncations, info = env.step(env.sample_actions())
    >>> observations.shape, info["action_mask"].sum(axis=1)
    ((4, 2, 3, 3), array([8, 8, 8, 8]))
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": _render.VECTOR_RENDER_MODES,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        rules: Rules | str = "3,3,3",
        num_envs: int = 1024,
        *,
        opponent: str | None = None,
        side: int | None = 0,
        start: Position | str | None = None,
        observation: str = "planes",
        illegal: str = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        buffers: Mapping[str, npt.NDArray[Any]] | None = None,
        render_mode: str | None = None,
    ) -> None:
        _render.check_mode(render_mode, _render.VECTOR_RENDER_MODES)
        rules = as_rules(rules)
        mode = AutoresetMode(autoreset_mode)
        _check_options(opponent, observation)
        self._core = VectorCore(rules, num_envs, start, opponent, side, mode.value, illegal)
        self.rules = rules
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": mode}  # type: ignore[misc]
        self._mode = mode
        self._copy = copy
        n_actions = self._core.n_actions
        n_planes = 2 if rules.n_marks == 2 else rules.boards
        shape: tuple[int, ...] = (n_planes, rules.rows, rules.columns)
        if observation == "flat":
            shape = (n_planes * rules.n_squares,)
        self.single_observation_space = spaces.Box(0, 1, shape, np.int8)
        self.single_action_space = spaces.Discrete(n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        shapes: dict[str, tuple[int, ...]] = {
            "observations": (num_envs, *shape),
            "action_masks": (num_envs, n_actions),
            "rewards": (num_envs,),
            "terminations": (num_envs,),
            "truncations": (num_envs,),
        }
        self._arrays = _buffers(shapes, buffers or {})
        self._everywhere = np.ones(num_envs, dtype=np.bool_)
        self._sampled = np.zeros(num_envs, dtype=np.int64)
        self._is_seeded = False
        self._is_reset = False
        self._view_arrays()

    def _view_arrays(self) -> None:
        """Set the arrays that Rust writes to: rows of numbers, which share their memory with the observations."""
        self._flat = self._arrays["observations"].reshape(self.num_envs, -1)
        self._final = np.zeros_like(self._flat) if self._mode is AutoresetMode.SAME_STEP else None
        # Every info has this array, so that none can change it.
        self._everywhere.flags.writeable = False

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes without the views, which would not be views of the copy."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_flat", "_final")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set the attributes of a copy, which has arrays of its own."""
        self.__dict__.update(state)
        self._view_arrays()

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Start new games, all of them or those of `options["reset_mask"]`.

        As in Gymnasium, a seed stands for the seeds seed, seed + 1 …, and a list has the seed of each game, or None to let it
        go on with its random numbers. A game plays as a `GymEnv` that is reset with its seed.
        """
        seeds = self._seeds(seed)
        super().reset(seed=seed if isinstance(seed, int) else None)
        if not self._is_seeded:
            self._core.seed(self._everywhere, self.np_random.integers(2**63, size=self.num_envs, dtype=np.uint64))
            self._is_seeded = True
        if seeds is not None:
            self._core.seed(*seeds)
        which = self._everywhere
        if options is not None and "reset_mask" in options:
            which = np.array(options["reset_mask"])
            if which.dtype != np.bool_ or which.shape != (self.num_envs,):
                raise ValueError(f"reset_mask must be bool of the shape ({self.num_envs},)")
        self._core.reset(which, self._flat, self._arrays["action_masks"])
        self._is_reset = True
        return self._given("observations"), {"action_mask": self._given("action_masks"), "_action_mask": which}

    def _seeds(
        self, seed: int | list[int | None] | None
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.uint64]] | None:
        """Return which games get a seed, and the seeds; None if there are none."""
        if seed is None:
            return None
        if isinstance(seed, int | np.integer):
            first = np.uint64(_checked_seed(seed))
            return self._everywhere, first + np.arange(self.num_envs, dtype=np.uint64)
        given = list(seed)
        if len(given) != self.num_envs:
            raise ValueError(f"seed must be a number or a list of {self.num_envs}, not of {len(given)}")
        which = np.array([number is not None for number in given], dtype=np.bool_)
        numbers = [0 if number is None else _checked_seed(number) for number in given]
        return which, np.array(numbers, dtype=np.uint64)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """Play one action in every game."""
        arrays = self._arrays
        checked = self._as_actions(actions)
        if not self._is_reset:
            raise ValueError("actions: no game is started; call reset() first")
        illegal = self._core.step(
            checked,
            self._flat,
            arrays["action_masks"],
            arrays["rewards"],
            arrays["terminations"],
            self._final,
        )
        infos: dict[str, Any] = {"action_mask": self._given("action_masks"), "_action_mask": self._everywhere}
        if self._final is not None and arrays["terminations"].any():
            infos.update(self._final_infos(checked, illegal))
        elif illegal:
            infos.update(self._illegal_infos(checked, illegal))
        return (
            self._given("observations"),
            self._given("rewards"),
            self._given("terminations"),
            self._given("truncations"),
            infos,
        )

    def _illegal_infos(self, actions: npt.NDArray[np.int64], illegal: list[int]) -> dict[str, Any]:
        """Return the info about illegal actions, as Gymnasium gathers those of single environments."""
        where = np.zeros(self.num_envs, dtype=np.bool_)
        where[illegal] = True
        return {"illegal_action": np.where(where, actions, 0), "_illegal_action": where}

    def _final_infos(self, actions: npt.NDArray[np.int64], illegal: list[int]) -> dict[str, Any]:
        """Return the last observations and infos of the games that have ended in this step."""
        assert self._final is not None
        ended = self._arrays["terminations"].copy()
        final_obs = np.full(self.num_envs, None, dtype=object)
        last = self._final.reshape(self._arrays["observations"].shape)
        for game in np.flatnonzero(ended).tolist():
            final_obs[game] = last[game].copy()
        # No action is legal when a game is over.
        info: dict[str, Any] = {"action_mask": np.zeros_like(self._arrays["action_masks"]), "_action_mask": ended.copy()}
        if illegal:
            info.update(self._illegal_infos(actions, illegal))
        return {"final_obs": final_obs, "_final_obs": ended, "final_info": info, "_final_info": ended.copy()}

    def _as_actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        array = np.asarray(actions)
        if array.dtype.kind not in "iu":
            raise TypeError(f"actions must be integers, not {array.dtype}")
        if array.shape != (self.num_envs,):
            raise ValueError(f"actions must have the shape ({self.num_envs},), not {array.shape}")
        return np.ascontiguousarray(array, dtype=np.int64)

    def _given(self, name: str) -> npt.NDArray[Any]:
        return self._arrays[name].copy() if self._copy else self._arrays[name]

    def sample_actions(self) -> npt.NDArray[np.int64]:
        """Return a random legal action of every game, 0 where it is over; with `copy=False` always the same array."""
        self._core.sample(self._sampled)
        return self._sampled.copy() if self._copy else self._sampled

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal in each game."""
        return self._arrays["action_masks"].astype(np.bool_)

    def boards(self) -> npt.NDArray[np.uint64]:
        """Return the squares of X and of O in each game, as `tictac.values` and `tictac.optimal_mask` take them.

        With several boards, the squares of the second follow those of the first.
        """
        return self._core.boards()

    def position(self, game: int) -> Position:
        """Return the position of one game, counted from 0."""
        return self._core.position(game)

    def render(self) -> tuple[Any, ...] | None:
        """Return every position in the render mode."""
        if self.render_mode is None:
            return None
        return tuple(_render.render(self.position(game), self.render_mode) for game in range(self.num_envs))


def _check_options(opponent: Any, observation: str) -> None:
    """Raise an error for options of `GymEnv` that a vector does not have."""
    elsewhere = "gymnasium.vector.SyncVectorEnv of tictac.gym environments takes others"
    if callable(opponent):
        raise TypeError(f"opponent must be a name or None, because all games are played in Rust; {elsewhere}")
    if not isinstance(opponent, str | None):
        raise TypeError(f"opponent must be a name or None, not {type(opponent).__name__}")
    if observation not in ("planes", "flat"):
        raise ValueError(f"observation must be 'planes' or 'flat', not {observation!r}; {elsewhere}")


def _checked_seed(seed: SupportsIndex) -> int:
    """Return a seed as a number of 64 bits."""
    number = index(seed)
    if number < 0:
        raise ValueError(f"seed must be 0 or more, not {number}")
    return number % 2**64


def _buffers(
    shapes: Mapping[str, tuple[int, ...]], given: Mapping[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays for results: those of the caller, checked, or new ones."""
    unknown = set(given) - set(shapes)
    if unknown:
        raise ValueError(f"buffers: there is no {sorted(unknown)[0]!r}; there are {', '.join(shapes)}")
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, shape in shapes.items():
        array = given.get(name)
        if array is None:
            array = np.zeros(shape, dtype=_DTYPES[name])
        elif not isinstance(array, np.ndarray) or array.dtype != _DTYPES[name] or array.shape != shape:
            raise ValueError(f"buffers: {name} must be {np.dtype(_DTYPES[name])} of the shape {shape}")
        elif not (array.flags.c_contiguous and array.flags.writeable):
            raise ValueError(f"buffers: {name} must be contiguous and writable")
        for other, earlier in arrays.items():
            if np.shares_memory(array, earlier):
                raise ValueError(f"buffers: {name} and {other} must not overlap")
        arrays[name] = array
    arrays["truncations"][...] = False
    return arrays
