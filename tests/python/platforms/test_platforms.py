# SPDX-License-Identifier: MIT
"""Platform files: all of ours are read, every kind of mistake is told, and the verb lists them."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import aesfit
from aesfit.cli import app
from aesfit.cli import platforms as verb
from aesfit.platforms.find import load, platform_named, platforms, twins
from aesfit.platforms.memory import CONTENTS
from aesfit.platforms.places import project_folder
from aesfit.platforms.platform import counted
from aesfit.platforms.toml_file import PlatformError
from aesfit.rigs import why_not

NAMES = (
    "arm7tdmi",
    "arm9-cached",
    "arm920t",
    "arm9tdmi",
    "cortex-m0",
    "cortex-m0plus",
    "cortex-m3",
    "cortex-m4",
    "hexagon",
    "lx-st200",
    "picorv32",
    "rv32i",
    "rv32im-e31",
    "vexriscv-cached",
    "vexriscv-icache",
    "vexriscv-nocache",
    "vexriscv-small",
    "i686",
    "x86-64",
)
TWINS = ("vexriscv-cached-emulated", "vexriscv-small-emulated")
KEYS = [
    "name",
    "title",
    "isa",
    "rig",
    "timing",
    "checked_against",
    "max_error",
    "available",
    "why_not",
]
SAMPLE = (project_folder("platforms") / "cortex-m3.toml").read_text(encoding="utf-8")
CLOCK = next(line for line in SAMPLE.splitlines() if line.startswith("clock = "))
RAM = re.search(r'^name = "ram"\nstart = .*$', SAMPLE, re.MULTILINE)
assert RAM


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def written(folder: Path, text: str) -> Path:
    path = folder / "cortex-m3.toml"
    path.write_text(text, encoding="utf-8")
    return path


def complaint(path: Path) -> str:
    with pytest.raises(PlatformError) as caught:
        load(path)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_every_platform_is_read() -> None:
    assert tuple(one.name for one in platforms()) == NAMES
    cores = {core.name for core in aesfit.cores()}
    for one in platforms():
        assert {row.core for row in one.published} <= cores
        assert all(row.source and row.cycles > 0 for row in one.published)
        assert (one.timing is None) == (one.rig != "emulator")
        assert (one.clock is None) == (one.rig not in ("emulator", "rtl"))
        assert (one.cpu is None) == (one.rig != "rtl")


@pytest.mark.parametrize("name", [one.name for one in platforms() if one.exact])
def test_emulated_platforms_have_both_memories(name: str) -> None:
    one = platform_named(name)
    held = [content for region in one.memories for content in region.holds]
    assert sorted(held) == sorted(CONTENTS)
    assert one.memory("flash").size >= 65536
    assert one.memory("flash").start > 0, "a table at address 0 would look like a null pointer"
    assert one.compiler.target


def test_values_are_those_of_the_file() -> None:
    one = platform_named("cortex-m3")
    assert one.clock is not None
    assert (one.clock.value, one.clock.unit) == (72, "MHz")
    flash = one.memory("flash")
    assert (flash.start, flash.size) == (0x08000000, 128 * 1024)
    assert one.variable_multiply
    assert not one.data_cache
    assert {(row.op, row.cycles) for row in one.published} >= {("encrypt-block", 637.5)}


SOFT = (project_folder("platforms") / "vexriscv-nocache.toml").read_text(encoding="utf-8")
SOFT_MISTAKES = {
    "unknown": ('"vexriscv_nocache"', '"vexriscv_2k2k"', "vexriscv_2k2k'; the nearest is"),
    "none": ('cpu = "vexriscv_nocache"\n', "", "lacks the key 'cpu'"),
    "two memories": ("value = 10,", "value = 9,", "one memory, so both regions need the same"),
    "no rules": ('rig = "rtl"', 'rig = "rtl"\ntiming = "picorv"', "the nearest is 'picorv32'"),
    "stores alone": ("[energy]", "[stores]\n[energy]", "needs [stores] for 'timing' alone"),
    "penalty alone": ("[energy]", "[miss_penalty]\n[energy]", "for 'timing' alone"),
}


def test_caches_need_a_penalty_to_be_counted_by_rules(tmp_path: Path) -> None:
    text = (project_folder("platforms") / "vexriscv-cached.toml").read_text(encoding="utf-8")
    path = tmp_path / "vexriscv-cached.toml"
    start = text.index("[miss_penalty]")
    path.write_text(text[:start] + text[text.index("[energy]") :], encoding="utf-8")
    assert "'timing' needs [miss_penalty] where there are caches" in complaint(path)


def test_twins_are_counted_by_rules_behind_the_waits_of_the_memory() -> None:
    assert tuple(one.name for one in twins()) == TWINS
    soft, twin = platform_named("vexriscv-cached"), platform_named("vexriscv-cached-emulated")
    assert (soft.rig, soft.timing, soft.miss_penalty) == ("rtl", None, None)
    assert (twin.rig, twin.timing, twin.cpu) == ("emulator", "vexriscv", None)
    assert (twin.caches, twin.compiler) == (soft.caches, soft.compiler)
    assert {one.wait_states.value for one in twin.memories} == {0}
    own, slower = (counted(soft, wait).miss_penalty for wait in (None, 20))
    assert own
    assert slower
    assert (own.base, slower.base, own.per_byte) == (14, 24, 0.25)
    assert twin.stores
    assert (twin.stores.cycles.value, twin.stores.in_flight.value) == (11, 2)
    assert soft.stores is None
    assert counted(soft, 20).sha256 != twin.sha256 != soft.sha256
    assert counted(platform_named("picorv32")) == platform_named("picorv32")
    with pytest.raises(ValueError, match="no platform 'vexriscv-nocache-emulated'"):
        platform_named("vexriscv-nocache-emulated")


@pytest.mark.parametrize("mistake", SOFT_MISTAKES)
def test_mistakes_about_simulated_processors(mistake: str, tmp_path: Path) -> None:
    was, now, told = SOFT_MISTAKES[mistake]
    path = tmp_path / "vexriscv-nocache.toml"
    path.write_text(SOFT.replace(was, now, 1), encoding="utf-8")
    assert told in complaint(path)


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


@pytest.mark.parametrize("name", ["arm926ej-s", "arm946e-s"])
def test_cores_without_timing_rules_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"no timing rules for the ARM9E.* core of {name}"):
        platform_named(name)


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


def test_mistakes_in_published_coefficients_are_told(tmp_path: Path) -> None:
    text = (project_folder("platforms") / "lx-st200.toml").read_text(encoding="utf-8")
    path = tmp_path / "lx-st200.toml"
    for was, now, told in (
        ('core = "ttable4"', 'core = "ttable1"', "there are two coefficients of 'ttable1'"),
        ("[miss_penalty]", "[miss_penalty]\nbasis = 1", "there is no key 'basis'"),
        ('rig = "published"', 'rig = "published"\ntiming = "arm7tdmi"', "'timing' is not allowed"),
        ('unit = "cycles/B"', 'unit = "cycles"', "allowed are cycles/B"),
    ):
        path.write_text(text.replace(was, now), encoding="utf-8")
        assert told in complaint(path)
    path.write_text(text.partition("[[coefficient]]")[0], encoding="utf-8")
    assert "[[coefficient]] is what the rig 'published' needs" in complaint(path)


def test_a_path_is_read_and_read_again_after_a_change(tmp_path: Path) -> None:
    path = written(tmp_path, SAMPLE)
    first = platform_named(str(path))
    assert (first.name, first.path) == ("cortex-m3", path)
    assert platform_named(str(path)) is first
    written(tmp_path, SAMPLE + "# more\n")
    assert platform_named(str(path)).sha256 != first.sha256


def test_unknown_name_tells_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"no platform 'cortex-m33'; the nearest is 'cortex-m3'"):
        platform_named("cortex-m33")


def test_missing_file_is_told(tmp_path: Path) -> None:
    assert complaint(tmp_path / "none.toml").endswith("cannot be read: No such file or directory")


QUANTITY = 'clock = { value = 72, unit = "MHz", source = "x" }'
MISTAKES = {
    "unknown key": ('title = "', 'titel = "', "titel", "no key 'titel'; the nearest is 'title'"),
    "unknown key in a table": (
        "optimise = ",
        "optimize = ",
        "optimize",
        "in [compiler] there is no key 'optimize'; the nearest is 'optimise'; allowed are command",
    ),
    "unknown key in a quantity": (
        CLOCK,
        'clock = { value = 72, units = "MHz", source = "x" }',
        "clock",
        "allowed are value, unit, source",
    ),
    "missing key": ('package = "gcc-arm-none-eabi"\n', "", "[compiler]", "lacks the key 'package'"),
    "missing clock": (CLOCK + "\n", "", "# SPDX", 'lacks the key \'clock\', which is { value = ..'),
    "missing table": ("[constant_time]", "[extra]", "[extra]", "no key 'extra'"),
    "missing unit": (CLOCK, 'clock = { value = 72, source = "x" }', "clock", "one of MHz"),
    "missing source": (CLOCK, 'clock = { value = 72, unit = "MHz" }', "clock", "key 'source'"),
    "missing value": (CLOCK, 'clock = { unit = "MHz", source = "x" }', "clock", "the key 'value'"),
    "empty source": (CLOCK, QUANTITY.replace('"x"', '" "'), "clock", "in [clock] is empty"),
    "too great": (CLOCK, QUANTITY.replace("72", "9" * 400), "clock", "it must be a finite number"),
    "wrong unit": (CLOCK, QUANTITY.replace("MHz", "Hz"), "clock", "allowed are MHz"),
    "bare number": (CLOCK, "clock = 72", "clock", "'clock' in the file is 72; it must be { value"),
    "text for a number": (CLOCK, QUANTITY.replace("72", '"72"'), "clock", "must be a finite"),
    "true for a number": (CLOCK, QUANTITY.replace("72", "true"), "clock", "must be a finite"),
    "negative": (CLOCK, QUANTITY.replace("72", "-72"), "clock", "-72; it must be a finite number"),
    "zero": (CLOCK, QUANTITY.replace("72", "0"), "clock", "finite number above 0"),
    "infinite": (CLOCK, QUANTITY.replace("72", "inf"), "clock", "is inf; it must be a finite"),
    "not a number": (CLOCK, QUANTITY.replace("72", "nan"), "clock", "is nan; it must be a finite"),
    "unknown isa": ('"armv7-m"', '"armv8-m"', "isa", "is 'armv8-m'; the nearest is 'armv6-m'"),
    "cpu where none is simulated": (
        'rig = "emulator"',
        'rig = "emulator"\ncpu = "picorv32"',
        "cpu",
        "the rig 'emulator' simulates no Verilog; 'cpu' is not allowed",
    ),
    "unknown rig": ('rig = "emulator"', 'rig = "qemu"', "rig", "allowed are emulator, vliw, rtl"),
    "unknown timing model": ('"cortex_m3"', '"cortex_m33"', "timing", "the nearest is 'cortex_m3'"),
    "no path to a module": ('"cortex_m3"', '"../rig"', "timing", "is '../rig'; the nearest is"),
    "stores here": ("[energy]", "[stores]\n[energy]", "stores", "'emulator' prices no stores"),
    "timing on the host": ('rig = "emulator"', 'rig = "host"', "timing", "'timing' is not allowed"),
    "other name": ('name = "cortex-m3"', 'name = "m3"', "name", "must be the file's: 'cortex-m3'"),
    "wrong type": ('command = "arm-none-eabi-gcc"', "command = 7", "command", "is 7; it must be a"),
    "text for a list": ('["-O3"]', '"-O3"', "optimise", "must be a list of texts"),
    "number in a list": ('["-O3"]', '["-O3", 3]', "optimise", "holds 3; it must be a list of"),
    "text for a flag": ("data_cache = false", 'data_cache = "no"', "data_cache", "true or false"),
    "table for an array": ("[[memory]]", "[memory]", "", "not TOML: cannot"),
    "unknown content": ('["data", "stack"]', '["data", "heap"]', "holds = [\"data", "holds 'heap'"),
    "content twice": ('["data", "stack"]', '["data", "code"]', "[[memory]]", "once each"),
    "overlap": ("0x2000_0000", "0x0801_0000", "start = { value = 0x0801", "overlaps flash"),
    "beyond the addresses": ("0x2000_0000", "0xFFFF_F000", "start = { value = 0xFFFF", "below 0x1"),
    "half an address": ("0x2000_0000", "0.5", "start = { value = 0.5", "whole addresses"),
    "half a byte": ("value = 20,", "value = 20.0001,", "size = { value = 20.0", "whole bytes"),
    "two of a name": ('name = "ram"', 'name = "flash"', "", "two regions named 'flash'"),
    "other region": ('name = "ram"', 'name = "rom"', 'name = "rom"', "allowed are flash, ram"),
    "no energy": ("[energy]\n", "[energy]\nnone = \"why\"\n", "[energy]", "either 'per_cycle'"),
    "wrong key size": ("key_bits = 128", "key_bits = 100", "key_bits", "one of 128, 192, 256"),
    "negative key size": ("key_bits = 128", "key_bits = -1", "key_bits", "one of 128, 192, 256"),
    "unknown operation": ('op = "encrypt-block"', 'op = "encrypt"', 'op = "encrypt"', "'encrypt-b"),
    "broken TOML": ('title = "', "title = = ", "title", "not TOML: invalid value"),
    "key twice": ('isa = "', 'title = "twice"\nisa = "', 'title = "twice"', "not TOML: cannot"),
}  # fmt: skip


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_are_told_with_file_and_line(kind: str, tmp_path: Path) -> None:
    before, after, at, told = MISTAKES[kind]
    assert before in SAMPLE
    text = SAMPLE.replace(before, after, 1)
    path = written(tmp_path, text)
    message = complaint(path)
    place = re.match(r"(.+?):(\d+): ", message)
    assert place
    assert place[1] == str(path)
    if at:
        assert int(place[2]) == line_of(text, at), message
    assert told in message, message


def test_mistake_in_a_later_table_has_its_own_line(tmp_path: Path) -> None:
    head, _, tail = SAMPLE.rpartition("key_bits = 128")
    path = written(tmp_path, f"{head}key_bits = 5{tail}")
    line = head.count("\n") + 1
    assert complaint(path).startswith(f"{path}:{line}: 'key_bits' in ")


def test_files_that_are_no_toml_are_told(tmp_path: Path) -> None:
    cut = SAMPLE[: SAMPLE.index('unit = "MHz"')]
    path = written(tmp_path, cut)
    assert complaint(path).startswith(f"{path}:{cut.count(chr(10)) + 1}: not TOML: ")
    path.write_bytes(SAMPLE.encode().replace(b"Cortex-M3 (", b"Cortex\xff"))
    assert complaint(path).startswith(f"{path}:{line_of(SAMPLE, 'title')}: not UTF-8")
    path.write_text("x = " + "[" * 9000, encoding="utf-8")
    assert complaint(path) == f"{path}:1: not TOML: nested too deeply to be read"
    path.write_bytes(b"")
    assert "the file lacks the key 'name'" in complaint(path)


def test_an_installed_package_without_files_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aesfit.platforms.platform.project_folder", lambda name: tmp_path)
    with pytest.raises(PlatformError, match="holds no platform files"):
        platforms()


@dataclass(frozen=True)
class Evidence:
    checked_against: str
    max_error: str
    stale: bool


def listed(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["platforms", *arguments])


def test_json_has_the_stable_keys() -> None:
    result = listed("--json")
    assert result.exit_code == 0
    entries = json.loads(result.stdout)
    assert [one["name"] for one in entries] == [*NAMES, *TWINS]
    for one in entries:
        assert list(one) == KEYS
        assert one["available"] == (one["why_not"] is None)
        assert one["checked_against"]


def test_table_lists_every_platform_and_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verb, "why_not", lambda _: "no compiler; get it with: apt install it")
    monkeypatch.setattr(verb, "evidence_of", lambda _: None)
    result = listed()
    assert result.exit_code == 0
    every = (*NAMES, *TWINS)
    for name in every:
        assert re.search(rf"^{name}  +no ", result.stdout, re.MULTILINE)
    assert f"{', '.join(every)}: no compiler; get it with: apt install it\n" in result.stdout
    modelled = [one for one in (*platforms(), *twins()) if one.timing]
    assert result.stdout.count(verb.RULES_ONLY) == len(modelled)


@pytest.mark.parametrize(
    ("stale", "said"), [(False, "libx 1.0"), (True, "libx 1.0 (before the model changed)")]
)
def test_evidence_is_shown(monkeypatch: pytest.MonkeyPatch, stale: bool, said: str) -> None:
    known = {"arm7tdmi": Evidence("libx 1.0", "0 cycles in 7 comparisons", stale)}
    monkeypatch.setattr(verb, "why_not", lambda _: None)
    monkeypatch.setattr(verb, "evidence_of", known.get)
    entries = {one["name"]: one for one in json.loads(listed("--json").stdout)}
    arm7 = entries["arm7tdmi"]
    assert (arm7["checked_against"], arm7["max_error"]) == (said, "0 cycles in 7 comparisons")
    assert (arm7["available"], arm7["why_not"]) == (True, None)
    assert entries["cortex-m3"]["checked_against"] == verb.RULES_ONLY
    assert (entries["x86-64"]["timing"], entries["x86-64"]["max_error"]) == (None, None)


def test_wrong_usage_and_a_wrong_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert listed("--csv").exit_code == 2
    written(tmp_path, SAMPLE.replace("72", "x"))
    monkeypatch.setattr("aesfit.platforms.platform.project_folder", lambda name: tmp_path)
    result = listed()
    assert result.exit_code == 1
    assert isinstance(result.exception, PlatformError)
