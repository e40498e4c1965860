"""Instructions: one word each, with the operands as fields.

    one = Instruction(0x2227f107)
    one.op.name                   "mul"
    one.src1, one.desc            0x7f, 7                    numbers, as in the word
    one.dst = 0x12                                           r2
    one.operands                  [r1.xyzw, c95.zzzz, v2.xyzw]

    Instruction.make("mul", dst="r1", src1="c95", src2="v2", desc=7)

Fields belong to formats: the destination of a nop is a UsageError that lists the fields of nop. A
word with an unknown opcode provides only `word` and `opcode`. Masks and swizzles come from the
descriptor table of the program that the instruction is part of.
"""

from collections.abc import Callable, Sequence
from typing import Self, overload

from ...errors import EncodeError, UsageError
from ...isa import Bits, Word
from .descriptors import OperandDescriptor
from .operands import (
    AddressDestination,
    CodeTarget,
    Compare,
    Condition,
    Destination,
    Operand,
    SourceOperand,
    UniformTest,
    VertexSlot,
)
from .tables.ops import BY_OPCODE, OPS, Op
from .tables.registers import DESTINATIONS, SOURCES, Register, RegisterFile

LENGTH_MASK = 0x3FF  # NUM as picasso writes it
NO_DESCRIPTOR = OperandDescriptor()


class _Field:
    """A bit field that several formats have, at different positions."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: "Instruction", owner: type) -> int: ...
    def __get__(self, instance: "Instruction | None", owner: type) -> Self | int:
        return self if instance is None else instance.bits(self.name).of(instance.word)

    def __set__(self, instance: "Instruction", value: int) -> None:
        instance.word = instance.bits(self.name).put(instance.word, value)


class Instruction:
    """One instruction; `descriptors` is the table with its masks and swizzles."""

    __slots__ = ("descriptors", "word")

    def __init__(self, word: int = 0, descriptors: Sequence[OperandDescriptor] = ()) -> None:
        self.word = word
        self.descriptors = descriptors

    desc = _Field("number of the operand descriptor")
    dst = _Field("destination: 0 to 15 o, 16 to 31 r")
    src1 = _Field("first source: 0 to 15 v, 16 to 31 r, 32 to 127 c")
    src2 = _Field("second source")
    src3 = _Field("third source")
    idx = _Field("address register of the wide source")
    cmpx = _Field("comparison of the x components")
    cmpy = _Field("comparison of the y components")
    condop = _Field("combination of the two flags")
    refx = _Field("value that cmp.x is compared with")
    refy = _Field("value that cmp.y is compared with")
    bool_id = _Field("boolean uniform")
    int_id = _Field("integer uniform")
    invert = _Field("jmpu: jump if the uniform is false")
    target = _Field("DST, a word of the program")
    num = _Field("low eight bits of NUM")
    num_high = _Field("upper two bits of NUM, written only by picasso")
    vertex = _Field("slot of the vertex")
    primitive = _Field("the next emit completes a triangle")
    winding = _Field("reverse the winding of the triangle")

    @property
    def opcode(self) -> int:
        """The top six bits; cmp, mad and madi use the low bits of the opcode for operands."""
        return self.word >> 26 & 0x3F

    @property
    def op(self) -> Op | None:
        """The operation, None for an unknown opcode."""
        return BY_OPCODE[self.word >> 26 & 0x3F]

    @property
    def name(self) -> str:
        """picasso's mnemonic, or `opcode_1e` for an unknown opcode."""
        op = self.op
        return op.name if op else f"opcode_{self.opcode:02x}"

    @property
    def format(self) -> type[Word] | None:
        """The format of the word, None for an unknown opcode."""
        op = self.op
        return op.format if op else None

    def bits(self, name: str) -> Bits:
        """Return a field of this instruction's format; UsageError if it does not exist."""
        format = self.format
        found = getattr(format, name, None)
        if isinstance(found, Bits):
            return found
        known = ", ".join(f.name for f in format.FIELDS) if format else "opcode"
        raise UsageError(f"{self.name} has no field {name!r}; its fields are {known}")

    @property
    def length(self) -> int:
        """NUM with the two bits that picasso adds; hardware and emulators use only `num`."""
        return self.num | self.num_high << 8

    @length.setter
    def length(self, value: int) -> None:
        if not 0 <= value <= LENGTH_MASK:
            raise EncodeError(f"{value!r:.40} does not fit 10 bits", path="length")
        self.num = value & 0xFF
        self.num_high = value >> 8

    @classmethod
    def make(cls, name: str, **fields: int | str) -> Self:
        """Make an instruction from its mnemonic and fields, given as numbers or as spelled in YAML.

            Instruction.make("ifu", bool_id="b3", target=12, num=0)

        Raises:
            UsageError: The operation, a field or the spelling of a value is unknown.
            EncodeError: A value does not fit its field.
        """
        op = OPS.by_name.get(name)
        if op is None:
            raise UsageError(f"unknown operation {name!r:.40}")
        made = cls(op.code << 26)
        for field, value in fields.items():
            if field == "length" and isinstance(value, int):
                made.length = value
                continue
            bits = made.bits(field)
            number = bits.value_of(value) if isinstance(value, str) else value
            if number is None or field == "opcode":
                raise UsageError(f"invalid value of field {field!r} of {name}: {value!r:.40}")
            made.word = bits.put(made.word, number)
        return made

    @property
    def operands(self) -> list[Operand]:
        """The operands in the order of the text; masks and swizzles are 0 without a descriptor."""
        return self.operands_by(self.descriptors)

    @property
    def results(self) -> list[Operand]:
        """The operands that the instruction writes."""
        op = self.op
        return self.operands[: op.results] if op else []

    def operands_by(self, descriptors: Sequence[OperandDescriptor]) -> list[Operand]:
        """Return the operands with the masks and swizzles of a given descriptor table."""
        op = self.op
        if op is None:
            return []
        descriptor = self.descriptor(descriptors) or NO_DESCRIPTOR
        return [_OPERANDS[name](self, op, descriptor) for name in op.operands]

    def descriptor(self, descriptors: Sequence[OperandDescriptor]) -> OperandDescriptor | None:
        """Return the descriptor that the word names; None if it names none in the table."""
        op = self.op
        if op is None or not op.reads:
            return None
        number = self.desc
        return descriptors[number] if number < len(descriptors) else None

    def source_registers(self) -> list[Register]:
        """Return the registers of the sources, in order."""
        op = self.op
        return [SOURCES[getattr(self, name)] for name in op.sources] if op else []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instruction) and other.word == self.word

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __str__(self) -> str:
        from .text import instruction_text

        return instruction_text(self)

    def __repr__(self) -> str:
        format = self.format
        if format is None:
            return f"<Instruction 0x{self.word:08x}>"
        shown = " ".join(
            f"{f.name}={f.text_of(f.of(self.word))}"
            for f in reversed(format.FIELDS)
            if f.name != "opcode" and (f.of(self.word) or (f.spell and f.name != "idx"))
        )
        return f"<Instruction {self.name}{shown and ' '}{shown}>"


