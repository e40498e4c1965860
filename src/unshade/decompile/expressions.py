"""Expressions: operands and results of groups, as source trees.

    lanes of an operand            expression
    %v.x %v.y %v.z                 v.xyz
    %s   %s   %s                   s              a scalar stands for all lanes
    %v.x 1.0  %w.y                 float3(v.x, 1.0, w.y)

Where a value of one kind is used as another, its bits are cast.
"""

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from ..errors import UnsupportedError
from ..ir.kernel import Value
from ..ir.memory import Var
from ..ir.ops import OPS, Op
from ..vocab.words import Interpolation, SystemValue
from .interface import EntryInterface
from .kinds import OPEN, Kinds, sign_of, stripped
from .messages import vectors_of_message
from .operations import LANE_READS, PLACED, REDUCTIONS, SOURCE_OPS
from .placement import ValuePlacement
from .products import matrix_product, sum_product
from .tree import (
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
    name,
    resized,
    swizzle,
    text_key,
)
from .variables import VectorVariable, is_constant_load
from .vectors import Group, halves

__all__ = ["Expressions", "ResourceWriter", "at_line", "refused"]

LANES = 4
# Operations whose operands are not those of the lanes of a vector, so `ResourceWriter` writes them.
RESOURCE_OPS = frozenset({OPS.load, OPS.sample, OPS.count})

PLACE = re.compile(r" \(line \d+\)$", re.ASCII)
SCANS = frozenset({OPS.iadd, OPS.imul})  # where the own value may be joined later
SUMS = frozenset({OPS.fadd, OPS.iadd})
PRODUCTS = frozenset({OPS.fmul, OPS.imul})
RESIZES = frozenset({OPS.fconv, OPS.iconv, OPS.uconv})


class ResourceWriter(Protocol):
    """The part of a target that writes accesses to resources."""

    def leaf(self, made: "Expressions", value: Value) -> tuple[SourceExpression, int]:
        """Return the expression and component of a load from constants."""

    def read(self, made: "Expressions", group: Group) -> SourceExpression:
        """Return the expression of a load, a sample or a query."""


def refused(what: str, line: int) -> UnsupportedError:
    """Return the error for code that the target cannot express."""
    return UnsupportedError(f"{what} cannot be decompiled yet{f' (line {line})' if line else ''}")


def at_line(error: UnsupportedError, line: int) -> UnsupportedError:
    """Return an error with the line of the listing, unless it has one or none is known."""
    text = str(error)
    return error if not line or PLACE.search(text) else UnsupportedError(f"{text} (line {line})")


