"""The text form of kernels: declarations, then statements, one per line.

    kernel scale compute group 64 1 1 flush 32
    memory %t0 buffer 4
    memory %u0 buffer 4 writable at write 0
    in %v0.x f32 interpolation linear at input pixel 0
    var @r0.x i32

    %0 = source thread_id.x !3              the value's number; its origin: see below
    %1 = count %u0
    %2 = ult %0, %1
    if %2 {
      %3 = load:f32 %t0[%0, i32 0] !4       :type if the operation leaves it open
      %4 = fmul %3, f32 2.0                 constants are written where they are used
      store %u0[%0, i32 0], %4
    }

The name of an operation is followed by its attribute, then its operands. Values are numbered in the
order of the text, so that a kernel has exactly one text; so are blocks:

    block $0 {
      loop {
        if %2 {
          exit $0
        }
      }
    }

Declarations include their slots. Defaults are omitted; `count any` is an unbounded array:

    memory %u0 buffer 4 writable at write 0 space 2 count 4
    memory %v buffer 32 each 3 at points input vertex
    memory %n constant 4 internal at exchange sample_count
    in %v1.z i32 row v1 at input pixel 1 component 2
    in %v1.z.ddx f32 at input pixel 1 component 2 part slope_x
    out %oDepth i32 meaning depth at output pixel depth

Annotations end a line: the line of the listing, the location, the name of the value, and the source
variables that it is the value of. Locations and calls are declared before the statements, each
after those it refers to:

    place #0 "main.hlsl" 31 5 in main
    call ^0 55 at #0
    place #1 "light.hlsl" 7 14 in shade by ^0

    %3 = fmul %1, %2 !40 #1 as "%12" ".x" gives color ".x"

`tests/oracle/parsing.py` reads the text.
"""

import re
from collections.abc import Iterator
from json import dumps

from ..vocab.slots import (
    Exchange,
    MemoryPart,
    MemorySlot,
    PointsSlot,
    PortPart,
    PortSlot,
    ResourceSlot,
)
from .fold import from_float, signed, to_float
from .kernel import WAVE, Block, Case, If, KernelIR, Loop, Region, Switch, Value, regions
from .locations import Call, SourceLocation, SymbolName, ValueLabel
from .memory import Memory, Port, Var
from .ops import OPS
from .textures import Level, Sample, TextureDeclaration
from .types import BOOL, Type, Widths
from .waves import Wave

__all__ = ["ANY", "EXCHANGE", "POINTS", "PORT_NUMBERS", "number", "print_kernel", "word"]

DIGITS = {16: 5, 32: 9, 64: 17}  # decimal digits that identify a float
SMALL = 1 << 16  # larger integers are written in hex
PLAIN = re.compile(r"[A-Za-z_][\w.]*", re.ASCII)
POINTS, EXCHANGE, ANY = "points", "exchange", "any"
PORT_NUMBERS = ("component", "element", "stream", "index")


def print_kernel(kernel: KernelIR) -> str:
    """Return the text of a kernel."""
    x, y, z = kernel.group
    head = f"kernel {word(kernel.name)} {word(kernel.stage)} group {x} {y} {z}"
    head += " quads" * kernel.quads
    head += f" wave {kernel.wave}" if kernel.wave != WAVE else ""
    lines = [head + _widths("flush", kernel.flush) + _widths("written", kernel.written)]
    lines += [_memory(each) for each in kernel.memories]
    lines += [_texture(each) for each in kernel.textures]
    lines += [f"sampler %{word(each.name)}{slot_text(each.slot)}" for each in kernel.samplers]
    lines += [_port("in", each) for each in kernel.inputs]
    lines += [_port("out", each) for each in kernel.outputs]
    lines += [_variable(each) for each in kernel.variables]
    ends = AnnotationWriter(kernel)
    lines += ends.lines
    lines.append("")
    Statements(lines, ends).region(kernel.body, "")
    return "\n".join(lines) + "\n"


def _widths(what: str, widths: Widths) -> str:
    return f" {what} {' '.join(map(str, sorted(widths)))}" if widths else ""


def word(text: str) -> str:
    """Return a name, in quotes if it has special characters."""
    return text if PLAIN.fullmatch(text) else dumps(text)


def number(bits: int, type: Type) -> str:
    """Return the shortest text of a constant that is read back to the same bits."""
    if type == BOOL:
        return ("false", "true")[bits]
    if type.kind != "f":
        value = signed(bits, type)
        return str(value) if -SMALL <= value <= SMALL else f"{bits:#x}"
    value_ = to_float(bits, type)
    for digits in range(1, DIGITS[type.bits] + 1):
        short = float(f"{value_:.{digits}g}")
        if from_float(short, type) == bits:
            return repr(short)
    return f"{bits:#x}"


# ---------------------------------------------------------------- declarations


