"""Values in LLVM assembly: constants, references to globals and to values of a function."""

import math
import struct
from collections.abc import Sequence

from ....isa.source import Source
from ....limits import DEFAULT, Limits
from ..model.constants import BlockAddress, InlineAssembly, integer_of
from ..model.metadata import Metadata, MetadataNode
from ..model.types import (
    ArrayType,
    DxilType,
    FloatType,
    IntegerType,
    PointerType,
    StructType,
    VectorType,
)
from ..model.values import DxilValue, Function, GlobalValue
from ..tables.operations import BINARY_OPERATIONS, CASTS, FLOAT_OPERATIONS, PREDICATES
from .later import ALL_OF_FAST, FLAG_HINTS
from .pointers import OpaquePointers
from .pool import ConstantPool
from .tokens import AssemblyToken, unescaped, unescaped_bytes

__all__ = ["BINARY", "CAST_NUMBERS", "PREDICATE_NUMBERS", "ValueParser"]

BINARY = {name: number for number, name in BINARY_OPERATIONS.items()}
FLOAT_NAMES = frozenset(FLOAT_OPERATIONS.values())
BINARY.update({name: number for number, name in FLOAT_OPERATIONS.items()})
CAST_NUMBERS = {name: number for number, name in CASTS.items()}
PREDICATE_NUMBERS = {
    "fcmp": {name: number for number, name in PREDICATES.items() if number < 32},
    "icmp": {name: number for number, name in PREDICATES.items() if number >= 32},
}
FLAGS = {
    "nuw": 1, "nsw": 2, "exact": 1, "fast": 0x1F, "nnan": 2, "ninf": 4, "nsz": 8, "arcp": 16,
}  # fmt: skip
ALL_FAST = 0x1F
MOST_NESTING = 64
HALF, FLOAT, DOUBLE, EXTENDED = 16, 32, 64, 80


