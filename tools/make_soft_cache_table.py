# SPDX-License-Identifier: MIT
"""Hold the cache model and the simulator against VexRiscv's Verilog; tables for its page.

A burst is one key set-up and some blocks, from empty caches, in the same memory with the same wait
states.  Four count it: the Verilog; the simulator, which follows the burst's own addresses through
the caches and adds the rules' cycles without misses; the same with stores that queue for the bus;
and the model, from coefficients alone.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import TypeVar

import numpy as np

from aesfit.building.build import build
from aesfit.cachemodel.analytic import stalls
from aesfit.cachemodel.versions import hierarchy, versions
from aesfit.jobs.job import Job
from aesfit.measuring import bursts
from aesfit.measuring.measure import cores_for
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform, counted
from aesfit.rigs import rig_of
from aesfit.rigs import why_not as rig_why_not
from aesfit.rigs.emulator.decode import decode_blocks
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import timing_model
from aesfit.rigs.emulator.stalls import replayed, simulator
from aesfit.rigs.emulator.timing.model import cycles
from aesfit.rigs.profile import Execution
from aesfit.rigs.rtl.rig import timed
from aesfit.rigs.rtl.soc.machine import SocMachine
from aesfit.store import closure
from aesfit.store.contents import cached, key

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cache-verilog.md"
PLATFORMS = ("vexriscv-cached", "vexriscv-small")
WAITS = (0, 2, 5, 10, 20)
CALLS = (1, 4, 16, 64)
SHOWN = 10
"""Wait states of the table by core."""
LINE = 32
"""Bytes, in both."""
SECRET = 1
"""Of keys and texts; number 0 gave the coefficients."""
K = TypeVar("K")
_KINDS = {"instruction": 0b1001, "data": 0b0110}


@dataclass(frozen=True)
class Burst:
    """One burst; cycles."""

    platform: str
    core: str
    calls: int
    wait: int
    true: int
    """In the Verilog."""
    ideal: int
    """By the rules, without misses."""
    lost: float
    """To misses, simulated."""
    queued: float
    """The whole burst simulated, with stores that queue for the bus."""
    stores: int
    model: float = 0.0
    """The whole burst."""
    model_lost: float = 0.0

    @property
    def errors(self) -> tuple[float, float, float]:
        """Of the whole time: the simulator's, the same with queued stores, the model's."""
        simulated = self.ideal + self.lost
        return (
            simulated / self.true - 1.0,
            self.queued / self.true - 1.0,
            self.model / self.true - 1.0,
        )

    @property
    def stall_errors(self) -> tuple[float, float]:
        """Of what the true time is above the ideal one: the simulator's, the model's."""
        true = self.true - self.ideal
        return self.lost / true - 1.0, self.model_lost / true - 1.0


class _Beside(Machine):
    """The emulator, with buffers where the simulated system has them."""

    def __init__(self, elf: Path, platform: Platform, like: SocMachine) -> None:
        super().__init__(elf, platform)
        self._like = like

    def reserve(self, size: int, align: int = 8) -> int:
        address = self._like.reserve(size, align)
        self.write(address, bytes(size))
        return address

    def release(self) -> None:
        self._like.release()


def _job(platform: Platform, core: str) -> Job:
    return Job(platform, core, 128, "encrypt-burst")


def _true(platform: Platform, core: str, calls: int, wait: int) -> int:
    """Cycles in the Verilog, from empty caches."""
    job = _job(platform, core)
    machine = SocMachine(build(job).elf, platform, wait, "kept")
    try:
        done, _ = bursts.prepare_blocks(job, calls, SECRET, machine).call()
    finally:
        machine.close()
    return sum(one.cycles for one in timed(done))


@dataclass(frozen=True)
class Traced:
    """A burst on the emulator, at the addresses that the Verilog has."""

    ideal: int
    """Cycles by the rules."""
    stores: int
    records: bytes


def traced(platform: Platform, core: str, calls: int) -> Traced:
    """The burst on the emulator."""
    job, twin = _job(platform, core), counted(platform)
    elf = build(job).elf
    like = SocMachine(elf, platform, 0, "kept")
    try:
        machine = _Beside(elf, twin, like)
        run = bursts.prepare_blocks(job, calls, SECRET, machine)
        done, records = run.call(record=True)
    finally:
        like.close()
    return Traced(
        ideal=sum(_priced(twin, machine, one) for one in done),
        stores=sum(one.stores for one in done),
        records=records,
    )


def _priced(platform: Platform, machine: Machine, done: Execution) -> int:
    code = decode_blocks(machine.code, done.profile.blocks, platform.isa)
    return cycles(timing_model(platform), done.profile, code)


def counted_burst(platform: Platform, core: str, calls: int, wait: int, seen: Traced) -> Burst:
    """The burst in the Verilog and simulated, with wait states."""
    twin = counted(platform, wait)
    assert twin.miss_penalty is not None  # noqa: S101 - both platforms have them
    assert twin.stores is not None  # noqa: S101
    line = hierarchy(twin).penalty.of(LINE)
    kinds = {one.kind: simulator(one) for one in platform.caches}
    lines = sum(sum(one.run(seen.records, _KINDS[kind])[2]) for kind, one in kinds.items())
    return Burst(
        platform.name,
        core,
        calls,
        wait,
        _true(platform, core, calls, wait),
        seen.ideal,
        lines * line,
        replayed(seen.records, twin, twin.miss_penalty, twin.stores, seen.ideal),
        seen.stores,
    )


def _bursts(asked: tuple[str, str]) -> list[Burst]:
    """Every burst of a core on a platform, as the Verilog and the simulator have it."""
    platform, core = platform_named(asked[0]), asked[1]

    def make(target: Path) -> dict[str, object]:
        found = []
        for calls in CALLS:
            seen = traced(platform, core, calls)
            found += [asdict(counted_burst(platform, core, calls, wait, seen)) for wait in WAITS]
        facts: dict[str, object] = {"bursts": found}
        target.write_text(json.dumps(facts), encoding="utf-8")
        return facts

    rigs = [rig_of(one).key(_job(one, core)) for one in (platform, counted(platform))]
    own = closure.digest(also=(Path(__file__),)), closure.extension_sha256()
    return [
        Burst(**one) for one in cached(key("soft-caches", rigs, own), ".json", make)[1]["bursts"]
    ]


def _modelled(found: Iterable[Burst]) -> list[Burst]:
    """The same with the model's answer, whose coefficients are measured once."""
    done: list[Burst] = []
    for (name, core), some in _grouped(found, lambda one: (one.platform, one.core)).items():
        platform = platform_named(name)
        (version,) = versions(counted(platform, 0), [core])
        for one in some:
            built = hierarchy(counted(platform, one.wait))
            (lost,) = stalls(version, built, np.array([float(one.calls)]))
            own = one.calls * version.cycles_per_call + version.overhead
            made = asdict(one) | {"model": own + float(lost), "model_lost": float(lost)}
            done.append(Burst(**made))
    return done


