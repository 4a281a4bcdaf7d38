# SPDX-License-Identifier: MIT
"""Cores in assembly: equal to FIPS 197, nothing left behind, their stack; planted faults."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from assembly_cores import assembly_cores, headers, made_for
from few import slow_but
from images import DECRYPT, ENCRYPT, block_job, change, needs_prover
from shown import equality, independence

import aesfit
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.proving.freestanding import NOT_FOLLOWED

pytestmark = needs_prover
FOLLOWED = {
    core: [one.name for one in made_for(core) if one.isa not in NOT_FOLLOWED]
    for core in assembly_cores()
}
ON = [(core, name) for core, names in FOLLOWED.items() for name in names]
ONE = [(core, names[0]) for core, names in FOLLOWED.items()]
TURN = [(*one, op) for one, op in zip(ONE, (ENCRYPT, DECRYPT) * len(ONE), strict=False)]
"""Each core once, the direction in turn: what runs without --slow is taken from these."""


def in_turn(quick: Sequence[tuple[str, ...]], cases: Sequence[tuple[str, str]]) -> list[Any]:
    """Both directions of the cases; those that are not among `quick` run with --slow alone."""
    return slow_but(quick, [(*one, op) for op in (ENCRYPT, DECRYPT) for one in cases])


@pytest.mark.parametrize(("core", "platform", "op"), in_turn(TURN[::3], ON))
def test_equal_to_the_standard_and_independent(
    core: str, platform: str, op: str, slow: bool
) -> None:
    """Preserved registers, and nothing used below the stack pointer, are part of both proofs; 1 to
    lanes + 1 blocks, apart and in place, aligned and not.  What was proved before is taken from the
    store."""
    from aesfit.proving.independence import claimed
    from aesfit.proving.prove import prove

    for bits in (128, 192, 256) if slow else (192,):
        job = block_job(platform, core, op, bits)
        (proof,) = prove([job], fresh=False, progress=lambda done, total: None)
        equal, independent, _ = proof.statements
        assert equal.outcome == "proved", bits
        assert independent.outcome == ("proved" if claimed(job) else "told"), bits


@pytest.mark.parametrize(("core", "platform"), slow_but(ONE[1::4], ON))
def test_nothing_is_left_behind(core: str, platform: str, slow: bool) -> None:
    for op in ("encrypt", "decrypt"):
        for bits in (128, 192, 256) if slow else (256,):
            job = Job(platform_named(platform), core, bits, op, mode="cbc", bytes=48)
            _, left = independence(job)
            assert left.outcome == "proved", (op, bits, left)


AROUND = 64
"""Bytes that the function in C around one in assembly may take."""


@pytest.mark.few(one_in=6)
@pytest.mark.parametrize(("core", "platform"), ON)
def test_stack_is_as_declared(core: str, platform: str) -> None:
    """What the heads of the functions say: first encryption's, then decryption's; those for counter
    blocks follow.  Loops of the longest keys may take more of it."""
    texts = "".join(path.read_text(encoding="utf-8") for path in headers(core))
    declared = [int(one) for one in re.findall(r"(\d+) bytes of stack", texts)][:2]
    rows = aesfit.measure(platform, cores=core, ops=(ENCRYPT, DECRYPT), key_bits=256).measured
    assert [row.op for row in rows] == [ENCRYPT, DECRYPT]
    for row, stack in zip(rows, declared, strict=True):
        assert row.stack_bytes is not None
        assert stack <= row.stack_bytes <= stack + AROUND


SAVED_AROUND = {
    ("fixslice_4k_armv7m", DECRYPT),
    ("ttable_diffused_armv6m", ENCRYPT),
    ("ttable_diffused_armv6m", DECRYPT),
}
"""C around these saves r4 for its own use, so that the second register is lost."""
SAVING = [one for one in ONE if one[0] != "ttable_diffused_rv32"]
"""Cores whose functions change registers that they preserve."""


RESTORED = re.compile(
    r'"lw s0, \d+\(sp\)\\n\\t"(?=(?:(?!"lw s0, |"addi sp, sp, \d).)*"addi sp, sp, \d)', re.DOTALL
)
"""The last load of s0 before the stack frame is given up."""


def lose_a_register(text: str, *, second: bool = False) -> str:
    """The first preserved register is not brought back, or the second of ARM's."""
    kept, rest = (r'"\1 {r4}\\n\\t"\n', "r6") if second else ("", "r5")
    lost = re.sub(
        r'"(pop(\.w)?) \{r4-(r\d+(?:, (?:pc|lr))?)\}\\n\\t"',
        rf'{kept}"add\2 sp, sp, #4\\n\\t"\n"\1 {{{rest}-\3}}\\n\\t"',
        text,
    )
    lost = RESTORED.sub('""', lost)
    assert lost != text
    return lost


