# SPDX-License-Identifier: MIT
"""`aesfit predict --elf`: what it prints, its JSON, and what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from traced_texts import compiled

import aesfit
from aesfit.cli import app
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not

PLATFORM = platform_named("arm920t")
pytestmark = pytest.mark.skipif(why_not(PLATFORM) is not None, reason=str(why_not(PLATFORM)))
SM4 = ("--function", "sm4_by_sbox,sm4_by_table", "--arg", "buf:128", "--arg", "random:16")
CRC = ("--function", "crc_slice8", "--arg", "int:-1", "--arg", "random:256", "--arg", "int:256")


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    names = ("sm4", "crc", "refused")
    folder = tmp_path_factory.mktemp("objects")
    return dict(zip(names, compiled(PLATFORM, folder, *names), strict=True))


def asked(elf: Path, *arguments: str, platform: str = "arm920t") -> Result:
    words = ["predict", "--platform", platform, "--elf", str(elf), *arguments]
    return CliRunner().invoke(app, words)


def test_two_functions_are_compared_in_one_table(objects: dict[str, Path]) -> None:
    """One table of 1 KiB saves cycles and costs lines, so a cache of 512 bytes is not for it."""
    result = asked(objects["sm4"], *SM4, "--arg", "out:16", "--tables", "auto")
    assert result.exit_code == 0, result.output
    told = " ".join(result.stdout.split())
    assert "function E c lines 1 call" in told
    assert "bursts of 1 to " in told
    assert "1024 calls: sm4_by_table" in told
    assert "calls on sm4_by_table takes no longer than sm4_by_sbox" in told
    assert "sm4_sbox (.rodata, at 0x" in told
    small = asked(objects["sm4"], *SM4, "--arg", "out:16", "--cache", "512", "--ways", "4")
    assert "bursts of 1 to 1024 calls: sm4_by_sbox" in small.stdout


def test_json_is_that_of_cores_with_provenance(objects: dict[str, Path]) -> None:
    result = asked(objects["sm4"], *SM4, "--arg", "out:16", "--calls-per-burst", "2:3", "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    cores = ["platform", "line", "miss_penalty", "ways", "cache_bytes", "cores"]
    assert list(found)[4:] == [*cores, "curve", "best", "crossovers", "provenance", "warnings"]
    facts = found["cores"]["sm4_by_sbox"]
    assert (facts["c"], facts["E"] > 500) == (0, True)
    (table,) = facts["tables"]
    assert {**table, "lines": 0} == {"name": "sm4_sbox", "bytes": 256, "lines": 0, "reads": 128}
    assert table["lines"] in (8, 9)
    provenance = found["provenance"]["sm4_by_table"]
    assert "GCC" in provenance["compiler"]
    assert "256 calls of sm4_by_table" in provenance["window"]
    assert found["warnings"] == []
    answer = aesfit.predict(
        "arm920t",
        elf=objects["sm4"],
        function=("sm4_by_sbox", "sm4_by_table"),
        arguments=("buf:128", "random:16", "out:16"),
        calls=(2, 3),
    )
    assert answer.as_json() == {name: found[name] for name in list(found)[4:]}  # after the head
    assert {row["core"] for row in answer.rows} == {"sm4_by_sbox", "sm4_by_table"}


def test_a_picture_of_functions(objects: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "bursts.svg"
    result = asked(objects["crc"], *CRC, "--calls-per-burst", "1:9", "--plot", str(path))
    assert result.exit_code == 0, result.output
    assert b"crc_slice8" in path.read_bytes()


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("crc", (), "name those to compare with --function"),
        ("crc", ("--function", ","), "name at least one"),
        ("crc", ("--function", "crc_slice", *CRC[2:]), "the nearest is 'crc_slice8'"),
        ("crc", (*CRC, "--tables", "none"), "found by --tables auto alone, not none"),
        ("crc", (*CRC, "--core", "ttable1"), "leave --core, --mode, --key-bits"),
        ("crc", (*CRC, "--mode", "cbc"), "leave --core, --mode, --key-bits"),
        ("crc", (*CRC, "--key-bits", "256"), "leave --core, --mode, --key-bits"),
        ("crc", (*CRC, "--packets", "64"), "leave --core, --mode, --key-bits"),
        ("crc", (*CRC, "--key-changes", "1"), "leave --core, --mode, --key-bits"),
        ("crc", (*CRC, "--line", "24"), "a line of 24 bytes is no power of two"),
        ("crc", CRC[:4], "no argument does; give one as random:SIZE"),
        ("crc", ("--function", "crc_slice8", "--arg", "random:0"), "no size in bytes from 1"),
        (
            "crc",
            ("--function", "crc_slice8", "--arg", "chunk:64"),
            "give for example chunk:64:mess",
        ),
        ("crc", ("--function", "crc_slice8", "--arg", "chunk:64:gone"), "there is no file gone"),
        ("crc", ("--function", "crc_slice8", "--arg", "noise:4"), "give random:SIZE, chunk:SIZE"),
    ],
)
def test_wrong_questions(
    name: str, arguments: tuple[str, ...], said: str, objects: dict[str, Path]
) -> None:
    result = asked(objects[name], *arguments)
    assert result.exit_code == 2, result.output
    assert said in " ".join(result.stderr.split())


def test_a_file_shorter_than_two_chunks(objects: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "short").write_bytes(bytes(64))
    source = f"chunk:64:{tmp_path / 'short'}"
    result = asked(objects["crc"], "--function", "crc_slice8", "--arg", source)
    assert result.exit_code == 2
    assert "holds no two chunks of 64 bytes" in " ".join(result.stderr.split())


@pytest.mark.parametrize("option", [("--function", "f"), ("--arg", "int:1"), ("--tables", "auto")])
def test_options_of_a_file_need_one(option: tuple[str, str]) -> None:
    result = CliRunner().invoke(app, ["predict", "--platform", "arm920t", *option])
    assert result.exit_code == 2
    assert "give --elf too" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("platform", "said"),
    [("lx-st200", "has no timing model"), ("cortex-m3", "give --cache, --line, --ways")],
)
def test_platforms_that_cannot(platform: str, said: str, objects: dict[str, Path]) -> None:
    result = asked(objects["crc"], *CRC, platform=platform)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_code_that_is_not_covered_fails(objects: dict[str, Path]) -> None:
    """The question makes sense, and there is no answer."""
    result = asked(objects["refused"], "--function", "scan", "--arg", "random:16")
    assert result.exit_code == 1
    assert "reads of the table crc_words" in str(result.exception)


def test_a_call_that_does_not_end_fails(objects: dict[str, Path]) -> None:
    result = asked(objects["crc"], *CRC[:4], "--arg", "random:8", "--arg", "int:-1")
    assert result.exit_code == 1
    assert "crc_slice8" in str(result.exception)


def test_count_takes_no_random_input(objects: dict[str, Path]) -> None:
    words = ["count", "--platform", "arm920t", "--elf", str(objects["crc"]), *CRC]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "'random:256' is not an argument; give int:N" in " ".join(result.stderr.split())
