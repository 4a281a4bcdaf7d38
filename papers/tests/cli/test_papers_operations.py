# SPDX-License-Identifier: MIT
"""`aesfit papers operations`: counted blocks, and the split of the bytewise family by function."""

import csv
import io
import json
import shutil
import subprocess
from typing import Any

import pytest
from click.testing import CliRunner, Result
from few import slow_but

from aesfit.catalog import cores
from aesfit.cli import app
from aesfit.platforms.find import platform_named

pytest.importorskip("capstone")
pytest.importorskip("unicorn")
pytestmark = pytest.mark.skipif(
    not all(shutil.which(c) for c in ("arm-none-eabi-gcc", "riscv64-unknown-elf-gcc")),
    reason="no cross-compilers; apt-get install gcc-arm-none-eabi gcc-riscv64-unknown-elf",
)

from aesfit.jobs.job import Job  # noqa: E402
from aesfit.rigs import rig_named  # noqa: E402
from aesfit.rigs.firing import WrongOutputError  # noqa: E402
from aesfit_papers.instruction_counts import block_run  # noqa: E402
from aesfit_papers.instruction_counts.block_run import (  # noqa: E402
    STEPS_APART,
    BlockQuestion,
    run,
    standard_rounds,
)
from aesfit_papers.instruction_counts.functions import FAMILY, FRAME, Split, split  # noqa: E402
from aesfit_papers.instruction_counts.operation_answer import DIRECTIONS  # noqa: E402
from aesfit_papers.instruction_counts.operations import count  # noqa: E402

KEYS = ["platform", "core", "key_bits", "rounds", "classes", "formula", "functions"]
CLASSES = ["and", "or", "xor", "shift", "load", "store", "branch", "other"]
CALLS = {
    "key-setup": {"KeyExpansion": 1},
    "encrypt": {"AddRoundKey": 11, "SubBytes": 10, "ShiftRows": 10, "MixColumns": 9},
    "decrypt": {"AddRoundKey": 11, "InvSubBytes": 10, "InvShiftRows": 10, "InvMixColumns": 9},
}


def asked(
    platform: str, core: str, flags: str = "-O2", key_bits: int = 128, rounds: int | None = None
) -> BlockQuestion:
    standard = standard_rounds(key_bits)
    return BlockQuestion(
        platform_named(platform), core, key_bits, rounds or standard, tuple(flags.split())
    )


def ops(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["papers", "operations", *arguments])


def told(*arguments: str) -> dict[str, Any]:
    result = ops(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def complaint(*arguments: str) -> str:
    result = ops(*arguments)
    assert result.exit_code == 2, result.output
    return " ".join(result.stderr.split())


def test_classes_as_csv_hold_what_json_holds() -> None:
    asked = ("--core", "compact", "--platform", "arm7tdmi")
    rows = list(csv.DictReader(io.StringIO(ops(*asked, "--csv").stdout)))
    assert list(rows[0]) == ["platform", "core", "direction", "class", "instructions"]
    counted = {row["class"]: row for row in rows if row["direction"] == "encrypt"}
    classes = told(*asked)["classes"]
    assert {name: int(row["instructions"]) for name, row in counted.items()} == classes


# --- counted blocks


@pytest.mark.few
@pytest.mark.parametrize("platform", ["arm7tdmi", "cortex-m0", "cortex-m4", "rv32i"])
@pytest.mark.parametrize("core", ["bytewise", "transposed_otf", "fixslice"])
def test_the_classes_are_all_that_was_executed(platform: str, core: str) -> None:
    ran = run(asked(platform, core), "decrypt")
    counts = count(ran.block, ran.instructions)
    assert list(counts.classes) == CLASSES
    assert counts.instructions == ran.block.instructions
    assert (counts.loads, counts.stores) == (ran.block.loads, ran.block.stores)
    assert all(counts.classes[name] for name in ("and", "xor", "load", "store", "branch"))
    assert bool(counts.folded_shifts) == (platform in ("arm7tdmi", "cortex-m4"))


@pytest.mark.few
@pytest.mark.parametrize("platform", ["arm7tdmi", "cortex-m0", "rv32i"])
@pytest.mark.parametrize(("key_bits", "rounds"), [(128, 10), (192, 12), (256, 14), (256, 3)])
def test_xors_of_bytewise_are_those_of_its_source(
    platform: str, key_bits: int, rounds: int
) -> None:
    """16 bytes of each round key, and three for each byte of MixColumns; reduced rounds too."""
    for direction in DIRECTIONS:
        ran = run(asked(platform, "bytewise", "-O2", key_bits, rounds), direction)
        counts = count(ran.block, ran.instructions)
        assert counts.classes["xor"] == 16 * (rounds + 1) + 48 * (rounds - 1)


@pytest.mark.few(one_in=8)
@pytest.mark.parametrize("core", [one.name for one in cores() if one.study_rounds])
def test_fewer_rounds_of_every_core_that_takes_them(core: str, slow: bool) -> None:
    """run() compares the output with another core's.  Each size one way; both ways if slow."""
    sizes = ((128, 1), (192, 5))
    for direction, each in zip(DIRECTIONS, sizes, strict=True):
        for key_bits, rounds in sizes if slow else (each,):
            fewer = run(asked("rv32i", core, "-O2", key_bits, rounds), direction)
            whole = run(asked("rv32i", core, "-O2", key_bits), direction)
            assert fewer.block.instructions < whole.block.instructions * (rounds + 2) / 12


def test_a_wrong_output_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_run, "_wanted", lambda *_: bytes(16))
    with pytest.raises(WrongOutputError, match=r"bytewise on arm7tdmi, encrypt-block, 10 rounds"):
        run(asked("arm7tdmi", "bytewise"), "encrypt", (STEPS_APART,))


