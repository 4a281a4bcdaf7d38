# SPDX-License-Identifier: MIT
"""The PicoRV32 model and a simulation of PicoRV32's Verilog count the same cycles."""

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import aesfit
from aesfit.rigs.evidence import evidence_of
from aesfit.rigs.timing.model import Rule, Window

CORES = ["ttable4", "fixslice"]


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "tools" / "make_evidence_picorv32.py"
    spec = importlib.util.spec_from_file_location("make_evidence_picorv32", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def compared(maker: ModuleType) -> Iterator[tuple[list[Any], set[str]]]:
    """The comparisons, and the names of the rules that priced something."""
    if maker.why_not():
        pytest.skip(maker.why_not())
    fired: set[str] = set()

    def noting(rule: Rule) -> Rule:
        def applies(window: Window) -> bool:
            found = rule.applies(window)
            fired.update({rule.name} if found else ())
            return found

        return replace(rule, applies=applies)

    with pytest.MonkeyPatch.context() as patch:
        model = maker.MODEL
        patch.setattr(maker, "MODEL", replace(model, base=tuple(map(noting, model.base))))
        _, found = maker.compare(CORES)
        yield found, fired


def test_agrees_to_the_cycle(compared: tuple[list[Any], set[str]]) -> None:
    found, _ = compared
    assert len(found) == 1 + 4 * len(CORES)
    assert [one for one in found if one.error or not one.same_work] == []


def test_every_rule_was_put_to_the_test(
    maker: ModuleType, compared: tuple[list[Any], set[str]]
) -> None:
    assert compared[1] == {rule.name for rule in maker.MODEL.base}


def test_the_record_covers_every_portable_core_and_the_model_as_it_is() -> None:
    recorded = evidence_of("picorv32")
    assert recorded is not None
    assert not recorded.stale, f"the model has changed: {recorded.command}"
    portable = [core.name for core in aesfit.cores() if core.name != "aesni"]
    assert recorded.max_error == f"0 cycles in {1 + 4 * len(portable)} calls"
