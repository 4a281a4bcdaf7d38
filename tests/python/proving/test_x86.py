# SPDX-License-Identifier: MIT
"""Freestanding images of x86-64: instructions against the emulator, cores and modes proved."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from evaluation import Evaluation
from images import DECRYPT, ENCRYPT, block_job, needs_prover, needs_x86, plant
from shown import equality, independence

from aesfit.building import build
from aesfit.catalog import cores
from aesfit.extras import EMULATOR, missing
from aesfit.jobs.abilities import lacks
from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.proving.domain import Value
from aesfit.proving.forms import Equality
from aesfit.proving.freestanding import followed
from aesfit.proving.known_bits import KnownBits, PartlyKnown
from aesfit.proving.known_bits import made as known
from aesfit.proving.special import SPECIAL
from aesfit.proving.words import made
from aesfit.proving.zones import Atoms

pytestmark = [needs_prover, needs_x86]
XMM0_XMM1 = "c1"
INSTRUCTIONS = {
    "aesenc": "660f38dc" + XMM0_XMM1,
    "aesenclast": "660f38dd" + XMM0_XMM1,
    "aesdec": "660f38de" + XMM0_XMM1,
    "aesdeclast": "660f38df" + XMM0_XMM1,
    "aesimc": "660f38db" + XMM0_XMM1,
    "aeskeygenassist": "660f3adf" + XMM0_XMM1 + "36",
    "pshufb": "660f3800" + XMM0_XMM1,
}
"""Intel SDM, volume 2: each as XMM0 op XMM1."""
CONSTANT = 0x36


def emulated(name: str, first: int, second: int) -> int:
    """What the emulator leaves in XMM0."""
    from unicorn import x86_const

    uc: Any = import_module("unicorn")  # it has no types
    code, emulator = bytes.fromhex(INSTRUCTIONS[name]), uc.Uc(uc.UC_ARCH_X86, uc.UC_MODE_64)
    emulator.mem_map(0x1000, 0x1000)
    emulator.mem_write(0x1000, code)
    emulator.reg_write(x86_const.UC_X86_REG_XMM0, first)
    emulator.reg_write(x86_const.UC_X86_REG_XMM1, second)
    emulator.emu_start(0x1000, 0x1000 + len(code))
    return int(emulator.reg_read(x86_const.UC_X86_REG_XMM0))


def operands(name: str, first: Value, second: Value) -> Sequence[Value]:
    """As SLEIGH gives them."""
    if name == "aesimc":
        return (second,)
    return (second, CONSTANT) if name == "aeskeygenassist" else (first, second)


@pytest.mark.skipif(missing("it", EMULATOR) is not None, reason=str(missing("it", EMULATOR)))
@pytest.mark.parametrize("name", SPECIAL)
def test_an_instruction_means_what_the_emulator_does(name: str) -> None:
    """On numbers, on forms for a choice of their inputs, and what is said of secrets."""
    rng = Random(name)
    for _ in range(4):
        numbers = [rng.getrandbits(128) for _ in range(2)]
        wanted = emulated(name, *numbers)
        atoms = Atoms()
        inputs = [atoms.fresh(128) for _ in range(2)]
        domain, given = Equality(atoms), [made(one) for one in inputs]
        if name == "pshufb":  # shuffles are by constants
            given[1] = numbers[1]
        assert SPECIAL[name](domain, operands(name, numbers[0], numbers[1])) == wanted
        assert SPECIAL[name](KnownBits(), operands(name, numbers[0], numbers[1])) == wanted
        got = SPECIAL[name](domain, operands(name, given[0], given[1]))
        assert got is not None
        pairs = zip(inputs, numbers, strict=True)
        choice = Evaluation(
            atoms,
            {form: value >> at & 1 for forms, value in pairs for at, form in enumerate(forms)},
        )
        assert sum(choice.bit(bit) << at for at, bit in enumerate(domain.bits(got, 128))) == wanted
        mask = rng.getrandbits(128) & rng.getrandbits(128) & rng.getrandbits(128)
        secret = [known(one, mask) for one in numbers]
        secret[1] = numbers[1] if name == "pshufb" else secret[1]
        told = SPECIAL[name](KnownBits(), operands(name, secret[0], secret[1]))
        assert isinstance(told, PartlyKnown)
        assert told.value == wanted & ~told.mask


def test_every_modelled_instruction_is_held_to_the_emulator() -> None:
    assert set(INSTRUCTIONS) == set(SPECIAL)


def test_cores_of_x86_are_equal_to_the_standard_and_aesni_is_independent_of_secrets() -> None:
    for core, op, bits in (("aesni", ENCRYPT, 192), ("aesni", DECRYPT, 128)):
        job = block_job("x86-64", core, op, bits)
        statement = equality(job)
        assert (statement.outcome, statement.detail) == ("proved", ""), (core, op, bits)
        independent, _ = independence(job)
        assert (independent.outcome, independent.findings) == ("proved", ())


def test_padding_with_an_address_does_nothing() -> None:
    """NOP WORD PTR [RAX + RAX] where RAX holds what nobody wrote."""
    from aesfit.proving.lifter import Lifter

    padding = bytes.fromhex("66 2e 0f 1f 84 00 00 00 00 00")
    lifted = Lifter("x86-64").lift(padding, 0x1000)
    assert lifted.text.startswith("nop word ptr")
    assert (lifted.size, lifted.operations) == (10, ())


MESSAGES = (
    ("ctr", 33, "shift32"), ("cbc", 32, "shift32"), ("cmac", 17, "shift32"),
    ("ccm", 33, "shift32"), ("xts", 33, "shift32"), ("gcm", 33, "shift32"),
    ("gcm", 17, "table4"), ("gcm", 17, "mul32"),
)  # fmt: skip
"""Mode, bytes and multiplier."""


def unproved(jobs: Sequence[Job]) -> list[str]:
    """What is not shown equal to its standard; proofs that are stored are taken from there."""
    from aesfit.proving.prove import prove

    proofs = prove(jobs, fresh=False, progress=lambda done, total: None)
    return [
        f"{one.core} {one.key_bits} {one.mode} {one.op}: {one.statements[0].detail}"
        for one in proofs
        if one.failed or one.statements[0].outcome != "proved"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "core", [one.name for one in cores() if not lacks(one, platform_named("x86-64"))]
)
def test_every_core_of_x86_is_equal_to_its_standard(core: str) -> None:
    place = followed(platform_named("x86-64"))
    directions = (ENCRYPT, DECRYPT)
    assert (
        unproved([Job(place, core, bits, op) for op in directions for bits in (128, 192, 256)])
        == []
    )


@pytest.mark.slow
@pytest.mark.parametrize("core", ["aesni", "fixslice"])
@pytest.mark.parametrize(("mode", "size", "ghash"), MESSAGES)
def test_modes_of_x86_are_equal_to_their_standards(
    core: str, mode: str, size: int, ghash: str
) -> None:
    place = followed(platform_named("x86-64"))
    jobs = [
        Job(place, core, 128, op, mode=mode, bytes=size, ghash=ghash)
        for op in ("encrypt", "decrypt")
    ]
    assert unproved(jobs) == []


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("parts/steps/aesni.h", "aesni_round_n(x, n, k[11]", "aesni_round_n(x, n, k[10]"),
        ("cores/aesni.c", "d[i] = _mm_aesimc_si128(w[rounds - i]);", "d[i] = w[rounds - i];"),
    ],
    ids=["order of round keys", "a decryption key without AESIMC"],
)
def test_a_fault_in_aesni_is_refuted_with_an_example(
    file: str, old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, monkeypatch, file, [(old, new)])
    job = block_job("x86-64", "aesni", DECRYPT, 192)
    statement = equality(job, planted=True)
    assert statement.outcome == "refuted"
    assert "gives" in statement.detail


def test_an_aligned_move_of_a_vector_from_an_odd_address_is_found() -> None:
    """MOVDQU of the input becomes MOVDQA, which faults where the address is no multiple of 16."""
    from dataclasses import replace

    from aesfit.proving.compiled import proof_image

    job = block_job("x86-64", "aesni")
    image = proof_image(job)
    pieces = tuple(
        (start, data.replace(bytes.fromhex("f30f6f"), bytes.fromhex("660f6f")))
        for start, data in image.pieces
    )
    statement = equality(job, replace(image, pieces=pieces))
    assert statement.outcome == "refuted"
    assert {one.kind for one in statement.findings} == {"unaligned access"}


def test_a_multiplier_chosen_by_features_is_refused() -> None:
    import aesfit

    with pytest.raises(ValueError, match="name shift32, table4 or mul32"):
        aesfit.prove("x86-64", cores="aesni", mode="gcm", payload_bytes=1, ghash="clmul")


def test_the_freestanding_image_is_one_of_the_platform_s_compiler() -> None:
    job = block_job("x86-64", "aesni")
    assert job.platform.compiler.command == platform_named("x86-64").compiler.command
    assert build.why_not(job.platform) is None
    assert followed(job.platform) == job.platform
    assert followed(platform_named("cortex-m3")) == platform_named("cortex-m3")
