# SPDX-License-Identifier: MIT
"""Hexagon packets as operations, and its rules against the compiler and the assembler."""

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import pytest

from aesfit.rigs.hexagon import why_not
from aesfit_papers.scheduling import block, hexagon
from aesfit_papers.scheduling.bound import lower_bound
from aesfit_papers.scheduling.graph import Graph, graph
from aesfit_papers.scheduling.issue import Cycle, delay
from aesfit_papers.scheduling.machines import HEXAGON
from aesfit_papers.scheduling.operation import Access, Executed, Operation, Read
from aesfit_papers.scheduling.schedule import in_order, list_schedule

REASON = why_not() or hexagon.why_not()
needs_hexagon = pytest.mark.skipif(REASON is not None, reason=str(REASON))
CORES = ("transposed", "sbox_columns", "ttable1", "ttable4", "ttable8")


def read(*names: str) -> tuple[Read, ...]:
    return tuple(map(Read, names))


TEXTS = [
    (0xB0044404, "r4 = add(r0,#4)", "alu", read("r0"), ("r4",)),
    (0x8D2D481C, "r28 = extractu(r13,#8,#8)", "shift", read("r13"), ("r28",)),
    (0x8E5C48CF, "r15 |= asl(r28,#8)", "shift", read("r28", "r15"), ("r15",)),
    (0x3A266F0F, "r15 = memub(r6+r15<<#0)", "load", read("r6", "r15"), ("r15",)),
    (0x3E141E0D, "r17:16 = memd(r29+#16)", "load", read("r29"), ("r16", "r17")),
    (0x75034000, "p0 = cmp.eq(r3,#0)", "compare", read("r3"), ("p0",)),
    (0x7800C006, "r6 = ##1048832", "constant", (), ("r6",)),
    (0x60234700, "loop1(0x1005cc,r3)", "loop-setup", read("r3"), ("lc1",)),
    (0x580040AE, "jump 0x1005cc", "branch", (), ()),
    (0x5C0060C6, "if (p0) jump:nt 0x1007e4", "branch", (Read("p0", "condition"),), ()),
    (
        0x43DD4030,
        "if (!p0.new) r17:16 = memd(r29+#8)",
        "load",
        (Read("p0", "condition", new=True), *read("r29", "r16", "r17")),
        ("r16", "r17"),
    ),
    (
        0x961E401E,
        "if (p0) dealloc_return",
        "frame-return",
        (Read("p0", "condition"), Read("r30")),
        ("r30", "r31", "r29"),
    ),
]


@pytest.mark.parametrize(("word", "text", "kind", "reads", "writes"), TEXTS)
def test_registers_are_read_from_the_text(
    word: int, text: str, kind: str, reads: tuple[Read, ...], writes: tuple[str, ...]
) -> None:
    found = hexagon.operation(text, word)
    assert (found.kind, found.reads, found.writes) == (kind, reads, writes)


def test_stores_name_what_they_store() -> None:
    found = hexagon.operation("memd(r29+#8) = r19:18", 0xEA0D0A06)
    assert found.reads == (Read("r29"), Read("r18", "stored"), Read("r19", "stored"))
    found = hexagon.operation("memb(r1+#2) = r4.new", 0xA1A1C602)
    assert found.reads == (Read("r1"), Read("r4", "stored", new=True))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("r1 = memw(r2++#4)", 0x9B82C021),
        ("memw(r1+#0) += r2", 0x3E41C002),
        ("r1 = insert(r2,#8,#8)", 0x8F02C801),
        ("p0 = cmp.eq(r1,#0)", 0x10004000),
        ("call 0x100", 0x5A000000),
        ("trap0(#1)", 0x54000004),
    ],
)
def test_what_no_core_needs_is_refused_by_name(text: str, word: int) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        hexagon.operation(text, word)


LISTING = """
  100470:\t05 40 00 00\t00004005 { \timmext(#320)
  100474:\t00 47 23 60\t60234700   \tloop1(0x1005cc,r3)
  100478:\tae 40 00 58\t580040ae   \tjump 0x1005cc
  10047c:\t87 c2 00 b0\tb000c287   \tr7 = add(r0,#20) }
  1005bc:\t00 40 00 7f\t7f004000 { \tnop
  1005c0:\t13 1f 01 61\t61011f13   \tr1 = add(r1,#16); \tmemb(r1+#15) = r3 }  :endloop1
"""


