# SPDX-License-Identifier: MIT
"""Files of processors: ideal memory, no clock, no energy; every kind of mistake is told."""

import re
from pathlib import Path

import pytest
from platform_texts import (
    CACHED_PROCESSOR,
    PROCESSOR,
    PUBLISHED,
    Mistakes,
    complaint,
    line_of,
)

import aesfit
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.memory import CONTENTS
from aesfit.platforms.platform import Platform, at
from aesfit.platforms.toml_file import PlatformError
from aesfit.rigs import why_not

PROCESSORS = [one for one in platforms() if one.kind == "processor"]
named = pytest.mark.parametrize("one", PROCESSORS, ids=lambda one: str(one.name))


@named
def test_a_processor_has_neither_clock_nor_energy_nor_memory_that_waits(one: Platform) -> None:
    assert (one.clock, one.energy, one.chip, one.cpu) == (None, None, None, None)
    assert (one.timing is None) == (one.rig != "emulator")
    assert {region.wait_states.value for region in one.memories} <= {0}
    assert {region.interface for region in one.memories} <= {None}
    assert one.emulated == bool(one.memories)
    assert one.ideal == (one.emulated and one.miss_penalty is None)


@named
def test_published_figures_are_of_our_cores_and_have_sources(one: Platform) -> None:
    assert {row.core for row in one.published} <= {core.name for core in aesfit.cores()}
    assert all(row.source and row.cycles > 0 for row in one.published)


@pytest.mark.parametrize("name", [one.name for one in platforms() if one.exact])
def test_what_is_executed_here_has_both_memories(name: str) -> None:
    one = platform_named(name)
    held = [content for region in one.memories for content in region.holds]
    assert sorted(held) == sorted(CONTENTS)
    for region in one.memories:  # the linker leaves room for vectors before code alone
        told = "a table at address 0 would look like a null pointer"
        assert region.start > 0 or "code" in region.holds, told
    assert one.compiler.target


def test_values_are_those_of_the_file() -> None:
    one = platform_named("cortex-m3")
    assert (one.title, one.isa, one.timing) == ("Cortex-M3", "armv7-m", "cortex_m3")
    assert one.variable_multiply
    assert not one.data_cache
    assert {(row.op, row.cycles) for row in one.published} >= {("encrypt-block", 637.5)}


def test_the_lower_word_of_a_product_may_take_the_same_time_always() -> None:
    m3, arm7 = platform_named("cortex-m3"), platform_named("arm7tdmi")
    assert (m3.variable_multiply, m3.variable_multiply_low) == (True, False)
    assert (arm7.variable_multiply, arm7.variable_multiply_low) == (True, True)
    assert not platform_named("cortex-m4").variable_multiply_low


def test_tables_lie_in_the_ideal_memory_that_the_file_names(tmp_path: Path) -> None:
    changes = ('rig = "emulator"', 'rig = "emulator"\ntables = "ram"')
    assert PROCESSOR.read(tmp_path).home("tables").name == "flash"
    assert PROCESSOR.read(tmp_path, changes).home("tables").name == "ram"


def test_a_processor_takes_any_clock_and_its_memory_stays_ideal() -> None:
    plain = platform_named("cortex-m3")
    fast = at(plain, 480)
    assert at(plain) is plain
    assert fast.clock
    assert (fast.clock.value, fast.energy, fast.ideal) == (480, None, True)
    assert (fast.memories, fast.sha256) == (plain.memories, plain.sha256)
    with pytest.raises(ValueError, match="cortex-m3 has no flash whose buffers can be set; leave"):
        at(plain, 72, "reset")


def test_caches_are_read() -> None:
    caches = platform_named("rv32im-e31").caches
    assert [(one.kind, one.size, one.ways, one.line) for one in caches] == [
        ("instruction", 16384, 2, 32),
    ]


