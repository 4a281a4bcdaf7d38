# SPDX-License-Identifier: MIT
"""The chooser: which core fits, from measurements.

A core whose timing depends on secrets is never the winner; when one is faster, the sentence says
so and leaves the choice to the reader.
"""

from dataclasses import asdict, dataclass
from typing import Any

from .catalog import Core
from .rigs.host import HostRun, Measurement, Provenance


@dataclass(frozen=True)
class Candidate:
    """One core with what it costs for the job; bytes, and time in Provenance.unit per byte."""

    rank: int
    core: Core
    per_byte_min: float
    per_byte_median: float
    table_bytes: int
    """Tables read while encrypting."""
    round_key_bytes: int
    """Expanded keys needed to encrypt; XTS holds two keys."""
    code_bytes: int | None
    constant_time: bool


@dataclass(frozen=True)
class Fit:
    """All candidates, fastest first, and the one to take."""

    candidates: tuple[Candidate, ...]
    winner: Candidate | None
    sentence: str
    output_sha256: str
    provenance: Provenance

    def as_json(self) -> dict[str, Any]:
        """Plain values for `aesfit fit --json`."""
        return {
            "winner": self.winner.core.name if self.winner else None,
            "sentence": self.sentence,
            "candidates": [
                {**asdict(candidate), "core": candidate.core.name} for candidate in self.candidates
            ],
            "output_sha256": self.output_sha256,
            "provenance": asdict(self.provenance),
        }


def _candidate(rank: int, measured: Measurement, provenance: Provenance) -> Candidate:
    core = measured.core
    keys = 2 if provenance.mode == "xts" else 1
    return Candidate(
        rank=rank,
        core=core,
        per_byte_min=measured.per_byte_min,
        per_byte_median=measured.per_byte_median,
        table_bytes=core.table_bytes,
        round_key_bytes=keys * core.round_key_bytes[str(provenance.key_bits)]["encrypt"],
        code_bytes=core.code_bytes,
        constant_time=core.constant_time,
    )


def _costs(candidate: Candidate) -> str:
    tables = f"{candidate.table_bytes} bytes of tables" if candidate.table_bytes else "no tables"
    code = f", {candidate.code_bytes} bytes of code" if candidate.code_bytes is not None else ""
    return f"{tables}, {candidate.round_key_bytes} bytes of round keys{code}"


def _sentence(candidates: tuple[Candidate, ...], winner: Candidate | None, p: Provenance) -> str:
    fastest = candidates[0]
    if winner is None:
        return (
            f"No core measured is constant-time; the fastest, {fastest.core.name}, takes "
            f"{fastest.per_byte_min:.2f} {p.unit} a byte, and its timing tells about the key."
        )
    sentence = (
        f"Take {winner.core.name}: {winner.per_byte_min:.2f} {p.unit} a byte in {p.mode} with "
        f"messages of {p.message_bytes} bytes, constant-time, {_costs(winner)}"
    )
    if winner is not fastest:
        times = winner.per_byte_min / fastest.per_byte_min
        return (
            f"{sentence}; {fastest.core.name} is {times:.1f} times as fast, but its timing tells "
            "about the key."
        )
    if len(candidates) > 1:
        times = candidates[1].per_byte_min / fastest.per_byte_min
        sentence += f"; {times:.1f} times as fast as the next, {candidates[1].core.name}"
    return sentence + "."


def choose(run: HostRun) -> Fit:
    """Rank the cores of a run by least time, and take the fastest that is constant-time."""
    ordered = sorted(run.measurements, key=lambda measured: measured.per_byte_min)
    candidates = tuple(
        _candidate(rank, measured, run.provenance) for rank, measured in enumerate(ordered, 1)
    )
    winner = next((c for c in candidates if c.constant_time), None)
    sentence = _sentence(candidates, winner, run.provenance)
    return Fit(candidates, winner, sentence, run.output_sha256, run.provenance)
