"""Building blocks of mutants of DXIL: places in a module, values for them, and edits of blocks.

editor.place()                 a random instruction
editor.value(type, place)      a value of a type that is mostly defined there, or a constant
slots(instruction)             its operands, each of which can be replaced
editor.split(place)            the rest of a block becomes a block of its own
"""

import random
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import partial

from tests.hostile.pieces import word
from unshade.programs.dxil.model.constants import (
    ConstantFloat,
    ConstantInt,
    ConstantNull,
    DxilConstant,
    UndefinedValue,
)
from unshade.programs.dxil.model.instructions import BranchInst, Instruction, PhiInst
from unshade.programs.dxil.model.module import DxilModule
from unshade.programs.dxil.model.types import (
    DxilType,
    FloatType,
    FunctionType,
    IntegerType,
    PointerType,
)
from unshade.programs.dxil.model.values import (
    AttributeList,
    BasicBlock,
    DxilValue,
    Function,
    MetadataAsValue,
)

FAR = 0.04  # how often a value is taken that may be defined later or elsewhere
WIDE_FLOATS = (
    0x3FF0_0000_0000_0000, 0xBFE0_0000_0000_0000, 0x0000_0000_0000_0001, 0x8000_0000_0000_0000,
    0x7FF0_0000_0000_0000, 0x7FF8_0000_0000_0000, 0xFFF0_0000_0000_0001, 0x41E0_0000_0000_0000,
    0x47EF_FFFF_F000_0000, 0x3690_0000_0000_0000, 0x43E0_0000_0000_0000,
)  # fmt: skip
HALVES = (
    0x3C00, 0xBC00, 0x3800, 0x0001, 0x8001, 0x03FF, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0x8000,
)  # fmt: skip


@dataclass(slots=True)
class Place:
    """An instruction and where it is."""

    function: Function
    block: BasicBlock
    index: int

    @property
    def instruction(self) -> Instruction:
        """The instruction."""
        return self.block.instructions[self.index]


@dataclass(slots=True)
class Slot:
    """An operand that can be replaced."""

    value: DxilValue
    set: Callable[[DxilValue], None]


def slots(instruction: Instruction) -> Iterator[Slot]:
    """Iterate over the operands of an instruction that are neither blocks, callee nor metadata.

    The first argument of a dx.op function, which says what it does, is left out.
    """
    for name in instruction.OPERANDS:
        value = getattr(instruction, name)
        if name == "callee":
            continue
        if isinstance(value, DxilValue):
            if not isinstance(value, BasicBlock | MetadataAsValue):
                yield Slot(value, partial(setattr, instruction, name))
        elif isinstance(value, list):
            for at, each in enumerate(value):
                if isinstance(each, tuple):
                    if isinstance(instruction, PhiInst):
                        yield Slot(each[0], _of_pair(value, at))
                elif not isinstance(each, BasicBlock | MetadataAsValue) and (
                    name != "arguments" or at > 0
                ):
                    yield Slot(each, _of_list(value, at))


def _of_pair(values: list[tuple[DxilValue, BasicBlock]], at: int) -> Callable[[DxilValue], None]:
    def change(new: DxilValue) -> None:
        values[at] = (new, values[at][1])

    return change


def _of_list(values: list[DxilValue], at: int) -> Callable[[DxilValue], None]:
    def change(new: DxilValue) -> None:
        values[at] = new

    return change


def is_byte(slot: Slot) -> bool:
    """Return whether an operand is a number that operations want to be constant."""
    type = slot.value.type
    return isinstance(type, IntegerType) and type.width == 8


def copied(instruction: Instruction) -> Instruction:
    """Return a new instruction like another."""
    made = copy(instruction)
    made.record = made.name_record = None
    made.name = ""
    for name in made.OPERANDS:
        value = getattr(made, name)
        if isinstance(value, list):
            setattr(made, name, list(value))
    return made


def is_number(type: DxilType) -> bool:
    """Return whether values of a type are integers or floats."""
    return isinstance(type, IntegerType | FloatType)


