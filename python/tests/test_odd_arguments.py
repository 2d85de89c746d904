"""Odd arguments of everything that is public: an exception of Python's own kind, never a panic."""

import itertools

import numpy as np
import pytest
import tictac
from tictac import _tictac

ODD = [
    None,
    True,
    -1,
    0,
    2**63,
    -(2**70),
    1.5,
    float("nan"),
    "",
    "3,3,3",
    "notakto boards=2",
    "64,1,1",
    "B2",
    "X.O/.X./... O",
    "\x00",
    "é" * 50,
    b"\xff\n1 X B2",
    [],
    ["B2", 4],
    {},
    object(),
    np.zeros((2, 2), np.uint64),
    np.full((2, 2), 2**64 - 1, np.uint64),
    np.zeros((0, 2), np.uint64),
    np.zeros((2, 0)),
    np.zeros((2, 2, 3, 3), np.int8)[:, :, ::-1],
    np.array(4),
    tictac.Rules("4,4,3"),
    tictac.Rules("8,8,5"),
    tictac.Position("X.O/.X./... O"),
    tictac.Position("XXX/.../...+.../.../... 2", "notakto boards=2"),
    tictac.Game(moves=["B2"]),
]
LIMITED = {"solve", "best_moves", "judge", "certificate"}
FUNCTIONS = [getattr(tictac, name) for name in tictac.__all__ if name not in ("__version__", "env", "gym", "vector", "register")]
CORES = [_tictac.look_up, _tictac.table_arrays, _tictac.check_archive]


def attempt(call, *arguments, **options):
    """Call with these arguments; anything but a panic is fine."""
    try:
        return call(*arguments, **options)
    except Exception as error:
        # A panic of Rust is a BaseException, and would not be caught here.
        assert type(error).__name__ != "PanicException"
        return None


@pytest.mark.parametrize("function", FUNCTIONS + CORES, ids=lambda function: function.__name__)
def test_no_argument_of_a_function_panics(function):
    options = {"seconds": 0.01} if function.__name__ in LIMITED else {}
    for n_arguments in (0, 1, 2):
        for arguments in itertools.product(ODD, repeat=n_arguments):
            if any(isinstance(argument, tictac.Rules) and argument.n_squares == 16 for argument in arguments):
                if function.__name__ not in LIMITED | {"Position", "Game", "Record", "State", "Rules"}:
                    continue  # The table of 4,4,3 takes seconds.
            attempt(function, *arguments, **options)


@pytest.mark.parametrize("value", ODD, ids=lambda value: type(value).__name__)
def test_no_argument_of_a_method_panics(value):
    objects = [item for item in ODD if type(item).__module__ == "tictac"]
    objects += [tictac.Record("1 X B2"), tictac.solve("X.O/.X./... O"), tictac.State("3,3,3")]
    objects += [_tictac.EnvCore("3,3,3", None, "random", 0, "lose"), _tictac.EnvCore("notakto boards=2", None, None, 0, "raise")]
    objects += [_tictac.VectorCore("3,3,3", 2, None, "perfect", None, "SameStep", "raise")]
    for item in objects:
        for name in dir(item):
            if name in ("__class__", "__init_subclass__", "__subclasshook__", "__reduce_ex__", "__setattr__", "__delattr__"):
                continue
            method = attempt(getattr, item, name)
            if callable(method):
                attempt(method)
                attempt(method, value)
                attempt(method, value, value)


def test_no_argument_of_an_environment_panics():
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    for value in ODD:
        for make in (tictac.gym, tictac.env, lambda *a, **k: tictac.vector(*a, num_envs=2, **k)):
            attempt(make, value)
            for option in ("opponent", "side", "start", "illegal", "observation", "render_mode", "buffers", "copy"):
                env = attempt(make, "3,3,3", **{option: value})
                if env is not None and attempt(env.reset) is not None:
                    attempt(env.step, value)
        attempt(tictac.vector, "3,3,3", value)