def _memory(memory: Memory) -> str:
    words = [f"memory %{word(memory.name)} {memory.space} {memory.stride}"]
    if memory.count is not None:
        words.append(f"count {memory.count}")
    if memory.each:
        words.append(f"each {memory.each}")
    if memory.writable:
        words.append("writable")
    words += [word for word in ("raw", "internal") if getattr(memory, word)]
    if memory.bounds != "zero":
        words.append(memory.bounds)
    if memory.data:
        words.append(f"data {memory.data.hex()}")
    return " ".join(words) + slot_text(memory.slot)


def _variable(variable: Var) -> str:
    internal = " internal" if variable.internal else ""
    gives = f" gives {name_text(variable.gives)}" if variable.gives is not None else ""
    row = register_text(variable.row)
    return f"var @{word(variable.name)} {variable.type.name}{internal}{row}{gives}"


def _texture(texture: TextureDeclaration) -> str:
    words = [f"texture %{word(texture.name)} {texture.shape} {texture.type.name}"]
    if texture.layered:
        words.append("layered")
    if texture.samples != 1:
        words.append(f"samples {texture.samples}")
    return " ".join(words) + slot_text(texture.slot)


def _port(kind: str, port: Port) -> str:
    words = [f"{kind} %{word(port.name)} {port.type.name}"]
    if port.meaning:
        words.append(f"meaning {word(port.meaning)}")
    if port.interpolation:
        words.append(f"interpolation {word(port.interpolation)}")
    return " ".join(words) + register_text(port.row) + slot_text(port.slot)


# ---------------------------------------------------------------- slots


def register_text(label: str) -> str:
    """Return the text of the label of a register; empty if there is none."""
    return f" row {word(label)}" if label else ""


def slot_text(slot: PortSlot | MemorySlot | None) -> str:
    """Return the text of a slot; empty if there is none."""
    match slot:
        case None:
            return ""
        case PortSlot():
            place = str(slot.place) if isinstance(slot.place, int) else word(slot.place)
            words = [slot.direction, slot.rate, place]
            words += [*_numbers(slot, PORT_NUMBERS), *_part(slot.part)]
        case PointsSlot():
            words = [POINTS, slot.direction, slot.rate, *_numbers(slot, ("stream",))]
            words += _part(slot.part)
        case ResourceSlot():
            words = [slot.kind, str(slot.number), *_numbers(slot, ("space",))]
            if slot.count != 1:
                words += ["count", ANY if slot.count is None else str(slot.count)]
            if slot.element is not None:
                words += ["element", str(slot.element)]
            words += [*_part(slot.part), *_numbers(slot, ("view",))]
        case Exchange():
            words = [EXCHANGE, slot]
    return " ".join([" at", *words])


def _numbers(slot: PortSlot | PointsSlot | ResourceSlot, names: tuple[str, ...]) -> list[str]:
    return [f"{name} {getattr(slot, name)}" for name in names if getattr(slot, name)]


def _part(part: MemoryPart | PortPart) -> list[str]:
    return [f"part {part}"] if part not in (MemoryPart.DATA, PortPart.VALUE) else []


# ---------------------------------------------------------------- annotations


class AnnotationWriter:
    """A writer of annotations; locations are numbered in the order of the text."""

    def __init__(self, kernel: KernelIR) -> None:
        self.lines: list[str] = []
        self._places: dict[SourceLocation, int] = {}
        self._calls: dict[Call, int] = {}
        for location in _locations(kernel.body):
            self._declare(location)

    def _declare(self, location: SourceLocation) -> None:
        """Declare a location, after the calls and locations that it refers to."""
        chain: list[SourceLocation | Call] = []
        each: SourceLocation | Call | None = location
        while each is not None and each not in self._places and each not in self._calls:
            chain.append(each)
            each = each.call if isinstance(each, SourceLocation) else each.location
        for each in reversed(chain):
            if isinstance(each, SourceLocation):
                number = self._places[each] = len(self._places)
                self.lines.append(f"place #{number}{self._place(each)}")
            else:
                number = self._calls[each] = len(self._calls)
                at = f" at #{self._places[each.location]}" if each.location is not None else ""
                self.lines.append(f"call ^{number} {each.line}{at}")

    def _place(self, location: SourceLocation) -> str:
        text = ""
        if location.file or location.line or location.column:
            text = f" {dumps(location.file)} {location.line} {location.column}"
        text += f" in {word(location.function)}" if location.function else ""
        return text + (f" by ^{self._calls[location.call]}" if location.call is not None else "")

    def end(
        self, line: int, location: SourceLocation | None, label: ValueLabel | None = None
    ) -> str:
        """Return the annotations of a statement, as the end of its line."""
        text = f" !{line}" if line else ""
        text += f" #{self._places[location]}" if location is not None else ""
        if label is not None and label.name is not None:
            text += f" as {name_text(label.name)}"
        if label is not None and label.gives:
            text += f" gives {', '.join(map(name_text, label.gives))}"
        return text


