# SPDX-License-Identifier: MIT
"""Drop-ins compiled for every machine that they are made for: without a warning, with nothing in
them that was not asked for, and without a call through a register."""

import re
from itertools import product
from pathlib import Path

import pytest
from covering import covering
from dropin_choices import CHOICES, fits, named
from dropin_code import Code
from dropin_run import compiled, write
from dropin_targets import (
    COMPILERS,
    EVERY,
    ONLY_C,
    RUN,
    STANDARDS,
    TARGETS,
    Target,
    compile_file,
    run,
)
from few import slow_but
from places import ROOT
from targets import installed

from aesfit.emitting.choice import DropInChoice, public_functions
from aesfit.emitting.source import files

LEVELS = {"C99": "-O1", "C11": "-Os", "C17": "-O3", "C++17": "-O2"}
CELLS = [(*on, standard) for on, standard in product(EVERY, STANDARDS)]
QUICK = covering(
    [cell for cell in CELLS if cell[:2] not in ONLY_C or cell[2] != "C++17"],
    lambda cell: {("on", *cell[:2]), ("as", *cell[1:])},
)
"""Each compiler on every machine and with every standard."""

NEEDED = {"memcpy", "memset"}
SHIFTS = r"__(lshr|ashl|ashr)di3"  # of 64 bits
DIVISION = r"__aeabi_u?idiv(mod)?"  # by the words of a key
MEMORY = r"__aeabi_mem(cpy|set|clr)[48]?"  # ARM's run-time ABI: memcpy and memset by clang
THE_COMPILERS_OWN = {
    "ARM v4T": rf"{MEMORY}|{DIVISION}",
    "ARM v6-M": rf"{MEMORY}|{DIVISION}|__aeabi_(llsr|llsl|lmul)",
    "ARM v7-M": MEMORY,
    "ARM v7E-M": MEMORY,
    "RV32": SHIFTS,
    # restores registers at the end of a function made small
    "PowerPC": rf"{SHIFTS}|_(save|rest)gpr_\d+(_x)?",
    "MIPS": SHIFTS,
    "Xtensa": rf"{SHIFTS}|__muldi3|__u?(div|mod)si3",  # no long product, no division
    # where a shared object finds its constants; what the processor can do
    "i686": r"_GLOBAL_OFFSET_TABLE_|__cpu_model",
    "x86-64": r"_GLOBAL_OFFSET_TABLE_|__cpu_model|__cpu_features2",
}
"""Names in the compilers' run-time libraries (libgcc and its like)."""

# g++ 12 finds that its own <avx512fintrin.h> uses variables without a value (GCC bug 105593).
BLAMES_ITSELF = ("-Wno-uninitialized", "-Wno-maybe-uninitialized")
UNWINDING = r"__aeabi_unwind_cpp_pr\d"  # C++ on ARM, unless exceptions are switched off
THUNK = "__x86.get_pc_thunk."  # a shared object's own address, on i686


