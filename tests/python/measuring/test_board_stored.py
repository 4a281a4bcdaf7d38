# SPDX-License-Identifier: MIT
"""Rows of boards and the store: what is measured anew, what is taken, and that it says so.

The board is a script, so a figure is what the script counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from scripted_stub import ScriptedStub
from stores import own_rows

from aesfit.cli import app
from aesfit.jobs.job import Job, Row
from aesfit.measuring.board_store import was_stored
from aesfit.measuring.measure import measure
from aesfit.platforms.boards import Board, BoardPlatform, add_board, platform_of_board, with_stored
from aesfit.platforms.find import platform_named
from aesfit.rigs.board import rig as board_rig
from aesfit.rigs.board import session
from aesfit.rigs.board.rig import BoardCounts
from aesfit.store.rows import RowStore

BOARD = Board("fake", "nowhere:1", "stm32f103", left="halted")
CPUID, IDCODE, ACR, RCC, NUMBER = (
    0xE000_ED00, 0xE004_2000, 0x4002_2000, 0x4002_1000, 0x1FFF_F7E8,
)  # fmt: skip


@dataclass
class Bench:
    """A board on the desk that can be exchanged, and how often it was measured."""

    stub: ScriptedStub
    store: RowStore
    runs: int = 0

    def __post_init__(self) -> None:
        self.connect()

    def connect(self) -> None:
        """Plug it in anew, so that its registers are read again."""
        session.close_all()
        self.stub.closed = False
        self.stub._acks = True
        session.session_of(self.platform(), lambda board: self.stub)

    def platform(self, stored: bool = False) -> BoardPlatform:
        found = with_stored(platform_of_board(BOARD), stored)
        assert isinstance(found, BoardPlatform)
        return found

    def row(self, stored: bool = False, fresh: bool = False) -> Row:
        job = Job(self.platform(stored), "transposed", 128, "encrypt-block")
        (found,) = measure([job], store=self.store, fresh=fresh)
        assert isinstance(found, Row)
        return found


def stm32f103() -> ScriptedStub:
    stub = ScriptedStub()
    stub.ends = (
        *stub.ends,
        range(ACR, ACR + 4),
        range(RCC, RCC + 8),
        range(NUMBER, NUMBER + 12),
    )
    for address, word in (
        (CPUID, 0x411F_C231), (IDCODE, 0x2003_6410), (ACR, 0x32), (RCC, 0x0300_0083),
        (RCC + 4, 0x001D_040A), (NUMBER, 0x1234), (NUMBER + 4, 0x5678), (NUMBER + 8, 0x9ABC),
    ):  # fmt: skip
        stub.set_word(address, word)
    return stub


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setenv("AESFIT_CACHE", own_rows(tmp_path))
    made = Bench(stm32f103(), RowStore(tmp_path / "rows.sqlite"))

    def counts(job: Job) -> BoardCounts:
        made.runs += 1
        cycles = 1000 + made.runs
        return BoardCounts((cycles,), (cycles,) * 4, 100, "CYCCNT of the DWT", "")

    monkeypatch.setattr(board_rig, "counts_of", counts)
    yield made
    session.close_all()


def test_a_board_is_measured_unless_stored_rows_are_asked_for(bench: Bench) -> None:
    assert [bench.row().cycles for _ in range(3)] == [1001, 1002, 1003]
    taken = bench.row(stored=True)
    assert (taken.cycles, bench.runs) == (1003, 3)
    assert bench.row(stored=True, fresh=True).cycles == 1004


def test_a_stored_row_says_so_and_a_measured_one_does_not(bench: Bench) -> None:
    assert not was_stored(bench.row())
    taken = bench.row(stored=True)
    assert was_stored(taken)
    assert taken.provenance.rig == "board, CYCCNT of the DWT; measured before, from the store"
    assert was_stored(bench.row(stored=True))
    assert bench.row(stored=True).provenance.rig.count("from the store") == 1


@pytest.mark.parametrize(
    ("address", "word"),
    [(ACR, 0x30), (RCC, 0x0083), (RCC + 4, 0), (NUMBER, 1), (NUMBER + 8, 1)],
    ids=["wait states", "oscillators", "clock", "another chip", "another chip's last word"],
)
def test_a_row_of_another_state_or_chip_is_not_taken(bench: Bench, address: int, word: int) -> None:
    before = bench.stub.word(address)
    bench.row()
    bench.stub.set_word(address, word)
    bench.connect()
    assert bench.row(stored=True).cycles == 1002
    bench.stub.set_word(address, before)
    bench.connect()
    assert bench.row(stored=True).cycles == 1001


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (NUMBER, "no number of this stm32f103 alone can be read"),
        (RCC, "RCC_CR, RCC_CFGR cannot be read"),
        (ACR, "FLASH_ACR cannot be read"),
    ],
)
def test_without_number_or_state_a_row_is_never_taken(
    bench: Bench, address: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.stub.ends = tuple(one for one in bench.stub.ends if one.start != address)
    bench.connect()
    bench.row()
    found = bench.row(stored=True)
    assert (found.cycles, was_stored(found)) == (1002, False)
    assert f"board:fake is measured anew: {sentence}" in capsys.readouterr().err


@pytest.mark.parametrize("word", [0, 0xFFFF_FFFF])
def test_a_number_of_zeros_or_ones_is_none(bench: Bench, word: int) -> None:
    for at in (0, 4, 8):
        bench.stub.set_word(NUMBER + at, word)
    bench.connect()
    bench.row()
    assert bench.row(stored=True).cycles == 1002


def test_a_chip_whose_clock_registers_nobody_knows_is_measured(bench: Bench) -> None:
    found = session.session_of(bench.platform())
    assert found.why_not_stored == ""
    flash = tuple(one for one in found.known.registers if one.kind == "flash")
    found.known = replace(found.known, registers=flash)
    assert "how its clock is set" in found.why_not_stored


def test_emulated_platforms_are_as_before(bench: Bench) -> None:
    chip = platform_named("stm32f103")
    assert with_stored(chip, True) is chip
    job = Job(chip, "transposed", 128, "encrypt-block")
    (first,) = measure([job], store=bench.store)
    (second,) = measure([job], store=bench.store)
    assert first == second


def test_the_line_of_a_stored_row_says_so(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AESFIT_CONFIG", str(tmp_path / "config"))
    add_board(BOARD)
    words = ["measure", "--platform", "board:fake", "--core", "transposed", "--op", "encrypt-block"]
    measured = CliRunner().invoke(app, words).stdout
    assert "board:fake" in measured
    assert "stored" not in measured
    again = CliRunner().invoke(app, [*words, "--stored"]).stdout
    assert "board:fake (stored)" in again
    assert bench.runs == 1
    fit = ["fit", "--platform", "board:fake", "--core", "transposed", "--mode", "ctr"]
    for _ in range(2):
        assert CliRunner().invoke(app, [*fit, "--bytes", "16", "--json"]).exit_code == 0
    runs = bench.runs
    taken = CliRunner().invoke(app, [*fit, "--bytes", "16", "--json", "--stored"])
    assert (taken.exit_code, bench.runs) == (0, runs)
    assert "rows of board:fake measured before" in taken.stderr
