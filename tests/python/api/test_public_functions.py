# SPDX-License-Identifier: MIT
"""aesfit.fit, measure, count, predict, emit, prove: what the verbs print, flat rows, names."""

import csv
import inspect
import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any, Protocol

import pytest
from click.testing import CliRunner, Result
from fakes import pretend
from places import ROOT
from stores import own_rows

import aesfit
from aesfit.choosing.answer import Answer
from aesfit.choosing.ranking import Dropped
from aesfit.cli import app
from aesfit.jobs.abilities import lacks
from aesfit.platforms.find import platform_named
from aesfit.rigs import why_not

NAMES = ("count", "emit", "fit", "measure", "predict", "prove")
LACKING = why_not(platform_named("cortex-m3"))
emulated = pytest.mark.skipif(LACKING is not None, reason=str(LACKING))


class Answered(Protocol):
    """What each of the functions returns."""

    @property
    def rows(self) -> Sequence[Any]: ...

    def as_json(self) -> Any: ...  # noqa: ANN401 - plain values


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of the test's own, and a folder with a platform whose figures are a formula's."""
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))
    pretend(tmp_path)
    monkeypatch.chdir(tmp_path)


def run(command: str) -> Result:
    """A command; it may find that nothing keeps to the limits."""
    result = CliRunner().invoke(app, shlex.split(command)[1:])
    assert result.exit_code in (0, 1), result.output
    return result


def add() -> Path:
    """An object with a function of one's own."""
    Path("add.c").write_text(
        "int add(int a, const unsigned char *b, unsigned char *c) { c[0] = 7; return a + b[1]; }\n"
    )
    compiler = platform_named("cortex-m3").compiler
    words = [compiler.command, *compiler.target, "-O2", "-c", "add.c"]
    subprocess.run(words, check=True)
    return Path("add.o")


PRETEND = "pretend.toml"
ADDED: tuple[int | bytes | str, ...] = (5, b"\1\2", "out:4")
SAME = [
    (lambda: aesfit.fit(PRETEND), "aesfit fit --platform pretend.toml"),
    (
        lambda: aesfit.fit(
            platform_named(PRETEND),
            mode="gcm",
            payload_bytes=64,
            key_bits=256,
            encrypt_only=True,
            messages_per_key=3,
            max_flash_bytes=4096,
            max_ram_bytes=700,
            timing="proved",
            objective="flash",
            clock_hz=8e6,
            rate_bit_per_s=1000.0,
            ghash="mul32",
            cores=["fixslice", "ttable4", "compact"],
            flags="-O2 -funroll-loops",
            flash_wait=0,
            tables="ram",
        ),
        "aesfit fit --platform pretend.toml --mode gcm --bytes 64 --key-bits 256 --encrypt-only "
        "--key-changes 3 --max-flash 4K "
        "--max-ram 700 --timing proved --objective flash --clock 8MHz --rate 1kbit/s --ghash mul32 "
        "--core fixslice,ttable4,compact --flags='-O2 -funroll-loops' --flash-wait 0 --tables ram",
    ),
    (
        lambda: aesfit.fit(PRETEND, flags="search", cores="compact"),
        "aesfit fit --platform pretend.toml --flags search --core compact",
    ),
    (
        lambda: aesfit.fit(PRETEND, max_flash_bytes=1),
        "aesfit fit --platform pretend.toml --max-flash 1",
    ),
    (
        lambda: aesfit.fit(
            "lx-st200",
            calls_per_burst=100,
            evicted=0.25,
            cache_bytes=1024,
            ways=1,
            line_bytes=32,
            miss_penalty=0,
            explain=True,
        ),
        "aesfit fit --platform lx-st200 --calls-per-burst 100 --evicted 25% "
        "--cache 1K --ways 1 --line 32 --miss-penalty 0 --explain",
    ),
    (lambda: aesfit.measure(PRETEND), "aesfit measure --platform pretend.toml"),
    (
        lambda: aesfit.measure(
            [Path(PRETEND)],
            cores=("ttable1", "compact"),
            key_bits=(128, 256),
            ops="key-setup,encrypt",
            mode="gcm",
            payload_bytes=100,
            ghash="mul32",
            flags=["-O2"],
            tables="ram",
        ),
        "aesfit measure --platform pretend.toml --core ttable1,compact --key-bits 128,256 "
        "--op key-setup,encrypt --mode gcm --bytes 100 --ghash mul32 --flags=-O2 --tables ram",
    ),
    (lambda: aesfit.predict("lx-st200"), "aesfit predict --platform lx-st200"),
    (
        lambda: aesfit.predict(
            "lx-st200",
            cores="transposed,ttable1",
            mode="ccm",
            calls=(2, 40),
            evicted=0.5,
            packets={64: 7, 1504: 1},
            messages_per_key=None,
            cache_bytes=4096,
            ways=2,
            line_bytes=16,
            miss_penalty=12.5,
            replacement="fifo",
            instruction_cache_bytes=8192,
        ),
        "aesfit predict --platform lx-st200 --core transposed,ttable1 --mode ccm "
        "--calls-per-burst 2:40 --evicted 50% --packets 64:7,1504:1 --key-changes never "
        "--cache 4K --ways 2 --line 16 --miss-penalty 12.5 "
        "--replacement fifo --icache 8K",
    ),
    (
        lambda: aesfit.emit("compact", mode="ccm", force=True),
        "aesfit emit --core compact --mode ccm --force",
    ),
    (
        lambda: aesfit.emit(
            "ttable1",
            mode=("cbc-pkcs7", "gcm"),
            platform=PRETEND,
            key_bits=(256, 128),
            prefix="radio",
            ghash="mul32",
            self_test=False,
            all_functions=True,
            payload_bytes=64,
            folder="made",
            force=True,
        ),
        "aesfit emit --platform pretend.toml --force --core ttable1 --mode cbc-pkcs7,gcm "
        "--key-bits 128,256 --prefix radio --ghash mul32 --no-self-test "
        "--all-functions --bytes 64 -o made",
    ),
    pytest.param(
        lambda: aesfit.count("cortex-m3", elf=add(), function="add", arguments=ADDED, repeat=2),
        "aesfit count --platform cortex-m3 --elf add.o --function add --arg int:5 "
        "--arg hex:0102 --arg out:4 --repeat 2",
        marks=emulated,
    ),
]


