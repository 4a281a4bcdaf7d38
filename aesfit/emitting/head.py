# SPDX-License-Identifier: MIT
"""The comments at the top of a drop-in: what it is, what it costs, how to use it, its licence.

It holds no date, path or host name, so the same choice gives the same bytes.
"""

import re
import textwrap
from dataclasses import dataclass, replace

from .._native import version as __version__
from ..building import sources
from ..catalog import MODES, core_named, ghashes
from ..choosing.answer import evidence
from ..choosing.request import Request
from ..choosing.words import place
from ..jobs.abilities import runs_without
from ..jobs.job import Placement, Row
from ..units import count
from .choice import DropInChoice, hashes, keys_for_both
from .example import program
from .figures import Figures, contexts
from .secrecy import timing_told
from .source import files, unit

_WIDTH = 97
"""Columns of text after " * "."""
_SHORT = 16
"""Hexadecimal digits of a shortened digest."""
_APART = ("-ffunction-sections", "-fdata-sections")
_NO_LIBC = ("-ffreestanding", "-fbuiltin")
"""For firmware: no libc is needed, yet copies of known size compile to loads and stores."""


@dataclass(frozen=True)
class Origin:
    """How a drop-in was requested."""

    command: str
    """The command that makes the same files again."""
    sentence: str = ""
    """The verdict of `aesfit fit`, if that chose the core."""
    flags: tuple[str, ...] | None = None
    """Optimisation flags; None: those of the platform file."""
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
    """A complete program that uses the drop-in's first mode."""
    return renamed(program(choice), choice.prefix)


def renamed(text: str, prefix: str) -> str:
    """C code with the library's names replaced by the drop-in's."""
    text = re.sub(r'"aesfit\.h"', f'"{prefix}.h"', text)
    text = re.sub(r"\baesfit_(?=\w)", f"{prefix}_", text)
    return re.sub(r"\bAESFIT_(?=\w)", f"{prefix.upper()}_", text)


def head(choice: DropInChoice, origin: Origin, figures: Figures | None) -> str:
    """The comment for the .c."""
    prefix = choice.prefix
    parts = [
        f"{prefix}.c and {prefix}.h: {title(choice)}; core {choice.core}.",
        f"Add both files to a project and call what {prefix}.h declares.  They need memcpy and "
        "memset and nothing else: no other file, no allocation, no writable globals; all calls "
        f"are direct.  They hold the parts of the library aesfit {__version__} that this choice "
        "needs; after the prefix, names and the order of arguments are the library's.",
        *_needs(choice),
        _chosen(choice, origin),
        f"Compile:\n{_shell(compile_line(choice, origin.flags))}\n"
        "and link with -Wl,--gc-sections, so that functions you do not call take no flash.",
        f"A complete program, which returns 0:\n\n{textwrap.indent(example(choice), '    ')}",
        *([_self_test(choice)] if choice.self_test else []),
        *_measured(choice, origin, figures),
        timing_told(choice, figures, origin.command),
        _provenance(choice, origin, figures),
        _licence(),
    ]
    return _comment(parts)


