"""LLVM IR as text, line by line: registers, labels, declarations of intrinsics.

A value is wide (a vector with an element for each lane of the chunk) or one scalar that all lanes
share. Wide integers may be known to be linear: `base + stride * lane`, modulo 2 to the number of
bits, or to a smaller number.

Booleans are vectors of i1. On processors with mask registers, which hold a bit for each lane, masks
of control flow are vectors of i1, too. Other processors hold masks in vector registers, with all
bits of a lane set or none, and LLVM converts an i1 wherever it leaves the block. There, masks of
control flow are vectors of i32 from the start: `control`; `controlled` and `chosen` convert.
"""

import re
from collections import Counter
from collections.abc import Sequence

from ....dataclass import dataclass
from ....ir.types import BOOL, KEEP, Type, Widths

LLVM = {
    "bool": "i1", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
    "f16": "half", "f32": "float", "f64": "double",
}  # fmt: skip
SUFFIX = {
    "i1": "i1", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
    "half": "f16", "float": "f32", "double": "f64",
}  # fmt: skip

NO_UNROLL = "!2"  # metadata of a loop that is not unrolled, see module.py
OPTIONAL = "optional"  # names of results that may be unused
OPTIONAL_LINE = f"  %{OPTIONAL}"
OPTIONAL_NAME = re.compile(f"%{OPTIONAL}[0-9]+")
ALL_LANES = "splat (i1 true)"  # the mask of all lanes


@dataclass(slots=True)
class Val:
    """An operand in the text: its name or literal, with known properties."""

    text: str
    type: Type
    wide: bool = False
    base: "Val | None" = None  # of a linear value: its value in lane 0
    stride: int = 0
    bits: int = 0  # if not 0, it is linear modulo 2^bits
    number: int | None = None  # the bits of a constant


