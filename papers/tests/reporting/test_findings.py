# SPDX-License-Identifier: MIT
"""Sentences of findings: their figures, and that they are refused when a verdict changes."""

from typing import Any

import pytest
from claim_places import named

from aesfit_papers.judging.contract import PAPERS, Claim
from aesfit_papers.judging.flips import Standing
from aesfit_papers.judging.run import Judged
from aesfit_papers.judging.verdict import judge
from aesfit_papers.reporting.findings import MINUTE, FoundSpan, Results, in_a_minute, resting, told

FOUND = {"rv32i, -Os": 0.001, "rv32i, -O2": 0.002, "rv32i, -O3": 0.03}


def standing() -> Standing:
    claim = Claim("Small it is.", "at most", named(FOUND), 0.01, cause="compiler or processor")
    return Standing("images_made_up", Judged(claim, judge(claim, "images_made_up")))


RESULTS = Results([standing()])


def written(text: str, verdict: str = "in part") -> dict[str, Any]:
    rests = [{"experiment": "images_made_up", "claim": "Small", "verdict": verdict}]
    return {"text": text, "rests": rests}


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("{0}", "0.001 to 0.03"),
        ("{0:%}", "0.10 to 3.00 %"),
        ("It {0:where}.", "It holds on all but -O3."),
    ],
)
def test_figures_and_places_of_a_sentence(form: str, text: str) -> None:
    assert told(written(form), [standing()]) == text
    assert form.format(FoundSpan(standing().judged)) == text


def test_a_sentence_whose_verdict_changed_is_refused() -> None:
    assert resting(written(""), RESULTS) == [standing()]
    with pytest.raises(ValueError, match="verdict 'holds', which is now 'in part'; write it anew"):
        resting(written("", "holds"), RESULTS)


def test_a_minute_has_a_line_for_each_paper() -> None:
    cells = {key: written(f"{key} | {{0}}.") for key in MINUTE}
    lines = list(in_a_minute([{"key": key, **cells} for key in PAPERS], RESULTS))
    assert lines[0] == "| paper | what stood the test | what did not | because |"
    assert len(lines) == 2 + len(PAPERS)
    assert lines[4].endswith(r"| stood \| 0.001 to 0.03. | failed \| 0.001 to 0.03. "
                             r"| because \| 0.001 to 0.03. |")  # fmt: skip
    changed = {**cells, "failed": written("{0}", "holds")}
    with pytest.raises(ValueError, match="write it anew"):
        list(in_a_minute([{"key": "cache", **changed}], RESULTS))
    with pytest.raises(ValueError, match="on which claims 'because' of cache rests"):
        list(
            in_a_minute([{"key": "cache", **cells, "because": {"text": "", "rests": []}}], RESULTS)
        )
    with pytest.raises(ValueError, match="'stood' of cache has more than 16 words"):
        list(in_a_minute([{"key": "cache", **cells, "stood": written("a " * 17)}], RESULTS))
