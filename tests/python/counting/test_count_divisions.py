# SPDX-License-Identifier: MIT
"""`aesfit count` where the time of an instruction depends on operands, or is known as a range."""

from pathlib import Path

import pytest
from foreign_objects import NEEDS_COMPILERS, Compile, compiler_in, counted

from aesfit.counting.foreign import function_in
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import counted as counted_by_rules
from aesfit.rigs.emulator.machine import Machine
from aesfit.rigs.emulator.rig import decoded, timing_model
from aesfit.rigs.secrecy import observe

pytestmark = NEEDS_COMPILERS

DIVIDES = "unsigned f(unsigned a, unsigned b) { return a / b; }"
SIGNED = "int f(int a, int b) { return a / b; }"
QUOTIENTS = [  # dividend, divisor, cycles of the division on Cortex-M3 and M4
    (5, 0, 2),
    (0, 5, 2),
    (0x7F, 0x80, 3),
    (1, 1, 5),
    (0xFF, 1, 5 + 1),
    (0x100, 1, 5 + 2),
    (0xFFFFFFFF, 1, 12),
    (0xFFFFFFFF, 0xFFFFFFFF, 5),
]
SIGNED_QUOTIENTS = [(-16, 1, 5 + 1), (16, -16, 5), (-16, 15, 5), (15, -16, 3), (-(2**31), -1, 12)]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    return compiler_in(tmp_path_factory.mktemp("divisions"))


def taken(platform: str, build: Compile, source: str, dividend: int, divisor: int) -> int:
    """Cycles of the division, which is followed by a return of 2."""
    done = counted(
        platform, build(platform, source=source), "f", f"int:{dividend}", f"int:{divisor}"
    )
    assert done.instructions == 2
    assert done.cycles_min is None
    return done.cycles - 2


@pytest.mark.parametrize("platform", ["cortex-m3", "cortex-m4"])
def test_divisions_take_what_their_operands_say(platform: str, build: Compile) -> None:
    for dividend, divisor, cycles in QUOTIENTS:
        assert taken(platform, build, DIVIDES, dividend, divisor) == cycles, (dividend, divisor)
    for dividend, divisor, cycles in SIGNED_QUOTIENTS:
        assert taken(platform, build, SIGNED, dividend, divisor) == cycles, (dividend, divisor)


def test_divisions_behind_a_flash_that_waits_add_the_same(build: Compile) -> None:
    elf = build("stm32f407", source=DIVIDES)
    long, short = (counted("stm32f407", elf, "f", f"int:{a}", "int:1") for a in (0xFFFFFFFF, 0))
    assert long.cycles - short.cycles == 10


@pytest.mark.parametrize(
    ("platform", "source", "least", "most"),
    [
        ("cortex-m33", DIVIDES, 2, 11),
        ("rv32im-e31", DIVIDES, 1, 33),
        ("cortex-m33", 'void f(void) { __asm__ volatile("cpsid i\\n isb"); }', 3, 6),
        (
            "cortex-m3",
            "unsigned long long f(unsigned a, unsigned b) { return 1ull * a * b; }",
            3,
            5,
        ),
    ],
)
def test_where_a_range_is_known_both_ends_are_told(
    platform: str, source: str, least: int, most: int, build: Compile
) -> None:
    done = counted(platform, build(platform, source=source), "f", "int:100", "int:7")
    assert done.cycles == done.cycles_max
    assert done.cycles_min == done.cycles - (most - least)


def test_a_time_that_depends_on_operands_is_told(build: Compile) -> None:
    twice = "unsigned f(unsigned a, unsigned b) { return a / b / (a - b); }"
    for platform in ("cortex-m4", "cortex-m7", "cortex-m33", "ibex-small-emulated"):
        (told,) = counted(platform, build(platform, source=twice), "f", "int:9", "int:3").warnings
        assert told == (
            f"f executes 2 divisions, whose time on {platform} depends on the operands; "
            "other arguments can take other cycles"
        )
    sum_only = build("cortex-m4", source="unsigned f(unsigned a, unsigned b) { return a + b; }")
    assert counted("cortex-m4", sum_only, "f", "int:9", "int:3").warnings == ()
    constant = build("vexriscv-small-emulated", source=DIVIDES)
    assert counted("vexriscv-small-emulated", constant, "f", "int:9", "int:3").warnings == ()


def test_a_processor_without_divisions_has_none(build: Compile) -> None:
    code = 'unsigned f(unsigned a, unsigned b) { __asm__(".insn r 0x33, 5, 1, %0, %0, %1" '
    elf = build("rv32i", source=code + ': "+r"(a) : "r"(b)); return a; }')
    with pytest.raises(RuntimeError, match="no instruction like that"):
        counted("rv32i", elf, "f", "int:9", "int:3")


def shown(platform: str, elf: Path, *operands: tuple[int, int]) -> int:
    """How many of the calls someone with a clock could tell apart."""
    place = counted_by_rules(platform_named(platform))
    model = timing_model(place)
    with function_in(place, [elf], "f") as called:
        machine = Machine(called.image, place)
        calls = [machine.call(called.address, *one) for one in operands]
        code = decoded(machine, calls)
    seen = [observe([one], lambda profile: 0, {}, model, code).operands for one in calls]
    return len(set(seen))


def test_secrets_that_are_divided_show_where_the_time_depends_on_them(build: Compile) -> None:
    """Also the dividend, of which a constant divisor says nothing."""
    dividends, divisors = ((1, 3), (1000, 3)), ((1000, 3), (1000, 1 << 20))
    for platform, by_dividend, by_divisor, by_zero in (
        ("cortex-m4", 2, 2, 2),
        ("cortex-m7", 2, 2, 2),
        ("cortex-m33", 2, 2, 2),
        ("cv32e40p", 1, 2, 2),
        ("ibex-small", 1, 1, 2),
        ("vexriscv-small", 1, 1, 1),
    ):
        elf = build(platform, source=DIVIDES)
        assert shown(platform, elf, *dividends) == by_dividend, platform
        assert shown(platform, elf, *divisors) == by_divisor, platform
        assert shown(platform, elf, (1000, 3), (1000, 0)) == by_zero, platform
