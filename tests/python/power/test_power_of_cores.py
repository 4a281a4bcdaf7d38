# SPDX-License-Identifier: MIT
"""Cores traced in the model: their values, what fails, and the key."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from aesfit.cli import app
from aesfit.platforms.find import platform_named
from aesfit.power.cpa import attack
from aesfit.power.subjects import CoreSubject
from aesfit.power.ttest import t_test
from aesfit.rigs import why_not

M3 = platform_named("cortex-m3")
pytestmark = pytest.mark.skipif(why_not(M3) is not None, reason=str(why_not(M3)))
KEYS = {
    *("platform", "name", "instructions", "points", "noise", "traces", "fixed", "source"),
    *("threshold", "highest", "failed_at", "failing_points", "failing", "attack", "model"),
    *("limits", "schema"),
}
ROW_KEYS = {"function", "file", "line", "address", "instruction", "points"}


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["leak", "power", *arguments])


@pytest.mark.parametrize("name", ["cortex-m3", "cortex-m0plus", "rv32im-e31"])
def test_values_are_those_of_the_execution(name: str) -> None:
    subject = CoreSubject(platform_named(name), "ttable1")
    values = subject.run(np.random.default_rng(1), fixed=True)
    known = subject.machine.layout
    stored = [int(values[one.new]) for one in known.points if one.kind == "CELL"]
    cipher = subject.machine.read(subject._run.target, 16)
    words = {int.from_bytes(cipher[at : at + 4], "little") for at in range(0, 16, 4)}
    assert words <= set(stored) or set(cipher) <= {one & 0xFF for one in stored}


def test_a_core_fails_and_random_texts_in_both_halves_do_not() -> None:
    subject = CoreSubject(M3, "ttable1")
    found = t_test(subject, 200, 0.0)
    assert found.failed_at == 64
    subject.run = lambda draw, *, fixed: CoreSubject.run(subject, draw, fixed=False)  # type: ignore[method-assign]
    alike = t_test(subject, 400, 0.0)
    assert alike.failed_at is None
    assert np.abs(alike.t).max() < alike.threshold


def test_the_key_is_found_with_few_traces_and_not_under_much_noise() -> None:
    told: list[tuple[int, int]] = []
    found = attack(CoreSubject(M3, "ttable1"), 200, 3.0, lambda *one: told.append(one))
    assert told == sorted(told)
    assert told[0][0] <= 128
    assert {total for _, total in told} == {400}
    assert found.needed is not None
    assert found.needed <= 100
    assert 0.5 < found.snr < 3
    lost = attack(CoreSubject(M3, "ttable1"), 200, 500.0)
    assert lost.needed is None


def test_the_command_prints_records_with_places(tmp_path: Path) -> None:
    plot = tmp_path / "p.svg"
    told = asked(
        "--platform", "cortex-m3", "--core", "ttable1", "--traces", "100",
        "--attack", "ttest,cpa", "--json", "--plot", str(plot),
    )  # fmt: skip
    assert told.exit_code == 0, told.output
    record = json.loads(told.stdout)
    assert set(record) >= KEYS
    assert set(record["failing"][0]) == ROW_KEYS
    assert any(one["file"].endswith("ttable1.h") for one in record["failing"])
    assert "no single observed bit or transition depends on a secret" in record["limits"]
    assert plot.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--core", "ttable1", "--attack", "dpa"), "choose ttest or cpa"),
        ((), "give --core, or --elf"),
        (("--core", "ttable1", "--function", "f"), "--elf, --function and --arg go without --core"),
        (("--core", "ttable1", "--noise", "nan"), "bits from 0 to 1000"),
        (("--core", "ttable1", "--traces", "900000", "--attack", "cpa"), "ask for"),
    ],
)
def test_what_makes_no_sense_is_refused(options: tuple[str, ...], sentence: str) -> None:
    told = asked("--platform", "cortex-m3", *options)
    assert told.exit_code == 2, told.output
    assert sentence in " ".join(told.stderr.split())
