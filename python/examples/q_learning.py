"""Tabular Q-learning by self-play, from nothing to regret 0 on 3×3 in a few seconds.

The learner sees only boards and rewards; the oracle is used to measure it, not to teach it.
"""

import time

import numpy as np
import tictac

N_GAMES_AT_ONCE = 2048
MAX_STEPS = 2000


def encode(boards):
    """Return a number for every board: one digit in base 3 per square."""
    digits = boards[:, :, None] >> np.arange(9, dtype=np.uint64) & np.uint64(1)
    return (digits[:, 0] + 2 * digits[:, 1]).astype(np.int64) @ 3 ** np.arange(9)


class QLearner:
    """Q-learning for two players: the value of a move is minus what the other player can make of it."""

    def __init__(self, seed=1):
        self.q = np.zeros((3**9, 9))
        self.env = tictac.vector("3,3,3", N_GAMES_AT_ONCE, copy=False)
        self.env.reset(seed=seed)
        self.boards = self.env.boards()
        self.is_over = np.zeros(N_GAMES_AT_ONCE, bool)

    def step(self):
        """Play a random move in every game and learn from it."""
        actions = self.env.sample_actions()
        _, rewards, terminations, _, info = self.env.step(actions)
        after = self.env.boards()
        best_reply = np.where(info["action_mask"] == 1, self.q[encode(after)], -np.inf).max(axis=1)
        targets = np.where(terminations, rewards, -best_reply)
        # The step after the end of a game only resets it.
        played = ~self.is_over
        self.q[encode(self.boards[played]), actions[played]] = targets[played]
        self.boards, self.is_over = after, terminations.copy()

    def policy(self):
        """Return the greedy policy for `tictac.regret` and its relatives."""
        table = tictac.table("3,3,3")
        best = np.where(table.legal, self.q[encode(table.boards)], -np.inf).argmax(axis=1)
        return np.eye(9)[best] * table.legal


def main():
    # Processor time, so that other work on the machine does not count.
    start = time.process_time()
    learner = QLearner()
    for n_steps in range(1, MAX_STEPS + 1):
        learner.step()
        if n_steps % 100 == 0:
            policy = learner.policy()
            regret = tictac.regret(policy)
            seconds = time.process_time() - start
            print(f"{n_steps * N_GAMES_AT_ONCE:>9,} moves  regret {regret:.4f}  {seconds:5.1f} s of processor time")
            if regret == 0.0:
                break
    print(f"exploitability {tictac.exploitability(policy)}, {tictac.perfect_move_rate(policy):.1%} perfect moves")
    return regret, seconds


if __name__ == "__main__":
    main()
