"""MaskablePPO of sb3-contrib on 4,4,3 against a random opponent: pip install sb3-contrib.

The share of moves that keep the value is exact: the oracle knows all six million positions.
"""

import sys

import numpy as np
import tictac
from sb3_contrib import MaskablePPO


def good_moves(model, n_games=100):
    """Return the share of the agent's moves that keep the value of the position, over some games."""
    env = tictac.gym("4,4,3", opponent="random", side=None)
    good = total = 0
    for seed in range(n_games):
        observation, _ = env.reset(seed=1000 + seed)
        terminated = False
        while not terminated:
            before = np.array(env.position.bits[0], np.uint64)
            action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
            after = np.array(env.position.play(int(action)).bits[0], np.uint64)
            values = tictac.values(np.stack([before, after]), "4,4,3")
            good += int(values[0] == -values[1])
            total += 1
            observation, _, terminated, _, _ = env.step(int(action))
    return good / total


def main():
    n_steps = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    env = tictac.gym("4,4,3", opponent="random", side=None)
    model = MaskablePPO("MlpPolicy", env, n_steps=1024, batch_size=256, gamma=0.9, seed=1, device="cpu")
    before = good_moves(model)
    model.learn(n_steps)
    after = good_moves(model)
    print(f"moves that keep the value: {before:.1%} before, {after:.1%} after {n_steps:,} steps")
    return before, after


if __name__ == "__main__":
    main()