class Editor:
    """A module that is changed at random."""

    def __init__(self, module: DxilModule, chance: random.Random) -> None:
        self.module = module
        self.chance = chance
        self.bodies = [each for each in module.functions if each.blocks]

    # -- places ----------------------------------------------------------------------------------

    def place(self, wanted: Callable[[Instruction], bool] = lambda each: True) -> Place:
        """Return a random instruction of a kind; IndexError if there is none."""
        found = [
            Place(function, block, index)
            for function in self.bodies
            for block in function.blocks
            for index, each in enumerate(block.instructions)
            if wanted(each)
        ]
        return self.chance.choice(found)

    # -- values ----------------------------------------------------------------------------------

    def known(self, type: DxilType, place: Place) -> list[DxilValue]:
        """Return values of a type that are defined before a place, as far as is plain to see."""
        function, block = place.function, place.block
        found: list[DxilValue] = [each for each in function.arguments if each.type is type]
        before = block.instructions[: place.index]
        if block is not function.blocks[0]:
            before = [*function.blocks[0].instructions, *before]
            only = self.predecessors(function, block)
            while len(only) == 1 and only[0] is not function.blocks[0] and only[0] is not block:
                before = [*only[0].instructions, *before]
                block, only = only[0], self.predecessors(function, only[0])
                if len(before) > 1000:
                    break
        if self.chance.random() < FAR:
            before = function.instructions
        found += [each for each in before if each.type is type]
        if isinstance(type, PointerType):
            found += [each for each in self.module.globals if each.type is type]
        return found

    def value(self, type: DxilType, place: Place, constants: float = 0.2) -> DxilValue:
        """Return a value of a type; IndexError if there is none."""
        if is_number(type) and self.chance.random() < constants:
            return self.constant(type)
        found = self.known(type, place)
        return self.chance.choice(found) if found or not is_number(type) else self.constant(type)

    def constant(self, type: DxilType) -> DxilConstant:
        """Return a constant: a small number, or one that is likely to cause trouble."""
        chance = self.chance
        if chance.random() < 0.03:
            return UndefinedValue(type)
        if isinstance(type, FloatType):
            bits = {
                "half": chance.choice(HALVES), "float": word(chance),
                "double": chance.choice((*WIDE_FLOATS, chance.getrandbits(64))),
            }.get(type.name, 0)  # fmt: skip
            return ConstantFloat(type, bits) if bits else ConstantNull(type)
        if not isinstance(type, IntegerType):
            return ConstantNull(type)
        number = chance.choice((0, 1, 2, 3, chance.randrange(16), word(chance)))
        if type.width > 32 and chance.random() < 0.3:
            number = number << 32 | word(chance)
        return self.integer(type, number)

    def integer(self, type: IntegerType, number: int) -> DxilConstant:
        """Return an integer constant; 0 is a null."""
        number &= (1 << type.width) - 1
        number -= (number >> type.width - 1) << type.width
        return ConstantInt(type, number) if number else ConstantNull(type)

    def declared(self, name: str, type: FunctionType, attributes: AttributeList | None) -> Function:
        """Return the function of a name, declared if it is not there."""
        found = self.module.function(name)
        if found is None:
            pointer = self.module.types.pointer(type)
            found = Function(pointer, type, name, attributes=attributes)
            self.module.globals.append(found)
        return found

    # -- blocks ----------------------------------------------------------------------------------

    def predecessors(self, function: Function, block: BasicBlock) -> list[BasicBlock]:
        """Return the blocks that may branch to another."""
        return [each for each in function.blocks if block in each.successors]

    def split(self, place: Place) -> BasicBlock:
        """Let a block end before a place, in a branch to a new block, which is returned."""
        function, block = place.function, place.block
        made = BasicBlock(block.type)
        made.instructions = block.instructions[place.index :]
        del block.instructions[place.index :]
        function.blocks.insert(function.blocks.index(block) + 1, made)
        for each in made.successors:
            for one in phis(each):
                one.incoming = [
                    (value, made if origin is block else origin) for value, origin in one.incoming
                ]
        block.instructions.append(BranchInst(type=self.void, target=made))
        return made

    @property
    def void(self) -> DxilType:
        """The type of instructions without result."""
        return self.module.types.primitive("void")

    def mend(self, function: Function) -> None:
        """Let phis have a value for each block that branches to theirs, and for no other."""
        for number, block in enumerate(function.blocks):
            own = phis(block)
            if not own:
                continue
            before = list(dict.fromkeys(self.predecessors(function, block)))
            for phi in own:
                known = {origin: value for value, origin in phi.incoming}
                phi.incoming = [
                    (known.get(each) or self._arriving(phi.type, function, each), each)
                    for each in before
                ]
            if not before and number:
                block.instructions[: len(own)] = []
                for phi in own:
                    for each in function.instructions:
                        each.replace(phi, self.default(phi.type))

    def _arriving(self, type: DxilType, function: Function, block: BasicBlock) -> DxilValue:
        if not is_number(type):
            return self.default(type)
        return self.value(type, Place(function, block, len(block.instructions) - 1))

    def default(self, type: DxilType) -> DxilConstant:
        """Return a constant of any type."""
        return UndefinedValue(type)


def phis(block: BasicBlock) -> list[PhiInst]:
    """Return the phis of a block."""
    return [each for each in block.instructions if isinstance(each, PhiInst)]
