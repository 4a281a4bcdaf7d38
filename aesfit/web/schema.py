# SPDX-License-Identifier: MIT
"""What the page asks and what it is answered; checked by pydantic before anything is computed."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ..choosing.request import BLOCK_BYTES, MODES, Objective, models_misses
from ..errors import unknown
from ..jobs.job import ConstantTime
from ..platforms.find import platform_named, platforms
from ..platforms.platform import Platform

MOST_CALLS = 4096
"""Of a burst on the page."""
PAYLOADS = (16, 64, 256, 576, 1504, 4096, 16384)
"""Bytes of a message that the page offers."""
Bytes = Annotated[int, Field(ge=0, le=1 << 30)]


def _named(name: str) -> str:
    """A platform's name; never a path, which would open files on behalf of a page."""
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
    key_changes: int | None = Field(
        None, ge=1, le=MOST_CALLS, description="Messages under one key; else set-up is not charged."
    )
    flash: Bytes | None = Field(None, description="Bytes of code and tables allowed.")
    ram: Bytes | None = Field(None, description="Bytes of keys and stack allowed.")
    constant_time: Literal["always", "sampled", "uniform-memory"] | None = Field(
        None, description="The weakest value allowed; true, in older links, means always."
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
    key_bits: Literal[128, 192, 256] = 128

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

    @field_validator("constant_time", mode="before")
    @classmethod
    def _constant_time(cls, value: object) -> object:
        return (
            {"true": "always", "false": None}.get(value, value) if isinstance(value, str) else value
        )

    @field_validator("key_bits", mode="before")
    @classmethod
    def _key_bits(cls, value: object) -> object:
        return int(value) if isinstance(value, str) and value in ("128", "192", "256") else value

    @model_validator(mode="after")
    def _belongs(self) -> "PageQuestion":
        """What is said of caches fits the platform's kind."""
        geometry = (self.cache, self.line, self.ways, self.penalty)
        asked = (*geometry, self.evicted, self.burst)
        if not models_misses(self.target) and any(one is not None for one in asked):
            raise ValueError(
                f"{self.platform} has no data cache; leave out cache, line, ways, penalty, evicted "
                "and burst"
            )
        return self

    @property
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
    modes: list[str]
    mode: str = Field(description="Where a question names none.")
    cache: PageGeometry | None
    penalty: Cost | None
    unavailable: str | None = Field(description="Why nothing can be measured, with a command.")


class Choices(BaseModel):
    """What can be picked."""

    platforms: list[Offered]
    bytes: list[int]
    token: str = Field(description="Sent back with each question; of one page, and of this server.")


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
    constant_time: ConstantTime
    proved: str = Field(description="Lengths at which its image is proved; empty without a proof.")
    front: bool = Field(description="No other beats it in cycles, flash and RAM at once.")


class Left(BaseModel):
    """A core that is not ranked; figures are null where nothing could be measured."""

    core: str
    reason: str
    cycles: float | None = None
    flash: int | None = None
    ram: int | None = None
    constant_time: ConstantTime | None = None
    proved: str = ""


class PageAnswer(BaseModel):
    """What the page shows."""

    state: Literal["ready"] = "ready"
    question: PageQuestion
    asked: str
    winner: str | None
    sentence: str
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
    """Ask again soon."""

    state: Literal["measuring"] = "measuring"
    done: int
    total: int


class Unavailable(BaseModel):
    """Nothing to show, and why; where a command would help, the sentence ends with it."""

    state: Literal["unavailable"] = "unavailable"
    reason: str