# ---------------------------------------------------------------- operands


def _source(number: int) -> Callable[[Instruction, Op, OperandDescriptor], Operand]:
    name = f"src{number + 1}"

    def source(one: Instruction, op: Op, descriptor: OperandDescriptor) -> Operand:
        return SourceOperand(
            SOURCES[getattr(one, name)],
            descriptor.swizzles[number],
            bool(descriptor.negates[number]),
            one.idx if op.wide == name else 0,
        )

    return source


_OPERANDS: dict[str, Callable[[Instruction, Op, OperandDescriptor], Operand]] = {
    "dst": lambda one, op, descriptor: Destination(DESTINATIONS[one.dst], descriptor.mask),
    "a0": lambda one, op, descriptor: AddressDestination(descriptor.mask),
    "src1": _source(0),
    "src2": _source(1),
    "src3": _source(2),
    "cmpx": lambda one, op, descriptor: Compare(one.cmpx),
    "cmpy": lambda one, op, descriptor: Compare(one.cmpy),
    "cond": lambda one, op, descriptor: Condition(one.condop, bool(one.refx), bool(one.refy)),
    "bool": lambda one, op, descriptor: UniformTest(Register(RegisterFile.BOOL, one.bool_id)),
    "test": lambda one, op, descriptor: UniformTest(
        Register(RegisterFile.BOOL, one.bool_id), bool(one.invert)
    ),
    "int": lambda one, op, descriptor: Register(RegisterFile.INTEGER, one.int_id),
    "else": lambda one, op, descriptor: CodeTarget(one.target, one.length),
    "call": lambda one, op, descriptor: CodeTarget(one.target, one.length),
    "last": lambda one, op, descriptor: CodeTarget(one.target),
    "jump": lambda one, op, descriptor: CodeTarget(one.target),
    "vertex": lambda one, op, descriptor: VertexSlot(
        one.vertex, bool(one.primitive), bool(one.winding)
    ),
}
