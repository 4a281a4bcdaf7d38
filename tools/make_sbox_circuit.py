# SPDX-License-Identifier: MIT
"""Derives the S-box circuits of lib/src/parts/steps/sbox_circuit.h and prints the file.

    python tools/make_sbox_circuit.py            the header, from the seeds below (seconds)
    python tools/make_sbox_circuit.py --search   the gates for each of the 2040 maps (minutes)

Source: Boyar, Matthews and Peralta, Logic Minimization Techniques with Applications to
Cryptology, J. Cryptology 2013.  Their circuit is a layer of sums of the input bits, inversion by
way of GF(2^4), and a layer of sums of its 18 products.  The middle layer is the published one; both
linear layers are searched here.

Inversion commutes with m(x) = (c x)^(2^k) up to a map of the same kind: 1/x = m*(1 / m(x)).  So
the sums may be taken of m(x), for any of 255 * 8 choices, and some need fewer gates.
"""

from __future__ import annotations

import argparse
import random
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

BITS: Final = 8

# The middle layer: 32 AND (*) and 30 XOR (+) from the sums y1 .. y21 and x7 to z0 .. z17.
MIDDLE: Final = """
t2=y12*y15 t3=y3*y6 t4=t3+t2 t5=y4*x7 t6=t5+t2 t7=y13*y16 t8=y5*y1 t9=t8+t7 t10=y2*y7 t11=t10+t7
t12=y9*y11 t13=y14*y17 t14=t13+t12 t15=y8*y10 t16=t15+t12 t17=t4+y20 t18=t6+t16 t19=t9+t14
t20=t11+t16 t21=t17+t14 t22=t18+y19 t23=t19+y21 t24=t20+y18 t25=t21+t22 t26=t21*t23 t27=t24+t26
t28=t25*t27 t29=t28+t22 t30=t23+t24 t31=t22+t26 t32=t31*t30 t33=t32+t24 t34=t23+t33 t35=t27+t33
t36=t24*t35 t37=t36+t34 t38=t27+t36 t39=t29*t38 t40=t25+t39 t41=t40+t37 t42=t29+t33 t43=t29+t40
t44=t33+t37 t45=t42+t41 z0=t44*y15 z1=t37*y6 z2=t33*x7 z3=t43*y16 z4=t40*y1 z5=t29*y7 z6=t42*y11
z7=t45*y17 z8=t41*y10 z9=t44*y12 z10=t37*y3 z11=t33*y4 z12=t43*y13 z13=t40*y5 z14=t29*y2
z15=t42*y9 z16=t45*y14 z17=t41*y8
"""
# Only the function of the published linear layers: y1 .. y21 and x7 as masks of input bits,
# and for z0 .. z17 the mask of output bits that each goes to.
FORMS: Final = bytes.fromhex("61e1e771639b4f8490fa4e9682149a2eb4ae7edeac01")
COLUMNS: Final = bytes.fromhex("75582d959e0be0c626d8dc04270324ffdf20")


@dataclass(frozen=True)
class Gate:
    """`out` = `a` AND or XOR `b`; operands and results are names of signals."""

    out: str
    a: str
    b: str
    is_and: bool


@dataclass(frozen=True)
class Circuit:
    """Gates in order, from the inputs q0 (lowest bit) .. q7 to the eight named outputs."""

    gates: tuple[Gate, ...]
    outputs: tuple[str, ...]

    def table(self) -> list[int]:
        """The 256 results, all inputs evaluated at once as bits of large integers."""
        value = {f"q{i}": sum((x >> i & 1) << x for x in range(256)) for i in range(BITS)}
        for gate in self.gates:
            a, b = value[gate.a], value[gate.b]
            value[gate.out] = a & b if gate.is_and else a ^ b
        columns = [value[name] for name in self.outputs]
        return [sum((column >> x & 1) << i for i, column in enumerate(columns)) for x in range(256)]


@dataclass(frozen=True)
class Choice:
    """One derivation: the map (c x)^(2^k), the seed, and the registers to schedule for."""

    c: int
    k: int
    seed: int
    registers: int


FORWARD: Final = Choice(c=230, k=3, seed=8, registers=14)
INVERSE: Final = Choice(c=200, k=0, seed=10, registers=14)

