"""Changes of instructions and blocks of DXIL, for mutants.

remove, repeat, move     an instruction
take                     one of another shader, on values that are there
retarget, return_block   the end of a block
enclose                  some instructions in a branch, or in a loop that ends
"""

from tests.hostile.bitcode_pieces import Editor, Place, copied, is_byte, is_number, phis, slots
from unshade.programs.dxil.model.constants import ConstantInt, ConstantNull
from unshade.programs.dxil.model.instructions import (
    BinaryInst,
    BranchInst,
    CallInst,
    CastInst,
    CompareInst,
    Instruction,
    PhiInst,
    ReturnInst,
    SelectInst,
    SwitchInst,
)
from unshade.programs.dxil.model.types import DxilType, FloatType, FunctionType, IntegerType
from unshade.programs.dxil.model.values import BasicBlock, Function
from unshade.programs.dxil.operation_calls import operation_of

__all__ = ["enclose", "move", "remove", "repeat", "retarget", "return_block", "take"]


# ---------------------------------------------------------------- instructions


def _movable(instruction: Instruction) -> bool:
    return not instruction.is_terminator and not isinstance(instruction, PhiInst)


def remove(editor: Editor, donor: Editor) -> None:
    place = editor.place(_movable)
    gone = place.block.instructions.pop(place.index)
    if gone.type.is_void:
        return
    users = [each for each in place.function.instructions if gone in each.operands]
    if users:
        found = editor.known(gone.type, place)
        number = is_number(gone.type)
        new = editor.chance.choice(found) if found else editor.default(gone.type)
        if number and editor.chance.random() < 0.3:
            new = editor.constant(gone.type)
        for each in users:
            each.replace(gone, new)


def repeat(editor: Editor, donor: Editor) -> None:
    place = editor.place(_movable)
    old = place.instruction
    made = copied(old)
    place.block.instructions.insert(place.index + 1, made)
    if not old.type.is_void and editor.chance.random() < 0.7:
        users = [each for each in place.function.instructions if old in each.operands]
        editor.chance.choice(users).replace(old, made)
        for slot in slots(made):
            if editor.chance.random() < 0.3 and not is_byte(slot):
                slot.set(editor.value(slot.value.type, place))


def move(editor: Editor, donor: Editor) -> None:
    place = editor.place(_movable)
    first, last = len(phis(place.block)), len(place.block.instructions) - 1
    moved = place.block.instructions.pop(place.index)
    home = place.block
    if editor.chance.random() < 0.1:
        home = editor.chance.choice(place.function.blocks)
        first, last = len(phis(home)), len(home.instructions)
    home.instructions.insert(editor.chance.randrange(first, last), moved)


def take(editor: Editor, donor: Editor) -> None:
    """Insert an instruction of the donor, on values that are there."""
    types = editor.module.types

    def mapped(type: DxilType) -> DxilType | None:
        if isinstance(type, IntegerType):
            return types.integer(type.width)
        return types.floating(type.name) if isinstance(type, FloatType) else None

    def fits(each: Instruction) -> bool:
        if isinstance(each, CallInst) and operation_of(each) is None:
            return False
        kinds = BinaryInst | CompareInst | CastInst | SelectInst | CallInst
        return (
            isinstance(each, kinds)
            and (each.type.is_void or mapped(each.type) is not None)
            and all(mapped(slot.value.type) is not None for slot in slots(each))
        )

    taken = donor.place(fits).instruction
    place = editor.place(_movable)
    made = copied(taken)
    made.type = mapped(taken.type) or editor.void
    made.location, made.attachments = None, ()
    for slot in slots(made):
        type = mapped(slot.value.type)
        assert type is not None
        constant = isinstance(slot.value, ConstantInt | ConstantNull)
        if constant and isinstance(type, IntegerType):
            number = slot.value.value if isinstance(slot.value, ConstantInt) else 0
            slot.set(editor.integer(type, number))
        else:
            slot.set(editor.value(type, place))
    if isinstance(made, CallInst):
        parameters = [mapped(each) for each in made.function_type.parameters]
        function = types.function(made.type, [each for each in parameters if each is not None])
        assert isinstance(function, FunctionType)
        i32 = types.integer(32)
        assert isinstance(i32, IntegerType)
        code = made.arguments[0]
        made.function_type, made.attributes = function, None
        made.arguments[0] = editor.integer(i32, code.value if isinstance(code, ConstantInt) else 0)
        made.callee = editor.declared(made.callee.name, function, None)
    place.block.instructions.insert(place.index, made)
    if not made.type.is_void:
        later = place.block.instructions[place.index + 1 :]
        found = [slot for one in later for slot in slots(one) if slot.value.type is made.type]
        editor.chance.choice(found).set(made)


