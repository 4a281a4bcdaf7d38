# SPDX-License-Identifier: MIT
"""Faults planted in one file of the library, and what the prover has to say of each."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from images import block_job, plant
from shown import equality, independence

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named
from aesfit.proving.freestanding import followed

ACCEPTED, FUNCTIONS = "not genuine is accepted", "differ from the standard"


@dataclass(frozen=True)
class Planted:
    """A fault in one file of the library, and the call that has it."""

    file: str
    old: str
    new: str
    call: str
    """Mode, operation and bytes of payload; `block encrypt-block 0` is the core alone."""
    says: str
    """In what is said of it."""
    core: str = "transposed"
    platform: str = "cortex-m0plus"

    @property
    def job(self) -> Job:
        mode, op, size = self.call.split()
        if mode == "block":
            return block_job(self.platform, self.core, op)
        platform = followed(platform_named(self.platform))
        return Job(platform, self.core, 128, op, mode=mode, bytes=int(size))


def is_wrong(fault: Planted, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """With the fault it is not proved equal to its standard."""
    plant(folder, patch, fault.file, [(fault.old, fault.new)])
    statement = equality(fault.job, planted=True)
    assert statement.outcome in ("refuted", "open")
    assert fault.says in statement.detail


def is_leaked(fault: Planted, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """With the fault it is not proved independent of secrets, or something is left behind."""
    plant(folder, patch, fault.file, [(fault.old, fault.new)])
    independent, left = independence(fault.job, planted=True)
    assert independent.outcome in ("refuted", "open") or left.outcome == "refuted"
    assert fault.says in independent.detail + left.detail
