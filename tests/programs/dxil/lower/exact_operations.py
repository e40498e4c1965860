"""Pure operations of DXIL with what each computes, in plain Python on bits.

    Row("udiv i32 {0}, {1}", "i", "ii", …)

Letters of types: 1 i1, w i16, i i32, l i64, h half, f float, d double. Divisions by 0 give all
ones, shifts use the low bits of the amount, conversions to integers clamp.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from unshade.programs.dxil.tables.dxil_operations import operations

from .exact_floats import DOUBLE, FLOAT, FLUSHED, HALF, Format

TYPES = {
    "1": "i1", "w": "i16", "i": "i32", "l": "i64", "h": "half", "f": "float", "d": "double",
}  # fmt: skip
BITS = {"1": 1, "w": 16, "i": 32, "l": 64, "h": 16, "f": 32, "d": 64}
SUFFIXES = {"1": "i1", "w": "i16", "i": "i32", "l": "i64", "h": "f16", "f": "f32", "d": "f64"}
NUMBER = re.compile(r"@dx\.op\.[\w.]+\(i32 (\d+)")
Do = Callable[..., int]


class Row(NamedTuple):
    """An operation: its text, types, what it computes; which part of a structure the result is."""

    text: str
    result: str
    operands: str
    do: Do
    struct: str = ""
    part: int = 0

    @property
    def model(self) -> int:
        """The least Shader Model 6 that has it."""
        found = NUMBER.search(self.text)
        return operations()[int(found[1])].shader_model[1] if found is not None else 0


def cut(kind: str, x: int) -> int:
    return x & (1 << BITS[kind]) - 1


def signed(kind: str, x: int) -> int:
    top = 1 << BITS[kind] - 1
    return (x & top - 1) - (x & top)


def formats(flush: bool) -> dict[str, Format]:
    """Return the formats by letter."""
    return {"h": HALF, "f": FLUSHED if flush else FLOAT, "d": DOUBLE}


def rows(flush: bool) -> list[Row]:
    """Return the operations; `flush` is whether 32-bit floats have no subnormal numbers."""
    known = formats(flush)
    found = [*_integers(), *_words(), *_conversions(known), *_dots(known)]
    for letter, format in known.items():
        found += _floats(letter, format)
    return found


def _dx(name: str, number: int, result: str, operands: str, suffix: bool = True) -> str:
    """Return the text of a call."""
    end = f".{SUFFIXES[operands[0]]}" if suffix else ""
    given = "".join(f", {TYPES[each]} {{{at}}}" for at, each in enumerate(operands))
    return f"call {TYPES.get(result, result)} @dx.op.{name}{end}(i32 {number}{given})"


# ---------------------------------------------------------------- integers


def _divided(x: int, y: int) -> int:
    """Return a quotient toward zero; all ones by 0."""
    return (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1) if y else -1


def _rest(x: int, y: int) -> int:
    """Return a remainder with the sign of x; all ones by 0."""
    return x - y * _divided(x, y) if y else -1


def _integers() -> Iterator[Row]:
    two: dict[str, Do] = {
        "add": lambda k, x, y: x + y, "sub": lambda k, x, y: x - y, "mul": lambda k, x, y: x * y,
        "and": lambda k, x, y: x & y, "or": lambda k, x, y: x | y, "xor": lambda k, x, y: x ^ y,
        "udiv": lambda k, x, y: _divided(x, y), "urem": lambda k, x, y: _rest(x, y),
        "sdiv": lambda k, x, y: _divided(signed(k, x), signed(k, y)),
        "srem": lambda k, x, y: _rest(signed(k, x), signed(k, y)),
        "shl": lambda k, x, y: x << y % BITS[k], "lshr": lambda k, x, y: x >> y % BITS[k],
        "ashr": lambda k, x, y: signed(k, x) >> y % BITS[k],
    }  # fmt: skip
    compared: dict[str, Do] = {
        "eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y,
        "le": lambda x, y: x <= y, "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y,
    }  # fmt: skip
    for k in "wil":
        type, pair = TYPES[k], k * 2
        for name, do in two.items():
            yield Row(f"{name} {type} {{0}}, {{1}}", k, pair, lambda x, y, do=do, k=k: do(k, x, y))
        for name, do in compared.items():
            for sign in ("",) if name in ("eq", "ne") else ("u", "s"):
                yield Row(
                    f"icmp {sign}{name} {type} {{0}}, {{1}}", "1", pair,
                    lambda x, y, do=do, k=k, sign=sign:
                        do(*((signed(k, x), signed(k, y)) if sign == "s" else (x, y))),
                )  # fmt: skip
        for number, most, sign in ((37, max, "s"), (38, min, "s"), (39, max, ""), (40, min, "")):
            yield Row(
                _dx("binary", number, k, pair), k, pair,
                lambda x, y, k=k, most=most, sign=sign:
                    most(x, y, key=lambda n: signed(k, n) if sign else n),
            )  # fmt: skip
        for number in (48, 49):
            yield Row(_dx("tertiary", number, k, k * 3), k, k * 3, lambda x, y, z: x * y + z)
        yield Row(_dx("unary", 30, k, k), k, k, lambda x, k=k: int(f"{x:0{BITS[k]}b}"[::-1], 2))
        yield Row(_dx("unaryBits", 31, "i", k), "i", k, lambda x: x.bit_count())
        yield Row(_dx("unaryBits", 32, "i", k), "i", k, lambda x: (x & -x).bit_length() - 1)
        yield Row(_dx("unaryBits", 33, "i", k), "i", k, lambda x, k=k: _from_top(k, x))
        yield Row(
            _dx("unaryBits", 34, "i", k), "i", k,
            lambda x, k=k: _from_top(k, cut(k, x ^ signed(k, x) >> BITS[k] - 1)),
        )  # fmt: skip
    for name in ("and", "or", "xor"):
        yield Row(f"{name} i1 {{0}}, {{1}}", "1", "11", lambda x, y, do=two[name]: do("1", x, y))
    for k in (*TYPES,):
        text = f"select i1 {{0}}, {TYPES[k]} {{1}}, {TYPES[k]} {{2}}"
        yield Row(text, k, f"1{k}{k}", lambda c, x, y: x if c else y)


def _from_top(kind: str, x: int) -> int:
    """Return the number of zeros above the highest bit that is set; all ones for 0."""
    return BITS[kind] - x.bit_length() if x else -1


def _bytes(x: int, sign: bool = False) -> list[int]:
    found = [x >> 8 * at & 255 for at in range(4)]
    return [each - 256 if sign and each > 127 else each for each in found]


def _masked_sum(reference: int, source: int, total: int) -> int:
    for one, other in zip(_bytes(reference), _bytes(source), strict=True):
        total = min(total + (abs(one - other) if one else 0), 0xFFFF_FFFF)
    return total


def _field(sign: bool) -> Do:
    def do(width: int, offset: int, x: int) -> int:
        width, offset = width & 31, offset & 31
        x = signed("i", x) if sign else x
        if not width:
            return 0
        if width + offset >= 32:
            return x >> offset
        found = x >> offset & (1 << width) - 1
        return found - (1 << width) if sign and found >> width - 1 else found

    return do


def _inserted(width: int, offset: int, x: int, base: int) -> int:
    mask = ((1 << (width & 31)) - 1) << (offset & 31)
    return (x << (offset & 31)) & mask | base & ~mask


def _packed(low: int | None, high: int) -> Do:
    def do(*parts: int) -> int:
        word = 0
        for at, each in enumerate(parts):
            n = signed("i", each)
            n = n if low is None else min(max(n, low), high)
            word |= (n & 255) << 8 * at
        return word

    return do


def _words() -> Iterator[Row]:
    two, carry = "%dx.types.twoi32", "%dx.types.i32c"
    product = _dx("binaryWithTwoOuts", 41, two, "ii", suffix=False)
    quotient = _dx("binaryWithTwoOuts", 43, two, "ii", suffix=False)
    for number, sign in ((41, True), (42, False)):
        text = product.replace("i32 41", f"i32 {number}").replace("Outs(", "Outs.i32(")
        for part in (0, 1):
            yield Row(
                text, "i", "ii",
                lambda x, y, sign=sign, part=part:
                    (signed("i", x) * signed("i", y) if sign else x * y) >> 32 * (1 - part),
                two, part,
            )  # fmt: skip
    for part, divide in enumerate((_divided, _rest)):
        yield Row(quotient.replace("Outs(", "Outs.i32("), "i", "ii", divide, two, part)
    for number in (44, 45):
        text = _dx("binaryWithCarryOrBorrow", number, carry, "ii")
        step = 1 if number == 44 else -1
        yield Row(text, "i", "ii", lambda x, y, step=step: x + step * y, carry, 0)
        yield Row(text, "1", "ii", lambda x, y, step=step: (x + step * y) >> 32 & 1, carry, 1)
    yield Row(_dx("tertiary", 50, "i", "iii"), "i", "iii", _masked_sum)
    yield Row(_dx("tertiary", 51, "i", "iii"), "i", "iii", _field(True))
    yield Row(_dx("tertiary", 52, "i", "iii"), "i", "iii", _field(False))
    yield Row(_dx("quaternary", 53, "i", "iiii"), "i", "iiii", _inserted)
    for number, sign in ((163, True), (164, False)):
        yield Row(
            _dx("dot4AddPacked", number, "i", "iii"), "i", "iii",
            lambda total, x, y, sign=sign:
                total + sum(a * b for a, b in zip(_bytes(x, sign), _bytes(y, sign), strict=True)),
        )  # fmt: skip
    for mode, (low, high) in enumerate(((None, 0), (0, 255), (-128, 127))):
        given = "".join(f", i32 {{{at}}}" for at in range(4))
        text = f"call i32 @dx.op.pack4x8.i32(i32 220, i8 {mode}{given})"
        yield Row(text, "i", "iiii", _packed(low, high))
    for mode in (0, 1):
        text = f"call %dx.types.fouri32 @dx.op.unpack4x8.i32(i32 219, i8 {mode}, i32 {{0}})"
        for part in range(4):
            yield Row(
                text, "i", "i", lambda x, part=part, mode=mode: _bytes(x, mode == 1)[part],
                "%dx.types.fouri32", part,
            )  # fmt: skip


# ---------------------------------------------------------------- floats


def _floats(k: str, format: Format) -> Iterator[Row]:
    type, one = TYPES[k], format.nearest
    for name, do in (("fadd", format.add), ("fsub", format.sub), ("fmul", format.mul),
                     ("fdiv", format.div), ("frem", format.rem)):  # fmt: skip
        yield Row(f"{name} {type} {{0}}, {{1}}", k, k * 2, do)
        yield Row(f"{name} fast {type} {{0}}, {{1}}", k, k * 2, do)
    for order in "ou":
        for name in ("eq", "ne", "lt", "le", "gt", "ge"):
            yield Row(
                f"fcmp {order}{name} {type} {{0}}, {{1}}", "1", k * 2,
                lambda x, y, name=order + name: format.compared(name, x, y),
            )  # fmt: skip
    for name in ("ord", "uno"):
        yield Row(
            f"fcmp {name} {type} {{0}}, {{1}}", "1", k * 2,
            lambda x, y, name=name: format.compared(name, x, y),
        )  # fmt: skip
    yield Row(_dx("unary", 6, k, k), k, k, lambda x: x & ~format.sign)
    yield Row(_dx("unary", 7, k, k), k, k, format.saturated)
    yield Row(_dx("binary", 35, k, k * 2), k, k * 2, lambda x, y: format.most_of(y, x))
    yield Row(_dx("binary", 36, k, k * 2), k, k * 2, format.least_of)
    yield Row(
        _dx("tertiary", 46, k, k * 3), k, k * 3, lambda x, y, z: format.add(format.mul(x, y), z)
    )
    if k == "d":
        yield Row(_dx("tertiary", 47, k, k * 3), k, k * 3, format.fma)
        return
    yield Row(_dx("unary", 22, k, k), k, k, format.fraction)
    yield Row(_dx("unary", 24, k, k), k, k, format.sqrt)
    for number, mode in ((26, "nearest"), (27, "floor"), (28, "ceil"), (29, "trunc")):
        yield Row(_dx("unary", number, k, k), k, k, lambda x, mode=mode: format.whole(mode, x))
    infinite, least = format.infinity, one(format.value(1 << format.precision - 1))
    for number, low, high in ((9, infinite, infinite), (10, 0, infinite - 1),
                              (11, least, infinite - 1)):  # fmt: skip
        yield Row(
            _dx("isSpecialFloat", number, "1", k), "1", k,
            lambda x, low=low, high=high: low <= x & ~format.sign <= high,
        )  # fmt: skip
    yield Row(
        _dx("isSpecialFloat", 8, "1", k), "1", k, lambda x: x & ~format.sign > format.infinity
    )


def _dots(known: dict[str, Format]) -> Iterator[Row]:
    for k in "hf":
        format = known[k]
        for count in (2, 3, 4):

            def dot(*given: int, count: int = count, format: Format = format) -> int:
                products = [format.mul(given[at], given[at + count]) for at in range(count)]
                total = products[0]
                for each in products[1:]:
                    total = format.add(total, each)
                return total

            operands = k * 2 * count
            yield Row(_dx(f"dot{count}", 52 + count, k, operands), k, operands, dot)

    def halves(total: int, ax: int, ay: int, bx: int, by: int) -> int:
        single = known["f"]
        for x, y in ((ax, bx), (ay, by)):
            wide = (HALF.converted(each, single) for each in (x, y))
            total = single.add(total, single.mul(*wide))
        return total

    yield Row(_dx("dot2AddHalf", 162, "f", "fhhhh"), "f", "fhhhh", halves)


# ---------------------------------------------------------------- conversions


def _conversions(known: dict[str, Format]) -> Iterator[Row]:
    single = known["f"]
    for one, other in (("w", "i"), ("w", "l"), ("i", "l"), ("1", "w"), ("1", "i"), ("1", "l")):
        low, high = TYPES[one], TYPES[other]
        yield Row(f"zext {low} {{0}} to {high}", other, one, lambda x: x)
        yield Row(f"sext {low} {{0}} to {high}", other, one, lambda x, k=one: signed(k, x))
        yield Row(f"trunc {high} {{0}} to {low}", one, other, lambda x: x)
    for one, other in (("h", "f"), ("h", "d"), ("f", "d")):
        narrow, wide = known[one], known[other]
        yield Row(
            f"fpext {TYPES[one]} {{0}} to {TYPES[other]}", other, one,
            lambda x, low=narrow, high=wide: low.converted(x, high),
        )  # fmt: skip
        yield Row(
            f"fptrunc {TYPES[other]} {{0}} to {TYPES[one]}", one, other,
            lambda x, low=narrow, high=wide: high.converted(x, low),
        )  # fmt: skip
    for k, format in known.items():
        for n in "wil":
            for sign in (False, True):
                letter = "s" if sign else "u"
                yield Row(
                    f"fpto{letter}i {TYPES[k]} {{0}} to {TYPES[n]}", n, k,
                    lambda x, format=format, n=n, sign=sign:
                        format.to_integer(x, BITS[n], signed=sign),
                )  # fmt: skip
                yield Row(
                    f"{letter}itofp {TYPES[n]} {{0}} to {TYPES[k]}", k, n,
                    lambda x, format=format, n=n, sign=sign:
                        format.nearest(Fraction(signed(n, x) if sign else x)),
                )  # fmt: skip
    for one, other in (("w", "h"), ("i", "f"), ("l", "d")):
        for x, y in ((one, other), (other, one)):
            yield Row(f"bitcast {TYPES[x]} {{0}} to {TYPES[y]}", y, x, lambda x: x)
    for number, pair in enumerate(("wh", "hw", "if", "fi", "ld", "dl"), 124):
        one, other = pair[0], pair[1]
        name = f"bitcast{SUFFIXES[one].upper()}to{SUFFIXES[other].upper()}"
        yield Row(_dx(name, number, other, one, suffix=False), other, one, lambda x: x)
    yield Row(
        _dx("legacyF32ToF16", 130, "i", "f", suffix=False), "i", "f",
        lambda x: single.converted(x, HALF),
    )  # fmt: skip
    yield Row(
        _dx("legacyF16ToF32", 131, "f", "i", suffix=False), "f", "i",
        lambda x: HALF.converted(x & 0xFFFF, single),
    )  # fmt: skip
    yield Row(
        "call double @dx.op.makeDouble.f64(i32 101, i32 {0}, i32 {1})", "d", "ii",
        lambda low, high: high << 32 | low,
    )  # fmt: skip
    for part in (0, 1):
        yield Row(
            "call %dx.types.splitdouble @dx.op.splitDouble.f64(i32 102, double {0})", "i", "d",
            lambda x, part=part: x >> 32 * part, "%dx.types.splitdouble", part,
        )  # fmt: skip
