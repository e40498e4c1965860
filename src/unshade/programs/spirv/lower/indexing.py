"""Analysis: the variables of a lane that are indexed at run time, and so need memory.

    %p = OpAccessChain %ptr %a %int_2        a leaf: a variable of `ir`
    %q = OpAccessChain %ptr %a %i            any of its leaves: a memory, unless they are few
         OpFunctionCall %void %f %a          what holds for the parameter holds for %a

A pointer that is selected or stored can only refer to memory, too.
"""

from collections import defaultdict

from ..constants import ConstantValues
from ..index import ModuleIndex
from ..tables.numbers import Opcode
from .roots import FEW
from .types import LeafType, LeafTypes

__all__ = ["indexed_variables"]

CHAINS = frozenset({
    Opcode.AccessChain, Opcode.InBoundsAccessChain, Opcode.PtrAccessChain,
    Opcode.InBoundsPtrAccessChain,
})  # fmt: skip
MANY = FEW + 1


def indexed_variables(
    index: ModuleIndex, constants: ConstantValues, types: LeafTypes
) -> frozenset[int]:
    """Return the ids of pointers that may refer to more than `FEW` leaves at run time."""
    choices: dict[int, int] = defaultdict(lambda: 1)  # by pointer: leaves that it may mean
    bases: dict[int, list[int]] = defaultdict(list)  # by pointer: those that it is made from
    for function in index.functions.values():
        for position in range(function.start, function.end):
            words = index.module.instructions[position].words
            match words[0] & 0xFFFF:
                case opcode if opcode in CHAINS and len(words) > 3:
                    bases[words[2]].append(words[3])
                    kind = index.pointee(words[3])
                    if opcode in (Opcode.PtrAccessChain, Opcode.InBoundsPtrAccessChain):
                        choices[words[3]] = MANY
                    elif kind is not None:
                        found = _choices(types.of(kind), words[4:], constants)
                        choices[words[3]] = max(choices[words[3]], found)
                case Opcode.CopyObject:
                    bases[words[2]].append(words[3])
                case Opcode.Select | Opcode.Phi:
                    for each in words[3:]:
                        choices[each] = MANY
                case Opcode.FunctionCall if words[3] in index.functions:
                    parameters = index.functions[words[3]].parameters
                    for parameter, argument in zip(parameters, words[4:], strict=False):
                        bases[parameter].append(argument)
    stack = [*choices]
    while stack:
        made = stack.pop()
        for base in bases[made]:
            if choices[made] > choices[base]:
                choices[base] = choices[made]
                stack.append(base)
    return frozenset(each for each, count in choices.items() if count > FEW)


def _choices(type: LeafType, indices: tuple[int, ...], constants: ConstantValues) -> int:
    """Return the number of leaves that an access chain may refer to."""
    found = 1
    for each in indices:
        known = constants.integer(each)
        if known is None:
            found *= type.count or MANY
        type = type.at(known if known is not None and type.is_struct else 0)
    return min(found, MANY)
