# SPDX-License-Identifier: MIT
"""The models of soft processors count what their own Verilog counts."""

from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import pytest
from few import slow_but
from witness import noting, tool

import aesfit
from aesfit.jobs.abilities import lacks
from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator.evidence import evidence_of

CORES = ["ttable4", "fixslice"]
IBEX = ["ibex_small", "ibex_maxperf", "ibex_small_b", "ibex_maxperf_b"]
MODELS = ["picorv32", "vexriscv", *IBEX, "cv32e40p"]
PLATFORMS = {"vexriscv": "vexriscv-cached", **{name: name.replace("_", "-") for name in IBEX}}
"""Where the name is another."""
QUICK = ["picorv32"]
"""That whose simulation other quick tests build too."""
WRONG_PATH = 10
"""Cycles of a call that the model of VexRiscv may leave out: less than one for each jump."""


@dataclass(frozen=True)
class Compared:
    name: str
    calls: list[Any]
    fired: set[str]
    rules: set[str]
    builds: int
    """Ways in which the same was compiled."""


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    return tool("make_evidence_rtl")


@pytest.fixture(scope="module", params=slow_but(QUICK, MODELS))
def compared(maker: ModuleType, request: pytest.FixtureRequest) -> Compared:
    (trial,) = (one for one in maker.trials() if one.model.name == request.param)
    fired: set[str] = set()
    calls = maker.compare(replace(trial, model=noting(trial.model, fired)), CORES)
    rules = {rule.name for rule in trial.model.rules()}
    return Compared(request.param, calls, fired, rules, len(trial.built()))


def test_everything_did_the_same_work(maker: ModuleType, compared: Compared) -> None:
    assert len(compared.calls) == compared.builds * (maker.STRETCHES + 4 * len(CORES))
    assert all(one.same_work for one in compared.calls)


def test_every_rule_was_put_to_the_test(compared: Compared) -> None:
    assert compared.fired == compared.rules


def test_agrees_to_the_cycle(compared: Compared) -> None:
    """But for what VexRiscv fetches in vain behind a jump: one cycle where that waits."""
    wrong = [one for one in compared.calls if one.error]
    if compared.name != "vexriscv":
        assert wrong == []
    assert {one.name for one in wrong} <= {
        *(f"random {seed}" for seed in range(2, 21, 2)),
        "ttable4 rig_decrypt_block",
    }
    assert all(-WRONG_PATH <= one.error < 0 for one in wrong)


@pytest.mark.parametrize("name", MODELS)
def test_the_record_covers_every_portable_core_and_the_model_as_it_is(
    maker: ModuleType, name: str
) -> None:
    recorded = evidence_of(name)
    assert recorded is not None
    assert not recorded.stale, f"the model has changed: {recorded.command}"
    here = platform_named(PLATFORMS.get(name, name))
    (builds,) = (len(one.built()) for one in maker.trials() if one.model.name == name)
    portable = [core.name for core in aesfit.cores() if not lacks(core, here)]
    assert recorded.comparisons == builds * (maker.STRETCHES + 4 * len(portable))
    assert recorded.max_error_cycles <= (WRONG_PATH if name == "vexriscv" else 0)
