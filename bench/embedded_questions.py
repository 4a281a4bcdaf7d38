# SPDX-License-Identifier: MIT
"""The questions of bench_embedded.py: their kinds, and the rows with their goals."""

from dataclasses import dataclass

BY_SPEED = ("mul_low", "mul32", "table4", "table8", "shift32")


@dataclass(frozen=True)
class Program:
    """Flash of a program that seals one message with GCM, at -Os.

    It is linked with --gc-sections against the whole library; memcpy and similar functions are
    included, a start-up file is not.
    """

    platform: str
    core: str = "NULL"
    """The core in C: NULL for the default core, or an address."""
    ghash: str = "NULL"


@dataclass(frozen=True)
class Context:
    """RAM of a context in a build of one core for keys of 128 bits, one direction at a time."""

    platform: str
    core: str
    name: str = "aesfit_gcm_key"
    ghash: str = "shift32"


@dataclass(frozen=True)
class DropInKey:
    """RAM of a drop-in's key in a mode that decrypts with the inverse cipher."""

    platform: str
    core: str
    mode: str
    separate: bool
    """One direction at a time (`aesfit emit --separate-keys`)."""


@dataclass(frozen=True)
class Steps:
    """Flash of a core at -Os: key expansion, blocks, tables and wiping, without checks."""

    platform: str
    core: str
    directions: int
    """1: encryption; 3: both."""


@dataclass(frozen=True)
class DropInCode:
    """Flash of a drop-in at -Os that does not clear the stack and has no self-test."""

    platform: str
    core: str
    mode: str


@dataclass(frozen=True)
class Files:
    """Bytes of code and constants in files of the library, compiled for this computer."""

    patterns: tuple[str, ...]


@dataclass(frozen=True)
class Hash:
    """Cycles per byte of GHASH alone, over 94 blocks."""

    platform: str
    ghash: str


@dataclass(frozen=True)
class Measured:
    """A figure of `aesfit measure`."""

    platform: str
    core: str
    op: str
    mode: str | None = None
    """None: one block."""
    key_bits: int = 128
    payload_bytes: int | None = None
    ghash: str | None = None
    flags: str | None = None
    figure: str = "cycles"


@dataclass(frozen=True)
class OnTheFly:
    """Cycles of a block with round keys on the fly.

    The goal is measured too: the cycles of the core with unrolled keys for expanding the key and
    encrypting a block.
    """

    platform: str
    core: str
    op: str
    key_bits: int
    once: bool = False
    """Include the set-up of a key that is used for one block."""


Question = Program | Context | DropInKey | Steps | DropInCode | Files | Hash | Measured | OnTheFly


@dataclass(frozen=True)
class Asked:
    """A question, and the largest value that meets its goal."""

    name: str
    """Identifier, stable between versions."""
    what: str
    unit: str
    goal: float | None
    """The goal; None if there is none, or if the question measures it."""
    question: Question


M0 = "cortex-m0plus"
M3 = "cortex-m3"
M4 = "cortex-m4"
ARM7 = "arm7tdmi"
TITLES = {M0: "Cortex-M0+", M3: "Cortex-M3", M4: "Cortex-M4", ARM7: "ARM7TDMI"}
ENCRYPT, BOTH = 1, 3


def _sizes() -> list[Asked]:
    seal = "program with one GCM call, Cortex-M0+"
    named = Program(M0, "&aesfit_core_transposed_encrypt")
    core = ("cores/aesni.c",)
    return [
        Asked("gcm-program-default", f"{seal}, default", "flash", 8192, Program(M0)),
        Asked("gcm-program-transposed", f"{seal}, transposed", "flash", 6144, named),
        Asked("aesni-narrow", "aesni, 128-bit registers", "flash", 40e3,
              Files((*core, "bulk/aesni_*.c"))),
        Asked("aesni-wide", "aesni, 512-bit registers", "flash", 60e3, Files(("bulk/vaes_*.c",))),
        Asked("gcm-key-transposed-otf", "GCM key, transposed_otf", "RAM", 64,
              Context(M0, "transposed_otf")),
        Asked("gcm-key-fixslice", "GCM key, fixslice", "RAM", 400, Context(M0, "fixslice")),
        Asked("gcm-state", "GCM state", "RAM", 100, Context(M0, "fixslice", "aesfit_gcm_state")),
        Asked("ecb-key-separate", "ECB drop-in's key, ttable1, one direction", "RAM", 180,
              DropInKey(M0, "ttable1", "ecb", separate=True)),
        Asked("ecb-key-both", "ECB drop-in's key, ttable1, both directions", "RAM", None,
              DropInKey(M0, "ttable1", "ecb", separate=False)),
    ]  # fmt: skip


