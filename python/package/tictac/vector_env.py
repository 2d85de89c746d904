"""A Gymnasium vector environment that steps many games in Rust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from . import _render
from ._oracle import as_rules
from ._registration import register
from ._tictac import Position, Rules, VectorCore
from ._uncopied import Uncopied

register()

_DTYPES = {
    "observations": np.int8,
    "action_masks": np.int8,
    "rewards": np.float32,
    "terminations": np.bool_,
    "truncations": np.bool_,
}


class VectorEnv(Uncopied, GymnasiumVectorEnv[Any, Any, Any]):
    """Many games that are stepped together, each as in `GymEnv`; by default self-play.

    With `copy=False` every step returns the same arrays, which the next step overwrites. `buffers` gives arrays of the
    caller for them: "observations" (n, planes, rows, columns) and "action_masks" (n, actions) of int8, "rewards" of
    float32, "terminations" and "truncations" of bool. `autoreset_mode` is one of Gymnasium's. The rules must have one board,
    and `opponent` must not be a function.

    >>> import tictac
    >>> env = tictac.vector("3,3,3", 4)
    >>> observations, info = env.reset(seed=1)
    >>> observations, rewards, terminations, truncations, info = env.step(env.sample_actions())
    >>> observations.shape, info["action_mask"].sum(axis=1)
    ((4, 2, 3, 3), array([8, 8, 8, 8]))
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": _render.RENDER_MODES,
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
        illegal: str = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        buffers: Mapping[str, npt.NDArray[Any]] | None = None,
        render_mode: str | None = None,
    ) -> None:
        _render.check_mode(render_mode)
        rules = as_rules(rules)
        mode = AutoresetMode(autoreset_mode)
        if not isinstance(opponent, str | None):
            raise TypeError(f"opponent must be a name or None, not {type(opponent).__name__}")
        self._core = VectorCore(rules, num_envs, start, opponent, side, mode.value, illegal)
        self.rules = rules
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": mode}  # type: ignore[misc]
        self._mode = mode
        self._copy = copy
        planes, n_squares, n_actions = self._core.sizes
        self.single_observation_space = spaces.Box(0, 1, (planes, rules.rows, rules.columns), np.int8)
        self.single_action_space = spaces.Discrete(n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        shapes: dict[str, tuple[int, ...]] = {
            "observations": (num_envs, planes, rules.rows, rules.columns),
            "action_masks": (num_envs, n_actions),
            "rewards": (num_envs,),
            "terminations": (num_envs,),
            "truncations": (num_envs,),
        }
        self._arrays = _buffers(shapes, buffers or {})
        self._flat = self._arrays["observations"].reshape(num_envs, planes * n_squares)
        self._final = np.zeros_like(self._flat) if mode is AutoresetMode.SAME_STEP else None
        self._sampled = np.zeros(num_envs, dtype=np.int64)
        self._is_seeded = False
        self._is_reset = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Start new games, all of them or those of `options["reset_mask"]`."""
        if isinstance(seed, list):
            raise ValueError("seed must be one number, because all games share one random number generator")
        super().reset(seed=seed)
        if seed is not None or not self._is_seeded:
            self._core.seed(int(self.np_random.integers(2**63)))
            self._is_seeded = True
        which = np.ones(self.num_envs, dtype=np.bool_)
        if options is not None and "reset_mask" in options:
            which = np.ascontiguousarray(options["reset_mask"])
            if which.dtype != np.bool_ or which.shape != (self.num_envs,):
                raise ValueError(f"reset_mask must be bool of the shape ({self.num_envs},)")
        self._core.reset(which, self._flat, self._arrays["action_masks"])
        self._is_reset = True
        return self._given("observations"), {"action_mask": self._given("action_masks")}

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
        self._core.step(
            checked,
            self._flat,
            arrays["action_masks"],
            arrays["rewards"],
            arrays["terminations"],
            self._final,
        )
        infos: dict[str, Any] = {"action_mask": self._given("action_masks")}
        if self._final is not None and arrays["terminations"].any():
            infos["final_obs"] = self._final.reshape(arrays["observations"].shape).copy()
            infos["_final_obs"] = arrays["terminations"].copy()
        return (
            self._given("observations"),
            self._given("rewards"),
            self._given("terminations"),
            self._given("truncations"),
            infos,
        )

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
        """Return the squares of X and of O in each game, as `tictac.values` and `tictac.optimal_mask` take them."""
        return self._core.boards()

    def render(self) -> tuple[Any, ...] | None:
        """Return every position in the render mode."""
        if self.render_mode is None:
            return None
        positions = (Position.from_bits(x, o, self.rules) for x, o in self.boards().tolist())
        return tuple(_render.render(position, self.render_mode) for position in positions)


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
