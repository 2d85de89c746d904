"""The environments registered with Gymnasium."""

from ._missing import needs

VARIANTS = {
    "tictac/TicTacToe-v0": "3,3,3",
    "tictac/Misere-v0": "3,3,3 misere",
    "tictac/Wild-v0": "3,3,3 wild",
    "tictac/Notakto-v0": "notakto",
    "tictac/Mnk433-v0": "4,3,3",
    "tictac/Mnk443-v0": "4,4,3",
    "tictac/Mnk444-v0": "4,4,4",
}
"""The names of the environments; each takes the options of `GymEnv`, `rules` too."""


def register() -> None:
    """Register the environments with Gymnasium, so that `gymnasium.make("tictac/TicTacToe-v0")` works.

    This happens by itself if Gymnasium is imported before `tictac`, and when the first environment is made.
    """
    with needs("gymnasium"):
        import gymnasium

    for name, rules in VARIANTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="tictac.gymnasium_env:GymEnv",
                vector_entry_point="tictac.vector_env:VectorEnv",
                # Both entry points play the same game; alone, a VectorEnv would be self-play.
                kwargs={"rules": rules, "opponent": "random"},
            )
