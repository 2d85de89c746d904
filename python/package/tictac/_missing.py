"""What to install where an optional package is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(package: str) -> Iterator[None]:
    """Tell which package to install if an import within this block does not find one."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(f"{error}; this needs {package}: pip install {package}", name=error.name) from error