STARTS = re.compile(r"AESFIT_((ARM_)?ASSEMBLY|INLINE) void")


def exchange_two(text: str) -> str:
    """In the middle of each function, two instructions of which one needs the other's place."""
    lines = text.split("\n")
    starts = [at for at, line in enumerate(lines) if STARTS.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        behind = range((start + end) // 2, end - 1)
        ways = (takes, takes_shifted, overwrites)
        at = next(at for taking in ways for at in behind if taking(lines[at + 1], lines[at]))
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)


def takes(later: str, earlier: str) -> bool:
    """Both are exclusive ORs, one takes what the other gives; those into one register commute."""
    gives, reads = (re.search(r'"[ex]or\S* (\w+), (.*?)\\n', line) for line in (earlier, later))
    if not gives or not reads or gives[1] == reads[1]:
        return False
    return gives[1] in re.findall(r"\w+", reads[2])


def takes_shifted(later: str, earlier: str) -> bool:
    """An exclusive OR takes a byte that was moved up, or a mask one that was moved down."""
    gives = re.search(r'"(?:lsls (\w+), \w+, #8|srli (\w+), .*?)\\n', earlier)
    reads = re.search(r'"(?:eors|andi) (.*?)\\n', later)
    return bool(gives and reads and (gives[1] or gives[2]) in re.findall(r"\w+", reads[1]))


def overwrites(later: str, earlier: str) -> bool:
    """A load writes a register that the exclusive OR before it reads."""
    reads = re.search(r'"eor\S* \w+, (.*?)\\n', earlier)
    gives = re.search(r'"ldr\S* (\w+), \[', later)
    return bool(reads and gives and gives[1] in re.findall(r"\w+", reads[1]))


@pytest.mark.parametrize(("core", "platform", "op"), in_turn(TURN[::6], SAVING))
def test_a_lost_register_is_found(
    core: str, platform: str, op: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose = partial(lose_a_register, second=(core, op) in SAVED_AROUND)
    change(tmp_path, monkeypatch, f"assembly/{headers(core)[0].name}", lose)
    statement = equality(block_job(platform, core, op), planted=True)
    if statement.outcome == "refuted":
        assert {one.kind for one in statement.findings} == {"register not preserved"}
        assert any(re.search(r"\b(r4|r5|s0)\b", one.text) for one in statement.findings)
    else:  # the C code around the function goes on with what it finds there
        assert statement.outcome == "open"
        cause = "a branch depends on a secret|cannot follow|a value that nobody wrote"
        assert re.search(cause, statement.detail)


@pytest.mark.parametrize(("core", "platform", "op"), in_turn(TURN[3::6], ONE))
def test_a_wrong_order_is_refuted(
    core: str, platform: str, op: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(tmp_path, monkeypatch, f"assembly/{headers(core)[0].name}", exchange_two)
    statement = equality(block_job(platform, core, op), planted=True)
    assert statement.outcome == "refuted"
    assert "gives" in statement.detail
