# SPDX-License-Identifier: MIT
"""Bursts on the emulator: rows of calls of one core, with every address that they touch.

A burst is one key set-up and then `calls` calls of the block function over consecutive blocks of
16 bytes, by the loop of building/firmware/burst.c; or the key set-up of a mode and one message of
`calls` blocks.  So what is paid once, c, is key set-up, loop and the mode's own start and end.
Bertoni et al. take c from any one core; key schedules differ, so here each core has its own.

A core of several lanes is called for one block like the others, and its other lanes idle.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import _native
from ..building import build
from ..building.unit import entries
from ..jobs import message
from ..jobs.job import Job
from ..platforms.platform import Platform
from ..rigs import rig_of
from ..rigs.emulator.decode import decode_blocks
from ..rigs.emulator.machine import Machine
from ..rigs.emulator.rig import timing_model
from ..rigs.emulator.timing.model import cycles
from ..rigs.firing import Processor, WrongOutputError
from ..rigs.profile import Execution
from ..store import closure
from ..store.contents import cached, kept, key
from .footprint import footprint
from .trace import FETCH as FETCH
from .trace import LOAD as LOAD
from .trace import RECORD, Span, Trace
from .trace import SKIPPED as SKIPPED
from .trace import STORE as STORE

BURST_OPS = ("encrypt-block", "decrypt-block")
MOST_CALLS = 4096
_ALIGN = 64
"""Of key, input and output: the longest line of a cache here."""
_APART = 11 * _ALIGN
"""Bytes between input and output: without them a long burst of 2^n calls would have both in the
same set of every cache, which is an accident of the length and not of the core."""
_SIZES = (1, 2, 4, 8, 12, 16)
"""Bytes of accesses; of instructions and packets."""
_SUFFIX = ".json"
"""Of entries with coefficients."""
_NEAR, _FAR = 512, 1024
"""Calls of the two bursts whose difference gives E: those of the paper."""


@dataclass(frozen=True)
class Coefficients:
    """What the model needs of a core on a platform; cycles without any miss."""

    E: float
    """Cycles of one call: (T(1024) - T(512)) / 512."""
    c: float
    """Cycles paid once per burst: T(0); of a message T(512) - 512 E, because some modes take no
    empty one."""
    code_bytes: int
    """Instructions that one call executes, each counted once."""
    setup_code_bytes: int
    """Instructions of what is paid once alone."""
    fixed_bytes: int
    """Data but tables and streams that one call reads or writes: keys, stack, constants."""
    stream_bytes: int
    """Input and output of one call."""
    stored_bytes: int
    """Of them, what is stored and never loaded."""
    reads: dict[str, int]
    """Reads of each table by one call, counted in the trace."""
    setup_reads: dict[str, int]
    """Reads of each table by what is paid once."""
    addresses: dict[str, int]
    """Of the tables that are read."""
    fixed: tuple[tuple[int, int, tuple[float, ...]], ...]
    """The fixed bytes in pieces of 16: address, bytes, and the moments, as shares of the call, at
    which it comes to them after data elsewhere."""
    setup_fixed: tuple[tuple[int, int, bool], ...]
    """Address and bytes of what is touched by what is paid once alone, as the cipher key and stack
    are, and whether it is loaded."""


@dataclass(frozen=True)
class Run:
    """A machine with a burst's image and buffers in it."""

    job: Job
    machine: Processor
    setup: str
    context: int
    source: int
    target: int
    arguments: tuple[tuple[int, ...], tuple[int, ...]]
    """Of key set-up and of the function that works."""
    work: str
    wanted: bytes

    def call(self, *, record: bool = False) -> tuple[list[Execution], bytes]:
        """Both calls, checked against the library on the host, and their records."""
        done, records = [], []
        for name, arguments in zip((self.setup, self.work), self.arguments, strict=True):
            done.append(self.machine.call(name, *arguments, record=record))
            records.append(self.machine.records() if record else b"")
        if self.machine.read(self.target, len(self.wanted)) != self.wanted:
            job = self.job
            raise WrongOutputError(f"{job.core} on {job.platform.name}: a burst computed no AES")
        return done, b"".join(records)


