"""Values of constants, including specialisation constants.

    %n   = OpSpecConstant %uint 4                   4, or what SpecId is set to
    %m   = OpSpecConstantOp %uint IMul %n %uint_2   8
    %arr = OpTypeArray %float %m                    so it has 8 elements

Integers, booleans and their vectors are computed; float arithmetic in a constant, which only
kernels may use, is not. A constant that cannot be computed is None: a cycle of definitions, a
division by 0, an array of more elements than `MOST`.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from .context import Number
from .index import Definition, ModuleIndex
from .tables.numbers import Opcode
from .tables.opcode_groups import COMPOSITES

__all__ = ["ConstantValues", "Value"]

Value: TypeAlias = "bool | int | float | list[Value] | None"

MOST = 4096  # elements of a composite
BOOLEANS = {
    Opcode.ConstantTrue: True,
    Opcode.ConstantFalse: False,
    Opcode.SpecConstantTrue: True,
    Opcode.SpecConstantFalse: False,
}
FLOATS = {16: ("<H", "<e"), 32: ("<I", "<f"), 64: ("<Q", "<d")}


class ConstantValues:
    """The constants of a module, computed on first access.

    `chosen` are values by SpecId, which replace the defaults.
    """

    def __init__(self, index: ModuleIndex, chosen: Mapping[int, Value] | None = None) -> None:
        self.index = index
        self.chosen = dict(chosen or {})
        self._known: dict[int, Value] = {}
        self.asked: set[int] = set()  # ids of the integers that something depends on

    def value(self, number: int) -> Value:
        """Return the value of a constant; None if it is not a constant, or cannot be computed."""
        known = self._known
        stack = [number]
        begun: set[int] = set()
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            found = self.index.definitions.get(top)
            missing = [] if found is None or top in begun else self._missing(found)
            begun.add(top)
            if missing:
                stack += missing
            else:
                known[top] = None if found is None else self._computed(found)
                stack.pop()
        return known[number]

    def integer(self, number: int) -> int | None:
        """Return the value of an integer constant; None for other values."""
        found = self.value(number)
        if not isinstance(found, int) or isinstance(found, bool):
            return None
        self.asked.add(number)
        return found

    def _missing(self, found: Definition) -> list[int]:
        """Return the ids whose values are needed first."""
        if found.opcode in COMPOSITES:
            needed: Sequence[int] = found.words[3 : 3 + MOST]
        elif found.opcode == Opcode.SpecConstantOp:
            needed = [p.words[0] for p in found.decoded.operands if p.kind == "IdRef"]
        else:
            return []
        return [each for each in needed if each not in self._known]

    def _computed(self, found: Definition) -> Value:
        words = found.words
        if found.opcode in BOOLEANS:
            default: Value = BOOLEANS[found.opcode]
            return self._chosen(words[2], default)
        match found.opcode:
            case Opcode.Constant:
                return self._literal(words)
            case Opcode.SpecConstant:
                return self._chosen(words[2], self._literal(words))
            case Opcode.ConstantNull:
                return self._null(words[1])
            case Opcode.SpecConstantOp:
                return self._operation(found)
        if found.opcode in COMPOSITES and len(words) - 3 <= MOST:
            return [self._known.get(each) for each in words[3:]]
        return None

    def _chosen(self, number: int, default: Value) -> Value:
        place = self.index.specialisation(number)
        return default if place is None else self.chosen.get(place, default)

    def _literal(self, words: tuple[int, ...]) -> Value:
        kind = self.index.numbers.get(words[1])
        bits = sum(word << 32 * at for at, word in enumerate(words[3:]))
        if kind is None:
            return None
        if not kind.is_float:
            return kind.integer(bits)
        if kind.encoding is not None or kind.width not in FLOATS:
            return None
        stored, read = FLOATS[kind.width]
        found: float = struct.unpack(read, struct.pack(stored, bits & (1 << kind.width) - 1))[0]
        return found

    def _null(self, kind: int) -> Value:
        number = self.index.numbers.get(kind)
        if number is not None:
            return 0.0 if number.is_float else 0
        found = self.index.definitions.get(kind)
        match found.opcode if found is not None else None:
            case Opcode.TypeBool:
                return False
            case Opcode.TypeVector if found is not None and found.words[3] <= MOST:
                part = self.index.numbers.get(found.words[2])
                zero: Value = False if part is None else 0.0 if part.is_float else 0
                return [zero] * found.words[3]
        return None

    # -- operations ------------------------------------------------------------------------------

    def _operation(self, found: Definition) -> Value:
        operands = found.decoded.operands
        op = next((each.op for each in operands if each.op is not None), None)
        if op is None:
            return None
        ids = [each.words[0] for each in operands if each.kind == "IdRef"]
        literals = [each.words[0] for each in operands if each.kind == "LiteralInteger"]
        given = [self._known.get(each) for each in ids]
        match op.name:
            case "OpCompositeExtract":
                return _part(given[0], literals)
            case "OpCompositeInsert":
                return _inserted(given[0], given[1], literals)
            case "OpVectorShuffle" if isinstance(given[0], list) and isinstance(given[1], list):
                both = [*given[0], *given[1]]
                return [both[at] if at < len(both) else None for at in literals]
            case "OpSelect":
                return _each(lambda test, yes, no: yes if test else no, given)
        made = OPERATIONS.get(op.name)
        if made is None or not given:
            return None
        kind = self._scalar(found.words[1])
        source = self._scalar(self.index.types.get(ids[0], 0)) or Number(False, 32)

        def apply(*values: Value) -> Value:
            if not all(isinstance(each, int) for each in values):
                return None
            result = made(source, *values)
            if kind is None or isinstance(result, bool) or not isinstance(result, int):
                return result
            return None if kind.is_float else kind.integer(result)

        return _each(apply, given)

    def _scalar(self, kind: int) -> Number | None:
        """Return the numeric type of a scalar or of a vector's components."""
        found = self.index.definitions.get(kind)
        if found is not None and found.opcode == Opcode.TypeVector:
            kind = found.words[2]
        return self.index.numbers.get(kind)