# ------------------------------------------------------------------ the field GF(2^8)


def multiply(a: int, b: int) -> int:
    """Product modulo x^8 + x^4 + x^3 + x + 1."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return product


def power(a: int, exponent: int) -> int:
    """Power of a, by repeated multiplication."""
    result = 1
    for _ in range(exponent):
        result = multiply(result, a)
    return result


def affine(x: int) -> int:
    """The S-box's affine map without 0x63: x and its rotations by 1 to 4 (FIPS 197, 5.1.1)."""
    twice = x << BITS | x
    return (twice ^ twice >> 4 ^ twice >> 5 ^ twice >> 6 ^ twice >> 7) & 0xFF


INVERSION: Final = [power(x, 254) for x in range(256)]
AFFINE: Final = [affine(x) for x in range(256)]
UNDO_AFFINE: Final = [AFFINE.index(x) for x in range(256)]

# ----------------------------------------------------------------- the linear layers


@dataclass
class Sums:
    """Sums of eight variables under construction, with the distance of every vector from them."""

    rng: random.Random
    base: list[int] = field(default_factory=lambda: [1 << i for i in range(BITS)])
    steps: list[tuple[int, int, int]] = field(default_factory=list)
    terms: list[int] = field(default_factory=lambda: [x.bit_count() for x in range(256)])

    def add(self, a: int, b: int) -> None:
        """Add the gate a + b."""
        new = a ^ b
        self.base.append(new)
        self.steps.append((new, a, b))
        self.terms = [min(n, self.terms[x ^ new] + 1) for x, n in enumerate(self.terms)]

    def nearest_pair(self, wanted: Iterable[int]) -> tuple[int, int]:
        """The gate with the least remaining distance; ties by uneven distances, then at random.

        A wanted sum that needs only one gate is always taken.
        """
        best: tuple[float, ...] = (1e9,)
        pair = (0, 0)
        targets, terms, seen = list(wanted), self.terms, set(self.base)
        for i, a in enumerate(self.base):
            for b in self.base[i + 1 :]:
                new = a ^ b
                if new in seen:
                    continue
                seen.add(new)
                if new in targets:
                    return a, b
                left = [min(terms[t], terms[t ^ new] + 1) - 1 for t in targets]
                score = (sum(left), -sum(n * n for n in left), self.rng.random())
                if score < best:
                    best, pair = score, (a, b)
        return pair


def find_sums(wanted: Iterable[int], rng: random.Random) -> list[tuple[int, int, int]]:
    """Steps (sum, a, b) that compute all wanted sums, by the distance heuristic."""
    targets = list(dict.fromkeys(wanted))
    sums = Sums(rng)
    while left := [t for t in targets if t not in sums.base]:
        sums.add(*sums.nearest_pair(left))
    return sums.steps


def layers(inverse: bool, choice: Choice) -> tuple[list[int], list[int]]:
    """The functions of the linear layers, as masks of bits.

    The 22 sums of inputs, and for each product z the outputs that it goes to.
    """
    frobenius, back = 1 << choice.k, 1 << (BITS - choice.k) % BITS

    def enter(x: int) -> int:
        return power(multiply(choice.c, UNDO_AFFINE[x] if inverse else x), frobenius)

    def leave(x: int) -> int:
        undone = multiply(choice.c, power(UNDO_AFFINE[x], back))
        return undone if inverse else AFFINE[undone]

    forms = [
        sum(((mask & enter(1 << i)).bit_count() & 1) << i for i in range(BITS)) for mask in FORMS
    ]
    return forms, [leave(column) for column in COLUMNS]


