"""Expressions of the source tree as instructions: values, and the places that hold them.

swizzle(name v1, xy)          OpLoad, OpVectorShuffle
element(name t1, i)           OpAccessChain %t1 0 %i, OpLoad
"""

import re
from collections.abc import Sequence

from ...dataclass import replace
from ...errors import UnsupportedError
from ...ir.ops import OPS
from ..operations import LANE_READS, PLACED, REDUCTIONS, SOURCE_OPS
from ..pixel_places import offset_of
from ..resources.context import DeclaredResource
from ..selection import NON_UNIFORM
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType
from ..tree import name as variable_name
from .accesses import atomic, barrier, counter, sizes, texel, texture
from .entry import lane_built_in
from .meshes import launch
from .operations import emitted
from .points import emit, point_place
from .writer import UINT, SpirvPlace, SpirvWriter

__all__ = ["place_of", "value_of", "widened"]

ELEMENT = re.compile(r"(\w+)\[(\d+)\]", re.ASCII)  # of an array of a built-in
PLACES = frozenset({
    NodeForm.INDEX, NodeForm.MEMBER, NodeForm.LINE, NodeForm.ELEMENT, NodeForm.BYTES,
})  # fmt: skip
PRINTF = "NonSemantic.DebugPrintf"
# Operations of vectors with a scalar result.
REDUCING = frozenset({SOURCE_OPS.dot, *REDUCTIONS.values()})


def place_of(w: SpirvWriter, value: SourceExpression) -> SpirvPlace:
    """Return the place that an expression names."""
    args = value.args
    match value.op:
        case NodeForm.NAME:
            return named(w, str(value.attr))
        case NodeForm.INDEX:
            base = place_of(w, args[0])
            index, uneven = _index(w, args)
            if uneven:
                base = replace(base, uneven=True)
            if base.layout.term is not None:
                return w.component(base, index)
            return base.at(index, base.layout.inner)
        case NodeForm.MEMBER:
            indexed = w.points and args[0].op is NodeForm.INDEX
            index = value_of(w, args[0].args[1]) if indexed else ""
            point = point_place(w, value, index)
            if point is not None:
                return point
            base = place_of(w, args[0])
            found = base.layout.members.get(str(value.attr))
            if found is None:
                raise UnsupportedError(f"the member {value.attr} cannot be translated yet")
            return base.at(w.number(found[0]), found[1])
        case NodeForm.LINE:
            base = place_of(w, args[0])
            return base.at(w.number(args[1].attr[0]), base.layout.inner)
        case NodeForm.ELEMENT | NodeForm.BYTES:
            base = place_of(w, _view(w, args[0], value.type.bits))
            elements = next(iter(base.layout.members.values()))[1]
            index = value_of(w, args[2 if value.op is NodeForm.BYTES else 1])
            return base.at(w.number(0), elements).at(index, elements.inner)
        case NodeForm.SWIZZLE if len(value.attr) == 1:
            return w.component(place_of(w, args[0]), value.attr[0])
    raise UnsupportedError(f"{value.op} has no place")


