"""Each rule has a program that violates it; compiled programs violate none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.programs.dxil.bits import Bits, stream
from tests.programs.dxil.modules import Everything, part, saxpy
from unshade.programs.dxil import Code
from unshade.programs.dxil.bitstream import Bitstream, read
from unshade.programs.dxil.editing import adopt
from unshade.programs.dxil.model.constants import ConstantInt, UndefinedValue
from unshade.programs.dxil.model.instructions import (
    BinaryInst,
    BranchInst,
    CallInst,
    CastInst,
    CompareInst,
    ExtractValueInst,
    GetElementPtrInst,
    InsertValueInst,
    Instruction,
    LoadInst,
    PhiInst,
    ReturnInst,
    SelectInst,
    StoreInst,
    SwitchInst,
)
from unshade.programs.dxil.model.metadata import MetadataNode, MetadataString, MetadataValue
from unshade.programs.dxil.model.types import FunctionType
from unshade.programs.dxil.model.values import BasicBlock, DxilValue, Function
from unshade.programs.dxil.verify import RULES, verify


def main_of(code: Code) -> Function:
    found = code.module.function("main")
    assert found is not None
    return found


def first(code: Code, cls: type[Instruction]) -> Instruction:
    return next(each for each in main_of(code).instructions if isinstance(each, cls))


def codes(code: Code) -> set[str]:
    """Return the rules that a program violates, after it was written and read again."""
    adopt(code.module)
    return {each.code for each in verify(Code.decode(code.encode()))}


@pytest.mark.parametrize("name", [b"DXIL", b"STAT"])
def test_compiled_programs_are_clean(name: bytes) -> None:
    assert verify(Code.decode(part(name))) == []


def test_the_header() -> None:
    code = saxpy()
    code.size, code.gap, code.trailing = 5, b"gap!", b"more"
    found = verify(code)
    assert [each.code for each in found] == ["dxil.size", "dxil.outside", "dxil.outside"]
    assert [each.offset for each in found] == [4, 24, None]


def test_bitcode_that_cannot_be_read() -> None:
    (found,) = verify(Code.decode(part()[:24] + b"\0" * (len(part()) - 24)))
    assert (found.code, found.offset) == ("dxil.bitcode", 24)


def test_irregular_bits() -> None:
    code = saxpy()
    bits = Bits().fixed(3, 3).vbr(1, 6).vbr(1, 6).vbr(1, 6, extra=1)
    code.bitcode = read(stream(bits))
    code.bitcode.trailing = b"tail"
    found = {each.path: each for each in verify(code)}
    assert found["bitcode.blocks[0].items[0]"].code == "dxil.irregular"
    assert found["bitcode.blocks[0].items[0]"].offset == 36
    assert found["bitcode.trailing"].code == "dxil.irregular"


def test_records_that_are_no_module() -> None:
    code = saxpy()
    assert isinstance(code.bitcode, Bitstream)
    del next(each for each in code.bitcode.blocks[0].records if each.code == 8).operands[5:]
    (found,) = verify(code)
    assert (found.code, found.path) == ("dxil.module", "globals[0]")
    assert found.message == "expected 8 to 15 operands, got 5"
    assert found.offset


def replaced_stage(code: Code) -> None:
    named = code.module.named("dx.shaderModel")
    assert named is not None
    named.nodes[0].elements[0] = MetadataString("ps")


def no_versions(code: Code) -> None:
    named = code.module.named("dx.version")
    assert named is not None
    code.module.named_metadata.remove(named)


def odd_entry(code: Code) -> None:
    named = code.module.named("dx.entryPoints")
    assert named is not None
    named.nodes[0].elements[1] = None


def entry_without_function(code: Code) -> None:
    named = code.module.named("dx.entryPoints")
    assert named is not None
    named.nodes[0].elements[0] = None


def older_model(code: Code) -> None:
    code.version = code.version & ~0xF


def overlapping(code: Code) -> None:
    named = code.module.named("dx.resources")
    assert named is not None
    for group in named.nodes[0].elements:
        if isinstance(group, MetadataNode):
            group.elements.append(group.elements[0])


def sharing_elements(code: Code) -> None:
    types = code.module.types
    numbers = [MetadataValue(ConstantInt(types.integer(32), each)) for each in range(2)]
    zero, one = numbers
    name = MetadataString("A")
    element = MetadataNode([zero, name, one, zero, None, zero, one, one, zero, zero, None])
    named = code.module.named("dx.entryPoints")
    assert named is not None
    signature = MetadataNode([element, element])
    named.nodes[0].elements[2] = MetadataNode([signature, None, None])


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (replaced_stage, "dxil.version"),
        (older_model, "dxil.version"),
        (no_versions, "dxil.metadata"),
        (odd_entry, "dxil.metadata"),
        (entry_without_function, "dxil.entry"),
        (overlapping, "dxil.range"),
        (sharing_elements, "dxil.signature"),
    ],
)
def test_metadata(change: Callable[[Code], None], rule: str) -> None:
    code = saxpy()
    change(code)
    assert rule in codes(code)


def test_a_range_may_overlap_one_that_is_not_its_neighbour() -> None:
    code = saxpy()
    integer = code.module.types.integer(32)
    named = code.module.named("dx.resources")
    assert named is not None
    group = next(each for each in named.nodes[0].elements if isinstance(each, MetadataNode))
    ranges = [(10, 10), (12, 2), (15, 1), (20, 1)]
    for number, (first, count) in enumerate(ranges, len(group.elements)):
        node = group.elements[0]
        assert isinstance(node, MetadataNode)
        made = MetadataNode(list(node.elements))
        for at, value in ((0, number), (4, first), (5, count)):
            made.elements[at] = MetadataValue(ConstantInt(integer, value))
        made.elements[2] = MetadataString("" if number % 2 else f"R{number}")
        group.elements.append(made)
    adopt(code.module)
    messages = [each.message for each in verify(code) if each.code == "dxil.range"]
    assert messages == [
        "R2 and resource 1 share register 12, space 0",
        "resource 3 and resource 1 share register 15, space 0",
    ]


def test_versions_in_the_header() -> None:
    code = saxpy()
    code.version = 0xFFFF << 16 | 0x51
    code.dxil_version = 0x999
    messages = [each.message for each in verify(code) if each.code == "dxil.version"]
    assert messages == [
        "stage 65535 in the header, cs in metadata",
        "shader model (5, 1) in the header, (6, 6) in metadata",
        "DXIL (9, 153) in the header, (1, 6) in metadata",
    ]


def call(code: Code) -> CallInst:
    found = first(code, CallInst)
    assert isinstance(found, CallInst)
    return found


def unknown_operation(code: Code) -> None:
    call(code).arguments[0] = ConstantInt(call(code).arguments[0].type, 9999)


def other_operation(code: Code) -> None:
    call(code).arguments[0] = ConstantInt(call(code).arguments[0].type, 7)


def other_type(code: Code) -> None:
    """Let a vertex of a mesh be a truth value: the function agrees, the operation does not."""
    truth = code.module.types.integer(1)
    void = code.module.types.primitive("void")
    number = call(code).arguments[0].type
    type = code.module.types.function(void, [number, *[truth] * 4])
    assert isinstance(type, FunctionType)
    pointer = code.module.types.pointer(type)
    callee = Function(pointer, type, "dx.op.emitIndices")
    code.module.globals.append(callee)
    values: list[DxilValue] = [ConstantInt(number, 169), *[UndefinedValue(truth)] * 4]
    made = CallInst(type=void, function_type=type, callee=callee, arguments=values)
    main_of(code).blocks[0].instructions.insert(0, made)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (other_type, "dxil.operation"),
        (unknown_operation, "dxil.operation"),
        (other_operation, "dxil.operation"),
        (older_model, "dxil.newer"),
    ],
)
def test_operations(change: Callable[[Code], None], rule: str) -> None:
    code = saxpy()
    change(code)
    assert rule in codes(code)


def test_definitions_before_uses() -> None:
    code = saxpy()
    function = main_of(code)
    block = function.blocks[0]
    user = first(code, BinaryInst)
    home = next(each for each in function.blocks if user in each.instructions)
    home.instructions.remove(user)
    block.instructions.insert(0, user)
    findings = verify(Code.decode(code.encode()))
    assert {each.code for each in findings} == {"dxil.dominance"}
    assert findings[0].path == "main[0]"
    assert findings[0].offset


def graph(*edges: tuple[int, ...]) -> tuple[Everything, Function]:
    """Return a function whose blocks branch as the edges say."""
    everything = Everything()
    function = everything.main
    function.blocks = [BasicBlock(everything.label) for _ in edges]
    function.constants.clear()
    function.locals.clear()
    function.use_lists.clear()
    function.attachments.clear()
    condition = UndefinedValue(everything.i1)
    for block, targets in zip(function.blocks, edges, strict=True):
        end: Instruction = ReturnInst(type=everything.void)
        if targets:
            end = BranchInst(type=everything.void, target=function.blocks[targets[0]])
            if len(targets) > 1:
                end.false_target = function.blocks[targets[1]]
                end.condition = condition
        block.instructions = [end]
    return everything, function


def found_in(everything: Everything) -> list[tuple[str, str]]:
    """Return rules and messages about the code of a function."""
    adopt(everything.module)
    code = Code(5 << 16 | 0x60, 0x100, Bitstream([]))
    code.module = everything.module
    findings = verify(Code.decode(code.encode()))
    return [(each.code, each.path) for each in findings if each.path.startswith("main")]


def test_a_value_of_one_branch_is_unknown_after_both() -> None:
    everything, function = graph((1, 2), (3,), (3,), ())
    number = function.arguments[0]
    value = BinaryInst(type=number.type, operation=0, left=number, right=number)
    function.blocks[1].instructions.insert(0, value)
    use = BinaryInst(type=number.type, operation=0, left=value, right=number)
    function.blocks[3].instructions.insert(0, use)
    assert found_in(everything) == [("dxil.dominance", "main[4]")]
    phi = PhiInst(
        type=number.type, incoming=[(value, function.blocks[1]), (number, function.blocks[2])]
    )
    function.blocks[3].instructions[0] = phi
    assert found_in(everything) == []
    phi.incoming[1] = (value, function.blocks[2])
    assert found_in(everything) == [("dxil.dominance", "main[4]")]
    phi.incoming.pop()
    assert found_in(everything) == [("dxil.phi", "main[4]")]


def test_what_cannot_be_reached_does_not_count() -> None:
    everything, function = graph((2,), (2,), ())
    number = function.arguments[0]
    value = BinaryInst(type=number.type, operation=0, left=number, right=number)
    function.blocks[2].instructions.insert(0, value)
    use = BinaryInst(type=number.type, operation=0, left=value, right=number)
    function.blocks[1].instructions.insert(0, use)
    assert found_in(everything) == []


def test_the_order_in_a_block() -> None:
    everything, function = graph((1,), (1, 0))
    assert found_in(everything) == [("dxil.layout", "main[1]")]
    everything, function = graph((1,), (1, 2), ())
    number = function.arguments[0]
    value = BinaryInst(type=number.type, operation=0, left=number, right=number)
    phi = PhiInst(
        type=number.type, incoming=[(number, function.blocks[0]), (number, function.blocks[1])]
    )
    function.blocks[1].instructions[:0] = [value, phi]
    assert found_in(everything) == [("dxil.layout", "main[2]")]


def wrong(everything: Everything) -> list[Instruction]:
    """Return an instruction for each rule of types, with operands that violate it."""
    number, pointer, vector, real = everything.main.arguments
    i32, i1, void = everything.i32, everything.i1, everything.void
    aggregate = UndefinedValue(everything.pair)
    return [
        BinaryInst(type=i32, operation=0, left=number, right=real),
        BinaryInst(type=real.type, operation=3, left=real, right=real),
        BinaryInst(type=everything.pointer, operation=0, left=pointer, right=pointer),
        CompareInst(type=i1, predicate=1, left=number, right=number),
        CastInst(type=i32, operation=0, value=number),
        CastInst(type=i32, operation=5, value=number),
        CastInst(type=i32, operation=11, value=vector),
        CastInst(type=i32, operation=11, value=pointer),
        CastInst(type=i32, operation=99, value=number),
        SelectInst(type=i32, condition=number, true_value=number, false_value=number),
        GetElementPtrInst(
            type=everything.pointer, source_type=i32, pointer=pointer, indices=[real]
        ),
        LoadInst(type=real.type, pointer=pointer),
        LoadInst(type=i32, pointer=number),
        StoreInst(type=void, value=real, pointer=pointer),
        InsertValueInst(type=everything.pair, aggregate=aggregate, value=real, indices=[0]),
        InsertValueInst(type=everything.pair, aggregate=aggregate, value=number, indices=[9]),
        CallInst(
            type=i32,
            function_type=everything.takes,
            callee=everything.called,
            arguments=[real, real],
        ),
    ]


@pytest.mark.parametrize("index", range(17))
def test_types(index: int) -> None:
    everything, function = graph((1,), ())
    instruction = wrong(everything)[index]
    if isinstance(instruction, CallInst):
        instruction.function_type = function.function_type
        instruction.type = everything.void
        instruction.arguments = [*function.arguments[:3], function.arguments[0]]
    function.blocks[0].instructions.insert(0, instruction)
    assert ("dxil.type", "main[0]") in found_in(everything)


def test_types_of_ends() -> None:
    everything, function = graph((1, 2), (), ())
    number = function.arguments[0]
    branch = function.blocks[0].instructions[0]
    assert isinstance(branch, BranchInst)
    branch.condition = number
    function.blocks[1].instructions = [ReturnInst(type=everything.void, value=number)]
    function.blocks[2].instructions = [
        SwitchInst(
            type=everything.void,
            condition=function.arguments[3],
            default=function.blocks[1],
            cases=[(everything.one, function.blocks[1])],
        )
    ]
    assert found_in(everything) == [("dxil.type", f"main[{at}]") for at in (0, 1, 2, 2)]


def test_every_instruction_made_by_hand_has_the_right_types() -> None:
    """Only its phi lacks blocks that branch to its own."""
    assert found_in(Everything()) == [("dxil.phi", "main[23]")]


def test_extracting_needs_no_rule() -> None:
    """The decoder refuses an index that the aggregate does not have."""
    everything, function = graph((1,), ())
    aggregate = UndefinedValue(everything.pair)
    bad = ExtractValueInst(type=everything.i32, aggregate=aggregate, indices=[9])
    function.blocks[0].instructions.insert(0, bad)
    adopt(everything.module)
    code = Code(5 << 16 | 0x60, 0x100, Bitstream([]))
    code.module = everything.module
    assert [each.code for each in verify(Code.decode(code.encode()))] == ["dxil.module"]


def test_every_rule_is_tested() -> None:
    files = Path(__file__).parent.glob("test_*.py")
    text = "".join(each.read_text("utf-8") for each in files)
    assert [code for code in RULES if f'"{code}"' not in text] == []
