# SPDX-License-Identifier: MIT
"""The same question put to the page, the command line, Python and a report, and what each says."""

import json
import re
from dataclasses import dataclass
from typing import Any

import httpx
from click.testing import CliRunner

import aesfit
from aesfit.choosing.answer import Answer
from aesfit.cli import app
from aesfit.units import parse_clock, parse_packets, parse_rate

Query = dict[str, Any]
OPTIONS = {
    "mode": "--mode",
    "bytes": "--bytes",
    "key_bits": "--key-bits",
    "flash": "--max-flash",
    "ram": "--max-ram",
    "timing": "--timing",
    "encrypt_only": "--encrypt-only",
    "key_changes": "--key-changes",
    "objective": "--objective",
    "burst": "--calls-per-burst",
    "evicted": "--evicted",
    "cache": "--cache",
    "line": "--line",
    "ways": "--ways",
    "penalty": "--miss-penalty",
    "clock": "--clock",
    "rate": "--rate",
    "ghash": "--ghash",
    "packets": "--packets",
}
"""Of `aesfit fit`, by the fields of the page."""
ARGUMENTS = {
    "bytes": "payload_bytes",
    "flash": "max_flash_bytes",
    "ram": "max_ram_bytes",
    "key_changes": "messages_per_key",
    "burst": "calls_per_burst",
    "cache": "cache_bytes",
    "line": "line_bytes",
    "penalty": "miss_penalty",
}
"""Of `aesfit.fit`, where they have another name."""


@dataclass(frozen=True)
class Said:
    """What one of the four says."""

    winner: str | None
    ranking: list[tuple[str, float, int, int]]
    """Core, cycles, flash, RAM."""
    sentence: str
    dropped: dict[str, str]


def by_page(client: httpx.Client, platform: str, query: Query) -> dict[str, Any]:
    response = client.post("/api/answer", params={"platform": platform, **query})
    assert response.status_code == 200, response.text
    return dict(json.loads(response.text.splitlines()[-1]))


def of_page(found: dict[str, Any]) -> Said:
    rows = [(one["core"], one["cycles"], one["flash"], one["ram"]) for one in found["ranking"]]
    dropped = {one["core"]: one["reason"] for one in found["dropped"]}
    return Said(found["winner"], rows, found["sentence"], dropped)


def by_command(words: list[str]) -> dict[str, Any]:
    result = CliRunner().invoke(app, [*words, "--json"])
    assert "Traceback" not in result.output
    found = dict(json.loads(result.stdout))
    if words[0] == "fit":
        assert result.exit_code == (0 if found["winner"] else 1), result.output
    return found


def of_command(found: dict[str, Any]) -> Said:
    rows = [
        (one["core"], one["cycles"], one["flash_bytes"], one["ram_bytes"])
        for one in found["ranking"]
    ]
    winner = found["winner"]["core"] if found["winner"] else None
    dropped = {one["core"]: one["reason"] for one in found["dropped"]}
    return Said(winner, rows, found["sentence"], dropped)


def words_of(platform: str, query: Query) -> list[str]:
    words = ["fit", "--platform", platform]
    for name, value in query.items():
        if name == "misses":  # what the command does without --calls-per-burst
            continue
        shown = f"{value}%" if name == "evicted" else str(value)
        words += [OPTIONS[name]] if value is True else [OPTIONS[name], shown]
    return words


def by_python(platform: str, query: Query) -> Answer:
    given = {ARGUMENTS.get(name, name): value for name, value in query.items()}
    given.pop("misses", None)
    if "clock" in given:
        given["clock_hz"] = parse_clock(given.pop("clock"))
    if "packets" in given:
        given["packets"] = dict(parse_packets(given["packets"]))
    if "rate" in given:
        given["rate_bit_per_s"] = parse_rate(given.pop("rate"))
    if "evicted" in given:
        given["evicted"] /= 100
    return aesfit.fit(platform, **given)


def of_python(answer: Answer) -> Said:
    choice = answer.choice
    return Said(
        choice.winner.name if choice.winner else None,
        [
            (one.name, one.row.cycles, one.row.flash_bytes, one.row.ram_bytes)
            for one in choice.ranking
        ],
        answer.sentence,
        {one.core: one.reason for one in choice.dropped},
    )


def of_report(text: str) -> Said:
    """What the HTML of a report shows, read from the file."""
    rows = []
    for line in re.findall(r'<tr(?: class="winner")?>(?:<td.*?</td>)+</tr>', text, re.DOTALL):
        values = re.findall(r'data-value="(.*?)"', line)
        if values:
            rows.append((values[1], float(values[2]), int(values[5]), int(values[6])))
    leading = re.findall(r'<tr class="winner">.*?<code>(.*?)</code>', text, re.DOTALL)
    head = re.search(r"<p><strong>(.*?)</strong>(.*?)</p>", text, re.DOTALL)
    assert head
    dropped = re.findall(
        r'<tr><td class="text"><code>(.*?)</code></td><td class="text wrap">(.*?)</td></tr>', text
    )
    return Said(leading[0] if leading else None, rows, head[1] + head[2], dict(dropped))
