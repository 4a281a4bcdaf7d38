# SPDX-License-Identifier: MIT
"""What the page asks and what it is answered; checked by pydantic before anything is computed."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from ..choosing.request import (
    BLOCK_BYTES,
    MODES,
    Objective,
    PacketSizes,
    TimingLimit,
    models_misses,
)
from ..errors import unknown
from ..jobs.secrecy import Kind, Timing
from ..platforms.find import platform_named, platforms
from ..platforms.platform import Platform
from ..units import parse_clock, parse_packets, parse_rate

MOST_CALLS = 4096
"""Of a burst on the page."""
PAYLOADS = (16, 64, 256, 576, 1504, 4096, 16384)
"""Bytes of a message that the page offers."""
MOST_SIZES = 8
"""Of a mix of packets; each is measured by itself."""
_PARSED: dict[str, Callable[[str], object]] = {
    "clock": parse_clock,
    "rate": parse_rate,
    "packets": parse_packets,
}
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
Bytes = Annotated[int, Field(ge=0, le=1 << 30)]


def _named(name: str) -> str:
    """A platform's name; never a path, which would open files on behalf of a page."""
    if _NAME.fullmatch(name):
        try:
            return platform_named(name).name
        except ValueError:
            pass  # told below, with the names that the page offers
    known = [one.name for one in platforms()]
    if name not in known:
        raise ValueError(f"{unknown('platform', name, known)}; choose from: {', '.join(known)}")
    return name


class PageQuestion(BaseModel):
    """All of it; None: as the platform is, or no limit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    platform: str = Field(
        description="As in `aesfit platforms`.",
        max_length=100,
        json_schema_extra=lambda schema: schema.update(enum=[one.name for one in platforms()]),
    )
    cache: int | None = Field(None, ge=16, le=1 << 20, description="Bytes of the data cache.")
    line: int | None = Field(None, ge=4, le=1 << 10, description="Bytes, a power of two.")
    ways: int | None = Field(None, ge=1, le=1 << 10)
    penalty: float | None = Field(
        None, ge=0, le=10_000, allow_inf_nan=False, description="Cycles of a miss."
    )
    evicted: float | None = Field(
        None,
        ge=0,
        le=100,
        allow_inf_nan=False,
        description="Percent of the cache lines, by other programs between bursts; else 100.",
    )
    burst: int | None = Field(None, ge=1, le=MOST_CALLS, description="Calls in a burst; else 64.")
    misses: Literal["modelled", "measured"] = Field(
        "modelled",
        description="Behind a data cache: those that the cache model expects in bursts, or those "
        "that were measured in one message.",
    )
    key_changes: int | None = Field(
        None, ge=1, le=MOST_CALLS, description="Messages under one key; else set-up is not charged."
    )
    flash: Bytes | None = Field(None, description="Bytes of code and tables allowed.")
    ram: Bytes | None = Field(None, description="Bytes of keys and stack allowed.")
    timing: TimingLimit | None = Field(
        None, description="Cores allowed; else all, those that are proved independent first."
    )
    objective: Objective = "cycles"
    encrypt_only: bool = Field(False, description="The firmware never decrypts.")
    mode: str | None = Field(
        None,
        max_length=20,
        description="block: the block cipher alone, which without a data cache is a firmware that "
        "only encrypts; else that, where nothing else is published, and ccm elsewhere.",
        json_schema_extra={"enum": list(MODES)},
    )
    bytes: int | None = Field(
        None,
        ge=1,
        le=PAYLOADS[-1],
        description=f"Payload of one message; else 1504, and {BLOCK_BYTES} in the mode block.",
    )
    packets: str | None = Field(
        None,
        max_length=200,
        description="Payload bytes and shares of packets, as 64:7,1504:1, in the place of bytes.",
    )
    key_bits: Literal[128, 192, 256] = 128
    ghash: str | None = Field(
        None, max_length=20, description="Multiplier of gcm; else each that competes there."
    )
    clock: str | None = Field(
        None, max_length=40, description="As 72MHz; else the platform's highest, where it has one."
    )
    rate: str | None = Field(
        None, max_length=40, description="Payload to keep up with, as 54Mbit/s."
    )

    @field_validator("platform")
    @classmethod
    def _platform(cls, name: str) -> str:
        return _named(name)

    @field_validator("mode")
    @classmethod
    def _mode(cls, name: str | None) -> str | None:
        if name is not None and name not in MODES:
            raise ValueError(f"{unknown('mode', name, list(MODES))}; choose from: {list(MODES)}")
        return name

    @field_validator("clock", "rate", "packets")
    @classmethod
    def _quantity(cls, text: str | None, info: ValidationInfo) -> str | None:
        if text is not None:
            _PARSED[str(info.field_name)](text)
        return text

    @field_validator("packets")
    @classmethod
    def _few(cls, text: str | None) -> str | None:
        sizes = [] if text is None else parse_packets(text)
        if len(sizes) > MOST_SIZES or any(size > PAYLOADS[-1] for size, _ in sizes):
            raise ValueError(
                f"the page takes up to {MOST_SIZES} sizes of up to {PAYLOADS[-1]:,} bytes"
            )
        return text

    @field_validator("key_bits", mode="before")
    @classmethod
    def _key_bits(cls, value: object) -> object:
        return int(value) if isinstance(value, str) and value in ("128", "192", "256") else value

    @model_validator(mode="after")
    def _belongs(self) -> "PageQuestion":
        """What is said of caches fits the platform's kind."""
        geometry = (self.cache, self.line, self.ways, self.penalty)
        asked = any(one is not None for one in (*geometry, self.evicted, self.burst))
        if not models_misses(self.target) and (asked or self.misses == "measured"):
            raise ValueError(
                f"{self.platform} has no data cache; leave out cache, line, ways, penalty, "
                "evicted, burst and misses"
            )
        if self.misses == "measured" and asked:
            raise ValueError(
                "misses are measured behind the caches of the platform's file; leave out cache, "
                "line, ways, penalty, evicted and burst"
            )
        return self

    @property
    def sizes(self) -> PacketSizes:
        """Sizes and shares of a mix of packets; empty where all messages have one size."""
        return () if self.packets is None else parse_packets(self.packets)

    @property
    def clock_hz(self) -> float | None:
        """Cycles per second; None: the platform's own."""
        return None if self.clock is None else parse_clock(self.clock)

    @property
    def bit_per_s(self) -> float | None:
        """Payload bits per second to keep up with."""
        return None if self.rate is None else parse_rate(self.rate)

    @cached_property
    def target(self) -> Platform:
        """The platform itself."""
        return platform_named(self.platform)