def burst_job(
    platform: Platform, core: str, key_bits: int, op: str, mode: str | None, calls: int
) -> Job:
    """The job of a burst; ValueError where there is none such."""
    if not platform.emulated:
        raise ValueError(
            f"bursts run on emulated platforms, and {platform.name} is none; see: aesfit platforms"
        )
    if not 0 <= calls <= MOST_CALLS:
        raise ValueError(f"a burst has 0 to {MOST_CALLS} calls, not {calls}")
    if mode is not None:
        if op != "encrypt":
            raise ValueError(f"bursts of a mode encrypt; {op} is not traced")
        return Job(platform, core, key_bits, op, mode, 16 * calls)
    if op not in BURST_OPS:
        raise ValueError(f"bursts are of {' or '.join(BURST_OPS)}, not of {op!r}")
    return Job(platform, core, key_bits, op.replace("-block", "-burst"))


def _places(machine: Processor, *parts: bytes | int) -> list[int]:
    """Addresses of buffers of their own lines; the last two are the streams, set apart."""
    machine.release()
    found = []
    for number, part in enumerate(parts, 1):
        content = bytes(part) if isinstance(part, int) else part
        gap = _APART if number == len(parts) - 1 else 0
        found.append(machine.reserve(max(1, len(content)) + gap, _ALIGN))
        machine.write(found[-1], content)
    return found


def context_bytes(machine: Processor) -> int:
    """Room that the image of a job wants for an expanded key."""
    return int.from_bytes(machine.read(machine.symbol("rig_context_bytes"), 4), "little")


def machine_for(job: Job) -> Processor:
    """A machine with the job's image in it."""
    if job.platform.rig == "vliw":
        from ..rigs.hexagon.rig import machine_of  # as the rig itself, only where it is asked

        return machine_of(job)
    return Machine(build.build(job).elf, job.platform)


def prepare_blocks(job: Job, calls: int, secret: int, machine: Processor | None = None) -> Run:
    """A burst of blocks, ready to be called, in a machine with the job's image."""
    size = job.key_bits // 8
    drawn = message.made_up(f"burst {secret}", size + 16 * calls)
    return prepare_texts(job, drawn[:size], drawn[size:], machine)


