"""Mutants of DXIL: changes of the module, of records, or of bits.

    %5 = fmul fast float %3, %4                                  a compiler's
    %5 = fmul fast float %3, 0x7FF8000000000000                  another operand
    %5 = call float @dx.op.binary.f32(i32 36, float %3, …)       another operation

`changed_bitcode` replaces operands, constants, operations, predicates and dx.op numbers by others
that fit; removes, repeats, moves and inserts instructions, some of another shader; retargets
branches, encloses instructions in branches and loops; and changes numbers in the metadata of
resources, signatures and entry points. One file in eight has records or bits changed instead.
"""

import random
from collections.abc import Callable, Iterator
from functools import cache

import unshade
from tests.hostile.bitcode_edits import enclose, move, remove, repeat, retarget, return_block, take
from tests.hostile.bitcode_pieces import (
    Editor,
    Place,
    Slot,
    is_byte,
    is_number,
    slots,
)
from tests.hostile.pieces import word
from unshade.programs.dxil.bitstream import BitBlock, BitRecord, Bitstream
from unshade.programs.dxil.editing import adopt
from unshade.programs.dxil.model.constants import ConstantInt, DxilConstant
from unshade.programs.dxil.model.instructions import (
    AtomicRMWInst,
    BinaryInst,
    CallInst,
    CastInst,
    CompareInst,
    Instruction,
    PhiInst,
    SelectInst,
)
from unshade.programs.dxil.model.metadata import MetadataNode, MetadataValue
from unshade.programs.dxil.model.types import DxilType, FloatType, FunctionType, IntegerType
from unshade.programs.dxil.operation_calls import operation_of
from unshade.programs.dxil.program import Program
from unshade.programs.dxil.tables.blocks import FUNCTION
from unshade.programs.dxil.tables.dxil_operations import Op, operations

__all__ = ["changed_bitcode"]

SHARE = 8  # one file in SHARE has records or bits changed
COUNTS = (1, 1, 2, 2, 3, 4, 6, 12)
HEADER = 24  # bytes of a program before its bitcode
INTEGERS, FLOATS = tuple(range(13)), (0, 1, 2, 4, 6)
CASTS = ((1, 2), (3, 4), (5, 6))  # zext and sext; to integers; from integers

Change = Callable[[Editor, Editor], None]