def build(inverse: bool, choice: Choice) -> Circuit:
    """The whole circuit, unordered but for dependencies."""
    rng = random.Random(choice.seed)  # noqa: S311 - nothing secret
    forms, columns = layers(inverse, choice)
    name = {1 << i: f"q{i}" for i in range(BITS)}
    gates: list[Gate] = []
    for number, (new, a, b) in enumerate(find_sums(forms, rng), 1):
        name[new] = f"a{number}"
        gates.append(Gate(name[new], name[a], name[b], is_and=False))
    signal = dict(
        zip([*(f"y{i}" for i in range(1, 22)), "x7"], (name[f] for f in forms), strict=True)
    )
    for text in MIDDLE.split():
        out, operands = text.split("=")
        is_and = "*" in operands
        a_name, b_name = operands.split("*" if is_and else "+")
        gates.append(Gate(out, signal.get(a_name, a_name), signal.get(b_name, b_name), is_and))
    # Sums of products: the sums of the transposed problem, with every gate turned around.
    value: dict[int, str] = {}

    def accumulate(node: int, what: str) -> None:
        if node in value:
            gates.append(Gate(f"s{len(gates)}", value[node], what, is_and=False))
            what = gates[-1].out
        value[node] = what

    for number, column in enumerate(columns):
        accumulate(column, f"z{number}")
    for new, a, b in reversed(find_sums(columns, rng)):
        if new in value:  # else a sum that nothing needed
            accumulate(a, value[new])
            accumulate(b, value[new])
    return Circuit(tuple(gates), tuple(value[1 << i] for i in range(BITS)))


def spills(circuit: Circuit, registers: int) -> int:
    """Loads and stores if the value needed last is always the one that is spilled."""
    never = len(circuit.gates) + 1
    uses: dict[str, list[int]] = {name: [never - 1] for name in circuit.outputs}
    for at in range(len(circuit.gates) - 1, -1, -1):
        for operand in (circuit.gates[at].a, circuit.gates[at].b):
            uses.setdefault(operand, []).append(at)
    held, stored, moves = {f"q{i}" for i in range(BITS)}, set[str](), 0

    def make_room(keep: tuple[str, ...]) -> int:
        if len(held) < registers:
            return 0
        victim = max(
            (name for name in held if name not in keep),
            key=lambda name: (uses[name][-1], name in stored, name),
        )
        held.discard(victim)
        if victim in stored:
            return 0
        stored.add(victim)
        return 1

    for gate in circuit.gates:
        operands = (gate.a, gate.b)
        for name in operands:
            if name not in held:
                moves += make_room(operands) + 1
                held.add(name)
        for name in operands:
            uses[name].pop()
            if not uses[name]:
                held.discard(name)
        moves += make_room(())
        held.add(gate.out)
    return moves + sum(name not in held for name in circuit.outputs)


def order(circuit: Circuit, choice: Choice, steps: int = 20_000) -> Circuit:
    """Moves gates by simulated annealing so that few values are spilled."""
    rng = random.Random(choice.seed)  # noqa: S311 - nothing secret
    gates = list(circuit.gates)
    current = best = spills(circuit, choice.registers)
    kept = circuit
    for step in range(steps):
        heat = 2.0 * (1 - step / steps) + 0.05
        at = rng.randrange(len(gates))
        gate = gates[at]
        first = 1 + max((i for i in range(at) if gates[i].out in (gate.a, gate.b)), default=-1)
        users = (i for i in range(at + 1, len(gates)) if gate.out in (gates[i].a, gates[i].b))
        target = rng.randrange(first, next(users, len(gates)))
        moved = gates[:at] + gates[at + 1 :]
        moved.insert(target, gate)
        cost = spills(Circuit(tuple(moved), circuit.outputs), choice.registers)
        if cost <= current or rng.random() < 2.718 ** ((current - cost) / heat):
            gates, current = moved, cost
            if cost < best:
                best, kept = cost, Circuit(tuple(moved), circuit.outputs)
    return kept


def renamed(circuit: Circuit) -> Circuit:
    """Names by layer, in the order of the gates: a, m, p, s."""
    letters = {"a": "a", "t": "m", "z": "p", "s": "s"}
    counts = dict.fromkeys(letters.values(), 0)
    name = {f"q{i}": f"q{i}" for i in range(BITS)}
    gates = []
    for gate in circuit.gates:
        letter = letters[gate.out[0]]
        counts[letter] += 1
        name[gate.out] = f"{letter}{counts[letter]}"
        gates.append(Gate(name[gate.out], name[gate.a], name[gate.b], gate.is_and))
    return Circuit(tuple(gates), tuple(name[output] for output in circuit.outputs))


