# SPDX-License-Identifier: MIT
"""Recipes of lines, kept in the user's cache as long as no source has changed.

To read and hash the sources of a question takes a fifth of its answer.  What was made from them is
kept under the stamp of all sources (store/stamp.py).
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..store import stamp
from ..store.contents import CacheError, cached, key
from .keys import Recipe

_SUFFIX = ".recipes"


def recalled(
    about: Sequence[object], make: Callable[[], Mapping[str, Recipe]]
) -> Mapping[str, Recipe]:
    """What `make` says of a question, made once while all sources stay as they are.

    `about`: what it depends on beside the sources.
    """
    now = stamp.of_sources()
    if now is None:
        return make()
    try:
        return _kept(key("recipes", now, *about), make)
    except CacheError:  # a folder that cannot be written
        return make()


def _kept(name: str, make: Callable[[], Mapping[str, Recipe]]) -> Mapping[str, Recipe]:
    def write(target: Path) -> dict[str, Any]:
        target.write_bytes(b"")
        return {line: [one.compiled, one.measured, one.sources] for line, one in make().items()}

    return {line: Recipe(*facts) for line, facts in cached(name, _SUFFIX, write)[1].items()}
