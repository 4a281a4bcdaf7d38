# SPDX-License-Identifier: MIT
"""`aesfit count`: the caller's call, in-place buffers, other processors, unaligned data, floats."""

import json

import pytest
from foreign_objects import NEEDS_COMPILERS, SMALL, Compile, compiler_in, complaint, counted, run

from aesfit.platforms.find import platform_named

pytestmark = NEEDS_COMPILERS


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    return compiler_in(tmp_path_factory.mktemp("count"))


def test_a_buffer_that_is_read_and_written_is_printed(build: Compile) -> None:
    source = "void f(unsigned char *a) { for (int i = 0; i < 3; i++) a[i] ^= 0xff; }"
    done = counted("cortex-m3", build("cortex-m3", source=source), "f", "inout:00010f")
    assert done.outputs == {1: bytes.fromhex("fffef0")}


@pytest.mark.parametrize(
    ("platform", "cycles"), [("cortex-m3", 2), ("cortex-m0", 4), ("arm7tdmi", 3), ("rv32im-e31", 1)]
)
def test_the_call_itself_is_counted_when_asked(platform: str, cycles: int, build: Compile) -> None:
    """BL by the tables of the manuals; the E31 predicts direct jumps."""
    elf = build(platform)
    alone = counted(platform, elf, "foreign_sum", "buf:64", "int:64", repeat=2)
    called = counted(platform, elf, "foreign_sum", "buf:64", "int:64", repeat=2, include_call=True)
    assert [one - cycles for one in called.runs] == list(alone.runs)
    assert alone.instructions is not None
    assert called.instructions == alone.instructions + 1
    assert "from the caller's call instruction to its return" in called.provenance.window


def test_the_call_is_no_part_of_what_is_simulated(build: Compile) -> None:
    said = complaint(
        *("--platform", "vexriscv-cached", "--elf", build("rv32im-e31")),
        *("--function", "foreign_counter", "--include-call"),
    )
    assert "leave --include-call out" in said or "apt-get" in said


BUILT = {
    "-g": ("-g", "-mcpu=cortex-m7"),
    "FPv5": ("-mcpu=cortex-m7", "-mfpu=fpv5-d16", "-mfloat-abi=softfp"),
}


@pytest.mark.parametrize(("told", "flags"), BUILT.items())
def test_an_object_for_another_processor_is_told_of(
    told: str, flags: tuple[str, ...], build: Compile
) -> None:
    other = build("cortex-m4", *flags, source=SMALL)
    asked = ("--platform", "cortex-m4", "--elf", other, "--function", "f", "--arg", "int:1")
    shown = run(*asked, "--json")
    assert "cortex-m7" in shown.stderr.lower(), told
    assert "counted by the rules of cortex-m4" in " ".join(shown.stderr.split())
    (warning,) = json.loads(shown.stdout)["warnings"]
    assert "compile it with -mcpu=cortex-m4" in warning


def test_the_attributes_of_another_compiler_name_the_processor(build: Compile) -> None:
    """As clang writes them: the assembler puts in what the directive says."""
    named = '__asm__(".eabi_attribute 5, \\"cortex-m7\\"");' + SMALL
    (warning,) = counted("cortex-m4", build("cortex-m4", source=named), "f", "int:1").warnings
    assert "is built for cortex-m7" in warning


def test_an_object_for_the_platform_gives_no_warning(build: Compile) -> None:
    for platform in ("cortex-m4", "cortex-m3", "arm7tdmi"):
        plain = build(platform, "-g", source=SMALL)
        assert counted(platform, plain, "f", "int:1").warnings == ()


UNALIGNED = "unsigned f(const char *p) { unsigned a; __builtin_memcpy(&a, p, 4); return a; }"


@pytest.mark.parametrize(("offset", "more"), [(0, 0), (1, 2), (2, 1), (3, 2)])
def test_unaligned_loads_cost_what_the_manual_says(offset: int, more: int, build: Compile) -> None:
    """DDI 0337I and DDI 0439D, 3.3.2."""
    for platform in ("cortex-m3", "cortex-m4"):
        elf = build(platform, source=UNALIGNED)
        at = platform_named(platform).memory("ram").start
        aligned = counted(platform, elf, "f", f"int:{at}")
        assert counted(platform, elf, "f", f"int:{at + offset}").cycles == aligned.cycles + more


FLOATS = r"""
unsigned f(unsigned a, unsigned b) {
    unsigned c, d;
    __asm__("vpush {d8-d9}\n vmov s16, %2\n vmov s17, %3\n vmov.f32 s18, s16\n"
            "sub sp, #16\n vstr d8, [sp]\n vldr s19, [sp, #4]\n add sp, #16\n"
            "vmov %0, s18\n vmov %1, s19\n vpop {d8-d9}"
            : "=r"(c), "=r"(d) : "r"(a), "r"(b));
    return c - d;
}
"""


def test_floating_point_registers_are_moved_stored_and_loaded(build: Compile) -> None:
    elf = build("cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=softfp", source=FLOATS)
    done = counted("cortex-m4", elf, "f", "int:9", "int:2")
    assert done.result == 7
    assert (done.loads, done.stores) == (1 + 4, 2 + 4)
    assert done.stack_bytes == 32
    # DDI 0439D, table 7-1: VPUSH, VPOP 5 each, VMOV 4 x 2 + 1, VSTR.64 3, VLDR.32 2; SUB, ADD, and
    # one wait for SP as an address; then SUBS and BX.
    assert done.cycles == 5 + 5 + 9 + 3 + 2 + 2 + 1 + 1 + 2