def part(number: int, target: Target, slow: bool) -> list[DropInChoice]:
    """A quarter of the choices for a machine, so that the standards of one compiler share them all;
    without --slow one, another one for each machine."""
    fitting = [choice for choice in CHOICES if fits(choice, target)]
    quarter = len(STANDARDS)
    if slow:
        return fitting[number % quarter :: quarter]
    machine = list(TARGETS).index(target.name)
    return [fitting[len(fitting) * machine // len(TARGETS)]]


def big_endian(target: Target) -> bool:
    """The compiler says so."""
    told = run([*installed(target.commands["gcc"]), "-dM", "-E", "-x", "c", "/dev/null"])
    return "#define __BYTE_ORDER__ __ORDER_BIG_ENDIAN__" in told


def test_the_guide_names_the_machines() -> None:
    text = (ROOT / "docs" / "emitting.md").read_text(encoding="utf-8")
    ran = re.search(r"gcc and clang, and run .*, for (.+), and big-endian (.+)\.$", text, re.M)
    alone = re.search(r"^For (.+) they are compiled with gcc, and not run\.$", text, re.M)
    assert ran
    assert alone
    little, big, compiled_only = (
        re.split(", | and ", found) for found in (*ran.groups(), alone[1])
    )
    assert [*little, *big] == RUN
    assert big == [name for name in RUN if big_endian(TARGETS[name])]
    assert compiled_only == [name for name in TARGETS if name not in RUN]
    assert [*product(RUN, COMPILERS), *((name, "gcc") for name in compiled_only)] == EVERY


def unforeseen(names: set[str], target: Target) -> set[str]:
    """Those of the undefined names that a drop-in may not ask for."""
    own = THE_COMPILERS_OWN.get(target.name, "$^") + f"|{UNWINDING}"
    return {name for name in names - NEEDED if not re.fullmatch(own, name)}


@pytest.mark.parametrize(("target", "compiler", "standard"), slow_but(QUICK, CELLS))
def test_object(target: str, compiler: str, standard: str, slow: bool, tmp_path: Path) -> None:
    """No warning, no other name, no writable memory, no call through a register."""
    machine = TARGETS[target]
    cell = CELLS.index((target, compiler, standard))
    for choice in part(cell + COMPILERS.index(compiler) if slow else cell, machine, slow):
        source = write(choice, tmp_path)
        # A switch may become a jump through a table, which reads no function pointer.
        flags = [LEVELS[standard], "-fno-jump-tables"]
        if (choice.ghash, compiler, standard) == ("clmul", "gcc", "C++17"):
            flags += BLAMES_ITSELF
        code = Code(compiled(machine, compiler, standard, source, *flags))
        public = {f.replace("aesfit", choice.prefix, 1) for f in public_functions(choice)}
        defined = {name for name in code.defined() if not name.startswith(THUNK)}
        assert defined == public, named(choice)
        assert not unforeseen(code.undefined(), machine), named(choice)
        assert not code.writable(), named(choice)
        assert not code.indirect(), named(choice)


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize(("target", "compiler"), EVERY)
def test_an_indirect_call_would_be_found(target: str, compiler: str, tmp_path: Path) -> None:
    machine = TARGETS[target]
    source = tmp_path / "calls.c"
    for call in ("g(a) + 1", "g(a)"):
        source.write_text(
            "int f(int (*g)(int), int a); int named(int a); int direct(int a);\n"
            f"int f(int (*g)(int), int a) {{ return {call}; }}\n"
            "int direct(int a) { return named(a) + named(2); }\n"
        )
        found = Code(compiled(machine, compiler, "C11", source, "-O2")).indirect()
        assert len(found) == 1, found


@pytest.mark.parametrize(("target", "compiler"), dict(EVERY).items())
def test_a_variable_would_be_found(target: str, compiler: str, tmp_path: Path) -> None:
    source = tmp_path / "variables.c"
    lines = ["static int seen; extern int other; int other = 2; int next(int a);"]
    lines += ['static const char *const names[] = {"a", "b"};']
    lines += ["int next(int a) { seen += a; return seen + names[a & 1][0]; }\n"]
    source.write_text("\n".join(lines))
    code = Code(compiled(TARGETS[target], compiler, "C11", source, "-O1"))
    assert sorted(code.writable()) == ["other", "seen"]


def unused(source: Path, machine: Target) -> dict[str, str]:
    """What clang finds unused on a machine: names, and what they are."""
    kinds = ("function", "const-variable", "macros")
    flags = [f"-Wunused-{kind}" for kind in kinds] + [f"-Wno-error=unused-{kind}" for kind in kinds]
    flags += ["-fsyntax-only", "-DFITAES_CLEAR=2"]  # whoever compiles it decides what clears
    done = compile_file(machine, "clang", "C11", source, *flags)
    assert done.returncode == 0, done.stderr[:2000]
    lines = source.read_text(encoding="utf-8").splitlines()
    found = {}
    for line, kind in re.findall(r"\.c:(\d+):\d+: warning: .*\[-Wunused-([\w-]+)", done.stderr):
        text = lines[int(line) - 1]
        name = re.search(r"#define (\w+)|(\w+)(?=\(|\[)", text)
        assert name, text
        found[name[1] or name[2]] = "inline" if "INLINE" in text else kind
    return found


def without_marks(choice: DropInChoice, folder: Path) -> Path:
    """The drop-in without the attribute that keeps compilers quiet about what is unused."""
    source = write(choice, folder)
    text = source.read_text(encoding="utf-8")
    text = re.sub(r"(, unused\b)|( ?__attribute__\(\(unused\)\))", "", text)
    assert not re.search(r"__attribute__[^;{]*\bunused\b", text)
    source.write_text(text, encoding="utf-8")
    return source


def unused_types(source: Path) -> list[str]:
    """Of types no compiler tells."""
    text = re.sub(r"/\*.*?\*/", "", source.read_text(encoding="utf-8"), flags=re.DOTALL)
    types = re.findall(r"^(?:typedef .*?|\} )(\w+);$", text, re.MULTILINE)
    return [name for name in types if len(re.findall(rf"(?<!struct )\b{name}\b", text)) < 2]


@pytest.mark.few(one_in=36)
@pytest.mark.parametrize("choice", CHOICES, ids=named)
def test_nothing_unreachable(choice: DropInChoice, tmp_path: Path) -> None:
    """Types, functions and tables are used; inline functions and macros on some machine at least,
    unless the core's instructions keep the drop-in from being compiled for it."""
    source = without_marks(choice, tmp_path)
    assert not unused_types(source)
    told = [one for one in TARGETS.values() if "clang" in one.commands]
    found = [unused(source, one) for one in told if fits(choice, one)]
    if len(found) == len(told):
        assert not set(found[0]).intersection(*found)
    kept = [{name for name in one if one[name] not in ("inline", "macros")} for one in found]
    assert not set.union(*kept)


def test_what_assembly_alone_needs_does_not_stand_beside_the_c_in_its_place() -> None:
    """CCM counts block by block, which the assembly does by its run of blocks."""
    source = files(DropInChoice("ttable1_armv7m", ("ccm",)))["fitaes.c"]
    before, _, c = source.partition("_armv7m_encrypt_counter(")
    assert before.count("void fitaes_ttable1_armv7m_xor_counters(") == 1
    assert "_xor_counters(" not in c.partition("#else\n")[2]


def test_something_unreachable_would_be_found(tmp_path: Path) -> None:
    source = without_marks(DropInChoice("ttable1", ("ctr",)), tmp_path)
    extra = "#define FITAES_MACRO 1\nFITAES_INLINE int in(int a)\n{\n    return a;\n}\n"
    extra += "static int out(int a)\n{\n    return a;\n}\nstatic const uint8_t table[2] = {1, 2};\n"
    source.write_text(source.read_text() + extra)
    found = unused(source, TARGETS["RV32"])
    kinds = {"FITAES_MACRO": "macros", "in": "inline", "out": "function"}
    assert found.items() >= (kinds | {"table": "const-variable"}).items()
    source.write_text(source.read_text() + "typedef struct lone {\n    int a;\n} lone;\n")
    assert unused_types(source) == ["lone"]


@pytest.mark.parametrize(
    ("processor", "doubles"), [("cortex-m33", True), ("cortex-m33+nodsp", False)]
)
def test_cortex_m33_has_the_instructions_where_it_has_them(
    processor: str, doubles: bool, tmp_path: Path
) -> None:
    """Only compiled, as no platform has it.  Without the DSP extension the C code is used."""
    source = write(DropInChoice("sbox_columns_dsp", ("ctr",)), tmp_path)
    command = [
        *installed(("arm-none-eabi-gcc",)),
        f"-mcpu={processor}",
        "-mthumb",
        "-O2",
        "-ffreestanding",
    ]
    run([*command, "-Wall", "-Wextra", "-Werror", "-S", str(source), "-o", str(tmp_path / "out.s")])
    assembly = (tmp_path / "out.s").read_text(encoding="utf-8").lower()
    assert ("uadd8" in assembly) == doubles
