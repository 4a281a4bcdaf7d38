# SPDX-License-Identifier: MIT
"""Whether a drop-in's time depends on the key, in sentences for its head."""

from ..catalog import MODES, Ghash, core_named, ghashes
from ..jobs.job import Row
from ..jobs.secrecy import Secrecy, weakest
from ..leaking.known import known_of
from ..measuring.evidence import row_evidence
from ..measuring.proofs import provable_by_symbol
from .choice import DropInChoice, hashes
from .figures import Figures

_WRITTEN = (
    "The C is written so that no branch, no address and no multiplication depends on a secret."
)
_ADDRESSES = (
    "Addresses of table reads depend on secrets; a cache, a flash buffer or a shared bus makes "
    "this visible in the timing."
)
_ELSE = "An instruction of variable time, or an address, may depend on a secret."
_SHOWN = "Whether a tag or padding is valid always shows in the timing, as it must."


def timing_told(choice: DropInChoice, figures: Figures | None, command: str) -> str:
    """Whether its time depends on the key, and by which evidence that is known.

    `command` makes the files again, including the proof.
    """
    verdicts = any(MODES[mode].verdict for mode in choice.modes)
    shown = f"  {_SHOWN}" if verdicts and not choice.encrypt_only else ""
    if figures is None or choice.platform is None:
        return f"Timing: {_written(choice)}{shown}"
    found, where = weakest(row.secrecy for row in figures.rows), choice.platform.title
    match found.kind:
        case "proved":
            return f"{_shown_by_proof(where)}{shown}\n{_proof(choice, figures, command)}"
        case "independent":
            seen = _seen(found, where)
            return f"Timing: independent of the key.  {_WRITTEN}  {seen}  {_UNPROVED}{shown}"
        case "here":
            seen = (
                f"On {where}, with the memory named below, every access takes the same time.  "
                f"Evidence: {found.evidence} with different secrets took the same time there."
            )
            return f"Timing: independent of the key here.  {_ADDRESSES}  {seen}{shown}"
        case "depends":
            told = f"{_why(choice) or _ELSE}  {_attacked(choice, where)}"
            return f"Timing: depends on the key.  {told}  Evidence: none.{shown}"


def _attacked(choice: DropInChoice, where: str) -> str:
    """What recorded attacks showed there; they are on 128-bit keys and usual flash buffers."""
    platform = choice.platform
    usual = platform is not None and platform.setting == "usual" and choice.key_bits == (128,)
    known = known_of(platform.name, choice.core) if platform is not None and usual else ""
    return f"On {where}: {known}." if known else f"Nothing shows that {where} hides it."


def _seen(found: Secrecy, where: str) -> str:
    """The evidence of what is independent without a proof."""
    if found.evidence is None:
        return "Evidence: none."
    return (
        f"Evidence: {found.evidence} with different secrets on {where} took the same path and the "
        "same time, which proves nothing for other secrets."
    )


_UNPROVED = (
    "Nothing is proved about the machine code; aesfit emit proves it on a platform where it can "
    "follow it."
)


def _shown_by_proof(where: str) -> str:
    return (
        f"Timing: independent of the key, on {where}.  Evidence: proved on the machine code: no "
        "branch, no address and no instruction of variable time depends on a secret, for all keys "
        "and all data of the lengths below."
    )


def _proof(choice: DropInChoice, figures: Figures, command: str) -> str:
    """The digests of the proved images, and the commands that prove them again."""
    images = "\n".join(_image(row) for row in figures.rows)
    told = (
        "Proved images, as linked by aesfit for measuring (SHA-256 over all bytes in memory with "
        f"their addresses):\n{images}\n"
    )
    own = command.startswith("aesfit emit ")
    command = command.removesuffix(" --no-proof")
    again = f"Proved by:\n    {command}\n" if own else ""
    return f"{told}{again}{_own(choice)}"


def _image(row: Row) -> str:
    return f"    {row.mode} {row.op}, {row.key_bits} bits, {row_evidence(row)}:\n" + (
        f"        {row.provenance.image_sha256}"
    )


def _own(choice: DropInChoice) -> str:
    """How to prove the user's own firmware, which is a different image."""
    modes = (MODES[mode] for mode in choice.modes)
    mode = next(filter(provable_by_symbol, modes), None)
    told = "Another compiler, other flags or another linker script give another image"
    if mode is None or choice.platform is None:
        return f"{told}, about which nothing is proved here."
    return (
        f"{told}.  To prove your own firmware:\n    aesfit prove --platform "
        f"{choice.platform.name} --elf firmware.elf --symbol {choice.prefix}_"
        f"{mode.encrypt.function.removeprefix('aesfit_')}"
    )


def _written(choice: DropInChoice) -> str:
    """What the code claims, where nothing was measured."""
    if why := _why(choice):
        return f"depends on the key.  {why}"
    if ghash := _multiplies(choice):
        return (
            "independent of the key where the processor multiplies in constant time.  GHASH "
            f"({ghash}) multiplies secrets; no branch and no address depends on one."
        )
    return f"independent of the key.  {_WRITTEN}  Evidence: none.  {_UNPROVED}"


def _why(choice: DropInChoice) -> str:
    """Why addresses depend on the key; empty if the code claims that none does."""
    if not core_named(choice.core).constant_time:
        return _ADDRESSES
    ghash = _ghash(choice)
    if ghash is None or ghash.constant_time or _multiplies(choice):
        return ""
    return f"GHASH is {ghash.name}: {_ADDRESSES}"


def _multiplies(choice: DropInChoice) -> str:
    """The GHASH multiplier, if its time is that of the processor's multiplication of secrets."""
    ghash = _ghash(choice)
    if ghash is None or not (ghash.constant_time_multiply or ghash.constant_time_multiply_low):
        return ""
    return "" if ghash.constant_time else ghash.name


def _ghash(choice: DropInChoice) -> Ghash | None:
    """The multiplier of GCM; None in other modes."""
    if not hashes(choice):
        return None
    return next(one for one in ghashes() if one.name == choice.ghash)
