# SPDX-License-Identifier: MIT
"""Every core and every mode runs on every platform, and every core in every mode, once each.

A run is an image that is built as the rigs build it, and one call whose output is compared with the
library on the host.  Deals are those of cover.py; what compiles alike is compiled once.

Emulated platforms and hexagon run every deal.  Of soft processors two run every deal as Verilog:
PicoRV32 and VexRiscv with caches, whose simulations other tests build too.  The other eight run
theirs with --slow alone, because each simulation takes 10 to 20 seconds to build.

On x86-64 the shipped library runs every core in every mode in this process.  i686 compiles its
programs without optimisation: tools/test_c.sh runs all cores as optimised 32-bit code.
"""

import re
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import product

import pytest
from cover import Run, unmet
from cover_runs import (
    PLATFORMS,
    QUICK,
    RUNS,
    SHIPPED,
    SHIPPED_RUNS,
    dealer,
    is_slow,
    job_of,
    name_of,
    own_set,
    runs_on,
)
from covering import covering
from few import slow_but

from aesfit.building.build import BuildError, build
from aesfit.building.sources import registered
from aesfit.catalog import MODES
from aesfit.jobs.job import Job
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.firing import WrongOutputError, firing_of
from aesfit.rigs.hexagon.rig import machine_of as hexagon_of
from aesfit.rigs.host import rig as host
from aesfit.rigs.host.exercise import exercise_of
from aesfit.rigs.rtl.rig import machine_of as rtl_of

PROCESSORS = [
    run
    for run in RUNS
    if PLATFORMS[run.platform].rig == "emulator" and PLATFORMS[run.platform].kind == "processor"
]
PRICED = covering(PROCESSORS, lambda run: (run.platform, run.deal.core, run.deal.mode))


# --- how a platform runs a job; each compares the output with the host's


def emulate(job: Job) -> None:
    firing_of(job).fire(Machine(build(job).elf, job.platform), 0)


def simulate(job: Job) -> None:
    """As Verilog and on the emulator, which execute the same."""
    with closing(rtl_of(job)) as machine:
        done = firing_of(job).fire(machine, 0)
    emulated = firing_of(job).fire(Machine(build(job).elf, job.platform), 0)
    assert [one.instructions for one in done] == [one.instructions for one in emulated]


def run_packets(job: Job) -> None:
    with closing(hexagon_of(job)) as machine:
        firing_of(job).fire(machine, 0)


def run_here(job: Job) -> None:
    exercise = exercise_of(job)
    with ExitStack() as stack:
        assert host._runner(job, exercise, stack).output() == exercise.result


def run_unoptimised(job: Job) -> None:
    compiler = replace(job.platform.compiler, optimise=("-O0",))
    run_here(replace(job, platform=replace(job.platform, compiler=compiler)))


WAYS = {"emulator": emulate, "rtl": simulate, "vliw": run_packets, "host": run_unoptimised}


# --- the runs


@pytest.mark.parametrize("run", slow_but(QUICK, RUNS), ids=name_of)
def test_a_core_runs_in_a_mode(run: Run) -> None:
    """Or the linker says that a chip's memory is too small."""
    job = job_of(run)
    try:
        WAYS[job.platform.rig](job)
    except BuildError as error:
        full = f"does not fit in the .* bytes of (ram|flash) of {run.platform}$"
        if job.platform.chip is None or not re.search(full, str(error)):
            raise


@pytest.mark.parametrize("core", runs_on(PLATFORMS[SHIPPED]))
def test_the_shipped_library_runs_a_core_in_every_mode(core: str) -> None:
    for run in SHIPPED_RUNS:
        if run.deal.core == core:
            run_here(job_of(run))


