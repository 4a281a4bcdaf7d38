# SPDX-License-Identifier: MIT
"""What the operations of P-code compute, on numbers and on words of a domain.

Comparisons and carries of words are put off until somebody uses them: most flags are never read.
"""

from collections.abc import Callable, Sequence
from typing import Final

from .domain import Domain, Unwritten, Value, Word
from .findings import StuckError

Concrete = Callable[[int, int, int, int], int]
"""Of two numbers, the bits of the first, and the bits of the result before it is cut to them."""


class UnwrittenError(Exception):
    """A value that nobody wrote was computed with."""


class Deferred(Word):
    """A comparison or carry that nobody has used yet."""

    __slots__ = ("name", "output", "sizes", "under", "value", "values")

    def __init__(
        self, name: str, values: tuple[Value, ...], sizes: tuple[int, ...], output: int
    ) -> None:
        """The operation with its operands, their bytes, and bytes of the result."""
        self.name, self.values, self.sizes, self.output = name, values, sizes, output
        self.value: Value | None = None
        self.under: object = None
        """Ranges of counts that the value was worked out under."""


def _signed(a: int, width: int) -> int:
    return a - (1 << width) if a >> (width - 1) & 1 else a


def _divided(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_CONCRETE: Final[dict[str, Concrete]] = {
    "COPY": lambda a, b, w, o: a,
    "INT_ADD": lambda a, b, w, o: a + b,
    "INT_SUB": lambda a, b, w, o: a - b,
    "INT_XOR": lambda a, b, w, o: a ^ b,
    "INT_AND": lambda a, b, w, o: a & b,
    "INT_OR": lambda a, b, w, o: a | b,
    "INT_NEGATE": lambda a, b, w, o: ~a,
    "INT_2COMP": lambda a, b, w, o: -a,
    "INT_LEFT": lambda a, b, w, o: a << b if b < w else 0,
    "INT_RIGHT": lambda a, b, w, o: a >> b if b < w else 0,
    "INT_SRIGHT": lambda a, b, w, o: _signed(a, w) >> min(b, w - 1),
    "INT_MULT": lambda a, b, w, o: a * b,
    "INT_DIV": lambda a, b, w, o: a // b,
    "INT_REM": lambda a, b, w, o: a % b,
    "INT_SDIV": lambda a, b, w, o: _divided(_signed(a, w), _signed(b, w)),
    "INT_SREM": lambda a, b, w, o: (
        _signed(a, w) - _signed(b, w) * _divided(_signed(a, w), _signed(b, w))
    ),
    "INT_EQUAL": lambda a, b, w, o: a == b,
    "INT_NOTEQUAL": lambda a, b, w, o: a != b,
    "INT_LESS": lambda a, b, w, o: a < b,
    "INT_LESSEQUAL": lambda a, b, w, o: a <= b,
    "INT_SLESS": lambda a, b, w, o: _signed(a, w) < _signed(b, w),
    "INT_SLESSEQUAL": lambda a, b, w, o: _signed(a, w) <= _signed(b, w),
    "INT_CARRY": lambda a, b, w, o: (a + b) >> w,
    "INT_SCARRY": lambda a, b, w, o: (~(a ^ b) & (a ^ (a + b))) >> (w - 1) & 1,
    "INT_SBORROW": lambda a, b, w, o: ((a ^ b) & (a ^ (a - b))) >> (w - 1) & 1,
    "INT_ZEXT": lambda a, b, w, o: a,
    "INT_SEXT": lambda a, b, w, o: _signed(a, w),
    "SUBPIECE": lambda a, b, w, o: a >> 8 * b,
    "BOOL_NEGATE": lambda a, b, w, o: 1 - (a & 1),
    "BOOL_AND": lambda a, b, w, o: a & b & 1,
    "BOOL_OR": lambda a, b, w, o: (a | b) & 1,
    "BOOL_XOR": lambda a, b, w, o: (a ^ b) & 1,
    "POPCOUNT": lambda a, b, w, o: a.bit_count(),
    "LZCOUNT": lambda a, b, w, o: w - a.bit_length(),
}
_PUT_OFF: Final = frozenset(
    name
    for name in _CONCRETE
    if name.startswith(("INT_S", "BOOL_")) or "EQUAL" in name or "LESS" in name
) - {"INT_SUB", "INT_SEXT", "INT_SRIGHT", "INT_SDIV", "INT_SREM"} | {"INT_CARRY", "POPCOUNT"}
"""Flags: one bit each, or a count that becomes one."""
_BYTES: Final = frozenset({"INT_MULT"})
"""Of a flag by a byte of a word, as SEL of ARM chooses bytes: no flag, though it is one byte."""
SHIFTS: Final = frozenset({"INT_LEFT", "INT_RIGHT", "INT_SRIGHT"})


class Operations:
    """The operations over one domain."""

    def __init__(self, domain: Domain) -> None:
        """Words are of that domain."""
        self.domain = domain

    def compute(
        self, name: str, values: Sequence[Value], sizes: tuple[int, ...], output: int
    ) -> Value:
        """The result, of `output` bytes, from values of `sizes` bytes."""
        first, second = values[0], values[1] if len(values) > 1 else 0
        if isinstance(first, int) and isinstance(second, int):
            if name == "PIECE":
                return first << 8 * sizes[1] | second
            if name == "FLOAT_INT2FLOAT" and first == 0:
                return 0  # in every format of numbers; so FLDZ clears a register
            if name not in _CONCRETE:
                raise StuckError(f"{name} of numbers is not modelled")
            made = _CONCRETE[name](first, second, 8 * sizes[0], 8 * output)
            return made & (1 << 8 * output) - 1
        if name == "COPY":
            return first
        late = isinstance(first, Deferred) or isinstance(second, Deferred)
        if output == 1 and (name in _PUT_OFF or (late and name not in _BYTES)):
            return Deferred(name, tuple(values), sizes, output)
        return self._now(name, self.force(first), self.force(second), sizes, output)

    def force(self, value: Value) -> Value:
        """The value of what was put off."""
        if not isinstance(value, Deferred):
            return value
        ranges = getattr(self.domain, "ranges", None)
        if value.value is None or value.under != ranges:  # states share what is put off
            value.under = ranges
            values = tuple(self.force(one) for one in value.values)
            first, second = values[0], values[1] if len(values) > 1 else 0
            if isinstance(first, int) and isinstance(second, int):
                value.value = self.compute(value.name, values, value.sizes, value.output)
            elif value.name == "BOOL_AND" and 0 in (first, second):
                value.value = 0
            else:
                value.value = self._now(value.name, first, second, value.sizes, value.output)
        return value.value

    def _now(
        self, name: str, first: Value, second: Value, sizes: tuple[int, ...], output: int
    ) -> Value:
        if isinstance(first, Unwritten) or isinstance(second, Unwritten):
            raise UnwrittenError
        return self._words(name, first, second, sizes, output)

    def _words(  # long: one operation a line
        self, name: str, a: Value, b: Value, sizes: tuple[int, ...], output: int
    ) -> Value:
        domain, width, out = self.domain, 8 * sizes[0], 8 * output
        every = (1 << width) - 1
        match name:
            case "INT_XOR":
                return domain.xor(a, b, width)
            case "INT_AND":
                return domain.both(a, b, width)
            case "INT_OR":
                return self._either(a, b, width)
            case "INT_NEGATE":
                return domain.xor(a, every, width)
            case "INT_ADD":
                return domain.add(a, b, 0, width)
            case "INT_SUB":
                return self._less_by(a, b, width)
            case "INT_2COMP":
                return self._less_by(0, a, width)
            case "INT_MULT":
                return domain.multiply(a, b, width)
            case "INT_LEFT" | "INT_RIGHT" | "INT_SRIGHT":
                return self._shifted(name, a, b, width)
            case "INT_ZEXT":
                return domain.extract(a, 0, out)
            case "INT_SEXT":
                return self._extended(a, width, out)
            case "SUBPIECE" if isinstance(b, int):
                return domain.extract(a, 8 * b, out)
            case "PIECE":
                return domain.join(b, 8 * sizes[1], a, out)
            case "POPCOUNT":
                return self._counted(a, width, out)
            case _ if name in _PUT_OFF:
                return domain.extract(self._flag(name, a, b, width), 0, out)
        return domain.unknown(name, (a, b), out)

    def _either(self, a: Value, b: Value, width: int) -> Value:
        every = (1 << width) - 1
        xor = self.domain.xor
        return xor(
            self.domain.both(xor(a, every, width), xor(b, every, width), width), every, width
        )

    def _less_by(self, a: Value, b: Value, width: int) -> Value:
        return self.domain.add(a, self.domain.xor(b, (1 << width) - 1, width), 1, width)

    def _shifted(self, name: str, a: Value, count: Value, width: int) -> Value:
        if not isinstance(count, int):
            return self.domain.unknown(name, (a, count), width)
        if name == "INT_SRIGHT":
            return self.domain.extract(
                self._extended(a, width, 2 * width), min(count, width), width
            )
        if count >= width:
            return 0
        if name == "INT_RIGHT":
            return self.domain.extract(a, count, width)
        return self.domain.join(0, count, self.domain.extract(a, 0, width - count), width)

    def _extended(self, a: Value, width: int, out: int) -> Value:
        sign = self.domain.extract(a, width - 1, 1)
        return self.domain.join(a, width, self.domain.linear(sign, [1] * (out - width)), out)

    def _counted(self, a: Value, width: int, out: int) -> Value:
        total: Value = 0
        for at in range(width):
            total = self.domain.add(total, self.domain.extract(a, at, 1), 0, out)
        return total

    def _flag(self, name: str, a: Value, b: Value, width: int) -> Value:
        """One bit."""
        domain = self.domain
        match name:
            case "INT_EQUAL":
                return domain.is_zero(domain.xor(a, b, width), width)
            case "INT_NOTEQUAL":
                return domain.xor(domain.is_zero(domain.xor(a, b, width), width), 1, 1)
            case "INT_LESS":
                return domain.xor(
                    self._carry(a, domain.xor(b, (1 << width) - 1, width), 1, width), 1, 1
                )
            case "INT_LESSEQUAL":
                return self._carry(b, domain.xor(a, (1 << width) - 1, width), 1, width)
            case "INT_SLESS" | "INT_SLESSEQUAL":
                top = 1 << (width - 1)
                flipped = (domain.xor(a, top, width), domain.xor(b, top, width))
                return self._flag(name.replace("SLESS", "LESS"), *flipped, width)
            case "INT_CARRY":
                return self._carry(a, b, 0, width)
            case "INT_SCARRY" | "INT_SBORROW":
                return self._overflow(name, a, b, width)
        return self._boolean(name, a, b)

    def _carry(self, a: Value, b: Value, carry: int, width: int) -> Value:
        return self.domain.extract(self.domain.add(a, b, carry, width + 1), width, 1)

    def _overflow(self, name: str, a: Value, b: Value, width: int) -> Value:
        domain, top = self.domain, width - 1
        borrow = name == "INT_SBORROW"
        result = self._less_by(a, b, width) if borrow else domain.add(a, b, 0, width)
        signs = [domain.extract(one, top, 1) for one in (a, b, result)]
        differ = domain.xor(domain.xor(signs[0], signs[1], 1), 0 if borrow else 1, 1)
        return domain.both(differ, domain.xor(signs[0], signs[2], 1), 1)

    def _boolean(self, name: str, a: Value, b: Value) -> Value:
        first, second = self.domain.extract(a, 0, 1), self.domain.extract(b, 0, 1)
        match name:
            case "BOOL_NEGATE":
                return self.domain.xor(first, 1, 1)
            case "BOOL_AND":
                return self.domain.both(first, second, 1)
            case "BOOL_OR":
                return self._either(first, second, 1)
        return self.domain.xor(first, second, 1)