def _view(w: SpirvWriter, value: SourceExpression, bits: int) -> SourceExpression:
    """Return a buffer, or an element of an array of them, by the view of numbers of a width."""
    if value.op is NodeForm.INDEX:
        base = _view(w, value.args[0], bits)
        return SourceExpression(value.op, value.type, (base, *value.args[1:]), value.attr)
    label = w.views.get((str(value.attr), bits // 8))
    return value if label is None else variable_name(label, value.type)


def _index(w: SpirvWriter, args: Sequence[SourceExpression]) -> tuple[str, bool]:
    """Return an index, and whether lanes may have different ones of an array of resources."""
    array, index = args
    uneven = index.op is NodeForm.CALL and index.attr == NON_UNIFORM
    kind = w.arrays.get(str(array.attr)) if array.op is NodeForm.NAME else None
    if kind is not None and index.op is not NodeForm.LITERAL:
        w.module.require(f"{kind}Array{'NonUniform' if uneven else 'Dynamic'}Indexing")
    return value_of(w, index.args[0] if uneven else index), uneven


def named(w: SpirvWriter, text: str) -> SpirvPlace:
    """Return the place of a variable, or of an element of a built-in."""
    found = w.symbols.get(text) or lane_built_in(w, text)
    if found is not None:
        return found
    element = ELEMENT.fullmatch(text)
    if element is not None and element[1] in w.symbols:
        whole = w.symbols[element[1]]
        return whole.at(w.number(int(element[2])), whole.layout.inner)
    raise UnsupportedError(f"the name {text} cannot be translated yet")


def value_of(w: SpirvWriter, value: SourceExpression) -> str:
    """Return the id of the value of an expression."""
    match value.op:
        case NodeForm.LITERAL:
            return w.module.constant(value.type, *value.attr)
        case NodeForm.NAME:
            known = w.values.get(str(value.attr)) or w.constants.get(str(value.attr))
            if known is not None:
                return known
            if value.attr == "quad_lane":
                lane = w.load(named(w, "gl_SubgroupInvocationID"))
                return w.op("OpBitwiseAnd", UINT, lane, w.number(3))
            if value.attr == "helper":
                helper = w.load(named(w, "gl_HelperInvocation"))
                return w.op("OpSelect", UINT, helper, w.number(1), w.number(0))
            return w.load(place_of(w, value))
        case NodeForm.SWIZZLE:
            return _swizzled(w, value)
        case NodeForm.CONSTRUCT:
            return w.op("OpCompositeConstruct", value.type, *(value_of(w, x) for x in value.args))
        case NodeForm.BITS | NodeForm.CONVERT:
            of = value.args[0].type
            found = value_of(w, value.args[0])
            if of.bits == value.type.bits:
                return w.op("OpBitcast", value.type.wide(of.width), found)
            if of.bits * of.width != value.type.bits * value.type.width:
                raise UnsupportedError("numbers of another width cannot be cast yet")
            return w.op("OpBitcast", value.type, found)
        case NodeForm.TEXEL:
            return texel(w, value, value_of, place_of)
        case NodeForm.TEXTURE:
            return texture(w, value, value_of, place_of)
        case NodeForm.ATOMIC:
            return atomic(w, value, value_of, place_of)
        case NodeForm.COUNTER:
            return counter(w, value, place_of)
        case NodeForm.BARRIER:
            barrier(w, value.attr)
            return ""
        case NodeForm.COUNTS:
            w.effect("OpSetMeshOutputsEXT", *(value_of(w, each) for each in value.args))
            return ""
        case NodeForm.LAUNCH:
            launch(w, [value_of(w, each) for each in value.args], str(value.attr))
            return ""
        case NodeForm.PRINT:
            _print(w, value)
            return ""
        case NodeForm.STREAM:
            emit(w, value)
            return ""
        case NodeForm.CALL:
            return _called(w, value)
    if _is_row(w, value):
        return _row(w, value)
    if value.op in PLACES:
        return _loaded(w, value)
    if value.op in PLACED:
        return _placed(w, value)
    return _operation(w, value)


def _print(w: SpirvWriter, value: SourceExpression) -> None:
    args = [value_of(w, each) for each in value.args]
    printing, format = w.module.instructions(PRINTF), w.module.string(value.attr)
    made, void = w.module.id(), w.module.declared("OpTypeVoid")
    w.effect(f"{made} = OpExtInst", void, printing, "DebugPrintf", format, *args)


def _placed(w: SpirvWriter, value: SourceExpression) -> str:
    """Return an input at another place of the pixel."""
    place = place_of(w, value.args[0])
    if value.op is SOURCE_OPS.at_vertex:
        return w.load(place.at(value_of(w, value.args[1]), place.layout.inner))
    w.module.require("InterpolationFunction")
    pointer = w.pointer(place)
    match value.op:
        case SOURCE_OPS.at_centroid:
            return w.extended("InterpolateAtCentroid", value.type, pointer)
        case SOURCE_OPS.at_sample:
            number = value_of(w, value.args[1])
            return w.extended("InterpolateAtSample", value.type, pointer, number)
    return w.extended("InterpolateAtOffset", value.type, pointer, value_of(w, offset_of(value)))


def _loaded(w: SpirvWriter, value: SourceExpression) -> str:
    """Return what is at a place, as the type of the expression: integers may have another sign."""
    place = place_of(w, value)
    found, term = w.load(place), place.layout.term
    same = term is None or term.kind is value.type.kind
    return found if same else w.op("OpBitcast", value.type, found)


def _is_row(w: SpirvWriter, value: SourceExpression) -> bool:
    """Return True for a row of a table, with an index that is known only at run time."""
    if value.op is not NodeForm.INDEX or value.args[1].op is NodeForm.LITERAL:
        return False
    return value.args[0].op is NodeForm.NAME and str(value.args[0].attr) in w.tables


def _row(w: SpirvWriter, value: SourceExpression) -> str:
    """Return a row of a table; 0 beyond its end, where Vulkan leaves open what is read."""
    table, index = value.args
    place = place_of(w, table)
    found = value_of(w, index)
    number = found if index.type == UINT else w.op("OpBitcast", UINT, found)
    flag = TermType(ScalarKind.BOOL)
    inside = w.op("OpULessThan", flag, number, w.number(w.tables[str(table.attr)]))
    safe = w.op("OpSelect", UINT, inside, number, w.number(0))
    at = place.at(safe, place.layout.inner)
    row, type = w.load(at), at.layout.term or value.type
    if type.width > 1:
        inside = w.op("OpCompositeConstruct", flag.wide(type.width), *[inside] * type.width)
    found = w.op("OpSelect", type, inside, row, w.module.constant(type, 0))
    return found if type == value.type else w.op("OpBitcast", value.type, found)


def _called(w: SpirvWriter, value: SourceExpression) -> str:
    """Return the sizes or the number of elements of a resource."""
    functions = w.parts.resources.functions.values()
    found = next((each for each in functions if each.name == value.attr), None)
    if found is None:
        raise UnsupportedError(f"the function {value.attr} cannot be translated yet")
    level = value_of(w, value.args[0]) if value.args else w.number(0)
    return sizes(w, found, resource(w, found.of), level)


def resource(w: SpirvWriter, found: DeclaredResource) -> SpirvPlace:
    """Return the place of a resource."""
    base = named(w, found.name)
    if found.index is None:
        return base
    return base.at(w.number(found.index), base.layout.inner)


def _swizzled(w: SpirvWriter, value: SourceExpression) -> str:
    whole, at = value.args[0], value.attr
    if whole.type.width == 1:
        return widened(w, whole, len(at))
    if len(at) == 1:
        if whole.op in PLACES and not _is_row(w, whole):  # one component of memory
            return _loaded(w, value)
        return w.op("OpCompositeExtract", value.type, value_of(w, whole), at[0])
    found = value_of(w, whole)
    if [*at] == [*range(whole.type.width)]:
        return found
    return w.op("OpVectorShuffle", value.type, found, found, *at)


def widened(w: SpirvWriter, value: SourceExpression, width: int) -> str:
    """Return a value as a vector of a width."""
    if value.type.width == width:
        return value_of(w, value)
    if value.op is NodeForm.LITERAL:
        return w.module.constant(value.type.wide(width), *value.attr)
    found = value_of(w, value)
    return w.op("OpCompositeConstruct", value.type.wide(width), *[found] * width)


def _operation(w: SpirvWriter, value: SourceExpression) -> str:
    width = max((each.type.width for each in value.args), default=1)
    args: Sequence[SourceExpression] = value.args
    if value.op in LANE_READS:
        operands = [widened(w, args[0], width), value_of(w, args[1])]
    else:
        operands = [widened(w, each, width) for each in args]
    if value.op in REDUCING:
        width = 1
    elif value.op is OPS.wave_ballot:
        width = 4
    kind = value.type.kind
    bits = 32 if kind is ScalarKind.BOOL else value.type.bits
    return emitted(w, value, TermType(kind, bits, width), operands)
