# SPDX-License-Identifier: MIT
"""What tests of timing evidence share: the tool that compares, and which rules it put to use."""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType

import pytest
from places import ROOT

from aesfit.rigs.emulator.instruction import Instruction
from aesfit.rigs.emulator.timing.model import OperandRule, Rule, TimingModel, Window

TOOLS = ROOT / "tools"
sys.path.append(str(TOOLS))


def tool(name: str) -> ModuleType:
    """Load a script of tools/ as a module; its requirements must be installed."""
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    assert module.why_not() is None
    return module


def noting(model: TimingModel, fired: set[str]) -> TimingModel:
    """The model, with rules that note their names when they apply."""

    def noted(rule: Rule) -> Rule:
        def applies(window: Window) -> bool:
            found = rule.applies(window)
            fired.update({rule.name} if found else ())
            return found

        return replace(rule, applies=applies)

    def counted(rule: OperandRule) -> OperandRule:
        def cycles(one: Instruction, first: int, second: int) -> int:
            fired.add(rule.name)
            return rule.cycles(one, first, second)

        return replace(rule, cycles=cycles)

    return replace(
        model,
        base=tuple(map(noted, model.base)),
        neighbours=tuple(map(noted, model.neighbours)),
        operands=tuple(map(counted, model.operands)),
    )


@contextmanager
def rules_noted(maker: ModuleType) -> Iterator[set[str]]:
    """Let the tool price with a model that notes the names of the rules that apply."""
    fired: set[str] = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maker, "MODEL", noting(maker.MODEL, fired))
        yield fired
