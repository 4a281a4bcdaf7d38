# SPDX-License-Identifier: MIT
"""Files of chips: wait states and energy by clock, buffers, parts; every mistake is told."""

from pathlib import Path

import pytest
from platform_texts import CHIP, Mistakes, complaint, with_our_chip

from aesfit.platforms.chip import SETTINGS
from aesfit.platforms.find import platform_named, platforms
from aesfit.platforms.interfaces import described
from aesfit.platforms.platform import Platform, at
from aesfit.platforms.uniform import uniform_memories, why_addresses_show

CHIPS = [one for one in platforms() if one.chip]
named = pytest.mark.parametrize("one", CHIPS, ids=lambda one: str(one.name))


@pytest.fixture
def chip(tmp_path: Path) -> Platform:
    return CHIP.read(tmp_path)


def waits(platform: Platform) -> float:
    return platform.memory("flash").wait_states.value


def show(platform: Platform, memory: str) -> str | None:
    """Why addresses in a memory show."""
    return why_addresses_show(platform, memory, int(waits(platform)))


@named
def test_a_chip_runs_at_its_highest_clock(one: Platform) -> None:
    assert one.chip
    core = platform_named(one.chip.processor)
    assert one.clock
    assert (one.kind, one.clock, one.setting) == ("chip", one.chip.maximum, "usual")
    assert (one.isa, one.rig, one.timing) == (core.isa, core.rig, core.timing)
    assert waits(one) == one.chip.waits[-1].cycles or one.chip.waits[-1].up_to != one.clock
    assert one.sha256 != core.sha256


@pytest.mark.few(one_in=3)
@named
def test_every_part_number_and_title_finds_its_file(one: Platform) -> None:
    assert one.chip
    for name in (one.title, *(part.name for part in one.chip.parts)):
        assert platform_named(name.upper()).path == one.path
        assert platform_named(name.replace("-", " ").lower()).path == one.path


def test_a_processor_is_found_by_its_title() -> None:
    assert platform_named("Cortex-M0+") is platform_named("cortex-m0plus")


def test_parts_have_memories_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_our_chip(tmp_path, monkeypatch)
    small, large = platform_named("OC 64"), platform_named("oc-128plus")
    sizes = [[one.size >> 10 for one in part.memories] for part in (small, large)]
    assert sizes == [[64, 20, 8], [128, 20, 8]]
    assert (small.name, large.title) == ("oc-64", "OC-128+")
    assert small.sha256 != large.sha256
    assert platform_named("our chip").name == "our-chip"
    with pytest.raises(ValueError, match="no platform 'oc-12'; the nearest is 'our-chip'"):
        platform_named("oc-12")


@pytest.mark.parametrize(
    ("mhz", "cycles"), [(0.001, 0), (24, 0), (24.001, 1), (48, 1), (48.001, 2), (72, 2)]
)
def test_wait_states_follow_from_the_clock(chip: Platform, mhz: float, cycles: int) -> None:
    there = at(chip, mhz)
    assert waits(there) == cycles
    assert there.memory("ram") == chip.memory("ram")
    assert there.sha256 == chip.sha256, "its rows hold the wait states; the clock moves no cycle"
    assert at(there).memories == there.memories


def test_wait_states_may_be_given_for_clocks_that_the_chip_does_not_reach(tmp_path: Path) -> None:
    """A family's table, of which a chip takes the lower half."""
    slower = CHIP.read(tmp_path, ("value = 72,", "value = 40,"))
    assert waits(slower) == 1


@pytest.mark.parametrize("mhz", [72.001, 0, -1, float("nan"), float("inf")])
def test_a_clock_that_is_not_reached_is_refused(chip: Platform, mhz: float) -> None:
    with pytest.raises(ValueError, match=r"Our chip: its clock is at most 72 MHz, not .*\(clock\)"):
        at(chip, mhz)


@pytest.mark.parametrize(
    ("mhz", "picojoules"),
    [(24, 1375), (44, 1000 * 18 * 3.3 / 44), (64, 1340.625), (23.9, None), (64.1, None)],
)
def test_energy_at_between_and_outside_the_currents(
    chip: Platform, mhz: float, picojoules: float | None
) -> None:
    there = at(chip, mhz)
    found = there.energy
    assert (found.value if found else None) == pytest.approx(picojoules)
    assert chip.chip
    if found is None:
        reason = chip.chip.energy.why_not(mhz)
        assert reason == (
            f"the data sheet gives currents at 24, 64 MHz, and {mhz:g} MHz is not among them"
        )
    else:
        assert f"mA x 3.3 V / {mhz:g} MHz" in found.source
        assert ("between 24 and 64 MHz" in found.source) == (mhz == 44)


