# SPDX-License-Identifier: MIT
"""One question has one answer: the command line, the page, the report and Python say the same."""

import shlex
from collections.abc import Iterator

import httpx
import pytest
from asked_four_ways import (
    OPTIONS,
    Query,
    by_command,
    by_page,
    by_python,
    of_command,
    of_page,
    of_python,
    of_report,
    words_of,
)
from click.testing import CliRunner
from web_server import pretending, serving

import aesfit
import aesfit.cachemodel.versions
import aesfit.choosing.field
import aesfit.report.page
import aesfit.report.plot
from aesfit.cachemodel.question import Lookup, Version
from aesfit.cachemodel.versions import versions
from aesfit.catalog import Core
from aesfit.cli import app
from aesfit.measuring.measure import cores_for
from aesfit.platforms.find import platform_named
from aesfit.platforms.platform import Platform
from aesfit.report import page
from aesfit.rigs import why_not
from aesfit.web.guard import TOKEN_HEADER

REAL = "arm920t"
FEW = ("transposed", "ttable1", "fixslice")
"""Cores that are emulated; one of them works on two blocks at a time."""
LACKING = why_not(platform_named(REAL))
emulated = pytest.mark.skipif(LACKING is not None, reason=str(LACKING))

PLAIN: list[Query] = [
    {},
    {"mode": "ecb", "bytes": 64},
    {"mode": "ecb", "bytes": 1024, "encrypt_only": True},
    {"mode": "cbc", "bytes": 4096, "objective": "flash"},
    {"mode": "cbc", "bytes": 16, "key_changes": 1},
    {"mode": "ctr", "bytes": 100, "key_changes": 7},
    {"mode": "ctr", "bytes": 100, "key_bits": 192},
    {"mode": "xts", "bytes": 512, "key_bits": 256},
    {"mode": "gcm", "bytes": 64, "key_changes": 4096},
    {"mode": "cmac", "bytes": 33},
    {"mode": "ccm", "bytes": 1, "timing": "proved"},
    {"mode": "ccm", "bytes": 1, "timing": "any"},
    {"mode": "ccm", "flash": 3000},
    {"mode": "ccm", "ram": 400, "objective": "ram"},
    {"mode": "ccm", "flash": 3000, "ram": 500, "encrypt_only": True},
    {"mode": "ccm", "flash": 1},
    {"mode": "kw", "bytes": 40, "key_bits": 256, "key_changes": 3},
    {"clock": "24MHz"},
    {"packets": "64:7,576:4,1504:1", "key_changes": 10, "rate": "2Mbit/s"},
    {"packets": "1:1,100:2.5", "mode": "gcm", "encrypt_only": True, "flash": 6000},
    {"mode": "ctr", "bytes": 256, "clock": "8000kHz", "rate": "1Mbit/s"},
    {"mode": "ccm", "rate": "54Mbit/s", "key_changes": 1},
    {"mode": "gcm", "bytes": 64, "ghash": "shift32"},
    {"mode": "gcm", "bytes": 64, "ghash": "table4", "encrypt_only": True, "rate": "250kbit/s"},
]
OPEN = {"cache": 4096, "line": 16, "ways": 2, "penalty": 12.5}
"""The made-up platform with a data cache does not say which."""
MODELLED: list[Query] = [
    {"burst": 1},
    {"burst": 64, "mode": "ecb", "bytes": 1024},
    {"burst": 64, "mode": "ecb", "bytes": 1024, "encrypt_only": True},
    {"burst": 7, "mode": "ctr", "bytes": 100, "key_changes": 1},
    {"burst": 4096, "mode": "ctr", "bytes": 100, "key_changes": 33, "key_bits": 256},
    {"burst": 94, "evicted": 50},
    {"burst": 94, "evicted": 0.1, "objective": "flash"},
    {"burst": 94, "timing": "proved"},
    {"burst": 94, "flash": 4000, "ram": 600},
    {"burst": 64, "mode": "block"},
    {"burst": 5, "mode": "block", "key_bits": 192, "evicted": 33.3},
    {"burst": 900, "mode": "block", "flash": 4000, "objective": "ram"},
    {"burst": 94, "clock": "48MHz", "rate": "5Mbit/s"},
    {"burst": 94, "packets": "64:7,1504:1", "mode": "ctr", "key_changes": 3},
]
MEASURED: list[Query] = [
    {"misses": "measured"},
    {"misses": "measured", "mode": "gcm", "bytes": 64, "ghash": "table4", "key_changes": 5},
    {"misses": "measured", "mode": "ecb", "bytes": 64, "encrypt_only": True, "clock": "48MHz"},
]
PUBLISHED: list[Query] = [
    {"burst": 64},
    {"burst": 44},
    {"burst": 45, "mode": "block"},
    {"burst": 4096, "flash": 5000},
    {"burst": 100, "cache": 1024, "ways": 1, "line": 32},
    {"burst": 100, "penalty": 0, "evicted": 25},
    {"burst": 100, "timing": "proved"},
]
EMULATED: list[Query] = [
    {"burst": 64, "mode": "ecb", "bytes": 1024, "encrypt_only": True},
    {"burst": 64, "mode": "ecb", "bytes": 1024, "encrypt_only": True, "key_changes": 1},
    {"burst": 9, "mode": "ecb", "bytes": 1024, "encrypt_only": True, "evicted": 50},
    {"burst": 64, "mode": "ecb", "bytes": 1024, "encrypt_only": True, "cache": 2048, "ways": 2},
    {"burst": 64, "mode": "block"},
    {"burst": 64, "mode": "block", "line": 16, "penalty": 40.25},
]
QUESTIONS = [
    *(pytest.param("pretend", one, id=f"pretend-{at}") for at, one in enumerate(PLAIN)),
    *(
        pytest.param("pretend-cached", {**OPEN, **one}, id=f"pretend-cached-{at}")
        for at, one in enumerate(MODELLED)
    ),
    *(
        pytest.param("pretend-cached", one, id=f"pretend-cached-measured-{at}")
        for at, one in enumerate(MEASURED)
    ),
    *(pytest.param("lx-st200", one, id=f"lx-st200-{at}") for at, one in enumerate(PUBLISHED)),
    *(
        pytest.param(REAL, one, id=f"{REAL}-{at}", marks=emulated)
        for at, one in enumerate(EMULATED)
    ),
]


