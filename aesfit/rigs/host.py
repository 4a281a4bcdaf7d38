# SPDX-License-Identifier: MIT
"""Measure cores on the processor that runs this program.

Every core encrypts the same bytes in the same mode, message by message; the outputs are compared.
Batches of the cores are interleaved, so that a disturbance of the machine hits all alike, and the
minimum and the median over the batches are kept; other programs only ever add time, so the minimum
is the truer one.  Time is the processor's time stamp counter
where there is one (x86), otherwise nanoseconds; key expansion is outside the measured window.
"""

import hashlib
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from .. import _native
from ..catalog import Core

MODES: tuple[str, ...] = (*_native.MODES, "ccm", "gcm")
_WHOLE_BLOCKS = ("ecb", "cbc")
_AT_LEAST_A_BLOCK = ("cbc-cs3", "xts")
_TAG_BYTES = {"ccm": 8, "gcm": 16}
_MOST_MESSAGE_BYTES = 1 << 32
_BATCH_SECONDS = 300e-6
_TOTAL_SECONDS = 2.0
_LEAST_REPEATS, _MOST_REPEATS = 7, 101


class MismatchError(RuntimeError):
    """Two cores gave different ciphertext for the same input."""


@dataclass(frozen=True)
class Job:
    """What every core does: encrypt `data` in messages of `message_bytes` under `mode`."""

    mode: str
    key_bits: int
    message_bytes: int
    data: bytes

    def key(self) -> bytes:
        """Public key bytes; the time of a core that we rank does not hang on its value."""
        return bytes(range((2 if self.mode == "xts" else 1) * self.key_bits // 8))

    def nonce(self) -> bytes:
        """IV or nonce of the first message; CCM takes the longest its length field allows."""
        if self.mode == "gcm":
            return bytes(12)
        if self.mode == "ccm":
            return bytes(15 - max(2, (self.message_bytes.bit_length() + 7) // 8))
        return bytes(16)


@dataclass(frozen=True)
class Provenance:
    """What the numbers hang on."""

    rig: str
    version: str
    library_sha256: str
    """Hash of the shared library that ran."""
    compiler: str
    processor: str
    operation: str
    mode: str
    key_bits: int
    message_bytes: int
    data_bytes: int
    data_sha256: str
    tag_bytes: int
    repeats: int
    unit: str
    """Of time: "TSC cycles" or "ns"."""


@dataclass(frozen=True)
class Measurement:
    """Time of one core per byte of data, in Provenance.unit."""

    core: Core
    per_byte_min: float
    per_byte_median: float
    passes_per_batch: int


@dataclass(frozen=True)
class HostRun:
    """The measurements of one job, in the order of the cores given."""

    measurements: tuple[Measurement, ...]
    output_sha256: str
    provenance: Provenance


def make_job(mode: str, key_bits: int, message_bytes: int, data: bytes) -> Job:
    """Check a job and cut `data` to what the mode can take; ValueError says what is wrong."""
    if mode not in MODES:
        raise ValueError(f"there is no mode '{mode}'")
    sizes = (128, 256) if mode == "xts" else (128, 192, 256)
    if key_bits not in sizes:
        raise ValueError(f"key bits are {key_bits}; {mode} takes {', '.join(map(str, sizes))}")
    if not 1 <= message_bytes <= _MOST_MESSAGE_BYTES:
        raise ValueError(
            f"messages are {message_bytes} bytes; they take 1 to {_MOST_MESSAGE_BYTES}"
        )
    if mode in _WHOLE_BLOCKS and message_bytes % 16:
        raise ValueError(f"messages are {message_bytes} bytes; {mode} takes a multiple of 16")
    if mode in _AT_LEAST_A_BLOCK and message_bytes < 16:
        raise ValueError(f"messages are {message_bytes} bytes; {mode} takes 16 or more")
    given, tail = len(data), len(data) % message_bytes
    if mode in _WHOLE_BLOCKS:
        data = data[: len(data) - tail % 16]
    elif mode in _AT_LEAST_A_BLOCK and tail < 16:
        data = data[: len(data) - tail]
    if not data:
        raise ValueError(f"the file is {given} bytes, too few for {mode}")
    return Job(mode, key_bits, message_bytes, data)


def _stopwatch(core: str, job: Job) -> _native.Stopwatch:
    return _native.Stopwatch(
        core,
        job.mode,
        job.key(),
        job.nonce(),
        job.data,
        job.message_bytes,
        _TAG_BYTES.get(job.mode, 0),
    )


def _passes(stopwatch: _native.Stopwatch) -> tuple[int, float]:
    """Passes per batch, and the seconds a batch takes."""
    start = time.perf_counter()
    stopwatch.run(1)
    seconds = max(time.perf_counter() - start, 1e-7)
    passes = max(1, round(_BATCH_SECONDS / seconds))
    return passes, passes * seconds


def processor_name() -> str:
    """Model of the processor as the system names it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _provenance(job: Job, repeats: int) -> Provenance:
    return Provenance(
        rig="host",
        version=_native.version,
        library_sha256=hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest(),
        compiler=_native.compiler,
        processor=processor_name(),
        operation="encrypt",
        mode=job.mode,
        key_bits=job.key_bits,
        message_bytes=job.message_bytes,
        data_bytes=len(job.data),
        data_sha256=hashlib.sha256(job.data).hexdigest(),
        tag_bytes=_TAG_BYTES.get(job.mode, 0),
        repeats=repeats,
        unit=_native.clock_unit,
    )


def _agreed_output(cores: Sequence[Core], watches: Sequence[_native.Stopwatch]) -> bytes:
    first = watches[0].output()
    for core, watch in zip(cores, watches, strict=True):
        if watch.output() != first:
            raise MismatchError(f"{core.name} and {cores[0].name} do not give the same ciphertext")
    return first


def measure(
    cores: Sequence[Core],
    job: Job,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> HostRun:
    """Run `job` on every core of `cores`; `progress` gets batches done and in all."""
    if not cores:
        raise ValueError("no core to measure")
    watches = [_stopwatch(core.name, job) for core in cores]
    output = _agreed_output(cores, watches)
    plan = [_passes(watch) for watch in watches]
    round_seconds = sum(seconds for _, seconds in plan)
    repeats = min(_MOST_REPEATS, max(_LEAST_REPEATS, round(_TOTAL_SECONDS / round_seconds)))
    times: list[list[float]] = [[] for _ in cores]
    total = repeats * len(cores)
    for batch in range(total):
        at = batch % len(cores)
        passes = plan[at][0]
        times[at].append(watches[at].run(passes) / passes / len(job.data))
        progress(batch + 1, total)
    _agreed_output(cores, watches)
    return HostRun(
        tuple(
            Measurement(core, min(t), median(t), passes)
            for core, t, (passes, _) in zip(cores, times, plan, strict=True)
        ),
        hashlib.sha256(output).hexdigest(),
        _provenance(job, repeats),
    )
