# SPDX-License-Identifier: MIT
"""`aesfit count`: somebody else's functions, objects and executables, on emulated processors."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from foreign_objects import (
    NEEDS_COMPILERS,
    SMALL,
    SOURCE,
    Compile,
    compiler_in,
    complaint,
    counted,
    run,
)
from places import ROOT

from aesfit.counting.count import count
from aesfit.platforms.find import platform_named, platforms

pytestmark = NEEDS_COMPILERS


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    return compiler_in(tmp_path_factory.mktemp("count"))


MEMORY = ROOT / "aesfit" / "building" / "firmware" / "memory.c"
EMULATED = [one.name for one in platforms() if one.rig == "emulator"]
KEYS = [
    "cycles",
    "instructions",
    "loads",
    "stores",
    "stack_bytes",
    "outputs",
    "provenance",
    "cycles_min",
    "cycles_max",
    "warnings",
]
# FIPS 197, appendix C.1.
KEY = "hex:000102030405060708090a0b0c0d0e0f"
PLAIN = "hex:00112233445566778899aabbccddeeff"
CIPHER = "69c4e0d86a7b0430d8cdb78070b4c55a"


@pytest.mark.few(one_in=4)
@pytest.mark.parametrize("platform", EMULATED)
def test_an_object_of_every_platform(platform: str, build: Compile) -> None:
    elf = build(platform)
    done = counted(platform, elf, "foreign_aes128", KEY, PLAIN, "out:16", repeat=2)
    assert done.outputs[3].hex() == CIPHER
    assert done.instructions is not None
    at_once = 2 if platform_named(platform).timing == "cortex_m7" else 1
    assert done.cycles * at_once >= done.instructions > 5000
    assert (done.loads or 0) > 16 * 10  # S-box reads
    assert (done.stores or 0) > 0
    assert 48 <= done.stack_bytes < 400  # key, state and a round's copy
    assert done.runs == (done.cycles, done.cycles)


@pytest.mark.parametrize("platform", ["cortex-m3", "arm7tdmi", "rv32i", "rv32im-e31"])
def test_an_executable_as_it_is(platform: str, build: Compile) -> None:
    """At addresses of its own; RISC-V code addresses its data from the global pointer."""
    script = ["-Wl,-Ttext=0x00200000", "-Wl,-Tdata=0x00300000", "-Wl,-e,foreign_aes128"]
    elf = build(platform, "-nostdlib", *script, str(MEMORY), "-fno-tree-loop-distribute-patterns")
    done = counted(platform, elf, "foreign_aes128", KEY, PLAIN, "out:16")
    assert done.outputs[3].hex() == CIPHER
    assert (done.instructions or 0) > 5000
    assert "GCC" in done.provenance.compiler
    assert counted(platform, elf, "foreign_counter").result == 6


def test_several_objects_are_linked(build: Compile) -> None:
    caller = build(
        "cortex-m3", source="int foreign_counter(void); int f(void) { return foreign_counter(); }"
    )
    done = count(platform_named("cortex-m3"), [caller, build("cortex-m3")], "f", [])
    assert done.result == 6


def test_arguments_in_registers_and_on_the_stack(build: Compile) -> None:
    wanted = 0xFFFF_FFFF ^ 2 << 4 ^ 3 << 8 ^ 4 << 12 ^ 5 << 16 ^ 6 << 20
    six = ["int:-1", "int:2", "int:0x3", "int:4", "int:0b101", "int:6"]
    for platform in ("cortex-m0", "arm9tdmi", "rv32i"):
        done = counted(platform, build(platform), "foreign_six", *six)
        assert done.result == wanted
        assert done.outputs == {}


def test_buffers(build: Compile, tmp_path: Path) -> None:
    elf, platform = build("cortex-m4"), "cortex-m4"
    data = tmp_path / "data.bin"
    data.write_bytes(bytes(range(101)))
    assert counted(platform, elf, "foreign_sum", f"file:{data}", "int:101").result == 5050
    assert counted(platform, elf, "foreign_sum", "buf:64", "int:64").result == 0
    assert counted(platform, elf, "foreign_sum", "hex:0102fF", "int:3").result == 258
    first = counted(platform, elf, "foreign_sum", "hex:01", "int:1")
    assert first.result == 1


def test_the_same_buffer_twice_is_an_output(build: Compile) -> None:
    elf = build("rv32im-e31")
    done = counted("rv32im-e31", elf, "foreign_aes128", KEY, PLAIN, "same:2")
    assert done.outputs == {2: bytes.fromhex(CIPHER)}
    again = counted("rv32im-e31", elf, "foreign_aes128", KEY, "same:1", "out:16")
    assert list(again.outputs) == [1, 3]


def test_pointers_are_word_aligned(build: Compile) -> None:
    elf = build("cortex-m3", source="unsigned f(char *a, char *b) { return (unsigned)b; }")
    assert counted("cortex-m3", elf, "f", "hex:010203", "hex:04").result % 4 == 0


def test_state_persists_over_repeats(build: Compile) -> None:
    done = counted("cortex-m3", build("cortex-m3"), "foreign_counter", repeat=3)
    assert done.result == 8
    first, second, third = done.runs
    assert first < second < third == done.cycles
    assert second - first == third - second
    fill = counted(
        "cortex-m3", build("cortex-m3"), "foreign_fill", "out:4", "int:3", "int:3", repeat=2
    )
    assert fill.outputs[1] == bytes([6, 6, 6, 0])


def test_stack_bytes(build: Compile) -> None:
    done = counted("cortex-m3", build("cortex-m3"), "foreign_stack", "out:1")
    assert 256 <= done.stack_bytes <= 272
    assert done.stores == 257
    assert done.loads == 257


def test_flash_wait_where_the_model_covers_it(build: Compile) -> None:
    elf = build("arm7tdmi")
    fast = counted("arm7tdmi", elf, "foreign_sum", "buf:64", "int:64")
    slow = counted("arm7tdmi", elf, "foreign_sum", "buf:64", "int:64", flash_wait=1)
    assert fast.instructions is not None
    assert slow.cycles > fast.cycles + fast.instructions - 1
    assert "1 flash wait states" in slow.provenance.memory


def test_a_chip_gives_a_range(build: Compile) -> None:
    """The range over placements in a line of flash; a processor alone has none."""
    elf, asked = build("cortex-m3"), ("foreign_aes128", KEY, PLAIN, "out:16")
    ideal, slow = (counted(name, elf, *asked) for name in ("cortex-m3", "stm32f103"))
    assert (ideal.cycles_min, ideal.cycles_max) == (None, None)
    assert slow.cycles_min is not None
    assert slow.cycles_max is not None
    assert ideal.cycles < slow.cycles_min <= slow.cycles <= slow.cycles_max
    assert slow.cycles == (slow.cycles_min + slow.cycles_max + 1) // 2
    assert "2 flash wait states behind two line buffers" in slow.provenance.memory
    fast = counted("stm32f103", elf, *asked, flash_wait=0)
    assert {fast.cycles, fast.cycles_min, fast.cycles_max} == {ideal.cycles}
    with pytest.raises(ValueError, match="a flash that waits; name a chip"):
        counted("cortex-m3", elf, *asked, flash_wait=1)


def test_text_and_json(build: Compile) -> None:
    elf = str(build("cortex-m3"))
    asked = ["--platform", "cortex-m3", "--elf", elf, "--function", "foreign_aes128"]
    values = ["--arg", KEY, "--arg", PLAIN, "--arg", "out:16"]
    text = run(*asked, *values)
    assert text.exit_code == 0
    assert f"argument 3    {CIPHER}" in text.stdout
    shown: dict[str, Any] = json.loads(run(*asked, *values, "--repeat", "2", "--json").stdout)
    head = ["schema", "version", "question", "limits"]
    assert list(shown) == [*head, *KEYS, "runs"]
    assert list(json.loads(run(*asked, *values, "--json").stdout)) == [*head, *KEYS]
    assert shown["outputs"] == [CIPHER]
    assert shown["runs"] == [shown["cycles"]] * 2
    assert f"cycles        {shown['cycles']}" in text.stdout
    assert len(shown["provenance"]["timing_sha256"]) == 64


@pytest.mark.parametrize(
    ("argument", "allowed"),
    [
        ("5", "int:N, hex:BYTES, inout:BYTES, buf:SIZE"),
        ("float:1.5", "int:N, hex:BYTES, inout:BYTES, buf:SIZE"),
        ("int:1.5", "int:5"),
        ("int:0x1ffffffff", "32 bits"),
        ("hex:abc", "hex:00ff"),
        ("hex:", "hex:00ff"),
        ("inout:0", "inout:00ff"),
        ("buf:0", "buf:64"),
        ("out:-3", "out:64"),
        ("buf:99999999", "buf:64"),
        ("file:none.bin", "there is no file none.bin"),
        ("same:0", "the first one is same:1"),
        ("same:3", "the first one is same:1"),
        ("same:1", "is a number"),
    ],
)
def test_a_wrong_argument_says_what_is_allowed(argument: str, allowed: str, build: Compile) -> None:
    said = complaint(
        *("--platform", "cortex-m3", "--elf", build("cortex-m3"), "--function", "foreign_sum"),
        *("--arg", "int:1", "--arg", argument),
    )
    assert allowed in said


def test_files_that_do_not_fit(build: Compile, tmp_path: Path) -> None:
    arm, riscv = build("cortex-m3"), build("rv32im-e31")
    applications = build("cortex-m3", "-mcpu=cortex-a8", "-marm")
    compressed = build("rv32i", "-march=rv32ic")
    wide = build("rv32i", "-march=rv64i", "-mabi=lp64", source="int f(void) { return 1; }")
    linked = build("cortex-m3", "-nostdlib", "-Wl,-e,0", source="int f(void) { return 1; }")
    broken = tmp_path / "broken.o"
    broken.write_bytes(arm.read_bytes()[:200])
    cases: list[tuple[str, list[Path], str, str]] = [
        ("rv32i", [arm], "foreign_sum", "ARM code; rv32i runs 32-bit little-endian RISC-V"),
        ("cortex-m3", [riscv], "foreign_sum", "RISC-V code; cortex-m3 runs"),
        ("cortex-m3", [applications], "foreign_sum", "compiled for ARMv7-A"),
        ("cortex-m0", [arm], "foreign_sum", "compile it with -mcpu=cortex-m0"),
        ("rv32i", [compressed], "foreign_sum", "compressed instructions"),
        ("vexriscv-cached", [compressed], "foreign_sum", "compressed instructions"),
        ("rv32i", [wide], "f", "64-bit little-endian RISC-V"),
        ("cortex-m3", [broken], "foreign_sum", "is not an ELF file, or it is damaged"),
        ("cortex-m3", [SOURCE], "foreign_sum", "not an ELF file"),
        ("cortex-m3", [tmp_path / "none.o"], "foreign_sum", "there is no file"),
        ("cortex-m3", [arm], "foreign_summ", "the nearest is 'foreign_sum'"),
        ("cortex-m3", [linked, arm], "foreign_sum", "give it alone"),
        ("x86-64", [arm], "foreign_sum", "choose an emulated platform: arm7tdmi"),
        ("cortex-m35", [arm], "foreign_sum", "the nearest is 'cortex-m3'"),
        ("cortex-m3,cortex-m4", [arm], "foreign_sum", "name one platform"),
    ]
    for platform, elfs, function, said in cases:
        files = [part for elf in elfs for part in ("--elf", elf)]
        assert said in complaint("--platform", platform, *files, "--function", function)
    asked = ("--platform", "cortex-m3", "--elf", arm, "--function", "foreign_sum")
    assert "a flash that waits; name a chip" in complaint(*asked, "--flash-wait", "1")


def test_calls_that_fail_say_where_and_why(build: Compile) -> None:
    elf = build("arm7tdmi")
    odd = platform_named("arm7tdmi").memory("flash").start + 1
    cases = [
        (("foreign_endless",), "did not return within 1000 instructions"),
        (("foreign_peek", "int:0xe0000000"), "0xe0000000"),
        (("foreign_peek", f"int:{odd}"), "unaligned"),
    ]
    for (function, *arguments), said in cases:
        with pytest.raises(RuntimeError, match=said):
            counted("arm7tdmi", elf, function, *arguments, limit=1000)


def test_what_is_not_defined_or_doubled_is_named(build: Compile) -> None:
    calls = "int other(int); int f(int x) { return other(x) + 1; }"
    elf = build("cortex-m3", source=calls)
    with pytest.raises(RuntimeError, match="undefined reference to 'other'"):
        counted("cortex-m3", elf, "f", "int:1")
    arm = build("cortex-m3")
    with pytest.raises(RuntimeError, match="multiple definition of 'foreign_"):
        count(platform_named("cortex-m3"), [arm, arm], "foreign_counter", [])


def test_code_that_a_model_does_not_cover_is_refused(build: Compile) -> None:
    waits = 'void f(int a) { if (a) __asm__("svc #1"); }'
    with pytest.raises(RuntimeError, match="supervisor call"):
        counted("cortex-m4", build("cortex-m4", source=waits), "f", "int:1")
    doubles = 'void f(void) { __asm__(".fpu fpv5-d16\\n vmul.f64 d0, d0, d1"); }'
    with pytest.raises(RuntimeError, match="no instruction like that"):
        counted("cortex-m4", build("cortex-m4", source=doubles), "f")
    thumb = build("arm7tdmi", "-mthumb")
    with pytest.raises(RuntimeError, match="Thumb code"):
        counted("arm7tdmi", thumb, "foreign_sum", "buf:4", "int:4")
    timed = 'unsigned f(void) { unsigned t; __asm__("csrr %0, 0xc00" : "=r"(t)); return t; }'
    with pytest.raises(RuntimeError, match="no rule for"):
        counted("rv32im-e31", build("rv32im-e31", "-march=rv32im_zicsr", source=timed), "f")
    library = "unsigned f(unsigned a, unsigned b) { return a / b; }"
    assert counted("rv32i", build("rv32i", source=library), "f", "int:100", "int:7").result == 14


def test_link_time_code_is_compiled_or_refused(build: Compile) -> None:
    fat = build("cortex-m3", "-flto", "-ffat-lto-objects", source=SMALL)
    assert counted("cortex-m3", fat, "f", "int:4").result == 5
    slim = build("cortex-m3", "-flto", "-fno-fat-lto-objects", source=SMALL)
    said = complaint("--platform", "cortex-m3", "--elf", slim, "--function", "f")
    assert "compile it with -fno-lto" in said


def test_an_archive_is_linked_as_its_objects_are(build: Compile, tmp_path: Path) -> None:
    archive, object_ = tmp_path / "lib.a", build("cortex-m3", source=SMALL)
    subprocess.run(["arm-none-eabi-ar", "rcs", str(archive), str(object_)], check=True)
    assert counted("cortex-m3", archive, "f", "int:4").result == 5
    empty = tmp_path / "empty.a"
    for content in (b"!<arch>\n", b"!<arch>\n" + 60 * b"x"):
        empty.write_bytes(content)
        said = complaint("--platform", "cortex-m3", "--elf", empty, "--function", "f")
        assert "has no symbols of functions" in said or "is damaged" in said


def test_constructors_that_nobody_runs_are_told_of(build: Compile) -> None:
    source = "int a; __attribute__((constructor)) void c(void) { a = 7; } int f(void) { return a; }"
    done = counted("cortex-m3", build("cortex-m3", source=source), "f")
    assert done.result == 0
    assert done.provenance.window.endswith("static constructors were not run")
    plain = counted("cortex-m3", build("cortex-m3", source=SMALL), "f", "int:1")
    assert "constructors" not in plain.provenance.window


def test_what_is_not_reached_need_not_be_defined(build: Compile) -> None:
    source = f"{SMALL} void other(void); void unused(void) {{ other(); }}"
    apart = build("cortex-m3", "-ffunction-sections", source=source)
    assert counted("cortex-m3", apart, "f", "int:4").result == 5
    with pytest.raises(RuntimeError, match="undefined reference to 'other'; give what defines"):
        counted("cortex-m3", apart, "unused")
    together = build("cortex-m3", source=source)
    with pytest.raises(RuntimeError, match="compile with -ffunction-sections"):
        counted("cortex-m3", together, "f", "int:4")
