"""WGSL: spellings of operations, and the guards around them.

    r5.xy = v;             r5 = vec4f(v, r5.zw): components are assigned one by one
    c ? a : b              select(b, a, c)
    a << b                 the distance is unsigned, and has as many components
    asfloat(0x7fc00000)    the bits of a NaN are read from a variable: they are no constant

What WGSL lacks is refused by its name.
"""

import re
from collections.abc import Mapping, Sequence

from ...dataclass import dataclass, field
from ...errors import UnsupportedError
from ...ir.kernel import KernelIR
from ...ir.ops import OPS, Op
from ...model.resources import ConstantBuffer
from ...vocab.words import Stage
from ..common import COMMON
from ..interface import EntryInterface
from ..names import DecompiledNames
from ..operations import PLACED, SOURCE_OPS
from ..parts import SourceParts
from ..points import PointSets
from ..printer import Printer
from ..spelling import CallSpelling as Call
from ..spelling import Infix, Rank, Spelling, Spellings
from ..tree import Assign, Define, NodeForm, ScalarKind, SourceExpression, TermType, name, text_key
from ..vulkan import BindingPlace
from .accesses import access, place_text, stored_texel
from .entry import adapt, place_name
from .layouts import fits
from .program import program
from .waves import LANE_SOURCES, is_between_lanes, subgroup_call
from .words import RESERVED

__all__ = ["WgslTarget"]

BOOL, INT, UINT, FLOAT = ScalarKind.BOOL, ScalarKind.INT, ScalarKind.UINT, ScalarKind.FLOAT
SCALARS = {BOOL: "bool", INT: "i32", UINT: "u32", FLOAT: "f32"}
VECTORS = {INT: "i", UINT: "u", FLOAT: "f"}

PRODUCT = """\
fn {N}(a: {T}, b: {T}) -> {T} {
    let found = a * b;
    return select(found, {T}(), {NAN found} & !{NAN a} & !{NAN b});
}"""
FRACTION = """\
fn {N}(x: {T}) -> {T} {
    let found = x - floor(x);
    return select(found, {T}(0.99999994), found == {T}(1.0));
}"""
SATURATE = """\
fn {N}(x: {T}) -> {T} {
    return select({T}(), min(x, {T}(1.0)), x > {T}());
}"""
MINIMUM = """\
fn {N}(a: {T}, b: {T}) -> {T} {
    return select(b, a, (a < b) | {NAN b});
}"""
MAXIMUM = """\
fn {N}(a: {T}, b: {T}) -> {T} {
    return select(b, a, (a > b) | {NAN b});
}"""
FIRST_HIGH = """\
fn {N}(x: {T}) -> {U} {
    return select({U}(31u) - firstLeadingBit({U}(x)), {U}(0xffffffffu), x == {T}());
}"""
FIRST_HIGH_SIGNED = """\
fn {N}(x: {T}) -> {U} {
    let at = {U}(firstLeadingBit({I}(x)));
    return select({U}(31u) - at, at, at == {U}(0xffffffffu));
}"""
FIRST_LOW = """\
fn {N}(x: {T}) -> {U} {
    return firstTrailingBit({U}(x));
}"""
HIGH_UNSIGNED = """\
fn {N}(a: {T}, b: {T}) -> {T} {
    let mask = {T}(0xffffu);
    let half = {T}(16u);
    let low = (a & mask) * (b & mask);
    let mixed = (a >> half) * (b & mask) + (low >> half);
    let other = (a & mask) * (b >> half) + (mixed & mask);
    return (a >> half) * (b >> half) + (mixed >> half) + (other >> half);
}"""
HIGH_SIGNED = """\
fn {N}(a: {T}, b: {T}) -> {T} {
    let x = {U}(a);
    let y = {U}(b);
    let mask = {U}(0xffffu);
    let half = {U}(16u);
    let low = (x & mask) * (y & mask);
    let mixed = (x >> half) * (y & mask) + (low >> half);
    let other = (x & mask) * (y >> half) + (mixed & mask);
    let high = {T}((x >> half) * (y >> half) + (mixed >> half) + (other >> half));
    return high - ((a >> {U}(31u)) & b) - ((b >> {U}(31u)) & a);
}"""
QUOTIENT = """\
fn {N}(a: {T}, b: {T}) -> {T} {
    return select(a / b, ~{T}(), b == {T}());
}"""
REMAINDER = """\
fn {N}(a: {T}, b: {T}) -> {T} {
    return select(a % b, ~{T}(), b == {T}());
}"""
TO_INT = """\
fn {N}(x: {T}) -> {I} {
    let inside = {I}(clamp(x, {T}(-2147483648.0), {T}(2147483520.0)));
    let found = select(inside, {I}(0x7fffffff), x >= {T}(2147483648.0));
    return select(found, {I}(), {NAN x});
}"""
TO_UINT = """\
fn {N}(x: {T}) -> {U} {
    let inside = {U}(clamp(x, {T}(), {T}(4294967040.0)));
    let found = select(inside, {U}(0xffffffffu), x >= {T}(4294967296.0));
    return select({U}(), found, x > {T}());
}"""
TO_HALF = """\
fn {N}(x: f32) -> u32 {
    return pack2x16float(vec2f(x, 0.0));
}"""
FROM_HALF = """\
fn {N}(x: u32) -> f32 {
    return unpack2x16float(x).x;
}"""
LEGACY = """\
fn {N}(a: {T}, b: {T}) -> {T} {
    return select(a * b, {T}(), (a == {T}()) | (b == {T}()));
}"""