def name_text(name: SymbolName) -> str:
    """Return the text of a name: the first step, then the others in quotes."""
    first, *others = name.steps
    return " ".join([word(first), *map(dumps, others)])


def _locations(region: Region) -> Iterator[SourceLocation]:
    for statement in region:
        if statement.location is not None:
            yield statement.location
        for inner in regions(statement):
            yield from _locations(inner)


# ---------------------------------------------------------------- statements


class Statements:
    """A writer of statements, which numbers values and blocks."""

    def __init__(self, lines: list[str], ends: AnnotationWriter) -> None:
        self.lines = lines
        self.ends = ends
        self.numbers: dict[Value, int] = {}
        self.blocks: dict[Block, int] = {}

    def region(self, region: Region, indent: str) -> None:
        """Write the statements of a region."""
        for statement in region:
            match statement:
                case Value():
                    text = indent + self.value(statement)
                    end = self.ends.end(statement.line, statement.location, statement.label)
                    self.lines.append(text + end)
                case If():
                    self._add(indent, f"if {self.operand(statement.condition)} {{", statement)
                    self.region(statement.then, indent + "  ")
                    if statement.otherwise:
                        self.lines.append(f"{indent}}} else {{")
                        self.region(statement.otherwise, indent + "  ")
                    self.lines.append(indent + "}")
                case Loop():
                    self._add(indent, "loop {", statement)
                    self.region(statement.body, indent + "  ")
                    self.lines.append(indent + "}")
                case Switch():
                    self._switch(statement, indent)
                case Block():
                    number = self.blocks[statement] = len(self.blocks)
                    self._add(indent, f"block ${number} {{", statement)
                    self.region(statement.body, indent + "  ")
                    self.lines.append(indent + "}")

    def _switch(self, statement: Switch, indent: str) -> None:
        self._add(indent, f"switch {self.operand(statement.value)} {{", statement)
        for case in statement.cases:
            self.lines.append(f"{indent}  {self._labels(case, statement.value.type)} {{")
            self.region(case.body, indent + "    ")
            self.lines.append(indent + "  }")
        self.lines.append(indent + "}")

    @staticmethod
    def _labels(case: Case, type: Type) -> str:
        words = [number(label & type.mask, type) for label in case.labels]
        words += ["default"] if case.default else []
        return " ".join(["case", *words])

    def _add(self, indent: str, text: str, statement: If | Loop | Switch | Block) -> None:
        self.lines.append(f"{indent}{text}{self.ends.end(statement.line, statement.location)}")

    def value(self, value: Value) -> str:
        """Return the text of an operation, and number its value."""
        op = value.op
        words = op.name
        if op.result.startswith("=") and op.attribute not in ("var", "port", "word"):
            words += f":{value.type.name}"
        args = [self.operand(each) for each in value.args]
        attribute = self._attribute(value)
        if op.attribute == "memory" and len(args) >= 2:
            attribute += f"[{args.pop(0)}, {args.pop(0)}]"
        rest = ", ".join([attribute, *args] if attribute else args)
        text = f"{words} {rest}" if rest else words
        if value.type.kind == "v":
            return text
        self.numbers.setdefault(value, len(self.numbers))
        return f"%{self.numbers[value]} = {text}"

    def operand(self, value: Value) -> str:
        """Return the text of an operand: a constant, or the number of a value."""
        if value.op is OPS.const:
            return f"{value.type.name} {number(value.attr, value.type)}"
        return f"%{self.numbers.get(value, '?')}"

    def _attribute(self, value: Value) -> str:
        attr = value.attr
        match value.op.attribute:
            case "":
                return ""
            case "number":
                return str(attr)
            case "word":
                return dumps(attr) if value.op is OPS.message else word(str(attr))
            case "texture":
                return _sample(attr)
            case "wave":
                return _wave(attr)
            case "block":
                return f"${self.blocks.get(attr, '?')}"
            case "var":
                return f"@{word(attr.name)}"
            case _:
                return f"%{word(attr.name)}"


def _wave(wave: Wave) -> str:
    words = [wave.op.name] if wave.op is not None else []
    words += [f"cluster {wave.cluster}"] if wave.cluster else []
    words += [f"word {wave.word}"] if wave.word else []
    return " ".join([*words, *["helpers"] * wave.helpers])


def _sample(sample: Sample) -> str:
    words = [sample.action, f"%{word(sample.texture.name)}"]
    if sample.sampler is not None:
        words.append(f"%{word(sample.sampler.name)}")
    if sample.level is not Level.AUTO:
        words.append(sample.level)
    if sample.offset != (0, 0, 0):
        words.append("offset {} {} {}".format(*sample.offset))
    if sample.component:
        words.append(f"component {sample.component}")
    words += [
        each for each in ("compare", "moving", "clamped", "feedback") if getattr(sample, each)
    ]
    return " ".join(words)
