"""The value of a position."""

from enum import StrEnum


class Value(StrEnum):
    """The result of perfect play for the player to move; each member equals its text.

    >>> Value("win") is Value.WIN, Value.WIN == "win", Value.WIN.score
    (True, True, 1)
    """

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def score(self) -> int:
        """The value as a number: 1, 0 or -1."""
        return {"win": 1, "draw": 0, "loss": -1}[self.value]
