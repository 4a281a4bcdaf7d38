# SPDX-License-Identifier: MIT
"""Where cycles go: by instruction, by class, by rule about neighbours, and in words."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from foreign_objects import NEEDS_COMPILERS, Compile, compiler_in, complaint, counted, run

from aesfit.counting.arguments import parse
from aesfit.counting.count import Count, count
from aesfit.counting.spending import Class, Spending, class_of, spending
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.platform import Platform
from aesfit.rigs.emulator.decode_arm import decode
from aesfit.rigs.emulator.rig import timing_model

pytestmark = NEEDS_COMPILERS
MODELS = {one.timing: one.name for one in platforms() if one.rig == "emulator" and not one.chip}
AES = ("hex:000102030405060708090a0b0c0d0e0f", "hex:00112233445566778899aabbccddeeff", "out:16")
LOOP = """
unsigned table[4] = {1, 2, 3, 4};
unsigned sum_of(const unsigned char *p, unsigned n)
{
    unsigned sum = 0;
    while (n--)
        sum += table[*p++ & 3];
    return sum;
}
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    return compiler_in(tmp_path_factory.mktemp("spending"))


def spent(platform: Platform, elf: Path) -> tuple[Count, Spending]:
    seen: list[Spending] = []
    done = count(
        platform, [elf], "foreign_aes128", parse(AES), look=lambda image, one: seen.append(one)
    )
    return done, seen[0]


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("name", MODELS.values())
def test_instructions_add_up_to_what_is_counted(name: str, build: Compile) -> None:
    done, found = spent(platform_named(name), build(name))
    assert (found.cycles, found.total.executed, found.waits) == (done.cycles, done.instructions, 0)
    by_class = found.by_class()
    assert sum(one.cycles for one in by_class.values()) == done.cycles
    assert sum(one.executed for one in by_class.values()) == done.instructions
    assert {"data processing", "branches"} <= by_class.keys()
    assert all(one.waited <= one.times for one in found.spent)


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        # A multiplier of 4 bytes takes 3 cycles more than one of 1 byte (OperandRule).
        ("arm7tdmi", "unsigned f(unsigned a, unsigned b) { return a * b; }", "multiplies, divides"),
        # A word off its boundary is read in two accesses (SplitRule).
        (
            "cortex-m3",
            "unsigned f(const char *p) { unsigned x; __builtin_memcpy(&x, p + 1, 4); return x; }",
            "loads from RAM",
        ),
    ],
)
def test_what_data_adds_belongs_to_its_instruction(
    name: str, text: str, kind: Class, build: Compile
) -> None:
    seen: list[Spending] = []
    arguments = ("int:0x12345678",) * 2 if name == "arm7tdmi" else ("hex:0001020304050607",)
    done = counted(name, build(name, source=text), "f", *arguments,
                   look=lambda image, one: seen.append(one))  # fmt: skip
    assert (seen[0].waits, seen[0].cycles) == (0, done.cycles)
    assert seen[0].by_class()[kind].cycles > 1


def test_neighbours_are_what_the_model_adds_for_them(build: Compile) -> None:
    """Without its rules about neighbours the model gives the rest."""
    platform = platform_named("arm9tdmi")
    _, found = spent(platform, build("arm9tdmi"))
    assert set(found.neighbours) <= {rule.name for rule in timing_model(platform).neighbours}
    assert found.neighbours["loaded byte or half-word used next"] > 0
    bare = replace(timing_model(platform), neighbours=())
    assert not spending(bare, [], {}).neighbours


def test_a_flash_that_waits_is_apart(build: Compile) -> None:
    chip = platform_named("stm32f103")
    done, found = spent(chip, build("cortex-m3"))
    ideal = spent(platform_named("cortex-m3"), build("cortex-m3"))[0]
    assert found.total.cycles == ideal.cycles
    assert found.waits == done.cycles - ideal.cycles > 0


@pytest.mark.parametrize(
    ("code", "memory", "kind"),
    [
        ("1868", "flash", "loads from flash"),  # ldr r0, [r3]
        ("1868", "ram", "loads from RAM"),
        ("0198", "ram", "loads from the stack"),  # ldr r0, [sp, #4]
        ("0190", "ram", "stores to the stack"),  # str r0, [sp, #4]
        ("10b5", "ram", "stores to the stack"),  # push {r4, lr}
        ("10bd", "ram", "branches"),  # pop {r4, pc}
        ("10bc", "ram", "loads from the stack"),  # pop {r4}
        ("1860", "ram", "stores to RAM"),  # str r0, [r3]
        ("4843", None, "multiplies, divides"),  # muls r0, r1
        ("4840", None, "data processing"),  # eors r0, r1
        ("7047", None, "branches"),  # bx lr
        ("85b0", None, "data processing"),  # sub sp, #20
    ],
)
def test_classes(code: str, memory: str | None, kind: str) -> None:
    (one,) = decode(bytes.fromhex(code), 0x8000000, thumb=True, mclass=True)
    assert class_of(one, memory) == kind


def test_the_listing_stands_beside_the_lines_of_c(build: Compile) -> None:
    elf = build("cortex-m3", "-g", source=LOOP)
    done = run("--platform", "cortex-m3", "--elf", elf, "--function", "sum_of", "--arg",
               "hex:00010203", "--arg", "int:4", "--why", "--annotate")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "of a call of sum_of go:" in done.stdout
    assert "loads from RAM" in done.stdout
    lines = [line.strip() for line in done.stdout.splitlines()]
    body = next(n for n, line in enumerate(lines) if line.endswith("sum += table[*p++ & 3];"))
    assert lines[body].startswith("text.c:7 ")
    assert any(line.startswith("4 ") and "ldr" in line for line in lines[body:])


def test_json_has_classes_and_instructions(build: Compile) -> None:
    elf = str(build("cortex-m3"))
    call = ("--platform", "cortex-m3", "--elf", elf, "--function", "foreign_aes128",
            *(word for one in AES for word in ("--arg", one)), "--json")  # fmt: skip
    plain, told = (json.loads(run(*call, *more).stdout) for more in ((), ("--why", "--annotate")))
    assert {"why", "annotated"} == told.keys() - plain.keys()
    assert told["why"]["cycles"] == plain["cycles"]
    assert sum(one["cycles"] for one in told["annotated"]) == plain["cycles"]
    assert {one["function"] for one in told["annotated"]} >= {"foreign_aes128"}
    assert all(one["line"] is None for one in told["annotated"])  # compiled without -g


def test_what_has_no_listing_is_refused(build: Compile) -> None:
    elf = build("cortex-m3", source=LOOP)
    call = ("--platform", "cortex-m3", "--elf", elf, "--function", "sum_of", "--why")
    assert "leave --include-call out" in complaint(*call, "--include-call")
    soft = ("--platform", "vexriscv-nocache", *call[2:])
    assert "known on emulated platforms alone" in complaint(*soft)
