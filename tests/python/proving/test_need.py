# SPDX-License-Identifier: MIT
"""What proofs are said to need beforehand, beside what they take."""

from images import needs_prover

from aesfit.jobs.job import Job
from aesfit.platforms.find import platform_named

pytestmark = needs_prover


def message(mode: str, op: str, size: int, bits: int = 128) -> Job:
    return Job(platform_named("cortex-m3"), "fixslice", bits, op, mode=mode, bytes=size)


def test_the_atoms_of_a_message_are_estimated() -> None:
    """Not by more than a half."""
    from aesfit.proving.code import Code
    from aesfit.proving.compiled import proof_image
    from aesfit.proving.following import follow
    from aesfit.proving.forms import Equality
    from aesfit.proving.messages import STAGGERED, Harness
    from aesfit.proving.need import atoms

    for job in (message("cmac", "encrypt", 33), message("cbc", "encrypt", 16, 256)):
        (found,) = follow(job, Code(proof_image(job)), Harness(job), (STAGGERED,))
        domain = found.calls.executor.domain
        assert isinstance(domain, Equality)
        assert found.wrong == ""
        assert 2 / 3 < atoms(job) / domain.atoms.count < 3 / 2


def test_longer_messages_and_keys_need_more() -> None:
    from aesfit.proving.need import need

    needs = [
        need([message("ccm", "decrypt", size, bits)])
        for size, bits in ((1, 128), (33, 128), (33, 256))
    ]
    assert [one.seconds for one in needs] == sorted(one.seconds for one in needs)
    assert [one.mebibytes for one in needs] == sorted(one.mebibytes for one in needs)
    both = need([message("ccm", "encrypt", 1), message("ccm", "decrypt", 1)])
    assert both.seconds > needs[0].seconds
    assert both.mebibytes == needs[0].mebibytes


def test_what_would_take_more_memory_than_it_may_is_said_before() -> None:
    from aesfit.proving.need import need

    short, long = (need([message("ccm", "encrypt", size)]) for size in (81, 600))
    assert "will stop" not in str(short)
    assert str(long).endswith("of memory; 1 would need more than 2 GiB and will stop")