def test_caches_tell_what_they_replace_and_whether_stores_allocate() -> None:
    code, data = platform_named("arm920t").caches
    assert (code.kind, code.replacement, code.ways) == ("instruction", "random", 64)
    assert (data.kind, data.replacement, data.write_allocate) == ("data", "random", False)
    plain = platform_named("arm9-cached").caches[1]
    assert (plain.replacement, plain.write_allocate) == ("lru", True)


def test_published_coefficients_are_read() -> None:
    one = platform_named("lx-st200")
    assert [(row.core, row.cycles_per_call.value) for row in one.coefficients] == [
        ("transposed", 416),
        ("ttable1", 400),
        ("ttable4", 319),
        ("ttable8", 313),
    ]
    assert {row.overhead.value for row in one.coefficients} == {1000}
    assert one.miss_penalty is not None
    assert one.miss_penalty.of(16) == 17
    assert (reason := why_not(one)) is not None
    assert reason.endswith("aesfit predict --platform lx-st200")


PUBLISHED_MISTAKES: Mistakes = {
    "twice": ('core = "ttable4"', 'core = "ttable1"', "", "two coefficients of 'ttable1'"),
    "penalty": ("[miss_penalty]", "[miss_penalty]\nbasis = 1", "basis", "there is no key 'basis'"),
    "timed": (
        'rig = "published"',
        'rig = "published"\ntiming = "arm7tdmi"',
        "timing =",
        "'timing' is not allowed",
    ),
    "unit": ('unit = "cycles/B"', 'unit = "cycles"', "per_byte", "allowed are cycles/B"),
    "none": ("[[coefficient]]", "[[cache]]", "", "in [[cache]] there is no key 'core'"),
}


@pytest.mark.parametrize("kind", PUBLISHED_MISTAKES)
def test_mistakes_in_published_coefficients_are_told(kind: str, tmp_path: Path) -> None:
    PUBLISHED.check(tmp_path, PUBLISHED_MISTAKES[kind])


def test_published_coefficients_are_needed(tmp_path: Path) -> None:
    path = PUBLISHED.written(tmp_path)
    path.write_text(PUBLISHED.text.partition("[[coefficient]]")[0], encoding="utf-8")
    assert "[[coefficient]] is what the rig 'published' needs" in complaint(path)


