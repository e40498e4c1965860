"""Removal of an entry point, with everything that only it needs.

OpEntryPoint, its execution modes
functions that it alone reaches, variables, constants and types that they alone refer to
names and decorations of all of these
"""

from ....errors import UsageError
from ..index import ModuleIndex, SpirvEntryPoint
from ..module import Instruction, Module
from ..tables.numbers import Opcode
from .placing import ANNOTATIONS, edit, expand_groups, remove_ids

__all__ = ["remove_entry_point"]


def remove_entry_point(module: Module, number: int) -> None:
    """Remove an entry point by its number in the module.

    Raises:
        UsageError: The entry point does not exist, or is the only one.
    """
    expand_groups(module)
    index = ModuleIndex(module)
    entries = index.entry_points
    if not 0 <= number < len(entries):
        raise UsageError(f"no entry point {number}: the module has {len(entries)}")
    if len(entries) == 1:
        raise UsageError("the only entry point cannot be removed")
    entry = entries[number]
    alone = all(each.function != entry.function for at, each in enumerate(entries) if at != number)
    gone = _unneeded(index, entry) if alone else set()
    position = entry.position

    def change(each: Instruction) -> Instruction | None:
        modes = (Opcode.ExecutionMode, Opcode.ExecutionModeId)
        return None if alone and each.opcode in modes and each.words[1] == entry.function else each

    del module.instructions[position]
    edit(module, change)
    remove_ids(module, gone)


def _unneeded(index: ModuleIndex, entry: SpirvEntryPoint) -> set[int]:
    """Return the ids that only an entry point needs."""
    uses = _uses(index)
    mine = _closure({entry.function, *entry.interface}, uses)
    roots: set[int] = set()
    inside = {at for each in index.functions.values() for at in range(each.start, each.end)}
    for at, (each, decoded) in enumerate(
        zip(index.module.instructions, index.decoded, strict=True)
    ):
        if at == entry.position or at in inside or each.opcode in ANNOTATIONS:
            continue
        if decoded.problem:  # any of its words may be an id
            roots.update(each.words[1:])
        elif decoded.result is None:
            roots.update(p.words[0] for p in decoded.operands if p.is_id)
        elif decoded.result not in mine:
            roots.add(decoded.result)
    roots.update(each for each in index.functions if each not in mine)
    for number, modes in index.modes.items():
        if number != entry.function:
            roots.update(word for mode in modes if mode.are_ids for word in mode.words)
    return mine - _closure(roots, uses)


def _uses(index: ModuleIndex) -> dict[int, set[int]]:
    """Return the ids that each definition refers to; a function's whole body counts."""
    found: dict[int, set[int]] = {}
    for number, each in index.definitions.items():
        found[number] = {p.words[0] for p in each.decoded.operands if p.is_id}
    for number, body in index.functions.items():
        inner = found.setdefault(number, set())
        for at in range(body.start, body.end):
            decoded = index.decoded[at]
            if decoded.problem:  # any of its words may be an id
                inner.update(index.module.instructions[at].words[1:])
            inner.update(p.words[0] for p in decoded.operands if p.is_id)
    for number, uses in index.decorations.items():
        inner = found.setdefault(number, set())
        for use in uses:
            decoded = index.decoded[use.position]
            if decoded.op is not None and decoded.op.code == Opcode.DecorateId:
                inner.update(p.words[0] for p in decoded.operands[1:] if p.is_id)
    return found


def _closure(roots: set[int], uses: dict[int, set[int]]) -> set[int]:
    found: set[int] = set()
    stack = list(roots)
    while stack:
        each = stack.pop()
        if each not in found:
            found.add(each)
            stack += uses.get(each, ())
    return found
