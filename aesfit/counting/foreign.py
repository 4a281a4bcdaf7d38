# SPDX-License-Identifier: MIT
"""A user's own ELF files: checked against a platform, and linked if they are objects.

Objects are linked with the platform's compiler: code and constants to flash, all data to RAM,
where the loader puts the initial values that start-up code would copy.  Executables are loaded
unchanged.
"""

import hashlib
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from string import Template

from ..errors import unknown
from ..platforms.places import PACKAGE
from ..platforms.platform import Platform
from .elf import EXECUTABLE, OBJECT, ElfFile, read
from .stubs import hint, stubs
from .stubs import told as stubs_told

_FIRMWARE = PACKAGE / "building" / "firmware"
_NAMED = 4
"""Number of names quoted from the linker's errors."""
_HELPERS = frozenset({"memcpy", "memset", "memmove"})
_WEAK = """
__attribute__((weak)) void *memcpy(void *, const void *, __SIZE_TYPE__);
__attribute__((weak)) void *memset(void *, int, __SIZE_TYPE__);
__attribute__((weak)) void *memmove(void *, const void *, __SIZE_TYPE__);
#include <memory.c>
"""

_SCRIPT = Template("""
MEMORY { flash : ORIGIN = $flash, LENGTH = $flash_size
         ram : ORIGIN = $ram, LENGTH = $ram_size }
SECTIONS {
  .text : { *(.text .text.* .glue_7 .glue_7t .vfp11_veneer .v4_bx) } > flash
  .rodata : { *(.rodata .rodata.* .srodata .srodata.*) } > flash
  .data : { *(.data .data.* .sdata .sdata.*) } > ram
  .bss (NOLOAD) : { *(.bss .bss.* .sbss .sbss.* COMMON) } > ram
  /DISCARD/ : { *(.comment .note.* .eh_frame .ARM.exidx* .ARM.extab*) }
}
""")


@dataclass(frozen=True)
class Function:
    """A function in an image that can be loaded."""

    name: str
    image: Path
    address: int
    """Entry address; bit 0 is set for Thumb code."""
    files_sha256: str
    """Names of the given files."""
    compiler: str
    """What compiled it, as the files' comments say."""
    constructors: bool = False
    """It has code that start-up code would run, but which is not run here."""
    warnings: tuple[str, ...] = ()
    """What the user should know about the files, one sentence each."""


@contextmanager
def function_in(
    platform: Platform,
    paths: Sequence[Path],
    name: str,
    named: Sequence[str] = (),
    absent: Sequence[str] = (),
) -> Iterator[Function]:
    """Check and, if needed, link the files; the image exists as long as the context.

    `named`: what else of them is needed, such as the functions that are called back.
    `absent`: functions that do nothing where the files do not define them.
    ValueError: the files do not fit each other, the platform or the name.
    """
    given = [read(path, platform) for path in paths]
    known(name, given)
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()
    if given[0].kind == EXECUTABLE and len(given) == 1:
        yield _function(given[0], given, platform, name, digest)
        return
    for one in given:
        if one.kind != OBJECT:
            raise ValueError(
                f"{one.path} is an executable, which is loaded as it is; give it alone, or objects"
            )
    with tempfile.TemporaryDirectory(prefix="aesfit-count-") as folder:
        image = _link(platform, given, (name, *named, *absent), absent, Path(folder))
        yield _function(read(image, platform), given, platform, name, digest)


def _function(
    image: ElfFile, given: Sequence[ElfFile], platform: Platform, name: str, digest: str
) -> Function:
    address = image.functions.get(name)
    if address is None:
        raise ValueError(f"the linker left {name} out; compile it with -fno-lto")
    check_state(platform, name, address)
    compiler = ", ".join(dict.fromkeys(one.compiler for one in given if one.compiler))
    constructors = any(one.constructors for one in given)
    notes = [other_processor_told(one, platform) for one in given if one.built_for]
    notes.append(stubs_told(image.functions, _missing(given)) if image not in given else "")
    warnings = tuple(filter(None, notes))
    return Function(name, image.path, address, digest, compiler, constructors, warnings)


def check_state(platform: Platform, name: str, address: int) -> None:
    """Raise ValueError for a function in ARM state if the processor runs only Thumb code."""
    if platform.isa.startswith(("armv6", "armv7", "armv8")) and not address & 1:
        raise ValueError(
            f"{name} is in ARM state, and {platform.name} runs Thumb alone; "
            f"compile it with {' '.join(platform.compiler.target)}"
        )


def other_processor_told(one: ElfFile, platform: Platform) -> str:
    """A note for a file that was built for another processor."""
    return (
        f"{one.path} is built for {one.built_for}; its cycles are counted by the rules of "
        f"{platform.name}, and are others there; "
        f"compile it with {' '.join(platform.compiler.target)}"
    )