def statement(start: str, pieces: Iterable[str], between: str) -> str:
    """Lines of at most 98 columns; pieces stay whole."""
    text = start + f"{between} ".join(piece.replace(" ", "~") for piece in pieces) + ";"
    return textwrap.fill(text, 98, initial_indent="    ", subsequent_indent=8 * " ")


def body(circuit: Circuit) -> str:
    """The C statements of a function over uint32_t q[8]."""
    loads = (f"q{i} = q[{i}]" for i in range(BITS))
    gates = (f"{g.out} = {g.a} {'&' if g.is_and else '^'} {g.b}" for g in circuit.gates)
    stores = (f"q[{i}] = {name}" for i, name in enumerate(circuit.outputs))
    lines = (
        statement("const uint32_t ", loads, ","),
        statement("const uint32_t ", gates, ","),
        statement("", stores, ";"),
    )
    return "\n".join(lines).replace("~", " ")


HEADER: Final = """\
/* SPDX-License-Identifier: MIT */
/* The S-box and its inverse as circuits: straight-line AND and XOR, no table, no branch.  Made by
 * tools/make_sbox_circuit.py.
 *
 * Source: Boyar, Matthews and Peralta, Logic Minimization Techniques with Applications to
 * Cryptology, J. Cryptology 2013.  Their circuit has three layers: sums of the inputs, inversion by
 * way of GF(2^4), sums of its products.  The middle layer (32 AND, 30 XOR) is the published one.
 * Both linear layers are ours, found with the paper's distance heuristic over the 2040 maps
 * x -> (c x)^(2^k), which inversion commutes with up to a map of the same kind; the sums of
 * products come from the transposed problem.
 * Cost: 32 AND and 78 XOR either way (110; the published ones are 113 and 121).
 *
 * The order of the gates keeps few values alive, for processors with 16 registers or fewer; of
 * some forty orders, these spill least when gcc compiles them for Cortex-M3.
 * a: sums of inputs, m: the inversion in GF(2^4), p: products, s: sums of products.
 *
 * Both leave out the constant 0x63 of the S-box, so that S(x) = circuit(x) ^ 0x63 and
 * S^-1(x) = inverse circuit(x ^ 0x63): callers fold it into round keys. */
#ifndef AESFIT_STEPS_SBOX_CIRCUIT_H
#define AESFIT_STEPS_SBOX_CIRCUIT_H

#include "../../core.h"

/* clang-format off */

/* q[b] holds bit b of 32 bytes; every byte x becomes S(x) ^ 0x63. */
AESFIT_INLINE void sbox_circuit(uint32_t q[8])
{
$FORWARD
}

/* Every byte x becomes S^-1(x ^ 0x63). */
AESFIT_INLINE void inv_sbox_circuit(uint32_t q[8])
{
$INVERSE
}

/* clang-format on */

#endif
"""


def derive(inverse: bool, choice: Choice) -> Circuit:
    """The circuit of one direction, proved on all 256 inputs."""
    circuit = renamed(order(build(inverse, choice), choice))
    sbox = [AFFINE[INVERSION[x]] for x in range(256)]  # without the constant 0x63
    expected = [sbox.index(x) for x in range(256)] if inverse else sbox
    if circuit.table() != expected:
        raise ArithmeticError("the circuit is wrong")
    return circuit


def header() -> str:
    """The text of sbox_circuit.h."""
    forward, inverse = derive(False, FORWARD), derive(True, INVERSE)
    return HEADER.replace("$FORWARD", body(forward)).replace("$INVERSE", body(inverse))


def search(report: Callable[[str], None]) -> None:
    """Report every map that needs no more gates than those before it."""
    for inverse in (False, True):
        fewest = 999
        for k in range(BITS):
            for c in range(1, 256):
                choice = Choice(c, k, seed=1, registers=0)
                gates = len(build(inverse, choice).gates)
                if gates <= fewest:
                    fewest = gates
                    report(f"{'inverse' if inverse else 'forward'} c={c} k={k}: {gates} gates")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--search", action="store_true", help="try all 2040 maps")
    if parser.parse_args().search:
        search(lambda line: print(line, flush=True))
    else:
        print(header(), end="")


if __name__ == "__main__":
    main()
