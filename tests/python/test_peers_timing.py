# SPDX-License-Identifier: MIT
"""Other libraries' timing by examination: what is found in made-up objects, file and page."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from places import ROOT
from scripts import loaded

import aesfit
from aesfit.building.build import FIRMWARE
from aesfit.counting.own_image import ported_image
from aesfit.extras import PROOFS, missing
from aesfit.platforms.find import platform_named

PORT = Path(__file__).with_name("timed_port.c")
ENTRY = """
[[port]]
library = "made-up"
version = "1.0"
source = "nowhere"
configuration = "default"
flags = "-O2"
platform = "{platform}"
mode = "{mode}"
objects = ["port.o"]
"""
TOOLS = ("measure_peers", "make_peers_page", "peers_timing_table")
COMPILERS = ("arm-none-eabi-gcc", "riscv64-unknown-elf-gcc")
LACKING = missing("the prover", PROOFS) or next((c for c in COMPILERS if not shutil.which(c)), None)
PORTS = os.environ.get("AESFIT_PEERS")
"""A file that lists objects of the libraries that the CSV has."""
needs_prover = pytest.mark.skipif(LACKING is not None, reason=str(LACKING))


@pytest.fixture(scope="module")
def tools() -> Iterator[dict[str, ModuleType]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tools")
        yield {name: loaded(ROOT / "tools" / f"{name}.py") for name in TOOLS}


@pytest.fixture
def measure(tools: dict[str, ModuleType]) -> ModuleType:
    return tools["measure_peers"]


def listing(
    folder: Path, setup: str, block: str, platform: str = "cortex-m3", mode: str = "block"
) -> Path:
    """A file of ports with a compiled one beside it."""
    compiler = platform_named(platform).compiler
    flags = ["-O2", "-ffreestanding", f"-I{FIRMWARE}", f"-DSETUP={setup}", f"-DBLOCK={block}"]
    command = [compiler.command, *compiler.target, *flags, "-c", str(PORT), "-o"]
    subprocess.run([*command, str(folder / "port.o")], check=True)
    file = folder / "ports.toml"
    file.write_text(ENTRY.format(platform=platform, mode=mode))
    return file


def test_page_and_file_name_the_same_builds(measure: ModuleType) -> None:
    examined = measure.read_timing(measure.timing_beside(measure.CSV))
    measured = {(row.platform, row.mode, *row.build) for row in measure.read()}
    assert {(row.platform, row.mode, *row.build) for row in examined} <= measured


def verdicts(measure: ModuleType, file: Path) -> list[tuple[str, str, int]]:
    (entry,) = measure.listed(file)
    return [(row.op, row.verdict, row.places) for row in measure.examined_rows(entry)]


@needs_prover
@pytest.mark.parametrize("platform", ["cortex-m3", "rv32im-e31"])
@pytest.mark.parametrize(
    ("setup", "block", "found"),
    [
        ("plain", "plain", [("independent", 0), ("independent", 0)]),
        ("shared", "plain", [("depends", 1), ("independent", 0)]),
        ("plain", "shared", [("independent", 0), ("depends", 1)]),
        ("shared", "shared", [("depends", 1), ("depends", 1)]),
        ("plain", "beyond", [("independent", 0), ("not shown", 0)]),
        ("beyond", "shared", [("not shown", 0), ("not shown", 0)]),
    ],
)
def test_set_up_and_block_are_judged_apart(
    measure: ModuleType,
    tmp_path: Path,
    platform: str,
    setup: str,
    block: str,
    found: list[tuple[str, int]],
) -> None:
    told = verdicts(measure, listing(tmp_path, setup, block, platform))
    ops = ("key-setup-encrypt", "encrypt-block")
    assert told == [(op, *one) for op, one in zip(ops, found, strict=True)]


@needs_prover
def test_key_and_text_of_a_message_are_secret_and_its_nonce_is_not(
    measure: ModuleType, tmp_path: Path
) -> None:
    told = verdicts(measure, listing(tmp_path, "plain", "plain", mode="ccm"))
    assert told == [("key-setup", "independent", 0), ("encrypt", "independent", 0)]
    text = "table[in[i]] ^ plain"
    told = verdicts(measure, listing(tmp_path, "plain", text, mode="ccm"))
    assert told == [("key-setup", "independent", 0), ("encrypt", "depends", 1)]


@needs_prover
@pytest.mark.parametrize("block", ["plain", "shared"])
def test_a_block_is_judged_as_the_function_is(
    measure: ModuleType, tmp_path: Path, block: str
) -> None:
    (entry,) = measure.listed(listing(tmp_path, "plain", block))
    row = measure.examined_rows(entry)[-1]
    from peers_timing import job_of

    image = ported_image(job_of(entry), entry.objects)
    alone = aesfit.prove_function(
        "cortex-m3",
        elf=image.elf,
        function="rig_encrypt_block",
        arguments=["struct(secret:16,2)", "out:16", "secret:16", 1],
    )
    assert (row.verdict, row.places) == (alone.verdict, len(alone.findings))
    assert row.image_sha256 == image.sha256 == alone.image_sha256


@needs_prover
def test_timing_alone_is_written_beside_what_was_measured(
    measure: ModuleType, tmp_path: Path
) -> None:
    output = tmp_path / "peers.csv"
    for platform, block in (
        ("cortex-m3", "plain"),
        ("rv32im-e31", "plain"),
        ("cortex-m3", "shared"),
    ):
        file = listing(tmp_path, "plain", block, platform)
        assert measure.main([str(file), "--timing", "--output", str(output)]) == 0
    assert not output.exists()
    rows = measure.read_timing(tmp_path / "peers_timing.csv")
    assert [(row.platform, row.op, row.verdict) for row in rows] == [
        ("cortex-m3", "encrypt-block", "depends"),
        ("cortex-m3", "key-setup-encrypt", "independent"),
        ("rv32im-e31", "encrypt-block", "independent"),
        ("rv32im-e31", "key-setup-encrypt", "independent"),
    ]


def test_the_rows_of_timing_are_read_as_they_were_written(
    measure: ModuleType, tmp_path: Path
) -> None:
    path = measure.timing_beside(measure.CSV)
    rows = measure.read_timing(path)
    measure.write_timing(reversed(rows), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == path.read_bytes()
    assert all((row.verdict == "depends") == (row.places > 0) for row in rows)
    assert {row.followed for row in rows if row.verdict == "independent"} == {"all"}
    assert {row.followed for row in rows if row.verdict == "not shown"} <= {"part"}
    path = tmp_path / "peers.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="has other columns than platform"):
        measure.read_timing(path)


BUILD = {
    "platform": "cortex-m3",
    "mode": "block",
    "op": "encrypt-block",
    "library": "made-up",
    "version": "1.0",
    "configuration": "default",
    "flags": "-O2",
    "image_sha256": "1",
}


def row(measure: ModuleType, **values: Any) -> Any:  # noqa: ANN401 - a TimingRow of the tool
    found = {"verdict": "independent", "places": 0, "followed": "all", "seconds": 1.0}
    return measure.TimingRow(**(BUILD | found | values))


def peer(measure: ModuleType, **values: str) -> Any:  # noqa: ANN401 - a PeerRow of the tool
    known = next(one for one in measure.read() if one.library != measure.OURS)
    return type(known)(**(vars(known) | BUILD | {"timing": "independent"} | values))


def cells(tools: dict[str, ModuleType], peers: list[Any], timing: list[Any]) -> list[str]:
    """The last line's verdicts: of the key set-up, and of the block."""
    table = tools["peers_timing_table"].timing_table(peers, timing)
    assert table.startswith("| library | build | key set-up | one block |\n|---|---|---|---|\n")
    return [one.strip() for one in table.splitlines()[-1].split("|")[3:-1]]


