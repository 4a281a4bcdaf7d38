# SPDX-License-Identifier: MIT
"""The machines that code is scheduled for: issue rules and latencies.

A machine is data.  Each fact has its source; what could not be cited begins with "assumption".

The sources of the Lx, which is the ST200, are these:

  ST220     the machine description in STMicroelectronics' own compiler of 2004 (Open64):
            osprey/targinfo/st200/proc/st220_si.cxx, and isa/isa_bundle.cxx and isa/isa_lits.cxx
            beside it; public in the repository nido/compiler
  Touati    Touati and de Dinechin, Advanced Backend Optimization, 2014, appendix 1, of the ST231
  family    the article "ST200 family" of Wikipedia, of the ST210, ST220 and ST231
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .operation import Kind, Role

_ST220 = "ST's compiler of 2004, osprey/targinfo/st200/proc/st220_si.cxx"
_BUNDLE = "ST's compiler of 2004, osprey/targinfo/st200/isa/isa_bundle.cxx and isa_lits.cxx"
_FAMILY = "Wikipedia, ST200 family"
_TOUATI = "Touati and de Dinechin, Advanced Backend Optimization, appendix 1"
_SLOTS = "Qualcomm Hexagon V60/V61 Instruction Quick Reference, 80-N2040-34 B"
_V60 = "Qualcomm Hexagon V60/V61 Programmer's Reference Manual, 80-N2040-33 E, instruction packets"


@dataclass(frozen=True)
class Fact:
    """A fact about a machine, with its source."""

    what: str
    source: str

    @property
    def assumed(self) -> bool:
        """It has no citable source."""
        return self.source.startswith("assumption")


@dataclass(frozen=True)
class Requirement:
    """Resources of an operation in the cycle in which it issues."""

    slots: frozenset[int]
    """Any one of these issue slots."""
    units: Mapping[str, int] = field(default_factory=dict)
    """Number of units that it takes, by unit."""


@dataclass(frozen=True)
class Vliw:
    """A VLIW."""

    name: str
    width: int
    """Issue slots."""
    needs: Mapping[Kind, Requirement]
    units: Mapping[str, int]
    """Number of units of each kind; all are free again in the next cycle."""
    latency: Mapping[Kind, int]
    """Cycles from issue until a result can be read; 1 for kinds not listed."""
    bypass: Mapping[tuple[Kind, Role], int] = field(default_factory=dict)
    """The same, by the purpose for which the result is read."""
    extension: Mapping[str, int] = field(default_factory=dict)
    """Units that a long immediate takes in addition to its issue slot."""
    extended_slots: bool = True
    """A long immediate takes an issue slot of its own."""
    taken: int = 0
    """Cycles lost by a taken branch."""
    forwarding: Requirement | None = None
    """Resources of a store whose data are produced in the same cycle."""
    facts: tuple[Fact, ...] = ()

    def delay(self, producer: Kind, role: Role) -> int:
        """Cycles from the issue of a producer to that of a reader."""
        return self.bypass.get((producer, role), self.latency.get(producer, 1))


WIDTHS = (3, 4)
LOAD_LATENCIES = (2, 3, 4)
REGISTERS = 63
"""General registers of the ST200 that can hold values: 64 without r0, which reads as zero."""


def lx(width: int, load_latency: int, *, lean: bool) -> Vliw:
    """The Lx (ST200) with that issue width and load latency.

    `lean` decides each doubt in favour of the machine: taken branches are free, and so are
    immediates that RISC-V encodes in 12 bits but the Lx only up to 9.
    """
    any_slot = frozenset(range(width))
    long = min(load_latency, 3)
    plain, memory = Requirement(any_slot), Requirement(any_slot, {"memory": 1})
    control = Requirement(any_slot, {"control": 1, "odd": 1})
    return Vliw(
        name=f"Lx, {width} issues, load latency {load_latency}",
        width=width,
        needs={
            **dict.fromkeys(("alu", "shift", "compare"), plain),
            "constant": plain,
            "multiply": Requirement(any_slot, {"odd": 1}),
            **dict.fromkeys(("load", "store"), memory),
            **dict.fromkeys(("branch", "return"), control),
        },
        units={"memory": 1, "control": 1, "odd": 2},
        latency={"load": load_latency, "multiply": long},
        bypass={("compare", "condition"): long, ("alu", "link"): 2},
        extension={"odd": 1},
        extended_slots=not lean,
        taken=0 if lean else 1,
        facts=_LX_FACTS,
    )


_LX_FACTS = (
    Fact("4 operations issue in a cycle", f"{_ST220}; {_TOUATI}"),
    Fact(
        "issue width 3: what is left where a compiler fills no fourth slot",
        "assumption: no ST200 issues fewer than 4",
    ),
    Fact("one load or store a cycle", f"{_ST220}; {_TOUATI}"),
    Fact("one branch a cycle", f"{_ST220}; {_TOUATI}"),
    Fact("multiplications, branches and long immediates share two units", _ST220),
    Fact("results of arithmetic can be read in the next cycle", f"{_ST220}; {_FAMILY}"),
    Fact("load latency 2: the ST210, whose longest latency is 2", _FAMILY),
    Fact("load latency 3: the ST220, result at 5 and operands at 2", _ST220),
    Fact("load latency 4", "assumption: a bound; no ST200 is known to have it"),
    Fact("multiplications take as long as loads, up to 3 cycles", f"{_ST220}; {_FAMILY}"),
    Fact(
        "a branch reads a condition 3 cycles after its comparison issued; on the ST210 2, the "
        "longest latency there",
        f"{_ST220}; {_FAMILY}",
    ),
    Fact(
        "a return reads its register 2 cycles after arithmetic made it, where loads take 3",
        f"{_ST220}; on the ST210 taken to be the same",
    ),
    Fact("a branch needs a comparison of its own, which writes a branch register", _ST220),
    Fact("immediates have 9 bits with a sign; longer ones take two issue slots", _BUNDLE),
    Fact("sh2add adds a register shifted by 2; there is no rotation", _ST220),
    Fact("64 registers, of which r0 is zero", f"{_TOUATI}; {_FAMILY}"),
    Fact("loads may issue above a branch (ldw_d and others)", _ST220),
    Fact("a taken branch costs nothing, or one cycle", "assumption: no document was found"),
)

_ANY, _MEMORY, _WORK = frozenset({0, 1, 2, 3}), frozenset({0, 1}), frozenset({2, 3})
HEXAGON = Vliw(
    name="Hexagon V60",
    width=4,
    needs={
        **dict.fromkeys(("alu", "compare", "constant"), Requirement(_ANY)),
        **dict.fromkeys(("shift", "multiply"), Requirement(_WORK)),
        "load": Requirement(_MEMORY),
        "store": Requirement(_MEMORY, {"stores": 1}),
        "stack-frame": Requirement(frozenset({0}), {"stores": 1}),
        "branch": Requirement(_WORK),
        "return": Requirement(frozenset({2})),
        "frame-return": Requirement(frozenset({0})),
        "loop-setup": Requirement(frozenset({3})),
    },
    units={"stores": 2},
    latency={},
    bypass={
        **dict.fromkeys(
            [(kind, "stored") for kind in ("alu", "constant", "shift", "multiply", "load")], 0
        ),
        ("compare", "condition"): 0,
    },
    forwarding=Requirement(frozenset({0}), {"stores": 2}),
    facts=(
        Fact("which classes issue in which of the four slots", _SLOTS),
        Fact("a packet counts as one cycle: no stall is counted", "the rig: QEMU counts packets"),
        Fact("a constant extender takes a slot", _V60),
        Fact("a store may take a value that its own packet makes: slot 0, one store", _V60),
        Fact("a jump may take a predicate that its own packet makes", _V60),
    ),
)
"""Hexagon V60, with whose packets the scheduler is compared."""
