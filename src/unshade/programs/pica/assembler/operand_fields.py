"""Operands of one instruction: from source text to fields of the word."""

import re
from typing import TYPE_CHECKING

from ....isa.source import Location, Scanner
from ....vocab.pica import INTEGERS, SPEAKABLE_INTEGERS
from ..descriptors import OperandDescriptor
from ..tables.fields import CompareOp
from ..tables.ops import INVERTED, OPS, Op
from ..tables.registers import NARROW, Register, RegisterFile, destination_number, source_number
from .numbers import c_integer, small
from .operands import KINDS, NAME, ParsedOperand, in_order, read_operand

if TYPE_CHECKING:
    from .reader import PicassoReader

__all__ = ["OperandReader"]

FLAG = re.compile(r"cmp\.([xy])(?![\w.])", re.ASCII | re.IGNORECASE)
WRONG_FLAG = re.compile(r"\w+\.\w*", re.ASCII)
A0 = re.compile(r"(?:a01|a1|a0(?:\.[a-z_]+)?)(?![\w.])", re.ASCII | re.IGNORECASE)
A0_MASKS = {"a0": 0b1000, "a1": 0b0100, "a01": 0b1100}
WORD = re.compile(r"\w+", re.ASCII)
TARGET = re.compile(r"0[xX][0-9a-fA-F]+|\d+", re.ASCII)
FURTHEST = 0xFFF
LENGTHS = 0x3FF
COMPARISONS = {each.name.lower(): each.value for each in CompareOp}
NAMELESS = {"6": 6, "7": 7}
SLOTS = 3
EMIT_FLAGS = {
    "prim": "primitive",
    "primitive": "primitive",
    "inv": "winding",
    "invert": "winding",
}
ORDINALS = {"src1": "the first source", "src2": "the second source", "src3": "the third source"}
COMMUTES = frozenset({"add", "mul", "dp3", "dp4", "max", "min"})


