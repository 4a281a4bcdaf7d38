# SPDX-License-Identifier: MIT
"""`aesfit fit`: what it prints and writes, its exit codes; on a rig that computes its figures."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import fakes
import pytest
from click.testing import CliRunner, Result
from stores import own_rows

import aesfit
from aesfit.catalog import MODES
from aesfit.cli import app
from aesfit.jobs.abilities import lacks
from aesfit.platforms.find import platform_named
from aesfit.rigs import rig_of

ROW_KEYS = {
    "ghash",
    "platform",
    "core",
    "key_bits",
    "op",
    "mode",
    "bytes",
    "cycles",
    "cycles_per_byte",
    "cycles_min",
    "cycles_max",
    "proved",
    "unproved",
    "instructions",
    "code_bytes",
    "table_bytes",
    "round_key_bytes",
    "context_bytes",
    "stack_bytes",
    "timing",
    "evidence",
    "provenance",
    "rank",
    "flash_bytes",
    "ram_bytes",
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))


@pytest.fixture
def pretend(tmp_path: Path) -> str:
    """A Cortex-M3 with a clock, whose figures follow from a formula."""
    return fakes.pretend(tmp_path)


def fit(platform: str, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["fit", "--platform", platform, *arguments])


def fit_json(platform: str, *arguments: str) -> dict[str, Any]:
    result = fit(platform, *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    told: dict[str, Any] = json.loads(result.stdout)
    return told


def test_ranks_every_core_that_the_platform_can_run(pretend: str) -> None:
    told = fit_json(pretend)
    ranked = told["ranking"]
    m3 = platform_named("cortex-m3")  # whose instruction set it has
    able = [core for core in aesfit.cores() if not lacks(core, m3)]
    assert {row["core"] for row in ranked} == {core.name for core in able if not core.study}
    every = {row["core"] for row in fit_json(pretend, "--core", "all")["ranking"]}
    assert every == {core.name for core in able}
    assert any(core.study for core in able)
    assert [row["rank"] for row in ranked] == list(range(1, len(ranked) + 1))
    kinds = [row["evidence"] != "proved" for row in ranked]
    costs = [row["cycles"] for row in ranked]
    assert list(zip(kinds, costs, strict=True)) == sorted(zip(kinds, costs, strict=True))
    assert all(set(row) == ROW_KEYS for row in ranked)
    assert told["winner"] == ranked[0]
    assert told["sentence"].startswith(f"Take {ranked[0]['core']} on ")
    assert (told["keeps_up"], told["needed_clock_hz"], told["dropped"]) == (None, None, [])


def test_options_reach_the_chooser(pretend: str) -> None:
    told = fit_json(
        pretend,
        *("--mode", "gcm", "--bytes", "64", "--key-bits", "256", "--max-flash", "2K"),
        *("--max-ram", "400", "--key-changes", "1", "--objective", "flash", "--clock", "8MHz"),
        *("--rate", "1kbit/s", "--core", "fixslice,ttable4", "--core", "compact"),
    )
    winner = told["winner"]
    assert (winner["mode"], winner["bytes"], winner["key_bits"]) == ("gcm", 64, 256)
    assert winner["op"] == "message"
    assert winner["flash_bytes"] <= 2048
    assert {row["core"] for row in told["ranking"]} | {one["core"] for one in told["dropped"]} == {
        "fixslice",
        "ttable4",
        "compact",
    }
    assert told["keeps_up"] is True
    assert told["needed_clock_hz"] == pytest.approx(winner["cycles"] * 1000 / 512)
    assert "8 MHz" in told["sentence"]


@pytest.mark.parametrize("mode", MODES)
def test_every_mode(pretend: str, mode: str) -> None:
    told = fit_json(pretend, "--mode", mode, "--bytes", "64", "--core", "compact")
    assert told["winner"]["mode"] == mode


@pytest.mark.parametrize(
    ("option", "kept"),
    [
        ("proved", {("independent", "proved")}),
        ("independent", {("independent", "proved")}),
        ("any", {("independent", "proved"), ("independent here", "4 runs")}),
    ],
)
def test_timing_has_three_values(pretend: str, option: str, kept: set[tuple[str, str]]) -> None:
    told = fit_json(pretend, "--timing", option)
    assert {(row["timing"], row["evidence"]) for row in told["ranking"]} == kept
    best = min(told["ranking"], key=lambda row: row["cycles"])
    assert told["winner"]["core"] == best["core"]


def test_by_default_a_proved_core_leads_and_the_trade_is_named(pretend: str) -> None:
    cores = ("--core", "fixslice,bytewise_unrolled")
    told = fit_json(pretend, *cores)
    assert (told["winner"]["timing"], told["winner"]["evidence"]) == ("independent", "proved")
    assert told["ranking"][-1]["timing"] == "independent here"
    assert told["trade"]["cycles"] < told["winner"]["cycles"]
    assert f"Nobody can time you? {told['trade']['core']} takes " in fit(pretend, *cores).stdout
    assert fit_json(pretend, *cores, "--timing", "any")["winner"]["core"] == told["trade"]["core"]


def test_flags_can_be_searched(pretend: str) -> None:
    result = fit(pretend, "--flags", "search", "--core", "compact")
    assert result.exit_code == 0
    assert re.search(r"^ *1  compact .* -O", result.stdout, re.MULTILINE)


def test_prints_a_table_no_wider_than_110(pretend: str) -> None:
    result = fit(pretend, "--max-flash", "4K", "--all")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    head = next(
        number for number, line in enumerate(lines) if line.split()[:2] == ["core", "cycles"]
    )
    dropped = next(n for n, line in enumerate(lines) if line.startswith("dropped"))
    table = lines[head:dropped]
    assert all(len(line) <= 110 for line in table)
    told = fit_json(pretend, "--max-flash", "4K")
    assert len(table) == 1 + len(told["ranking"])
    for line, row in zip(table[1:], told["ranking"], strict=True):
        assert row["core"] in line.split()
        assert f"{row['flash_bytes']:,}" in line.split()
        assert ("*" in line) == (row["core"] in told["pareto"])
    assert "above the limit of 4,096" in result.stdout
    assert any(line.startswith(f"Take {told['winner']['core']}: ") for line in lines[:head])


def test_cores_that_are_beaten_in_everything_are_counted(pretend: str) -> None:
    """The first three are shown whatever they cost; timing is of what is compared."""
    ranking = fit_json(pretend)["ranking"]
    kinds = ("independent", "independent here", "depends on the key")

    def costs(row: dict[str, Any]) -> tuple[float, ...]:
        sizes = row["cycles"], row["flash_bytes"], row["ram_bytes"]
        proved = row["evidence"] != "proved"
        return (*sizes, kinds.index(row["timing"]), proved)

    beaten = {
        row["core"]
        for row in ranking[3:]
        if any(
            costs(other) != costs(row)
            and all(a <= b for a, b in zip(costs(other), costs(row), strict=True))
            for other in ranking
        )
    }
    assert beaten
    lines = fit(pretend).stdout.splitlines()
    shown = {line.split()[1] for line in lines if re.match(r" *\d+  \w+ ", line)}
    assert not shown & beaten
    hidden = len(ranking) - len(shown)
    assert f"{hidden} more, each no better in anything than one of these: --all" in lines


def test_says_what_a_file_costs(pretend: str, tmp_path: Path) -> None:
    (tmp_path / "sample.bin").write_bytes(bytes(5000))
    result = fit(pretend, "--core", "compact", "--file", str(tmp_path / "sample.bin"))
    # The fake rig's formula: 700 + 93 a byte + 128.
    cycles = 3 * (828 + 93 * 1504) + 828 + 93 * 488
    assert (
        f"sample.bin: 3 messages of 1504 bytes and one of 488: {cycles:,} cycles" in result.stdout
    )


def test_impossible_request_says_what_the_nearest_needs(pretend: str) -> None:
    result = fit(pretend, "--max-flash", "200")
    assert result.exit_code == 1
    assert re.search(r"the nearest, \w+, needs [\d,]+ bytes of flash", result.stderr)
    quiet = fit(pretend, "--max-flash", "200", "--json")
    assert quiet.exit_code == 1
    assert json.loads(quiet.stdout)["winner"] is None


def test_writes_plots_and_a_page(pretend: str, tmp_path: Path) -> None:
    png, svg, html = (tmp_path / f"fit.{kind}" for kind in ("png", "svg", "html"))
    done = fit(pretend, "--plot", str(png), "--html", str(html), "--max-flash", "4K")
    assert done.exit_code == 0, done.stderr
    assert fit(pretend, "--plot", str(svg)).exit_code == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "<svg" in svg.read_text(encoding="utf-8")
    page = html.read_text(encoding="utf-8")
    assert f"aesfit fit --platform {pretend} --max-flash 4K</pre>" in page
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"fit.png", "fit.svg", "fit.html", "pretend.toml", "cache"}


@pytest.mark.parametrize(
    "words",
    [
        "--flash-wait 0",
        "--mode gcm --ghash mul32 --tables ram --encrypt-only",
        "--core fixslice --core compact --key-changes 1 --timing proved",
        "--core fixslice --core compact --clock 8MHz --timing any",
    ],
)
def test_a_page_shows_the_command_that_asks_again(pretend: str, tmp_path: Path, words: str) -> None:
    """Also where an option is given that is zero, or a list."""
    html = tmp_path / "fit.html"
    done = fit(pretend, *words.split(), "--html", str(html), "--fresh")
    assert done.exit_code == 0, done.stderr
    found = re.search(r"aesfit (fit .*)</pre>", html.read_text(encoding="utf-8"))
    assert found
    again = CliRunner().invoke(app, [*shlex.split(found[1]), "--json"])
    assert json.loads(again.stdout) == fit_json(pretend, *words.split())
    assert sorted(shlex.split(found[1])) == sorted(["fit", "--platform", pretend, *words.split()])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--mode", "ccmm"], "there is no mode 'ccmm'; the nearest is 'ccm'"),
        (["--core", "fixslise"], "there is no core 'fixslise'; the nearest is 'fixslice'"),
        (["--core", "aesni"], "core 'aesni' needs"),
        (["--key-bits", "100"], "CCM takes keys of 128 or 192 or 256 bits, not 100"),
        (["--mode", "xts", "--key-bits", "192"], "XTS takes keys of 128 or 256 bits, not 192"),
        (["--bytes", "0"], "--bytes"),
        (["--bytes", "many"], "'many' is not a size in bytes"),
        (["--bytes", "70000"], "CCM takes 0 to 65535 bytes, not 70000"),
        (["--mode", "cbc", "--bytes", "100"], "in steps of 16, not 100"),
        (["--mode", "xts", "--bytes", "15"], "XTS takes 16 to"),
        (["--max-flash", "4Q"], "'4Q' is not a size in bytes, such as 4096, 4K, 4KiB or 1M"),
        (["--max-ram", "lots"], "'lots' is not a size in bytes"),
        (["--clock", "72MB"], "'72MB' is not a clock, such as 72MHz"),
        (["--clock", "72"], "'72' has no unit; write 72MHz, or 72Hz"),
        (["--bytes", "1Q"], "'1Q' is not a size in bytes"),
        (["--bytes", "0"], "'0' is not a payload; give 1 byte or more"),
        (["--flags=-O9"], "'-O9' is not a level of optimisation; choose -O"),
        (["--rate", "54MHz"], "'54MHz' is not a rate, such as 54Mbit/s"),
        (["--key-changes", "0"], "'0' is neither 'never' nor a number of messages"),
        (["--objective", "speed"], "'speed' is not one of cycles, flash, ram"),
        (["--mode", "gcm", "--ghash", "shift31"], "no GHASH multiplier 'shift31'; the nearest"),
        (["--timing", "here"], "'here' is not one of proved, independent, any"),
        (["--buffers", "off"], "buffers are set as usual or reset or uniform, not 'off'"),
        (["--buffers", "reset"], "has no flash whose buffers can be set; leave --buffers out, or"),
        (["--clock", "sweep"], "has no wait states by clock; name a chip"),
        (
            ["--tables", "rom"],
            "Invalid value for --tables: on pretend there is no memory 'rom'; the nearest is 'ram'",
        ),
        (["--plot", "fit.pdf"], "'fit.pdf' must end in .png or .svg"),
        (["--html", "fit.txt"], "'fit.txt' must end in .html"),
        (["--html", "/nonexistent/fit.html"], "there is no folder '/nonexistent'"),
        (["--file", "/nonexistent"], "does not exist"),
        (["--file", "/dev/null"], "the file is 0 bytes, too few for ccm"),
    ],
)
def test_usage_errors(pretend: str, arguments: list[str], sentence: str) -> None:
    result = fit(pretend, *arguments)
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_one_platform_at_a_time(pretend: str) -> None:
    result = fit(f"{pretend},{pretend}x")
    assert result.exit_code == 2


def needs_rig(name: str) -> None:
    platform = platform_named(name)
    reason = rig_of(platform).why_not(platform)
    if reason:
        pytest.skip(reason)


def test_lanes_do_not_help_where_blocks_wait_for_each_other() -> None:
    """fixslice works on two blocks at once, of which CBC encryption can use one."""
    needs_rig("cortex-m3")
    options = ("--core", "fixslice", "--bytes", "128", "--encrypt-only")
    serial = fit_json("cortex-m3", "--mode", "cbc", *options)["winner"]
    parallel = fit_json("cortex-m3", "--mode", "ecb", *options)["winner"]
    assert serial["cycles"] > 1.7 * parallel["cycles"]


def test_the_last_message_of_a_file_is_measured_at_its_length(tmp_path: Path) -> None:
    needs_rig("cortex-m3")
    (tmp_path / "sample.bin").write_bytes(bytes(100))
    options = ("--mode", "ctr", "--core", "ttable1", "--encrypt-only")
    result = fit("cortex-m3", *options, "--bytes", "64", "--file", str(tmp_path / "sample.bin"))
    full = fit_json("cortex-m3", *options, "--bytes", "64")["winner"]["cycles"]
    last = fit_json("cortex-m3", *options, "--bytes", "36")["winner"]["cycles"]
    told = f"sample.bin: 1 message of 64 bytes and one of 36: {full + last:,} cycles"
    assert told in result.stdout


def test_this_computer() -> None:
    needs_rig("x86-64")
    told = fit_json("x86-64", "--core", "fixslice,transposed", "--bytes", "256")
    assert {row["core"] for row in told["ranking"]} == {"fixslice", "transposed"}
    for row in told["ranking"]:
        assert row["cycles"] > 0
        assert "; median " in row["provenance"]["clock"]


BURSTS = ("--calls-per-burst", "4")


def test_published_coefficients_are_answered(tmp_path: Path) -> None:
    """With pictures and pages that call sizes by their names."""
    html, picture = tmp_path / "lx.html", tmp_path / "lx.svg"
    result = fit("lx-st200", *BURSTS, "--html", str(html), "--plot", str(picture))
    assert result.exit_code == 0, result.output
    assert "bytes of tables, 176 of round keys" in result.stdout
    assert "round keys</button>" in html.read_text(encoding="utf-8")
    assert "flash: code" not in picture.read_text(encoding="utf-8")
