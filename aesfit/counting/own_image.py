# SPDX-License-Identifier: MIT
"""Images in which a user's own function replaces a core.

The harness and the modes are those that measure the library's cores, compiled with the platform's
flags; the user's objects are linked as they are.  The modes call the function through a few lines
of C in the place of a core's file, which the compiler can inline as in a firmware.
"""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from string import Template

from elftools.elf.elffile import ELFFile

from ..building.build import (
    Image,
    Sizes,
    compile_object,
    compiler_version,
    read_sha256,
    text_digest,
    word,
)
from ..building.linker import code_region
from ..building.sources import OwnCore
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
from .own import Called, OwnFunction

ANY_CORE = "bytewise"
"""Any core that takes one block at a time: no code of it is in the image."""
_WRAPPER = Template("""
enum { own_lanes = 1 };
extern void own_step($encrypt_types) __asm__("$encrypt");
$setup_declared
AESFIT_LOCAL void own_expand_key(aesfit_key *key, const uint8_t *bytes, unsigned directions)
{
    (void)directions;
    $expand
}
AESFIT_LOCAL void own_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                                   size_t blocks)
{
    for (; blocks > 0; blocks--, in += 16, out += 16) {
        $before
        own_step($encrypt_given);
    }
}
/* Undefined on purpose: an image that decrypted with it would not link. */
extern void own_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
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


def check_own_files(one: OwnFunction, platform: Platform) -> list[ElfFile]:
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


def warnings_of(files: Sequence[Path], platform: Platform) -> list[str]:
    """What the user should know of objects, a sentence each."""
    given = (read(path, platform) for path in files)
    return [other_processor_told(one, platform) for one in given if one.built_for]


def own_image(job: Job, one: OwnFunction) -> Image:
    """Build the image of a job with a mode; RuntimeError says why it does not link."""
    platform = job.platform
    given = check_own_files(one, platform)
    if job.flags is not None:
        optimised = replace(platform.compiler, optimise=job.flags)
        platform = replace(platform, compiler=optimised)
    flags = (*platform.compiler.target, *platform.compiler.optimise)
    words = -(-one.context_bytes // 4) + _kept_key(one) * job.key_bits // 32
    own = OwnCore("own", _wrapper(job, one), words)
    text = unit_source(replace(job, core=ANY_CORE), own)
    return _linked(replace(job, platform=platform), given, text, " ".join(flags))


def ported_image(job: Job, files: Sequence[Path]) -> Image:
    """Link objects that hold the entry points of a job; RuntimeError says why they do not link."""
    given = objects_with(files, job.platform, entries(job))
    image = _linked(job, given, None, "as the objects were compiled")
    made_by = ", ".join(dict.fromkeys(one.compiler for one in given if one.compiler))
    return replace(image, compiler=made_by or "assembly")


def _linked(job: Job, given: Sequence[ElfFile], text: str | None, flags: str) -> Image:
    """The objects with a unit of the library's, if there is one, as an image that is kept."""
    platform = job.platform
    script, roots = _script(job), (*entries(job), "rig_context_bytes")
    files = sha256(b"".join(one.path.read_bytes() for one in given)).hexdigest()
    compiler = compiler_version(platform)
    unit = None if text is None else text_digest(text)
    asked = (unit, files, script, roots, compiler, flags, platform.compiler.target)
    digest = key("own", asked, closure.digest(__name__))

    def make(target: Path) -> dict[str, object]:
        units = () if text is None else (compile_object(platform, text),)
        _link(platform, given, units, script, roots, target)
        return {}

    elf = cached(digest, ".elf", make)[0]
    return Image(elf, _sizes(elf), compiler, flags, files, read_sha256(elf))


def _kept_key(one: OwnFunction) -> bool:
    """Each call reads the raw key."""
    return "key" in one.encrypt.arguments


def _wrapper(job: Job, one: OwnFunction) -> str:
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
        expand.append(f"own_set_up({_given(one.setup, {**where, 'key': 'bytes'})});")
    declared = (
        f'extern void own_set_up({_types(one.setup)}) __asm__("{one.setup.name}");'
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


def _sizes(elf: Path) -> Sizes:
    """Flash with the first values of variables, without the harness; RAM with all variables."""
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        sizes = {one.name: one["sh_size"] for one in file.iter_sections()}
        code, data, bss = (sizes.get(name, 0) for name in (".code", ".data", ".bss"))
        context = word(file, "rig_context_bytes")
    return Sizes(code + data, 0, context + data + bss, sizes.get(".harness", 0))
