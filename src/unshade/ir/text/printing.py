"""The text form of kernels: declarations, then statements, one per line. `parsing` reads it.

    kernel scale compute group 64 1 1 flush 32
    memory %t0 buffer 4
    memory %u0 buffer 4 writable at write 0
    in %v0.x f32 interpolation linear at input pixel 0
    var @r0.x i32

    %0 = source thread_id.x !3              the value's number; its origin: see annotations
    %1 = count %u0
    %2 = ult %0, %1
    if %2 {
      %3 = load:f32 %t0[%0, i32 0] !4       :type if the operation leaves it open
      %4 = fmul %3, f32 2.0                 constants are written where they are used
      store %u0[%0, i32 0], %4
    }

Declarations include their slots (slots.py), so that a parsed kernel is bound like the one that was
written.

The name of an operation is followed by its attribute, then its operands. Values are numbered in the
order of the text, so that a kernel has exactly one text; so are blocks:

    block $0 {
      loop {
        if %2 {
          exit $0
        }
      }
    }
"""

from json import dumps

from ..fold import from_float, signed, to_float
from ..kernel import WAVE, Block, Case, If, KernelIR, Loop, Region, Switch, Value
from ..memory import Memory, Port, Var
from ..ops import OPS
from ..textures import Level, Sample, TextureDeclaration
from ..types import BOOL, Type, Widths
from ..waves import Wave
from .annotations import AnnotationWriter, name_text
from .slots import register_text, slot_text
from .tokens import word

__all__ = ["number", "print_kernel"]

DIGITS = {16: 5, 32: 9, 64: 17}  # decimal digits that identify a float
SMALL = 1 << 16  # larger integers are written in hex


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
