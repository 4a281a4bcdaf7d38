# SPDX-License-Identifier: MIT
"""What the page asks and what it is answered; checked by pydantic before anything is computed."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ..catalog import cores
from ..errors import unknown
from ..fit import Objective
from ..platforms import Platform, platform_named, platforms
from ..rigs.firmware.message import MODES
from ..rigs.rig import ConstantTime

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


class Question(BaseModel):
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
    evicted: float = Field(
        100, ge=0, le=100, allow_inf_nan=False, description="Percent, by others between bursts."
    )
    burst: int = Field(
        64, ge=1, le=MOST_CALLS, description="Calls in a burst, or messages under one key."
    )
    flash: Bytes | None = Field(None, description="Bytes of code and tables allowed.")
    ram: Bytes | None = Field(None, description="Bytes of keys and stack allowed.")
    constant_time: bool = False
    objective: Objective = "cycles"
    mode: str = Field("ccm", max_length=20, json_schema_extra={"enum": list(MODES)})
    bytes: int = Field(1504, ge=1, le=PAYLOADS[-1], description="Payload of one message.")
    key_bits: Literal[128, 192, 256] = 128

    @field_validator("platform")
    @classmethod
    def _platform(cls, name: str) -> str:
        return _named(name)

    @field_validator("mode")
    @classmethod
    def _mode(cls, name: str) -> str:
        if name not in MODES:
            raise ValueError(f"{unknown('mode', name, list(MODES))}; choose from: {list(MODES)}")
        return name

    @field_validator("key_bits", mode="before")
    @classmethod
    def _key_bits(cls, value: object) -> object:
        return int(value) if isinstance(value, str) and value in ("128", "192", "256") else value

    @model_validator(mode="after")
    def _belongs(self) -> "Question":
        """A cache that is given fits the platform's kind."""
        geometry = (self.cache, self.line, self.ways, self.penalty)
        if not is_cached(self.target) and any(one is not None for one in geometry):
            raise ValueError(
                f"{self.platform} has no data cache; leave out cache, line, ways and penalty"
            )
        return self

    @property
    def target(self) -> Platform:
        """The platform itself."""
        return platform_named(self.platform)


def is_cached(platform: Platform) -> bool:
    """The cache model answers for it; this computer, whose caches are its own, is measured."""
    return platform.data_cache and platform.rig != "host"


class Geometry(BaseModel):
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
    cache: Geometry | None
    penalty: Cost | None
    unavailable: str | None = Field(description="Why nothing can be measured, with a command.")


class Choices(BaseModel):
    """What can be picked."""

    platforms: list[Offered]
    modes: list[str]
    bytes: list[int]


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
    cycles: float
    flash: int
    ram: int
    constant_time: ConstantTime
    front: bool = Field(description="No other beats it in cycles, flash and RAM at once.")


class Left(BaseModel):
    """A core that is not ranked; figures are null where nothing could be measured."""

    core: str
    reason: str
    cycles: float | None = None
    flash: int | None = None
    ram: int | None = None
    constant_time: ConstantTime | None = None


class Answer(BaseModel):
    """What the page shows."""

    state: Literal["ready"] = "ready"
    question: Question
    asked: str
    winner: str | None
    sentence: str
    unit: str
    each: str
    counted: str
    across_bursts: str
    burst: int
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


def constant_time_of(core: str) -> ConstantTime:
    """Behind a data cache: a core whose addresses depend on secrets shows it."""
    return "always" if next(one for one in cores() if one.name == core).constant_time else "no"
