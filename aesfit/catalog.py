# SPDX-License-Identifier: MIT
"""What exists: the AES cores, modes and GHASH multipliers built into the library.

Every fact is read from the C structs of the built library (lib/src/core.h and lib/src/mode.h
explain them); nothing about a core or a mode is written down a second time here.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from . import _native

Direction = Literal["encrypt", "decrypt", "key-schedule"]


@dataclass(frozen=True)
class Table:
    """A table that a core reads at secret indices; listed once for each direction it serves."""

    name: str
    bytes: int
    reads_middle_round: int
    """Reads per block in each round but the last."""
    reads_last_round: int
    """Reads per block in the last round."""
    direction: Direction
    reads_correction: tuple[int, int, int] = (0, 0, 0)
    """Reads per block to add for 128, 192 and 256-bit keys, where a key schedule computed on the
    fly does not fall on every round alike."""

    def reads_per_block(self, key_bits: int) -> int:
        """Reads of this table for one block under a key of 128, 192 or 256 bits."""
        rounds = key_bits // 32 + 6
        correction = self.reads_correction[key_bits // 64 - 2]
        return (rounds - 1) * self.reads_middle_round + self.reads_last_round + correction


@dataclass(frozen=True)
class Core:
    """One AES implementation."""

    name: str
    summary: str
    source: str
    """Paper and section the algorithm comes from."""
    lanes: int
    """Blocks worked on at once."""
    tables: tuple[Table, ...]
    table_bytes: int
    """Bytes of the tables read while encrypting."""
    table_bytes_decrypt: int
    """Bytes of the tables read while decrypting."""
    round_key_bytes: dict[str, dict[str, int]]
    """Bytes of expanded key by key bits ("128" ...) and direction ("encrypt" "decrypt" "both")."""
    constant_time: bool
    """No branch, address or multiply operand depends on a secret."""
    on_the_fly_keys: bool
    """Round keys are computed during each block."""
    needs: str
    """Instruction set beyond the baseline; empty for none."""
    available: bool
    """This processor can run it."""
    study: bool
    """Exists for the papers."""
    study_rounds: bool
    """Takes fewer rounds through AES.study()."""
    code_bytes: int | None
    """Machine code of the core in this build: key expansion, both directions and bulk paths;
    None where the build could not measure it."""


@dataclass(frozen=True)
class Ghash:
    """One GHASH multiplier of GCM."""

    name: str
    summary: str
    source: str
    key_bytes: int
    table_bytes: int
    constant_time: bool
    constant_time_multiply: bool
    """Constant-time only where the processor's multiply instruction is."""
    constant_time_multiply_low: bool
    """The same of the instruction for the lower word of a product, which alone it uses."""
    needs: str
    available: bool


@dataclass(frozen=True)
class SizeRange:
    """Sizes in bytes: from the least to the most in steps; all zero where there is no such part."""

    least: int
    most: int
    step: int

    def __contains__(self, size: int) -> bool:
        """Whether it is one of them."""
        return self.least <= size <= self.most and (size - self.least) % max(1, self.step) == 0


