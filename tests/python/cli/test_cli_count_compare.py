# SPDX-License-Identifier: MIT
"""`aesfit count --compare`: the same call in two builds, as a table, a line and JSON."""

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from aesfit.cli import app
from aesfit.extras import EMULATOR, missing

LACKING = missing("the emulator", EMULATOR)
pytestmark = pytest.mark.skipif(LACKING is not None, reason=str(LACKING))
SOURCE = "unsigned f(unsigned n) { unsigned s = 0; while (n > 0) s += n-- * 3; return s; }\n"


def built(folder: Path, name: str, source: str, *flags: str) -> str:
    (folder / "f.c").write_text(source, encoding="utf-8")
    target = folder / name
    command = ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", *flags, "-c"]
    subprocess.run([*command, folder / "f.c", "-o", target], check=True)
    return str(target)


def count(now: str, before: str, *more: str) -> Result:
    words = ["count", "--platform", "cortex-m3", "--elf", now, "--compare", before]
    return CliRunner().invoke(app, [*words, "--function", "f", "--arg", "int:20", *more])


def test_both_are_counted_and_the_change_is_told(tmp_path: Path) -> None:
    now, before = (built(tmp_path, f"{level}.o", SOURCE, level) for level in ("-O2", "-O0"))
    result = count(now, before, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["same"]
    assert told["before"]["cycles"] > told["cycles"]
    change = 100 * (told["cycles"] / told["before"]["cycles"] - 1)
    assert told["change_percent"]["cycles"] == round(change, 2)
    line = f"compared: cycles {told['before']['cycles']} -> {told['cycles']}, stack bytes "
    assert line in count(now, before).stdout


def test_a_figure_that_was_0_has_no_change_in_per_cent(tmp_path: Path) -> None:
    now = built(tmp_path, "now.o", SOURCE, "-O2")
    told = json.loads(count(now, now, "--json").stdout)
    assert told["change_percent"] == {
        "cycles": 0, "instructions": 0, "loads": None, "stores": None, "stack_bytes": None
    }  # fmt: skip


def test_other_results_are_an_error(tmp_path: Path) -> None:
    """Their cycles are still printed."""
    now = built(tmp_path, "now.o", SOURCE.replace("* 3", "* 5"), "-O2")
    result = count(now, built(tmp_path, "before.o", SOURCE, "-O2"))
    assert result.exit_code == 1
    assert "the results differ" in result.stderr
    assert "compared: cycles" in result.stdout