class ValueParser(OpaquePointers):
    """A reader of values; `scope` has those of the function that is being read."""

    def __init__(self, source: Source, limits: Limits = DEFAULT) -> None:
        super().__init__(source, limits)
        self.pool = ConstantPool()
        self.before = []
        self.globals: dict[str, GlobalValue] = {}
        self.nodes: dict[int, MetadataNode] = {}
        self.addresses: list[
            tuple[BlockAddress, AssemblyToken]
        ] = []  # their blocks are known later

    def local(self, token: AssemblyToken, type: DxilType) -> DxilValue:
        """Return a value of the function that is being read."""
        self.fail("expected a constant, got a value of a function", token)

    def typed(self, depth: int = 0) -> DxilValue:
        """Read a type and a value of it."""
        return self.value(self.read_type(), depth)

    def global_(self, token: AssemblyToken) -> GlobalValue:
        found = self.globals.get(token.text)
        if found is None:
            self.fail(f"unknown global {token.text:.60}", token)
        return found

    def value(self, type: DxilType, depth: int = 0) -> DxilValue:
        """Read a value of a type."""
        token = self.token
        if depth > MOST_NESTING:
            self.fail("expected a constant with less nesting")
        if type is self.metadata_type:
            return self.pool.argument(type, self.metadata_operand())
        if token.kind == "local":
            self.next()
            return self.local(token, type)
        if token.kind == "global":
            self.next()
            found = self.global_(token)
            if not self.interchangeable(found.type, type):
                self.fail(f"expected a value of type {type!s:.60}, got {found.type!s:.60}", token)
            return found
        if token.kind == "number":
            self.next()
            return self.number(type, token)
        if token.kind == "text" and token.text.startswith("c"):
            self.next()
            data = unescaped_bytes(token.text[2:-1])
            if not isinstance(type, ArrayType) or type.count != len(data):
                self.fail(f"expected a value of type {type!s:.60}, got {len(data)} bytes", token)
            return self.pool.string(type, data)
        if token.kind == "mark":
            return self._aggregate(type, depth)
        if token.kind == "word":
            return self._word(type, depth)
        self.expected("a value")

    def number(self, type: DxilType, token: AssemblyToken) -> DxilValue:
        """Return the number that a token means."""
        text = token.text
        if isinstance(type, IntegerType):
            try:
                return self.pool.integer(type, int(text))
            except ValueError:
                self.fail(f"expected an integer, got {text!r:.40}", token)
        if not isinstance(type, FloatType):
            self.fail(f"expected a value of type {type!s:.60}, got a number", token)
        bits = float_bits(text, type.width)
        if bits is None:
            self.fail(f"expected a number of type {type}, got {text!r:.40}", token)
        return self.pool.number(type, bits)

    def _aggregate(self, type: DxilType, depth: int) -> DxilValue:
        start = self.token
        elements: list[DxilValue] = []
        packed = False
        if self.accept("["):
            closing = "]"
        elif self.accept("{"):
            closing = "}"
        elif self.accept("<"):
            packed = self.accept("{")
            closing = "}" if packed else ">"
        else:
            self.expected("a value")
        while not self.accept(closing):
            if elements:
                self.expect(",")
            elements.append(self.typed(depth + 1))
        if packed:
            self.expect(">")
        wanted: list[DxilType] | None = None
        if isinstance(type, StructType) and closing == "}" and type.packed == packed:
            wanted = type.elements
        elif isinstance(type, ArrayType if closing == "]" else VectorType):
            wanted = [type.element] * min(type.count, len(elements) + 1)
        if wanted is None or len(wanted) != len(elements):
            self.fail(f"expected a value of type {type!s:.60}", start)
        elements = [self.coerced(*each) for each in zip(elements, wanted, strict=True)]
        for one, other in zip(elements, wanted, strict=True):
            if one.type is not other:
                self.fail(f"expected a value of type {type!s:.60}", start)
        return self.pool.aggregate(type, elements)

    def _word(self, type: DxilType, depth: int) -> DxilValue:
        token = self.next()
        text = token.text
        if text in ("true", "false"):
            if not isinstance(type, IntegerType) or type.width != 1:
                self.fail(f"expected a value of type {type!s:.60}, got {text}", token)
            return self.pool.integer(type, int(text == "true"))
        if text in ("null", "zeroinitializer"):
            return self.pool.null(type)
        if text in ("undef", "poison"):
            return self.pool.undefined(type)
        if text == "splat" and isinstance(type, VectorType) and type.count <= self.limits.members:
            self.expect("(")
            element = self.typed(depth + 1)
            self.expect(")")
            if element.type is not type.element:
                self.fail(f"expected a value of type {type.element!s:.60}", token)
            return self.pool.aggregate(type, [element] * type.count)
        if text == "asm":
            return self._assembly(type)
        if text == "blockaddress":
            return self._block_address(type)
        return self._expression(type, token, depth)

    def _assembly(self, type: DxilType) -> DxilValue:
        words = (("sideeffect", 1), ("alignstack", 2), ("inteldialect", 4))
        flags = sum(bit for word, bit in words if self.accept(word))
        assembly = self.take_text()
        self.expect(",")
        return InlineAssembly(type, flags, assembly, self.take_text())

    def _block_address(self, type: DxilType) -> DxilValue:
        self.expect("(")
        function = self.global_(self.take("global", "a function"))
        self.expect(",")
        token = self.take("local", "a block")
        self.expect(")")
        if not isinstance(function, Function):
            self.fail("expected a function", token)
        made = BlockAddress(type, function, 0)
        self.addresses.append((made, token))
        return made

    def _expression(self, type: DxilType, token: AssemblyToken, depth: int) -> DxilValue:
        opcode = token.text
        detail, flags, source_type = 0, None, None
        if opcode in BINARY:
            detail, flags = BINARY[opcode], self.flags()
        elif opcode in CAST_NUMBERS:
            detail = CAST_NUMBERS[opcode]
            self.flags()
        elif opcode in PREDICATE_NUMBERS:
            detail = self.predicate(opcode)
        elif opcode == "getelementptr":
            detail = self.inbounds()
        elif opcode not in ("select", "extractelement", "insertelement", "shufflevector"):
            self.fail(f"expected a value, got {opcode!r:.40}", token)
        self.expect("(")
        if opcode == "getelementptr":
            source_type = self.read_type()
            self.expect(",")
        arguments = [self.typed(depth + 1)]
        while self.accept(","):
            arguments.append(self.typed(depth + 1))
        if opcode in BINARY:
            self.check_numbers(token, arguments[0].type)
        if opcode in CAST_NUMBERS:
            self.expect("to")
            if self.read_type() is not type:
                self.fail(f"expected a value of type {type!s:.60}", token)
            type = self.cast_type(arguments[0], type)
        self.expect(")")
        if self.opaque and source_type is not None:
            arguments[0] = self.pointer_to(arguments[0], source_type)
            type = self.step_type(source_type, arguments[0], arguments[1:], token)
        name = "binary" if opcode in BINARY else "cast" if opcode in CAST_NUMBERS else opcode
        return self.pool.expression(type, name, arguments, detail, flags, source_type)

    def check_numbers(self, token: AssemblyToken, type: DxilType) -> None:
        """Raise AssembleError if an operation on floats has integers, or the other way round.

        In bitcode both are one operation, which the type would change without a sign.
        """
        element = type.element if isinstance(type, VectorType) else type
        wanted = FloatType if token.text in FLOAT_NAMES else IntegerType
        other = IntegerType if token.text in FLOAT_NAMES else FloatType
        if isinstance(element, other):
            kind = "floats" if wanted is FloatType else "integers"
            self.fail(f"{token.text}: expected {kind}, got {type!s:.60}", token)

    def predicate(self, opcode: str) -> int:
        """Read the predicate of a comparison."""
        token = self.next()
        found = PREDICATE_NUMBERS[opcode].get(token.text)
        if found is None:
            self.fail(f"unknown predicate {token.text!r:.40}", token)
        return found

    def flags(self) -> int | None:
        """Read flags of an operation; None if there are none."""
        found = None
        words = set()
        while self.token.kind == "word" and self.token.text in FLAGS.keys() | FLAG_HINTS:
            word = self.next().text
            words.add(word)
            bits = FLAGS.get(word, 0)
            if bits == ALL_FAST and self.accept("("):
                bits = self.take_number()
                self.expect(")")
            if bits:
                found = (found or 0) | bits
        return ALL_FAST if words >= ALL_OF_FAST else found

    def inbounds(self) -> int:
        """Read the flags of a getelementptr; return that of LLVM 3.7."""
        found = self.accept("inbounds")
        while self.token.text in ("nusw", "nuw", "inrange"):
            self.next()
            if self.token.text == "(":
                self.skip_parentheses()
        return int(found)

    # -- types of pointers -----------------------------------------------------------------------

    def cast_type(self, value: DxilValue, type: DxilType) -> DxilType:
        """Return the type of a cast: a pointer to another address space keeps what it points to."""
        of = value.type
        if self.opaque and isinstance(of, PointerType) and isinstance(type, PointerType):
            return self.types.pointer(of.pointee, type.space)
        return type

    def step_type(
        self,
        inner: DxilType,
        pointer: DxilValue,
        indices: Sequence[DxilValue],
        token: AssemblyToken,
    ) -> DxilType:
        """Return the type of an address: a pointer, or a vector of pointers."""
        type = pointer.type
        lanes = type if isinstance(type, VectorType) else None
        if isinstance(type, VectorType):
            type = type.element
        if not isinstance(type, PointerType):
            self.fail(f"expected a pointer, got {type!s:.60}", token)
        for at, index in enumerate(indices):
            if isinstance(index.type, VectorType):
                lanes = lanes or index.type
            if at:
                inner = self.part_type(inner, integer_of(index), token)
        found = self.types.pointer(inner, type.space)
        return self.types.vector(lanes.count, found) if lanes is not None else found

    def part_type(self, type: DxilType, index: int | None, token: AssemblyToken) -> DxilType:
        """Return the type of a part of an aggregate."""
        if isinstance(type, ArrayType | VectorType):
            return type.element
        elements = type.elements if isinstance(type, StructType) else None
        if elements is None or index is None or not 0 <= index < len(elements):
            self.fail(f"expected a part of {type!s:.60}", token)
        return elements[index]

    # -- metadata --------------------------------------------------------------------------------

    def node(self, token: AssemblyToken) -> MetadataNode:
        """Return the node of a number: `!5`."""
        text = token.text[1:]
        found = self.nodes.get(int(text[:12])) if text.isdigit() else None
        if found is None:
            self.fail(f"unknown metadata {token.text!r:.40}", token)
        return found

    def metadata_operand(self) -> Metadata:
        """Read metadata: `!5`, `!"text"` or a value with its type."""
        token = self.token
        if token.kind == "node":
            self.next()
            return self.node(token)
        if token.kind == "text" and token.text.startswith('!"'):
            self.next()
            return self.pool.text(unescaped(token.text[2:-1]))
        value = self.typed()
        if value.type is self.metadata_type:
            self.fail("expected a value, got metadata", token)
        return self.pool.value(value)


def float_bits(text: str, width: int) -> int | None:
    """Return the bits of a number: decimal, those of a double, or with a letter its own."""
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