def _comment(parts: list[str]) -> str:
    """Join paragraphs to one comment; indented lines are kept as they are.

    Titles and paths may come from users' files, and must not end the comment.
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
    """A command, indented, with continuation lines if it is too long."""
    lines = textwrap.wrap(command, _WIDTH - 8, break_long_words=False, break_on_hyphens=False)
    return "    " + " \\\n        ".join(lines)


def _chosen(choice: DropInChoice, origin: Origin) -> str:
    again = _shell(origin.command)
    if origin.sentence:
        return f"Chosen by aesfit fit, which said:\n{origin.sentence}\nMade by:\n{again}"
    where = _place(choice, origin) or "no processor in particular"
    return f"Chosen by name, for {where}.  Made by:\n{again}"


def _place(choice: DropInChoice, origin: Origin) -> str:
    """Where it is measured: platform, clock and memory, named as in `aesfit fit`."""
    if choice.platform is None:
        return ""
    return place(Request(choice.platform, placement=origin.placement))


def _needs(choice: DropInChoice) -> list[str]:
    """Instructions beyond the baseline; unlike the library, a drop-in does not detect them."""
    core = core_named(choice.core)
    if core.needs and runs_without(core):
        return [
            f"This core is made for processors that have {core.needs}.  It works on others too, "
            "but other cores are faster there."
        ]
    needs = [core.needs]
    needs += [one.needs for one in ghashes() if one.name == choice.ghash and hashes(choice)]
    if not (named := _listed(list(dict.fromkeys(", ".join(filter(None, needs)).split(", "))))):
        return []
    return [
        f"It runs only on processors that have {named}.  Nothing here checks for them: on others "
        "the program stops at an illegal instruction."
    ]


def _self_test(choice: DropInChoice) -> str:
    prefix = choice.prefix
    return (
        f"{prefix}_self_test(NULL) checks known answers for each mode and key size in this file "
        f"and returns {prefix.upper()}_OK (0) if all are right.  Call it once at start-up; "
        "if it fails, compiler or memory are at fault: encrypt nothing."
    )


def _measured(choice: DropInChoice, origin: Origin, figures: Figures | None) -> list[str]:
    platform = choice.platform
    if platform is None:
        return [
            "Not measured, because no platform was named: name one with --platform to have these "
            "very files measured there."
        ]
    if figures is None:
        size = f"aesfit measure --platform {platform.name} --core {choice.core}"
        commands = "\n".join(
            f"    {size} --mode {mode} --key-bits {','.join(map(str, choice.key_bits))}"
            for mode in choice.modes
        )
        return [
            f"Times on {platform.name}, this computer, differ from run to run, so none are given "
            f"here.  Measure with:\n{commands}\n"
            "This measures the library, whose bulk paths for x86 are not in these files."
        ]
    where = (
        f"Measured: these files on {_place(choice, origin)}, "
        "compiled as above and called from another file."
    )
    notes = f"Messages: {_windows(figures)}."
    return [f"{where}\n\n{_table(figures)}\n\n{notes}", _bytes(choice, figures), *_small(figures)]


def _small(figures: Figures) -> list[str]:
    """What optimising for size would cost; empty if the figures are optimised for size."""
    if not figures.small:
        return []
    same = {(row.mode, row.key_bits, row.op): row for row in figures.rows}
    ratios = [row.cycles / same[row.mode, row.key_bits, row.op].cycles for row in figures.small]
    shares = sorted({round(100 * (ratio - 1)) for ratio in ratios})
    held = figures.flash.code + figures.flash.tables
    saved = held - figures.small_flash
    flash = f"{count(abs(saved))} bytes {'less' if saved >= 0 else 'more'}"
    told = " to ".join(f"{share:+}" for share in dict.fromkeys((shares[0], shares[-1])))
    return [f"Compiled with -Os instead, cycles per message change by {told} %; flash is {flash}."]


def _table(figures: Figures) -> str:
    """A table of cycles by operation, one line per mode and key size."""
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
    """The message that the cycles are for, mode by mode."""
    told = [row.provenance.window for row in figures.rows if row.op == "encrypt"]
    return "; ".join(dict.fromkeys(window.partition("; ")[0] for window in told))


def rest(choice: DropInChoice) -> str:
    """The functions in the files that were not measured, with a verb."""
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
        f"Flash: {count(flash.code + flash.tables)} bytes, including memcpy and memset: code "
        f"{count(flash.code)}, tables {count(flash.tables)} (in {tables}); "
        f"{rest(choice)} {count(flash.rest)} more.\n"
        f"RAM: {keys}; stack "
        f"{'not counted' if stack is None else f'at most {count(stack)} bytes'}"
        + (f"; tables {count(flash.tables)} bytes.\n{_to_ram(choice)}" if in_ram else ".")
        + _separate(choice)
    )


def _separate(choice: DropInChoice) -> str:
    """Bytes of keys that hold one direction at a time; empty if that saves nothing."""
    if not keys_for_both(choice):
        return ""
    apart = replace(choice, separate_keys=True)
    (now, *_), (then, *_) = contexts(choice).values(), contexts(apart).values()
    if then == now:
        return ""
    return f"\nWith --separate-keys a key holds one direction at a time in {count(then)} bytes."


def _to_ram(choice: DropInChoice) -> str:
    """How to place the tables where they were measured."""
    source = files(choice)[f"{choice.prefix}.c"]
    names = dict.fromkeys(table.name for table in core_named(choice.core).tables)
    sections = " ".join(
        f".rodata.{choice.prefix}_{name}"
        for name in names
        if re.search(rf"\b{choice.prefix}_{name}\[", source)
    )
    return (
        "For tables in RAM, add to .data of the linker script, before what takes *(.rodata*):\n"
        f"    *{choice.prefix}.o({sections})\n"
        "Otherwise they are read from flash, and cycles may differ from these."
    )


def _provenance(choice: DropInChoice, origin: Origin, figures: Figures | None) -> str:
    digest = sources.digest(unit(choice), sources.include_folders())[:_SHORT]
    made = f"Made by aesfit {__version__} from sources with SHA-256 {digest}..."
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
    """The flags before those common to all images."""
    return flags.partition(" -std=")[0]


def _licence() -> str:
    """The library's licence in full, since the files are copied without the library."""
    path = sources.library_folder() / "LICENSE"
    return path.read_text(encoding="utf-8")
