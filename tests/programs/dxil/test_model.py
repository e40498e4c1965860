"""Modules from records and back."""

import pytest

from tests.programs.dxil.modules import Everything, saxpy
from unshade.errors import EncodeError
from unshade.programs.dxil import DxilModule
from unshade.programs.dxil.bitstream import BitRecord, Bitstream, read, write
from unshade.programs.dxil.decode import decode_module
from unshade.programs.dxil.editing import adopt
from unshade.programs.dxil.encode import encode_module
from unshade.programs.dxil.model.constants import (
    ConstantData,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantNull,
    ConstantString,
    UndefinedValue,
    integer_of,
)
from unshade.programs.dxil.model.instructions import CallInst, Instruction, PhiInst
from unshade.programs.dxil.model.metadata import DebugNode, MetadataNode
from unshade.programs.dxil.model.types import StructType


def again(module: DxilModule) -> DxilModule:
    return decode_module(read(write(Bitstream([encode_module(module)]))))


@pytest.fixture(scope="module")
def made() -> Everything:
    everything = Everything()
    adopt(everything.module)
    return everything


@pytest.fixture(scope="module")
def found(made: Everything) -> DxilModule:
    return again(made.module)


def test_a_module_made_by_hand_is_encoded_alike_again(found: DxilModule) -> None:
    assert encode_module(found) is found.block


def test_types(made: Everything, found: DxilModule) -> None:
    assert list(map(str, found.types)) == list(map(str, made.module.types))
    node = found.types.named("node")
    assert isinstance(node, StructType)
    assert node.body == "{ i32, %node* }"
    assert "i32 (i32, metadata, ...)" in map(str, found.types)
    assert "x86_fp80" in map(str, found.types)


def test_constants(made: Everything, found: DxilModule) -> None:
    for one, other in zip(made.module.constants, found.constants, strict=True):
        assert type(one) is type(other)
        assert str(one.type) == str(other.type)
        for name in type(one).__slots__:
            if isinstance(getattr(one, name), int | bytes | str):
                assert getattr(one, name) == getattr(other, name)
    assert [integer_of(each) for each in found.constants[:5]] == [0, 1, -1, 2**31, -(2**63)]


def test_instructions(made: Everything, found: DxilModule) -> None:
    main = found.function("main")
    assert main is not None
    assert not main.is_declaration
    mine = [each.opcode for each in made.main.instructions]
    assert [each.opcode for each in main.instructions] == mine
    assert len(set(mine)) == 30
    for one, other in zip(made.main.instructions, main.instructions, strict=True):
        assert type(one) is type(other)
        assert str(one.type) == str(other.type)
        assert one.name == other.name
        assert list(map(type, one.operands)) == list(map(type, other.operands))
    assert [each.name for each in main.blocks][:2] == ["entry", ""]
    assert [len(each.successors) for each in main.blocks] == [1, 2, 3, 2, 2, 0, 0, 0]
    phi = main.blocks[1].instructions[0]
    assert isinstance(phi, PhiInst)
    assert [value.type for value, _ in phi.incoming] == [phi.type, phi.type]
    assert all(each.is_terminator for block in main.blocks for each in block.instructions[-1:])


def test_locations_attachments_and_orders_of_uses(made: Everything, found: DxilModule) -> None:
    main = found.function("main")
    assert main is not None
    located = [each.location for each in main.instructions if each.location is not None]
    assert [(each.line, each.column) for each in located] == [(1, 2)] * 3
    assert located[0].scope is found.metadata[0]
    call = next(each for each in main.instructions if isinstance(each, CallInst))
    assert call.attachments == [(1, found.metadata[0])]
    assert main.attachments == [(1, found.metadata[0])]
    assert [each.indexes for each in main.use_lists] == [[1, 0, 2], [0, 1]]
    assert main.use_lists[1].value is main.blocks[1]
    assert found.use_lists[0].value is found.constants[1]
    assert main.locals[0].value is main.instructions[0]
    assert call.attributes is not None
    assert call.attributes.has("key")
    assert call.attributes.has(18)
    assert not call.attributes.has(19)


def test_metadata(made: Everything, found: DxilModule) -> None:
    assert list(map(type, found.metadata)) == list(map(type, made.module.metadata))
    first, second = found.metadata[:2]
    assert isinstance(first, MetadataNode)
    assert isinstance(second, MetadataNode)
    assert first.elements[3] is second
    assert second.elements == [first]
    assert second.distinct
    assert [(each.name, each.nodes) for each in found.named_metadata] == [
        ("name", [second, first]),
        ("none", []),
    ]
    nodes = [each for each in found.metadata if isinstance(each, DebugNode)]
    assert nodes[0]["scope"] is first
    assert nodes[0]["line"] == 5
    assert next(each for each in nodes if each.row.name == "DIEnumerator")["value"] == -3
    assert found.kinds == {0: "dbg", 1: "kind"}