@dataclass(frozen=True, slots=True)
class WgslHelper:
    """A function that the source defines once for each type of its operands.

    In its text `{N}` is its name, `{T}` the type of an operand, `{U}` and `{I}` the unsigned and
    signed types of that width. `{NAN x}` is true where x is a NaN, which the bits tell: compilers
    may take x != x for false. A `scalar` function is called for each component.
    """

    word: str
    text: str
    scalar: bool = False


HELPERS: Mapping[Op, WgslHelper] = {
    SOURCE_OPS.product: WgslHelper("product", PRODUCT),
    SOURCE_OPS.fraction: WgslHelper("fraction", FRACTION),
    SOURCE_OPS.saturate: WgslHelper("saturated", SATURATE),
    SOURCE_OPS.first_high: WgslHelper("first_high", FIRST_HIGH),
    SOURCE_OPS.first_high_i: WgslHelper("first_high_signed", FIRST_HIGH_SIGNED),
    SOURCE_OPS.first_low: WgslHelper("first_low", FIRST_LOW),
    SOURCE_OPS.to_half: WgslHelper("to_half", TO_HALF, True),
    SOURCE_OPS.from_half: WgslHelper("from_half", FROM_HALF, True),
    OPS.fmin: WgslHelper("min_number", MINIMUM), OPS.fmax: WgslHelper("max_number", MAXIMUM),
    OPS.umulh: WgslHelper("high_product", HIGH_UNSIGNED),
    OPS.imulh: WgslHelper("high_product", HIGH_SIGNED),
    OPS.udiv: WgslHelper("quotient", QUOTIENT), OPS.urem: WgslHelper("remainder", REMAINDER),
    OPS.idiv: WgslHelper("quotient", QUOTIENT), OPS.irem: WgslHelper("remainder", REMAINDER),
    OPS.ftoi: WgslHelper("to_int", TO_INT), OPS.ftou: WgslHelper("to_uint", TO_UINT),
    OPS.fmul_legacy: WgslHelper("legacy_product", LEGACY),
}  # fmt: skip
HELPER_NAMES = {
    f"{each.word}_{type}"
    for each in HELPERS.values()
    for type in (*SCALARS.values(), *(f"vec{n}{of}" for n in (2, 3, 4) for of in VECTORS.values()))
}
SPELLINGS: Spellings = {
    **{op: each for op, each in COMMON.items() if op not in HELPERS},
    OPS.frint: Call("round"), OPS.rsqrt: Call("inverseSqrt"), OPS.popcount: Call("countOneBits"),
    OPS.bitrev: Call("reverseBits"), OPS.clz: Call("countLeadingZeros"),
    OPS.ctz: Call("countTrailingZeros"), OPS.frem: Infix("%", Rank.MULTIPLY),
    SOURCE_OPS.ddx_fine: Call("dpdxFine"), SOURCE_OPS.ddy_fine: Call("dpdyFine"),
    SOURCE_OPS.ddx_coarse: Call("dpdxCoarse"), SOURCE_OPS.ddy_coarse: Call("dpdyCoarse"),
}  # fmt: skip
NUMBERS = (OPS.feq, OPS.fne)  # of a number with itself: is it no NaN, or one
IS_NAN = re.compile(r"\{NAN (\w+)\}")
MIXED = frozenset({"+", "-", "*", "/", "%"})  # that take a vector and a scalar
LETTERS = "xyzw"
BITS = "special_bits"