def test_a_build_without_an_examination_was_not_tried(
    measure: ModuleType, tools: dict[str, ModuleType]
) -> None:
    assert cells(tools, [peer(measure)], []) == ["not tried", "not tried"]
    assert cells(tools, [peer(measure)], [row(measure)]) == ["not tried", "independent"]
    other = row(measure, version="0.9")
    assert cells(tools, [peer(measure)], [other]) == ["not tried", "not tried"]


def test_places_are_a_range_and_other_verdicts_name_their_processor(
    measure: ModuleType, tools: dict[str, ModuleType]
) -> None:
    peers = [peer(measure), peer(measure, flags="-O3"), peer(measure, platform="cortex-m4")]
    found = [
        row(measure, verdict="depends", places=1),
        row(measure, verdict="depends", places=64, flags="-O3"),
        row(measure, verdict="depends", places=1, platform="cortex-m4"),
    ]
    assert cells(tools, peers[:1], found)[1] == "depends (1 place)"
    assert cells(tools, peers, found)[1] == "depends (1 to 64 places)"
    found[1] = row(measure, flags="-O3")
    assert cells(tools, peers, found)[1] == (
        "depends (1 place) on Cortex-M3 with `-O2`, Cortex-M4; independent on Cortex-M3 with `-O3`"
    )
    assert cells(tools, peers, found[:2])[1].endswith("; not tried on Cortex-M4")


def test_what_examination_and_runs_differ_in_is_told(
    measure: ModuleType, tools: dict[str, ModuleType]
) -> None:
    told = tools["peers_timing_table"].timing_told
    text = told([peer(measure)], [row(measure)])
    assert (
        "1 rows of `bench/peers.csv`, all but decryption, that four runs call constant-time, "
        "the examination" in text
    )
    assert (
        "calls all independent.\n1 of 1 images are byte for byte those that were counted.\n" in text
    )
    found = row(measure, verdict="depends", places=2, followed="part", image_sha256="2")
    text = told([peer(measure)], [found])
    assert "calls 0 independent, but not: made-up, default, -O2, Cortex-M3.\n" in text
    assert "Followed in part, so that their places may be others: made-up, default, -O2" in text
    assert "0 of 1 images are byte for byte those that were counted; the others were" in text


@pytest.mark.slow
@needs_prover
@pytest.mark.skipif(PORTS is None, reason="AESFIT_PEERS names no listing of compiled libraries")
@pytest.mark.parametrize("platform", ["cortex-m0plus", "cortex-m3", "cortex-m4", "rv32im-e31"])
def test_libraries_examined_again_are_as_the_csv_says(measure: ModuleType, platform: str) -> None:
    known = {
        (one.image_sha256, one.op): (one.verdict, one.places)
        for one in measure.read_timing(measure.timing_beside(measure.CSV))
    }
    entries = [one for one in measure.listed(Path(str(PORTS))) if one.platform == platform]
    assert entries
    for entry in entries:
        again = {(row.image_sha256, row.op): row for row in measure.examined_rows(entry)}
        assert again.keys() <= known.keys(), f"examine all again: {entry.port.title}"
        assert {at: (row.verdict, row.places) for at, row in again.items()} == {
            at: known[at] for at in again
        }
