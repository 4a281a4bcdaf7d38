# SPDX-License-Identifier: MIT
"""The last sentence and the exit code of `aesfit prove`: what was proved, and no more."""

from itertools import product

import pytest
from click.testing import CliRunner, Result

from aesfit.api.prove import Proofs
from aesfit.cli import app
from aesfit.proving.answer import EQUAL, INDEPENDENT, STACK, Outcome, Proof, ProvedStatement

CLAIMS = (EQUAL, INDEPENDENT, STACK)
OUTCOMES: tuple[Outcome, ...] = ("proved", "refuted", "open", "refused", "told")


def row(*outcomes: Outcome) -> Proof:
    told = zip(CLAIMS[-len(outcomes) :], outcomes, strict=True)
    statements = tuple(ProvedStatement(claim, one, "16 bytes", "why") for claim, one in told)
    return Proof(
        "cortex-m3", "fixslice", 128, "encrypt", "cbc", 16, "", "", "",
        constant_time=True, statements=statements,
    )  # fmt: skip


def asked(monkeypatch: pytest.MonkeyPatch, *rows: Proof) -> Result:
    monkeypatch.setattr("aesfit.cli.prove.needed", lambda places, **what: "no time")
    monkeypatch.setattr("aesfit.cli.prove.prove", lambda places, **what: Proofs(rows))
    return CliRunner().invoke(app, ["prove", "--platform", "cortex-m3"])


@pytest.mark.parametrize("outcomes", list(product(OUTCOMES, repeat=3)))
def test_a_row_is_told_by_what_was_proved_of_it(
    outcomes: tuple[Outcome, Outcome, Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = asked(monkeypatch, row(*outcomes))
    said = " ".join(done.output.split()).partition("Proved for every key")[2]
    for claim, outcome in zip(CLAIMS, outcomes, strict=True):
        assert (f"{claim}: 1 of 1 rows" in said) == (outcome == "proved")
    assert ("Nothing was proved" in done.output) == ("proved" not in outcomes)
    held = "proved" in outcomes and not {"refuted", "open"} & {*outcomes}
    assert done.exit_code == (0 if held else 1)


def test_rows_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key set-up alone is compared with nothing."""
    rows = row("proved", "proved"), row("refused", "proved", "told")
    done = asked(monkeypatch, *rows, row("proved", "proved", "proved"))
    said = " ".join(done.output.split())
    assert f"{EQUAL}: 1 of 2 rows; {INDEPENDENT}: 3 of 3 rows; {STACK}: 2 of 3 rows." in said
    assert done.exit_code == 0


def test_a_row_of_which_nothing_is_proved_fails_beside_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = asked(monkeypatch, row("proved", "proved", "proved"), row("refused", "refused"))
    assert done.exit_code == 1


@pytest.mark.parametrize("sizes", ["every,16", "16,every", "every,every"])
def test_every_length_stands_alone(sizes: str) -> None:
    arguments = ["--platform", "cortex-m3", "--core", "fixslice", "--mode", "cbc"]
    done = CliRunner().invoke(app, ["prove", *arguments, "--bytes", sizes])
    assert done.exit_code == 2
    assert "'every' has all lengths, so it stands alone" in " ".join(done.output.split())
