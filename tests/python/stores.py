# SPDX-License-Identifier: MIT
"""A store of a test's own that compiles nothing which another test has compiled."""

from pathlib import Path

from aesfit.store.contents import BUILDS, cache_folder, make_folder


def own_rows(folder: Path) -> str:
    """A cache folder below `folder`: its rows are its own, and what is built is the whole run's.

    Entries of builds are named by all that they are made from, so that no test can find another
    test's in the place of its own.  Not for tests that remove entries or look at them.
    """
    built = cache_folder() / BUILDS
    make_folder(built)
    own = folder / "cache"
    own.mkdir()
    (own / BUILDS).symlink_to(built)
    return str(own)