# --- the split by function


def adds_up(found: Split) -> None:
    for total in found.totals:
        rows = [one for one in found.functions if one.window == total.window]
        assert rows[-1].name == FRAME
        assert sum(one.cycles for one in rows) == total.cycles
        assert sum(one.instructions for one in rows) == total.instructions
        assert sum(one.code_bytes for one in rows) == total.code_bytes
        symbols = [symbol for one in rows for symbol in one.symbols]
        assert len(symbols) == len(set(symbols))


def calls(found: Split) -> dict[str, dict[str, int]]:
    """Of the steps of each window, both forms together."""
    seen: dict[str, dict[str, int]] = {}
    for one in found.functions:
        if one.form:
            window = seen.setdefault(one.window, {})
            window[one.name] = window.get(one.name, 0) + one.calls
    return seen


FLAGS = {
    "arm7tdmi": "-O2",
    "cortex-m3": "-Os",
    "cortex-m0": "-O0",
    "rv32i": "-O0",
    "arm9tdmi": "-O3",
}


PAIRS = [(core, *one) for core in FAMILY for one in FLAGS.items()]
DIAGONAL = [(FAMILY[at % len(FAMILY)], *one) for at, one in enumerate(FLAGS.items())]


@pytest.mark.parametrize(("core", "platform", "flags"), slow_but(DIAGONAL, PAIRS))
def test_the_functions_add_up(core: str, platform: str, flags: str) -> None:
    """Each platform with one core, and each core with one platform or two; all pairs if slow."""
    found = split(asked(platform, core, flags))
    adds_up(found)
    assert calls(found) == CALLS
    assert [total.window for total in found.totals] == list(CALLS)
    forms = {one.form for one in found.functions} - {""}
    assert len(forms) == (2 if "alt" in core else 1)


def test_what_only_one_step_calls_belongs_to_it() -> None:
    """RV32I has no multiplication or division; at -O0 they are calls."""
    found = split(asked("rv32i", "bytewise", "-O0"))
    owned = {one.name: one.symbols for one in found.functions if one.window != "decrypt"}
    assert owned["ShiftRows"] == ("plain_shift_rows", "plain_rotate_rows", "__mulsi3")
    assert {"plain_key_expansion", "memcpy", "__umodsi3"} <= set(owned["KeyExpansion"])
    assert all(total.left_apart for total in found.totals)


def test_fewer_rounds_are_split_too() -> None:
    found = split(asked("arm7tdmi", "bytewise_alt1", "-O2", 256, 3))
    adds_up(found)
    assert calls(found)["decrypt"] == {
        "AddRoundKey": 4, "InvSubBytes": 3, "InvShiftRows": 3, "InvMixColumns": 2,
    }  # fmt: skip


def test_code_bytes_are_those_of_the_symbols() -> None:
    what = asked("arm7tdmi", "bytewise_unrolled")
    found = split(what)
    image = run(what, "encrypt", (STEPS_APART,)).image
    listed = subprocess.run(
        ["arm-none-eabi-nm", "-S", image.elf], capture_output=True, text=True, check=True
    ).stdout
    sizes = {line.split()[3]: int(line.split()[1], 16) for line in listed.splitlines()
             if len(line.split()) == 4}  # fmt: skip
    checked = 0
    for one in found.functions:
        if one.form and one.window != "decrypt":
            assert one.code_bytes == sum(sizes[symbol] for symbol in one.symbols)
            checked += 1
    assert checked == 5
    both = [total.code_bytes for total in found.totals if total.window != "decrypt"]
    assert sum(both) <= image.sizes.code_bytes


@pytest.mark.parametrize("core", ["bytewise", "bytewise_alt2"])
def test_the_inlined_totals_are_what_is_measured(core: str) -> None:
    platform = platform_named("cortex-m3")
    found = split(asked("cortex-m3", core, "-Os")).totals
    for total in found:
        op = "key-setup-encrypt" if total.window == "key-setup" else f"{total.window}-block"
        job = Job(platform, core, 128, op, flags=("-Os",))
        (row,) = rig_named("emulator").measure([job], lambda done, total: None)
        assert total.inlined_cycles == row.cycles
        assert total.inlined_instructions == row.instructions


