"""Values in LLVM assembly: constants, references to globals and to values of a function."""

import math
import struct
from operator import attrgetter

from ....errors import FormatError
from ..model.constants import BlockAddress, InlineAssembly
from ..model.instructions import GetElementPtrInst
from ..model.metadata import Metadata
from ..model.results import scalar
from ..model.types import (
    ArrayType,
    DxilType,
    FloatType,
    IntegerType,
    StructType,
    VectorType,
)
from ..model.values import DxilValue, Function, GlobalValue
from ..tables.llvm_enumerations import BINARY_NUMBERS, CAST_NUMBERS, FLOAT_OPERATIONS, PREDICATES
from .cursor import Cursor
from .later import ALL_OF_FAST, FLAG_HINTS
from .nodes import take_node
from .pointers import cast_type, coerced, interchangeable, pointer_to
from .scope import TextScope
from .tokens import AssemblyToken, unescaped, unescaped_bytes
from .types import read_type

__all__ = [
    "check_numbers", "global_of", "read_flags", "read_inbounds", "read_metadata", "read_predicate",
    "read_typed", "read_value",
]  # fmt: skip

PREDICATE_NUMBERS = {
    "fcmp": {name: number for number, name in PREDICATES.items() if number < 32},
    "icmp": {name: number for number, name in PREDICATES.items() if number >= 32},
}
FLOAT_NAMES = frozenset(FLOAT_OPERATIONS.values())
FLAGS = {
    "nuw": 1, "nsw": 2, "exact": 1, "fast": 0x1F, "nnan": 2, "ninf": 4, "nsz": 8, "arcp": 16,
}  # fmt: skip
FLAG_WORDS = frozenset(FLAGS) | FLAG_HINTS
ALL_FAST = 0x1F
MOST_NESTING = 64
HALF, FLOAT, DOUBLE, EXTENDED = 16, 32, 64, 80


def read_typed(cursor: Cursor, scope: TextScope, depth: int = 0) -> DxilValue:
    """Read a type and a value of that type."""
    return read_value(cursor, scope, read_type(cursor, scope), depth)


def global_of(cursor: Cursor, scope: TextScope, token: AssemblyToken) -> GlobalValue:
    found = scope.globals.get(token.text)
    if found is None:
        cursor.fail(f"unknown global {token.text:.60}", token)
    return found


def read_value(cursor: Cursor, scope: TextScope, type: DxilType, depth: int = 0) -> DxilValue:
    """Read a value of a type."""
    token = cursor.token
    if depth > MOST_NESTING:
        cursor.fail("expected a constant with less nesting")
    if type is scope.metadata_type:
        return scope.pool.argument(type, read_metadata(cursor, scope))
    if token.kind == "local":
        cursor.next()
        return scope.body.local(cursor, token, type)
    if token.kind == "global":
        cursor.next()
        found = global_of(cursor, scope, token)
        if not interchangeable(scope, found.type, type):
            cursor.fail(f"expected a value of type {type!s:.60}, got {found.type!s:.60}", token)
        return found
    if token.kind == "number":
        cursor.next()
        return _number(cursor, scope, type, token)
    if token.kind == "text" and token.text.startswith("c"):
        cursor.next()
        data = unescaped_bytes(token.text[2:-1])
        if not isinstance(type, ArrayType) or type.count != len(data):
            cursor.fail(f"expected a value of type {type!s:.60}, got {len(data)} bytes", token)
        return scope.pool.string(type, data)
    if token.kind == "mark":
        return _aggregate(cursor, scope, type, depth)
    if token.kind == "word":
        return _word(cursor, scope, type, depth)
    cursor.expected("a value")


def _number(cursor: Cursor, scope: TextScope, type: DxilType, token: AssemblyToken) -> DxilValue:
    """Return the number that a token means."""
    text = token.text
    if isinstance(type, IntegerType):
        try:
            return scope.pool.integer(type, int(text))
        except ValueError:
            cursor.fail(f"expected an integer, got {text!r:.40}", token)
    if not isinstance(type, FloatType):
        cursor.fail(f"expected a value of type {type!s:.60}, got a number", token)
    bits = float_bits(text, type.width)
    if bits is None:
        cursor.fail(f"expected a number of type {type}, got {text!r:.40}", token)
    return scope.pool.number(type, bits)


