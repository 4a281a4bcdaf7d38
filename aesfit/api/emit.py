# SPDX-License-Identifier: MIT
"""`aesfit.emit`: a choice as one .c and one .h for a firmware."""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..choosing.multipliers import ghash_of
from ..choosing.request import BLOCK, BLOCK_ALONE
from ..emitting import head
from ..emitting.choice import DropInChoice, public_functions
from ..emitting.figures import Figures, contexts, repeats
from ..emitting.source import files
from ..emitting.write import check_folder, write
from ..jobs.job import Progress
from ..measuring.flat import FlatRow, flat
from ..platforms.find import load
from ..platforms.places import project_folder
from ..platforms.platform import Platform
from ..rigs.accounts import claims_constant_time
from .arguments import (
    Names,
    PlatformLike,
    check_message,
    check_multiplier,
    chip_of,
    key_sizes,
    mode_called,
    names_of,
    platform_of,
    python_words,
    told,
    whole,
)
from .prove import check_followed, check_prover

if TYPE_CHECKING:
    from ..building.unit import DropIn

BYTES = 1504
"""Default payload of a measured message: a full frame of IEEE 802.11."""
_NOTHING = "nothing is measured; give --platform too"


@dataclass(frozen=True)
class EmittedFiles:
    """A drop-in that was written."""

    choice: DropInChoice
    origin: head.Origin
    figures: Figures | None
    """Measurements of the files on the choice's platform; None if not measured."""
    files: tuple[Path, ...]
    """The .h and the .c."""

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the public functions in C."""
        prefix = self.choice.prefix
        return tuple(head.renamed(name, prefix) for name in public_functions(self.choice))

    @property
    def compile(self) -> str:
        """The command that compiles the .c from here."""
        line = head.compile_line(self.choice, self.origin.flags)
        return line.removesuffix(self.files[0].name) + shlex.quote(str(self.files[0]))

    @property
    def rows(self) -> tuple[FlatRow, ...]:
        """A flat mapping for each measured operation; empty if nothing was measured."""
        return tuple(flat(row) for row in self.figures.rows) if self.figures else ()

    def as_json(self) -> dict[str, Any]:
        """What `aesfit emit --json` prints under its head."""
        choice, figures = self.choice, self.figures
        return {
            "files": [str(path) for path in self.files],
            "prefix": choice.prefix,
            "core": choice.core,
            "modes": list(choice.modes),
            "key_bits": list(choice.key_bits),
            "encrypt_only": choice.encrypt_only,
            "separate_keys": choice.separate_keys,
            "platform": choice.platform.name if choice.platform else None,
            "functions": list(self.functions),
            "context_bytes": contexts(choice),
            "flash_bytes": figures.flash.code + figures.flash.tables if figures else None,
            "stack_bytes": figures.stack_bytes if figures else None,
            "compile": self.compile,
            "rows": [row.as_json() for row in figures.rows] if figures else [],
        }


@python_words()
def emit(  # long: what each argument means is said once, here
    core: str,
    *,
    mode: Names,
    platform: PlatformLike | None = None,
    clock_hz: float | None = None,
    buffers: str | None = None,
    key_bits: int | Iterable[int] = 128,
    encrypt_only: bool = False,
    separate_keys: bool = False,
    prefix: str = "fitaes",
    ghash: str | None = None,
    self_test: bool = True,
    streaming: bool = False,
    all_functions: bool = False,
    payload_bytes: int | None = None,
    folder: str | PathLike[str] | None = None,
    force: bool = False,
    prove: bool = False,
    fresh: bool = False,
    progress: Progress | None = None,
) -> EmittedFiles:
    """Write one .c and one .h with only the chosen core, modes and key sizes.

    Source: docs/emitting.md describes the files.

    Args:
        core: one that `aesfit.cores()` lists.
        mode: "ecb", "cbc", "ctr", "ccm", "gcm" ..., or several of them; with `encrypt_only` also
            "block", the function that encrypts blocks.
        platform: where to measure the files, for the figures in their head: a name, the path of a
            TOML file, or a `Platform`.
        clock_hz: clock of a chip in Hz, which sets the wait states of its flash; its highest by
            default.
        buffers: setting of the chip's flash buffers: "usual", "reset" or "uniform".
        key_bits: 128, 192 or 256, or several of them.
        encrypt_only: leave out decryption and verification.
        separate_keys: a key holds the round keys of one direction at a time, which takes less RAM
            in cores with a schedule for each.
        prefix: prefix of all names in C, and the name of both files.
        ghash: GHASH multiplier of GCM; "shift32" by default.
        self_test: include known answers and a function that checks them.
        streaming: add functions that take a message in pieces.
        all_functions: add streaming functions and status texts.
        payload_bytes: payload of a measured message, in bytes, with `platform`; 1504 by default.
        folder: a new folder; by default it has the name of the prefix.
        force: replace both files if the folder exists.
        prove: prove the files independent of secrets on the platform; their head names the proof.
        fresh: ignore stored results.
        progress: called with the operations done and their number.

    Returns:
        EmittedFiles: the paths in `files`, the `functions`, the command to `compile` them, and
        `figures` if something was measured.  `as_json()` is what `aesfit emit --json` prints;
        `rows` has a flat mapping for each measured operation, sizes in bytes.

    Raises:
        ValueError: the choice cannot be made, or the folder exists.
        TypeError: an argument is of a wrong kind.
        RuntimeError: the files could not be compiled or run on the platform.
        RigUnavailableError: something has to be installed; the sentence ends with the command.

    """
    named = None if platform is None else platform_of(platform)
    target = target_of(named, clock_hz, buffers)
    size = payload_of(target, whole("payload_bytes", payload_bytes))
    modes = modes_called(names_of(mode), encrypt_only)
    choice = DropInChoice(
        core=core,
        modes=modes,
        key_bits=tuple(sorted(key_sizes(key_bits))),
        encrypt_only=encrypt_only,
        separate_keys=separate_keys,
        platform=target,
        prefix=prefix,
        ghash=multiplier_of(modes, ghash, target),
        self_test=self_test,
        streaming=streaming,
        all_functions=all_functions,
    )
    where = Path(prefix if folder is None else folder)
    check(choice, where, force=force)
    check_provable(choice, prove)
    origin = head.Origin(command_of(choice, size, prove))
    jobs = jobs_of(choice, origin, size)
    figures = figures_of(choice, jobs, prove=prove, fresh=fresh, progress=told(progress))
    return put(choice, origin, figures, where, force=force)


def modes_called(names: Iterable[str], encrypt_only: bool) -> tuple[str, ...]:
    """The modes of these names, each once; BLOCK is the block cipher's encryption alone."""
    called = [mode_called(one, (BLOCK,)) for one in names]
    if BLOCK in called and not encrypt_only:
        raise ValueError(
            f"the mode {BLOCK} only encrypts blocks; give --encrypt-only too, or take "
            f"{BLOCK_ALONE} for both directions"
        )
    return tuple(dict.fromkeys(BLOCK_ALONE if one == BLOCK else one for one in called))


