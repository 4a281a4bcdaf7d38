# SPDX-License-Identifier: MIT
"""A mode's key set-up and messages, over any domain."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..building.unit import entries
from ..jobs import message
from ..jobs.job import Job
from .calls import Calls
from .domain import Unwritten, Value
from .findings import StuckError
from .state import Extent, State, settled

Make = Callable[[int], list[Value]]
"""So many bytes of the domain."""


_GIVEN = ("key", "nonce", "ad", "data", "tag")
"""Fields of Parts that are memory."""


@dataclass(frozen=True)
class Parts:
    """What a call is given."""

    key: Sequence[Value]
    nonce: Sequence[Value]
    ad: Sequence[Value]
    data: Sequence[Value]
    """`in`: of CCMP with its header, of what decrypts the ciphertext."""
    tag: Sequence[Value]
    """To compare with, or room for one."""
    nonce_word: int
    ad_bytes: int
    out_bytes: int
    """Bytes that the call writes to `out`."""


@dataclass(frozen=True)
class Ended:
    """One way in which a call returned."""

    state: State
    status: Value
    out: list[Value]
    tag: list[Value]


Places = Mapping[str, Extent]
"""Where the parts of a message lie, by name, with `context`, `out` and `message`."""


class CallForm(Protocol):
    """How key set-up and message are called."""

    def context_bytes(self, calls: Calls) -> int:
        """Room for the expanded key."""

    def set_up(self, parts: Parts, at: Places) -> tuple[str, tuple[int, ...]]:
        """Function and arguments that expand the key."""

    def act(self, parts: Parts, at: Places) -> tuple[str, tuple[int, ...]]:
        """Function and arguments of the message."""


@dataclass(frozen=True)
class Harness:
    """The entries of the images that are measured (building/firmware/harness.c)."""

    job: Job

    def context_bytes(self, calls: Calls) -> int:
        """The harness says so."""
        return calls.number("rig_context_bytes")

    def set_up(self, parts: Parts, at: Places) -> tuple[str, tuple[int, ...]]:
        """Function and arguments that expand the key."""
        return entries(self.job)[0], (at["context"].start, at["message"].start)

    def act(self, parts: Parts, at: Places) -> tuple[str, tuple[int, ...]]:
        """Function and arguments of the message."""
        return entries(self.job)[1], (at["context"].start, at["message"].start)


@dataclass
class MessageCalls:
    """Key set-up and one message."""

    calls: Calls
    interface: CallForm
    states: list[State] = field(default_factory=list)
    """Those in which calls returned, for what they leave on the stack."""

    def set_up(self, parts: Parts) -> tuple[list[State], dict[str, Extent]]:
        """Set the key up; the states in which it is, and where the parts lie."""
        calls = self.calls
        state, at = calls.executor.fresh(), self._places(parts)
        for name in _GIVEN:
            calls.put(state, at[name].start, getattr(parts, name))
        for number, word in enumerate(_words(parts, at)):
            state.memory.write(at["message"].start + number * calls.word, calls.word, word)
        ended = calls.call(state, *self.interface.set_up(parts, at), (at["context"],))
        self.states += ended
        refused = (isinstance(word, int) and word != 0 for word in map(self._status, ended))
        # XTS refuses keys with equal halves.
        return [one for one, no in zip(ended, refused, strict=True) if not no], at

    def run(self, parts: Parts) -> list[Ended]:
        """Set the key up, and run the message; the ways in which it returned."""
        calls, ended = self.calls, []
        ready_states, at = self.set_up(parts)
        for ready in ready_states:
            writable = [at[name] for name in ("out", "nonce", "tag", "message")]
            for after in calls.call(ready.copy(), *self.interface.act(parts, at), writable):
                self.states.append(after)
                ended.append(self._ended(after, parts, at))
        if not ended:
            raise StuckError("the key set-up accepts no key")
        return ended

    def _places(self, parts: Parts) -> dict[str, Extent]:
        """Where the parts lie, each at another distance from an aligned address."""
        sizes = {name: len(getattr(parts, name)) for name in _GIVEN}
        sizes["out"] = max(parts.out_bytes, len(parts.data))
        places = {
            name: self.calls.room(max(1, size), off)
            for off, (name, size) in enumerate(sizes.items())
        }
        places["message"] = self.calls.room(message.WORDS * self.calls.word)
        return {**places, "context": self.calls.room(self.interface.context_bytes(self.calls))}

    def _ended(self, after: State, parts: Parts, places: Places) -> Ended:
        out = self.calls.get(after, places["out"].start, parts.out_bytes)
        tag = self.calls.get(after, places["tag"].start, len(parts.tag))
        return Ended(after, self._status(after), out, tag)

    def _status(self, state: State) -> Value:
        """What the function returned; a word where it depends on a secret."""
        executor = self.calls.executor
        value = executor.operations.force(executor.register(state, executor.convention.result))
        if isinstance(value, int):
            return value & 0xFFFF_FFFF
        return value if isinstance(value, Unwritten) else settled(executor.domain, state, value, 32)


def _words(parts: Parts, places: Places) -> tuple[int, ...]:
    """The struct rig_message, in the order of message.WORDS."""
    at = {name: place.start for name, place in places.items()}
    room = max(parts.out_bytes, len(parts.data))
    before = (at["key"], at["nonce"], parts.nonce_word, at["ad"], parts.ad_bytes, at["out"], room)
    return (*before, at["data"], len(parts.data), at["tag"], len(parts.tag), 0)


def parts_of(job: Job, secret: Make) -> Parts:
    """All parts secret, but for the counter of CTR and what CCMP sends in the clear."""
    shape = message.check(job)
    size, decrypts = job.bytes or 0, entries(job)[1] == "rig_decrypt"
    key = secret(message.key_bytes(job))
    if job.mode == "ccmp":
        return _ccmp(key, size, decrypts, secret)
    grown = {"kw": 8, "pkcs7": 16 - size % 16}.get(str(job.mode), 0)
    given, made = (size + grown, size) if decrypts else (size, size + grown)
    nonce: Sequence[Value] = COUNTER if job.mode == "ctr" else secret(shape.nonce)
    return Parts(
        key, nonce, secret(shape.ad), secret(given), secret(shape.tag), shape.nonce,
        shape.ad, 0 if job.mode in ("cmac", "cbc_mac") else made,
    )  # fmt: skip


COUNTER = bytes.fromhex("00112233445566778899aabbfffffffe")
"""Of CTR: it is public, the library branches on its carries, and its third value has many."""
HEADER = bytes((0x08, 0x01, 0, 0)) + bytes(range(0x10, 0x24))
"""Of a data frame to the distribution system, 24 bytes (IEEE 802.11-2012, 8.2.4)."""
CCMP_HEADER = bytes((message.CCMP_PACKET_NUMBER, 0, 0, 0x20, 0, 0, 0, 0))
"""Packet number and Ext IV (11.4.3.2)."""
PROTECTED = 0x40
"""Of the second octet of Frame Control."""
_MIC = 8


def _ccmp(key: list[Value], size: int, decrypts: bool, secret: Make) -> Parts:
    """The header is public, packet number included."""
    if decrypts:
        header = [HEADER[0], HEADER[1] | PROTECTED, *HEADER[2:], *CCMP_HEADER]
        data, made = [*header, *secret(size + _MIC)], len(HEADER) + size
    else:
        data, made = [*HEADER, *secret(size)], len(HEADER) + len(CCMP_HEADER) + size + _MIC
    number = message.CCMP_PACKET_NUMBER
    return Parts(key, (), (), data, (), number, len(HEADER), made)
