"""Objects that refuse to be copied."""

from __future__ import annotations

from typing import NoReturn


class Uncopied:
    """A base of environments, whose copies would share one game in Rust."""

    def __reduce__(self) -> NoReturn:
        """Refuse `copy` and `pickle`."""
        raise TypeError(f"{type(self).__name__} cannot be copied or pickled; make a new one, with start=env.position")
