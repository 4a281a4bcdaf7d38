# SPDX-License-Identifier: MIT
"""Drop-ins in QEMU under many interrupts whose handler writes below the stack pointer.

The virtual clock counts instructions (-icount), and calls are repeated with interrupts that come
one instruction later each time (tests/interrupts/harness.h), until every instruction was
interrupted that a call runs: of the rounds of a core (tests/interrupts/main.c), or of a GHASH
multiplier (tests/interrupts/ghash.c).  By the disassembly no instruction was left out that follows
an interrupted one; a block that is reached by a jump alone, and was never met, it does not show.
"""

import re
import shutil
import subprocess
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from assembly_cores import (
    RUN_AS,
    assembly_cores,
    bodies,
    functions,
    made_for,
    multiplier_headers,
)
from made_once import drop_in, object_beside
from qemu_machines import BOARDS, CORTEX_M3, FOLDER, MEMORY, Board, gcc, run

from aesfit.emitting.choice import DropInChoice

EVERY_PLACE, FEW_PLACES = 4, 1
"""Addresses within a word at which texts are: with --slow, and without."""


def cores(isa: str) -> list[str]:
    """The assembly cores for an instruction set, or the C rounds if there are none."""
    found = [
        core
        for core in assembly_cores()
        if isa in {RUN_AS.get(core), *(one.isa for one in made_for(core))}
    ]
    return found or ["fixslice"]


def multipliers(isa: str) -> list[tuple[str, Path]]:
    """The GHASH multipliers in assembly for an instruction set: Armv7E-M takes those of Armv7-M."""
    ending = isa.replace("v7e", "v7").replace("-", "")
    return [one for one in multiplier_headers() if one[1].stem.endswith(f"_{ending}")]


CASES = [(isa, core) for isa in BOARDS for core in cores(isa)]
GHASH_CASES = [(isa, *one) for isa in BOARDS for one in multipliers(isa)]


def inside(names: Iterable[str]) -> str:
    """Sections of the functions, or of the whole drop-in if there are none."""
    names = " ".join(f".text.fitaes_{name}" for name in sorted(names))
    return f"*aes.o({names or '.text .text.*'})"


def core_drop_in(core: str) -> dict[str, str]:
    return drop_in(DropInChoice(core, ("ecb", "ctr"), (128, 192, 256), self_test=False))


def gcm_drop_in(ghash: str) -> dict[str, str]:
    return drop_in(DropInChoice("sbox_columns", ("gcm",), ghash=ghash, self_test=False))


def build(
    isa: str, sources: dict[str, str], inside: str, to: Path, places: int = FEW_PLACES,
    program: str = "main.c", step: int = 1,
) -> Path:  # fmt: skip
    """The image of a drop-in's sources on the board of an instruction set."""
    board, flags = BOARDS[isa]
    for name, text in sources.items():
        (to / name).write_text(text, encoding="utf-8")
    script = (FOLDER / "image.ld").read_text(encoding="utf-8")
    for name, value in (("INSIDE", inside), ("CODE", board.code), ("RAM", board.ram)):
        script = script.replace(name, str(value))
    (to / "image.ld").write_text(script, encoding="utf-8")
    common = ("-ffreestanding", "-ffunction-sections", "-Wall", "-Wextra", "-Werror")
    compiler = board.compiler[0]
    aes = object_beside((compiler, *flags, "-O2", *common), to / "fitaes.c")
    shutil.copyfile(aes, to / "aes.o")
    # gcc would make memcpy's own loop a call of memcpy.
    own = (*board.compiler, "-O1", "-fno-tree-loop-distribute-patterns", *common)
    own = (*own, f"-I{to}", f"-DPLACES={places}", f"-DSTEP={step}")
    given = [*(str(FOLDER / name) for name in (program, "harness.c", board.source)), str(MEMORY)]
    link = ("-nostdlib", "-T", str(to / "image.ld"), str(to / "aes.o"), "-lgcc")
    gcc(*own, *given, *link, "-o", str(to / "image.elf"))
    return to / "image.elf"


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize(("isa", "core"), CASES)
def test_answers_stay(isa: str, core: str, slow: bool, tmp_path: Path) -> None:
    board, places = BOARDS[isa][0], EVERY_PLACE if slow else FEW_PLACES
    image = build(isa, core_drop_in(core), inside(functions(core)), tmp_path, places)
    done = run(board, image)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert not_interrupted(board, image, done.stderr) == []


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize(("isa", "ghash", "header"), GHASH_CASES)
def test_tags_stay(isa: str, ghash: str, header: Path, slow: bool, tmp_path: Path) -> None:
    board, places = BOARDS[isa][0], EVERY_PLACE if slow else FEW_PLACES
    image = build(isa, gcm_drop_in(ghash), inside(bodies(header)), tmp_path, places, "ghash.c")
    done = run(board, image)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert not_interrupted(board, image, done.stderr) == []


def test_interrupts_that_miss_instructions_are_found(tmp_path: Path) -> None:
    """The first of them comes three instructions later each time."""
    image = build("armv7-m", core_drop_in("fixslice"), inside([]), tmp_path, step=3)
    done = run(CORTEX_M3, image)
    assert done.returncode == 0
    assert not_interrupted(CORTEX_M3, image, done.stderr)


_INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(\S+)[ \t]*(.*)$", re.MULTILINE)
_CONDITION = "eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le"
_JUMP = re.compile(
    rf"bx?({_CONDITION})?(\.[nw])?|cbn?z|tb[bh]|b(eq|ne|lt|ge|gt|le)(u|z|uz)?|j|jr|ret|mret"
)
_ENDS = re.compile(r"(?:pop|ldm)\S* .*\bpc\b|(?:mov|ldr|add)\S* pc,")


