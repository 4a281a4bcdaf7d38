# SPDX-License-Identifier: MIT
"""`aesfit measure`: what it prints and writes, and what it refuses; on a rig of formulas."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import fakes
import pytest
from click.testing import CliRunner, Result

import aesfit
from aesfit.cachemodel.versions import modelled_cores, ranked_cores
from aesfit.cli import app
from aesfit.jobs.job import Job
from aesfit.measuring import measure as measuring
from aesfit.measuring.measure import Refusal
from aesfit.measuring.measure import Result as Measured
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not
from aesfit.rigs.emulator.tracer import build
from aesfit.rigs.host.rig import HostRig

ROW_KEYS = [
    *("platform", "core", "key_bits", "op", "mode", "bytes", "cycles", "cycles_per_byte"),
    *("instructions", "code_bytes", "table_bytes", "round_key_bytes", "context_bytes"),
    *("stack_bytes", "timing", "evidence", "provenance", "cycles_min", "cycles_max"),
    "proved",
    "unproved",
    "worst_cycles",
]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def pretend(tmp_path: Path) -> str:
    """A Cortex-M3 with a clock, whose figures follow from a formula."""
    return fakes.pretend(tmp_path)


def measure(platform: str, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["measure", "--platform", platform, *arguments])


def test_json_is_a_list_of_rows_with_the_stable_keys(pretend: str) -> None:
    result = measure(pretend, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    rows: list[dict[str, Any]] = json.loads(result.stdout)
    assert len(rows) == 4 * len(ranked_cores(platform_named(pretend)))
    for row in rows:
        assert list(row) == ROW_KEYS
        assert (row["mode"], row["platform"]) == (None, "pretend")
        setup = "key-setup" in row["op"]
        assert (row["bytes"] == 0, row["cycles_per_byte"] is None) == (setup, setup)


def test_all_cores_may_be_named_all(pretend: str) -> None:
    """Those for the papers are among them, and not where the option is left out."""
    named = measure(pretend, "--op", "encrypt-block", "--core", "all", "--json")
    assert named.exit_code == 0
    rows = json.loads(named.stdout)
    assert [row["core"] for row in rows] == modelled_cores(platform_named(pretend))
    for_papers = {core.name for core in aesfit.cores() if core.study}
    left = [row for row in rows if row["core"] not in for_papers]
    assert left == json.loads(measure(pretend, "--op", "encrypt-block", "--json").stdout) != rows


def test_rows_as_csv_over_an_older_file(pretend: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    out.write_text("older")
    assert measure(pretend, "--core", "compact,fixslice", "-o", str(out)).exit_code == 0
    with out.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["core"] for row in rows] == ["compact"] * 4 + ["fixslice"] * 4
    first = ROW_KEYS[: ROW_KEYS.index("provenance")]
    assert list(rows[0])[: len(first)] == first


def test_a_device_is_written_to_and_stays(pretend: str) -> None:
    assert measure(pretend, "--core", "compact", "-o", os.devnull).exit_code == 0
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--core", "nope"], "on pretend there is no core 'nope'"),
        (["--core", "aesni"], "core 'aesni' needs"),
        (["--core", ""], "name at least one, or leave the option out"),
        (["--key-bits", ","], "name at least one: 128, 192, 256"),
        (["--key-bits", "127"], "'127' is not a key size"),
        (["--op", ""], "name at least one: key-setup-encrypt"),
        (["--op", "message"], "without --mode there is no operation 'message'"),
        (["--mode", "ccm", "--op", "encrypt-block"], "with --mode there is no operation"),
        (["--mode", ""], "there is no mode ''"),
        (["--bytes", "64"], "give --mode too"),
        (["--ghash", "shift32"], "only gcm has one"),
        (["--mode", "ecb", "--bytes", "65"], "ECB takes 0 to 16777216 bytes in steps of 16"),
        (["--mode", "ccm", "--bytes", "70000"], "CCM takes 0 to 65535 bytes, not 70000"),
        (["--mode", "ccm", "--bytes", "0"], "'0' is not a payload"),
        (["-o", "/nonexistent/a.csv"], "there is no folder '/nonexistent'"),
        (["-o", "/tmp"], "'/tmp' is a folder"),
        (["--clock", "72MB"], "'72MB' is not a clock, such as 72MHz"),
        (["--flags=-O9"], "'-O9' is not a level of optimisation"),
        (["--buffers", "reset"], "pretend has no flash whose buffers can be set"),
        (["--tables", "rom"], "on pretend there is no memory 'rom'; the nearest is 'ram'"),
        (["--flash-wait", "-1"], "range x>=0"),
    ],
)
def test_usage_errors(pretend: str, arguments: list[str], sentence: str) -> None:
    result = measure(pretend, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in " ".join(result.stderr.split())


def test_one_sentence_for_each_reason(pretend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs that fail for the same reason are reported once; rows of others are still printed."""
    really = measuring._run_one

    def some(one: Job) -> Measured:
        return Refusal(one, "no such flag") if one.core.startswith("b") else really(one)

    monkeypatch.setattr(measuring, "_run_one", some)
    result = measure(pretend, "--core", "bytewise,bytewise_alt1,compact", "--json")
    assert result.exit_code == 1
    assert {row["core"] for row in json.loads(result.stdout)} == {"compact"}
    assert result.stderr == "aesfit: pretend, bytewise, bytewise_alt1 (8 jobs): no such flag\n"


