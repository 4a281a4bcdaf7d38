# SPDX-License-Identifier: MIT
"""The ARM7TDMI model and libmgba's own ARM7TDMI count the same cycles, call by call."""

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import shake_256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import aesfit
from aesfit.rigs import evidence
from aesfit.rigs.timing.model import Rule, Window

Found = tuple[str, list[Any]]
"""The witness's version and the comparisons."""
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    path = ROOT / "tools" / "make_evidence.py"
    spec = importlib.util.spec_from_file_location("make_evidence", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    if module.why_not():
        pytest.skip(module.why_not())
    return module


@pytest.fixture(scope="module")
def fired() -> set[str]:
    """Names of the rules that priced something."""
    return set()


@pytest.fixture(scope="module")
def comparisons(maker: ModuleType, fired: set[str]) -> Iterator[Found]:
    """Made once, with a model that notes which of its rules applied."""

    def noting(rule: Rule) -> Rule:
        def applies(window: Window) -> bool:
            found = rule.applies(window)
            fired.update({rule.name} if found else ())
            return found

        return replace(rule, applies=applies)

    with pytest.MonkeyPatch.context() as patch:
        model = maker.MODEL
        patch.setattr(maker, "MODEL", replace(model, base=tuple(map(noting, model.base))))
        yield maker.compare()


def test_agrees_to_the_cycle(comparisons: Found) -> None:
    _, found = comparisons
    assert [one for one in found if one.error or not one.same_work] == []


def test_every_rule_was_put_to_the_test(
    maker: ModuleType,
    comparisons: Found,
    fired: set[str],
) -> None:
    assert comparisons
    assert fired == {rule.name for rule in maker.MODEL.base}


def test_covers_every_portable_core(comparisons: Found) -> None:
    ways = (
        "rig_key_setup_encrypt",
        "rig_key_setup_decrypt",
        "rig_encrypt_block",
        "rig_decrypt_block",
    )
    cores = [core.name for core in aesfit.cores() if core.name != "aesni"]
    named = {one.name for one in comparisons[1]}
    assert named >= {f"{core} {way}" for core in cores for way in ways}


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


def test_the_record_says_so(
    maker: ModuleType,
    comparisons: Found,
) -> None:
    recorded = evidence.evidence_of("arm7tdmi")
    assert recorded is not None
    assert not recorded.stale, f"the model has changed: {recorded.command}"
    now = maker.record(*comparisons)
    assert replace(now, date=recorded.date, checked_against=recorded.checked_against) == recorded
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