def not_interrupted(board: Board, image: Path, said: str) -> list[str]:
    """Instructions that ran and were not interrupted: the next after one that was, and no jump."""
    tool = board.compiler[0].removesuffix("gcc")
    listed = _output(f"{tool}objdump", "-d", str(image))
    named = _output(f"{tool}nm", str(image))
    begin, end = (_address(named, name) for name in ("inside_begin", "inside_end"))
    words = [int(number) for number in re.findall(r"^(\d+) addresses$", said, re.MULTILINE)]
    bits = ((32 * i + bit, word >> bit & 1) for i, word in enumerate(words) for bit in range(32))
    met = {begin + 2 * at for at, bit in bits if bit}
    assert met
    code = [(int(at, 16), f"{name} {more}") for at, name, more in _INSTRUCTION.findall(listed)]
    return [
        f"{after:x}: {text}"
        for (at, before), (after, text) in pairwise(code)
        if at in met and after not in met and after < end and not _jumps(before)
    ]


def _jumps(instruction: str) -> bool:
    name = instruction.split(" ")[0]
    return bool(_JUMP.fullmatch(name) or _ENDS.match(instruction))


def _address(symbols: str, name: str) -> int:
    found = re.search(rf"^([0-9a-f]+) \w {name}$", symbols, re.MULTILINE)
    assert found, name
    return int(found[1], 16)


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_every_multiplier_in_assembly_is_interrupted() -> None:
    assert {case[1:] for case in GHASH_CASES} == {*multiplier_headers()}


BELOW_THE_STACK = r"""
int {name}(const fitaes_key *key, uint8_t *out, const uint8_t *in, size_t bytes)
{{
    uint32_t x = out[0], count = 1000;
    int status = undisturbed_{name}(key, out, in, bytes);
    x = out[0];
    __asm__ volatile("{store}\n\t0:\n\t{count}\n\t{load}" : "+r"(x), "+r"(count) : : "cc");
    out[0] = (uint8_t)x;
    return status;
}}
"""
ARM_BELOW = {
    "store": "str %0, [sp, #-8]",
    "count": "subs %1, %1, #1\\n\\tbne 0b",
    "load": "ldr %0, [sp, #-8]",
}
RISCV_BELOW = {
    "store": "sw %0, -8(sp)",
    "count": "addi %1, %1, -1\\n\\tbnez %1, 0b",
    "load": "lw %0, -8(sp)",
}


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize("name", ["fitaes_ecb_encrypt", "fitaes_ecb_decrypt"])
@pytest.mark.parametrize(
    ("isa", "steps"), [("armv7-m", ARM_BELOW), ("armv4t", ARM_BELOW), ("rv32im", RISCV_BELOW)]
)
def test_what_is_kept_below_the_stack_pointer_is_lost(
    isa: str, steps: dict[str, str], name: str, tmp_path: Path
) -> None:
    board = BOARDS[isa][0]
    sources = core_drop_in("fixslice")
    text = sources["fitaes.c"].replace(f"int {name}(", f"int undisturbed_{name}(")
    sources["fitaes.c"] = text + BELOW_THE_STACK.format(name=name, **steps)
    assert run(board, build(isa, sources, inside([]), tmp_path)).returncode == 1


def quiet_run(lines: list[str], register: str) -> range:
    """The longest run of lines without the register, the stack and jumps before a sum of it."""
    other = re.compile(rf"\b({register}|sp|push|pop|b\w*(\.w)?|cb\w+)\b|:\\n")
    runs, start = [range(0)], 0
    for at, line in enumerate(lines):
        if other.search(line):
            if re.search(rf'"eors?(\.w)? .*, {register}\b', line):
                runs.append(range(start, at))
            start = at + 1
    return max(runs, key=len)


def below_the_stack(text: str, function: str) -> str:
    """The drop-in, but that a word of GHASH waits below the stack pointer for some instructions."""
    head, body = re.split(rf"(?<= fitaes_{function})(?=\([^;]*?\{{)", text, maxsplit=1)
    lines = body.splitlines()
    lines, behind = lines[: lines.index("}")], lines[lines.index("}") :]
    found = {f"r{i}": quiet_run(lines, f"r{i}") for i in range(8)}
    register = max(found, key=lambda name: len(found[name]))
    first, last = found[register].start, found[register].stop
    lines.insert(last, f'"sub sp, sp, #4\\n\\tpop {{{register}}}\\n\\t"')
    lines.insert(first, f'"push {{{register}}}\\n\\tadd sp, sp, #4\\n\\t"')
    return "\n".join([head + lines[0], *lines[1:], *behind]) + "\n"


@pytest.mark.few(one_in=7)
@pytest.mark.parametrize(("isa", "ghash", "header"), GHASH_CASES)
def test_a_word_of_ghash_below_the_stack_pointer_is_lost(
    isa: str, ghash: str, header: Path, tmp_path: Path
) -> None:
    board = BOARDS[isa][0]
    sources, (function,) = gcm_drop_in(ghash), bodies(header)
    sources["fitaes.c"] = below_the_stack(sources["fitaes.c"], function)
    done = run(board, build(isa, sources, inside([function]), tmp_path, program="ghash.c"))
    assert done.returncode == 1


def test_interrupts_elsewhere_do_not_count(tmp_path: Path) -> None:
    image = build("armv7-m", core_drop_in("fixslice"), "*(.text.no_such_section)", tmp_path)
    assert run(CORTEX_M3, image).returncode == 2
