# SPDX-License-Identifier: MIT
"""A mode's key set-up and messages, over any domain."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from ..building.unit import entries
from ..catalog import Mode
from ..jobs import message
from ..jobs.job import Job
from ..measuring.proofs import long_bytes
from .calls import Calls
from .domain import Unwritten, Value
from .findings import StuckError
from .state import Extent, State, settled

Make = Callable[[int], list[Value]]
"""So many bytes of the domain."""


_GIVEN = ("key", "nonce", "ad", "data", "tag")
"""Fields of Parts that are memory."""


@dataclass(frozen=True)
class PartSizes:
    """Bytes of what is not the payload."""

    nonce: int
    ad: int
    tag: int


@dataclass(frozen=True)
class Layout:
    """How a message lies in memory, and how long its parts are but for the payload."""

    name: str
    offsets: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
    """Bytes beyond a multiple of 64 of each of _GIVEN and of `out`."""
    in_place: bool = False
    """`out` is `data`."""
    sizes: PartSizes | None = None
    """None: those that are measured."""

    def sizes_of(self, job: Job) -> PartSizes:
        """Of the job's mode."""
        shape = message.check(job)
        return self.sizes or PartSizes(shape.nonce, shape.ad, shape.tag)


ALIGNED = Layout("aligned")
IN_PLACE = Layout("in place", in_place=True)
_STAGGER = (0, 1, 2, 3, 4, 5)
STAGGERED = Layout("each buffer at another distance from a word", _STAGGER)
LAYOUTS = (STAGGERED, ALIGNED, IN_PLACE)
"""Code may treat words, and data that it replaces, apart."""
_LONGEST_NONCE, _LONG_AD = 16, 40
"""Bytes: GCM's nonces have up to 2^61, of which a block is run; and three blocks with a length."""
_SIZED_BYTES, _HASHED_BYTES = 16, 33
"""Payloads that other sizes are run with.  GCM's longer nonces are hashed, so the counter is a
secret, and code and standard count on from all its values at once; three blocks of payload are
counted by all the code that counts."""


def layouts(job: Job) -> tuple[Layout, ...]:
    """Those in which a job's message is proved: all from the longest of the usual lengths on.

    Shorter messages lie at odd addresses, and some lengths have other sizes too.  Messages that
    are there for their loops are aligned, as those that are measured.
    """
    mode, size = job.shape, job.bytes or 0
    if size in long_bytes(mode):
        return (ALIGNED,)
    found = LAYOUTS if size >= message.proved_bytes(mode)[-1] else LAYOUTS[:1]
    return found + _sized(mode, size)


def named(some: Sequence[Layout]) -> str:
    """Those that were run, in words."""
    return "; ".join(one.name for one in some)


def _other_sizes(mode: Mode, size: int) -> Iterator[PartSizes]:
    """The shortest and the longest nonce and tag, without and with associated data.

    `size`: of the payload that they are run with.
    """
    usual = PartSizes(mode.nonce, mode.ad, mode.tag)
    if mode.header or mode.tags.least == mode.tags.most:
        return
    if size == _SIZED_BYTES:
        yield PartSizes(mode.nonces.least, 0, min(mode.tags.least, *mode.short_tags, mode.tag))
    longest = min(mode.nonces.most, _LONGEST_NONCE)
    most = PartSizes(longest, _LONG_AD if mode.ads.most else 0, mode.tags.most)
    if most != usual and size == (_HASHED_BYTES if mode.hashes else _SIZED_BYTES):
        yield most


def _sized(mode: Mode, size: int) -> tuple[Layout, ...]:
    return tuple(
        Layout(
            f"{one.nonce} bytes of nonce, {one.ad} of associated data, {one.tag} of tag",
            _STAGGER,
            sizes=one,
        )
        for one in _other_sizes(mode, size)
    )


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
    tag_written: bool = False
    nonce_written: bool = False


