# SPDX-License-Identifier: MIT
"""The page on a free port, over platforms whose rows are computed and not measured."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from places import ROOT
from stores import own_rows

import aesfit.platforms.platform
from aesfit.cli.serve import _listening
from aesfit.web.app import create_app

FOLDER = ROOT / "platforms"


def _pretend(name: str, *changes: tuple[str, str]) -> str:
    text = (FOLDER / "cortex-m3.toml").read_text(encoding="utf-8")
    for old, new in (('name = "cortex-m3"', f'name = "{name}"'), *changes):
        assert old in text
        text = text.replace(old, new, 1)
    return text


@contextmanager
def pretending(folder: Path, *real: str) -> Iterator[None]:
    """Platforms: the published one, two that are made up, and one whose compiler is not there.

    `real`: platforms of the project to have beside them.
    """
    own = folder / "platforms"
    own.mkdir()
    fake = ('rig = "emulator"', 'rig = "fake"')
    cached = ("data_cache = false", "data_cache = true")
    lost = ('command = "arm-none-eabi-gcc"', 'command = "no-such-compiler"')
    files = {
        **{name: (FOLDER / f"{name}.toml").read_text("utf-8") for name in ("lx-st200", *real)},
        "pretend": _pretend("pretend", fake),
        "pretend-cached": _pretend("pretend-cached", fake, cached),
        "lacking": _pretend("lacking", lost),
    }
    for name, text in files.items():
        (own / f"{name}.toml").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aesfit.platforms.platform, "project_folder", lambda name: own)
        patch.setenv("AESFIT_CACHE", own_rows(folder))
        yield


@contextmanager
def serving() -> Iterator[str]:
    """The page's address while it is served by a thread of this process."""
    listener = _listening("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(create_app(), log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