MISTAKES: Mistakes = {
    "unknown key": ('title = "', 'titel = "', "titel", "no key 'titel'; the nearest is 'title'"),
    "unknown key in a table": (
        "optimise = ",
        "optimize = ",
        "optimize",
        "in [compiler] there is no key 'optimize'; the nearest is 'optimise'; allowed are command",
    ),
    "missing key": ('package = "gcc-arm-none-eabi"\n', "", "[compiler]", "lacks the key 'package'"),
    "missing table": ("[constant_time]", "[extra]", "[extra]", "no key 'extra'"),
    "a clock": ("[compiler]", "clock = 72\n[compiler]", "clock", "there is no key 'clock'"),
    "an energy": ("[compiler]", "[energy]\n[compiler]", "[energy]", "there is no key 'energy'"),
    "unknown isa": ('"armv7-m"', '"armv8-m"', "isa", "is 'armv8-m'; the nearest is 'armv6-m'"),
    "unknown rig": ('rig = "emulator"', 'rig = "qemu"', "rig", "allowed are emulator, vliw, rtl"),
    "unknown timing model": ('"cortex_m3"', '"cortex_m31"', "timing", "the nearest is 'cortex_m3'"),
    "no path to a module": ('"cortex_m3"', '"../rig"', "timing", "is '../rig'; the nearest is"),
    "timing on the host": ('rig = "emulator"', 'rig = "host"', "timing", "'timing' is not allowed"),
    "other place of tables": (
        'rig = "emulator"',
        'rig = "emulator"\ntables = "rom"',
        "tables",
        "allowed are flash, ram",
    ),
    "other name": ('name = "cortex-m3"', 'name = "m3"', "name", "must be the file's: 'cortex-m3'"),
    "wrong type": ('command = "arm-none-eabi-gcc"', "command = 7", "command", "is 7; it must be a"),
    "text for a list": ('["-O3"]', '"-O3"', "optimise", "must be a list of texts"),
    "number in a list": ('["-O3"]', '["-O3", 3]', "optimise", "holds 3; it must be a list of"),
    "text for a flag": ("data_cache = false", 'data_cache = "no"', "data_cache", "true or false"),
    "wrong key size": ("key_bits = 128", "key_bits = 100", "key_bits", "one of 128, 192, 256"),
    "negative key size": ("key_bits = 128", "key_bits = -1", "key_bits", "one of 128, 192, 256"),
    "unknown operation": (
        'op = "encrypt-block"',
        'op = "encrypt"',
        'op = "encrypt"',
        "'encrypt-block'",
    ),
    "broken TOML": ('title = "', "title = = ", "title", "not TOML: invalid value"),
    "key twice": ('isa = "', 'title = "twice"\nisa = "', 'title = "twice"', "not TOML: cannot"),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_are_told_with_file_and_line(kind: str, tmp_path: Path) -> None:
    PROCESSOR.check(tmp_path, MISTAKES[kind])


CACHE_MISTAKES: Mistakes = {
    "half a byte": ("value = 16,", "value = 16.0001,", "size = { value = 16.0", "whole bytes"),
    "table for an array": ("[[cache]]", "[cache]", "", "not TOML: cannot"),
    "one kind more": ('kind = "data"', 'kind = "write"', 'kind = "write"', "instruction, data"),
    "other unit": ('unit = "KiB"', 'unit = "MiB"', "size", "allowed are KiB, B"),
}


@pytest.mark.parametrize("kind", CACHE_MISTAKES)
def test_mistakes_about_caches_are_told(kind: str, tmp_path: Path) -> None:
    CACHED_PROCESSOR.check(tmp_path, CACHE_MISTAKES[kind])


def test_mistake_in_a_later_table_has_its_own_line(tmp_path: Path) -> None:
    head, _, tail = PROCESSOR.text.rpartition("key_bits = 128")
    path = PROCESSOR.written(tmp_path)
    path.write_text(f"{head}key_bits = 5{tail}", encoding="utf-8")
    assert complaint(path).startswith(f"{path}:{head.count(chr(10)) + 1}: 'key_bits' in ")


def test_files_that_are_no_toml_are_told(tmp_path: Path) -> None:
    path = PROCESSOR.written(tmp_path)
    cut = PROCESSOR.text[: PROCESSOR.text.index('"cortex_m3"')]
    path.write_text(cut, encoding="utf-8")
    assert complaint(path).startswith(f"{path}:{cut.count(chr(10)) + 1}: not TOML: ")
    path.write_bytes(PROCESSOR.text.encode().replace(b'"Cortex-M3"', b'"Cortex\xff"', 1))
    assert complaint(path).startswith(f"{path}:{line_of(PROCESSOR.text, 'title')}: not UTF-8")
    path.write_text("x = " + "[" * 5000, encoding="utf-8")
    assert complaint(path) == f"{path}:1: not TOML: nested too deeply to be read"
    path.write_bytes(b"")
    assert "the file lacks the key 'name'" in complaint(path)
    assert re.search("No such file", complaint(tmp_path / "none.toml"))


def test_a_path_is_read_again_after_a_change(tmp_path: Path) -> None:
    path = PROCESSOR.written(tmp_path)
    first = platform_named(str(path))
    assert (first.name, first.path) == ("cortex-m3", path)
    assert platform_named(str(path)) is first
    path.write_text(PROCESSOR.text + "# more\n", encoding="utf-8")
    assert platform_named(str(path)).sha256 != first.sha256


def test_an_installed_package_without_files_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aesfit.platforms.find.project_folder", lambda name: tmp_path)
    with pytest.raises(PlatformError, match="holds no platform files"):
        platforms()