def _aggregate(cursor: Cursor, scope: TextScope, type: DxilType, depth: int) -> DxilValue:
    start = cursor.token
    elements: list[DxilValue] = []
    packed = False
    if cursor.accept("["):
        closing = "]"
    elif cursor.accept("{"):
        closing = "}"
    elif cursor.accept("<"):
        packed = cursor.accept("{")
        closing = "}" if packed else ">"
    else:
        cursor.expected("a value")
    while not cursor.accept(closing):
        if elements:
            cursor.expect(",")
        elements.append(read_typed(cursor, scope, depth + 1))
    if packed:
        cursor.expect(">")
    wanted: list[DxilType] | None = None
    if isinstance(type, StructType) and closing == "}" and type.packed == packed:
        wanted = type.elements
    elif isinstance(type, ArrayType if closing == "]" else VectorType):
        wanted = [type.element] * min(type.count, len(elements) + 1)
    if wanted is None or len(wanted) != len(elements):
        cursor.fail(f"expected a value of type {type!s:.60}", start)
    elements = [coerced(scope, *each) for each in zip(elements, wanted, strict=True)]
    for one, other in zip(elements, wanted, strict=True):
        if one.type is not other:
            cursor.fail(f"expected a value of type {type!s:.60}", start)
    return scope.pool.aggregate(type, elements)


def _word(cursor: Cursor, scope: TextScope, type: DxilType, depth: int) -> DxilValue:
    token = cursor.next()
    text = token.text
    if text in ("true", "false"):
        if not isinstance(type, IntegerType) or type.width != 1:
            cursor.fail(f"expected a value of type {type!s:.60}, got {text}", token)
        return scope.pool.integer(type, int(text == "true"))
    if text in ("null", "zeroinitializer"):
        return scope.pool.null(type)
    if text in ("undef", "poison"):
        return scope.pool.undefined(type)
    if text == "splat" and isinstance(type, VectorType) and type.count <= scope.limits.members:
        cursor.expect("(")
        element = read_typed(cursor, scope, depth + 1)
        cursor.expect(")")
        if element.type is not type.element:
            cursor.fail(f"expected a value of type {type.element!s:.60}", token)
        return scope.pool.aggregate(type, [element] * type.count)
    if text == "asm":
        return _assembly(cursor, type)
    if text == "blockaddress":
        return _block_address(cursor, scope, type)
    return _expression(cursor, scope, type, token, depth)


def _assembly(cursor: Cursor, type: DxilType) -> DxilValue:
    words = (("sideeffect", 1), ("alignstack", 2), ("inteldialect", 4))
    flags = sum(bit for word, bit in words if cursor.accept(word))
    assembly = cursor.take_text()
    cursor.expect(",")
    return InlineAssembly(type, flags, assembly, cursor.take_text())


def _block_address(cursor: Cursor, scope: TextScope, type: DxilType) -> DxilValue:
    cursor.expect("(")
    function = global_of(cursor, scope, cursor.take("global", "a function"))
    cursor.expect(",")
    token = cursor.take("local", "a block")
    cursor.expect(")")
    if not isinstance(function, Function):
        cursor.fail("expected a function", token)
    made = BlockAddress(type, function, 0)
    scope.addresses.append((made, token))
    return made


def _expression(
    cursor: Cursor, scope: TextScope, type: DxilType, token: AssemblyToken, depth: int
) -> DxilValue:
    opcode = token.text
    detail, flags, source_type = 0, None, None
    if opcode in BINARY_NUMBERS:
        detail, flags = BINARY_NUMBERS[opcode], read_flags(cursor)
    elif opcode in CAST_NUMBERS:
        detail = CAST_NUMBERS[opcode]
        read_flags(cursor)
    elif opcode in PREDICATE_NUMBERS:
        detail = read_predicate(cursor, opcode)
    elif opcode == "getelementptr":
        detail = read_inbounds(cursor)
    elif opcode not in ("select", "extractelement", "insertelement", "shufflevector"):
        cursor.fail(f"expected a value, got {opcode!r:.40}", token)
    cursor.expect("(")
    if opcode == "getelementptr":
        source_type = read_type(cursor, scope)
        cursor.expect(",")
    arguments = [read_typed(cursor, scope, depth + 1)]
    while cursor.accept(","):
        arguments.append(read_typed(cursor, scope, depth + 1))
    if opcode in BINARY_NUMBERS:
        check_numbers(cursor, token, arguments[0].type)
    if opcode in CAST_NUMBERS:
        cursor.expect("to")
        if read_type(cursor, scope) is not type:
            cursor.fail(f"expected a value of type {type!s:.60}", token)
        type = cast_type(scope, arguments[0], type)
    cursor.expect(")")
    if scope.opaque and source_type is not None:
        arguments[0] = pointer_to(scope, arguments[0], source_type)
        step = GetElementPtrInst(
            type=type, source_type=source_type, pointer=arguments[0], indices=arguments[1:]
        )
        try:
            type = step.result(scope.types, attrgetter("type"))
        except FormatError as error:
            cursor.fail(error.problem, token)
    name = "binary" if opcode in BINARY_NUMBERS else "cast" if opcode in CAST_NUMBERS else opcode
    return scope.pool.expression(type, name, arguments, detail, flags, source_type)


