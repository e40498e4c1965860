"""Conversion of operands to plain data and back, without loss.

    {type: TEMP, mask: xy, index: [0]}                                    r0.xy
    {type: TEMP, swizzle: xyzw, modifier: NEG, index: [1]}                -r1.xyzw
    {type: CONSTANT_BUFFER, select: y, index: [0, {immediate: 4, relative: {…}}]}
    {type: IMMEDIATE32, literal: [0.5, 1.0, 0.0, 0.0]}

Components are letters; a literal has one component per number. Zero fields are left out.
"""

from functools import lru_cache

from ....enums import member_of
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
from ..tables.tokens import ModeToken, OperandModifier, OperandToken, operand_word
from .words import dword_from_data, dwords_from_data, number

MODIFIERS = ("modifier", "min_precision", "non_uniform")
KEPT = 1 << 12  # of what is kept of the operands of one program for the next
LITERAL_COMPONENTS: dict[int, int] = {1: Components.ONE, 4: Components.FOUR}  # by dwords


def operand_to_data(operand: Operand, kind: str = "") -> dict[str, Plain]:
    """Return an operand as plain data; `kind` is its letter in the table of operations."""
    literal, indices = operand.literal, operand.indices
    head, unnamed = _token_to_data(operand.token, len(literal), len(indices))
    found = dict(head)
    if operand.extended:
        found |= _extended_operand(operand.extended)
    if literal:
        found["literal"] = [number(word, kind) for word in literal]
    if indices:
        found["index"] = [
            _index_to_data(index) if index.kept or index.relative is not None else index.immediate
            for index in indices
        ]
    if unnamed:
        found["unnamed"] = unnamed
    return found


@lru_cache(maxsize=KEPT)
def _token_to_data(token: int, literals: int, indices: int) -> tuple[dict[str, Plain], str]:
    """Return the fields of an operand token, and its bits outside of any field, as text."""
    found: dict[str, Plain] = {"type": name_of(OperandType, OperandToken.type.of(token))}
    used = operand_word(token).named_mask() & 0x800F_FFFF | 3 << 20
    used |= (1 << 3 * indices) - 1 << 22
    chosen = token >> 4 & 255
    components, mode = OperandToken.components.of(token), ModeToken.mode.of(token)
    if components != Components.FOUR:
        if components != LITERAL_COMPONENTS.get(literals, 0):
            found["components"] = name_of(Components, components)
    elif mode == SelectionMode.MASK:
        if chosen & 15 or not literals:
            found["mask"] = mask_letters(chosen)
    elif mode == SelectionMode.SWIZZLE:
        found["swizzle"] = swizzle_letters(chosen)
    elif mode == SelectionMode.SELECT_1:
        found["select"] = select_letter(chosen)
    else:
        found["mode"] = mode
    return found, f"0x{token & ~used:08x}" if token & ~used else ""


def _extended_operand(words: tuple[int, ...]) -> dict[str, Plain]:
    first = words[0]
    named = OperandModifier.named_mask()
    if len(words) > 1 or first & 63 != ExtendedOperand.MODIFIER or first & ~named:
        return {"extended": [f"0x{word & ~MORE:08x}" for word in words]}
    found = word_to_data(OperandModifier, first, ("kind", "extended"))
    return found or {"modifier": Modifier.NONE.name}


def _index_to_data(index: Index) -> Plain:
    found: dict[str, Plain] = {}
    if index.immediate:
        found["immediate"] = index.immediate
    if index.relative is not None:
        found["relative"] = operand_to_data(index.relative)
    if index.representation != Index(index.immediate, index.relative).representation:
        found["representation"] = name_of(IndexRepresentation, index.representation)
    return found


def operands_from_data(data: Plain, path: str) -> list[Operand]:
    """Return the operands described by a list."""
    return [
        _repeated(item) or operand_from_data(item, f"{path}[{i}]")
        for i, item in enumerate(list_from_data(data, path))
    ]


# The token and its extended tokens for the fields of operands that were read, all of them texts,
# and the number of literal dwords. Programs repeat their operands but for the numbers.
_HEADS: dict[tuple[object, ...], tuple[int, tuple[int, ...]]] = {}


def _repeated(data: Plain) -> Operand | None:
    """Return an operand whose fields are in `_HEADS`, with constant indices, or None."""
    if type(data) is not dict:
        return None
    fields = data.copy()
    items = fields.pop("index", ())
    literal = fields.pop("literal", ())
    try:
        token, extended = _HEADS[(*fields.items(), len(literal))]
        words = tuple([dword_from_data(each, "") for each in literal]) if literal else ()
        indices = [Index(each) for each in items if type(each) is int and 0 <= each < 1 << 64]
    except (KeyError, TypeError, FormatError):  # not seen before, or invalid
        return None
    if not 3 >= len(indices) == len(items):
        return None
    made = Operand.__new__(Operand)
    made.token, made.extended, made.literal, made.indices = token, extended, words, indices
    return made


def operand_from_data(data: Plain, path: str, depth: int = 64) -> Operand:
    """Return the operand described by plain data."""
    left = mapping_from_data(data, path)
    literal = dwords_from_data(left.pop("literal", []), f"{path}.literal")
    where = f"{path}.index"
    indices = [
        _index_from_data(item, f"{where}[{i}]", depth)
        for i, item in enumerate(list_from_data(left.pop("index", []), where))
    ]
    if len(indices) > 3:
        raise FormatError(f"expected at most 3 indices, got {len(indices)}", path=where)
    fields = tuple(left.items())
    token, extended = _head_from_data(left, len(literal), path)
    if all(type(each) is str for _, each in fields):
        if len(_HEADS) >= KEPT:
            _HEADS.clear()
        _HEADS[*fields, len(literal)] = token, tuple(extended)
    return Operand(token, extended, literal, indices)


def _head_from_data(left: dict[str, Plain], literals: int, path: str) -> tuple[int, list[int]]:
    """Return the token and the extended tokens that all fields but the numbers describe."""
    token = dword_from_data(left.pop("unnamed", 0), f"{path}.unnamed")
    kind = field_from_data(OperandToken.type, left.pop("type", "missing"), f"{path}.type")
    components = LITERAL_COMPONENTS.get(literals, 0)
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
    nothing_left(left, path)
    return token, extended


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
        if member_of(IndexRepresentation, stated) is None:
            raise FormatError(f"unknown representation {stated}", path=where)
        found.representation = stated
        if found.representation != stated:
            kind = IndexRepresentation(stated).name
            raise FormatError(f"{kind} does not fit this index", path=where)
    nothing_left(left, path)
    return found
