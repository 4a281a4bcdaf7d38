# SPDX-License-Identifier: MIT
"""`aesfit.emit`: a choice as one .c and one .h for a firmware."""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import NoReturn

from ..building.unit import DropIn
from ..choosing.answer import Answer
from ..choosing.multipliers import ghash_of
from ..choosing.request import BLOCK, BLOCK_ALONE, default_mode
from ..emitting import clearing, head, measured, proved
from ..emitting import project as firmware
from ..emitting import psa as driver
from ..emitting.choice import DropInChoice, hashes
from ..emitting.default_core import default_core
from ..emitting.emitted import EmittedFiles
from ..emitting.figures import Figures, repeats
from ..emitting.source import files
from ..emitting.write import check_folder, write
from ..errors import ArgumentError, about
from ..jobs.job import Progress
from ..platforms.find import load
from ..platforms.places import project_folder
from ..platforms.platform import Platform
from .arguments import (
    Names,
    PlatformLike,
    check_message,
    check_multiplier,
    chip_of,
    cores_on,
    key_sizes,
    mode_called,
    names_of,
    platform_of,
    told,
    whole,
)
from .prove import check_followed, check_prover

BYTES = 1504
"""Default payload of a measured message: a full frame of IEEE 802.11."""
_NOTHING = "nothing is measured; give {platform} too"