class PageGeometry(BaseModel):
    """A data cache; bytes."""

    size: int
    line: int
    ways: int


class Cost(BaseModel):
    """Cycles that a miss costs: base + per_byte * line."""

    base: float
    per_byte: float


class Offered(BaseModel):
    """A platform of the list."""

    name: str
    title: str
    kind: Literal["cached", "messages"]
    group: str
    published: bool
    clock: float | None = Field(description="MHz, unless a question says another.")
    ghashes: list[str]
    modes: list[str]
    mode: str = Field(description="Where a question names none.")
    cache: PageGeometry | None
    penalty: Cost | None
    unavailable: str | None = Field(description="Why nothing can be measured, with a command.")


class Choices(BaseModel):
    """What can be picked."""

    platforms: list[Offered]
    start: str = Field(description="The platform of a page that is opened for the first time.")
    bytes: list[int]
    token: str = Field(description="Sent back with each question; of this server.")


class Curves(BaseModel):
    """Cycles against burst length."""

    calls: list[int]
    cores: dict[str, list[float]]


class Best(BaseModel):
    """Burst lengths at which one core is the fastest of those within the limits."""

    first: int = Field(alias="from")
    last: int = Field(alias="to")
    core: str


class Crossing(BaseModel):
    """Where the fastest core changes."""

    calls: int
    before: str = Field(alias="from")
    to: str
    cycles: float


class Ranked(BaseModel):
    """A core within the limits."""

    rank: int
    core: str
    ghash: str | None = Field(default=None, description="GHASH multiplier; null but for GCM.")
    cycles: float
    flash: int
    ram: int
    timing: Timing
    evidence: str | None = Field(description="Of independence; null where there is none.")
    kind: Kind = Field(description="Timing and evidence in a word.")
    proved: str = Field(description="Lengths at which its image is proved; empty without a proof.")
    front: bool = Field(description="No other beats it in cycles, flash and RAM at once.")


class Left(BaseModel):
    """A core that is not ranked; figures are null where nothing could be measured."""

    core: str
    reason: str
    cycles: float | None = None
    flash: int | None = None
    ram: int | None = None
    timing: Timing | None = None
    evidence: str | None = None
    kind: Kind | None = None
    proved: str = ""


class PageAnswer(BaseModel):
    """What the page shows; `partial` while cores are still being measured."""

    state: Literal["ready", "partial"] = "ready"
    done: int = Field(0, description="Of a partial answer: what is measured ...")
    total: int = Field(0, description="... of so much.")
    question: PageQuestion
    asked: str
    winner: str | None
    sentence: str
    verdict: list[str] = Field(description="The same in a few short lines.")
    unit: str
    each: str
    counted: str
    across_bursts: str
    burst: int | None = Field(description="Where the question is on the curve; null: nowhere.")
    flash_is: str
    ram_is: str
    curve: Curves
    best: list[Best]
    crossovers: list[Crossing]
    ranking: list[Ranked]
    dropped: list[Left]
    notes: list[str]
    command: str


class Measuring(BaseModel):
    """How far it is; more lines follow."""

    state: Literal["measuring"] = "measuring"
    done: int
    total: int


class Unavailable(BaseModel):
    """Nothing to show, and why; where a command would help, the sentence ends with it."""

    state: Literal["unavailable"] = "unavailable"
    reason: str
