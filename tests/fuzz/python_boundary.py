"""`cargo xtask fuzz --only python`: random calls of the Python package. Nothing may raise a panic or end the process.

    python3 tests/fuzz/python_boundary.py SECONDS

Prints the number of calls as libFuzzer does. The seed of a failing call is printed with it; give it as a second argument to repeat it.
"""

import random
import sys
import time

import numpy as np
import tictac
from tictac import _tictac

# What a position, a rule, a move or a record can begin with, to be changed.
TEXTS = [
    "3,3,3", "4,4,3 misere", "wild", "notakto boards=2", "3,2,2 x-only", "64,1,1", "8,8,5", "X.O/.X./... O", "XXX/.../...+.../.../... 2",
    "B2", "X C3", "O A1", "1 X B2\n2 O A1\n", "[Rules \"wild\"]\n1. X B2 O A1\n", "first", "perfect", "random", "draw",
    "tictac certificate 1\nrules 3,3,3\nstart .../.../... X\nvalue draw\nend\n", "", "\x00", "é", "9" * 40,
]
NUMBERS = [0, 1, -1, 2, 8, 9, 63, 64, 255, 2**31, 2**63 - 1, 2**63, 2**64, -(2**70), 0.5, -0.0, float("nan"), float("inf"), 1e300]
# Solving without a limit may take minutes, which is no fault.
LIMITED = {"solve", "best_moves", "judge", "certificate"}
# These make tables or environments, which take seconds or other packages.
LEFT_OUT = {"__version__", "env", "gym", "vector", "register"}
UNSAFE = {"__class__", "__init_subclass__", "__subclasshook__", "__reduce_ex__", "__setattr__", "__delattr__", "__getstate__"}
FUNCTIONS = [getattr(tictac, name) for name in tictac.__all__ if name not in LEFT_OUT] + [_tictac.look_up, _tictac.check_archive]


def changed_text(dice):
    """Return one of the texts with a few characters replaced, removed or repeated."""
    text = list(dice.choice(TEXTS))
    for _ in range(dice.randrange(4)):
        at = dice.randrange(len(text) + 1)
        text[at : at + dice.randrange(3)] = dice.choice([[], list("XO./+ ,"), [chr(dice.randrange(256))], text[:at]])
    return "".join(text)[:500]


def argument(dice, objects, depth=0):
    """Return any value that a caller could pass."""
    kind = dice.randrange(10)
    if kind < 4:
        return changed_text(dice)
    if kind == 4:
        return dice.choice(NUMBERS)
    if kind == 5:
        return dice.choice(objects)
    if kind == 6 and depth < 2:
        return [argument(dice, objects, depth + 1) for _ in range(dice.randrange(4))]
    if kind == 7:
        shape = dice.choice([(), (0,), (2,), (9,), (2, 2), (3, 3), (2, 2, 3, 3), (0, 2)])
        return np.full(shape, dice.choice([0, 1, 2, 127]), dice.choice([np.uint64, np.int8, np.float32, np.bool_, np.int64]))
    return dice.choice([None, True, False, {}, (), b"\xff\n1 X B2", object()])


def attempt(call, arguments, options):
    """Call; any exception of Python's own kind is fine. A panic of Rust is a BaseException, which is not caught here."""
    try:
        return call(*arguments, **options)
    except Exception:
        return None


def run(seed, objects):
    """Make one call: of a function, or of a method of an object that an earlier call has returned."""
    dice = random.Random(seed)
    function = dice.choice(FUNCTIONS)
    options = {}
    if dice.random() < 0.5:
        item = dice.choice(objects)
        name = dice.choice([name for name in dir(item) if name not in UNSAFE])
        function = attempt(getattr, [item, name], {})
        if not callable(function):
            return
    elif function.__name__ in LIMITED:
        options["seconds"] = 0.0005
    arguments = [argument(dice, objects) for _ in range(dice.randrange(4))]
    result = attempt(function, arguments, options)
    if type(result).__module__ == "tictac" and len(objects) < 200:
        objects.append(result)


def starting_objects():
    """Return objects whose methods can be called."""
    position = tictac.Position("X.O/.X./... O")
    return [tictac.Rules("4,4,3"), position, tictac.Game(moves=["B2"]), tictac.Record("1 X B2"), tictac.solve(position), tictac.State("3,3,3")]


def main():
    """Make calls until the time is over."""
    end = time.monotonic() + float(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**48)
    n_calls = 0
    objects = starting_objects()
    while time.monotonic() < end:
        # The objects depend on the calls before, so a failure is repeated from the last beginning.
        if n_calls % 1000 == 0:
            objects, start = starting_objects(), first + n_calls
            print(f"seed {start}", file=sys.stderr, flush=True)
        run(first + n_calls, objects)
        n_calls += 1
    print(f"stat::number_of_executed_units: {n_calls}", file=sys.stderr)


main()