def test_globals(made: Everything, found: DxilModule) -> None:
    assert [each.name for each in found.globals] == ["plain", "other", "called", "main", "alias"]
    plain, other = found.variables
    assert (plain.alignment, str(plain.type)) == (4, "i32 addrspace(3)*")
    assert integer_of(plain.initializer) == 1
    assert (other.section, other.unnamed_addr, other.constant) == ("section", 1, True)
    assert other.comdat is found.comdats[0]
    (alias,) = found.aliases
    assert alias.aliasee is plain
    main = found.function("main")
    assert main is not None
    assert (main.gc, main.alignment, main.personality) == ("collector", 16, found.globals[2])


def test_only_what_changed_is_written_differently() -> None:
    code = saxpy()
    before = code.encode()
    module = code.module
    assert module.block is not None
    old = module.block
    call = next(
        each
        for function in module.functions
        for each in function.instructions
        if isinstance(each, CallInst) and len(each.arguments) > 1
    )
    value = next(
        each
        for each in module.functions[0].constants or module.constants
        if each.type is call.arguments[1].type and each is not call.arguments[1]
    )
    call.arguments[1] = value
    new = encode_module(module)
    changed = [
        (one, other) for one, other in zip(old.items, new.items, strict=True) if one is not other
    ]
    (pair,) = changed
    one, other = pair
    records = [
        (a, b)
        for a, b in zip(one.items, other.items, strict=True)  # type: ignore[union-attr]
        if a is not b
    ]
    ((a, b),) = records
    assert isinstance(a, BitRecord)
    assert isinstance(b, BitRecord)
    assert a.code == b.code
    assert sum(x != y for x, y in zip(a.operands, b.operands, strict=True)) == 1
    assert code.encode() != before


def test_new_types_are_added_when_something_uses_them() -> None:
    code = saxpy()
    module = code.module
    count = len(module.types)
    wide = module.types.integer(77)
    assert len(module.types) == count
    module.constants.append(ConstantInt(module.types.vector(3, wide), 0))
    module.constants[-1] = ConstantInt(wide, 5)
    assert integer_of(again(module).constants[-1]) == 5
    assert len(module.types) == count + 1


def test_new_circular_types_are_added() -> None:
    module = saxpy().module
    node = StructType("list", None)
    node.elements = [module.types.pointer(module.types.pointer(node)), module.types.integer(32)]
    module.constants.append(UndefinedValue(node))
    found = again(module).types.named("list")
    assert found is not None
    assert found.body == "{ %list**, i32 }"


def test_what_the_module_lacks_is_named() -> None:
    code = saxpy()
    function = next(each for each in code.module.functions if each.blocks)
    call = next(each for each in function.instructions if isinstance(each, CallInst))
    call.arguments[0] = ConstantInt(code.module.types.integer(32), 12345)
    with pytest.raises(EncodeError, match=r"main\[\d+\]: expected a value of the module or func"):
        code.encode()
    adopt(code.module)
    assert code.encode()


def test_operands_are_replaced_wherever_they_are(made: Everything) -> None:
    everything = Everything()
    number = everything.main.arguments[0]
    other = ConstantInt(number.type, 5)
    uses = sum(each is number for one in everything.main.instructions for each in one.operands)
    count = sum(each.replace(number, other) for each in everything.main.instructions)
    assert count == uses > 10
    assert all(number not in each.operands for each in everything.main.instructions)


def test_every_class_of_instruction_is_there(made: Everything) -> None:
    def below(cls: type[Instruction]) -> set[type[Instruction]]:
        return {cls, *(one for each in cls.__subclasses__() for one in below(each))}

    have = {type(each) for each in made.main.instructions}
    # dataclasses with slots are made twice; only one of each is used
    assert {each.__name__ for each in below(Instruction)} - {"Instruction"} == {
        each.__name__ for each in have
    }


def test_constants_are_shown_by_type_and_value() -> None:
    types = DxilModule().types
    i32, single, half = types.integer(32), types.floating("float"), types.floating("half")
    array = types.array(2, i32)
    for constant, text in (
        (ConstantInt(i32, -5), "<ConstantInt i32 -5>"),
        (ConstantFloat(single, 0x3F800000), "<ConstantFloat float 1>"),
        (ConstantFloat(half, 0x3800), "<ConstantFloat half 0.5>"),
        (ConstantFloat(types.floating("fp128"), 7), "<ConstantFloat fp128 0x7>"),
        (ConstantNull(i32), "<ConstantNull i32>"),
        (ConstantData(array, [1, 2]), "<ConstantData [2 x i32] of 2>"),
        (
            ConstantString(types.array(3, types.integer(8)), b"abc", False),
            "<ConstantString [3 x i8] b'abc'>",
        ),
        (ConstantExpression(i32, "ptrtoint", []), "<ConstantExpression i32 ptrtoint>"),
    ):
        assert repr(constant) == text
