# SPDX-License-Identifier: MIT
"""Checks the arguments of the public functions, with sentences for invalid ones.

The command line uses the same checks, and names the option concerned.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import index
from os import PathLike, fspath
from pathlib import Path

from ..cachemodel.versions import modelled_cores
from ..catalog import cores as all_cores
from ..choosing.request import KEY_BITS, TIMING_LIMITS, TimingLimit, at_clock
from ..extras import EMULATOR, missing
from ..jobs import message
from ..jobs.job import Job, Placement, Progress
from ..platforms.boards import named
from ..platforms.platform import Platform
from ..platforms.suggest import unlisted
from ..rigs.rig import RigUnavailableError

PlatformLike = Platform | str | PathLike[str]
"""A platform, its name, or the path of its TOML file."""
Names = str | Iterable[str]
"""One name, several separated by commas, or a sequence of names."""
Files = str | PathLike[str] | Iterable[str | PathLike[str]]
"""The path of one file, or several."""

_LONGEST_EMULATED = 1 << 20
"""Longest emulated message in bytes; the slowest core takes some minutes for it."""
_LEVELS = ("-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz", "-Ofast")
_OPTION = re.compile(r"(?<![\w-])(?:--[a-z][a-z-]*|-o\b)")
_ARGUMENTS = {
    "--bytes": "payload_bytes",
    "--cache": "cache_bytes",
    "--core": "cores",
    "--icache": "instruction_cache_bytes",
    "--key-changes": "messages_per_key",
    "--line": "line_bytes",
    "--max-flash": "max_flash_bytes",
    "--max-ram": "max_ram_bytes",
    "--op": "ops",
    "-o": "folder",
}
"""Options whose argument in Python has another name."""


@contextmanager
def python_words() -> Iterator[None]:
    """Make a ValueError within name arguments instead of command-line options."""
    try:
        yield
    except ValueError as error:
        sentence = _OPTION.sub(_argument, str(error))
        if sentence == str(error):
            raise
        raise type(error)(sentence) from None


def _argument(option: re.Match[str]) -> str:
    name = option[0].removeprefix("--").replace("-", "_")
    return _ARGUMENTS.get(option[0], name)


def silent(done: int, total: int) -> None:
    """The progress callback if none is given."""


def told(progress: Progress | None) -> Progress:
    """The progress callback, called with the number done and the total."""
    return silent if progress is None else progress


def platform_of(platform: PlatformLike) -> Platform:
    """The platform; ValueError names the nearest."""
    if isinstance(platform, Platform):
        return platform
    if not isinstance(platform, str | PathLike):
        raise TypeError(f"a platform is a name, a path or a Platform, not {platform!r}")
    return named(fspath(platform))


def names_of(names: Names | None) -> tuple[str, ...]:
    """The names, each once; empty for None."""
    if names is None:
        return ()
    parts = names.split(",") if isinstance(names, str) else list(names)
    found = tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
    if not found:
        raise ValueError("name at least one, or leave it out")
    return found


def text_of(argument: str | int | bytes) -> str:
    """An argument of the user's function, as text for the command line."""
    if isinstance(argument, str):
        return argument
    if isinstance(argument, bytes):
        return f"hex:{argument.hex()}"
    return f"int:{argument}"


def need_emulator() -> None:
    """Raise RigUnavailableError, with the command that helps, if packages are missing."""
    reason = missing("the emulator", EMULATOR)
    if reason:
        raise RigUnavailableError(reason)


def files_of(files: Files) -> tuple[Path, ...]:
    """Paths of one file or several."""
    given = [files] if isinstance(files, str | PathLike) else list(files)
    return tuple(Path(file) for file in given)


