# SPDX-License-Identifier: MIT
"""What the page offers to pick, and with which platform it opens."""

from threading import Event

from ..api.fit import fit
from ..choosing.answer import Answer
from ..choosing.multipliers import DEFAULT, competing
from ..choosing.request import BLOCK, MODES, default_mode, models_misses
from ..platforms.find import platforms
from ..platforms.platform import Platform
from ..rigs import why_not
from ..store import parsed
from ..store.closure import PACKAGE
from . import answers
from .schema import PAYLOADS, Choices, Offered, PageQuestion
from .works import Works

COMMON = "stm32f407"
"""The chip that a page opens with where its rows are stored: the one of README.md."""
AT_ONCE = "lx-st200"
"""What it opens with elsewhere, because published coefficients need no measuring."""
_GROUPS = (
    "Published",
    "Processors with a data cache",
    "Processors with ideal memory",
    "Chips at their highest clock",
    "Soft cores",
    "This computer",
)
"""Those with sliders for their data cache come first."""


class Offers:
    """The choices of every page; which platform is the first is found while the server starts."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._start = AT_ONCE
        self._found = Event()

    def prepare(self, works: Works) -> None:
        """Find the first platform, and answer its question before somebody asks."""
        work = works.ask("start", lambda _: self._find())
        work.future.add_done_callback(lambda _: self._found.set())

    def _find(self) -> Answer | None:
        _read_sources()
        if COMMON not in (one.name for one in platforms()):
            return None
        question = PageQuestion.model_validate({"platform": COMMON})
        found = answers.answer(question, only_known=True)
        if found.unmeasured:
            return None
        self._start = COMMON
        answers.shown(question, found)
        return found

    def choices(self, token: str) -> Choices:
        """All of it, with the token of this server."""
        self._found.wait()
        return Choices(platforms=offered(), bytes=list(PAYLOADS), start=self._start, token=token)


def _read_sources() -> None:
    """Read what every module imports, as keys of the store need, before questions come.

    They are asked in several threads, and Python 3.11 cannot parse in two at once.
    """
    for path in PACKAGE.rglob("*.py"):
        parsed.source_of(path)
    parsed.keep()


def offered() -> list[Offered]:
    """Every platform, group by group."""
    return [_offered(one) for one in _listed()]


def _offered(platform: Platform) -> Offered:
    cached = models_misses(platform)
    cache, penalty = answers.offered_cache(platform) if cached else (None, None)
    published = platform.rig == "published"
    return Offered(
        name=platform.name,
        title=platform.title,
        kind="cached" if cached else "messages",
        group=_group(platform),
        published=published,
        clock=platform.clock.value if platform.clock else None,
        ghashes=list(dict.fromkeys((DEFAULT, *competing(platform)))),
        modes=_modes(platform),
        mode=default_mode(platform),
        cache=cache,
        penalty=penalty,
        unavailable=None if published else _lacking(platform),
    )


def _lacking(platform: Platform) -> str | None:
    """What is not installed; None where the first question on it is answered nevertheless."""
    reason = why_not(platform)
    if reason is None or not fit(platform, only_known=True).unmeasured:
        return None
    return reason


def _modes(platform: Platform) -> list[str]:
    """Those that the chooser answers for there."""
    return [BLOCK] if platform.rig == "published" else list(MODES)


def _group(platform: Platform) -> str:
    """The heading under which the page lists a platform; one of _GROUPS."""
    published, cached, ideal, chips, soft, host = _GROUPS
    if platform.rig in ("published", "host"):
        return published if platform.rig == "published" else host
    if platform.kind == "processor":
        return cached if models_misses(platform) else ideal
    return chips if platform.chip is not None else soft


def _listed() -> list[Platform]:
    """Group by group."""
    return sorted(platforms(), key=lambda one: _GROUPS.index(_group(one)))