class OperandReader:
    """The operands of one instruction as they are read: fields, sources and write mask."""

    __slots__ = ("fields", "mask", "reader", "scanner", "written")

    def __init__(self, reader: "PicassoReader", scanner: Scanner) -> None:
        self.reader = reader
        self.scanner = scanner
        self.fields: dict[str, int] = {}
        self.written: dict[str, ParsedOperand] = {}
        self.mask = 0

    def operand(self, name: str, op: Op) -> None:
        """Read the operand with this name in the table of operations."""
        if name == "dst":
            self._destination()
        elif name == "a0":
            self._address_destination()
        elif name.startswith("src"):
            self._source(name)
        elif name in ("cmpx", "cmpy"):
            self._comparison(name)
        elif name == "cond":
            self._condition()
        elif name == "int":
            self._integer()
        elif name == "vertex":
            self._vertex()
        elif name in ("call", "jump"):
            self.target(name)
        else:
            self._bool(op, may_invert=name == "test")

    # ------------------------------------------------------------ registers

    def _destination(self) -> None:
        start = self.scanner.at
        found = self.scanner.match(A0)
        if found is not None and found[0].lower() not in self.reader.aliases:
            problem = f"{found[0]:.40} is an address register, which only mova can write"
            raise self.scanner.place(start).error(problem)
        self.scanner.at = start
        operand = read_operand(self.scanner, self.reader.aliases, "a destination, o or r")
        operand = self._misread(operand, RegisterFile.INPUT, RegisterFile.OUTPUT, "written")
        register = operand.register
        number = destination_number(register)
        if number is None:
            raise operand.error(
                f"{register} is {KINDS[register.file]}; only o and r can be written"
            )
        if register.file is RegisterFile.OUTPUT:
            self.reader.check_output(operand)
        if operand.negate:
            raise operand.error("a destination cannot have a sign")
        if not operand.empty and not in_order(operand.swizzle):
            self.reader.warn(
                "mask-order", operand.place, "the order of components has no effect here"
            )
        self.fields["dst"] = number
        self.mask = operand.mask

    def _address_destination(self) -> None:
        start = self.scanner.at
        name = self.scanner.take(A0, "a0.x, a0.y or a0.xy").lower()
        if name in A0_MASKS:
            self.mask = A0_MASKS[name]
            return
        places = ["xyzw_".find(letter) for letter in name[3:]]
        if places != sorted(set(places)) or -1 in places:
            raise self.scanner.place(start).error(f"expected a0.x, a0.y or a0.xy, got {name:.40}")
        self.mask = sum(8 >> place for place in places)

    def _source(self, name: str) -> None:
        operand = read_operand(
            self.scanner, self.reader.aliases, "a source, v, r or c", address=True
        )
        operand = self._misread(operand, RegisterFile.OUTPUT, RegisterFile.INPUT, "read")
        self.reader.check_index(operand)
        register = operand.register
        if source_number(register) is None:
            raise operand.error(
                f"{register} is {KINDS[register.file]}; only v, r and c can be read"
            )
        if operand.empty:
            raise operand.error("a source needs components")
        self.written[name] = operand

    def _misread(
        self, operand: ParsedOperand, file: RegisterFile, other: RegisterFile, done: str
    ) -> ParsedOperand:
        """Replace an output that is read by the input of the same number, and vice versa.

        Shipped shaders rely on this, so it is only a warning.
        """
        register = operand.register
        if register.file is not file:
            return operand
        instead = Register(other, register.number)
        message = f"{register} is {KINDS[file]} and cannot be {done}; this means {instead}"
        rule = "output-read" if file is RegisterFile.OUTPUT else "input-written"
        self.reader.warn(rule, operand.place, message)
        return operand._replace(register=instead)

    def _bool(self, op: Op, *, may_invert: bool) -> None:
        if may_invert:
            self.fields["invert"] = int(self.scanner.accept("!"))
        elif self.scanner.rest.startswith("!"):
            raise self.scanner.place().error(f"{op.name} cannot invert its test; jmpu can")
        operand = self._uniform(RegisterFile.BOOL)
        self.fields["bool_id"] = operand.register.number

    def _integer(self) -> None:
        operand = self._uniform(RegisterFile.INTEGER)
        if operand.register.number >= SPEAKABLE_INTEGERS and not self.reader.exact:
            raise operand.error(
                f"no such register: {operand.register}; expected i0 to i{INTEGERS - 1}"
            )
        if operand.register.number >= INTEGERS and not self.reader.exact:
            used = operand.register.number % INTEGERS
            message = f"no such register: {operand.register}; the hardware uses i{used}"
            self.reader.warn("integer", operand.place, message)
        self.fields["int_id"] = operand.register.number

    def _uniform(self, file: RegisterFile) -> ParsedOperand:
        operand = read_operand(self.scanner, self.reader.aliases, KINDS[file])
        self.reader.check_index(operand)
        if operand.register.file is not file:
            raise operand.error(f"expected {KINDS[file]}, got {operand.register}")
        if operand.components or operand.negate:
            raise operand.error(f"{KINDS[file]} has neither components nor a sign")
        return operand

    # ------------------------------------------------------------ conditions and the like

    def _condition(self) -> None:
        scanner = self.scanner
        self.fields |= {"refx": 1, "refy": 1}
        first = self._flag()
        self.fields["condop"] = 2 + "xy".index(first)
        for condop, mark in enumerate("|&"):
            if scanner.accept(mark * 2) or scanner.accept(mark):
                start = scanner.at
                if self._flag() == first:
                    raise scanner.place(start).error(f"cmp.{first} is tested twice")
                self.fields["condop"] = condop
                return

    def _flag(self) -> str:
        turned = False
        while self.scanner.accept("!"):
            turned = not turned
        found = self.scanner.match(FLAG)
        if found is None:
            start = self.scanner.at
            wrong = self.scanner.match(WRONG_FLAG)
            if wrong is not None:
                problem = f"expected a condition, cmp.x or cmp.y, got {wrong[0]:.40}"
                raise self.scanner.place(start).error(problem)
            raise self.scanner.expected("a condition, cmp.x or cmp.y")
        letter = found[1].lower()
        self.fields[f"ref{letter}"] = int(not turned)
        return letter

    def _comparison(self, name: str) -> None:
        start = self.scanner.at
        word = self.scanner.take(WORD, "a comparison: eq, ne, lt, le, gt, ge").lower()
        value = COMPARISONS.get(word)
        if value is None and self.reader.exact:
            value = NAMELESS.get(word)
        if value is None:
            raise self.scanner.unknown("comparison", word, start, COMPARISONS)
        self.fields[name] = value

    def _vertex(self) -> None:
        scanner = self.scanner
        self.fields["vertex"] = small(scanner, "a vertex", SLOTS - (not self.reader.exact))
        if scanner.accept(","):
            while not scanner.done and not scanner.rest.startswith("{"):
                start = scanner.at
                word = scanner.take(NAME, "prim or inv").lower()
                if word not in EMIT_FLAGS:
                    raise scanner.unknown("flag of setemit", word, start, EMIT_FLAGS)
                self.fields[EMIT_FLAGS[word]] = 1
        self.reader.emits()

    # ------------------------------------------------------------ targets

    def target(self, name: str) -> None:
        """Read a target: a name, or (an extension) the number of a word and a length."""
        scanner = self.scanner
        start = scanner.at
        number = scanner.match(TARGET)
        if number is not None:
            self._number(number[0], scanner.place(start), name)
            return
        if name not in ("call", "jump"):
            raise scanner.expected("a word of the program")
        found = scanner.take(NAME, "the name of a procedure" if name == "call" else "a label")
        code = self.reader.program.code
        waiting = code.calls if name == "call" else self.reader.jumps
        waiting.append((code.here, found, scanner.place(start)))

    def _number(self, text: str, place: Location, name: str) -> None:
        value = c_integer(text)
        if value is None or value > FURTHEST:
            raise place.error(f"expected a word of the program, 0 to {FURTHEST}, got {text:.40}")
        self.fields["target"] = value
        if name in ("call", "else") and self.scanner.accept(","):
            length = small(self.scanner, "a number of words", LENGTHS)
            self.fields |= {"num": length & 0xFF, "num_high": length >> 8}

    # ------------------------------------------------------------ sources

    def form(self, op: Op, *, inverted: bool) -> Op:
        """Return the operation, or its second form if the registers require it."""
        other = INVERTED.get(op.name)
        if other is None:
            return op
        *_, before, last = self.written.values()
        wide = last.register.file is RegisterFile.FLOAT
        if op.span > 1:  # mad; in others an address register does not matter
            wide |= bool(last.address and not before.address)
        wide &= before.register.file is not RegisterFile.FLOAT
        return OPS[other] if inverted or wide else op

    def sources(self, op: Op) -> dict[str, int]:
        """Return the fields of the sources of an operation."""
        fields: dict[str, int] = {}
        for name, operand in self.written.items():
            number = source_number(operand.register)
            assert number is not None
            fields[name] = number
            if name == op.wide:
                fields["idx"] = int(operand.address)
                if operand.address and number < NARROW and not self.reader.exact:
                    message = f"{operand.register} cannot be addressed relatively, only c can"
                    self.reader.warn("address", operand.place, message)
            elif number >= NARROW:
                raise operand.error(self._too_wide(name, operand, op))
            elif operand.address:
                raise operand.error(f"{ORDINALS[name]} cannot have an address register")
        if not self.reader.exact:
            self._one_input()
        return fields

    def _too_wide(self, name: str, operand: ParsedOperand, op: Op) -> str:
        message = f"{ORDINALS[name]} of {op.name} cannot be {operand.register}, only v or r"
        if op.name in COMMUTES and self.written["src1"].register.file is not RegisterFile.FLOAT:
            return f"{message}; swap the sources"
        return f"{message}; copy it with mov first"

    def _one_input(self) -> None:
        """Refuse two different inputs, which give wrong results on the hardware."""
        inputs = [w for w in self.written.values() if w.register.file is RegisterFile.INPUT]
        for each in inputs[1:]:
            if each.register != inputs[0].register:
                raise each.error(
                    f"{inputs[0].register} and {each.register} in one instruction: the hardware "
                    "reads only one input at a time; copy the other with mov first"
                )

    def descriptor(self) -> int:
        """Return the word of the descriptor with the mask, components and signs."""
        made = OperandDescriptor(mask=self.mask)
        for name, operand in self.written.items():
            setattr(made, f"neg{name[3]}", int(operand.negate))
            setattr(made, f"swz{name[3]}", operand.swizzle)
        return made.word