@dataclass(slots=True)
class WgslTarget:
    """The target; `specials` are the bits of numbers that are no constants."""

    stages = frozenset({Stage.PIXEL, Stage.VERTEX, Stage.COMPUTE})
    precise = ""
    broadcasts = False
    trailing_tests = False
    by_rows = False
    componentwise = False
    discard: str = "discard"
    truncates_halves = False
    bool_kind = ScalarKind.UINT
    widths = False
    attachments = False
    instances = False
    global_members = False
    indexed_resources = False
    unbounded_resources = False
    by_bytes = False
    heaps = False
    payload_member = ""
    helper_lanes = False
    reserved = RESERVED | HELPER_NAMES | {*LANE_SOURCES.values()}
    spellings: Spellings = field(default_factory=lambda: SPELLINGS)
    endings: Mapping[tuple[ScalarKind, int], str] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=lambda: LANE_SOURCES)
    specials: dict[int, str] = field(default_factory=dict)
    defined: dict[str, str] = field(default_factory=dict)  # helpers, by name
    kept: set[str] = field(default_factory=set)  # names of variables that change
    atomics: dict[str, int] = field(default_factory=dict)  # declarations.atomic_buffers
    layered: set[str] = field(default_factory=set)  # declarations.layered_images
    exchanges: dict[str, str] = field(default_factory=dict)  # functions, by their parameters
    tables: dict[str, tuple[str, int]] = field(default_factory=dict)  # type and number of rows
    rows: dict[str, str] = field(default_factory=dict)  # functions that return rows, by table
    images: bool = False  # a texture is read and written
    members: dict[str, str] = field(default_factory=dict)  # variables of buffers, by name
    words: dict[str, str] = field(default_factory=dict)  # built-ins, by the name of the parameter
    bindings: Mapping[str, BindingPlace] = field(default_factory=dict)
    names: DecompiledNames | None = None

    def adapt(self, interface: EntryInterface, kernel: KernelIR, points: PointSets) -> None:
        """Give parameters the kinds of their built-ins."""
        adapt(interface, kernel)

    def place_name(self, names: DecompiledNames, word: str) -> str:
        """Return the name of a position of the lane."""
        built_in = place_name(word)
        made = names.unique(built_in)
        self.words[made] = built_in
        return made

    def program(self, parts: SourceParts) -> str:
        """Return the whole text."""
        self.names = parts.names
        return program(self, parts)

    def packs(self, buffer: ConstantBuffer, uniform: bool, stride: int) -> bool:
        """Return True if a structure of WGSL has every member at its place."""
        return fits(buffer.variables, uniform, stride)

    def type(self, type: TermType) -> str:
        """Return the name of a type."""
        if type.kind is ScalarKind.FLOAT and type.bits == 16:
            raise UnsupportedError("f16 cannot be translated to WGSL yet")
        if type.bits != 32:
            raise UnsupportedError(f"WGSL has no {type.kind} of {type.bits} bits")
        if type.width == 1:
            return SCALARS[type.kind]
        if type.kind is BOOL:
            return f"vec{type.width}<bool>"
        return f"vec{type.width}{VECTORS[type.kind]}"

    def bits(self, type: TermType, text: str, of: TermType) -> str:
        """Return the call that casts bits."""
        return f"bitcast<{self.type(type.wide(of.width))}>({text})"

    def special(self, bits: int, type: TermType) -> str:
        """Return a float without a decimal spelling: its bits are read from a variable."""
        return self.variable(bits, type.wide(1))

    def variable(self, bits: int, type: TermType) -> str:
        """Return a number whose bits are read from a variable."""
        if type.kind is BOOL:
            return "true" if bits else "false"
        found = self.specials.get(bits)
        if found is None:
            assert self.names is not None
            found = self.specials[bits] = self.names.unique(BITS)
        return found if type.kind is UINT else f"bitcast<{self.type(type)}>({found})"

    def widened(self, printer: Printer, value: SourceExpression, width: int) -> str:
        """Return a vector with a scalar in every component."""
        return f"{self.type(value.type.wide(width))}({printer.text(value)})"

    def select(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank]:
        """Return a choice between two values."""
        condition, one, other = value.args
        width = max(each.type.width for each in value.args)
        parts = [printer.widened(each, width) for each in (other, one)]
        whole = printer.widened(condition, condition.type.width)
        return f"select({', '.join(parts)}, {whole})", Rank.PRIMARY

    def compare(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank] | None:
        """Return None: comparisons of vectors are spelled as those of scalars."""
        return None

    def operation(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank] | None:
        """Return an operation with a special spelling; None for other operations."""
        op = value.op
        if not isinstance(op, Op):
            return None
        if is_between_lanes(op, value.attr):
            return subgroup_call(self, printer, value), Rank.PRIMARY
        if value.args and all(each.op is NodeForm.LITERAL for each in value.args):
            return printer.ranked(self._not_constant(value))
        if op in PLACED:
            raise UnsupportedError(
                "WGSL has no function for an input at another place of the pixel"
            )
        helper = HELPERS.get(op)
        if helper is not None:
            return self._helped(printer, value, helper), Rank.PRIMARY
        width = max((each.type.width for each in value.args), default=1)
        if op is OPS.ineg and value.type.kind is UINT:
            zero = SourceExpression(NodeForm.LITERAL, value.args[0].type.wide(1), (), (0,))
            return printer.infix(
                SourceExpression(OPS.isub, value.type, (zero, value.args[0])), _infix(OPS.isub)
            )
        if op in (OPS.ishl, OPS.ishr, OPS.ushr):
            return self._shifted(printer, value, width)
        if op in NUMBERS and text_key(value.args[0]) == text_key(value.args[1]):
            found = self._is_nan(printer.text(value.args[0]), value.args[0].type.width)
            return f"{'!' * (op is OPS.feq)}{found}", Rank.UNARY
        kind = value.args[0].type.kind if value.args else None
        spelling: Spelling | None = self.spellings.get((op, kind)) or self.spellings.get(op)
        if isinstance(spelling, Infix) and width > 1 and kind is BOOL:
            word = {"&&": "&", "||": "|"}.get(spelling.word, spelling.word)
            parts = [f"({printer.widened(each, width)})" for each in value.args]
            return f"({f' {word} '.join(parts)})", Rank.PRIMARY
        mixed = any(each.type.width != width for each in value.args)
        if isinstance(spelling, Infix) and mixed and spelling.word not in MIXED:
            args = tuple(_wide(each, width) for each in value.args)
            return printer.infix(SourceExpression(op, value.type, args, value.attr), spelling)
        if isinstance(spelling, Infix) and spelling.rank in (Rank.EQUAL, Rank.ORDER):
            a, b = (printer.text(each, Rank.ADD) for each in value.args)
            return f"{a} {spelling.word} {b}", Rank.EQUAL  # there are no chains of comparisons
        if isinstance(spelling, Infix) and spelling.rank in (Rank.AND, Rank.OR):
            # Nor may one follow the other without parentheses.
            a, b = (
                printer.text(each, spelling.rank if each.op is op else Rank.BIT_OR)
                for each in value.args
            )
            return f"{a} {spelling.word} {b}", spelling.rank
        return None

    def _not_constant(self, value: SourceExpression) -> SourceExpression:
        """Return an operation of literals with one that is read from variables.

        Compilers refuse constant expressions that overflow, or whose result is no number.
        """
        first = value.args[0]
        scalar = first.type.wide(1)
        parts = tuple(name(self.variable(each, scalar), scalar) for each in first.attr)
        whole = parts[0] if len(parts) == 1 else SourceExpression(
            NodeForm.CONSTRUCT, first.type, parts
        )  # fmt: skip
        return SourceExpression(value.op, value.type, (whole, *value.args[1:]), value.attr)

    def _shifted(self, printer: Printer, value: SourceExpression, width: int) -> tuple[str, Rank]:
        a, b = value.args
        if b.op is NodeForm.LITERAL:
            masked = tuple(each & value.type.bits - 1 for each in b.attr)
            b = SourceExpression(b.op, b.type._replace(kind=UINT), (), masked)
        else:
            if b.type.kind is not UINT:
                b = SourceExpression(NodeForm.CONVERT, b.type._replace(kind=UINT), (b,))
            mask = SourceExpression(NodeForm.LITERAL, b.type.wide(1), (), (31,))
            b = SourceExpression(OPS.and_, b.type, (_wide(b, width), _wide(mask, width)))
        word = "<<" if value.op is OPS.ishl else ">>"
        kind = UINT if value.op is OPS.ushr else INT if value.op is OPS.ishr else a.type.kind
        if a.type.kind is not kind:
            a = SourceExpression(NodeForm.CONVERT, a.type._replace(kind=kind), (a,))
        made = SourceExpression(value.op, value.type, (_wide(a, width), _wide(b, width)))
        text, rank = printer.infix(made, Infix(word, Rank.SHIFT))
        if value.type.kind is kind:
            return text, rank
        return f"{self.type(value.type.wide(width))}({text})", Rank.PRIMARY

    def _helped(self, printer: Printer, value: SourceExpression, helper: WgslHelper) -> str:
        width = max(each.type.width for each in value.args)
        of = value.args[0].type
        if helper.scalar and width > 1:
            parts = [
                self._helped(
                    printer,
                    SourceExpression(
                        value.op, value.type.wide(1),
                        tuple(_part(each, at) for each in value.args),
                    ),
                    helper,
                )
                for at in range(width)
            ]  # fmt: skip
            return f"{self.type(value.type.wide(width))}({', '.join(parts)})"
        type = of.wide(width)
        label = f"{helper.word}_{self.type(type)}"
        text = IS_NAN.sub(lambda found: self._is_nan(found[1], width), helper.text)
        text = text.replace("{N}", label)
        for letter, kind in (("T", type.kind), ("U", UINT), ("I", INT)):
            text = text.replace(f"{{{letter}}}", self.type(TermType(kind, 32, width)))
        self.defined.setdefault(label, text)
        args = ", ".join(printer.widened(each, width) for each in value.args)
        own = _result(value.op, type)
        call = f"{label}({args})"
        if own is value.type.kind:
            return call
        return f"{self.type(value.type.wide(width))}({call})"

    def _is_nan(self, text: str, width: int) -> str:
        """Return the test of a name or an expression in parentheses for NaN."""
        type = self.type(TermType(UINT, 32, width))
        return f"((bitcast<{type}>({text}) & {type}(0x7fffffffu)) > {type}(0x7f800000u))"

    def access(self, printer: Printer, value: SourceExpression) -> tuple[str, Rank]:
        """Return an access to a resource."""
        return access(self, printer, value)

    def stored(self, printer: Printer, line: Assign) -> str:
        """Return an assignment to several components, an atomic word or a texel."""
        target, value = line.target, line.value
        if target.op is NodeForm.TEXEL:
            return stored_texel(self, printer, line)
        root = target
        while root.args:
            root = root.args[0]
        if str(root.attr) in self.atomics and target.op is not NodeForm.SWIZZLE:
            return f"atomicStore(&{place_text(printer, target)}, {printer.text(value)})"
        if target.op is not NodeForm.SWIZZLE or len(target.attr) == 1:
            return ""
        whole, at = target.args[0], target.attr
        text = printer.widened(value, target.type.width)
        place = printer.text(whole, Rank.PRIMARY)
        if [*at] == [*range(whole.type.width)]:
            return f"{place} = {text}"
        assert self.names is not None
        label = self.names.unique("parts")
        each = (f"{place}.{LETTERS[to]} = {label}.{LETTERS[of]}" for of, to in enumerate(at))
        return f"let {label} = {text}; {'; '.join(each)}"

    def definition(self, printer: Printer, line: Define) -> Sequence[str]:
        """Return nothing: each definition is one statement."""
        return ()


