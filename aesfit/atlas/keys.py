# SPDX-License-Identifier: MIT
"""The key of a line: a digest of all that its figures depend on, apart from the tools.

It covers what the store's keys cover (rigs/accounts.py), except versions of compiler, linker and
packages, which stand beside the lines (origin.py): a line can be recognised where no compiler is
installed.  For what the compiled extension simulates, its sources stand.

The first half of a key is of what is compiled, the second half of everything else.  If only the
first half differs and the images are the same bytes as before, so are the figures (renewal.py).
"""

from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from ..building.build import text_digest
from ..building.toolchain import toolchain_of
from ..building.unit import units
from ..jobs.job import Job
from ..platforms import find
from ..platforms.platform import Platform
from ..rigs.accounts import claims_constant_time, multiplies_secrets
from ..rigs.emulator.evidence import model_sha256
from ..rigs.emulator.stalls import has_caches
from ..store import closure, files
from ..store.contents import key as digest_of

DIGITS = 5
"""Of each half of a key, in base64: a change leaves a half as it was once in 2^30 times."""
_RIG = f"{closure.PACKAGE.name}.rigs.emulator"
_MEMORY = closure.PACKAGE / "rigs" / "emulator" / "memory"
_BINDINGS = ("memory.cpp", "cache.cpp")
_NATIVE = tuple(closure.PACKAGE / name for name in ("native", "data/native"))
"""Where these lie: in a checkout, and once installed."""


class UnknownSourcesError(RuntimeError):
    """Sources that figures depend on are not there, so no key can be made."""


@dataclass(frozen=True)
class Recipe:
    """What the figures of a line depend on."""

    compiled: str
    """Half of the key: what is compiled."""
    measured: str
    """The other half: how it is measured, and on what."""
    sources: Mapping[str, str]
    """Digest of what is compiled, by operation."""

    @property
    def key(self) -> str:
        """Of the line."""
        return self.compiled + self.measured


def recipe_of(jobs: Sequence[Job]) -> Recipe:
    """Of the line that holds these jobs, which differ in their operation alone."""
    first = jobs[0]
    platform = first.platform
    sources = {job.op: sources_sha256(job) for job in jobs}
    made = [(job.op, job.key_bits) for job in jobs]
    # What differs between hosts, and figures do not depend on.
    core = replace(first.implementation, available=True, code_bytes=None)
    mode = first.shape if first.mode else None
    claims = claims_constant_time(first), multiplies_secrets(first)
    asked = (first.mode, first.ghash, first.placed)
    own = rules(platform.timing, simulates(platform)), platform.sha256
    return Recipe(_half(sources), _half((own, made, asked, core, mode, claims)), sources)


def _half(facts: object) -> str:
    digest = sha256(repr(facts).encode()).digest()
    return urlsafe_b64encode(digest).decode()[:DIGITS]


def sources_sha256(job: Job) -> str:
    """Digest of what is compiled for a job, as its row names it."""
    support = toolchain_of(job.platform).support_text
    return digest_of(*map(_text_digest, units(job)), _text_digest(support))


_text_digest = cache(text_digest)
"""Jobs of many platforms compile the same text."""
timing_sha256 = cache(model_sha256)
"""Of a timing model, as rows name it."""


def forget() -> None:
    """Read every source again."""
    rules.cache_clear()
    _text_digest.cache_clear()
    timing_sha256.cache_clear()


def simulates(platform: Platform) -> bool:
    """Whether the compiled extension takes part in its figures."""
    return has_caches(platform) or platform.memory("flash").interface is not None


@cache
def rules(timing: str | None, simulated: bool) -> str:
    """Digest of the code that measures; taken once in a process, as closure.digest() is."""
    modules = (f"{_RIG}.rig", f"{_RIG}.timing.{timing}", find.__name__)
    found = {_name(path): path for path in closure.closure(*modules).files}
    if simulated:
        found |= _simulators()
    lines = sorted(f"{name} {files.contents(path).sha256}" for name, path in found.items())
    return sha256("\n".join(lines).encode()).hexdigest()


def _name(path: Path) -> str:
    return path.relative_to(closure.PACKAGE).as_posix()


def _simulators() -> dict[str, Path]:
    """Sources of the compiled simulators, by names that are alike wherever they lie."""
    models = [path for path in _MEMORY.iterdir() if path.suffix in (".c", ".h", ".def")]
    return {path.name: path for path in (*map(_binding, _BINDINGS), *models)}


def _binding(name: str) -> Path:
    for folder in _NATIVE:
        if (folder / name).is_file():
            return folder / name
    raise UnknownSourcesError(f"the source {name} of the simulators is not installed")
