# SPDX-License-Identifier: MIT
"""The page on a free port, over platforms whose rows are computed and not measured."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import pytest
import uvicorn
from fakes import pretended
from stores import own_rows

import aesfit.platforms.find
import aesfit.platforms.trust
import aesfit.web.answers
from aesfit.api.fit import fit
from aesfit.cachemodel.versions import ranked_cores
from aesfit.choosing.answer import Answer
from aesfit.choosing.request import jobs
from aesfit.cli.serve import _listening
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.web.app import create_app
from aesfit.web.guard import LIMITS

FIRST = 3
"""Cores that are measured before Halting waits."""


class Halting:
    """Measures some cores for the page, waits to be let go, and measures the rest.

    A test that fails lets it go too, or the server would never end.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        """In the place of the page's own way to measure."""
        self.go = threading.Event()
        self.begun: list[str] = []
        self._whole = fit
        patch.setattr(aesfit.web.answers, "fit", self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.go.set()

    def __call__(self, platform: Platform, **asked: Any) -> Answer:  # noqa: ANN401 - of fit
        """As aesfit.fit; what is known is answered at once."""
        progress = asked["progress"]
        if progress is None:
            return self._whole(platform, **asked)
        self.begun.append(asked["mode"])
        names = ranked_cores(platform)
        first = self._whole(platform, **{**asked, "cores": names[:FIRST], "progress": None})
        request = first.choice.request
        progress(FIRST * len(request.ops), len(jobs(request, names)))
        self.go.wait()
        return self._whole(platform, **asked)


@contextmanager
def pretending(folder: Path, *real: str) -> Iterator[None]:
    """Platforms: the published one, two that are made up, and one whose compiler is not there.

    `real`: platforms of the project to have beside them.
    """
    own = folder / "platforms"
    for kind in ("processors", "chips"):
        (own / kind).mkdir(parents=True)
    cached = ("data_cache = false", "data_cache = true")
    lost = (
        ('rig = "fake"', 'rig = "emulator"'),
        ('command = "arm-none-eabi-gcc"', 'command = "no-such-compiler"'),
    )
    for name in ("lx-st200", *real):
        path = platform_named(name).path
        shutil.copy(path, own / path.parent.name)
    made = {"pretend": (), "pretend-cached": (cached,), "lacking": lost}
    for name, changes in made.items():
        text = pretended(name, *changes)
        (own / "chips" / f"{name}.toml").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        for module in (aesfit.platforms.find, aesfit.platforms.trust):
            patch.setattr(module, "project_folder", lambda name: own)
        patch.setenv("AESFIT_CACHE", own_rows(folder))
        yield


@contextmanager
def serving() -> Iterator[str]:
    """The page's address while it is served by a thread of this process."""
    listener = _listening("127.0.0.1", 0)
    server = uvicorn.Server(
        uvicorn.Config(create_app(), log_level="warning", access_log=False, **LIMITS)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
