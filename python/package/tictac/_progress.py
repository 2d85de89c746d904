"""Progress of long computations, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

# What takes less than this many seconds shows nothing.
_DELAY = 1.0
_INTERVAL = 0.2


def shown(items: Sequence[T], what: str) -> Iterator[T]:
    """Yield the items and, if standard error is a terminal, say there how many per cent are done."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield from items
        return
    due = time.monotonic() + _DELAY
    is_shown = False
    try:
        for done, item in enumerate(items):
            if done % 64 == 0 and time.monotonic() >= due:
                sys.stderr.write(f"\r{what}: {100 * done // len(items)} %")
                sys.stderr.flush()
                is_shown = True
                due = time.monotonic() + _INTERVAL
            yield item
    finally:
        if is_shown:
            sys.stderr.write("\r" + " " * (len(what) + 7) + "\r")
            sys.stderr.flush()