def test_energy_may_be_unknown_with_the_reason(tmp_path: Path) -> None:
    current = CHIP.text[CHIP.text.index("volts = ") :]
    chip = CHIP.read(tmp_path, (current, 'none = "the data sheet gives no current"\n'))
    assert (chip.energy, at(chip, 24).energy) == (None, None)
    assert chip.chip
    assert chip.chip.energy.why_not(24) == "the data sheet gives no current"


def test_buffers_are_set_as_usual_or_as_after_reset(chip: Platform) -> None:
    usual, reset = at(chip, setting="usual"), at(chip, setting="reset")
    found = usual.memory("flash").interface
    assert found
    assert (found.kind, dict(found.parameters)) == ("read_ahead", {"line": 8})
    assert reset.memory("flash").interface is None
    assert usual.sha256 == chip.sha256 != reset.sha256
    assert at(reset, 24).setting == "reset"
    with pytest.raises(ValueError, match="be set to 'uniform'; choose from usual, reset"):
        at(chip, setting="uniform")
    assert at(reset, setting="usual").sha256 != reset.sha256


def test_a_chip_may_have_a_setting_that_is_uniform(tmp_path: Path) -> None:
    bare = '[interface.uniform]\nkind = "none"\nsource = "off"\n\n[energy]'
    chip = CHIP.read(tmp_path, ("[energy]", bare))
    assert show(chip, "flash")
    assert show(at(chip, setting="uniform"), "flash") is None


def test_where_addresses_show(chip: Platform) -> None:
    """Behind a buffer where the flash waits, and where words are interleaved over banks."""
    buffered = show(chip, "flash")
    assert buffered == f"its flash has 2 wait states behind {described('read_ahead').title}"
    assert show(at(chip, 24), "flash") is None
    assert show(at(chip, 48, "reset"), "flash") is None, "wait states alone are alike anywhere"
    assert show(chip, "ram") is None
    assert "interleaved over 4 banks" in str(show(chip, "striped"))
    assert uniform_memories(chip, 4096, 2) == ("ram",)
    assert uniform_memories(chip, 65536, 0) == ("flash",)


def test_a_buffer_that_is_not_confirmed_is_told(tmp_path: Path) -> None:
    chip = CHIP.read(tmp_path, ("[interface.usual]", "[interface.usual]\nunconfirmed = true"))
    assert chip.chip
    assert chip.chip.unconfirmed == ("interface.usual",)
    assert [chip.chip.unsure(one) for one in SETTINGS[:2]] == [("flash buffers",), ()]
    interface = chip.memory("flash").interface
    assert interface
    assert interface.unconfirmed
    assert "which no document that we read confirms" in str(show(chip, "flash"))


def test_a_number_that_is_not_confirmed_is_told_and_leaks_nothing_more(tmp_path: Path) -> None:
    chip = CHIP.read(tmp_path, ('source = "line" }', 'source = "line", unconfirmed = true }'))
    assert chip.chip
    assert chip.chip.unconfirmed == ("interface.usual.line",)
    assert chip.chip.unsure("usual") == ("flash buffers",)
    interface = chip.memory("flash").interface
    assert interface
    assert not interface.unconfirmed


def test_memory_that_waits_without_a_chip_may_show_addresses() -> None:
    told = why_addresses_show(platform_named("cortex-m3"), "flash", 1)
    assert told
    assert "its flash has 1 wait state, and nobody says what stands in front of it" in told


def test_a_copied_section_whose_source_names_another_chip_is_refused(tmp_path: Path) -> None:
    other = next(one.name for one in CHIPS)
    source = f"{other.upper()}x8 data sheet"
    path = CHIP.written(tmp_path, ('source = "supply"', f'source = "{source}"'))
    assert f"[energy.volts] names {other.upper()}, which is another chip" in complaint(path)
    own = CHIP.read(
        tmp_path,
        ("Our chip", f"Our {other.upper()}"),
        ('source = "supply"', f'source = "{source}"'),
    )
    assert own.title == f"Our {other.upper()}"