def made_up(
    platform: Platform,
    names: list[str],
    *,
    mode: str | None,
    key_bits: int,
    only_known: bool = False,
) -> tuple[Version, ...]:
    """Coefficients where nothing runs."""
    if platform.rig != "fake":
        return versions(platform, names, mode=mode, key_bits=key_bits)
    return tuple(
        Version(
            name,
            1000 + 10 * len(name) + (key_bits if mode is None else 2 * key_bits),
            100 * len(name),
            (Lookup("t", 64 * len(name), 16),),
            stream_bytes=32,
        )
        for name in names
    )


def few(platform: Platform) -> list[Core]:
    """Those that emulation has to run for these questions."""
    able = cores_for(platform)
    return [one for one in able if one.name in FEW] if platform.name == REAL else able


@pytest.fixture(scope="module", autouse=True)
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Platforms whose rows follow from a formula, and one that is emulated, in an empty store."""
    with (
        pretending(tmp_path_factory.mktemp("one"), REAL),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(aesfit.choosing.field, "versions", made_up)
        patch.setattr(aesfit.cachemodel.versions, "cores_for", few)
        patch.setattr(aesfit.report.page, "_plot", lambda _: "")
        yield


@pytest.fixture(scope="module")
def client(world: None) -> Iterator[httpx.Client]:
    with (
        serving() as address,
        httpx.Client(base_url=address, trust_env=False, timeout=None) as client,
    ):
        client.headers[TOKEN_HEADER] = client.get("/api/choices").json()["token"]
        yield client


def test_there_are_forty_questions() -> None:
    assert len(QUESTIONS) >= 40


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize(("platform", "query"), QUESTIONS)
def test_all_four_say_the_same(client: httpx.Client, platform: str, query: Query) -> None:
    python = by_python(platform, query)
    wanted = of_python(python)
    assert wanted.ranking or wanted.dropped
    shown = by_page(client, platform, query)
    assert of_page(shown) == wanted
    assert of_command(by_command(words_of(platform, query))) == wanted
    assert of_report(page.render(python, "")) == wanted
    assert of_command(by_command(shlex.split(shown["command"])[1:])) == wanted


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize(("platform", "query"), QUESTIONS)
def test_the_curve_is_the_figure(client: httpx.Client, platform: str, query: Query) -> None:
    found = by_page(client, platform, query)
    rows = {one["core"]: one["cycles"] for one in (*found["ranking"], *found["dropped"])}
    if found["burst"] is None:
        return
    at = found["curve"]["calls"].index(found["burst"])
    curve = {core: values[at] for core, values in found["curve"]["cores"].items()}
    assert curve == {core: cycles for core, cycles in rows.items() if cycles is not None}
    if query.get("objective", "cycles") == "cycles" and found["winner"]:
        best = next(
            one["core"] for one in found["best"] if one["from"] <= found["burst"] <= one["to"]
        )
        assert best == found["winner"]


@pytest.mark.parametrize(
    ("platform", "query"),
    [("pretend", {"key_changes": 3}), ("pretend-cached", {**OPEN, "burst": 94, "mode": "ctr"})],
)
def test_a_mix_costs_the_mean_of_its_sizes(platform: str, query: Query) -> None:
    mixed = by_python(platform, {**query, "packets": "64:7,1504:1"})
    small, large = (by_python(platform, {**query, "bytes": size}) for size in (64, 1504))
    rows = [{one.name: one.row for one in told.choice.ranking} for told in (small, large)]
    for one in mixed.choice.ranking:
        wanted = (7 * rows[0][one.name].cycles + rows[1][one.name].cycles) / 8
        assert one.row.cycles == pytest.approx(wanted, abs=1), "misses are whole cycles"
        assert one.row.cycles_per_byte == pytest.approx(one.row.cycles / 244)
        assert one.row.flash_bytes == rows[1][one.name].flash_bytes


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--packets", "64:7", "--bytes", "64"], "leave the number of bytes out"),
        (["--packets", "64:7,64:1"], "given twice"),
        (["--packets", "64:0"], "shares above 0"),
        (["--packets", "many"], "is not a packet size"),
        (["--packets", "15:1,16:1", "--mode", "cbc"], "16"),
        (["--packets", "64:7", "--why"], "--why needs messages of one size"),
        (["--packets", "64:7", "--file", __file__], "--file needs messages of one size"),
        (["--packets", "64:7", "--mode", "block"], "need a mode of operation"),
    ],
)
def test_a_mix_that_makes_no_sense_is_one_sentence(words: list[str], told: str) -> None:
    result = CliRunner().invoke(app, ["fit", "--platform", "pretend", *words])
    assert result.exit_code == 2
    assert told in " ".join(result.output.split())
    assert "Traceback" not in result.output


BLOCKS = [
    ("lx-st200", {"burst": 64}),
    ("lx-st200", {"burst": 300, "line": 32, "evicted": 40, "penalty": 9.5}),
    pytest.param(REAL, {"burst": 64, "mode": "block"}, marks=emulated),
    pytest.param(REAL, {"burst": 3, "mode": "block", "cache": 2048, "ways": 2}, marks=emulated),
]


@pytest.mark.parametrize(("platform", "query"), BLOCKS)
def test_predict_agrees_in_bursts_of_the_block_cipher(
    client: httpx.Client, platform: str, query: Query
) -> None:
    found = by_page(client, platform, {**query, "timing": "any"})  # predict ranks by cycles alone
    words = ["predict", "--platform", platform, "--calls-per-burst", "1:4096"]
    options = {**OPTIONS, "evicted": "--evicted"}
    for name in ("cache", "line", "ways", "penalty", "evicted"):
        if name in query:
            words += [options[name], f"{query[name]}{'%' if name == 'evicted' else ''}"]
    drawn = by_command(words)
    at = {one["core"]: one["cycles_per_call"] for one in drawn["curve"]
          if one["calls"] == query["burst"]}  # fmt: skip
    assert {one["core"]: one["cycles"] for one in found["ranking"]} == at
    assert drawn["best"] == found["best"]
    shown = [{key: one[key] for key in ("calls", "from", "to")} for one in found["crossovers"]]
    assert drawn["crossovers"] == shown


@emulated
def test_modes_fill_the_lanes_that_the_block_cipher_alone_leaves_idle(client: httpx.Client) -> None:
    """fixslice works on two blocks at a time, so ECB about halves its cycles and not the others."""

    def times(query: Query) -> float:
        found = {one["core"]: one["cycles"] for one in by_page(client, REAL, query)["ranking"]}
        return float(found["fixslice"] / found["ttable1"])

    assert 0.5 < times(EMULATED[0]) / times({"burst": 64, "mode": "block"}) < 0.65


@emulated
def test_predict_is_near_where_a_message_is_a_burst() -> None:
    """It draws a line through messages of 512 and 1,024 blocks; `fit` measures the message."""
    fitted = of_python(by_python(REAL, EMULATED[1])).ranking
    drawn = by_command(["predict", "--platform", REAL, "--mode", "ecb", "--calls-per-burst", "64"])
    for core, cycles, *_ in fitted:
        (each,) = (one["cycles_per_call"] for one in drawn["curve"] if one["core"] == core)
        assert cycles / 64 == pytest.approx(each, rel=0.002)
