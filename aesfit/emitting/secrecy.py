# SPDX-License-Identifier: MIT
"""Whether a drop-in's timing leaks secrets, in sentences for its head."""

from ..building.unit import core_named
from ..catalog import ghashes
from ..jobs.job import Row, weakest
from .choice import DropInChoice
from .figures import Figures

_WRITTEN = (
    "The C is written so that no branch, no address and no multiplication depends on a secret."
)
_ADDRESSES = (
    "Addresses of table reads depend on secrets; a cache, a flash buffer or a shared bus makes "
    "this visible in the timing."
)
_SHOWN = "Whether a tag or padding is valid always shows in the timing, as it must."
_VERDICTS = frozenset({"ccm", "gcm", "cmac", "kw", "ccmp", "pkcs7"})
"""Modes whose decryption reports whether a message is valid."""
_FIRMWARE = frozenset({"ecb", "cbc", "xts", "ccm", "gcm"})
"""Modes whose function <prefix>_<mode>_encrypt `aesfit prove --symbol` takes."""


def constant_time(choice: DropInChoice, figures: Figures | None, command: str) -> str:
    """Whether it is constant-time, and where: the proof, or what the code claims.

    `command` makes the files again, including the proof.
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
    "Nothing is proved about the machine code; aesfit emit --prove proves it if it can follow it."
)


def _always(where: str) -> str:
    return (
        f"Constant-time: always, on {where}.  It is proved on the machine code that no branch, no "
        "address and no instruction of variable time depends on a secret, for all keys and all "
        "data of the lengths below."
    )


def _proof(choice: DropInChoice, figures: Figures, command: str) -> str:
    """The digests of the proved images, and the commands that prove them again."""
    images = "\n".join(_image(row) for row in figures.rows)
    told = (
        "Proved images, as linked by aesfit for measuring (SHA-256 over all bytes in memory with "
        f"their addresses):\n{images}\n"
    )
    again = f"Proved by:\n    {command}\n" if command.endswith(" --prove") else ""
    return f"{told}{again}{_own(choice)}"


def _image(row: Row) -> str:
    return f"    {row.mode} {row.op}, {row.key_bits} bits, {row.proved}:\n" + (
        f"        {row.provenance.image_sha256}"
    )


def _own(choice: DropInChoice) -> str:
    """How to prove the user's own firmware, which is a different image."""
    mode = next((one for one in choice.modes if one in _FIRMWARE), None)
    told = "Another compiler, other flags or another linker script give another image"
    if mode is None or choice.platform is None:
        return f"{told}, about which nothing is proved here."
    return (
        f"{told}.  To prove your own firmware:\n    aesfit prove --platform "
        f"{choice.platform.name} --elf firmware.elf --symbol {choice.prefix}_{mode}_encrypt"
    )


def _claim(choice: DropInChoice) -> str:
    """Why the code is not constant-time everywhere; empty if it claims to be."""
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
