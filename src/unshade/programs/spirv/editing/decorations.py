"""Descriptor sets, bindings and locations of variables."""

from ....errors import UsageError
from ..index import ModuleIndex
from ..module import Instruction, Module
from ..tables.numbers import Decoration, Opcode
from .placing import add, edit, expand_groups

__all__ = ["decorate", "remap", "variables_at"]


def variables_at(module: Module, space: int, binding: int) -> list[int]:
    """Return the variables of a descriptor set and binding; several may share one."""
    index = ModuleIndex(module)
    return [
        number
        for number, each in index.definitions.items()
        if each.opcode in (Opcode.Variable, Opcode.UntypedVariableKHR)
        and index.decoration_word(Decoration.Binding, number) == binding
        and (index.decoration_word(Decoration.DescriptorSet, number) or 0) == space
    ]


def remap(module: Module, places: dict[tuple[int, int], tuple[int, int]]) -> None:
    """Move variables to other (set, binding) pairs, all at once, so that places may swap.

    Raises:
        UsageError: No variable is bound at a place.
    """
    found = {old: variables_at(module, *old) for old in places}
    for old, numbers in found.items():
        if not numbers:
            raise UsageError(f"nothing is bound in set {old[0]}, binding {old[1]}")
    for old, numbers in found.items():
        space, binding = places[old]
        for number in numbers:
            decorate(module, number, Decoration.DescriptorSet, space)
            decorate(module, number, Decoration.Binding, binding)


def decorate(module: Module, target: int, decoration: int, value: int) -> None:
    """Set a decoration with one operand; UsageError for a value beyond 32 bits."""
    if not 0 <= value < 1 << 32:
        raise UsageError(f"expected a number of 32 bits, got {value}")
    expand_groups(module)
    new = Instruction.of(Opcode.Decorate, (target, decoration, value))

    def change(each: Instruction) -> Instruction:
        same = each.opcode == Opcode.Decorate and each.words[1:3] == (target, decoration)
        return new if same else each

    if not edit(module, change):
        add(module, new)
