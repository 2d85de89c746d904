"""Environments that can be copied and pickled."""

from __future__ import annotations

import copy
from typing import Self


class Copied:
    """A base of environments: a copy of any kind goes on independently, and both get the same random numbers."""

    def __copy__(self) -> Self:
        """Return a deep copy, because a shallow one would share the game with its original."""
        return copy.deepcopy(self)
