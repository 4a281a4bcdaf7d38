# SPDX-License-Identifier: MIT
"""Time `aesfit encrypt` and `aesfit decrypt` on one large file beside `openssl enc -aes-128-ctr`.

Whole processes are timed, start and exit included, with a key file.  A round runs openssl and ours
in alternating order, each after its output was removed; the ratio is the median over the rounds of
openssl's time by ours.  Memory is the largest resident set that the system saw in any run.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

AESFIT = Path(sys.executable).with_name("aesfit")
SHARED = Path("/dev/shm")  # noqa: S108 - a file system in memory, where timing is not the disk's
MIB = 1 << 20
LEAST_RATIO = 0.8
MOST_MIB = 100
BOUND = "encrypt gcm 128"
"""The row to which both limits apply."""
LIBRARY = """\
import sys
from pathlib import Path
from aesfit.files import Options, key_in_file, seal
plain, out, key = sys.argv[1:]
with open(plain, "rb", buffering=0) as source, open(out, "wb", buffering=0) as sink:
    seal(source, sink, key_in_file(Path(key).read_bytes()), Options(key_bits=128))
"""
"""A program that uses the Python package, without the command line's start-up."""


@dataclass(frozen=True)
class Row:
    """One command; rates in MiB/s, medians over the rounds."""

    what: str
    mib_per_second: float
    openssl_mib_per_second: float
    ratio: float  # above 1, ours is faster
    peak_mib: float


@dataclass(frozen=True)
class Files:
    """The files that the commands use, in one folder."""

    folder: Path
    mib: int

    def at(self, name: str) -> str:
        """Path of a file."""
        return str(self.folder / name)

    def prepare(self) -> None:
        """Make a file of random bytes and a key."""
        (self.folder / "key").write_bytes(os.urandom(16))
        with (self.folder / "plain").open("wb") as stream:
            for _ in range(self.mib):
                stream.write(os.urandom(MIB))

    def openssl(self) -> list[str]:
        """The command to compare with."""
        program = shutil.which("openssl")
        if program is None:
            raise SystemExit("openssl is missing; install it with: make setup")
        options = ["-K", os.urandom(16).hex(), "-iv", os.urandom(16).hex()]
        files = ["-in", self.at("plain"), "-out", self.at("out")]
        return [program, "enc", "-aes-128-ctr", *options, *files]

    def aesfit(self, verb: str, source: str, *options: str) -> list[str]:
        """One of our commands."""
        key = ["--key-file", self.at("key"), "--quiet"]
        return [str(AESFIT), verb, self.at(source), "-o", self.at("out"), *key, *options]

    def library(self) -> list[str]:
        """The same from Python."""
        return [sys.executable, "-c", LIBRARY, *(self.at(name) for name in ("plain", "out", "key"))]


def run(command: list[str], out: Path) -> tuple[float, float]:
    """Seconds, and MiB of the largest resident set."""
    out.unlink(missing_ok=True)
    start = time.perf_counter()
    process = subprocess.Popen(command)  # noqa: S603 - the commands of this file
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed with {process.returncode}: {' '.join(command)}")
    return seconds, usage.ru_maxrss / 1024  # Linux counts KiB


def measure(what: str, ours: list[str], files: Files, rounds: int) -> Row:
    """Interleaved medians of one command."""
    commands, out = (files.openssl(), ours), files.folder / "out"
    times: tuple[list[float], list[float]] = ([], [])
    peak = 0.0
    for number in range(rounds):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            seconds, memory = run(commands[side], out)
            times[side].append(seconds)
            peak = max(peak, memory if side else 0)
    ratio = statistics.median(theirs / mine for theirs, mine in zip(*times, strict=True))
    rates = [files.mib / statistics.median(side) for side in times]
    return Row(what, round(rates[1]), round(rates[0]), round(ratio, 2), round(peak, 1))


def measure_all(files: Files, rounds: int) -> list[Row]:
    """Every row."""
    files.prepare()
    rows = [
        measure(
            f"encrypt {mode} {bits}",
            files.aesfit("encrypt", "plain", "--mode", mode, "--key-bits", bits),
            files,
            rounds,
        )
        for mode, bits in (("gcm", "128"), ("gcm", "256"), ("ccm", "128"))
    ]
    rows.append(measure("seal() gcm 128", files.library(), files, rounds))
    run(files.aesfit("encrypt", "plain"), files.folder / "out")
    (files.folder / "out").rename(files.folder / "sealed")
    return [*rows, measure("decrypt gcm 256", files.aesfit("decrypt", "sealed"), files, rounds)]


def verdict(row: Row) -> str:
    """Whether the row keeps its limits."""
    fast, small = row.ratio >= LEAST_RATIO, row.peak_mib < MOST_MIB
    return (
        f"{row.what}: {row.ratio:.2f} of openssl's rate, "
        f"{'at least' if fast else 'NOT at least'} {LEAST_RATIO}; "
        f"{row.peak_mib:.0f} MiB, {'below' if small else 'NOT below'} {MOST_MIB}"
    )


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    parser.add_argument("--mib", type=int, default=1024, help="size of the file in MiB [1024]")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each side [5]")
    parser.add_argument("--folder", type=Path, help="where the files lie [/dev/shm with room]")
    options = parser.parse_args()
    room = SHARED.is_dir() and shutil.disk_usage(SHARED).free > 4 * options.mib * MIB
    place = options.folder or (SHARED if room else Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(dir=place) as folder:
        rows = measure_all(Files(Path(folder), options.mib), options.rounds)
    if options.json:
        run_of = {"mib": options.mib, "folder": str(place), "unit": "MiB/s"}
        print(json.dumps({**run_of, "rows": [asdict(row) for row in rows]}, indent=2))
        return
    where = "in memory" if place == SHARED else "on disk, whose noise is in the rates"
    print(f"aesfit encrypt, decrypt: {options.mib} MiB from file to file {where} ({place})")
    print(f"{'command':17}{'MiB/s':>7}{'openssl aes-128-ctr':>21}{'ratio':>7}{'peak MiB':>10}")
    for row in rows:
        rates = f"{row.mib_per_second:7.0f}{row.openssl_mib_per_second:21.0f}"
        print(f"{row.what:17}{rates}{row.ratio:7.2f}{row.peak_mib:10.1f}")
    print(verdict(next(row for row in rows if row.what == BOUND)))


if __name__ == "__main__":
    main()
