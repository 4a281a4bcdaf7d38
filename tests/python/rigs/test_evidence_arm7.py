# SPDX-License-Identifier: MIT
"""The ARM7TDMI model and libmgba's own ARM7TDMI count the same cycles, call by call."""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import shake_256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from witness import rules_noted, tool

import aesfit
from aesfit.jobs.abilities import lacks
from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator import evidence

Found = tuple[str, list[Any]]
"""The witness's version and the comparisons."""


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    return tool("make_evidence_arm7tdmi")


@pytest.fixture(scope="module")
def compared(maker: ModuleType) -> Iterator[tuple[Found, set[str]]]:
    """The comparisons, made once, and the names of the rules that priced something."""
    with rules_noted(maker) as fired:
        yield maker.compare(), fired


@pytest.fixture(scope="module")
def comparisons(compared: tuple[Found, set[str]]) -> Found:
    return compared[0]


@pytest.mark.slow
def test_agrees_to_the_cycle(comparisons: Found) -> None:
    _, found = comparisons
    assert [one for one in found if one.error or not one.same_work] == []


@pytest.mark.slow
def test_every_rule_was_put_to_the_test(
    maker: ModuleType, compared: tuple[Found, set[str]]
) -> None:
    assert compared[1] == {rule.name for rule in maker.MODEL.base}


@pytest.mark.slow
def test_covers_every_portable_core(comparisons: Found) -> None:
    ways = (
        "rig_key_setup_encrypt",
        "rig_key_setup_decrypt",
        "rig_encrypt_block",
        "rig_decrypt_block",
    )
    here = platform_named("arm7tdmi")
    cores = [core.name for core in aesfit.cores() if not lacks(core, here)]
    named = {one.name for one in comparisons[1]}
    assert named >= {f"{core} {way}" for core in cores for way in ways}


@pytest.mark.slow
def test_both_encrypt_as_the_library_does(comparisons: Found) -> None:
    for core in aesfit.cores():
        secret = shake_256(f"evidence {core.name}".encode()).digest(16 * (core.lanes + 1))
        cipher = aesfit.Cipher(secret[:16], "ecb")
        want = {
            f"{core.name} rig_encrypt_block": cipher.encrypt(secret[16:]),
            f"{core.name} rig_decrypt_block": cipher.decrypt(secret[16:]),
        }
        for one in comparisons[1]:
            assert one.witness.output == want.get(one.name, one.witness.output)


def test_the_record_is_of_the_model_as_it_is() -> None:
    recorded = evidence.evidence_of("arm7tdmi")
    assert recorded is not None
    assert not recorded.stale, f"the model has changed: {recorded.command}"


@pytest.mark.slow
def test_the_record_says_so(comparisons: Found) -> None:
    recorded = evidence.evidence_of("arm7tdmi")
    assert recorded is not None
    now = evidence.record("arm7tdmi", recorded.checked_against, comparisons[1], recorded.command)
    assert replace(now, date=recorded.date) == recorded
    assert recorded.max_error == f"0 cycles in {len(comparisons[1])} calls"


def test_a_changed_model_makes_its_record_stale(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "some.py").write_text("MODEL = 1\n")
    monkeypatch.setattr(evidence, "_TIMING", tmp_path)
    assert evidence.evidence_of("some") is None
    kept = evidence.Evidence(
        "witness", 2, 1, evidence.model_sha256("some"), "2026-01-01", "make it"
    )
    evidence.write_evidence("some", kept)
    assert evidence.evidence_of("some") == kept
    (tmp_path / "some.py").write_text("MODEL = 2\n")
    changed = evidence.evidence_of("some")
    assert changed is not None
    assert changed.stale