def known(name: str, given: Sequence[ElfFile]) -> None:
    """Raise ValueError unless one of the files defines a function of that name."""
    functions = sorted({function for one in given for function in one.functions})
    where = ", ".join(str(one.path) for one in given)
    if not functions:
        if any(one.for_linker for one in given):
            raise ValueError(f"{where} is code for the linker to compile; compile it with -fno-lto")
        raise ValueError(f"{where} has no symbols of functions; do not strip it")
    if name not in functions:
        near = str(unknown("function", name, functions))
        raise ValueError(f"{near} in {where}")


def _link(
    platform: Platform,
    given: Sequence[ElfFile],
    names: Sequence[str],
    absent: Sequence[str],
    folder: Path,
) -> Path:
    flash, ram = platform.memory("flash"), platform.memory("ram")
    script, image = folder / "link.ld", folder / "image.elf"
    script.write_text(
        _SCRIPT.substitute(
            flash=flash.start, flash_size=flash.size, ram=ram.start, ram_size=ram.size
        )
    )
    files = [str(one.path) for one in given]
    missing = _missing(given) - {*absent}
    text = stubs(missing)
    if text:
        files.append(_compiled(platform, folder / "stubs.c", text, ["-ffunction-sections"]))
    if text or missing & _HELPERS:
        files.append(helpers(platform, folder))
    if absent:
        files.append(_compiled(platform, folder / "absent.c", _empty(absent), ()))
    options = ["-nostdlib", "-fno-lto", f"-Wl,-T,{script}", "-o", str(image)]
    if all_defined(given).issuperset({*names} - {*absent}):
        # drop what is not reachable, with its undefined names
        options += [f"-Wl,-e,{names[0]}", "-Wl,--gc-sections"]
        options += [f"-Wl,--undefined={one}" for one in names]
    else:
        options.append("-Wl,-e,0")
    files = ["-Wl,--start-group", *files, "-lgcc", "-Wl,--end-group"]
    run_compiler(platform, [*files, *options])
    return image


def all_defined(given: Sequence[ElfFile]) -> frozenset[str]:
    """Global names that the files define."""
    return frozenset[str]().union(*(one.defined for one in given))


def _missing(given: Sequence[ElfFile]) -> frozenset[str]:
    """Names that the files use and none of them defines."""
    return frozenset[str]().union(*(one.undefined for one in given)) - all_defined(given)


def helpers(platform: Platform, folder: Path) -> str:
    """Compile substitutes for the C library, weak, so that the user's own take precedence."""
    flags = ["-fno-tree-loop-distribute-patterns", f"-I{_FIRMWARE}"]
    return _compiled(platform, folder / "memory.c", _WEAK, flags)


def _empty(names: Sequence[str]) -> str:
    """C text of functions that do nothing."""
    return "".join(
        f'__attribute__((weak, used)) void absent_{at}(void) __asm__("{name}");\n'
        f"void absent_{at}(void) {{}}\n"
        for at, name in enumerate(names)
    )


def _compiled(platform: Platform, source: Path, text: str, flags: Sequence[str]) -> str:
    """Compile text to an object beside its source."""
    source.write_text(text)
    out = str(source.with_suffix(".o"))
    run_compiler(platform, ["-O2", "-ffreestanding", *flags, "-c", str(source), "-o", out])
    return out


def run_compiler(platform: Platform, arguments: Sequence[str]) -> None:
    """Compile or link with the platform's compiler; RuntimeError says why it cannot."""
    compiler = platform.compiler
    try:
        subprocess.run(  # noqa: S603 - the platform file names the compiler
            [compiler.command, *compiler.target, *arguments],
            check=True,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        raise RuntimeError(
            f"objects for {platform.name} are linked by {compiler.command}, which is missing: "
            f"sudo apt-get install {compiler.package}"
        ) from None
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"the files do not link: {_complaint(error.stderr)}") from None


def _complaint(text: str) -> str:
    """The linker's first error; for undefined and duplicate names, all of them."""
    names = re.findall(r"(?:undefined reference to|multiple definition of) `[^']+'", text)
    if names:
        told = list(dict.fromkeys(names))
        more = f" and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
        helps = hint(text) or "give what defines them, or compile with -ffunction-sections"
        helps = f"; {helps}" if told[0].startswith("undefined") else ""
        return ", ".join(told[:_NAMED]).replace("`", "'") + more + helps
    if known := hint(text):
        return known
    lines = [one.strip() for one in text.splitlines() if "in function" not in one]
    telling = (one for one in lines if any(word in one for word in ("overflowed", "error", "not ")))
    return next(telling, next(iter(lines), "no message")).rpartition("ld: ")[2]
