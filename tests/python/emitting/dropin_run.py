# SPDX-License-Identifier: MIT
"""Drop-ins written, compiled and run: the driver of tests/emit on the machine of a target."""

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from dropin_targets import STANDARDS, WARNINGS, Target, run, support
from dropin_vectors import NUMBERS, SIBLINGS, Record
from made_once import drop_in, made_once, object_beside, tool_line
from places import ROOT
from targets import installed

from aesfit.emitting.choice import DropInChoice, directions
from aesfit.platforms.find import platform_named
from aesfit.rigs.emulator.machine import Machine

DRIVER = ROOT / "tests" / "emit"
MEMORY = ROOT / "aesfit" / "building" / "firmware" / "memory.c"
KEYS_OF_THEIR_OWN = ("xts", "gcm", "gcm_siv")
QUIET = ("-Wno-unused", "-Wno-unused-parameter")  # the driver holds more than a choice calls
_SAID_BYTES = 1 << 20


def write(choice: DropInChoice, folder: Path) -> Path:
    """The drop-in in a folder; its C file."""
    for name, text in drop_in(choice).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / f"{choice.prefix}.c"


def compiled(target: Target, compiler: str, standard: str, source: Path, *flags: str) -> Path:
    """The object file made of `source`; a warning fails the test."""
    asked = [*target.commands[compiler], *STANDARDS[standard], *WARNINGS, *flags]
    kept = object_beside(asked, source)
    made = source.with_name(f"{source.stem}-{target.name}-{compiler}-{standard}.o")
    return Path(shutil.copyfile(kept, made))


def _answered(choice: DropInChoice) -> list[str]:
    """Modes of the choice's drop-in as records name them."""
    siblings = [name for mode in choice.modes for name in SIBLINGS.get(mode, ())]
    return [*choice.modes, *(siblings if choice.all_functions else [])]


def driver_flags(choice: DropInChoice, target: Target) -> list[str]:
    """Macros that describe the drop-in to tests/emit/driver.c."""
    mask = sum({"encrypt": 1, "decrypt": 2}[one] for one in directions(choice))
    flags = [f"-DMODE_{mode}={NUMBERS[mode]}" for mode in _answered(choice)]
    flags += [f"-DKEY_DIRECTIONS={mask}u"]
    marks = {
        "PLAIN_KEY": any(mode not in KEYS_OF_THEIR_OWN for mode in choice.modes),
        "ENCRYPT_ONLY": choice.encrypt_only,
        "SEPARATE_KEYS": choice.separate_keys,
        "ALL_FUNCTIONS": choice.all_functions,
        "SELF_TEST": choice.self_test,
        "HOSTED": target.hosted,
        "IN_MEMORY": target.platform is not None,
    }
    wrong = f"{choice.prefix.upper()}_ERR_AUTHENTICATION"
    if choice.prefix != "aesfit" and wrong not in drop_in(choice)[f"{choice.prefix}.h"]:
        flags.append(
            f"-D{wrong}=(-12)"
        )  # the driver names it; no record of these modes asks for it
    return flags + [f"-D{name}" for name, holds in marks.items() if holds]


def write_driver(choice: DropInChoice, folder: Path) -> Path:
    """The driver, written for the library, for the drop-in: other includes, other prefix."""
    for path in sorted(DRIVER.glob("*.[ch]")):
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"\baesfit(?=_|\.h)", choice.prefix, text)
        text = re.sub(r"\bAESFIT(?=_)", choice.prefix.upper(), text)
        (folder / path.name).write_text(text, encoding="utf-8")
    return folder / "driver.c"


def build(
    choice: DropInChoice, target: Target, compiler: str, standard: str, folder: Path, *flags: str
) -> Path:
    """The program of driver and drop-in."""
    if standard == "C++17" and not target.hosted:
        flags = (*flags, "-fno-exceptions")  # or ARM's ABI asks for the unwinder
    objects = [compiled(target, compiler, standard, write(choice, folder), *flags)]
    if compiler == "gcc" and "-flto" in flags and not target.hosted:
        objects = [optimised_whole(target, objects[0])]
    driver = write_driver(choice, folder)
    told = driver_flags(choice, target)
    quiet = [*QUIET, "-fno-exceptions"] if standard == "C++17" else QUIET
    objects.append(compiled(target, compiler, standard, driver, "-O1", *quiet, *told))
    return linked(target, compiler, objects, folder / "program")


def linked(target: Target, compiler: str, objects: Sequence[Path], program: Path) -> Path:
    """The program of the objects, and of what stands in for a libc."""
    command = list(target.commands[compiler])
    if target.hosted:
        run([*command, *map(str, objects), "-o", str(program)])
        return program
    start = [] if target.platform else [DRIVER / "start.S"]
    every = [*objects, *(_own(command, source) for source in (MEMORY, *start))]
    entry = "driver_main" if target.platform else "_start"
    link = [*installed(target.linker), "-static", f"--entry={entry}"]
    run([*link, *map(str, every), *support(target), "-o", str(program)])
    return program


def _own(command: Sequence[str], source: Path) -> Path:
    """The object of a file that is the same for every drop-in."""
    asked = [*command, "-O1", "-c", str(source), "-o"]

    def make(to: Path) -> None:
        run([*asked, str(to)])

    text = source.read_text(encoding="utf-8")
    return made_once(".o", make, "own", asked, tool_line(command[0]), text)


def optimised_whole(target: Target, made: Path) -> Path:
    """An object file of gcc's own code as one of the machine's, which any linker reads."""
    done = made.with_suffix(".machine.o")
    flags = ("-O2", "-flto", "-r", "-nostdlib", "-flinker-output=nolto-rel")
    run([*target.commands["gcc"], *flags, str(made), "-o", str(done)])
    return done


def answers(program: Path, target: Target, records: Iterable[Record]) -> tuple[int, int, str]:
    """Records that the program took, failed checks, and all that it said."""
    sent = b"".join(record.packed() for record in records)
    if target.platform is not None:
        said, status = _called(program, target.platform, sent)
    else:
        command = installed((*target.emulator, str(program)))
        done = subprocess.run(command, input=sent, capture_output=True)
        said, status = done.stdout.decode() + done.stderr.decode(), done.returncode
    found = re.search(r"^records (\d+) checks (\d+) failures (\d+)\n$", said, re.MULTILINE)
    assert found, f"{program} ended with {status}: {said[-800:]}"
    assert status == (found[3] != "0")
    assert int(found[2]) >= int(found[1])
    return int(found[1]), int(found[3]), said


def _called(program: Path, platform: str, sent: bytes) -> tuple[str, int]:
    """The driver's output in the memory of a platform's machine, and its return value."""
    machine = Machine(program, platform_named(platform))
    records, text = machine.reserve(len(sent)), machine.reserve(_SAID_BYTES)
    machine.write(records, sent)
    status = machine.call("driver_main", records, len(sent), text, memory=False).result
    return machine.read(text, _SAID_BYTES).partition(b"\0")[0].decode(), status