@dataclass(frozen=True)
class Ended:
    """One way in which a call returned."""

    state: State
    status: Value
    out: list[Value]
    tag: list[Value]
    nonce: list[Value]


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
    layout: Layout = STAGGERED

    def set_up(self, parts: Parts) -> tuple[list[Ended], dict[str, Extent]]:
        """Set the key up; the ways in which that returned, and where the parts lie."""
        calls = self.calls
        state, at = self._begun(), self._places(parts)
        self._give(state, parts, at)
        ended = calls.call(state, *self.interface.set_up(parts, at), (at["context"],))
        self.states += ended
        return [Ended(one, self._status(one), [], [], []) for one in ended], at

    def _give(self, state: State, parts: Parts, at: Places) -> None:
        """Write the parts, and the struct that says where they lie."""
        calls = self.calls
        for name in _GIVEN:
            calls.put(state, at[name].start, getattr(parts, name))
        for number, word in enumerate(self._words(parts, at)):
            state.memory.write(at["message"].start + number * calls.word, calls.word, word)

    def _begun(self) -> State:
        """The state before the first call."""
        return self.calls.executor.fresh()

    def run(self, parts: Parts) -> list[Ended]:
        """Set the key up, and run the message; the ways in which one of them returned."""
        ready, at = self.set_up(parts)
        refused = [one for one in ready if isinstance(one.status, int) and one.status != 0]
        if len(refused) == len(ready):
            raise StuckError("the key set-up accepts no key")
        return refused + [
            after for one in ready if one not in refused for after in self._act(one, parts, at)
        ]

    def another(self, ready: Ended, parts: Parts, at: Places) -> list[Ended]:
        """The ways in which a message returned under a key that is set up.

        Its parts may hold other bytes than those that were there at the set-up, and as many.
        """
        given = replace(ready, state=ready.state.copy())
        self._give(given.state, parts, at)
        return self._act(given, parts, at)

    def _act(self, ready: Ended, parts: Parts, at: Places) -> list[Ended]:
        """The ways in which the message returned."""
        calls = self.calls
        ended = calls.call(
            ready.state.copy(), *self.interface.act(parts, at), self._writable(parts, at)
        )
        self.states += ended
        return [self._ended(one, parts, at) for one in ended]

    def _writable(self, parts: Parts, at: Places) -> list[Extent]:
        """What the library's header does not call const; in `message` a length comes back."""
        names = ["out", "message", *(["nonce"] if parts.nonce_written else [])]
        names += ["tag"] if parts.tag_written else []
        return [at[name] for name in names]

    def _places(self, parts: Parts) -> dict[str, Extent]:
        """Where the parts lie."""
        sizes = {name: len(getattr(parts, name)) for name in _GIVEN}
        sizes["out"] = max(parts.out_bytes, len(parts.data))
        if self.layout.in_place:
            sizes["data"] = sizes["out"]
        places = {
            name: self.calls.room(max(1, size), off)
            for (name, size), off in zip(sizes.items(), self.layout.offsets, strict=True)
        }
        if self.layout.in_place:
            places["out"] = places["data"]
        places["message"] = self.calls.room(message.WORDS * self.calls.word)
        return {**places, "context": self.calls.room(self.interface.context_bytes(self.calls))}

    def _words(self, parts: Parts, places: Places) -> tuple[Value, ...]:
        """The struct rig_message, in the order of message.WORDS."""
        at = {name: place.start for name, place in places.items()}
        room = max(parts.out_bytes, len(parts.data))
        key = (at["key"], at["nonce"], parts.nonce_word, at["ad"], parts.ad_bytes)
        return (*key, at["out"], room, at["data"], len(parts.data), at["tag"], len(parts.tag), 0)

    def _ended(self, after: State, parts: Parts, places: Places) -> Ended:
        sizes = {"out": parts.out_bytes, "tag": len(parts.tag), "nonce": len(parts.nonce)}
        read = {name: self.calls.get(after, places[name].start, n) for name, n in sizes.items()}
        return Ended(after, self._status(after), **read)

    def _status(self, state: State) -> Value:
        """What the function returned; a word where it depends on a secret."""
        executor = self.calls.executor
        value = executor.operations.force(executor.register(state, executor.convention.result))
        if isinstance(value, int):
            return value & 0xFFFF_FFFF
        return value if isinstance(value, Unwritten) else settled(executor.domain, state, value, 32)


def parts_of(job: Job, secret: Make, layout: Layout = STAGGERED) -> Parts:
    """All parts secret, but for the counter of CTR and what CCMP sends in the clear."""
    sizes = layout.sizes_of(job)
    size, decrypts = job.bytes or 0, entries(job)[1] == "rig_decrypt"
    key = secret(message.key_bytes(job))
    mode = job.shape
    if mode.header:
        return _ccmp(key, size, decrypts, secret)
    grown = mode.grows + (mode.pads_to - size % mode.pads_to if mode.pads_to else 0)
    given, made = (size + grown, size) if decrypts else (size, size + grown)
    nonce: Sequence[Value] = COUNTER if mode.public_nonce else secret(sizes.nonce)
    return Parts(
        key, nonce, secret(sizes.ad), secret(given), secret(sizes.tag), sizes.nonce, sizes.ad,
        0 if mode.is_mac else made, not decrypts, mode.carries == "nonce",
    )  # fmt: skip


COUNTER = bytes.fromhex("0011fffffffffffffffffffffffffffe")
"""Of CTR: it is public, the library branches on its carries, and the one to its third value ends in
the second byte."""
COUNTING = bytes.fromhex("00fffffe")
"""The last word where the bytes before it are any: carries to its third value reach each byte."""


def any_counter(job: Job, layout: Layout) -> bool:
    """CTR is compared for every counter that ends in COUNTING; aligned, for COUNTER."""
    return job.mode == "ctr" and layout != ALIGNED


HEADER = bytes((0x08, 0x01, 0, 0)) + bytes(range(0x10, 0x24))
"""Of a data frame to the distribution system, 24 bytes (IEEE 802.11-2012, 8.2.4)."""
CCMP_HEADER = bytes((message.CCMP_PACKET_NUMBER, 0, 0, 0x20, 0, 0, 0, 0))
"""Packet number and Ext IV (11.4.3.2)."""
PROTECTED = 0x40
"""Of the second octet of Frame Control."""
MIC = 8
"""Bytes that CCMP authenticates with (11.4.3.1)."""


def _ccmp(key: list[Value], size: int, decrypts: bool, secret: Make) -> Parts:
    """The header is public, packet number included."""
    if decrypts:
        header = [HEADER[0], HEADER[1] | PROTECTED, *HEADER[2:], *CCMP_HEADER]
        data, made = [*header, *secret(size + MIC)], len(HEADER) + size
    else:
        data, made = [*HEADER, *secret(size)], len(HEADER) + len(CCMP_HEADER) + size + MIC
    number = message.CCMP_PACKET_NUMBER
    return Parts(key, (), (), data, (), number, len(HEADER), made)