def test_other_cores_have_no_such_steps() -> None:
    with pytest.raises(ValueError, match="ttable1 has no separate steps"):
        split(asked("arm7tdmi", "ttable1"))


# --- the verb


def test_json_of_the_bytewise_family() -> None:
    found = told("--core", "bytewise_unrolled", "--platform", "arm7tdmi", "--flags", "-O3")
    assert [key for key in found if key in KEYS] == KEYS
    assert list(found["classes"]) == CLASSES
    assert list(found["formula"]) == ["published", "repaired"]
    assert found["formula"]["published"]["encrypt"] == {
        "and": 1720, "or": 1268, "shift": 3180, "time": 6168,
    }  # fmt: skip
    assert found["formula"]["repaired"]["decrypt"]["time"] == 5612 + 9 * 4 * (96 + 72 - 32)
    assert (found["rounds"], found["flags"], found["blocks"]) == (10, "-O3", 1)
    step = next(one for one in found["functions"] if one["name"] == "MixColumns")
    assert {"name", "cycles", "code_bytes"} <= set(step)
    assert step["paper_bytes"] == 2533
    counted = found["counted"]["encrypt"]
    assert counted["and"] == found["classes"]["and"] + 2 * found["classes"]["xor"]
    assert counted["or"] == found["classes"]["or"] + found["classes"]["xor"]
    assert counted["shift"] == found["classes"]["shift"] + counted["folded_shifts"]
    assert counted["time"] == counted["and"] + counted["or"] + counted["shift"]
    assert sum(found["classes_decrypt"].values()) == found["counted"]["decrypt"]["instructions"]


def test_json_of_another_core() -> None:
    costs = ("--cost", "and=2,shift=0.5")
    found = told("--core", "fixslice", "--platform", "rv32i", "--key-bits", "256", *costs)
    assert found["functions"] == []
    assert (found["key_bits"], found["rounds"], found["blocks"]) == (256, 14, 2)
    assert found["costs"] == {"and": 2, "or": 1, "shift": 0.5}
    assert found["formula"]["published"]["encrypt"] == {
        "and": 2 * 2456, "or": 2 * 1812, "shift": 2 * 4588,
        "time": 2 * (2 * 2456 + 1812 + 0.5 * 4588),
    }  # fmt: skip


def test_text() -> None:
    result = ops("--core", "bytewise", "--platform", "cortex-m0", "--rounds", "4", "--flags=-Os")
    assert result.exit_code == 0, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    assert "4 rounds, which is not AES: for study only; -Os" in result.stdout
    assert ["encrypt:", "formula", "as", "published", "616", "452", "-", "1068", "2136"] in lines
    assert any(line[:3] == ["encrypt", "MixColumns", "3"] for line in lines)
    assert any(line[:4] == ["decrypt", "all,", "steps", "apart"] for line in lines)
    assert any(line[:3] == ["decrypt", "all,", "inlined"] for line in lines)


def test_flags_that_are_none_and_wrong() -> None:
    asked = ("--core", "ttable1", "--platform", "rv32i", "--flags")
    assert "10 rounds; no optimisation flags; 1 block." in ops(*asked, "").stdout
    wrong = ops(*asked, "-fno-such-thing")
    assert wrong.exit_code == 1
    assert "-fno-such-thing" in str(wrong.exception)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--platform", "hexagon"), "packets of up to four instructions"),
        (("--platform", "x86-64"), "take an emulated platform: arm7tdmi"),
        (("--platform", "lx-st200"), "only by published figures"),
        (("--platform", "arm7tdmi,rv32i"), "name one platform"),
        (("--platform", "rv32j"), "the nearest is 'rv32i'"),
        (("--platform", "rv32i", "--key-bits", "129"), "choose: 128, 192, 256"),
        (("--platform", "rv32i", "--rounds", "11"), "AES-128 has 10 rounds"),
        (("--platform", "rv32i", "--rounds", "0"), "--rounds"),
        (("--platform", "rv32i", "--cost", "xor=1"), "'xor=1' is not a cost"),
        (("--platform", "rv32i", "--cost", "and=-1"), "'and=-1' is not a cost"),
        (("--platform", "rv32i", "--cost", "and=nan"), "'and=nan' is not a cost"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], said: str) -> None:
    assert said in complaint("--core", "bytewise", *arguments)


def test_cores_that_cannot() -> None:
    assert "bytewise_alt1" in complaint("--core", "ttable1", "--platform", "rv32i", "--rounds", "4")
    assert "lacks" in complaint("--core", "aesni", "--platform", "rv32i")
    assert "'ttable1'" in complaint("--core", "ttable11", "--platform", "rv32i")
