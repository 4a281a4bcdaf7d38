# SPDX-License-Identifier: MIT
"""Accesses as the tracer derives them, beside those that Unicorn's hooks report."""

import struct

import pytest
from tracer_accesses import ARM, ATOMIC, FLOAT, ORDERED, RISCV, THUMB1, THUMB2
from tracer_code import functions_of
from tracer_machines import load
from tracer_reference import Reference

from aesfit.rigs.emulator.machine import Machine

PROGRAMS = {
    "arm7tdmi": (".arm", ARM),
    "cortex-m0plus": (".thumb", THUMB1),
    "cortex-m3": (".thumb", {f"{name}_short": body for name, body in THUMB1.items()} | THUMB2),
    "cortex-m4": (".thumb\n.fpu fpv4-sp-d16", FLOAT),
    "cortex-m33": (".thumb", ORDERED),
    "rv32im-e31": ("", RISCV | ATOMIC),
}
CASES = [(name, function) for name, (_, bodies) in PROGRAMS.items() for function in bodies]
EXCLUSIVE = {
    ("cortex-m3", "exclusive"): [
        (False, 8, 4), (True, 8, 4), (False, 0, 1), (True, 0, 1), (False, 0, 2), (True, 0, 2),
    ],
    ("cortex-m33", "ordered"): [
        *((False, 0, size) for size in (4, 2, 1)), *((True, 0, size) for size in (4, 2, 1)),
        *((store, 0, size) for size in (4, 2, 1) for store in (False, True)),
    ],
    ("rv32im-e31", "atomic"): [
        (False, 0, 4), (True, 0, 4), (False, 0, 4), (True, 0, 4), (False, 0, 4), (True, 0, 4),
    ],
}  # fmt: skip
"""Unicorn makes an exclusive store as a load, a comparison and a store; a processor only stores."""


def accesses_of(machine: Machine, function: str, at: int) -> list[tuple[bool, int, int]]:
    """Whether it stores, address and bytes of each."""
    machine.call(function, at, record=True)
    records = struct.iter_unpack("<IHH", machine.records())
    return [(kind == 2, address, size) for address, size, kind in records if kind in (1, 2)]


def machine_with(name: str) -> Machine:
    return load(name, functions_of(*PROGRAMS[name]))


@pytest.mark.parametrize(("name", "function"), [one for one in CASES if one not in EXCLUSIVE])
def test_accesses_are_those_of_hooks(name: str, function: str) -> None:
    machine = machine_with(name)
    at = machine.reserve(256)
    expected = Reference(machine, function, [at])
    accesses = accesses_of(machine, function, at)
    assert accesses == expected.accesses
    assert accesses


@pytest.mark.parametrize(("name", "function"), EXCLUSIVE)
def test_exclusive_accesses(name: str, function: str) -> None:
    machine = machine_with(name)
    at = machine.reserve(256)
    accesses = accesses_of(machine, function, at)
    assert [(store, address - at, size) for store, address, size in accesses] == EXCLUSIVE[
        name, function
    ]
