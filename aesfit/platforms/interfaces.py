# SPDX-License-Identifier: MIT
"""The kinds of memory interface that exist, as their state machines describe themselves."""

from dataclasses import dataclass
from functools import cache

from .. import _native
from ..errors import unknown


@dataclass(frozen=True)
class InterfaceParameter:
    """A number that a kind of interface asks for."""

    name: str
    unit: str
    meaning: str
    least: float
    most: float


@dataclass(frozen=True)
class InterfaceKind:
    """One file of aesfit/rigs/emulator/memory."""

    name: str
    title: str
    """For a sentence: "a read-ahead buffer"."""
    source: str
    leaves_out: str
    sure: str
    """What of its rules is documented, and what is not."""
    data_uniform: bool
    """A read of data takes the same time whatever the address and whatever came before."""
    parameters: tuple[InterfaceParameter, ...]


@cache
def interfaces() -> tuple[InterfaceKind, ...]:
    """Every kind, by name."""
    made = []
    for one in _native.memory_interfaces():
        asked = tuple(InterfaceParameter(*parameter) for parameter in one["parameters"])
        made.append(InterfaceKind(**{**one, "parameters": asked}))
    return tuple(sorted(made, key=lambda kind: kind.name))


def described(name: str) -> InterfaceKind:
    """The kind of that name; ValueError names the nearest."""
    for kind in interfaces():
        if kind.name == name:
            return kind
    raise unknown("memory interface", name, [kind.name for kind in interfaces()])
