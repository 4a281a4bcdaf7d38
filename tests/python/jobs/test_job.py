# SPDX-License-Identifier: MIT
"""The names in a job stand for what the library says of core and mode."""

import pytest
from fakes import PLATFORM

from aesfit.catalog import Mode, cores, modes
from aesfit.jobs.job import Job


@pytest.mark.parametrize("mode", modes(), ids=lambda mode: mode.name)
def test_a_job_of_messages_has_the_facts_of_its_mode(mode: Mode) -> None:
    job = Job(PLATFORM, "transposed", 128, "encrypt", mode.name)
    assert (job.shape, job.keys, job.hashes) == (mode, mode.keys, mode.hashes)


def test_a_job_of_blocks_has_one_key_and_no_mode() -> None:
    job = Job(PLATFORM, "transposed", 128, "encrypt-block")
    assert (job.keys, job.hashes) == (1, False)
    with pytest.raises(KeyError):
        _ = job.shape


def test_a_name_is_that_of_a_core_or_of_other_code() -> None:
    for core in cores():
        assert Job(PLATFORM, core.name, 128, "encrypt-block").implementation is core
    with pytest.raises(ValueError, match="there is no core 'firmware'"):
        _ = Job(PLATFORM, "firmware", 128, "encrypt-block").implementation