def prepare_texts(job: Job, key: bytes, text: bytes, machine: Processor | None = None) -> Run:
    """A burst over the blocks of a text under a key, ready to be called."""
    machine = machine or machine_for(job)
    context, key_at, source, target = _places(machine, context_bytes(machine), key, text, len(text))
    reference = _native.AES(key, "bytewise" if job.core != "bytewise" else "transposed")
    step = reference.encrypt_block if job.op == "encrypt-burst" else reference.decrypt_block
    wanted = b"".join(step(text[at : at + 16]) for at in range(0, len(text), 16))
    setup, _, work = entries(job)
    arguments = ((context, key_at), (context, target, source, len(text) // 16))
    return Run(job, machine, setup, context, source, target, arguments, work, wanted)


def _prepare_message(job: Job, calls: int, secret: int) -> Run:
    machine = machine_for(job)
    sealed = message.messages(replace(job, bytes=16 * calls), secret)[0]
    blank = sealed.pack(key=0, nonce=0, ad=0, out=0, data=0, tag=0)
    context, at, *places, tag, data, out = _places(
        machine, context_bytes(machine), blank, sealed.key, sealed.nonce, sealed.ad,
        len(sealed.tag), sealed.data, max(sealed.out_size, 1),
    )  # fmt: skip
    own = dict(zip(("key", "nonce", "ad"), places, strict=True))
    machine.write(at, sealed.pack(**own, out=out, data=data, tag=tag))
    setup, work = entries(job)
    arguments = ((context, at), (context, at))
    return Run(job, machine, setup, context, data, out, arguments, work, sealed.out)


def _prepare(job: Job, calls: int, secret: int) -> Run:
    return (_prepare_message if job.mode else prepare_blocks)(job, calls, secret)


def _cycles(run: Run) -> int:
    """Cycles of the burst by the platform's timing model; packets, where those are counted."""
    done, _ = run.call()
    if run.job.platform.rig == "vliw":
        from ..rigs.hexagon.rig import packets  # only where Hexagon is asked for

        return packets(done)
    blocks = {block for one in done for block in one.profile.blocks}
    instructions = decode_blocks(run.machine.read, blocks, run.job.platform.isa)
    model = timing_model(run.job.platform)
    return sum(cycles(model, one.profile, instructions, run.job.placed) for one in done)


def _find(records: bytes, wanted: bytes, after: int) -> int:
    """Index of the first record from `after` on that begins with these bytes; -1: none."""
    at = after * 8
    while (at := records.find(wanted, at)) >= 0 and at % 8:
        at += 1
    return at // 8 if at >= 0 else -1


def _starts(run: Run, records: bytes, calls: int) -> tuple[int, ...]:
    """Where calls begin: at the block function's entry, or at the first load of an input block."""
    if calls == 0:
        return ()
    if run.job.mode:
        step, address, kind = 16, run.source, LOAD
    else:
        step, address, kind = 0, run.machine.symbol(entries(run.job)[1]) & ~1, FETCH
    # The same code runs for each call, so what begins the first one begins them all.
    firsts = {size: _find(records, RECORD.pack(address, size, kind), 0) for size in _SIZES}
    there = {size: at for size, at in firsts.items() if at >= 0}
    size = min(there, key=there.__getitem__, default=4)
    found = [there.get(size, -1)]
    for call in range(1, calls):
        wanted = RECORD.pack(address + step * call, size, kind)
        found.append(_find(records, wanted, found[-1] + 1))
        if found[-1] < 0:
            break
    if found[-1] < 0:
        raise RuntimeError(f"call {len(found)} of {calls} is not found in the trace")
    return tuple(found)


def _tables(job: Job, machine: Processor) -> tuple[Span, ...]:
    """Tables in the image; those that the operation does not reach are not linked."""
    sizes = {table.name: table.bytes for table in job.implementation.tables}
    found = []
    for name, size in sizes.items():
        try:
            found.append(Span(name, machine.symbol(name), size))
        except ValueError:
            continue
    return tuple(found)


def trace(
    platform: Platform,
    core: str,
    calls: int,
    *,
    key_bits: int = 128,
    op: str = "encrypt-block",
    mode: str | None = None,
    secret: int = 0,
) -> Trace:
    """Every access of one burst; another `secret` gives another key and other texts.

    With a mode, `op` is "encrypt", and the calls are the blocks of one message.
    """
    job = burst_job(platform, core, key_bits, op, mode, calls)
    return traced(_prepare(job, calls, secret), calls)


def traced(run: Run, calls: int) -> Trace:
    """Every access of a burst of so many calls that is ready to be called."""
    _, records = run.call(record=True)
    streams = (Span("in", run.source, 16 * calls), Span("out", run.target, 16 * calls))
    return Trace(records, _starts(run, records, calls), _tables(run.job, run.machine), streams)


def ideal_cycles(platform: Platform, core: str, calls: int, *, secret: int = 0) -> int:
    """Cycles without any miss of one key set-up and a burst of blocks encrypted."""
    job = burst_job(platform, core, 128, "encrypt-block", None, calls)
    return _cycles(_prepare(job, calls, secret))


def _footprint(job: Job) -> dict[str, Any]:
    return footprint(traced(_prepare(job, 3, 0), 3))


def _measured(job: Job) -> dict[str, Any]:
    def total(calls: int) -> int:
        asked = job if job.mode is None else replace(job, bytes=16 * calls)
        return _cycles(_prepare(asked, calls, 0))

    near, far = total(_NEAR), total(_FAR)
    each = (far - near) / (_FAR - _NEAR)
    once = near - _NEAR * each if job.mode else total(0)
    footprint = _footprint(job if job.mode is None else replace(job, bytes=48))
    return {"E": each, "c": once, **footprint}


def coefficients(
    platform: Platform,
    core: str,
    key_bits: int = 128,
    op: str = "encrypt-block",
    mode: str | None = None,
) -> Coefficients:
    """E(v) and c(v) by the paper's method, on the emulator, and what one call touches.

    Kept by content: a second run takes what the first one found.
    """
    job = burst_job(platform, core, key_bits, op, mode, _NEAR)

    def make(target: Path) -> dict[str, Any]:
        facts = _measured(job)
        target.write_text(json.dumps(facts), encoding="utf-8")
        return facts

    return _from_facts(cached(_name(job), _SUFFIX, make)[1])


def kept_coefficients(
    platform: Platform, core: str, key_bits: int, op: str, mode: str | None
) -> Coefficients | None:
    """Those that `coefficients` found before; None where it has to measure."""
    facts = kept(_name(burst_job(platform, core, key_bits, op, mode, _NEAR)), _SUFFIX)
    return None if facts is None else _from_facts(facts)


def _name(job: Job) -> str:
    return key("coefficients", rig_of(job.platform).key(job), closure.digest(__name__))


def _from_facts(facts: Mapping[str, Any]) -> Coefficients:
    fixed = tuple((address, size, tuple(moments)) for address, size, moments in facts["fixed"])
    setup = tuple((address, size, loaded) for address, size, loaded in facts["setup_fixed"])
    return Coefficients(**{**facts, "fixed": fixed, "setup_fixed": setup})