def emit(  # long: what each argument means is said once, here
    core: str | Answer | None = None,
    *,
    mode: Names | None = None,
    platform: PlatformLike | None = None,
    clock_hz: float | None = None,
    buffers: str | None = None,
    key_bits: int | Iterable[int] = 128,
    encrypt_only: bool = False,
    separate_keys: bool = False,
    least_ram: bool = False,
    project: bool = False,
    prefix: str = "fitaes",
    ghash: str | None = None,
    self_test: bool = True,
    streaming: bool = False,
    all_functions: bool = False,
    psa: bool = False,
    payload_bytes: int | None = None,
    folder: str | PathLike[str] | None = None,
    force: bool = False,
    prove: bool | None = None,
    command: str | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> EmittedFiles:
    """Write one .c and one .h with only the chosen core, modes and key sizes.

    Source: docs/emitting.md describes the files.

    Args:
        core: one that `aesfit.cores()` lists; or what `aesfit.fit` answered, whose winner is
            written with the mode, platform, key size and flags of that question.  By default the
            core that the library takes for the platform's instruction set, or "fixslice".
        mode: "ecb", "cbc", "ctr", "ccm", "gcm" ..., or several of them; with `encrypt_only` also
            "block", the function that encrypts blocks.  An answer has its own.
        platform: where to measure the files, for the figures in their head: a name, the path of a
            TOML file, or a `Platform`.
        clock_hz: clock of a chip in Hz, which sets the wait states of its flash; its highest by
            default.
        buffers: setting of the chip's flash buffers: "usual", "reset" or "uniform".
        key_bits: 128, 192 or 256, or several of them.
        encrypt_only: leave out decryption and verification.
        separate_keys: a key holds the round keys of one direction at a time, which takes less RAM
            in cores with a schedule for each.
        least_ram: clear no more of the stack than was proved to be enough, with the platform's
            compiler at every level of optimisation; with others the library's constant.
        project: write a firmware for the chip around them too: start-up, linker script, Makefile
            and a program that seals and opens one message.
        prefix: prefix of all names in C, and the name of both files.
        ghash: GHASH multiplier of GCM; "shift32" by default.
        self_test: include known answers and a function that checks them.
        streaming: add functions that take a message in pieces.
        all_functions: add streaming functions and status texts.
        psa: write the driver of PSA Crypto around the files too; it needs the streaming functions,
            which are added (docs/psa.md).
        payload_bytes: payload of a measured message, in bytes, with `platform`; 1504 by default.
        folder: a new folder; by default it has the name of the prefix.
        force: replace both files if the folder exists.
        prove: prove the files independent of secrets on the platform; their head names the proof,
            which is kept.  By default this is done where the core claims to be constant-time, the
            platform is emulated and the prover is installed; True refuses where it is not possible.
        command: what the head names as the command that makes the files again.
        fresh: ignore stored results.
        progress: called with the proofs done and their number, then with the measurements.

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
    with about():
        if isinstance(core, Answer):
            check_alone(mode, platform, ghash, payload_bytes, psa or None)
            choice, origin, size = of_answer(core, prefix, command, prove=prove)
        else:
            named = None if platform is None else platform_of(platform)
            size = payload_of(named, whole("payload_bytes", payload_bytes))
            target = target_of(named, clock_hz, buffers)
            modes = modes_called(names_of(mode, "mode"), encrypt_only)
            if psa:
                driver.check(modes, encrypt_only=encrypt_only)
            choice = DropInChoice(
                core=default_core(target) if core is None else core,
                modes=modes,
                key_bits=tuple(sorted(key_sizes(key_bits))),
                encrypt_only=encrypt_only,
                separate_keys=separate_keys,
                platform=target,
                prefix=prefix,
                ghash=default_multiplier(modes, ghash, target),
                self_test=self_test,
                streaming=streaming or psa,
                psa=psa,
                all_functions=all_functions,
            )
            again = command_of(choice, size, prove) + " --least-ram" * least_ram
            again = again.replace("--platform", "--project") if project else again
            origin = head.Origin(command or again)
        where = Path(prefix if folder is None else folder)
        check(choice, where, force=force)
        due = is_due(choice, prove)
        if project:
            firmware.check(choice)
        if least_ram:
            clearing.check(choice.platform, choice.streaming or choice.all_functions)
            check_provable(choice)
        with about("payload_bytes"):
            jobs = jobs_of(choice, origin, size)
    if least_ram:
        choice = replace(choice, cleared=clearing.confirmed(jobs, told(progress)))
        jobs = jobs_of(choice, origin, size)
    figures = figures_of(choice, jobs, prove=due, fresh=fresh, progress=told(progress))
    made = files(choice, head.head(choice, origin, figures))
    around = firmware.files(choice, origin, size, figures) if project and figures else {}
    made |= around | (driver.files(choice, made[f"{prefix}.h"]) if psa else {})
    write(where, made, force=force, once=around)
    return EmittedFiles(choice, origin, figures, tuple(where / name for name in made))


def check_alone(*others: object) -> None:
    """Raise ValueError if an answer is emitted and its question is asked in another way too."""
    if any(one is not None for one in others):
        raise ArgumentError(
            "the answer has its own; leave {mode}, {platform}, {ghash}, {payload_bytes} and {psa} "
            "out"
        )


def check_answerable(
    platform: Platform, mode: str | None, *, key_bits: int, encrypt_only: bool
) -> None:
    """Raise ValueError if the answer to such a question, whichever it is, could not be emitted."""
    called = default_mode(platform) if mode is None else mode_called(mode, (BLOCK,))
    if called == BLOCK and not encrypt_only:
        _refuse_block()
    modes = modes_called((called,), encrypt_only)
    core = cores_on(platform)[0]
    with about():
        files(DropInChoice(core, modes, (key_bits,), encrypt_only, platform=platform))


def _refuse_block() -> NoReturn:
    told = f"a drop-in is made for a mode of operation; name one, not {BLOCK}"
    raise ArgumentError(told, argument="emit")


def of_answer(
    answer: Answer, prefix: str, command: str | None, *, prove: bool | None
) -> tuple[DropInChoice, head.Origin, int]:
    """The winner as a drop-in, how it was chosen, and the payload of a message."""
    request, winner = answer.choice.request, answer.choice.winner
    if request.mode == BLOCK:
        _refuse_block()
    if winner is None:
        raise RuntimeError(answer.sentence)
    choice = DropInChoice(
        core=winner.name,
        modes=(request.mode,),
        key_bits=(request.key_bits,),
        encrypt_only=request.only_encrypts,
        platform=request.platform,
        prefix=prefix,
        ghash=winner.ghash or request.ghashes[0],
    )
    verdict = answer.sentence if repeats(choice.platform) else f"Take {winner.title}."
    again = command or command_of(choice, request.bytes, prove)
    return choice, head.Origin(again, verdict, winner.flags, request.placement), request.bytes


def modes_called(names: Iterable[str], encrypt_only: bool) -> tuple[str, ...]:
    """The modes of these names, each once; BLOCK is the block cipher's encryption alone."""
    called = [mode_called(one, (BLOCK,)) for one in names]
    if BLOCK in called and not encrypt_only:
        raise ArgumentError(
            "the mode {} only encrypts blocks; give {encrypt_only} too, or take {} for both "
            "directions",
            BLOCK,
            BLOCK_ALONE,
            argument="mode",
        )
    return tuple(dict.fromkeys(BLOCK_ALONE if one == BLOCK else one for one in called))


def target_of(
    platform: Platform | None, clock_hz: float | None, buffers: str | None
) -> Platform | None:
    """The platform to measure on, if any; ValueError for a clock without a platform."""
    if platform is not None:
        return chip_of(platform, clock_hz, buffers)
    if clock_hz is not None or buffers is not None:
        raise ArgumentError(_NOTHING)
    return None


def payload_of(platform: Platform | None, size: int | None) -> int:
    """Payload of a measured message; ValueError if nothing is measured."""
    if platform is None and size not in (None, BYTES):
        raise ArgumentError(_NOTHING, argument="payload_bytes")
    return size or BYTES


def default_multiplier(modes: Iterable[str], name: str | None, platform: Platform | None) -> str:
    """The GHASH multiplier of that name, or the platform's default."""
    check_multiplier(name, modes)
    if name is not None or platform is None:
        return name or "shift32"
    return ghash_of(platform, None)


def command_of(choice: DropInChoice, size: int, prove: bool | None = None) -> str:
    """The command that makes the same files, without a folder."""
    words = ["--core", choice.core, "--mode", ",".join(choice.modes)]
    if choice.key_bits != (128,):
        words += ["--key-bits", ",".join(map(str, choice.key_bits))]
    words += ["--encrypt-only"] if choice.encrypt_only else []
    words += ["--separate-keys"] if choice.separate_keys else []
    words += ["--prefix", choice.prefix] if choice.prefix != "fitaes" else []
    if hashes(choice) and choice.ghash != default_multiplier((), None, choice.platform):
        words += ["--ghash", choice.ghash]
    words += [] if choice.self_test else ["--no-self-test"]
    words += ["--psa"] if choice.psa else ["--streaming"] if choice.streaming else []
    words += ["--all-functions"] if choice.all_functions else []
    words += _where(choice.platform) if choice.platform else []
    words += ["--bytes", str(size)] if size != BYTES else []
    words += ["--no-proof"] if prove is False else []
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


def is_due(choice: DropInChoice, prove: bool | None) -> bool:
    """Whether the files are to be proved; ValueError if they must be and cannot."""
    if prove:
        check_provable(choice)
    if prove is not None:
        return prove
    ghash = choice.ghash if hashes(choice) else None
    return proved.is_due(choice.core, ghash, choice.platform)


def check_provable(choice: DropInChoice) -> None:
    """Raise ValueError if there is nothing to prove, or no prover."""
    if choice.platform is None:
        raise ArgumentError(
            "a proof needs the code for one platform; give {platform} too", argument="prove"
        )
    with about("prove"):
        check_followed(choice.platform)
    check_prover()


def jobs_of(choice: DropInChoice, origin: head.Origin, size: int) -> list[DropIn]:
    """The jobs that measure the files; none on a platform whose figures do not repeat."""
    if not repeats(choice.platform):
        return []
    found = measured.jobs(choice, size, origin.flags, origin.placement)
    for job in found:
        check_message(job)
    return found


def figures_of(
    choice: DropInChoice,
    jobs: Sequence[DropIn],
    *,
    prove: bool,
    fresh: bool,
    progress: Progress,
) -> Figures | None:
    """Measure the files; None if there is nothing to measure."""
    if not jobs:
        return None
    if prove:
        proved.prove(jobs, progress)
    return measured.measure(jobs, choice, fresh=fresh, progress=progress)