def test_packets_of_a_listing() -> None:
    found = hexagon.listed(LISTING)
    assert {at: one.size for at, one in found.items()} == {0x100470: 16, 0x1005BC: 8}
    first, second = (one.operations for one in found.values())
    assert [one.extended for one in first] == [True, False, False]
    assert [one.kind for one in second] == ["alu", "store"]


@cache
def ran(core: str) -> Executed:
    return block.on_hexagon(core)


def real_packets(executed: Executed) -> list[list[Operation]]:
    return [list(packet) for one in executed.superblocks for packet in one.packets]


def fits(found: Graph, nodes: Iterable[int], issue: Sequence[int]) -> bool:
    """Whether these nodes, which issue together, keep the rules of the machine."""
    cycle = Cycle(HEXAGON)
    for at in nodes:
        needs = found.nodes[at].needs
        if any(issue[one.node] + delay(HEXAGON, found, one) > issue[at] for one in needs):
            return False
        forwarded = any(one.why == "stored" and issue[one.node] == issue[at] for one in needs)
        if not cycle.take(found.nodes[at], forwarded=forwarded):
            return False
    return True


def together(issue: Iterable[int]) -> list[list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for at, when in enumerate(issue):
        found[when].append(at)
    return [found[when] for when in sorted(found)]


@needs_hexagon
@pytest.mark.parametrize("core", CORES)
def test_the_rules_allow_every_packet_of_the_compiler(core: str) -> None:
    executed = ran(core)
    found = graph(executed, as_allocated=True, copies=True)
    issue = [at for at, packet in enumerate(real_packets(executed)) for _ in packet]
    assert len(issue) == len(found.nodes)
    assert all(fits(found, nodes, issue) for nodes in together(issue))


@needs_hexagon
@pytest.mark.parametrize("core", CORES)
def test_the_compilers_order_gives_the_compilers_packets(core: str) -> None:
    """The rules are Hexagon's, so only the order is left to differ: 2 % at most."""
    executed = ran(core)
    found = graph(executed, as_allocated=True, copies=True)
    packed = in_order(found, HEXAGON).cycles
    assert packed == pytest.approx(executed.packets, rel=0.02)
    assert lower_bound(found, HEXAGON) <= list_schedule(found, HEXAGON).cycles <= packed


def assembled(text: str, folder: Path) -> str:
    """What the assembler says of packets; empty where it takes all."""
    command = ["llvm-mc", "-arch=hexagon", "-mcpu=hexagonv60", "-filetype=obj"]
    source = folder / "packets.s"
    source.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [*command, str(source), "-o", str(folder / "packets.o")],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr


def as_text(found: Graph, nodes: Iterable[int], issue: Sequence[int]) -> str:
    """A packet; it reads values that it produces itself as new."""
    told = []
    for at in nodes:
        node = found.nodes[at]
        here = {one.why for one in node.needs if issue[one.node] == issue[at]}
        text = node.operation.text.removesuffix(".new") + (".new" if "stored" in here else "")
        if "condition" in here:
            text = re.sub(r"\((!?p\d)\)", r"(\1.new)", text)
            text += ":nt" * text.endswith("dealloc_return")
        told.append(text)
    return "{ " + "; ".join(told) + " }"


@needs_hexagon
@pytest.mark.skipif(shutil.which("llvm-mc") is None, reason="no assembler")
@pytest.mark.parametrize("core", CORES)
def test_the_assembler_takes_every_packet_of_the_scheduler(core: str, tmp_path: Path) -> None:
    found = graph(ran(core), as_allocated=True, copies=True)
    issue = list_schedule(found, HEXAGON).issue
    packets = [as_text(found, nodes, issue) for nodes in together(issue)]
    assert assembled("\n".join(packets) + "\n", tmp_path) == ""
    three_loads = "{ r1 = memw(r2); r3 = memw(r4); r5 = memw(r6) }\n"
    assert "slot error" in assembled(three_loads, tmp_path)


@needs_hexagon
def test_spills_of_a_real_core_stay_in_registers() -> None:
    executed = ran("ttable8")
    stack = executed.stack

    def on_stack(one: Access | None) -> bool:
        return one is not None and stack[0] <= one.address < stack[1]

    kept, gone = graph(executed, as_allocated=True), graph(executed)
    assert sum(on_stack(node.operation.access) for node in kept.nodes) > 10
    left = [node.operation for node in gone.nodes if on_stack(node.operation.access)]
    assert [one.kind for one in left] == ["frame-return"]