HEAD = ("schema", "version", "question", "limits")


@pytest.mark.few(one_in=3)
@pytest.mark.parametrize(("ask", "command"), SAME)
def test_the_verb_prints_the_same(ask: Callable[[], Answered], command: str) -> None:
    answer = ask()
    written = {path: path.read_bytes() for path in Path().rglob("*.[ch]")}
    shown = json.loads(run(f"{command} --json").stdout)
    expected = json.loads(json.dumps(answer.as_json()))
    if isinstance(expected, dict):  # the verb puts its head before what has keys
        expected = {**{name: shown[name] for name in HEAD}, **expected}
    assert json.dumps(shown) == json.dumps(expected)
    assert {path: path.read_bytes() for path in Path().rglob("*.[ch]")} == written


def frame(rows: Sequence[Any]) -> dict[str, list[Any]]:
    """Columns, as pandas.DataFrame makes them of a sequence of mappings."""
    assert isinstance(rows, tuple)
    assert all(isinstance(row, dict) for row in rows)
    assert {tuple(row) for row in rows} <= {tuple(rows[0])}
    for row in rows:
        assert all(value is None or isinstance(value, str | int | float) for value in row.values())
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_rows_of_fit_hold_every_core() -> None:
    table = frame(aesfit.fit(PRETEND, max_flash_bytes=2000).rows)
    m3 = platform_named("cortex-m3")  # whose instruction set it has
    able = sorted(one.name for one in aesfit.cores() if not lacks(one, m3) and not one.study)
    assert sorted(table["core"]) == able
    every = aesfit.fit(PRETEND, max_flash_bytes=2000, cores="all").rows
    assert {"compact", *able} < {str(row["core"]) for row in every}
    ranked = [rank for rank in table["rank"] if rank is not None]
    assert 0 < len(ranked) < len(table["rank"])
    assert ranked == list(range(1, len(ranked) + 1))
    for rank, reason, flash in zip(
        table["rank"], table["dropped"], table["flash_bytes"], strict=True
    ):
        assert (rank is None) == (reason is not None) == (flash > 2000)


def test_rows_of_a_core_that_cannot_be_measured_have_the_same_columns() -> None:
    """`mobile` is not published for the Lx."""
    table = frame(aesfit.fit("lx-st200", calls_per_burst=9, cores="ttable1,transposed").rows)
    refused = Answer(replace(aesfit.fit(PRETEND, cores="compact").choice, dropped=(
        Dropped("mobile", "it is too loud", None),
    )), "", "").rows  # fmt: skip
    assert list(frame(refused)) == list(table)
    assert (refused[1]["core"], refused[1]["dropped"]) == ("mobile", "it is too loud")


def test_rows_of_measure_are_those_of_the_csv() -> None:
    answer = aesfit.measure(PRETEND, cores="compact")
    assert run(f"aesfit measure --platform {PRETEND} --core compact -o rows.csv").exit_code == 0
    found = list(csv.DictReader(io.StringIO(Path("rows.csv").read_text(encoding="utf-8"))))
    table = frame(answer.rows)
    assert list(found[0]) == list(table)
    assert [row["cycles"] for row in found] == [str(cycles) for cycles in table["cycles"]]
    assert answer.refused == ()