@dataclass(frozen=True)
class ModeCall:
    """A public function that takes a message, and its arguments behind the key (mode.h)."""

    function: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Mode:
    """One mode, with its messages; sizes are in bytes."""

    name: str
    title: str
    """How people know it."""
    summary: str
    standard: str
    """Where it is specified."""
    acvp: str | None
    """Its name among NIST's vectors; None: it is not there, or under several names."""
    inverse: bool
    """Decryption needs the inverse cipher."""
    verdict: bool
    """Decryption tells whether a message is valid."""
    keystream: bool
    """A second message under the same nonce betrays both."""
    hashes: bool
    """Multiplies by a GHASH multiplier."""
    public_nonce: bool
    """The time depends on the nonce, which is public."""
    header: bool
    """A message begins with its associated data, which are public."""
    message_keys: bool
    """Each message has keys of its own, which lie on the stack and in no context."""
    key_bits: tuple[int, ...]
    keys: int
    """AES keys, one behind the other."""
    nonces: SizeRange
    """IV, nonce, counter or tweak."""
    ads: SizeRange
    tags: SizeRange
    short_tags: tuple[int, ...]
    """Sizes of tags beside these, for some uses alone."""
    payloads: SizeRange
    grows: int
    """Bytes by which the result is longer than the payload."""
    pads_to: int
    """Padded to a multiple of this, by a byte at least; 0: not padded."""
    nonce: int
    """In the messages that are measured,"""
    ad: int
    """likewise,"""
    tag: int
    """likewise."""
    nonce_called: str | None
    """Its name in programs; None: there is none."""
    nonce_rule: str | None
    """How it is chosen."""
    payload_rule: str | None
    """What to mind of a payload."""
    set_up: str
    """The library's function that expands the key."""
    state: str | None
    """Type of what a message keeps from call to call."""
    start: ModeCall | None
    """Makes a state ready; its arguments are not behind a key."""
    encrypt: ModeCall
    decrypt: ModeCall | None
    """Decrypts or verifies; None: the library has no such call."""
    carries: Literal["state", "nonce", "nothing"] | None
    """What goes from a call to the next one of a message; None: a call is a whole message."""
    streams: tuple[str, ...]
    """Names in `Cipher`."""
    segment: int
    """Bytes of a step, after which the next input follows; 0: there is no such chain."""
    block_calls: int
    """Calls of the block cipher for 16 bytes of payload; 0: other work counts as much."""
    loops: int
    """Bytes of a message in which every loop runs again; 0: one of a few bytes."""

    @property
    def least(self) -> int:
        """The shortest payload."""
        return self.payloads.least

    @property
    def multiple(self) -> int:
        """Payloads are multiples of this."""
        return self.payloads.step

    @property
    def called(self) -> str:
        """Its name in the Python package; of several in `Cipher`, that of the form with an IV."""
        return self.streams[-1] if self.streams else self.name.replace("_", "-")

    @property
    def verifies(self) -> bool:
        """The library has the decrypting or verifying call."""
        return self.decrypt is not None

    @property
    def is_mac(self) -> bool:
        """It makes a tag and no ciphertext."""
        return "out" not in self.encrypt.arguments


def _table_bytes(tables: tuple[Table, ...], direction: Direction) -> int:
    return sum(table.bytes for table in tables if table.direction == direction)


def _core(raw: dict[str, Any]) -> Core:
    tables = tuple(Table(**table) for table in raw["tables"])
    return Core(
        **{**raw, "tables": tables},
        table_bytes=_table_bytes(tables, "encrypt"),
        table_bytes_decrypt=_table_bytes(tables, "decrypt"),
    )


def _call(raw: tuple[str, str] | None) -> ModeCall | None:
    return None if raw is None else ModeCall(raw[0], tuple(raw[1].split()))


def _mode(raw: dict[str, Any]) -> Mode:
    calls = {name: _call(raw[name]) for name in ("start", "encrypt", "decrypt")}
    sizes = {name: SizeRange(*raw[name]) for name in ("nonces", "ads", "tags", "payloads")}
    return Mode(**{**raw, **calls, **sizes})


@cache
def cores() -> tuple[Core, ...]:
    """Every core built in, in the order of the register."""
    return tuple(_core(raw) for raw in _native.cores())


def core_named(name: str) -> Core:
    """The core of that name; ValueError where there is none."""
    for core in cores():
        if core.name == name:
            return core
    raise ValueError(f"there is no core {name!r}")


@cache
def ghashes() -> tuple[Ghash, ...]:
    """Every GHASH multiplier built in, in the order of the register."""
    return tuple(Ghash(**raw) for raw in _native.ghashes())


@cache
def modes() -> tuple[Mode, ...]:
    """Every mode, in the order of the register."""
    return tuple(_mode(raw) for raw in _native.modes())


MODES = {mode.name: mode for mode in modes()}
"""By name.  Measured messages of CCM and CCMP are those of IEEE 802.11: 13-byte nonce, 22 bytes of
associated data (a 24-byte header), 8-byte tag; GCM has the recommended nonce and the full tag."""
