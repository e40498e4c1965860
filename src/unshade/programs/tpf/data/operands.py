"""Conversion of operands to plain data and back, without loss.

    {type: TEMP, mask: xy, index: [0]}                                    r0.xy
    {type: TEMP, swizzle: xyzw, modifier: NEG, index: [1]}                -r1.xyzw
    {type: CONSTANT_BUFFER, select: y, index: [0, {immediate: 4, relative: {…}}]}
    {type: IMMEDIATE32, literal: [0.5, 1.0, 0.0, 0.0]}

Components are letters; a literal has one component per number. Zero fields are left out.
"""

from ....errors import FormatError
from ....isa.data import (
    field_from_data,
    integer_from_data,
    list_from_data,
    mapping_from_data,
    nothing_left,
    take_word,
    word_to_data,
)
from ....wire.data import Plain, name_of
from ..operands import MORE, Index, Operand
from ..tables.enumerations import (
    Components,
    ExtendedOperand,
    IndexRepresentation,
    Modifier,
    OperandType,
    SelectionMode,
)
from ..tables.selection import mask_letters, select_letter, selection, swizzle_letters
from ..tables.tokens import OperandModifier, OperandToken, operand_word
from .words import dword_from_data, dwords_from_data, number

MODIFIERS = ("modifier", "min_precision", "non_uniform")
LITERAL_COMPONENTS: dict[int, int] = {1: Components.ONE, 4: Components.FOUR}  # by dwords


def operand_to_data(operand: Operand, kind: str = "") -> dict[str, Plain]:
    """Return an operand as plain data; `kind` is its letter in the table of operations."""
    token = operand.token
    found: dict[str, Plain] = {"type": name_of(OperandType, operand.type)}
    used = operand_word(token).named_mask() & 0x800F_FFFF | 3 << 20
    used |= (1 << 3 * len(operand.indices)) - 1 << 22
    chosen = token >> 4 & 255
    literal = bool(operand.literal)
    if operand.components != Components.FOUR:
        if operand.components != LITERAL_COMPONENTS.get(len(operand.literal), 0):
            found["components"] = name_of(Components, operand.components)
    elif operand.mode == SelectionMode.MASK:
        if chosen & 15 or not literal:
            found["mask"] = mask_letters(chosen)
    elif operand.mode == SelectionMode.SWIZZLE:
        found["swizzle"] = swizzle_letters(chosen)
    elif operand.mode == SelectionMode.SELECT_1:
        found["select"] = select_letter(chosen)
    else:
        found["mode"] = operand.mode
    if operand.extended:
        found |= _extended_operand(operand.extended)
    if literal:
        found["literal"] = [number(word, kind) for word in operand.literal]
    if operand.indices:
        found["index"] = [_index_to_data(index) for index in operand.indices]
    if token & ~used:
        found["unnamed"] = f"0x{token & ~used:08x}"
    return found


def _extended_operand(words: tuple[int, ...]) -> dict[str, Plain]:
    first = words[0]
    named = OperandModifier.named_mask()
    if len(words) > 1 or first & 63 != ExtendedOperand.MODIFIER or first & ~named:
        return {"extended": [f"0x{word & ~MORE:08x}" for word in words]}
    found = word_to_data(OperandModifier, first, ("kind", "extended"))
    return found or {"modifier": Modifier.NONE.name}


def _index_to_data(index: Index) -> Plain:
    if not index.kept and index.relative is None:
        return index.immediate
    found: dict[str, Plain] = {}
    if index.immediate:
        found["immediate"] = index.immediate
    if index.relative is not None:
        found["relative"] = operand_to_data(index.relative)
    if index.representation != Index(index.immediate, index.relative).representation:
        found["representation"] = name_of(IndexRepresentation, index.representation)
    return found


def operand_from_data(data: Plain, path: str, depth: int = 64) -> Operand:
    """Return the operand described by plain data."""
    left = mapping_from_data(data, path)
    token = dword_from_data(left.pop("unnamed", 0), f"{path}.unnamed")
    kind = field_from_data(OperandToken.type, left.pop("type", "missing"), f"{path}.type")
    literal = dwords_from_data(left.pop("literal", []), f"{path}.literal")
    components = LITERAL_COMPONENTS.get(len(literal), 0)
    chosen = 0
    for name in ("mask", "swizzle", "select", "mode"):
        if name in left:
            components = Components.FOUR
            chosen = _selection(name, left.pop(name), f"{path}.{name}")
    if "components" in left:
        where = f"{path}.components"
        components = field_from_data(OperandToken.components, left.pop("components"), where)
    token |= chosen | OperandToken.type.put(0, kind) | OperandToken.components.put(0, components)
    extended = dwords_from_data(left.pop("extended", []), f"{path}.extended")
    if any(name in left for name in MODIFIERS):
        extended.append(take_word(OperandModifier, left, path) | ExtendedOperand.MODIFIER)
    where = f"{path}.index"
    indices = [
        _index_from_data(item, f"{where}[{i}]", depth)
        for i, item in enumerate(list_from_data(left.pop("index", []), where))
    ]
    nothing_left(left, path)
    if len(indices) > 3:
        raise FormatError(f"expected at most 3 indices, got {len(indices)}", path=where)
    return Operand(token, extended, literal, indices)


def _selection(name: str, data: Plain, path: str) -> int:
    """Return bits 2 to 11 of an operand token."""
    if name == "mode":
        return integer_from_data(data, path) << 2 & 12
    chosen = selection(name, data) if isinstance(data, str) else None
    if chosen is None:
        problem = f"invalid {name} {data!r:.40}: expected letters of x, y, z and w"
        raise FormatError(problem, path=path)
    return chosen


def _index_from_data(data: Plain, path: str, depth: int) -> Index:
    if not isinstance(data, dict):
        return Index(integer_from_data(data, path))
    if not depth:
        raise FormatError("operands are nested too deeply", path=path)
    left = dict(data)
    immediate = integer_from_data(left.pop("immediate", 0), f"{path}.immediate")
    relative = None
    if "relative" in left:
        relative = operand_from_data(left.pop("relative"), f"{path}.relative", depth - 1)
    found = Index(immediate, relative)
    if "representation" in left:
        where = f"{path}.representation"
        stated = field_from_data(OperandToken.index0, left.pop("representation"), where)
        if stated not in IndexRepresentation._value2member_map_:
            raise FormatError(f"unknown representation {stated}", path=where)
        found.representation = stated
        if found.representation != stated:
            kind = IndexRepresentation(stated).name
            raise FormatError(f"{kind} does not fit this index", path=where)
    nothing_left(left, path)
    return found
