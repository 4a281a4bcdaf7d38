# SPDX-License-Identifier: MIT
"""Checks the arguments of the public functions; an ArgumentError says what is wrong, and where."""

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from os import PathLike, fspath
from pathlib import Path
from typing import TypeVar

from ..cachemodel.versions import ALL, modelled_cores, ranked_cores
from ..catalog import MODES
from ..catalog import cores as all_cores
from ..choosing.multipliers import ghash_of
from ..choosing.request import KEY_BITS, PacketSizes, at_clock
from ..errors import ArgumentError, about
from ..extras import EMULATOR, missing
from ..jobs import message
from ..jobs.job import Job, Placement, Progress
from ..platforms.boards import named
from ..platforms.platform import Platform
from ..platforms.suggest import unlisted
from ..rigs.rig import RigUnavailableError

Value = TypeVar("Value", bound=str)
PlatformLike = Platform | str | PathLike[str]
"""A platform, its name, or the path of its TOML file."""
Names = str | Iterable[str]
"""One name, several separated by commas, or a sequence of names."""
Packets = Mapping[int, float] | Iterable[tuple[int, float]]
"""Payload sizes in bytes and the share of each."""
Files = str | PathLike[str] | Iterable[str | PathLike[str]]
"""The path of one file, or several."""

_LONGEST_EMULATED = 1 << 20
"""Longest emulated message in bytes; the slowest core takes some minutes for it."""
_LEVELS = ("-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz", "-Ofast")


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
    with about("platform"):
        return named(fspath(platform))


def names_of(names: Names | None, argument: str) -> tuple[str, ...]:
    """The names, each once; empty for None."""
    if names is None:
        return ()
    parts = names.split(",") if isinstance(names, str) else list(names)
    found = tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
    if not found:
        raise ArgumentError("name at least one, or leave it out", argument=argument)
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
        raise ArgumentError(
            "'{:.20}' is not a level of optimisation; choose {}",
            wrong,
            ", ".join(_LEVELS),
            argument="flags",
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
        told = f"{{{name}}} is a whole number from {{}}, not {{}}"
        raise ArgumentError(told, least, number, argument=name)
    return number


def positive(name: str, value: float | None) -> float | None:
    """An argument that is a number above 0; None stays None."""
    if value is not None and not 0 < value < float("inf"):
        told = f"{{{name}}} is a number above 0, not {{}}"
        raise ArgumentError(told, value, argument=name)
    return value


def chip_of(platform: Platform, clock_hz: float | None, buffers: str | None) -> Platform:
    """The platform at a clock, with the given setting of its flash buffers; None: unchanged."""
    hertz = positive("clock_hz", clock_hz)
    with about("buffers" if clock_hz is None else "clock_hz"):
        return at_clock(platform, hertz, buffers)


def placement_of(flash_wait: int | None, tables: str | None) -> Placement:
    """The placement of code and data in memory."""
    return Placement(whole("flash_wait", flash_wait, 0), tables)


def check_flash_wait(platform: Platform, wait: int | None) -> None:
    """ValueError for wait states where no rule says how the processor waits for its flash."""
    if not wait or platform.rig != "emulator" or missing("the emulator", EMULATOR):
        return
    from ..rigs.emulator.rig import timing_model  # needs the emulator's packages

    if timing_model(platform).fetches is None:
        raise ArgumentError(
            "no source says how {} waits for a flash, so its code is measured where nothing waits; "
            "leave {flash_wait} out",
            platform.name,
            argument="flash_wait",
        )


def one_of(argument: str, wanted: str, allowed: Sequence[Value]) -> Value:
    """The allowed value of that name."""
    for one in allowed:
        if wanted == one:
            return one
    known = ", ".join(map(str, allowed))
    raise ArgumentError("'{}' is not one of {}", wanted, known, argument=argument)


def mode_called(name: str, more: Sequence[str] = ()) -> str:
    """The mode of that name, or in the spelling of `Cipher` ("cbc-cs3", "cbc-pkcs7").

    `more`: other allowed names.  ValueError suggests the nearest.
    """
    allowed = (*MODES, *more)
    spelled = {mode.called: mode.name for mode in MODES.values()}
    known = name.lower()
    known = spelled.get(known.replace("_", "-"), known.replace("-", "_"))
    with about("mode"):
        if known not in allowed:
            raise unlisted("mode", name, allowed)
    return known


def check_key_bits(bits: int) -> None:
    """Raise ValueError for an invalid key size."""
    if bits not in KEY_BITS:
        known = ", ".join(map(str, KEY_BITS))
        raise ArgumentError("'{}' is not a key size; choose: {}", bits, known, argument="key_bits")


def key_sizes(key_bits: int | Iterable[int]) -> tuple[int, ...]:
    """One key size or several, each once."""
    sizes = key_bits if isinstance(key_bits, Iterable) else (key_bits,)
    found = tuple(dict.fromkeys(sizes))
    for size in found:
        check_key_bits(size)
    return found


def check_multiplier(ghash: str | None, modes: Iterable[str | None]) -> None:
    """Raise ValueError for a GHASH multiplier if the mode uses none."""
    named = (MODES[mode] for mode in modes if mode in MODES)
    if ghash is not None and not any(mode.hashes for mode in named):
        raise ArgumentError("only gcm has one; give {mode} gcm too", argument="ghash")


def multiplier_of(platform: Platform, ghash: str | None) -> str:
    """The GHASH multiplier of that name, or the platform's default."""
    with about("ghash"):
        return ghash_of(platform, ghash)


def sizes_of(packets: Packets | None) -> PacketSizes:
    """The sizes of a mix of packets, each with its share."""
    pairs = packets.items() if isinstance(packets, Mapping) else packets or ()
    return tuple((size, share) for size, share in pairs)


def check_message(job: Job) -> None:
    """Raise ValueError for a length that the mode does not support or that takes too long."""
    if job.platform.exact and (job.bytes or 0) > _LONGEST_EMULATED:
        raise ArgumentError(
            "messages of {} bytes take too long to emulate; give {} or fewer, where cycles a byte "
            "no longer change",
            job.bytes,
            _LONGEST_EMULATED,
        )
    message.check(job)


def check_messages(jobs: Iterable[Job]) -> None:
    """The same check for every job that has a message."""
    for job in jobs:
        if job.mode:
            check_message(job)


def cores_on(platform: Platform, names: Sequence[str] = ()) -> list[str]:
    """The named cores, or those that compete unnamed; ValueError if one cannot run."""
    able = modelled_cores(platform)
    if list(names) == [ALL]:
        return able
    needs = {core.name: core.needs for core in all_cores()}
    for name in (one for one in names if one not in able):
        with about("cores"):
            if needs.get(name):
                raise ValueError(f"core '{name}' needs {needs[name]}, which {platform.name} lacks")
            error = unlisted("core", name, able)
            raise type(error)(f"on {platform.name} {error}")
    return list(dict.fromkeys(names)) or ranked_cores(platform)