def flags_of(flags: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """Optimisation flags, as one text or separate ones; None: those of the platform file.

    ValueError for a level that GCC does not have: it would compile -O9 as -O3.
    """
    if flags is None:
        return None
    words = tuple(flags.split() if isinstance(flags, str) else flags)
    wrong = next((word for word in words if word.startswith("-O") and word not in _LEVELS), None)
    if wrong is not None:
        raise ValueError(
            f"'{wrong:.20}' is not a level of optimisation; choose {', '.join(_LEVELS)}"
        )
    return words


def whole(name: str, value: int | None, least: int = 1) -> int | None:
    """An argument that is a whole number of at least `least`; None stays None."""
    if value is None:
        return None
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None
    if number < least:
        raise ValueError(f"{name} is a whole number from {least}, not {number}")
    return number


def positive(name: str, value: float | None) -> float | None:
    """An argument that is a number above 0; None stays None."""
    if value is not None and not 0 < value < float("inf"):
        raise ValueError(f"{name} is a number above 0, not {value}")
    return value


def chip_of(platform: Platform, clock_hz: float | None, buffers: str | None) -> Platform:
    """The platform at a clock, with the given setting of its flash buffers; None: unchanged."""
    return at_clock(platform, positive("clock_hz", clock_hz), buffers)


def placement_of(flash_wait: int | None, tables: str | None) -> Placement:
    """The placement of code and data in memory."""
    return Placement(whole("flash_wait", flash_wait, 0), tables)


def timing_of(wanted: str | None) -> TimingLimit | None:
    """The limit of that name; None stays None."""
    for limit in TIMING_LIMITS:
        if wanted == limit:
            return limit
    if wanted is None:
        return None
    raise ValueError(f"'{wanted}' is not one of {', '.join(TIMING_LIMITS)}")


def mode_called(name: str, more: Sequence[str] = ()) -> str:
    """The mode of that name, or in the spelling of `Cipher` ("cbc-cs3", "cbc-pkcs7").

    `more`: other allowed names.  ValueError suggests the nearest.
    """
    allowed = (*message.MODES, *more)
    known = name.lower().replace("-", "_")
    known = "pkcs7" if known == "cbc_pkcs7" else known
    if known not in allowed:
        raise unlisted("mode", name, allowed)
    return known


def check_key_bits(bits: int) -> None:
    """Raise ValueError for an invalid key size."""
    if bits not in KEY_BITS:
        raise ValueError(f"'{bits}' is not a key size; choose: {', '.join(map(str, KEY_BITS))}")


def key_sizes(key_bits: int | Iterable[int]) -> tuple[int, ...]:
    """One key size or several, each once."""
    sizes = key_bits if isinstance(key_bits, Iterable) else (key_bits,)
    found = tuple(dict.fromkeys(sizes))
    for size in found:
        check_key_bits(size)
    return found


def check_multiplier(ghash: str | None, modes: Iterable[str | None]) -> None:
    """Raise ValueError for a GHASH multiplier if the mode uses none."""
    if ghash is not None and "gcm" not in modes:
        raise ValueError("only gcm has one; give --mode gcm too")


def check_message(job: Job) -> None:
    """Raise ValueError for a length that the mode does not support or that takes too long."""
    if job.platform.exact and (job.bytes or 0) > _LONGEST_EMULATED:
        raise ValueError(
            f"messages of {job.bytes} bytes take too long to emulate; give {_LONGEST_EMULATED} or "
            "fewer, where cycles a byte no longer change"
        )
    message.check(job)


def check_messages(jobs: Iterable[Job]) -> None:
    """The same check for every job that has a message."""
    for job in jobs:
        if job.mode:
            check_message(job)


def cores_on(platform: Platform, names: Sequence[str] = ()) -> list[str]:
    """The named cores, or all that a platform can run; ValueError if one cannot run."""
    able = modelled_cores(platform)
    needs = {core.name: core.needs for core in all_cores()}
    for name in names:
        if needs.get(name) and name not in able:
            raise ValueError(f"core '{name}' needs {needs[name]}, which {platform.name} lacks")
        if name not in able:
            error = unlisted("core", name, able)
            raise type(error)(f"on {platform.name} {error}")
    return list(dict.fromkeys(names)) or able
