# SPDX-License-Identifier: MIT
"""Versions of table code that is not AES: their tables, and the model against the simulator."""

import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from traced_texts import TEXTS, Text, block, camellia_subkeys, compiled, expanded

from aesfit.cachemodel import simulate
from aesfit.cachemodel.analytic import stalls
from aesfit.cachemodel.equations import Floats
from aesfit.cachemodel.question import Version
from aesfit.cachemodel.traced.sampling import INPUTS, Sampler, TracedFunction
from aesfit.cachemodel.traced.version import Derived, derive, priced
from aesfit.cachemodel.validation.compare import (
    Place,
    ValidationPoint,
    compare,
    errors,
    parse_geometry,
)
from aesfit.cachemodel.versions import hierarchy
from aesfit.caches.cache import Hierarchy
from aesfit.counting.arguments import parse
from aesfit.counting.count import count
from aesfit.counting.foreign import function_in
from aesfit.measuring.trace import Trace
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform, counted
from aesfit.rigs import why_not
from aesfit.rigs.emulator.recording import Recorded

PLATFORM = platform_named("arm920t")
pytestmark = pytest.mark.skipif(why_not(PLATFORM) is not None, reason=str(why_not(PLATFORM)))

KEY = bytes.fromhex("0123456789abcdeffedcba9876543210")
SM4_CIPHER = "681edf34d206965e86b3e94f536e4246"
"""RFC 8998, appendix A.1.1: the key is the text too."""
CAMELLIA_CIPHER = "67673138549669730857065648eabe43"
"""RFC 3713, appendix A: the key is the text too."""
H = bytes.fromhex("66e94bd4ef8a2c3b884cfa59ca342b2e")
GHASH = ("0388dace60b6a392f328c2b971b2fe78", "5e2ec746917062882c85b0685353deb7")
"""McGrew and Viega, The Galois/Counter Mode of Operation, test case 2: X1 from the cipher text."""
CACHES = ("16K:4:16", "16K:4:32", "8K:8:32", "32K:4:32")
"""Where the model's assumptions hold for all texts but the CRC, which fills 8 KiB alone."""
LENGTHS = (1, 2, 4, 8, 16, 32, 64, 128, 200)
STREAMS = 8
"""Rows of simulated inputs, none of which was used to derive the version."""
NAMES = (
    *("sm4_by_sbox", "sm4_by_table", "camellia_by_sbox", "camellia_by_tables"),
    *("crc_slice8", "ghash_block"),
)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Text]:
    """By function."""
    folder = tmp_path_factory.mktemp("schedules")
    sm4 = expanded(PLATFORM, folder, "sm4", "sm4_expand", KEY)[:128]
    camellia = camellia_subkeys(KEY)
    table = expanded(PLATFORM, folder, "ghash", "ghash_key", H)
    found = [
        block("sm4", "sm4_by_sbox", sm4),
        block("sm4", "sm4_by_table", sm4),
        block("camellia", "camellia_by_sbox", camellia),
        block("camellia", "camellia_by_tables", camellia),
        Text("crc", "crc_slice8", ("int:-1", "random:256", "int:256")),
        block("ghash", "ghash_block", table),
    ]
    return {one.function: one for one in found}


def derived(text: Text, folder: Path, platform: Platform = PLATFORM) -> Derived:
    return derive(text.asked(platform, folder), hierarchy(platform))


@pytest.mark.parametrize(
    ("function", "data", "wanted"),
    [
        ("sm4_by_sbox", KEY.hex(), SM4_CIPHER),
        ("sm4_by_table", KEY.hex(), SM4_CIPHER),
        ("camellia_by_sbox", KEY.hex(), CAMELLIA_CIPHER),
        ("camellia_by_tables", KEY.hex(), CAMELLIA_CIPHER),
        ("ghash_block", *GHASH),
    ],
)
def test_the_texts_compute_what_they_are_named_for(
    function: str, data: str, wanted: str, texts: dict[str, Text], tmp_path: Path
) -> None:
    text = texts[function]
    arguments = parse((text.arguments[0], f"hex:{data}", "out:16"))
    done = count(PLATFORM, compiled(PLATFORM, tmp_path, text.file), function, arguments)
    assert done.outputs[3].hex() == wanted