def _each(apply: Callable[..., Value], given: Sequence[Value]) -> Value:
    """Apply a function to values, or to the components of vectors."""
    if any(each is None for each in given):
        return None
    sizes = {len(each) for each in given if isinstance(each, list)}
    if not sizes:
        return apply(*given)
    size = sizes.pop()
    if sizes:
        return None
    rows = [each if isinstance(each, list) else [each] * size for each in given]
    return [
        None if None in row else apply(*row)  # one that is not known
        for row in zip(*rows, strict=True)
    ]


def _part(value: Value, path: Sequence[int]) -> Value:
    for at in path:
        if not isinstance(value, list) or at >= len(value):
            return None
        value = value[at]
    return value


def _inserted(part: Value, into: Value, path: Sequence[int]) -> Value:
    if not isinstance(into, list) or len(path) != 1 or path[0] >= len(into):
        return None
    return [part if at == path[0] else each for at, each in enumerate(into)]


def _quotient(x: int, y: int) -> int | None:
    """Return a quotient rounded to 0; None for a division by 0."""
    if not y:
        return None
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _remainder(x: int, y: int) -> int | None:
    found = _quotient(x, y)
    return None if found is None else x - found * y


def _modulo(x: int, y: int) -> int | None:
    return x % y if y else None


def _shift(apply: Callable[[int, int], int]) -> Callable[[int, int], int | None]:
    return lambda x, y: apply(x, y) if 0 <= y < 64 else None


def _of(signed: bool, apply: Callable[..., Value]) -> Callable[..., Value]:
    """Return an operation on integers of a type, taken as signed or unsigned."""

    def operation(kind: Number, *given: int) -> Value:
        values = [kind._replace(signed=signed).integer(each) for each in given]
        return None if None in values else apply(*values)

    return operation


def _of_unsigned(apply: Callable[..., Value]) -> Callable[..., Value]:
    return _of(False, apply)


def _of_signed(apply: Callable[..., Value]) -> Callable[..., Value]:
    return _of(True, apply)


OPERATIONS: dict[str, Callable[..., Value]] = {
    "OpSConvert": _of_signed(lambda x: x),
    "OpUConvert": _of_unsigned(lambda x: x),
    "OpSNegate": _of_signed(lambda x: -x),
    "OpNot": _of_unsigned(lambda x: ~x),
    "OpIAdd": _of_unsigned(lambda x, y: x + y),
    "OpISub": _of_unsigned(lambda x, y: x - y),
    "OpIMul": _of_unsigned(lambda x, y: x * y),
    "OpUDiv": _of_unsigned(_quotient),
    "OpUMod": _of_unsigned(_modulo),
    "OpSDiv": _of_signed(_quotient),
    "OpSRem": _of_signed(_remainder),
    "OpSMod": _of_signed(_modulo),
    "OpShiftRightLogical": _of_unsigned(_shift(lambda x, y: x >> y)),
    "OpShiftRightArithmetic": _of_signed(_shift(lambda x, y: x >> y)),
    "OpShiftLeftLogical": _of_unsigned(_shift(lambda x, y: x << y)),
    "OpBitwiseOr": _of_unsigned(lambda x, y: x | y),
    "OpBitwiseXor": _of_unsigned(lambda x, y: x ^ y),
    "OpBitwiseAnd": _of_unsigned(lambda x, y: x & y),
    "OpLogicalOr": lambda kind, x, y: bool(x or y),
    "OpLogicalAnd": lambda kind, x, y: bool(x and y),
    "OpLogicalNot": lambda kind, x: not x,
    "OpLogicalEqual": lambda kind, x, y: x == y,
    "OpLogicalNotEqual": lambda kind, x, y: x != y,
    "OpIEqual": _of_unsigned(lambda x, y: x == y),
    "OpINotEqual": _of_unsigned(lambda x, y: x != y),
    "OpULessThan": _of_unsigned(lambda x, y: x < y),
    "OpUGreaterThan": _of_unsigned(lambda x, y: x > y),
    "OpULessThanEqual": _of_unsigned(lambda x, y: x <= y),
    "OpUGreaterThanEqual": _of_unsigned(lambda x, y: x >= y),
    "OpSLessThan": _of_signed(lambda x, y: x < y),
    "OpSGreaterThan": _of_signed(lambda x, y: x > y),
    "OpSLessThanEqual": _of_signed(lambda x, y: x <= y),
    "OpSGreaterThanEqual": _of_signed(lambda x, y: x >= y),
}
