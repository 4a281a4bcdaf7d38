# SPDX-License-Identifier: MIT
"""The comments at the top of a drop-in: what it is, what it costs, how to use it, its licence.

No day, no path, no name of a machine: the same choice gives the same bytes.
"""

import re
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path

from .._native import version as __version__
from ..building import sources
from ..building.unit import core_named
from ..catalog import ghashes
from ..choosing.answer import evidence
from ..choosing.request import Request
from ..choosing.words import place
from ..jobs.abilities import runs_without
from ..jobs.job import Placement, Row
from ..jobs.message import MODES
from ..units import count
from .choice import DropInChoice, keys_for_both
from .figures import Figures, contexts
from .secrecy import constant_time
from .source import files, unit

_USAGE = Path(__file__).with_name("usage")
_WIDTH = 97
"""Columns of text after " * "."""
_SHORT = 16
"""Hexadecimal digits of a digest that people read."""
_APART = ("-ffunction-sections", "-fdata-sections")
_NO_LIBC = ("-ffreestanding", "-fbuiltin")
"""Of firmware: no libc is needed, yet copies of known size stay single loads and stores."""


@dataclass(frozen=True)
class Origin:
    """How a drop-in came to be asked for."""

    command: str
    """What makes the same files again."""
    sentence: str = ""
    """Of `aesfit fit`, where that chose the core."""
    flags: tuple[str, ...] | None = None
    """Optimisation flags; None: those of the platform's file."""
    placement: Placement = Placement()  # noqa: RUF009 - frozen


def title(choice: DropInChoice) -> str:
    """What the drop-in is, in a few words."""
    modes = _listed([MODES[mode].title.partition(",")[0] for mode in choice.modes])
    bits = _listed([str(bits) for bits in choice.key_bits])
    only = ", encryption only" if choice.encrypt_only else ""
    return f"AES in {modes} with keys of {bits} bits{only}"


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def compile_line(choice: DropInChoice, flags: tuple[str, ...] | None) -> str:
    """The command that compiles the .c."""
    source = f"-c {choice.prefix}.c"
    if choice.platform is None:
        return " ".join(("cc", *(flags or ("-O2",)), *_APART, source))
    compiler = choice.platform.compiler
    chosen = compiler.optimise if flags is None else flags
    libc = () if choice.platform.rig == "host" else _NO_LIBC
    return " ".join((compiler.command, *compiler.target, *chosen, *libc, *_APART, source))


def example(choice: DropInChoice) -> str:
    """A complete program over the drop-in's first mode."""
    mode, bits = choice.modes[0], choice.key_bits[0]
    text = (_USAGE / f"{mode}.c").read_text(encoding="utf-8").split("\n", 1)[1]
    chosen = {"SEPARATE_KEYS": choice.separate_keys, "ENCRYPT_ONLY": choice.encrypt_only}
    for name, holds in chosen.items():  # the former stands inside the latter
        dropped = f"!{name}" if holds else name
        text = re.sub(rf"#if {dropped}\n.*?#endif\n", "", text, flags=re.DOTALL)
    text = re.sub(r"#(if|endif).*\n", "", text)
    if choice.separate_keys:
        text = text.replace("AESFIT_BOTH", "AESFIT_ENCRYPT")
    keys = MODES[mode].keys
    text = text.replace(f"secret[{16 * keys}]", f"secret[{bits // 8 * keys}]")
    return renamed(text, choice.prefix)


def renamed(text: str, prefix: str) -> str:
    """C in the library's names, in those of a drop-in."""
    text = re.sub(r'"aesfit\.h"', f'"{prefix}.h"', text)
    text = re.sub(r"\baesfit_(?=\w)", f"{prefix}_", text)
    return re.sub(r"\bAESFIT_(?=\w)", f"{prefix.upper()}_", text)


def head(choice: DropInChoice, origin: Origin, figures: Figures | None) -> str:
    """The comment for the .c."""
    prefix = choice.prefix
    parts = [
        f"{prefix}.c and {prefix}.h: {title(choice)}; core {choice.core}.",
        f"Add both files to a project and call what {prefix}.h declares.  They need memcpy and "
        "memset, and nothing else: no other file, no allocation, no writable globals, direct "
        f"calls only.  They are the library aesfit {__version__} as far as this choice reaches it: "
        "the names behind the prefix and the order of arguments are the library's.",
        *_needs(choice),
        _chosen(choice, origin),
        f"Compile:\n{_shell(compile_line(choice, origin.flags))}\n"
        "and link with -Wl,--gc-sections: functions that are not called then take no flash.",
        f"A whole program, which returns 0:\n\n{textwrap.indent(example(choice), '    ')}",
        *([_self_test(choice)] if choice.self_test else []),
        *_measured(choice, origin, figures),
        constant_time(choice, figures, origin.command),
        _provenance(choice, origin, figures),
        _licence(),
    ]
    return _comment(parts)


