# SPDX-License-Identifier: MIT
"""Claims of Parikh and Patel: what places name, and figures of a finding."""

import re
import tomllib

from claim_places import texts

from aesfit.wlan.paper import CLOCK_MHZ
from aesfit_papers.judging.catalog import experiment_named, folder
from aesfit_papers.judging.run import Judged, judged, stored


def claim(name: str, begins: str) -> Judged:
    """The only claim of an experiment whose sentence begins so."""
    experiment = experiment_named(name)
    measured = stored(experiment)
    assert measured is not None
    some = judged(experiment, measured.rows)
    (found,) = (one for one in some if one.claim.sentence.startswith(begins))
    return found


def test_the_bound_of_software_is_judged_at_every_number_of_wait_states() -> None:
    one = claim("platforms_table_1_caches", "No software on the FPGA supports")
    measured = stored(experiment_named("platforms_table_1_caches"))
    assert measured is not None
    expected = {
        f"{row['platform']}, {row['wait_states']} wait state{'s' * (row['wait_states'] != 1)}, "
        f"{row['flags']}": row["mbit_per_s"]
        for row in measured.rows
        if row["flags"] is not None
    }
    assert texts(one.claim.found) == expected
    assert set(texts(one.verdict.places)) == set(expected)


def test_the_finding_on_108_tells_the_rate_at_the_printed_clock() -> None:
    why = claim("platforms_width", "The core of 32 bits carries 108").claim.why
    (rate,) = re.findall(r"87 cycles carry (\d+) Mbit/s", why)
    assert f"Its {CLOCK_MHZ:g} MHz" in why
    written = tomllib.loads((folder() / "findings.toml").read_text(encoding="utf-8"))
    texts = [one["text"] for paper in written["paper"] for one in paper["finding"]]
    told = f"at the {CLOCK_MHZ:g} MHz that the paper prints it would carry {rate}."
    assert sum(told in text for text in texts) == 1
