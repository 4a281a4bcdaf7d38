# SPDX-License-Identifier: MIT
"""`aesfit prove`: its table, JSON, stored proofs, the user's own firmware, and refusals."""

import json
import subprocess
from pathlib import Path
from platform import machine

import pytest
from click.testing import CliRunner, Result
from own_firmware import linked
from stores import own_rows

import aesfit
from aesfit.building import sources
from aesfit.building.build import FIRMWARE, include_flags
from aesfit.cli import app
from aesfit.extras import PROOFS, missing
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not

LACKING = missing("the prover", PROOFS) or why_not(platform_named("cortex-m3"))
needs_prover = pytest.mark.skipif(LACKING is not None, reason=str(LACKING))
ONE = ("--platform", "cortex-m3", "--core", "transposed")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))
    monkeypatch.chdir(tmp_path)


def prove(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["prove", *arguments])


@needs_prover
def test_json_is_that_of_the_function_and_the_table_says_the_same() -> None:
    done = prove(*ONE, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    answer = aesfit.prove("cortex-m3", cores="transposed")
    assert told == json.loads(json.dumps(answer.as_json()))
    assert [one["op"] for one in told] == ["encrypt-block", "decrypt-block"]
    outcomes = [[one["outcome"] for one in proof["statements"]] for proof in told]
    assert outcomes == [["proved", "told", "told"]] * 2
    assert not answer.failed
    assert len(answer.rows) == 6
    table = prove(*ONE).stdout.splitlines()
    assert table[1].split()[:5] == ["cortex-m3", "transposed", "128", "encrypt-block", "proved"]


@needs_prover
def test_what_was_proved_is_not_proved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from aesfit.proving import prove as proving

    def never(job: object) -> None:
        raise AssertionError("it is kept")

    first = prove(*ONE, "--json").stdout
    monkeypatch.setattr(proving, "_proved", never)
    assert prove(*ONE, "--json").stdout == first


@needs_prover
def test_firmware_of_ones_own_is_proved_through_its_public_functions(tmp_path: Path) -> None:
    linked(sources.unit("fixslice", ["cmac"]), "aesfit_cmac")
    own = ("--platform", "cortex-m0plus", "--elf", "own.elf", "--bytes", "17", "--json")
    for symbol in ("aesfit_cmac", "aesfit_cmac_verify"):
        done = prove(*own, "--symbol", symbol)
        assert done.exit_code == 0, done.output
        (told,) = json.loads(done.stdout)
        assert [one["outcome"] for one in told["statements"]] == ["proved"] * 3
    wrong = prove(*own, "--symbol", "aesfit_ccm_encrypt")
    assert (wrong.exit_code, "no symbol" in wrong.output) == (2, True)


FLAG = """unsigned ready;
int own_cmac(const aesfit_key *key, const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes)
{
    if (ready && (key->schedule[0] & 1))
        __asm__ volatile("nop");
    return aesfit_cmac(key, in, bytes, tag, tag_bytes);
}
int own_expand_key(aesfit_key *key, const aesfit_core *core, const uint8_t *raw, size_t bytes,
                   unsigned directions)
{
    return aesfit_expand_key(key, core, raw, bytes, directions);
}
"""


@needs_prover
def test_nothing_is_assumed_of_variables_that_the_program_may_write() -> None:
    """A flag that start-up sets leads to a branch on the key; the file holds 0."""
    linked(sources.unit("fixslice", ["cmac"]) + FLAG, "own_cmac")
    where = ("--platform", "cortex-m0plus", "--elf", "own.elf", "--symbol", "own_cmac")
    own = (*where, "--bytes", "0", "--json")
    unknown = prove(*own)
    assert unknown.exit_code == 1
    assert "it reads 'ready', which the program may write; --assume ready=<value>" in unknown.stdout
    cleared, ready = prove(*own, "--assume", "ready=0"), prove(*own, "--assume", "ready=1")
    (told,) = json.loads(cleared.stdout)
    assert (cleared.exit_code, told["assumed"]) == (0, ["ready = 0"])
    assert ready.exit_code == 1
    wrong = prove(*own, "--assume", "aesfit_cmac=1")
    assert (wrong.exit_code, "is no variable that can hold 1" in wrong.output) == (2, True)


@needs_prover
@pytest.mark.skipif(machine() != "x86_64", reason="gcc makes code of another processor")
def test_a_program_of_this_computer_is_proved(tmp_path: Path) -> None:
    Path("unit.c").write_text(sources.unit("transposed", ["ecb"]))
    Path("memory.c").write_text((FIRMWARE / "memory.c").read_text(encoding="utf-8"))
    flags = ["-O2", "-m64", "-static", "-nostdlib", "-no-pie", "-fno-pic", "-fno-stack-protector"]
    subprocess.run(
        ["gcc", *flags, "-fno-tree-loop-distribute-patterns", *include_flags(), "unit.c",
         "memory.c", "-Wl,--entry=aesfit_ecb_encrypt", "-o", "own.elf"],
        check=True,
    )  # fmt: skip
    own = ("--platform", "x86-64", "--elf", "own.elf", "--bytes", "32", "--json")
    done = prove(*own, "--symbol", "aesfit_ecb_encrypt")
    (told,) = json.loads(done.stdout)
    assert [one["outcome"] for one in told["statements"]] == ["proved", "refuted", "told"]
    assert done.exit_code == 1, "its tables are read at secret addresses"


@needs_prover
@pytest.mark.parametrize(
    ("file", "symbol", "sentence"),
    [
        ("none.elf", "aesfit_cmac", "none.elf is no file; name a linked ELF file"),
        ("text.elf", "aesfit_cmac", "is no ELF file"),
        ("text.elf", "my_function", "there is no public function"),
    ],
)
def test_wrong_files_are_refused(file: str, symbol: str, sentence: str) -> None:
    Path("text.elf").write_text("no program")
    done = prove("--platform", "cortex-m3", "--elf", file, "--symbol", symbol)
    assert done.exit_code == 2
    assert sentence in " ".join(done.output.split())