QUANTITY = 'clock = { value = 72, unit = "MHz", source = "clock" }'
RAM = 'name = "ram"\nstart = { value = 0x2000_0000'
MISTAKES: Mistakes = {
    "unknown processor": ('"cortex-m3"', '"cortex-m31"', "processor", "nearest is 'cortex-m3'"),
    "a chip for a processor": (
        '"cortex-m3"',
        '"picorv32"',
        "processor",
        "there is no processor 'picorv32'",
    ),
    "key of a processor": ("counter", 'isa = "armv7-m"\ncounter', "isa", "is no key 'isa'"),
    "missing clock": (QUANTITY + "\n", "", "name", "lacks the key 'clock', which is { value = .."),
    "missing counter": ('counter = "CYCCNT of the DWT"\n', "", "", "lacks the key 'counter'"),
    "missing unit": (QUANTITY, 'clock = { value = 72, source = "x" }', "clock", "one of MHz"),
    "missing source": (QUANTITY, 'clock = { value = 72, unit = "MHz" }', "clock", "key 'source'"),
    "missing value": (QUANTITY, 'clock = { unit = "MHz", source = "x" }', "clock", "key 'value'"),
    "unknown key in a quantity": (
        QUANTITY,
        QUANTITY.replace("unit", "units"),
        "clock",
        "allowed are value, unit, source",
    ),
    "empty source": (QUANTITY, QUANTITY.replace('"clock"', '" "'), "clock", "in [clock] is empty"),
    "too great": (QUANTITY, QUANTITY.replace("72", "9" * 400), "clock", "must be a finite number"),
    "wrong unit": (QUANTITY, QUANTITY.replace("MHz", "Hz"), "clock", "allowed are MHz"),
    "bare number": (QUANTITY, "clock = 72", "clock", "'clock' in the file is 72; it must be { val"),
    "text for a number": (QUANTITY, QUANTITY.replace("72", '"72"'), "clock", "must be a finite"),
    "true for a number": (QUANTITY, QUANTITY.replace("72", "true"), "clock", "must be a finite"),
    "negative": (QUANTITY, QUANTITY.replace("72", "-72"), "clock", "-72; it must be a finite num"),
    "zero": (QUANTITY, QUANTITY.replace("72", "0"), "clock", "finite number above 0"),
    "infinite": (QUANTITY, QUANTITY.replace("72", "inf"), "clock", "is inf; it must be a finite"),
    "not a number": (QUANTITY, QUANTITY.replace("72", "nan"), "clock", "is nan; it must be a fin"),
    "unsure of being unsure": (
        QUANTITY,
        QUANTITY.replace("}", ', unconfirmed = "no" }'),
        "clock",
        "true or false",
    ),
    "clock beyond the waits": (QUANTITY, QUANTITY.replace("72", "73"), "[[wait", "reach the highe"),
    "falling clocks": (
        "value = 48,",
        "value = 23,",
        "[[wait_states]]\nup_to = { value = 23",
        "must rise",
    ),
    "falling waits": (
        "cycles = 2",
        "cycles = 0",
        "[[wait_states]]\nup_to = { value = 72",
        "cycles too",
    ),
    "half a wait": ("cycles = 2", "cycles = 1.5", "cycles = 1.5", "a whole number of at least 0"),
    "waits twice": (
        'holds = ["code"',
        'wait_states = { value = 0 }\nholds = ["code"',
        "",
        "leave these out",
    ),
    "overlap": (
        RAM,
        RAM.replace("0x2000_0000", "0x0800_FFFF"),
        "start = { value = 0x0800_F",
        "overlaps flash",
    ),
    "beyond the addresses": (
        RAM,
        RAM.replace("0x2000_0000", "0xFFFF_F000"),
        "start = { value = 0xF",
        "below 0x1",
    ),
    "half an address": (
        RAM,
        RAM.replace("0x2000_0000", "0.5"),
        "start = { value = 0.5",
        "at whole",
    ),
    "two of a name": ('name = "striped"', 'name = "ram"', "", "two regions named 'ram'"),
    "no ram": ('name = "ram"', 'name = "sram"', "[[memory]]", "named flash and one named ram"),
    "content twice": ("holds = []", 'holds = ["code"]', "[[memory]]", "once each"),
    "no buffers": ("[interface.reset]", "[interface.after]", "[interface.after]", "no key 'after'"),
    "unknown buffers": ('"read_ahead"', '"read_behind"', "kind", "nearest is 'read_ahead'"),
    "parameter too many": ("line = ", "lines = ", "lines", "no key 'lines'; the nearest is 'line'"),
    "parameter too large": (
        'value = 8, unit = "B"',
        'value = 4096, unit = "B"',
        "line",
        "it must be 4 to",
    ),
    "parameter of none": ('source = "reset"', 'source = "reset"\nline = 8', "line = 8", "no key"),
    "no energy": ("[energy]\n", '[energy]\nnone = "why"\n', "[energy]", "needs either [[energy.cu"),
    "falling currents": ("at = { value = 64", "at = { value = 24", "[energy]", "clocks must rise"),
    "size of no memory": ("\nflash = {", "\nrom = {", "rom", "in [[part]] there is no key 'rom'"),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_are_told_with_file_and_line(kind: str, tmp_path: Path) -> None:
    CHIP.check(tmp_path, MISTAKES[kind])
