# SPDX-License-Identifier: MIT
"""Rows of a user's function in the place of a core: its image runs on the rig of the cores.

It gets the same messages and secrets, and every output is compared with the host's library.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256

import numpy as np

from ..building.build import Image
from ..catalog import MODES
from ..errors import ArgumentError
from ..jobs.job import Job, Row
from ..jobs.secrecy import Secrecy
from ..platforms.platform import Platform
from ..platforms.uniform import why_addresses_show
from ..rigs.accounts import payload_bytes, spread_told
from ..rigs.emulator.machine import MachineError
from ..rigs.emulator.recording import Recorded
from ..rigs.emulator.rig import RUNS, SecretRuns, row_of, secret_runs
from ..rigs.firing import WrongOutputError, firing_of
from ..rigs.secrecy import judge
from .own import OwnFunction
from .own_image import ANY_CORE, own_image

_LOAD = 1
"""The kind of a load in Machine.records()."""
_RECORD = np.dtype([("address", "<u4"), ("size", "<u2"), ("kind", "<u2")])


def check_question(platform: Platform, mode: str, *, decrypts: bool, title: str) -> None:
    """Raise ValueError if a function that encrypts a block cannot answer the question.

    `decrypts`: the firmware must decrypt too.
    """
    if platform.rig != "emulator":
        raise ArgumentError(
            "{} can be ranked on emulated platforms alone, and {} is none; leave {also} out, or "
            "count it with: aesfit count",
            title,
            platform.name,
        )
    if mode not in MODES:
        raise ArgumentError(
            "{} is ranked in the modes of operation, not in bursts of the block cipher; take "
            "{mode} block {encrypt_only} without bursts, or aesfit predict {elf} for bursts",
            title,
        )
    if decrypts and MODES[mode].inverse:
        free = ", ".join(name for name, shape in MODES.items() if not shape.inverse)
        raise ArgumentError(
            "{} encrypts blocks, and {} decrypts with the inverse cipher; add {encrypt_only}, or "
            "take one of {}",
            title,
            mode,
            free,
        )


def own_row(job: Job, one: OwnFunction) -> Row:
    """The row of a job with a mode.

    WrongOutputError if it does not compute AES; RuntimeError if it does not run.
    """
    try:
        job = replace(job, core=ANY_CORE)
        row = row_called(job, one.title, one.told, partial(own_image, one=one))
    except WrongOutputError:
        raise WrongOutputError(_wrong(job, one)) from None
    return replace(row, round_key_bytes=one.context_bytes or job.key_bits // 8)


def row_called(job: Job, title: str, call: str, image_of: Callable[[Job], Image]) -> Row:
    """The row of a job whose image has none of our cores, although it names one; as own_row().

    `call`: how it is called, in words.
    """
    image, runs = image_of(job), firing_of(job).job
    try:
        ran = secret_runs(job, image.elf if runs == job else image_of(runs).elf)
    except MachineError as error:
        raise RuntimeError(f"{title}, called as {call}: {error}") from None
    except ValueError as error:  # an error in the executed code, not in the question
        raise RuntimeError(f"{title} cannot be priced: {error}") from None
    mode = job.shape.title if job.mode else job.op
    window = f"{mode} over {call}, {payload_bytes(job)} bytes of payload"
    window += spread_told(ran.counts, "cycles", RUNS)
    memory = "code and constants in flash, variables and stack in RAM"
    row = row_of(job, image, ran, _secrecy(job, ran), window, memory)
    return replace(row, core=title, round_key_bytes=job.key_bits // 8)


def _wrong(job: Job, one: OwnFunction) -> str:
    return (
        f"{one.title} does not compute AES-{job.key_bits}: called as {one.told} ({job.mode} may "
        "give the same place for in and out), its output differs from the library's; check the "
        "order of its arguments and its key size"
    )


def _secrecy(job: Job, ran: SecretRuns) -> Secrecy:
    """Judged by its runs, since no claim exists for a user's function.

    Reads of flash count as visible if their addresses differed, or if they were not recorded.
    """
    waits, platform = job.placed.flash_wait or 0, job.platform
    flash = ran.flash.ranges if ran.flash else ()
    seen = {_reads(calls, flash) for calls in ran.recorded}
    homes = {platform.home("data").name} | ({"flash"} if len(seen) != 1 else set())
    show = any(why_addresses_show(platform, one, waits) is not None for one in homes)
    return judge(ran.observed, claimed=True, addresses_show=show, multiplies=False)


def _reads(calls: Sequence[Recorded], flash: Sequence[tuple[int, int]]) -> str:
    """Digest of the addresses of data reads from flash, in order."""
    found = sha256()
    for call in calls:
        records = np.frombuffer(call.records, _RECORD)
        loads = records["address"][records["kind"] == _LOAD].astype(np.int64)
        for start, size in flash:
            found.update(loads[(loads >= start) & (loads < start + size)].tobytes())
    return found.hexdigest()
