# SPDX-License-Identifier: MIT
"""Checks what counted routines of P-256 and X25519 compute: keys, secrets and signatures."""

from collections.abc import Mapping

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
BASE = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
"""Prime, order and base point of the curve P-256 (FIPS 186-4, D.1.2.3)."""
Point = tuple[int, int]


def added(one: Point, other: Point) -> Point:
    """The sum of two points of P-256 that are no inverses of each other."""
    if one == other:
        slope = 3 * (one[0] * one[0] - 1) * pow(2 * one[1], -1, P)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, P)
    x = (slope * slope - one[0] - other[0]) % P
    return x, (slope * (one[0] - x) - one[1]) % P


def multiplied(scalar: int, point: Point) -> Point:
    """A multiple of a point of P-256."""
    found = point
    for bit in f"{scalar:b}"[1:]:
        found = added(found, found)
        found = added(found, point) if bit == "1" else found
    return found


def x25519(scalar: bytes, point: bytes) -> bytes:
    """The function of RFC 7748, section 5."""
    prime = 2**255 - 19
    k = int.from_bytes(scalar, "little") & (2**254 - 8) | 2**254
    u = int.from_bytes(point, "little") & (2**255 - 1)
    x2, z2, x3, z3 = 1, 0, u, 1
    for bit in f"{k:b}":
        if bit == "1":
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        x3, z3 = (d * a + c * b) ** 2 % prime, u * (d * a - c * b) ** 2 % prime
        e = a * a - b * b
        x2, z2 = a * a * b * b % prime, e * (a * a + 121665 * e) % prime
        if bit == "1":
            x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, -1, prime) % prime).to_bytes(32, "little")


def check_curve(does: str, before: Mapping[str, bytes], out: bytes) -> None:
    """Check an output, given the buffers `key` and `in`; RuntimeError if it is wrong."""
    key = int.from_bytes(before["key"][:32], "little")
    given = [before["in"][at : at + 32] for at in (0, 32)]
    match does:
        case "x25519":
            want = x25519(before["key"][:32], given[0])
        case "p256-key":
            want = b"".join(one.to_bytes(32, "little") for one in multiplied(key, BASE))
        case "p256-ecdh":
            public = multiplied(int.from_bytes(given[0], "little"), BASE)
            want = multiplied(key, public)[0].to_bytes(32, "big")
        case _:  # (r, s) of the hash given[0] with the nonce given[1]
            nonce = int.from_bytes(given[1], "little")
            r = multiplied(nonce, BASE)[0] % N
            s = pow(nonce, -1, N) * (int.from_bytes(given[0], "big") + r * key) % N
            want = r.to_bytes(32, "little") + s.to_bytes(32, "little")
    if out[: len(want)] != want:
        raise RuntimeError(f"{does} is computed wrong")