def _comment(parts: list[str]) -> str:
    """Paragraphs as one comment; lines that are indented stay as they are.

    Titles and paths in it are of files that others wrote, and may not end the comment.
    """
    lines = [line.replace("*/", "* /") for part in parts for line in (*_folded(part), "")][:-1]
    body = "\n".join(f" * {line}".rstrip() for line in lines)
    return f"/*{body[2:]} */\n"


def _folded(part: str) -> list[str]:
    lines: list[str] = []
    for line in part.rstrip("\n").split("\n"):
        lines += [line] if line.startswith("    ") or not line else textwrap.wrap(
            line, _WIDTH, break_long_words=False, break_on_hyphens=False,
            fix_sentence_endings=False,
        )  # fmt: skip
    return lines


def _shell(command: str) -> str:
    """A command, indented; where it is too long, in lines that go on."""
    lines = textwrap.wrap(command, _WIDTH - 8, break_long_words=False, break_on_hyphens=False)
    return "    " + " \\\n        ".join(lines)


def _chosen(choice: DropInChoice, origin: Origin) -> str:
    again = _shell(origin.command)
    if origin.sentence:
        return f"Chosen by aesfit fit, which said:\n{origin.sentence}\nMade by:\n{again}"
    where = _place(choice, origin) or "no processor in particular"
    return f"Chosen by name, for {where}.  Made by:\n{again}"


def _place(choice: DropInChoice, origin: Origin) -> str:
    """Where it is measured: the platform with its clock and memory, as `aesfit fit` names it."""
    if choice.platform is None:
        return ""
    return place(Request(choice.platform, placement=origin.placement))


def _needs(choice: DropInChoice) -> list[str]:
    """Instructions beyond the baseline; the library asks the processor, a drop-in does not."""
    core = core_named(choice.core)
    if core.needs and runs_without(core):
        return [
            f"It is made for processors that have {core.needs}.  Elsewhere it is right too, and "
            "others are faster."
        ]
    needs = [core.needs]
    needs += [one.needs for one in ghashes() if one.name == choice.ghash and "gcm" in choice.modes]
    if not (named := _listed(list(dict.fromkeys(", ".join(filter(None, needs)).split(", "))))):
        return []
    return [
        f"It runs on processors that have {named}.  Nothing here asks for them: elsewhere the "
        "program stops at an illegal instruction."
    ]


def _self_test(choice: DropInChoice) -> str:
    prefix = choice.prefix
    return (
        f"{prefix}_self_test(NULL) compares known answers of each mode and key size in this file "
        f"and returns {prefix.upper()}_OK (0) when all are right.  Call it once at the start; "
        "where it fails, compiler or memory are at fault: encrypt nothing."
    )


def _measured(choice: DropInChoice, origin: Origin, figures: Figures | None) -> list[str]:
    platform = choice.platform
    if platform is None:
        return [
            "Not measured, for no platform was named: name one with --platform, and these very "
            "files are measured there."
        ]
    if figures is None:
        size = f"aesfit measure --platform {platform.name} --core {choice.core}"
        commands = "\n".join(
            f"    {size} --mode {mode} --key-bits {','.join(map(str, choice.key_bits))}"
            for mode in choice.modes
        )
        return [
            f"Times of {platform.name}, this computer, differ from run to run, so none stand "
            f"here.  Measure with:\n{commands}\n"
            "which takes the library: its bulk paths for x86 are not in these files."
        ]
    where = (
        f"Measured: these files on {_place(choice, origin)}; "
        "compiled as above, called from another."
    )
    notes = f"Messages: {_windows(figures)}."
    return [f"{where}\n\n{_table(figures)}\n\n{notes}", _bytes(choice, figures), *_small(figures)]


def _small(figures: Figures) -> list[str]:
    """What optimising for size would cost; nothing where that was measured."""
    if not figures.small:
        return []
    same = {(row.mode, row.key_bits, row.op): row for row in figures.rows}
    ratios = [row.cycles / same[row.mode, row.key_bits, row.op].cycles for row in figures.small]
    shares = sorted({round(100 * (ratio - 1)) for ratio in ratios})
    held = figures.flash.code + figures.flash.tables
    saved = held - figures.small_flash
    flash = f"{count(abs(saved))} bytes {'less' if saved >= 0 else 'more'}"
    told = " to ".join(f"{share:+}" for share in dict.fromkeys((shares[0], shares[-1])))
    return [f"Compiled with -Os instead, cycles of a message change by {told} %; flash is {flash}."]