def target_of(
    platform: Platform | None, clock_hz: float | None, buffers: str | None
) -> Platform | None:
    """The platform to measure on, if any; ValueError for a clock without a platform."""
    if platform is not None:
        return chip_of(platform, clock_hz, buffers)
    if clock_hz is not None or buffers is not None:
        raise ValueError(_NOTHING)
    return None


def payload_of(platform: Platform | None, size: int | None) -> int:
    """Payload of a measured message; ValueError if nothing is measured."""
    if platform is None and size not in (None, BYTES):
        raise ValueError(_NOTHING)
    return size or BYTES


def multiplier_of(modes: Iterable[str], name: str | None, platform: Platform | None) -> str:
    """The GHASH multiplier of that name, or the platform's default."""
    check_multiplier(name, modes)
    if name is not None or platform is None:
        return name or "shift32"
    return ghash_of(platform, None)


def command_of(choice: DropInChoice, size: int, prove: bool = False) -> str:
    """The command that makes the same files, without a folder."""
    words = ["--core", choice.core, "--mode", ",".join(choice.modes)]
    if choice.key_bits != (128,):
        words += ["--key-bits", ",".join(map(str, choice.key_bits))]
    words += ["--encrypt-only"] if choice.encrypt_only else []
    words += ["--separate-keys"] if choice.separate_keys else []
    words += ["--prefix", choice.prefix] if choice.prefix != "fitaes" else []
    if "gcm" in choice.modes and choice.ghash != multiplier_of((), None, choice.platform):
        words += ["--ghash", choice.ghash]
    words += [] if choice.self_test else ["--no-self-test"]
    words += ["--streaming"] if choice.streaming else []
    words += ["--all-functions"] if choice.all_functions else []
    words += _where(choice.platform) if choice.platform else []
    words += ["--bytes", str(size)] if size != BYTES else []
    words += ["--prove"] if prove else []
    return shlex.join(["aesfit", "emit", *words])


def _where(platform: Platform) -> list[str]:
    """Options for the platform, and for clock and buffers if they differ from its file."""
    words = ["--platform", _name(platform)]
    clock, usual = platform.clock, load(platform.path)
    if clock is not None and (usual.clock is None or usual.clock.value != clock.value):
        words += ["--clock", f"{clock.value:g}MHz"]
    return words + (["--buffers", platform.setting] if platform.setting != usual.setting else [])


def _name(platform: Platform) -> str:
    """The name of one of our platforms, or the file's name without its folder."""
    own = platform.path.parent.parent == project_folder("platforms")
    return platform.name if own else platform.path.name


def check(choice: DropInChoice, folder: Path, *, force: bool) -> None:
    """Raise ValueError, before measuring, for files that cannot be made or written."""
    files(choice)
    check_folder(folder, force=force)


def check_provable(choice: DropInChoice, prove: bool) -> None:
    """Raise ValueError if there is nothing to prove, or no prover."""
    if not prove:
        return
    if choice.platform is None:
        raise ValueError("a proof needs the code for one platform; give --platform too")
    check_followed(choice.platform)
    check_prover()


def jobs_of(choice: DropInChoice, origin: head.Origin, size: int) -> "list[DropIn]":
    """The jobs that measure the files; none on a platform whose figures do not repeat."""
    if not repeats(choice.platform):
        return []
    from ..emitting.measured import jobs  # imports the rigs, which files alone do not need

    found = jobs(choice, size, origin.flags, origin.placement)
    for job in found:
        check_message(job)
    return found


def figures_of(
    choice: DropInChoice,
    jobs: "Sequence[DropIn]",
    *,
    prove: bool,
    fresh: bool,
    progress: Progress,
) -> Figures | None:
    """Measure the files; None if there is nothing to measure."""
    if not jobs:
        return None
    from ..emitting.measured import measure  # imports the rigs, which files alone do not need

    if prove:
        from ..proving.prove import independent  # it cannot be imported without the extra

        for job in jobs:
            if claims_constant_time(job):
                independent(job)

    return measure(jobs, choice, fresh=fresh, progress=progress)


def put(
    choice: DropInChoice, origin: head.Origin, figures: Figures | None, folder: Path, *, force: bool
) -> EmittedFiles:
    """Write the files."""
    made = files(choice, head.head(choice, origin, figures))
    write(folder, made, force=force)
    return EmittedFiles(choice, origin, figures, tuple(folder / name for name in made))