def test_the_checksum_is_that_of_zlib(tmp_path: Path) -> None:
    data = bytes(range(64))
    arguments = parse(("int:-1", f"hex:{data.hex()}", "int:64"))
    done = count(PLATFORM, compiled(PLATFORM, tmp_path, "crc"), "crc_slice8", arguments)
    assert done.result ^ 0xFFFFFFFF == zlib.crc32(data)


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        ("sm4_by_sbox", [("sm4_sbox", 256, 32 * 4)]),
        ("sm4_by_table", [("sm4_words", 1024, 32 * 4)]),
        ("camellia_by_sbox", [("camellia_sbox", 256, 18 * 8)]),
        (
            "camellia_by_tables",
            [
                (f"camellia_words{offset}", 1024, 18 * 2)
                for offset in ("", "+0x400", "+0x800", "+0xc00")
            ],
        ),
        (
            "crc_slice8",
            [
                ("crc_words", 1024, 32),
                *((f"crc_words+{n * 1024:#x}", 1024, 32) for n in range(1, 8)),
            ],
        ),
        ("ghash_block", [("argument 1", 256, 32)]),  # four loads of a word are one read
    ],
)
def test_tables_are_found_with_their_bytes_and_reads(
    function: str, wanted: list[tuple[str, int, int]], texts: dict[str, Text], tmp_path: Path
) -> None:
    found = derived(texts[function], tmp_path)
    assert [(one.table, one.size, one.reads) for one in found.version.lookups] == wanted
    assert f"mean of {INPUTS} calls of {function}" in found.provenance.window
    for name, size, reads in wanted:
        assert f"{name} (" in found.provenance.window
        assert f": {size} bytes, " in found.provenance.window
        assert f" lines, {reads} reads a call" in found.provenance.window


@pytest.mark.parametrize("platform", ["vexriscv-cached", "arm9-cached"])
def test_other_processors_and_lines_that_allocate(
    platform: str, texts: dict[str, Text], tmp_path: Path
) -> None:
    here = counted(platform_named(platform))
    if (reason := why_not(here)) is not None:
        pytest.skip(reason)
    found = derived(texts["sm4_by_sbox"], tmp_path, here)
    assert [(one.size, one.reads) for one in found.version.lookups] == [(256, 128)]
    assert found.version.cycles_per_call > 500


def points(text: Text, folder: Path) -> list[ValidationPoint]:
    """Bursts with inputs that the version has not seen, by the model and by the simulator."""
    own = hierarchy(PLATFORM)
    places = [Place(own.data)]
    for one in CACHES:
        cache = replace(parse_geometry(one), write_allocate=own.data.write_allocate)
        places.append(Place(cache))
    asked = text.asked(PLATFORM, folder)
    simulated, ideal = simulations(asked, own, places)
    versions = {line: version_of(asked, own, places, line) for line in (16, 32)}
    number, found = np.array(LENGTHS, dtype=np.float64), []
    for place in places:
        version, here = versions[place.cache.line], replace(own, data=place.cache)
        expected = stalls(version, here, number, 1.0)
        found += compare(version, place, LENGTHS, expected, simulated[place], ideal)
    return found


def version_of(asked: TracedFunction, own: Hierarchy, places: list[Place], line: int) -> Version:
    data = next(one.cache for one in places if one.cache.line == line)
    return derive(asked, replace(own, data=data)).version