def _table(figures: Figures) -> str:
    """Cycles by operation, a line for each mode and key size."""
    columns = ("", "key set-up", "encrypt", "a byte", "decrypt", "a byte")
    lines: list[tuple[str, ...]] = [columns]
    for mode, bits in figures.kinds:
        rows = figures.of(mode, bits)
        cells = [f"{mode}, {bits} bits", count(rows["key-setup"].cycles)]
        for op in ("encrypt", "decrypt"):
            cells += _cycles(rows.get(op))
        lines.append(tuple(cells))
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    return "\n".join(
        "    " + "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (("cycles", *columns[1:]), *lines[1:])
    )  # fmt: skip


def _cycles(row: Row | None) -> list[str]:
    return ["-", "-"] if row is None else [count(row.cycles), f"{row.cycles_per_byte:.1f}"]


def _windows(figures: Figures) -> str:
    """What is inside the cycles of a message, mode by mode."""
    told = [row.provenance.window for row in figures.rows if row.op == "encrypt"]
    return "; ".join(dict.fromkeys(window.partition("; ")[0] for window in told))


def rest(choice: DropInChoice) -> str:
    """What is in the files beside what was measured, with its verb."""
    if choice.all_functions or choice.streaming:
        return "the other functions take"
    return "wipe and self-test take" if choice.self_test else "wipe takes"


def _bytes(choice: DropInChoice, figures: Figures) -> str:
    flash = figures.flash
    in_ram = figures.tables_in_ram > 0
    tables = "RAM, copied there from flash" if in_ram else "flash"
    keys = ", ".join(
        f"{count(size)} bytes for each {name}" for name, size in contexts(choice).items()
    )
    stack = figures.stack_bytes
    return (
        f"Flash: {count(flash.code + flash.tables)} bytes, of which code {count(flash.code)} and "
        f"tables {count(flash.tables)} (in {tables}), memcpy and memset with them; "
        f"{rest(choice)} {count(flash.rest)} more.\n"
        f"RAM: {keys}; stack "
        f"{'not counted' if stack is None else f'at most {count(stack)} bytes'}"
        + (f"; tables {count(flash.tables)} bytes.\n{_to_ram(choice)}" if in_ram else ".")
        + _separate(choice)
    )


def _separate(choice: DropInChoice) -> str:
    """What keys would take that hold one direction at a time; nothing where that is no less."""
    if not keys_for_both(choice):
        return ""
    apart = replace(choice, separate_keys=True)
    (now, *_), (then, *_) = contexts(choice).values(), contexts(apart).values()
    if then == now:
        return ""
    return f"\nWith --separate-keys a key holds one direction at a time, in {count(then)} bytes."


def _to_ram(choice: DropInChoice) -> str:
    """How tables come to lie where they were measured."""
    source = files(choice)[f"{choice.prefix}.c"]
    names = dict.fromkeys(table.name for table in core_named(choice.core).tables)
    sections = " ".join(
        f".rodata.{choice.prefix}_{name}"
        for name in names
        if re.search(rf"\b{choice.prefix}_{name}\[", source)
    )
    return (
        "Tables lie in RAM where .data of the linker script, ahead of what takes *(.rodata*), has\n"
        f"    *{choice.prefix}.o({sections})\n"
        "and are read from flash otherwise, which may take other cycles than these."
    )


def _provenance(choice: DropInChoice, origin: Origin, figures: Figures | None) -> str:
    digest = sources.digest(unit(choice), sources.include_folders())[:_SHORT]
    made = f"Made by aesfit {__version__} of sources with SHA-256 {digest}..."
    if figures is None or choice.platform is None:
        return made
    told = figures.rows[0].provenance
    request = Request(choice.platform, placement=origin.placement)
    return (
        f"{made}, measured with {told.compiler}, {_chosen_flags(told.flags)}; {told.memory}; "
        f"{evidence(request)}; platform file {choice.platform.name} with SHA-256 "
        f"{told.platform_sha256[:_SHORT]}..."
    )


def _chosen_flags(flags: str) -> str:
    """Those before what every image has."""
    return flags.partition(" -std=")[0]


def _licence() -> str:
    """The library's, in full: the file goes where that does not."""
    path = sources.library_folder() / "LICENSE"
    return path.read_text(encoding="utf-8")