# ---------------------------------------------------------------- blocks


def retarget(editor: Editor, donor: Editor) -> None:
    place = editor.place(lambda each: isinstance(each, BranchInst | SwitchInst))
    branch, chance = place.instruction, editor.chance
    target = chance.choice(place.function.blocks[1:])
    if isinstance(branch, SwitchInst):
        if branch.cases and chance.random() < 0.7:
            at = chance.randrange(len(branch.cases))
            branch.cases[at] = (branch.cases[at][0], target)
        else:
            branch.default = target
        return
    assert isinstance(branch, BranchInst)
    if branch.condition is None:
        branch.condition = editor.value(editor.module.types.integer(1), place, 0.05)
        branch.false_target = target
        return
    match chance.randrange(4):
        case 0:
            branch.target, branch.false_target = branch.false_target or target, branch.target
        case 1:
            branch.condition = branch.false_target = None
        case 2:
            branch.target = target
        case _:
            branch.false_target = target


def return_block(editor: Editor, donor: Editor) -> None:
    """Let a block end in a return."""
    place = editor.place(lambda each: isinstance(each, BranchInst | SwitchInst))
    if place.function.function_type.result.is_void:
        place.block.instructions[-1] = ReturnInst(type=editor.void)


def enclose(editor: Editor, donor: Editor) -> None:
    """Enclose instructions in a branch, or in a loop that ends."""
    chance, i1, i32 = editor.chance, editor.module.types.integer(1), editor.module.types.integer(32)
    assert isinstance(i32, IntegerType)
    place = editor.place(_movable)
    function, block = place.function, place.block
    inner = editor.split(place)
    size = chance.randrange(1, min(8, len(inner.instructions) + 1))
    size = min(size, len(inner.instructions) - 1)
    after = editor.split(Place(function, inner, size))
    if chance.randrange(2):
        condition = editor.value(i1, Place(function, block, len(block.instructions) - 1), 0.05)
        block.instructions[-1] = BranchInst(
            type=editor.void, condition=condition, target=inner, false_target=after
        )
        _join(editor, function, inner, block, after)
        return
    counter = PhiInst(type=i32, incoming=[(editor.integer(i32, 0), block)])
    one, most = editor.integer(i32, 1), editor.integer(i32, chance.randrange(1, 5))
    following = BinaryInst(type=i32, operation=0, left=counter, right=one)
    again = CompareInst(
        type=i1, predicate=chance.choice((36, 40)), left=following,
        right=most if chance.random() < 0.7 else editor.value(i32, Place(function, block, 0)),
    )  # fmt: skip
    counter.incoming.append((following, inner))
    inner.instructions[:0] = [counter]
    inner.instructions[-1:] = [
        following, again,
        BranchInst(type=editor.void, condition=again, target=inner, false_target=after),
    ]  # fmt: skip


def _join(
    editor: Editor, function: Function, inner: BasicBlock, before: BasicBlock, after: BasicBlock
) -> None:
    """Give what a conditional block computes a phi after it, for uses elsewhere."""
    for each in inner.instructions:
        if each.type.is_void:
            continue
        users = [
            one
            for block in function.blocks
            if block is not inner
            for one in block.instructions
            if each in one.operands
        ]
        if not users:
            continue
        other = editor.constant(each.type) if is_number(each.type) else editor.default(each.type)
        phi = PhiInst(type=each.type, incoming=[(each, inner), (other, before)])
        for one in users:
            one.replace(each, phi)
        after.instructions.insert(0, phi)