def _grouped(found: Iterable[Burst], name: Callable[[Burst], K]) -> dict[K, list[Burst]]:
    groups: dict[K, list[Burst]] = {}
    for one in found:
        groups.setdefault(name(one), []).append(one)
    return groups


def everything(cores: Sequence[str], workers: int) -> list[Burst]:
    """Every burst, counted three times."""
    asked = list(product(PLATFORMS, cores))
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        return _modelled(one for some in pool.map(_bursts, asked) for one in some)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], texts: int) -> str:
    rule = "|" + "---|" * texts + "---:|" * (len(head) - texts)
    lines = [f"| {' | '.join(head)} |", rule, *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines) + "\n"


def waits_table(found: Sequence[Burst]) -> str:
    """Errors by platform and wait states."""
    rows = []
    for (name, wait), some in _grouped(found, lambda one: (one.platform, one.wait)).items():
        cells = [f"{fmean(abs(one.stall_errors[at]) for one in some):.1%}" for at in (0, 1)]
        for at in range(len(some[0].errors)):
            sizes = [abs(one.errors[at]) for one in some]
            cells.append(f"{fmean(sizes):.1%}, {max(sizes):.1%}")
        rows.append([f"`{name}`", str(wait), *cells])
    head = ["platform", "wait states", "stalls: simulator", "stalls: model"]
    return _table([*head, "time: simulator", "time: with queued stores", "time: model"], rows, 1)


def cores_table(found: Sequence[Burst]) -> str:
    """The longest bursts by core, errors with signs."""
    rows = []
    for one in found:
        if (one.wait, one.calls) == (SHOWN, CALLS[-1]):
            errors = (f"{error:+.1%}" for error in one.errors)
            facts = (one.true, one.ideal, round(one.lost), one.stores)
            rows.append([f"`{one.platform}`", f"`{one.core}`", *(f"{n:,}" for n in facts), *errors])
    head = ["platform", "core", "cycles", "without stalls", "misses", "stores"]
    return _table([*head, "simulator", "with queued stores", "model"], rows, 2)


def why_not() -> str | None:
    """None when the bursts can be run; else a sentence that ends with the remedy."""
    named = [platform_named(name) for name in PLATFORMS]
    reasons = (rig_why_not(one) for platform in named for one in (platform, counted(platform)))
    return next((reason for reason in reasons if reason), None)


def main() -> int:
    """Run all and write the page's tables anew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="simulations at once")
    workers = parser.parse_args().workers
    if reason := why_not():
        print(reason, file=sys.stderr)
        return 1
    cores = [core.name for core in cores_for(platform_named(PLATFORMS[0]))]
    found = everything(cores, workers)
    page = PAGE.read_text(encoding="utf-8")
    for mark, table in {"soft waits": waits_table(found), "soft cores": cores_table(found)}.items():
        begin, end = f"<!-- {mark} -->\n", "<!-- end -->"
        page, times = re.subn(
            f"({re.escape(begin)}).*?({end})", rf"\g<1>\n{table}\n\g<2>", page, flags=re.DOTALL
        )
        if times != 1:
            print(f"{PAGE} has no place for the table of {mark}", file=sys.stderr)
            return 1
        print(table)
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
