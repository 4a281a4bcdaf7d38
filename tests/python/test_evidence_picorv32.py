# SPDX-License-Identifier: MIT
"""The PicoRV32 model and a simulation of PicoRV32's Verilog count the same cycles."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from witness import rules_noted, tool

import aesfit
from aesfit.rigs.evidence import evidence_of

CORES = ["ttable4", "fixslice"]


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    return tool("make_evidence_picorv32")


@pytest.fixture(scope="module")
def compared(maker: ModuleType) -> Iterator[tuple[list[Any], set[str]]]:
    """The comparisons, and the names of the rules that priced something."""
    with rules_noted(maker) as fired:
        yield maker.compare(CORES)[1], fired


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