def test_rows_of_predict_have_each_core_and_length() -> None:
    answer = aesfit.predict("lx-st200", calls=(40, 50), line_bytes=16)
    table = frame(answer.rows)
    assert len(table["core"]) == 11 * len(answer.per_call)
    best = [row for row in answer.rows if row["best"]]
    assert [row["calls"] for row in best] == list(range(40, 51))
    for row in best:
        times = [one["cycles_per_call"] for one in answer.rows if one["calls"] == row["calls"]]
        assert row["cycles_per_call"] == pytest.approx(min(times))


def test_rows_of_emit_and_count() -> None:
    assert aesfit.emit("compact", mode="ctr").rows == ()
    measured = aesfit.emit("compact", mode="ctr", platform=PRETEND, prefix="radio").rows
    assert frame(measured)["op"] == ["key-setup", "encrypt", "decrypt"]
    if LACKING is None:
        (row,) = aesfit.count("cortex-m3", elf=add(), function="add", arguments=ADDED).rows
        frame((row,))
        assert row["result"] == 7


def test_answers_are_frozen() -> None:
    answers = (
        aesfit.fit(PRETEND, cores="compact"),
        aesfit.measure(PRETEND, cores="compact"),
        aesfit.predict("lx-st200", calls=1),
        aesfit.emit("compact", mode="ctr"),
    )
    for answer in answers:
        with pytest.raises(FrozenInstanceError):
            answer.question = None  # type: ignore


def test_the_exported_names_are_the_public_ones() -> None:
    code = "import aesfit, json; print(json.dumps([dir(aesfit), aesfit.__all__]))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    shown, exported = json.loads(told)
    assert set(exported) <= set(shown)
    assert {*NAMES, "RigUnavailableError"} <= set(exported)
    for name in exported:
        assert getattr(aesfit, name) is not None
    helpers = {"TYPE_CHECKING", "import_module"}
    public = {
        name
        for name, value in vars(aesfit).items()
        if not (name.startswith("_") or inspect.ismodule(value) or name in helpers)
    }
    assert public == set(exported) - {"__version__"}
    with pytest.raises(AttributeError, match="has no attribute 'fitt'"):
        aesfit.fitt  # noqa: B018


def test_no_room_bears_the_name_of_a_public_function() -> None:
    rooms = {path.stem for path in (ROOT / "aesfit").iterdir()}
    assert not rooms & set(aesfit.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_the_docstring_says_what_goes_in_and_comes_out(name: str) -> None:
    function = getattr(aesfit, name)
    text = inspect.getdoc(function) or ""
    for section in ("Source: docs/", "\nArgs:\n", "\nReturns:\n", "\nRaises:\n"):
        assert section in text, section
    arguments = text.partition("\nArgs:\n")[2].partition("\nReturns:\n")[0]
    taken = inspect.signature(function).parameters
    assert re.findall(r"^    (\w+): ", arguments, re.MULTILINE) == list(taken)
    first, *others = taken.values()
    assert first.kind is first.POSITIONAL_OR_KEYWORD
    assert {one.kind for one in others} == {first.KEYWORD_ONLY}
    assert "as_json()" in text
    assert "`rows`" in text
    for error in ("ValueError", "TypeError", "RigUnavailableError"):
        assert f"    {error}: " in text


@emulated
def test_a_script_needs_no_guard() -> None:
    """Jobs run in processes, which do not run the script again."""
    Path("script.py").write_text(
        "import aesfit\nprint('begun')\n"
        "answer = aesfit.measure('cortex-m3', cores='compact,ttable1', ops='encrypt-block')\n"
        "print(len(answer.rows))\n"
    )
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=True)
    assert done.stdout == "begun\n2\n"


@emulated
def test_answers_show_themselves_in_five_lines(tmp_path: Path) -> None:
    fitted = aesfit.fit("cortex-m3", mode="ccm", payload_bytes=64)
    answers: list[object] = [
        fitted,
        aesfit.measure("cortex-m3", cores=("ttable1", "compact"), key_bits=(128, 192, 256)),
        aesfit.count("cortex-m3", elf=add(), function="add", arguments=ADDED),
        aesfit.predict("lx-st200", calls=(1, 1024), line_bytes=16),
        aesfit.emit("ttable1", mode="ccm", folder=tmp_path / "aes"),
    ]
    for answer in answers:
        lines = repr(answer).splitlines()
        assert lines[0].startswith(f"{type(answer).__name__}: ")
        assert 2 <= len(lines) <= 5
    assert repr(answers[1]).endswith("... and 21 more lines")
    assert fitted.brief[0] in repr(fitted)
