"""Specialisation constants that get another default, or are fixed.

OpDecorate %n SpecId 7              removed
%n = OpSpecConstant %uint 3         %n = OpConstant %uint 5
%v = OpSpecConstantComposite …      OpConstantComposite, once all its parts are fixed
"""

import struct

from ....errors import UsageError
from ..context import Number
from ..index import Definition, ModuleIndex
from ..module import Instruction, Module
from ..tables.numbers import Decoration, Opcode
from .placing import edit, expand_groups

__all__ = ["freeze", "set_default"]

BOOLEANS = (Opcode.SpecConstantTrue, Opcode.SpecConstantFalse)
SPECIALISED = frozenset({
    Opcode.SpecConstant, Opcode.SpecConstantTrue, Opcode.SpecConstantFalse,
    Opcode.SpecConstantComposite, Opcode.SpecConstantOp,
})  # fmt: skip
FLOATS = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}


def set_default(module: Module, id: int, value: bool | int | float) -> None:
    """Set the default value of the specialisation constant with this SpecId."""
    index = ModuleIndex(module)
    _replace(module, {each.position: _made(index, each, value) for each in _found(index, id)})


def freeze(module: Module, id: int, value: bool | int | float | None = None) -> None:
    """Make the constant with this SpecId a plain constant; its default is kept if `value` is None.

    Raises:
        UsageError: No constant has the SpecId, or the value is not of its type.
    """
    expand_groups(module)
    index = ModuleIndex(module)
    found = _found(index, id)
    new = {}
    for each in found:
        made = (
            index.module.instructions[each.position] if value is None else _made(index, each, value)
        )
        new[each.position] = _fixed(made)
    _replace(module, new)
    fixed = {each.words[2] for each in found}

    def undecorated(each: Instruction) -> Instruction | None:
        mark = each.opcode == Opcode.Decorate and each.words[2] == Decoration.SpecId
        return None if mark and each.words[1] in fixed else each

    edit(module, undecorated)
    _fix_composites(module)


def _found(index: ModuleIndex, id: int) -> list[Definition]:
    found = [
        each
        for number, each in index.definitions.items()
        if index.specialisation(number) == id and each.opcode in SPECIALISED
    ]
    if not found:
        known = sorted(
            {each for each in map(index.specialisation, index.decorations) if each is not None}
        )
        names = f"expected one of {', '.join(map(str, known))}" if known else "there is none"
        raise UsageError(f"no specialisation constant {id}: {names}")
    return found


def _made(index: ModuleIndex, each: Definition, value: bool | int | float) -> Instruction:
    """Return the constant with another value."""
    words = each.words
    if each.opcode in BOOLEANS:
        if not isinstance(value, bool) and value not in (0, 1):
            raise UsageError(f"expected True or False, got {value!r:.40}")
        code = Opcode.SpecConstantTrue if value else Opcode.SpecConstantFalse
        return Instruction.of(code, words[1:])
    kind = index.numbers.get(words[1])
    if each.opcode != Opcode.SpecConstant or kind is None:
        raise UsageError("expected a scalar constant, got a composite or an operation")
    bits = _bits(kind, value)
    new = tuple(bits >> 32 * at & 0xFFFF_FFFF for at in range(len(words) - 3))
    return Instruction.of(Opcode.SpecConstant, (*words[1:3], *new))


def _bits(kind: Number, value: bool | int | float) -> int:
    if kind.is_float:
        if kind.encoding is not None or kind.width not in FLOATS:
            raise UsageError(f"floats of {kind.width} bits in this encoding cannot be set")
        write, read = FLOATS[kind.width]
        try:
            found: int = struct.unpack(read, struct.pack(write, value))[0]
        except (OverflowError, struct.error):
            raise UsageError(f"expected a float of {kind.width} bits, got {value!r:.40}") from None
        return found
    low, high = (
        (-(1 << kind.width - 1), 1 << kind.width - 1) if kind.signed else (0, 1 << kind.width)
    )
    if not isinstance(value, int) or not low <= value < high:
        raise UsageError(f"expected an integer from {low} to {high - 1}, got {value!r:.40}")
    wide = max(kind.width, 32)  # small signed integers are extended by their sign
    return value & (1 << wide) - 1


def _fixed(each: Instruction) -> Instruction:
    codes = {
        Opcode.SpecConstant: Opcode.Constant,
        Opcode.SpecConstantTrue: Opcode.ConstantTrue,
        Opcode.SpecConstantFalse: Opcode.ConstantFalse,
        Opcode.SpecConstantComposite: Opcode.ConstantComposite,
    }
    return Instruction.of(codes.get(each.opcode, each.opcode), each.words[1:])


def _replace(module: Module, new: dict[int, Instruction]) -> None:
    for at, each in new.items():
        module.instructions[at] = each


def _fix_composites(module: Module) -> None:
    """Turn specialisation composites into plain ones where no part is specialised."""
    changing = {each.words[2] for each in module.instructions if each.opcode in SPECIALISED}
    for at, each in enumerate(module.instructions):
        if each.opcode == Opcode.SpecConstantComposite and not changing & set(each.words[3:]):
            module.instructions[at] = _fixed(each)
            changing.discard(each.words[2])