def _tiny() -> list[Asked]:
    found = []
    for on in (M3, M0):
        title = f"tiny, {TITLES[on]}"
        found += [
            Asked(f"tiny-encrypt-{on}", f"{title}, encryption", "flash", 600,
                  Steps(on, "tiny", ENCRYPT)),
            Asked(f"tiny-both-{on}", f"{title}, both directions", "flash", 1150,
                  Steps(on, "tiny", BOTH)),
            Asked(f"tiny-ccm-{on}", f"{title}, CCM drop-in", "flash", 1800,
                  DropInCode(on, "tiny", "ccm")),
        ]  # fmt: skip
    message = Measured(M3, "tiny", "message", "ccm", payload_bytes=1504, flags="-Os")
    return [
        *found,
        Asked("tiny-ccm-cycles", "tiny, Cortex-M3, CCM, 1504 bytes", "cycles", 1.1e6, message),
    ]


def _hashes() -> list[Asked]:
    goals = {(M3, "mul_low"): 75, (M4, "mul32"): 55, (M0, "mul_low"): 150}
    return [
        Asked(f"ghash-{ghash}-{on}", f"GHASH alone, {TITLES[on]}, {ghash}", "c/B",
              goals.get((on, ghash)), Hash(on, ghash))
        for on in (M3, M4, M0)
        for ghash in BY_SPEED
    ]  # fmt: skip


def _messages() -> list[Asked]:
    asked = (
        (M3, "ctr", None, 40), (M3, "gcm", "mul_low", 115), (M3, "gcm", "table4", 95),
        (M0, "gcm", "table4", 190),
    )  # fmt: skip
    return [
        Asked(
            "-".join(filter(None, (mode, ghash, on))),
            f"{mode.upper()}, 1504 bytes, {TITLES[on]}, ttable1" + (f", {ghash}" if ghash else ""),
            "c/B", goal,
            Measured(on, "ttable1", "encrypt", mode, 128, 1504, ghash, figure="cycles_per_byte"),
        )
        for on, mode, ghash, goal in asked
    ]  # fmt: skip


def _blocks() -> list[Asked]:
    goals = {
        (M4, "sbox_columns_dsp"): (844, 1150), (M0, "sbox_columns_mul"): (1900, 2400),
    }  # fmt: skip
    return [
        Asked(f"{core}-{op}-{on}", f"{core}, {TITLES[on]}, {op}", "cycles", goal,
              Measured(on, core, f"{op}-block"))
        for (on, core), both in goals.items()
        for op, goal in zip(("encrypt", "decrypt"), both, strict=True)
    ]  # fmt: skip


def _on_the_fly() -> list[Asked]:
    found = []
    for core in ("transposed_otf", "sbox_columns_otf", "ttable1_otf"):
        for bits in (128, 192, 256):
            told, name = f"{core}, ARM7TDMI, {bits} bits", f"{core}-{bits}"
            found += [
                Asked(f"{name}-encrypt", f"{told}, encrypt", "cycles", None,
                      OnTheFly(ARM7, core, "encrypt", bits)),
                Asked(f"{name}-encrypt-once", f"{told}, set up and encrypt", "cycles", None,
                      OnTheFly(ARM7, core, "encrypt", bits, once=True)),
                Asked(f"{name}-decrypt", f"{told}, decrypt", "cycles", None,
                      OnTheFly(ARM7, core, "decrypt", bits)),
            ]  # fmt: skip
    return found


QUESTIONS = (*_sizes(), *_tiny(), *_hashes(), *_messages(), *_blocks(), *_on_the_fly())