class FunctionText:
    """The body of a function while it is emitted."""

    def __init__(
        self,
        width: int,
        flush: Widths = KEEP,
        mode: bool = False,
        index: str = "i64",
        estimates: int | None = None,
    ) -> None:
        self.width = width
        self.flush = flush  # float widths whose subnormals are flushed
        self.estimates = estimates  # with `fast`: bits of a register
        self.roots: dict[str, Val] = {}  # with `fast`: the operand of each square root
        self.native = 0  # bits of a register; 0: unknown
        self.x86 = False  # the processor has the instructions of x86-64
        self.few_blocks = False  # emit few blocks, at the cost of more instructions
        self.mode = mode  # 32-bit floats are flushed by the processor's mode
        self.index = index  # type of the indices in vectors of addresses
        self.lines: list[str] = []
        self.splats: dict[str, str] = {}  # by scalar, of the current block
        self.choices: dict[str, str] = {}  # by mask of control flow, of the current block
        self.entry: list[str] = []
        self.declared: dict[str, str] = {}
        self.count = 0
        self.block = "entry"
        self.open = True  # the current block has no terminator yet

    # ------------------------------------------------------------ names

    def name(self, stem: str = "") -> str:
        """Return a new register name."""
        self.count += 1
        return f"%{stem or 'r'}{self.count}"

    def label(self, stem: str) -> str:
        """Return a new label."""
        self.count += 1
        return f"{stem}{self.count}"

    def scalar(self, type: Type) -> str:
        """Return the LLVM type of one lane."""
        return LLVM[type.name]

    def wide(self, type: Type) -> str:
        """Return the LLVM type of all lanes."""
        return f"<{self.width} x {LLVM[type.name]}>"

    def of(self, value: Val) -> str:
        """Return the LLVM type of a value."""
        return self.wide(value.type) if value.wide else LLVM[value.type.name]

    @property
    def mask(self) -> str:
        """The LLVM type of booleans."""
        return f"<{self.width} x i1>"

    @property
    def control(self) -> str:
        """The LLVM type of masks of control flow."""
        return f"<{self.width} x i32>" if self._lane_masks else self.mask

    @property
    def every(self) -> str:
        """The mask of control flow of all lanes."""
        return "splat (i32 -1)" if self._lane_masks else ALL_LANES

    @property
    def _lane_masks(self) -> bool:
        return 0 < self.native < 512

    # ------------------------------------------------------------ lines

    def put(self, line: str) -> None:
        """Append a line to the current block; do nothing after the block's end."""
        if self.open:
            self.lines.append(f"  {line}")

    def make(self, right: str, stem: str = "") -> str:
        """Append an instruction and return the new register that holds its result."""
        name = self.name(stem)
        self.put(f"{name} = {right}")
        return name

    def make_optional(self, right: str) -> str:
        """Append an instruction without effects, which `needed` removes if nothing uses it."""
        return self.make(right, OPTIONAL)

    def slot(self, llvm: str, stem: str = "s", align: int = 64) -> str:
        """Return a pointer to new space on the stack, allocated at the start of the function."""
        name = self.name(stem)
        self.entry.append(f"  {name} = alloca {llvm}, align {align}")
        return name

    def begin(self, label: str) -> None:
        """Begin a block; the previous one falls through to it if it is still open."""
        if self.open:
            self.lines.append(f"  br label %{label}")
        self.lines.append(f"{label}:")
        self.splats, self.choices = {}, {}
        self.block = label
        self.open = True

    def jump(self, label: str) -> None:
        """End the block with a jump."""
        self.put(f"br label %{label}")
        self.open = False

    def branch(self, condition: str, yes: str, no: str, likely: bool | None = None) -> None:
        """End the block with a conditional branch."""
        hint = "" if likely is None else f", !prof !{0 if likely else 1}"
        self.put(f"br i1 {condition}, label %{yes}, label %{no}{hint}")
        self.open = False

    def call(self, result: str, function: str, *args: str) -> str:
        """Call an intrinsic; `args` have the form "type value"."""
        line = call_line(self.declared, result, function, args)
        if result == "void":
            self.put(line)
            return ""
        return self.make(line)

    # ------------------------------------------------------------ values

    def constant(self, bits: int, type: Type) -> Val:
        """Return a scalar constant."""
        return Val(literal(bits, type), type, number=bits)

    def splat(self, value: Val) -> Val:
        """Return the value in every lane."""
        if value.wide:
            return value
        if value.number is not None:
            inner = literal(value.number, value.type)
            text = f"splat ({LLVM[value.type.name]} {inner})"
            return Val(text, value.type, True, base=value, stride=0)
        one = f"{LLVM[value.type.name]} {value.text}"
        text = self.splats.get(one, "")
        if not text:
            wide, zeros = self.wide(value.type), f"<{self.width} x i32> zeroinitializer"
            first = self.make_optional(f"insertelement {wide} poison, {one}, i64 0")
            text = self.make_optional(f"shufflevector {wide} {first}, {wide} poison, {zeros}")
            self.splats[one] = text
        return Val(text, value.type, True, base=value, stride=0)

    def linear(self, base: Val, stride: int, bits: int = 0) -> Val:
        """Return base, base + stride, base + 2 * stride, …, modulo 2^bits if that is not 0."""
        kind = LLVM[base.type.name]
        wide = self.wide(base.type)
        steps = ", ".join(f"{kind} {_as_signed(stride * n, base.type)}" for n in range(self.width))
        text = self.make_optional(f"add {wide} {self.splat(base).text}, <{steps}>")
        if bits:
            text = self.make_optional(f"and {wide} {text}, splat ({kind} {(1 << bits) - 1})")
        return Val(text, base.type, True, base, stride, bits)

    def to_i64(self, number: str) -> str:
        """Convert a number with a bit for each lane to an i64."""
        if self.width == 64:
            return number
        how = "zext" if self.width < 64 else "trunc"
        return self.make(f"{how} i{self.width} {number} to i64")

    def bits(self, mask: str) -> str:
        """Return a mask as an integer with a bit for each lane."""
        return self.make(f"bitcast {self.mask} {mask} to i{self.width}")

    def without(self, mask: str, others: str) -> str:
        """Return the lanes of a mask that are not in another mask."""
        rest = self.make(f"xor {self.mask} {others}, {ALL_LANES}")
        return rest if mask == ALL_LANES else self.make(f"and {self.mask} {mask}, {rest}")

    def controlled(self, mask: str) -> str:
        """Return booleans as a mask of control flow."""
        if not self._lane_masks or mask == "zeroinitializer":
            return mask
        if mask == ALL_LANES:
            return self.every
        return self.make_optional(f"sext {self.mask} {mask} to {self.control}")

    def chosen(self, control: str) -> str:
        """Return a mask of control flow as booleans."""
        if not self._lane_masks or control == "zeroinitializer":
            return control
        if control == self.every:
            return ALL_LANES
        found = self.choices.get(control, "")
        if not found:
            found = self.make_optional(f"icmp slt {self.control} {control}, zeroinitializer")
            self.choices[control] = found
        return found

    def others(self, control: str) -> str:
        """Return the lanes that are not in a mask of control flow."""
        return self.make(f"xor {self.control} {control}, {self.every}")

    def any(self, control: str) -> str:
        """Return an i1 that is true if a lane is in the mask of control flow."""
        lanes = self.width
        if self._lane_masks:
            lanes = min(self.width, self.native // 32)
            pieces = [
                self.shuffled(self.control, control, "poison", first, lanes)
                for first in range(0, self.width, lanes)
            ]
            kind = f"<{lanes} x i32>"
            while len(pieces) > 1:
                pairs = zip(pieces[::2], pieces[1::2], strict=True)
                pieces = [self.make(f"or {kind} {one}, {other}") for one, other in pairs]
            control = self.make(f"icmp slt {kind} {pieces[0]}, zeroinitializer")
        bits = self.make(f"bitcast <{lanes} x i1> {control} to i{lanes}")
        return self.make(f"icmp ne i{lanes} {bits}, 0")

    def all(self, mask: str) -> str:
        """Return an i1 that is true if every lane is in the mask."""
        if mask == ALL_LANES:
            return "true"
        return self.make(f"icmp eq i{self.width} {self.bits(mask)}, -1")

    def shuffled(self, kind: str, one: str, two: str, first: int, count: int) -> str:
        """Return `count` lanes of two concatenated vectors of a type, from lane `first` on."""
        order = ", ".join(f"i32 {first + n}" for n in range(count))
        return self.make(f"shufflevector {kind} {one}, {kind} {two}, <{count} x i32> <{order}>")

    def lane_numbers(self, type: str = "i32") -> str:
        """Return 0, 1, 2, … as a constant vector."""
        return "<" + ", ".join(f"{type} {n}" for n in range(self.width)) + ">"


def needed(lines: list[str]) -> list[str]:
    """Return the lines without optional instructions that nothing uses."""
    used = Counter(OPTIONAL_NAME.findall("\n".join(lines)))
    left = []
    for line in reversed(lines):
        if line.startswith(OPTIONAL_LINE):
            defined, *operands = OPTIONAL_NAME.findall(line)
            if used[defined] == 1:  # here
                used.subtract(operands)
                continue
        left.append(line)
    left.reverse()
    return left


def _as_signed(number: int, type: Type) -> int:
    """Return a number modulo 2^bits as a signed number."""
    half = 1 << type.bits - 1
    return (number + half & type.mask) - half


def call_line(declared: dict[str, str], result: str, function: str, args: Sequence[str]) -> str:
    """Return the call of an intrinsic, and declare it; `args` have the form "type value"."""
    types = ", ".join(_type_of(each) for each in args)
    declared[function] = f"declare {result} @{function}({types})"
    return f"call {result} @{function}({', '.join(args)})"


def _type_of(argument: str) -> str:
    """Return the type in "type value"; it may have blanks inside brackets."""
    depth = 0
    for at, letter in enumerate(argument):
        depth += (letter in "<({[") - (letter in ">)}]")
        if letter == " " and not depth:
            return argument[:at]
    return argument


def literal(bits: int, type: Type) -> str:
    """Return a constant in LLVM's notation: floats as the bits of a double, halves as 0xH."""
    if type == BOOL:
        return "true" if bits else "false"
    if type.kind == "i":
        return str(bits - (1 << type.bits) if bits >> type.bits - 1 else bits)
    if type.bits == 16:
        return f"0xH{bits:04X}"
    if type.bits == 64:
        return f"0x{bits:016X}"
    return f"0x{_double_of_float(bits):016X}"


def _double_of_float(bits: int) -> int:
    """Return the bits of a double equal to a 32-bit float; a NaN keeps its payload."""
    sign, exponent, digits = bits >> 31, bits >> 23 & 255, bits & 0x7F_FFFF
    if exponent == 255:
        return sign << 63 | 0x7FF << 52 | digits << 29
    if exponent:
        return sign << 63 | (exponent + 896) << 52 | digits << 29
    if not digits:
        return sign << 63
    shift = 24 - digits.bit_length()
    return sign << 63 | (897 - shift) << 52 | (digits << shift & 0x7F_FFFF) << 29