@pytest.mark.parametrize("error", [RuntimeError, ValueError])
def test_a_job_that_fails_does_not_take_the_others_along(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Rig:
        def measure(self, _jobs: object, _progress: object) -> list[object]:
            raise error("it went wrong")

    monkeypatch.setattr(measuring, "rig_of", lambda _: Rig())
    assert measuring._run_one(fakes.job()) == Refusal(fakes.job(), "it went wrong")


def test_instructions_on_the_host_are_another_measurement() -> None:
    one = replace(fakes.job(), platform=platform_named("x86-64"), op="encrypt-block", mode=None)
    one = replace(one, bytes=None)
    assert HostRig().key(one) != HostRig(instructions=True).key(one)


def endless_compiler(folder: Path, command: str) -> None:
    """One that says through a pipe that it has begun, and waits at another for ever."""
    for name in ("begun", "never"):
        os.mkfifo(folder / name)
    (folder / command).write_text(
        f"""#!/bin/sh
        [ "$1" = --version ] && exec {shutil.which(command)} "$@"
        echo compiling > {folder}/begun
        exec cat {folder}/never
        """
    )
    (folder / command).chmod(0o700)


def test_an_interrupt_ends_it_quietly(tmp_path: Path) -> None:
    """No traceback of this process or of those that emulate, and a cache that is whole."""
    reason = why_not(platform_named("arm7tdmi"))
    if reason:
        pytest.skip(reason)
    build.cache_clear()
    build()  # into this test's cache folder, so that the command need not say so
    endless_compiler(tmp_path, platform_named("rv32i").compiler.command)
    chosen = ["--platform", "arm7tdmi,rv32i", "--core", "bytewise", "--json"]
    run = subprocess.Popen(
        [sys.executable, "-m", "aesfit", "measure", *chosen],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )
    assert (tmp_path / "begun").read_text(encoding="utf-8") == "compiling\n"
    os.killpg(run.pid, signal.SIGINT)
    assert run.communicate() == ("", "")
    assert run.returncode == 130
    again = measure("arm7tdmi", "--core", "bytewise", "--json")
    assert (again.exit_code, again.stderr) == (0, "")


def test_the_cache_is_set_on_the_command_line() -> None:
    reason = why_not(platform_named("arm9-cached"))
    if reason:
        pytest.skip(reason)

    def row(*geometry: str) -> dict[str, Any]:
        chosen = ("--core", "transposed", "--op", "encrypt-block", "--json", *geometry)
        result = measure("arm9-cached", *chosen)
        assert result.exit_code == 0, result.output
        found: dict[str, Any] = json.loads(result.stdout)[0]
        return found

    free, dear = row("--miss-penalty", "0"), row("--miss-penalty", "10")
    assert free["stall_cycles"] == 0
    assert dear["cycles"] == free["cycles"] + dear["stall_cycles"]
    misses = dear["stall_cycles"] // 10
    longer = row("--miss-penalty", "10", "--line", "64", "--cache", "4K", "--ways", "2")
    assert 0 < longer["stall_cycles"] // 10 < misses
    told = "data cache of 4096 bytes, 2 ways, lines of 64 bytes, 10 cycles a miss"
    assert told in longer["provenance"]["memory"]


def test_a_chip_is_measured_at_its_clock() -> None:
    """Where its flash waits a block takes longer, and buffers shorten that again."""
    reason = why_not(platform_named("stm32f103"))
    if reason:
        pytest.skip(reason)

    def cycles(platform: str, *chip: str) -> float:
        chosen = ("--core", "compact", "--op", "encrypt-block", "--json", *chip)
        result = measure(platform, *chosen)
        assert result.exit_code == 0, result.output
        return float(json.loads(result.stdout)[0]["cycles"])

    ideal, slow, fast = (
        cycles("cortex-m3"),
        cycles("stm32f103", "--clock", "24MHz"),
        cycles("stm32f103"),
    )
    assert ideal == slow < cycles("stm32f103", "--clock", "48MHz") < fast
    too_fast = measure("stm32f103", "--clock", "73MHz")
    assert too_fast.exit_code == 2
    assert "its clock is at most 72 MHz, not 73" in " ".join(too_fast.stderr.split())


def test_a_firmware_that_only_encrypts_blocks_is_measured_without_decryption() -> None:
    asked = ("--core", "compact", "--mode", "block", "--encrypt-only")
    result = measure("cortex-m3", *asked, "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert [row["op"] for row in rows] == ["key-setup-encrypt", "encrypt-block"]
    refused = measure("cortex-m3", *asked, "--op", "decrypt-block")
    assert refused.exit_code == 2
    assert "it has: key-setup-encrypt, encrypt-block" in " ".join(refused.stderr.split())