def changed_bitcode(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Return a container with a changed program, with instructions of `other` among them.

    Raises:
        EncodeError: The changes cannot be written.
    """
    shader = unshade.loads(data)
    program = shader.programs[0]
    assert isinstance(program, Program)
    if chance.randrange(SHARE) == 0:
        if chance.randrange(2):
            return _flipped(data, program.encode(), chance)
        _change_records(program, chance)
        return shader.to_bytes()
    donor = unshade.loads(other).programs[0]
    assert isinstance(donor, Program)
    editor = Editor(program.module, chance)
    source = Editor(donor.module, chance)
    if editor.bodies:
        for _ in range(chance.choice(COUNTS)):
            try:
                chance.choices(CHANGES, WEIGHTS)[0](editor, source)
            except (IndexError, ValueError):  # there is nothing of the kind to change
                continue
    for each in editor.bodies:
        if chance.random() < 0.95:
            editor.mend(each)
        each.use_lists = []
    program.module.use_lists = []
    adopt(program.module)
    return shader.to_bytes()


def _flipped(data: bytes, code: bytes, chance: random.Random) -> bytes:
    """Return the container with one to three bits of the bitcode changed."""
    made = bytearray(data)
    start = data.index(code) + HEADER
    for _ in range(chance.randint(1, 3)):
        made[chance.randrange(start, start + len(code) - HEADER)] ^= 1 << chance.randrange(8)
    return bytes(made)


def _change_records(program: Program, chance: random.Random) -> None:
    """Change numbers of one to three records, mostly of those of functions."""
    assert isinstance(program.bitcode, Bitstream)
    found = [*_records(program.bitcode.blocks[0], chance.random() < 0.8)]
    for _ in range(chance.randint(1, 3)):
        record = chance.choice(found)
        if record.operands:
            at = chance.randrange(len(record.operands))
            number = record.operands[at]
            made = (number + 1, max(number - 1, 0), chance.randrange(16), word(chance))
            record.operands[at] = chance.choice(made)


def _records(block: BitBlock, inside: bool) -> Iterator[BitRecord]:
    """Iterate over the records below a block; only those in functions if `inside`."""
    for item in block.items:
        if isinstance(item, BitBlock):
            yield from _records(item, inside and item.id != FUNCTION)
        elif isinstance(item, BitRecord) and not inside:
            yield item


# ---------------------------------------------------------------- operands


def _slot(editor: Editor, wanted: Callable[[Slot], bool]) -> tuple[Place, Slot]:
    place = editor.place(lambda each: any(wanted(slot) for slot in slots(each)))
    return place, editor.chance.choice([each for each in slots(place.instruction) if wanted(each)])


def _change_operand(editor: Editor, donor: Editor) -> None:
    place, slot = _slot(editor, lambda each: not is_byte(each))
    slot.set(editor.value(slot.value.type, place))


def _change_constant(editor: Editor, donor: Editor) -> None:
    _, slot = _slot(editor, lambda each: _is_constant(each) and is_number(each.value.type))
    if is_byte(slot) and isinstance(slot.value.type, IntegerType):
        slot.set(editor.integer(slot.value.type, editor.chance.randrange(16)))
    else:
        slot.set(editor.constant(slot.value.type))


def _make_constant_known(editor: Editor, donor: Editor) -> None:
    """Replace a constant by a value: an index or a coordinate becomes dynamic."""
    place, slot = _slot(editor, lambda each: _is_constant(each) and not is_byte(each))
    slot.set(editor.chance.choice(editor.known(slot.value.type, place)))


def _is_constant(slot: Slot) -> bool:
    return isinstance(slot.value, DxilConstant)


# ---------------------------------------------------------------- operations


def _change_operation(editor: Editor, donor: Editor) -> None:
    chance = editor.chance
    kinds = (BinaryInst, CompareInst, CastInst, AtomicRMWInst)
    instruction = editor.place(lambda each: isinstance(each, kinds)).instruction
    match instruction:
        case BinaryInst():
            of_floats = isinstance(instruction.type, FloatType)
            instruction.operation = chance.choice(FLOATS if of_floats else INTEGERS)
            instruction.flags = None
        case CompareInst():
            of_floats = isinstance(instruction.left.type, FloatType)
            instruction.predicate = chance.randrange(16) if of_floats else chance.randrange(32, 42)
            instruction.flags = None
        case AtomicRMWInst():
            instruction.operation = chance.randrange(11)
        case CastInst():
            pairs = [each for each in CASTS if instruction.operation in each]
            instruction.operation = chance.choice(pairs[0] if pairs else CASTS[0])


def _change_number(editor: Editor, donor: Editor) -> None:
    """Replace the number of a dx.op function by another of the same operands."""
    chance = editor.chance
    place = editor.place(lambda each: operation_of(each) is not None)
    call, op = place.instruction, operation_of(place.instruction)
    assert isinstance(call, CallInst)
    assert op is not None
    found = chance.choice(_alike()[op.result, tuple(one.type for one in op.operands)])
    if found.function != op.function:
        _, _, suffix = call.callee.name.removeprefix("dx.op.").partition(".")
        name = f"dx.op.{found.function}.{suffix}" if suffix else f"dx.op.{found.function}"
        call.callee = editor.declared(name, call.function_type, call.attributes)
    number = call.arguments[0].type
    assert isinstance(number, IntegerType)
    call.arguments[0] = editor.integer(number, found.code)


@cache
def _alike() -> dict[object, list[Op]]:
    """Return the operations by their result and operands."""
    found: dict[object, list[Op]] = {}
    for op in operations().rows:
        found.setdefault((op.result, tuple(each.type for each in op.operands)), []).append(op)
    return found


def _insert_operation(editor: Editor, donor: Editor) -> None:
    """Insert an operation on values that are there; a later operand becomes its result."""
    chance = editor.chance
    place, slot = _slot(editor, lambda each: is_number(each.value.type) and not is_byte(each))
    if isinstance(place.instruction, PhiInst):
        return
    type = slot.value.type
    types = editor.module.types

    def value(of: DxilType) -> DxilConstant:
        return editor.value(of, place, 0.1)  # type: ignore[return-value]

    made: list[Instruction]
    match chance.randrange(5):
        case 0:
            condition = CompareInst(
                type=types.integer(1),
                predicate=chance.randrange(16) if isinstance(type, FloatType) else
                chance.randrange(32, 42),
                left=value(type), right=value(type),
            )  # fmt: skip
            made = [condition, SelectInst(
                type=type, condition=condition, true_value=slot.value, false_value=value(type),
            )]  # fmt: skip
        case 1 if isinstance(type, IntegerType) and type.width == 32:
            call = _call(editor, "unary.i32", 30, [types.integer(32)], slot.value, type)
            made = [call]
        case 1 if isinstance(type, FloatType) and type.name == "float":
            number = chance.choice((6, 7, 22, 23, 24, 25, 26, 27, 28, 29, 12, 13, 21, 83, 84))
            name = "unary.f32"
            made = [_call(editor, name, number, [type], slot.value, type)]
        case 2 if isinstance(type, FloatType | IntegerType):
            other = chance.choice([types.integer(32), types.floating("float"), types.integer(1)])
            made = [*_converted(slot.value, type, value(other), other, chance)]
        case _:
            of_floats = isinstance(type, FloatType)
            operation = chance.choice(FLOATS if of_floats else INTEGERS)
            operands = [slot.value, value(type)]
            chance.shuffle(operands)
            made = [BinaryInst(type=type, operation=operation, left=operands[0], right=operands[1])]
    place.block.instructions[place.index : place.index] = made
    slot.set(made[-1])


def _converted(
    old: object, type: DxilType, value: DxilConstant, other: DxilType, chance: random.Random
) -> Iterator[Instruction]:
    """Yield a conversion of a value of another type."""
    if isinstance(type, FloatType) and isinstance(other, IntegerType):
        yield CastInst(type=type, operation=chance.choice((5, 6)), value=value)
    elif isinstance(type, IntegerType) and isinstance(other, FloatType):
        yield CastInst(type=type, operation=chance.choice((3, 4)), value=value)
    elif isinstance(type, IntegerType) and isinstance(other, IntegerType):
        if type.width > other.width:
            yield CastInst(type=type, operation=chance.choice((1, 2)), value=value)
        elif type.width < other.width:
            yield CastInst(type=type, operation=0, value=value)
    raise_if_same(type, other)


def raise_if_same(type: DxilType, other: DxilType) -> None:
    """Raise ValueError for two types between which there is nothing to convert."""
    if type is other or (isinstance(type, FloatType) and isinstance(other, FloatType)):
        raise ValueError


def _call(
    editor: Editor, name: str, number: int, types: list[DxilType], value: object, type: DxilType
) -> CallInst:
    """Return a call of a dx.op function of one operand."""
    i32 = editor.module.types.integer(32)
    assert isinstance(i32, IntegerType)
    made = editor.module.types.function(type, [i32, *types])
    assert isinstance(made, FunctionType)
    callee = editor.declared(f"dx.op.{name}", made, None)
    return CallInst(
        type=type, function_type=made, callee=callee,
        arguments=[editor.integer(i32, number), value],  # type: ignore[list-item]
    )  # fmt: skip


# ---------------------------------------------------------------- metadata


def _change_metadata(editor: Editor, donor: Editor) -> None:
    """Change a number of a resource, of a signature, or of the properties of an entry point."""
    chance = editor.chance
    nodes = [
        each
        for each in editor.module.metadata
        if type(each) is MetadataNode
        and any(isinstance(one, MetadataValue) for one in each.elements)
    ]
    node = chance.choice(nodes)
    places = [at for at, each in enumerate(node.elements) if isinstance(each, MetadataValue)]
    at = chance.choice(places)
    found = node.elements[at]
    assert isinstance(found, MetadataValue)
    kind = found.value.type
    if not isinstance(kind, IntegerType):
        if chance.random() < 0.1:
            node.elements[at] = None
        return
    old = found.value.value if isinstance(found.value, ConstantInt) else 0
    number = chance.choice((
        old + 1, old - 1, old ^ 1 << chance.randrange(8), chance.randrange(16), chance.randrange(4),
        word(chance) if chance.random() < 0.2 else 1,
    ))  # fmt: skip
    node.elements[at] = MetadataValue(editor.integer(kind, number))


def _change_attributes(editor: Editor, donor: Editor) -> None:
    """Change how subnormal numbers are treated."""
    for group in editor.module.attribute_groups:
        for each in group.attributes:
            if each.key == "fp32-denorm-mode":
                each.value = editor.chance.choice(("preserve", "ftz", "any"))


# How often each is chosen.
TABLE: tuple[tuple[int, Change], ...] = (
    (6, _change_operand),
    (5, _change_constant),
    (3, _make_constant_known),
    (5, _change_operation),
    (4, _change_number),
    (4, _insert_operation),
    (2, remove),
    (2, repeat),
    (2, move),
    (4, take),
    (2, retarget),
    (1, return_block),
    (4, enclose),
    (2, _change_metadata),
    (1, _change_attributes),
)
CHANGES = [change for _, change in TABLE]
WEIGHTS = [weight for weight, _ in TABLE]