class Expressions:
    """Makes the expressions of a program."""

    def __init__(
        self,
        kinds: Kinds,
        placement: ValuePlacement,
        variables: dict[Var, VectorVariable],
        interface: EntryInterface,
        resources: ResourceWriter,
        source: Callable[[Value], tuple[SourceExpression, int]],
        exact: bool,
    ) -> None:
        self.kinds = kinds
        self.placement = placement
        self.variables = variables
        self.interface = interface
        self.resources = resources
        self.source = source
        self.exact = exact
        self.idioms: set[str] = set()  # functions that were put in for their operations
        self._known: dict[Group, SourceExpression] = {}

    # ------------------------------------------------------------ operands

    def pack(self, values: Sequence[Value], kind: ScalarKind | None = None) -> SourceExpression:
        """Return an operand for several lanes; a scalar if all lanes have one value.

        `kind` is the kind that the user needs, None for the kind that the value has.
        """
        found = [stripped(each) for each in values]
        if kind is None:
            kind = next(
                (self.kinds.of(each) for each in found if each.op is not OPS.const),
                ScalarKind.BOOL
                if found[0].type.kind == "b"
                else ScalarKind.FLOAT
                if found[0].type.kind == "f"
                else ScalarKind.INT,
            )
        type = TermType(kind, values[0].type.bits if values[0].type.kind != "b" else 32)
        if all(each.op is OPS.const for each in found):
            return literal(tuple(each.attr for each in found), type)
        parts: list[tuple[object, SourceExpression, list[int]]] = []
        for each in found:
            key, base, component = self._place(each, kind)
            if parts and parts[-1][0] == key and base.op is not NodeForm.LITERAL:
                parts[-1][2].append(component)
            else:
                parts.append((key, base, [component]))
        if len({(key, *components) for key, _, components in parts}) == 1 and len(parts) > 1:
            parts = parts[:1]
        made = []
        for _, base, components in parts:
            alone = len(set(components)) == 1 and len(parts) == 1
            chosen = tuple(components[:1] if alone else components)
            made.append(self.cast(swizzle(base, chosen), kind))
        return made[0] if len(made) == 1 else self._joined(made)

    def _joined(self, parts: Sequence[SourceExpression]) -> SourceExpression:
        """Return a vector of parts, or the product of a vector and a matrix that they are."""
        if not self.exact:
            product = matrix_product(parts)
            if product is not None:
                self.idioms.add("mul")
                return product
        type = parts[0].type.wide(sum(each.type.width for each in parts))
        return SourceExpression(NodeForm.CONSTRUCT, type, tuple(parts))

    def vector(self, values: Sequence[Value], kind: ScalarKind) -> SourceExpression:
        """Return an operand for several lanes as a vector, also if all lanes are equal."""
        found = self.pack(values, kind)
        width = len(values)
        if found.type.width == width:
            return found
        if found.op is NodeForm.LITERAL:
            return SourceExpression(found.op, found.type.wide(width), (), found.attr * width)
        return SourceExpression(NodeForm.SWIZZLE, found.type.wide(width), (found,), (0,) * width)

    def scalar(self, value: Value, kind: ScalarKind | None = None) -> SourceExpression:
        """Return the expression of a single value."""
        return self.pack([value], kind)

    def _place(self, value: Value, kind: ScalarKind) -> tuple[object, SourceExpression, int]:
        """Return a value as a component of a vector: the vector's key, the vector, its number."""
        op = value.op
        if op is OPS.const:
            type = TermType(kind, 32 if value.type.kind == "b" else value.type.bits)
            return (value.type, value.attr), literal((value.attr,), type), 0
        if op is OPS.input:
            parameter, at = self.interface.of[value.attr]
            whole = name(parameter.name, parameter.type)
            if parameter.interpolation is Interpolation.PER_VERTEX:  # at the provoking vertex
                first = literal((0,), TermType(ScalarKind.INT))
                whole = SourceExpression(SOURCE_OPS.at_vertex, parameter.type, (whole, first))
            return parameter, whole, at
        if op is OPS.source:
            base, at = self.source(value)
            return base.attr, base, at
        if is_constant_load(value):
            base, at = self.resources.leaf(self, value)
            return text_key(base), base, at
        if op is OPS.part:
            texel = value.args[0]
            group, _ = self.placement.of[texel]
            return group, self.group(group), value.attr
        known = self.placement.of.get(value)
        if known is None:
            raise refused(op.name, value.line)
        group, lane = known
        if not group.name and group.op is OPS.get:
            variable = self.variables[value.attr]
            return variable, self._variable(variable), variable.component(value.attr)
        return group, self.group(group), lane

    def variable_type(self, variable: VectorVariable) -> TermType:
        """Return the type of a variable."""
        first = variable.lanes[0]
        kind = ScalarKind.BOOL if first.type.kind == "b" else self.kinds.of_place(first)
        bits = first.type.bits if first.type.kind != "b" else 32
        return TermType(kind, bits, len(variable.lanes))

    def _variable(self, variable: VectorVariable) -> SourceExpression:
        return name(variable.name, self.variable_type(variable))

    # ------------------------------------------------------------ results

    def type_of(self, group: Group) -> TermType:
        """Return the type of a group's value."""
        first = group.first
        if first.type.kind == "t":
            return TermType(self.texel_kind(first), 32, LANES)
        kind = self.kinds.of(first)
        return TermType(kind, 32 if kind is ScalarKind.BOOL else first.type.bits, len(group.lanes))

    def texel_kind(self, sample: Value) -> ScalarKind:
        """Return the kind of the components of a texel."""
        return self.kinds.of(Value(OPS.part, sample.attr.texture.type, (sample,), 0))

    def group(self, group: Group) -> SourceExpression:
        """Return a group's value: its variable, or the expression."""
        if group.name:
            return name(group.name, self.type_of(group))
        found = self._known.get(group)
        if found is None:
            found = self._known[group] = self.computed(group)
        return found

    def computed(self, group: Group) -> SourceExpression:
        """Return the expression that computes a group's value."""
        first = group.first
        op = first.op
        if op is OPS.get:
            return self.pack(group.lanes) if not group.name else self._copied(group)
        if op in RESOURCE_OPS:
            return self.resources.read(self, group)
        width = len(group.lanes)
        type = self.type_of(group)
        if op is SOURCE_OPS.dot:
            products = [
                SourceExpression(
                    op, type.wide(1), tuple(self.vector(e, ScalarKind.FLOAT) for e in halves(lane))
                )
                for lane in group.lanes
            ]
            return products[0] if width == 1 else self._joined(products)
        if op in PLACED:
            return self._placed(group)
        if op in REDUCTIONS.values():
            return SourceExpression(op, type, (self.vector(first.args, ScalarKind.BOOL),))
        args = []
        for at, wanted in enumerate(self._wanted(first)):
            args.append(self.pack([lane.args[at] for lane in group.lanes], wanted))
        if op is OPS.ine or op is OPS.ieq:
            args = self._tested(first, args)
            if len(args) == 1:
                return args[0]
        if op is OPS.wave_ballot:
            whole = SourceExpression(op, type.wide(LANES), tuple(args), first.attr)
            return swizzle(whole, (first.attr.word,))
        if op is OPS.wave_scan:
            return self._inclusive(first, type, args[0])
        if op in SUMS and args[1].op in PRODUCTS and args[0].op not in PRODUCTS:
            args.reverse()  # a * b + c; operands of a sum may be exchanged without another result
        if width == 1 or all(each.type.width == 1 for each in args):
            type = type.wide(1)
        if op in RESIZES:
            return resized(op, args[0], type)
        made = SourceExpression(op, type, tuple(args), first.attr)
        return made if self.exact else self._idiom(made)

    def message(self, value: Value) -> SourceExpression:
        """Return the call that prints."""
        args = []
        for kind, lanes in vectors_of_message(value):
            found = self.pack(lanes)
            is_float = found.type.kind is ScalarKind.FLOAT
            args.append(found if is_float == (kind is ScalarKind.FLOAT) else self.cast(found, kind))
        return SourceExpression(NodeForm.PRINT, TermType(ScalarKind.INT), tuple(args), value.attr)

    def _placed(self, group: Group) -> SourceExpression:
        """Return components of an input at another place of the pixel."""
        found = [self.interface.of[lane.args[0].attr] for lane in group.lanes]
        parameter = found[0][0]
        if parameter.builtin:
            raise refused(f"{parameter.builtin} at another place of the pixel", group.first.line)
        place = group.first.args[1:]
        args = [name(parameter.name, parameter.type)]
        if len(place) == 1:
            args.append(self.scalar(place[0], self._any_integer(place[0], ScalarKind.INT)))
        elif place:
            kind = ScalarKind.FLOAT if group.op is SOURCE_OPS.at_offset else ScalarKind.INT
            args.append(self.vector(place, kind))
        call = SourceExpression(group.op, parameter.type, tuple(args))
        return swizzle(call, tuple(at for _, at in found))

    def _inclusive(self, value: Value, type: TermType, own: SourceExpression) -> SourceExpression:
        """Return an inclusive scan: the exclusive scan, combined with the lane's own value."""
        op = value.attr.op
        if op not in SCANS:
            raise refused(f"a scan of {op.name}", value.line)
        before = SourceExpression(OPS.wave_before, type, (own,), value.attr)
        return SourceExpression(op, type, (before, own))

    def _idiom(self, value: SourceExpression) -> SourceExpression:
        """Return the function of the language that compilers write as these operations.

        They may round differently on other targets, so the text says that they were put in.
        """
        word, args = "", value.args
        form: NodeForm | Op = NodeForm.CALL
        match value.op:
            case OPS.fadd:
                product = sum_product(value)
                if product is not None:
                    self.idioms.add("mul")
                    return product
            case OPS.fmul:
                word, args = "normalize", _normalized(*value.args)
            case OPS.exp2 if args[0].op is OPS.fmul:
                for power, base in (args[0].args, args[0].args[::-1]):
                    if base.op is OPS.log2:
                        word, args, form = "pow", (base.args[0], power), OPS.pow
            case OPS.fsqrt if args[0].op is SOURCE_OPS.dot:
                one, other = args[0].args
                word, args = "length", (one,) if text_key(one) == text_key(other) else ()
            case SOURCE_OPS.fraction:
                word = "frac"
        if not word or not args:
            return value
        self.idioms.add(word)
        return SourceExpression(form, value.type, args, word if form is NodeForm.CALL else None)

    def _copied(self, group: Group) -> SourceExpression:
        variable = self.variables[group.first.attr]
        components = tuple(variable.component(lane.attr) for lane in group.lanes)
        return swizzle(self._variable(variable), components)

    def _wanted(self, value: Value) -> list[ScalarKind | None]:
        """Return the kind of each operand that an operation needs."""
        op = value.op
        own = self.kinds.of_operands(value)
        sign = ScalarKind.UINT if op in LANE_READS else sign_of(value)
        found: list[ScalarKind | None] = []
        for at, (arg, wanted) in enumerate(zip(value.args, self.kinds.wanted(value), strict=True)):
            at_lane = op in LANE_READS and at == 1
            if arg.type.kind == "b":
                found.append(ScalarKind.BOOL)
            elif op in OPEN and not at_lane:
                found.append(self.kinds.of(value))
            elif arg.type.kind == "f" or wanted == ScalarKind.FLOAT:
                found.append(ScalarKind.FLOAT)
            elif op in (OPS.ishl, OPS.ishr, OPS.ushr) and at == 1:
                found.append(self._any_integer(arg, own))
            elif sign is not None:
                found.append(sign)
            else:
                found.append(own)
        return found

    def _any_integer(self, arg: Value, own: ScalarKind) -> ScalarKind:
        kind = self.kinds.of(arg)
        return own if kind is ScalarKind.FLOAT or stripped(arg).op is OPS.const else kind

    def _tested(self, value: Value, args: list[SourceExpression]) -> list[SourceExpression]:
        """Return the operand of a comparison of a bool with 0, alone if it is not negated."""
        zero = args[1]
        if zero.op is not NodeForm.LITERAL or any(zero.attr):
            return args
        front = stripped(value.args[0])
        if front.op is OPS.input and front.attr.role is SystemValue.IS_FRONT_FACE:
            parameter, _ = self.interface.of[front.attr]
            if parameter.type.kind is not ScalarKind.BOOL:
                return args
            found = name(parameter.name, TermType(ScalarKind.BOOL))
        elif args[0].op is OPS.select and _tells(args[0].args[1:]):  # a bool of a buffer, as a word
            found = args[0].args[0]
        else:
            return args
        return [found if value.op is OPS.ine else SourceExpression(OPS.not_, found.type, (found,))]

    # ------------------------------------------------------------ casts

    def cast(self, value: SourceExpression, kind: ScalarKind) -> SourceExpression:
        """Return an expression as another kind, with the same bits."""
        if value.type.kind is kind:
            return value
        type = value.type._replace(kind=kind)
        if value.op is NodeForm.LITERAL:
            return SourceExpression(NodeForm.LITERAL, type, (), value.attr)
        if kind is ScalarKind.BOOL and value.op is OPS.select and _tells(value.args[1:]):
            return value.args[0]
        if value.type.kind is ScalarKind.BOOL:  # a bool as bits is all ones or zero
            ones = literal(((1 << 32) - 1,), type.wide(1))
            return SourceExpression(OPS.select, type, (value, ones, literal((0,), type.wide(1))))
        if ScalarKind.FLOAT in (value.type.kind, kind):
            return SourceExpression(NodeForm.BITS, type, (value,))
        return SourceExpression(NodeForm.CONVERT, type, (value,))


def _tells(chosen: Sequence[SourceExpression]) -> bool:
    """Return True for a number that is not zero, and zero."""
    if any(each.op is not NodeForm.LITERAL for each in chosen):
        return False
    one, other = (each.attr for each in chosen)
    return all(one) and not any(other)


def _normalized(one: SourceExpression, other: SourceExpression) -> tuple[SourceExpression, ...]:
    """Return x if a product is x * rsqrt(dot(x, x)), else nothing."""
    for vector, scale in ((one, other), (other, one)):
        if scale.op is OPS.rsqrt and scale.args[0].op is SOURCE_OPS.dot:
            key = text_key(vector)
            if all(text_key(each) == key for each in scale.args[0].args):
                return (vector,)
    return ()