def check_numbers(cursor: Cursor, token: AssemblyToken, type: DxilType) -> None:
    """Raise AssembleError if an operation on floats has integer operands, or the reverse.

    Bitcode has one opcode for `add` and `fadd`, and the type of the operands selects the operation:
    the mistake would silently assemble to the other operation.
    """
    element = scalar(type)
    wanted = FloatType if token.text in FLOAT_NAMES else IntegerType
    other = IntegerType if token.text in FLOAT_NAMES else FloatType
    if isinstance(element, other):
        kind = "floats" if wanted is FloatType else "integers"
        cursor.fail(f"{token.text}: expected {kind}, got {type!s:.60}", token)


def read_predicate(cursor: Cursor, opcode: str) -> int:
    """Read the predicate of a comparison."""
    token = cursor.next()
    found = PREDICATE_NUMBERS[opcode].get(token.text)
    if found is None:
        cursor.fail(f"unknown predicate {token.text!r:.40}", token)
    return found


def read_flags(cursor: Cursor) -> int | None:
    """Read flags of an operation; None if there are none."""
    found = None
    words = set()
    while cursor.token.text in FLAG_WORDS and cursor.token.kind == "word":
        word = cursor.next().text
        words.add(word)
        bits = FLAGS.get(word, 0)
        if bits == ALL_FAST and cursor.accept("("):
            bits = cursor.take_number()
            cursor.expect(")")
        if bits:
            found = (found or 0) | bits
    return ALL_FAST if words >= ALL_OF_FAST else found


def read_inbounds(cursor: Cursor) -> int:
    """Read the flags of a getelementptr; return the flag of LLVM 3.7 (inbounds)."""
    found = cursor.accept("inbounds")
    while cursor.token.text in ("nusw", "nuw", "inrange"):
        cursor.next()
        if cursor.token.text == "(":
            cursor.skip_parentheses()
    return int(found)


def read_metadata(cursor: Cursor, scope: TextScope) -> Metadata:
    """Read metadata: `!5`, `!{…}`, `!"text"` or a value with its type."""
    token = cursor.token
    if token.kind == "node" or token.text == "!{":
        return take_node(cursor, scope)
    if token.kind == "text" and token.text.startswith('!"'):
        cursor.next()
        return scope.pool.text(unescaped(token.text[2:-1]))
    value = read_typed(cursor, scope)
    if value.type is scope.metadata_type:
        cursor.fail("expected a value, got metadata", token)
    return scope.pool.value(value)


def float_bits(text: str, width: int) -> int | None:
    """Return the bits of a number: decimal, a double in hex, or after a letter the bits in hex."""
    if text.startswith("0x"):
        letter = text[2] if text[2] in "KLMH" else ""
        bits = int(text[2 + len(letter) :], 16)
        if letter:
            fits = {"H": HALF, "K": EXTENDED, "L": 128, "M": 128}[letter] == width
            if width == 128 and fits:
                bits = bits >> 64 | (bits & (1 << 64) - 1) << 64
            return bits if fits and bits >> width == 0 else None
        if bits >> DOUBLE:
            return None
        return _narrowed(bits, width)
    try:
        value = float(text)
    except ValueError:
        return None
    if math.isinf(value):
        return None
    return _narrowed(int.from_bytes(struct.pack("<d", value), "little"), width)


def _narrowed(bits: int, width: int) -> int | None:
    """Return the bits of a double as a float or double; None if its value does not fit."""
    if width == DOUBLE:
        return bits
    if width != FLOAT:
        return None
    sign, exponent, fraction = bits >> 63, bits >> 52 & 0x7FF, bits & (1 << 52) - 1
    if exponent == 0x7FF:
        return sign << 31 | 0xFF << 23 | fraction >> 29 if not fraction & (1 << 29) - 1 else None
    value = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    try:
        data = struct.pack("<f", value)
    except OverflowError:
        return None
    return int.from_bytes(data, "little")
