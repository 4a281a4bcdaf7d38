# SPDX-License-Identifier: MIT
"""What a drop-in's time tells about secrets, in words for its head."""

from ..building.unit import core_named
from ..catalog import ghashes
from ..jobs.job import weakest
from .choice import DropInChoice
from .figures import Figures

_ALWAYS = "Constant-time: always.  No branch, no address and no multiplication hangs on a secret."
_ADDRESSES = (
    "Addresses of table reads hang on secrets, which shows behind a cache, a flash buffer or a "
    "shared bus."
)
_SHOWN = "Whether a tag or a padding is right shows in any case, as it must."
_VERDICTS = frozenset({"ccm", "gcm", "cmac", "kw", "ccmp", "pkcs7"})
"""Modes that tell, going back, whether a message is good."""


def constant_time(choice: DropInChoice, figures: Figures | None) -> str:
    """Whether it is constant-time, and where; what was seen, or what the code is made of."""
    claim = _claim(choice)
    shown = f"  {_SHOWN}" if _VERDICTS & {*choice.modes} and not choice.encrypt_only else ""
    if figures is None or choice.platform is None:
        return f"{claim}{shown}"
    found = weakest(row.constant_time for row in figures.rows)
    where = choice.platform.title
    seen = {
        "always": f"Runs with different secrets on {where} took the same path and the same time.",
        "uniform-memory": f"On {where}, with the memory named below, every access takes the same "
        "time: runs with different secrets took the same time there.",
        "no": f"NOT constant-time on {where}: its time leaks the key there.",
    }[found]
    return f"{claim}  {seen}{shown}"


def _claim(choice: DropInChoice) -> str:
    core = core_named(choice.core)
    if not core.constant_time:
        return f"Constant-time: NOT in general.  {_ADDRESSES}"
    if "gcm" not in choice.modes:
        return _ALWAYS
    ghash = next(one for one in ghashes() if one.name == choice.ghash)
    if ghash.constant_time:
        return _ALWAYS
    if ghash.constant_time_multiply or ghash.constant_time_multiply_low:
        return (
            "Constant-time: where the processor multiplies in constant time.  GHASH "
            f"({ghash.name}) multiplies secrets; no branch and no address hangs on one."
        )
    return f"Constant-time: NOT in general.  GHASH is {ghash.name}: {_ADDRESSES}"
