"""Source trees: expressions and lines, independent of the language that prints them.

    float3 r5 = v1.xyz * 2.0;      Define("r5", float3, fmul(swizzle(name v1, xyz), literal 2.0))

    TermType   kind (bool, int, uint, float), bits, components
    SourceExpression   an operation of `ir.ops` or `operations`, or a NodeForm, with its operands
    Line         Define, Assign, Evaluate, JumpLine, BranchLine, Choice, Repeat, Once

Operations of `ir.ops` apply to all components of a vector. A scalar operand stands for a vector
with equal components.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..dataclass import dataclass, field
from ..enums import StrEnum
from ..ir.barriers import BarrierOrder
from ..ir.ops import Op
from ..ir.textures import Sample
from ..tuples import NamedTuple

__all__ = [
    "RESOURCE_FORMS",
    "Assign",
    "Barrier",
    "BranchLine",
    "Choice",
    "Define",
    "Evaluate",
    "JumpLine",
    "Leave",
    "Line",
    "MatrixLine",
    "NodeForm",
    "Once",
    "Repeat",
    "ScalarKind",
    "SourceExpression",
    "TermType",
    "TextureCall",
    "components",
    "joined_scalars",
    "literal",
    "name",
    "resized",
    "swizzle",
    "text_key",
]

LETTERS = "xyzw"


class ScalarKind(StrEnum):
    """The kind of a component."""

    BOOL = "bool"
    INT = "int"
    UINT = "uint"
    FLOAT = "float"


class TermType(NamedTuple):
    """The type of an expression: a scalar (width 1) or a vector."""

    kind: ScalarKind
    bits: int = 32
    width: int = 1

    def wide(self, width: int) -> "TermType":
        """Return the type with another number of components."""
        return self._replace(width=width)


class NodeForm(StrEnum):
    """An expression that is not an operation of `ir`."""

    LITERAL = "literal"  # attr: the bits of each component
    NAME = "name"  # attr: the name
    SWIZZLE = "swizzle"  # attr: components, as numbers
    CONSTRUCT = "construct"  # a vector of parts
    BITS = "bits"  # the bits of a value as a value of another kind
    CONVERT = "convert"  # int to uint or back: the same bits
    INDEX = "index"  # array, index; attr: the number of rows of a matrix
    MEMBER = "member"  # attr: name of the member
    CALL = "call"  # attr: function; arguments
    LINE = "line"  # column or row of a matrix, and its number; attr: MatrixLine
    PRODUCT = "product"  # vector, matrix; attr: ProductOrder
    ELEMENT = "element"  # of a structured buffer: buffer, index
    TEXEL = "texel"  # of an image or a buffer of texels: it, coordinates
    BYTES = "bytes"  # a word of a raw buffer: it, byte address, number of the word
    TEXTURE = "texture"  # a sample, fetch or query of a level; attr: TextureCall
    ATOMIC = "atomic"  # place, operands, last the value to compare with; attr: the operation
    COUNTER = "counter"  # step of a hidden counter, and its old value: buffer; attr: 1 or -1
    BARRIER = "barrier"  # attr: Barrier
    COUNTS = "counts"  # set the numbers of vertices and primitives of a thread group
    LAUNCH = "launch"  # groups along x, y and z, and leave; attr: name of the payload, or ""
    PRINT = "print"  # arguments of printf; attr: its format
    STREAM = "stream"  # append a vertex: stream, vertex; end a strip: stream


RESOURCE_FORMS = frozenset({
    NodeForm.LINE, NodeForm.PRODUCT, NodeForm.ELEMENT, NodeForm.TEXEL, NodeForm.BYTES,
    NodeForm.TEXTURE, NodeForm.ATOMIC, NodeForm.COUNTER, NodeForm.BARRIER, NodeForm.STREAM,
    NodeForm.COUNTS, NodeForm.LAUNCH, NodeForm.PRINT,
})  # fmt: skip


class MatrixLine(NamedTuple):
    """The matrix that a column or row is part of, as the source declares it."""

    rows: int
    columns: int
    by_column: bool


class ProductOrder(NamedTuple):
    """The order of a product: True if the vector stands before the matrix."""

    hlsl: bool
    registers: bool  # for a matrix whose columns are registers


class Barrier(NamedTuple):
    """A barrier: with a wait for the group, and the accesses that it orders."""

    waits: bool
    order: BarrierOrder


@dataclass(frozen=True, slots=True)
class TextureCall:
    """A texture operation, whose operands have roles.

    The roles are `texture`, `sampler`, `coordinates` (with the layer, and in a fetch with the
    level), `reference`, `level`, `x` and `y` (gradients), `sample`, `offset` and `clamp`. A fetch
    without coordinates reads an input attachment at the lane's own pixel.
    """

    sample: Sample
    roles: tuple[str, ...]
    kind: ScalarKind  # of the texels
    multisampled: bool = False

    def operands(self, value: "SourceExpression") -> "dict[str, SourceExpression]":
        """Return the operands by their roles."""
        return dict(zip(self.roles, value.args, strict=True))


@dataclass(slots=True, eq=False)
class SourceExpression:
    """An expression: an operation, its type and operands."""

    op: Op | NodeForm
    type: TermType
    args: "tuple[SourceExpression, ...]" = ()
    attr: Any = None


def literal(bits: tuple[int, ...], type: TermType) -> SourceExpression:
    """Return a literal; a scalar if all components are equal."""
    if len(set(bits)) == 1:
        bits = bits[:1]
    return SourceExpression(NodeForm.LITERAL, type.wide(len(bits)), (), bits)


def name(text: str, type: TermType) -> SourceExpression:
    """Return a reference to a name."""
    return SourceExpression(NodeForm.NAME, type, (), text)


def resized(op: Op, value: SourceExpression, type: TermType) -> SourceExpression:
    """Return a number with other bits: `op` is the conversion. What was widened is as it was."""
    if value.op is op and value.args[0].type == type and type.bits < value.type.bits:
        return value.args[0]
    return SourceExpression(op, type, (value,))


def swizzle(base: SourceExpression, components: tuple[int, ...]) -> SourceExpression:
    """Return components of a vector; the vector itself if they are all of it, in order."""
    if components == tuple(range(base.type.width)):
        return base
    if base.op is NodeForm.SWIZZLE:
        components = tuple(base.attr[each] for each in components)
        base = base.args[0]
    return SourceExpression(NodeForm.SWIZZLE, base.type.wide(len(components)), (base,), components)


def text_key(expression: SourceExpression) -> object:
    """Return a key that equal expressions of constants share."""
    return (
        expression.op, expression.type, repr(expression.attr),
        tuple(text_key(each) for each in expression.args),
    )  # fmt: skip


def joined_scalars(parts: "Sequence[SourceExpression]") -> SourceExpression:
    """Return a vector of scalars; components of one vector that follow each other are a swizzle."""
    type = parts[0].type.wide(len(parts))
    rows: list[tuple[object, SourceExpression, list[int]]] = []
    for each in parts:
        if each.op is not NodeForm.SWIZZLE:
            rows.append((each, each, []))
            continue
        key = text_key(each.args[0])
        if rows and rows[-1][0] == key:
            rows[-1][2].extend(each.attr)
        else:
            rows.append((key, each.args[0], [*each.attr]))
    made = [swizzle(base, tuple(at)) if at else base for _, base, at in rows]
    return made[0] if len(made) == 1 else SourceExpression(NodeForm.CONSTRUCT, type, tuple(made))


def components(value: SourceExpression, first: int, count: int) -> SourceExpression:
    """Return components of a vector that follow each other, taken from its parts if it has any."""
    type = value.type.wide(count)
    if value.type.width == count:
        return value
    if value.op is NodeForm.LITERAL and len(value.attr) > 1:
        return SourceExpression(value.op, type, (), value.attr[first : first + count])
    if value.op is not NodeForm.CONSTRUCT:
        return swizzle(value, tuple(range(first, first + count)))
    parts: list[SourceExpression] = []
    at = 0
    for each in value.args:
        begin, end = max(first, at), min(first + count, at + each.type.width)
        if begin < end:
            parts.append(components(each, begin - at, end - begin))
        at += each.type.width
    return parts[0] if len(parts) == 1 else SourceExpression(value.op, type, tuple(parts))


@dataclass(slots=True, eq=False)
class Define:
    """The definition of a variable; `value` is None if it is not initialised."""

    name: str
    type: TermType
    value: SourceExpression | None
    line: int = 0
    names: frozenset[str] | None = None  # structure.py


@dataclass(slots=True, eq=False)
class Assign:
    """An assignment to a variable, or to some of its components."""

    target: SourceExpression
    value: SourceExpression
    line: int = 0
    names: frozenset[str] | None = None  # structure.py


@dataclass(slots=True, eq=False)
class Evaluate:
    """A call with an effect."""

    value: SourceExpression
    line: int = 0
    names: frozenset[str] | None = None  # structure.py


class Leave(StrEnum):
    """A jump."""

    BREAK = "break"
    CONTINUE = "continue"
    RETURN = "return"
    DISCARD = "discard"


@dataclass(slots=True, eq=False)
class JumpLine:
    """A jump, or the end of a lane."""

    how: Leave
    line: int = 0
    names: frozenset[str] | None = None  # structure.py
    value: SourceExpression | None = None  # that is returned


@dataclass(slots=True, eq=False)
class BranchLine:
    """An if."""

    condition: SourceExpression
    then: "list[Line]"
    otherwise: "list[Line]" = field(default_factory=list)
    line: int = 0
    names: frozenset[str] | None = None  # structure.py


@dataclass(slots=True, eq=False)
class Repeat:
    """A loop; `condition` is None for an endless one, `first` and `step` make it a `for`."""

    body: "list[Line]"
    condition: SourceExpression | None = None
    first: "Define | Assign | None" = None
    step: "Assign | None" = None
    line: int = 0
    names: frozenset[str] | None = None  # structure.py


@dataclass(slots=True, eq=False)
class Choice:
    """A switch: labels (None for default) and body of each case.

    `branch` is set if the program has it, so that it is not the choice of a resource.
    """

    value: SourceExpression
    cases: "list[tuple[tuple[int | None, ...], list[Line]]]"
    line: int = 0
    branch: bool = False
    names: frozenset[str] | None = None  # structure.py


@dataclass(slots=True, eq=False)
class Once:
    """A body that a `break` leaves: `do … while (false)`."""

    body: "list[Line]"
    line: int = 0
    names: frozenset[str] | None = None  # structure.py


Line: TypeAlias = "Define | Assign | Evaluate | JumpLine | BranchLine | Repeat | Choice | Once"
