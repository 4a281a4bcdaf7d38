# SPDX-License-Identifier: MIT
"""What a drop-in's time tells about secrets, in words for its head."""

from ..building.unit import core_named
from ..catalog import ghashes
from ..jobs.job import Row, weakest
from .choice import DropInChoice
from .figures import Figures

_WRITTEN = (
    "The C is written so that no branch, no address and no multiplication depends on a secret."
)
_ADDRESSES = (
    "Addresses of table reads depend on secrets, which shows behind a cache, a flash buffer or a "
    "shared bus."
)
_SHOWN = "Whether a tag or a padding is right shows in any case, as it must."
_VERDICTS = frozenset({"ccm", "gcm", "cmac", "kw", "ccmp", "pkcs7"})
"""Modes that tell, going back, whether a message is good."""
_FIRMWARE = frozenset({"ecb", "cbc", "xts", "ccm", "gcm"})
"""Modes whose function <prefix>_<mode>_encrypt `aesfit prove --symbol` takes."""


def constant_time(choice: DropInChoice, figures: Figures | None, command: str) -> str:
    """Whether it is constant-time, and where: what is proved, or what the code claims.

    `command` makes the files again, proof included.
    """
    claim = _claim(choice)
    shown = f"  {_SHOWN}" if _VERDICTS & {*choice.modes} and not choice.encrypt_only else ""
    if figures is None or choice.platform is None:
        return f"Constant-time: {claim or f'sampled.  {_WRITTEN}  {_UNPROVED}'}{shown}"
    found = weakest(row.constant_time for row in figures.rows)
    where = choice.platform.title
    if found == "always":
        return f"{_always(where)}{shown}\n{_proof(choice, figures, command)}"
    seen = {
        "sampled": f"Runs with different secrets on {where} took the same path and the same time, "
        f"which proves nothing for other secrets.  {_UNPROVED}",
        "uniform-memory": f"On {where}, with the memory named below, every access takes the same "
        "time: runs with different secrets took the same time there.",
        "no": f"NOT constant-time on {where}: its time leaks the key there.",
    }[found]
    kind = "sampled." if found == "sampled" else "NOT here."
    return f"Constant-time: {claim or f'{kind}  {_WRITTEN}'}  {seen}{shown}"


_UNPROVED = (
    "Nothing is proved of the machine code; aesfit emit --prove proves it where it can be followed."
)


def _always(where: str) -> str:
    return (
        f"Constant-time: always, on {where}.  It is proved of the machine code that no branch, no "
        "address and no instruction of variable time depends on a secret, for every key and every "
        "datum of the lengths below."
    )


def _proof(choice: DropInChoice, figures: Figures, command: str) -> str:
    """The images that were proved, by their digests, and the commands that prove them again."""
    images = "\n".join(_image(row) for row in figures.rows)
    told = (
        "Proved images, by the SHA-256 of all bytes that take memory with their addresses, linked "
        f"by aesfit for measuring:\n{images}\n"
    )
    again = f"Proved by:\n    {command}\n" if command.endswith(" --prove") else ""
    return f"{told}{again}{_own(choice)}"


def _image(row: Row) -> str:
    return f"    {row.mode} {row.op}, {row.key_bits} bits, {row.proved}:\n" + (
        f"        {row.provenance.image_sha256}"
    )


def _own(choice: DropInChoice) -> str:
    """How a firmware is proved, whose image is another."""
    mode = next((one for one in choice.modes if one in _FIRMWARE), None)
    told = "Another compiler, other flags or another linker script make another image"
    if mode is None or choice.platform is None:
        return f"{told}, of which nothing is proved here."
    return (
        f"{told}.  Of your own firmware, prove:\n    aesfit prove --platform "
        f"{choice.platform.name} --elf firmware.elf --symbol {choice.prefix}_{mode}_encrypt"
    )


def _claim(choice: DropInChoice) -> str:
    """Why the code claims nothing, or only on some processors; empty where it claims all."""
    core = core_named(choice.core)
    if not core.constant_time:
        return f"NOT in general.  {_ADDRESSES}"
    if "gcm" not in choice.modes:
        return ""
    ghash = next(one for one in ghashes() if one.name == choice.ghash)
    if ghash.constant_time:
        return ""
    if ghash.constant_time_multiply or ghash.constant_time_multiply_low:
        return (
            "where the processor multiplies in constant time.  GHASH "
            f"({ghash.name}) multiplies secrets; no branch and no address depends on one."
        )
    return f"NOT in general.  GHASH is {ghash.name}: {_ADDRESSES}"
