"""A text environment, as an agent built on a language model would use it: JSON in, a move out.

`answer` stands for the model. Every move is judged by the oracle afterwards.
"""

import json

import tictac


def answer(prompt):
    """Return a move, given a JSON text; replace this by a call of a model."""
    legal = json.loads(prompt)["legal_moves"]
    return "B2" if "B2" in legal else legal[0]


def main():
    env = tictac.gym("3,3,3", opponent="casual", observation="json", render_mode="ansi")
    prompt, _ = env.reset(seed=4)
    game = tictac.Game()
    terminated = False
    while not terminated:
        print(prompt)
        move = answer(prompt)
        before = env.position
        prompt, reward, terminated, _, info = env.step(before.action(move))
        game = tictac.Game(start=before, moves=[move])
        print(f"-> {move}: {tictac.judge(game)[0].verdict}")
    print(env.render())
    return reward


if __name__ == "__main__":
    main()
