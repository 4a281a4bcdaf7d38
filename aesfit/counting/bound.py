# SPDX-License-Identifier: MIT
"""Images in which a user's own function replaces a core.

The harness and the modes are those that measure the library's cores, compiled with the platform's
flags; the user's objects are linked as they are.  The modes call the function through a few lines
of C, which the compiler can inline as in a firmware.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from string import Template

from elftools.elf.elffile import ELFFile

from ..building.build import compile_object, compiler_version, text_digest
from ..building.linker import code_region
from ..building.loaded import image_sha256, loaded
from ..building.sources import core_file
from ..building.unit import entries, unit_source
from ..jobs.job import Job
from ..platforms.platform import Platform
from ..store import closure
from ..store.contents import cached, key
from .elf import OBJECT, ElfFile, read
from .foreign import (
    all_defined,
    check_state,
    helpers,
    known,
    other_processor_told,
    run_compiler,
)
from .stand_in import Called, StandIn

_ANY_CORE = "bytewise"
"""Any core: its translation unit is used, with the wrapper in place of the core's file."""
_WRAPPER = Template("""
enum { stand_in_lanes = 1 };
extern void stand_in_step($encrypt_types) __asm__("$encrypt");
$setup_declared
AESFIT_LOCAL void stand_in_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    (void)directions;
    $expand
}
AESFIT_LOCAL void stand_in_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        $before
        stand_in_step($encrypt_given);
    }
}
/* Undefined on purpose: an image that decrypted with it would not link. */
extern void stand_in_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                             size_t blocks);
""")
_SCRIPT = Template("""
MEMORY { $memories }
SECTIONS {
  .code ORIGIN($code) + 0x100 : {
    *(.text .text.* .glue_7 .glue_7t .vfp11_veneer .v4_bx)
    *(.rodata .rodata.* .srodata .srodata.*)
  } > $code
  .harness : { *(SORT_BY_ALIGNMENT(.harness.*)) } > $code
  .data : { *(.data .data.* .sdata .sdata.*) } > $data
  .bss (NOLOAD) : { *(.bss .bss.* .sbss .sbss.* COMMON) } > $data
  /DISCARD/ : { *(.comment .note.* .eh_frame .ARM.exidx* .ARM.extab*) }
}
""")


@dataclass(frozen=True)
class BoundImage:
    """A linked image with a user's function in it."""

    elf: Path
    flash_bytes: int
    """Code, constants and initial values of variables, without those of the harness."""
    variable_bytes: int
    """Bytes of RAM for variables."""
    compiler: str
    """The compiler of the modes."""
    flags: str
    sha256: str
    """Digest of the loaded bytes."""
    files_sha256: str
    warnings: tuple[str, ...]


def check_stand_in(one: StandIn, platform: Platform) -> list[ElfFile]:
    """Read the files; ValueError if they cannot be linked for the platform."""
    names = [one.encrypt.name, *([one.setup.name] if one.setup else [])]
    return objects_with(one.files, platform, names)


def objects_with(files: Sequence[Path], platform: Platform, names: Sequence[str]) -> list[ElfFile]:
    """Read the files; ValueError unless they are objects with these functions."""
    given = [read(path, platform) for path in files]
    for file in given:
        if file.kind != OBJECT:
            raise ValueError(
                f"{file.path} is an executable, and what is ranked is linked with the modes of "
                "operation; give the object (compile with -c)"
            )
    for name in names:
        known(name, given)
        if name not in all_defined(given):
            raise ValueError(
                f"{name} is not seen outside its file; declare it without static, and compile "
                "with -fno-lto"
            )
        check_state(platform, name, next(f.functions[name] for f in given if name in f.functions))
    return given


def bound_image(job: Job, one: StandIn) -> BoundImage:
    """Build the image of a job with a mode; RuntimeError says why it does not link."""
    platform = job.platform
    given = check_stand_in(one, platform)
    if job.flags is not None:
        optimised = replace(platform.compiler, optimise=job.flags)
        platform = replace(platform, compiler=optimised)
    flags = (*platform.compiler.target, *platform.compiler.optimise)
    text = _unit(job, one)
    return _linked(replace(job, platform=platform), given, text, " ".join(flags))


def ported_image(job: Job, files: Sequence[Path]) -> BoundImage:
    """Link objects that hold the entry points of a job; RuntimeError says why they do not link."""
    given = objects_with(files, job.platform, entries(job))
    image = _linked(job, given, None, "as the objects were compiled")
    made_by = ", ".join(dict.fromkeys(one.compiler for one in given if one.compiler))
    return replace(image, compiler=made_by or "assembly")