@pytest.mark.parametrize("run", slow_but(PRICED, PROCESSORS), ids=name_of)
def test_the_timing_model_has_rules_for_what_runs(run: Run) -> None:
    """On processors, whose models chips have: each core and each mode on one of them."""
    job = job_of(run)
    machine, model = Machine(build(job).elf, job.platform), timing_model(job.platform)
    at_once = 2 if job.platform.timing == "cortex_m7" else 1
    for call in firing_of(job).fire(machine, 0):
        decoded = decode_blocks(machine.code, call.profile.blocks, job.platform.isa)
        assert cycles(model, call.profile, decoded) * at_once >= call.instructions >= 8


# --- what they cover


ALLOWED = {name: runs_on(one) for name, one in PLATFORMS.items()}
"""Cores of the register by platform of the project."""


def test_every_two_that_go_together_meet() -> None:
    assert unmet([*RUNS, *SHIPPED_RUNS], ALLOWED, registered("modes")) == []


def test_they_meet_in_quick_runs_but_where_a_simulation_would_be_built() -> None:
    quick = {name: held for name, held in ALLOWED.items() if not is_slow(name)}
    assert unmet([*QUICK, *SHIPPED_RUNS], quick, registered("modes")) == []
    assert {PLATFORMS[name].rig for name in {*ALLOWED} - {*quick}} == {"rtl"}


def test_cores_meet_all_sizes_of_keys_and_both_ciphers_and_modes_both_directions() -> None:
    runs = [run for run in QUICK if PLATFORMS[run.platform].rig != "host"]
    every = {run.deal for run in runs}
    names = {core for run in runs for core in ALLOWED[run.platform]}
    ciphers = {(one.core, one.op == "decrypt" and MODES[one.mode].inverse) for one in every}
    assert {(one.core, one.key_bits) for one in every} == {*product(names, (128, 192, 256))}
    assert ciphers == {*product(names, (False, True))}
    wanted = {(mode, *way) for mode, ways in dealer().modes.items() for way in ways}
    assert {(one.mode, one.key_bits, one.op) for one in every} == wanted


def test_cores_for_one_instruction_set_run_in_every_mode_where_it_is() -> None:
    met = {(run.deal.core, run.deal.mode) for run in QUICK}
    assert met >= {*product(own_set(), MODES)}


ADDED = {
    "core": ({**ALLOWED, "cortex-m3": (*ALLOWED["cortex-m3"], "new")}, registered("modes")),
    "mode": (ALLOWED, (*registered("modes"), "new")),
    "platform": ({**ALLOWED, "new": ("compact",)}, registered("modes")),
}


@pytest.mark.parametrize("what", ADDED)
def test_what_is_added_and_not_met_is_told(what: str) -> None:
    told = unmet([*RUNS, *SHIPPED_RUNS], *ADDED[what])
    assert told
    assert all("new" in pair for pair in told)


@pytest.mark.parametrize(
    ("without", "told"),
    [
        ("bytewise", [("bytewise", "cortex-m3"), ("bytewise", "xts")]),
        ("xts", [("xts", "hexagon"), ("fixslice", "xts")]),
        ("stm32l053", [("ttable4", "stm32l053"), ("gcm", "stm32l053")]),
    ],
)
def test_what_no_run_has_is_told(without: str, told: list[tuple[str, str]]) -> None:
    kept = [
        run
        for run in (*RUNS, *SHIPPED_RUNS)
        if without not in (run.platform, run.deal.core, run.deal.mode)
    ]
    assert {*told} <= {*unmet(kept, ALLOWED, MODES)}


def test_one_run_less_is_told() -> None:
    gone = next(run for run in RUNS if run.platform == "stm32l053" and run.deal.core == "ttable4")
    left = [run for run in (*RUNS, *SHIPPED_RUNS) if run != gone]
    assert ("ttable4", "stm32l053") in unmet(left, ALLOWED, MODES)


def test_a_wrong_output_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "read", lambda self, address, size: bytes(size))
    with pytest.raises(WrongOutputError):
        emulate(job_of(RUNS[0]))