def _infix(op: Op) -> Infix:
    found = SPELLINGS[op]
    assert isinstance(found, Infix)
    return found


def _part(value: SourceExpression, at: int) -> SourceExpression:
    if value.type.width == 1:
        return value
    if value.op is NodeForm.LITERAL:
        return SourceExpression(value.op, value.type.wide(1), (), (value.attr[at],))
    return SourceExpression(NodeForm.SWIZZLE, value.type.wide(1), (value,), (at,))


def _wide(value: SourceExpression, width: int) -> SourceExpression:
    """Return a scalar as a vector."""
    if value.type.width == width:
        return value
    type = value.type.wide(width)
    if value.op is NodeForm.LITERAL:
        return SourceExpression(value.op, type, (), value.attr * width)
    return SourceExpression(NodeForm.SWIZZLE, type, (value,), (0,) * width)


def _result(op: object, type: TermType) -> ScalarKind:
    """Return the kind of the result of a helper."""
    if op is OPS.ftoi:
        return INT
    if op in (OPS.ftou, SOURCE_OPS.to_half, SOURCE_OPS.first_high, SOURCE_OPS.first_high_i,
              SOURCE_OPS.first_low):  # fmt: skip
        return UINT
    if op is SOURCE_OPS.from_half:
        return FLOAT
    return type.kind