def _linked(job: Job, given: Sequence[ElfFile], text: str | None, flags: str) -> BoundImage:
    """The objects with a unit of the library's, if there is one, as an image that is kept."""
    platform = job.platform
    script, roots = _script(job), (*entries(job), "rig_context_bytes")
    files = sha256(b"".join(one.path.read_bytes() for one in given)).hexdigest()
    compiler = compiler_version(platform)
    unit = None if text is None else text_digest(text)
    asked = (unit, files, script, roots, compiler, flags, platform.compiler.target)
    digest = key("stand-in", asked, closure.digest(__name__))

    def make(target: Path) -> dict[str, object]:
        units = () if text is None else (compile_object(platform, text),)
        _link(platform, given, units, script, roots, target)
        return {}

    elf = cached(digest, ".elf", make)[0]
    flash, variables, held = _read(elf)
    warnings = tuple(other_processor_told(file, platform) for file in given if file.built_for)
    return BoundImage(elf, flash, variables, compiler, flags, held, files, warnings)


def _unit(job: Job, one: StandIn) -> str:
    """The job's translation unit with the wrapper in place of a core."""
    words = -(-one.context_bytes // 4) + _kept_key(one) * job.key_bits // 32
    room = "".join(
        f"#define AESFIT_{name} {words}\n" for name in ("KEY_WORDS", "SCHEDULE_stand_in")
    )
    text = unit_source(replace(job, core=_ANY_CORE, flags=None))
    text = _put(text, rf"#define AESFIT_BOUND {_ANY_CORE}\n", "#define AESFIT_BOUND stand_in\n")
    text = _put(text, r"#define AESFIT_KEY_WORDS \d+\n", room)
    return _put(text, rf'#include "{core_file(_ANY_CORE)}"\n', _wrapper(job, one))


def _put(text: str, found: str, instead: str) -> str:
    """Replace one line of the text."""
    changed, times = re.subn(found, lambda _: instead, text)
    if times != 1:
        raise RuntimeError(f"the unit of a core has {found} {times} times, not once")
    return changed


def _kept_key(one: StandIn) -> bool:
    """Each call reads the raw key."""
    return "key" in one.encrypt.arguments


def _wrapper(job: Job, one: StandIn) -> str:
    size = job.key_bits // 8
    at = -(-one.context_bytes // 4) * 4
    where = {
        "context": "(void *)(uintptr_t)key->schedule",
        "key": f"(const uint8_t *)key->schedule + {at}",
        "in": "in",
        "out": "out",
        "inout": "out",
    }
    expand = [f"memcpy((uint8_t *)key->schedule + {at}, bytes, {size});"] * _kept_key(one)
    if one.setup:
        expand.append(f"stand_in_set_up({_given(one.setup, {**where, 'key': 'bytes'})});")
    declared = (
        f'extern void stand_in_set_up({_types(one.setup)}) __asm__("{one.setup.name}");'
        if (one.setup)
        else ""
    )
    return _WRAPPER.substitute(
        encrypt=one.encrypt.name,
        encrypt_types=_types(one.encrypt),
        encrypt_given=_given(one.encrypt, where),
        setup_declared=declared,
        expand="\n    ".join(expand),
        before="if (out != in)\n            memcpy(out, in, 16);"
        if "inout" in one.encrypt.arguments
        else "",
    )


def _types(called: Called) -> str:
    kinds = {"key": "const void *", "in": "const void *"}
    return ", ".join(
        "unsigned" if one.isdigit() else kinds.get(one, "void *") for one in called.arguments
    )


def _given(called: Called, where: dict[str, str]) -> str:
    return ", ".join(f"{one}u" if one.isdigit() else where[one] for one in called.arguments)


def _script(job: Job) -> str:
    platform = job.platform
    memories = "\n".join(
        f"{one.name} (rwx) : ORIGIN = {one.start:#x}, LENGTH = {one.size:#x}"
        for one in platform.memories
    )
    return _SCRIPT.substitute(
        memories=memories, code=code_region(job).name, data=platform.home("data").name
    )


def _link(
    platform: Platform,
    given: Sequence[ElfFile],
    units: Sequence[Path],
    script: str,
    roots: Sequence[str],
    target: Path,
) -> None:
    note = target.with_suffix(".ld")
    note.write_text(script, encoding="utf-8")
    objects = [*units, *(one.path for one in given)]
    files = [*map(str, objects), helpers(platform, target.parent)]
    options = ["-nostdlib", "-nostartfiles", "-fno-lto", f"-Wl,-T,{note}", "-Wl,--gc-sections"]
    options += [f"-Wl,--entry={roots[0]}", *(f"-Wl,--undefined={root}" for root in roots)]
    run_compiler(platform, [*files, "-lgcc", *options, "-o", str(target)])


def _read(elf: Path) -> tuple[int, int, str]:
    """Flash of an image, RAM of its variables, and the digest of its bytes."""
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        sizes = {one.name: one["sh_size"] for one in file.iter_sections()}
        code, data, bss = (sizes.get(name, 0) for name in (".code", ".data", ".bss"))
        return code + data, data + bss, image_sha256(loaded(file))