def simulations(
    asked: TracedFunction, own: Hierarchy, places: list[Place]
) -> tuple[dict[Place, Floats], Floats]:
    """Stalls in cycles, a row for each stream of inputs, and cycles of the first without misses."""
    assert own.instruction is not None
    lost: dict[Place, list[list[float]]] = {place: [] for place in places}
    longest = LENGTHS[-1]
    with function_in(asked.platform, asked.files, asked.function) as called:
        sampler = Sampler(asked, called)
        for stream in range(STREAMS):
            calls = [sampler.call(INPUTS + 1 + stream * longest + n) for n in range(longest)]
            trace = joined(calls)
            code = simulate.fills(trace, own.instruction, simulate.INSTRUCTIONS, seed=stream)
            for place in places:
                data = simulate.fills(trace, place.cache, seed=stream)
                cost = own.penalty.of(place.cache.line), own.penalty.of(own.instruction.line)
                lost[place].append([cost[0] * data[n] + cost[1] * code[n] for n in LENGTHS])
            if stream == 0:
                runs, _ = priced(PLATFORM, sampler.machine, called, calls)
    ideal = np.cumsum(runs)[np.array(LENGTHS) - 1]
    return {place: np.array(rows) for place, rows in lost.items()}, ideal


def joined(calls: list[Recorded]) -> Trace:
    """One burst of them."""
    starts = np.cumsum([0, *(len(one.records) // 8 for one in calls)])[:-1]
    return Trace(b"".join(one.records for one in calls), tuple(starts.tolist()), (), ())


@pytest.mark.few(one_in=2)
@pytest.mark.parametrize("function", NAMES)
def test_the_model_is_near_the_simulator(
    function: str, texts: dict[str, Text], tmp_path: Path
) -> None:
    """Stalls within 3 % and the whole time within 1 %, on average over bursts and caches."""
    found = points(texts[function], tmp_path)
    assert len(found) == len(LENGTHS) * (1 + len(CACHES))
    seen = errors(found)
    assert seen.mean_stall < 0.03, seen
    assert seen.mean < 0.01, seen
    assert min(one.simulated_stalls for one in found) > 0


@pytest.mark.parametrize(
    ("function", "arguments", "said"),
    [
        (
            "rc4",
            (f"inout:{bytes(range(256)).hex()}0000", "random:64", "out:64"),
            r"table argument 1 \(0x\w+\) is written during a call, by the instruction at .*\(rc4\+",
        ),
        (
            "scan",
            ("random:16",),
            r"table crc_words \(0x\w+\) are not independent: two reads at lag 1 have 0.8\d* "
            r"lines in common where 0.03\d* are expected .* by the load at 0x\w+ \(scan\+0x\w+\)",
        ),
        ("pairs", ("random:64",), r"not independent: two reads at lag 1 have .* \(pairs\+0x\w+\)"),
        (
            "often",
            ("random:16",),
            r"calls read the table .* 16 to 23 times, by the load .*\(often\+",
        ),
    ],
)
def test_code_that_the_model_does_not_cover_is_refused(
    function: str, arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    with pytest.raises(RuntimeError, match=said):
        derived(Text("refused", function, arguments), tmp_path)


def test_a_checksum_over_english_text_is_refused(tmp_path: Path) -> None:
    arguments = ("int:-1", f"chunk:256:{TEXTS / 'english.txt'}", "int:256")
    said = r"not independent: two reads at lag \d+ have .* by the load at .*\(crc_slice8\+0x\w+\)"
    with pytest.raises(RuntimeError, match=said):
        derived(Text("crc", "crc_slice8", arguments), tmp_path)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("int:-1", "buf:64", "int:64"), "no argument does; give one as random:SIZE"),
        (("int:-1", "random:8", "int:8"), "only 256 times, .* give a longer input"),
    ],
)
def test_inputs_that_show_no_tables_are_refused(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=said):
        derived(Text("crc", "crc_slice8", arguments), tmp_path)


def test_code_without_tables_has_none(tmp_path: Path) -> None:
    """The key schedule reads an S-box; without one the version is its code and fixed data."""
    text = Text("refused", "plain", ("random:64",))
    found = derived(text, tmp_path)
    assert found.version.lookups == ()
    assert "tables found in their data trace: none" in found.provenance.window
    assert found.version.fixed_bytes >= 64
