"""LLVM IR as text, a line after the other: registers, labels, functions that are called.

A value is wide (a vector of the chunk's lanes) or one scalar that all lanes share. Wide integers
may be known to be linear: `base + stride * lane`, modulo 2^bits.
"""

from dataclasses import dataclass

from ...ir.types import BOOL, KEEP, Type, Widths

LLVM = {
    "bool": "i1", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
    "f16": "half", "f32": "float", "f64": "double",
}  # fmt: skip
SUFFIX = {
    "i1": "i1", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64",
    "half": "f16", "float": "f32", "double": "f64",
}  # fmt: skip

ROLLED = "!2"  # of a loop that stays one: see module.py
ALL = "splat (i1 true)"  # the mask of all lanes


@dataclass(slots=True)
class Val:
    """A value in the text: its name or literal, and what is known of it."""

    text: str
    type: Type
    wide: bool = False
    base: "Val | None" = None  # of a linear one: its value in lane 0
    stride: int = 0
    number: int | None = None  # the bits of a constant


class Text:
    """The body of a function while it is written."""

    def __init__(
        self,
        width: int,
        flush: Widths = KEEP,
        mode: bool = False,
        index: str = "i64",
        estimates: int | None = None,
    ) -> None:
        self.width = width
        self.flush = flush  # floats whose subnormal numbers count as zero
        self.estimates = estimates  # with `fast`: bits of the registers that estimates work on
        self.roots: dict[str, Val] = {}  # with `fast`: what each square root was taken of
        self.plain = False  # few blocks, rather than few instructions on the usual way
        self.mode = mode  # those of 32 bits do by a mode of the processor
        self.index = index  # the type of the numbers in vectors of addresses
        self.lines: list[str] = []
        self.entry: list[str] = []
        self.declared: dict[str, str] = {}
        self.count = 0
        self.block = "entry"
        self.open = True  # whether the current block still needs its end

    # ------------------------------------------------------------ names

    def name(self, stem: str = "") -> str:
        """A new register."""
        self.count += 1
        return f"%{stem or 'r'}{self.count}"

    def label(self, stem: str) -> str:
        """A new label."""
        self.count += 1
        return f"{stem}{self.count}"

    def scalar(self, type: Type) -> str:
        """The LLVM type of one lane."""
        return LLVM[type.name]

    def wide(self, type: Type) -> str:
        """The LLVM type of all lanes."""
        return f"<{self.width} x {LLVM[type.name]}>"

    def of(self, value: Val) -> str:
        """The LLVM type of a value."""
        return self.wide(value.type) if value.wide else LLVM[value.type.name]

    @property
    def mask(self) -> str:
        """The LLVM type of a mask."""
        return f"<{self.width} x i1>"

    # ------------------------------------------------------------ lines

    def put(self, line: str) -> None:
        """A line of the current block; nothing where the block has ended."""
        if self.open:
            self.lines.append(f"  {line}")

    def make(self, right: str, stem: str = "") -> str:
        """A new register with this right side."""
        name = self.name(stem)
        self.put(f"{name} = {right}")
        return name

    def slot(self, llvm: str, stem: str = "s", align: int = 64) -> str:
        """Room on the stack, at the start of the function."""
        name = self.name(stem)
        self.entry.append(f"  {name} = alloca {llvm}, align {align}")
        return name

    def begin(self, label: str) -> None:
        """A new block; the one before goes on in it if it has not ended."""
        if self.open:
            self.lines.append(f"  br label %{label}")
        self.lines.append(f"{label}:")
        self.block = label
        self.open = True

    def jump(self, label: str) -> None:
        """The block ends here."""
        self.put(f"br label %{label}")
        self.open = False

    def branch(self, condition: str, yes: str, no: str, likely: bool | None = None) -> None:
        """The block ends with a choice."""
        hint = "" if likely is None else f", !prof !{0 if likely else 1}"
        self.put(f"br i1 {condition}, label %{yes}, label %{no}{hint}")
        self.open = False

    def call(self, result: str, function: str, *args: str) -> str:
        """Call an intrinsic; `args` are "type value"."""
        types = ", ".join(_type_of(each) for each in args)
        self.declared[function] = f"declare {result} @{function}({types})"
        line = f"call {result} @{function}({', '.join(args)})"
        if result == "void":
            self.put(line)
            return ""
        return self.make(line)

    # ------------------------------------------------------------ values

    def constant(self, bits: int, type: Type) -> Val:
        """A scalar constant."""
        return Val(literal(bits, type), type, number=bits)

    def spread(self, value: Val) -> Val:
        """The value in every lane."""
        if value.wide:
            return value
        if value.number is not None:
            inner = literal(value.number, value.type)
            text = f"splat ({LLVM[value.type.name]} {inner})"
            return Val(text, value.type, True, base=value, stride=0)
        one = f"{LLVM[value.type.name]} {value.text}"
        wide = self.wide(value.type)
        first = self.make(f"insertelement {wide} poison, {one}, i64 0")
        text = self.make(
            f"shufflevector {wide} {first}, {wide} poison, <{self.width} x i32> zeroinitializer"
        )
        return Val(text, value.type, True, base=value, stride=0)

    def linear(self, base: Val, stride: int) -> Val:
        """base, base + stride, base + 2 * stride, …"""
        kind = LLVM[base.type.name]
        wide = self.wide(base.type)
        steps = ", ".join(f"{kind} {_wrapped(stride * n, base.type)}" for n in range(self.width))
        text = self.make(f"add {wide} {self.spread(base).text}, <{steps}>")
        return Val(text, base.type, True, base, stride)

    def long(self, number: str) -> str:
        """A number of as many bits as there are lanes as an i64."""
        if self.width == 64:
            return number
        how = "zext" if self.width < 64 else "trunc"
        return self.make(f"{how} i{self.width} {number} to i64")

    def bits(self, mask: str) -> str:
        """A mask as an integer, a bit for each lane."""
        return self.make(f"bitcast {self.mask} {mask} to i{self.width}")

    def without(self, mask: str, others: str) -> str:
        """The lanes of a mask that are not in another one."""
        rest = self.make(f"xor {self.mask} {others}, {ALL}")
        return rest if mask == ALL else self.make(f"and {self.mask} {mask}, {rest}")

    def any(self, mask: str) -> str:
        """Whether a lane is in the mask."""
        return self.make(f"icmp ne i{self.width} {self.bits(mask)}, 0")

    def all(self, mask: str) -> str:
        """Whether every lane is in the mask."""
        if mask == ALL:
            return "true"
        return self.make(f"icmp eq i{self.width} {self.bits(mask)}, -1")

    def lane_numbers(self, type: str = "i32") -> str:
        """0, 1, 2, … as a constant vector."""
        return "<" + ", ".join(f"{type} {n}" for n in range(self.width)) + ">"


def _wrapped(number: int, type: Type) -> int:
    """A number as a signed one of a type."""
    half = 1 << type.bits - 1
    return (number + half & type.mask) - half


def _type_of(argument: str) -> str:
    """The type of "type value", which may have blanks inside brackets."""
    depth = 0
    for at, letter in enumerate(argument):
        depth += (letter in "<({[") - (letter in ">)}]")
        if letter == " " and not depth:
            return argument[:at]
    return argument


def literal(bits: int, type: Type) -> str:
    """A constant as LLVM writes it: floats as the bits of a double, halves as 0xH."""
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
    """A 32-bit float's bits as those of the double of the same number; NaNs keep their digits."""
    sign, exponent, digits = bits >> 31, bits >> 23 & 255, bits & 0x7F_FFFF
    if exponent == 255:
        return sign << 63 | 0x7FF << 52 | digits << 29
    if exponent:
        return sign << 63 | (exponent + 896) << 52 | digits << 29
    if not digits:
        return sign << 63
    shift = 24 - digits.bit_length()
    return sign << 63 | (897 - shift) << 52 | (digits << shift & 0x7F_FFFF) << 29
