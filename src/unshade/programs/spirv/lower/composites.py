"""Composites: construction, extraction, insertion, shuffles.

These instructions only rearrange scalars.

Source: SPIR-V specification, section 3.49.12.
"""

from typing import TYPE_CHECKING, Any

from ....errors import UnsupportedError
from ....ir.builder import constant
from ..module import Instruction
from ..tables.numbers import Opcode
from .operations import Components, Handlers
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS"]

UNDEFINED = 0xFFFF_FFFF  # a component of a shuffle


def _construct(lowering: "Lowering", instruction: Instruction) -> Components:
    return tuple(value for each in instruction.words[3:] for value in lowering.value(each))


def _place(type: LeafType, path: tuple[int, ...]) -> tuple[int, LeafType]:
    """Return the first leaf of a part, and its type."""
    at = 0
    for index in path:
        if not type.is_struct and index >= type.count:
            raise UnsupportedError(f"no such element: {index} of {type.count}")
        at += type.leaf(index)
        type = type.at(index)
    return at, type


def _extract(lowering: "Lowering", instruction: Instruction) -> Any:
    words = instruction.words
    at, type = _place(lowering.types.of_value(words[3]), words[4:])
    return lowering.restored(type, lowering.value(words[3])[at : at + type.size])


def _insert(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    at, type = _place(lowering.types.of_value(words[4]), words[5:])
    whole = lowering.value(words[4])
    return (*whole[:at], *lowering.value(words[3]), *whole[at + type.size :])


def _shuffle(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    both = (*lowering.value(words[3]), *lowering.value(words[4]))
    type = both[0].type
    return tuple(both[at] if at < len(both) else constant(0, type) for at in words[5:])


def _extract_dynamic(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    vector, index = lowering.value(words[3]), lowering.scalar(words[4])
    b = lowering.b
    found = constant(0, vector[0].type)
    for at, value in enumerate(vector):
        found = b.select(b.ieq(index, at), value, found)
    return (found,)


def _insert_dynamic(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    vector, given = lowering.value(words[3]), lowering.scalar(words[4])
    index = lowering.scalar(words[5])
    b = lowering.b
    return tuple(b.select(b.ieq(index, at), given, value) for at, value in enumerate(vector))


def _copy(lowering: "Lowering", instruction: Instruction) -> Any:
    return lowering.operand(instruction.words[3])


def _nothing(lowering: "Lowering", instruction: Instruction) -> None:
    """Lower an instruction that only describes the program."""


HANDLERS: Handlers = {
    Opcode.CompositeConstruct: _construct,
    Opcode.CompositeExtract: _extract,
    Opcode.CompositeInsert: _insert,
    Opcode.VectorShuffle: _shuffle,
    Opcode.VectorExtractDynamic: _extract_dynamic,
    Opcode.VectorInsertDynamic: _insert_dynamic,
    Opcode.CopyObject: _copy,
    Opcode.CopyLogical: _copy,
    Opcode.ExpectKHR: _copy,
    Opcode.AssumeTrueKHR: _nothing,
}
