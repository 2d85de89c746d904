"""`cargo xtask bench python`: how fast the package is, beside others as installed, in one run and one table.

What runs on one core is measured in processor time, so that other work on the machine hardly matters. pgx uses all cores and has
two rows: by elapsed time, which needs a machine without other work, and by its processor time as if all cores shared it
evenly, which is more than it can reach.
"""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import time

import numpy as np
import tictac

BATCH = 8192
SECONDS = 2.0


def rate(play):
    """Return how many things per second `play` does, the best of three runs; it returns how many it did."""
    play()
    best = 0.0
    for _ in range(3):
        n_done, start = 0, time.process_time()
        while (elapsed := time.process_time() - start) < SECONDS / 3:
            for _ in range(8):
                n_done += play()
        best = max(best, n_done / elapsed)
    return best


def vector_steps():
    env = tictac.vector("3,3,3", BATCH, copy=False)
    env.reset(seed=1)

    def play():
        env.step(env.sample_actions())
        return BATCH

    return rate(play)


def single_steps():
    env = tictac.gym("3,3,3", opponent=None)
    actions = (4, 0, 2, 6, 3, 5, 1, 7)

    def play():
        step = env.step
        for _ in range(50):
            env.reset()
            for action in actions:
                step(action)
        return 50 * len(actions)

    return rate(play)


def masked_boards():
    rng = np.random.default_rng(1)
    table = tictac.table("3,3,3")
    boards = np.ascontiguousarray(table.boards[rng.integers(0, len(table), 1_000_000)])
    return rate(lambda: len(tictac.optimal_mask(boards)))


def openspiel_steps():
    import pyspiel

    game = pyspiel.load_game("tic_tac_toe")
    rng = np.random.default_rng(1)
    numbers = rng.random(10_000).tolist()
    place = 0

    def play():
        nonlocal place
        n_moves = 0
        for _ in range(50):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                place = (place + 1) % 10_000
                state.apply_action(legal[int(numbers[place] * len(legal))])
                n_moves += 1
        return n_moves

    return rate(play)


def pettingzoo_steps():
    from pettingzoo.classic import tictactoe_v3

    env = tictactoe_v3.env()
    return aec_steps(env)


def our_pettingzoo_steps():
    return aec_steps(tictac.env("3,3,3"))


def aec_steps(env):
    def play():
        n_moves = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            done = terminated or truncated
            env.step(None if done else int(observation["action_mask"].argmax()))
            n_moves += not done
        return n_moves

    return rate(play)


def pgx_steps():
    import jax
    import pgx

    env = pgx.make("tic_tac_toe")
    init, step = jax.jit(jax.vmap(env.init)), jax.vmap(env.step)

    @jax.jit
    def random_step(state, key):
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        action = jax.random.categorical(key, logits, axis=-1)
        state = step(state, action)
        fresh = jax.vmap(env.init)(jax.random.split(key, BATCH))
        over = state.terminated

        def pick(new, old):
            return jax.numpy.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)

        return jax.tree_util.tree_map(pick, fresh, state)

    keys = jax.random.split(jax.random.PRNGKey(1), 10_000)
    state = init(jax.random.split(jax.random.PRNGKey(0), BATCH))
    state = jax.block_until_ready(random_step(state, keys[0]))
    n_cores, rates = os.cpu_count() or 1, []
    for _ in range(3):
        n_steps, start, used = 0, time.perf_counter(), time.process_time()
        while time.perf_counter() - start < SECONDS:
            state = jax.block_until_ready(random_step(state, keys[n_steps % 10_000]))
            n_steps += 1
        elapsed, shared = time.perf_counter() - start, (time.process_time() - used) / n_cores
        rates.append((n_steps * BATCH / elapsed, n_steps * BATCH / shared))
    return [max(by_time) for by_time in zip(*rates)]


def import_milliseconds(module, after="pass"):
    """Return the best processor time of an import in a new interpreter, after another statement."""
    code = f"{after}\nimport time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(7)]
    return 1000 * min(times)


def row(name, value, unit, goal=""):
    print(f"{name:<58} {value:>14,.2f} {unit:<10} {goal}", flush=True)


def try_row(name, measure, packages):
    """Print a row, or why there is none."""
    if any(importlib.util.find_spec(package) is None for package in packages):
        print(f"{name:<58} {'not installed':>14}", flush=True)
        return None
    try:
        value = measure()
    except Exception as error:
        print(f"{name:<58} {'failed':>14} {type(error).__name__}: {error}", flush=True)
        return None
    version = importlib.metadata.version({"pyspiel": "open_spiel"}.get(packages[0], packages[0]))
    row(f"{name} ({version})", value / 1e6, "million/s")
    return value


def main():
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    print(f"tictac {tictac.__version__}, NumPy {np.__version__}, Python {sys.version.split()[0]}, {len(cores)} cores")
    measured, pgx_rates = {}, functools.cache(pgx_steps)
    for place, name in enumerate(("elapsed time", "all cores fully used")):
        # The rows come from one run.
        measured[name] = try_row(
            f"pgx, batch 8,192, {name}", lambda: pgx_rates()[place], ["pgx", "jax"]
        )
    if cores:
        os.sched_setaffinity(0, {min(cores)})
    ours = vector_steps()
    row("tictac VectorEnv, random steps, batch 8,192, one core", ours / 1e6, "million/s", "goal 50")
    row("tictac GymEnv, single steps", single_steps() / 1e6, "million/s", "goal 1")
    row("tictac.optimal_mask, a million boards, one core", masked_boards() / 1e6, "million/s", "goal 30")
    spiel = try_row("OpenSpiel from Python, random games", openspiel_steps, ["pyspiel"])
    try_row("tictac PettingZoo environment", our_pettingzoo_steps, ["pettingzoo"])
    try_row("PettingZoo tictactoe_v3", pettingzoo_steps, ["pettingzoo", "pygame"])
    row("import tictac, after NumPy", import_milliseconds("tictac", "import numpy"), "ms", "goal below 30")
    row("import numpy", import_milliseconds("numpy"), "ms")
    for name in ("elapsed time", "all cores fully used"):
        if measured[name]:
            row(f"tictac on one core / pgx on all, {name}", ours / measured[name], "times", "goal 8")
    if spiel:
        row("tictac / OpenSpiel", ours / spiel, "times", "goal 50")


if __name__ == "__main__":
    main()
