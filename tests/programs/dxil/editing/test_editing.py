"""Edits of a module of dxc, which LLVM then verifies."""

import pytest

from tests.programs.dxil.llvm import llvm_text
from tests.programs.dxil.modules import Everything, part, saxpy
from unshade.errors import UsageError
from unshade.programs.dxil import Code
from unshade.programs.dxil.editing import (
    adopt,
    prune,
    remove,
    replace_uses,
    strip_debug,
    strip_names,
    strip_reflection,
    users,
)
from unshade.programs.dxil.encode import encode_module
from unshade.programs.dxil.model.constants import ConstantFloat, ConstantInt, UndefinedValue
from unshade.programs.dxil.model.instructions import BinaryInst, CallInst, Instruction
from unshade.programs.dxil.model.metadata import (
    MetadataNode,
    MetadataString,
    MetadataValue,
    NamedMetadata,
)
from unshade.programs.dxil.model.values import Function
from unshade.programs.dxil.operation_calls import operation_of
from unshade.programs.dxil.shaderinfo import read_shader

pytestmark = pytest.mark.heavy


def main_of(code: Code) -> Function:
    found = code.module.function("main")
    assert found is not None
    return found


def arithmetic(function: Function) -> Instruction:
    return next(each for each in function.instructions if isinstance(each, BinaryInst))


def test_an_unchanged_module() -> None:
    assert "define void @main()" in llvm_text(saxpy())


def test_a_constant_and_an_operand() -> None:
    code = saxpy()
    function = main_of(code)
    add = arithmetic(function)
    assert isinstance(add, BinaryInst)
    add.right = (
        ConstantFloat(add.type, 0x40490FDB)
        if str(add.type) == "float"
        else ConstantInt(add.type, 123456)
    )
    adopt(code.module)
    text = llvm_text(code)
    assert "123456" in text or "0x400921FB60000000" in text
    assert Code.decode(code.encode()).encode() == code.encode()


def test_instructions_inserted_and_removed() -> None:
    code = saxpy()
    before = llvm_text(code)
    function = main_of(code)
    old = arithmetic(function)
    block = next(each for each in function.blocks if old in each.instructions)
    new = BinaryInst(type=old.type, operation=2, left=old, right=old)
    if str(old.type) != "float":
        new = BinaryInst(type=old.type, operation=12, left=old, right=old)
    replace_uses(function, old, new)
    new.left = new.right = old
    block.instructions.insert(block.instructions.index(old) + 1, new)
    assert f" = {new.opcode} " in llvm_text(code)
    remove(function, new, old)
    assert llvm_text(code) == before


def test_a_removed_instruction_needs_a_replacement() -> None:
    function = main_of(saxpy())
    used = arithmetic(function)
    assert list(users(function, used))
    with pytest.raises(UsageError, match="expected a replacement"):
        remove(function, used)
    remove(function, used, UndefinedValue(used.type))
    with pytest.raises(UsageError, match="expected an instruction of 'main'"):
        remove(function, used)
    other = next(each for each in function.instructions if each.type is not used.type)
    with pytest.raises(UsageError, match="expected a value of type"):
        replace_uses(function, used, other)


def test_metadata_is_adopted() -> None:
    code = saxpy()
    module = code.module
    number = ConstantInt(module.types.integer(64), 7777)
    text = MetadataString("made by a test")
    node = MetadataNode([text, MetadataValue(number), None])
    module.named_metadata.append(NamedMetadata("test", [node]))
    adopt(module)
    assert '!{!"made by a test", i64 7777, null}' in llvm_text(code)
    module.named_metadata.pop()
    prune(module)
    assert node not in module.metadata
    assert number not in module.constants
    assert code.encode() == part()  # nothing is left of it but a type


def test_names() -> None:
    code = saxpy()
    function = main_of(code)
    function.name = "renamed"
    function.instructions[0].name = "first value"
    text = llvm_text(code)
    assert "@renamed()" in text
    assert '%"first value" =' in text
    strip_names(code.module)
    assert "first value" not in llvm_text(code)


def test_a_removed_block_of_constants() -> None:
    """Without constants of its own a function has no block of them."""
    everything = Everything()
    adopt(everything.module)
    function = everything.main
    for each in list(function.constants):
        replace_uses(function, each, everything.one)
    prune(everything.module)
    assert function.constants == []
    assert encode_module(everything.module).items


def test_debug_information_is_removed() -> None:
    code = Code.decode(part(b"STAT"))
    strip_debug(code.module)
    assert llvm_text(code)
    everything = Everything()
    adopt(everything.module)
    strip_debug(everything.module)
    assert all(each.location is None for each in everything.main.instructions)
    assert everything.first in everything.module.metadata  # an attachment of another kind


def test_reflection_is_removed() -> None:
    code = Code.decode(part(b"STAT"))
    assert any(each.name for each in read_shader(code.module).resources.all)
    strip_reflection(code.module)
    shader = read_shader(code.module)
    assert not shader.structures
    assert shader.resources.all
    assert not any(each.name for each in shader.resources.all)
    assert llvm_text(code)


def test_calls_of_operations_stay_known() -> None:
    found = [operation_of(each) for each in main_of(saxpy()).instructions]
    names = {each.name for each in found if each is not None}
    assert "ThreadId" in names
    assert all(
        operation is not None
        for each, operation in zip(main_of(saxpy()).instructions, found, strict=True)
        if isinstance(each, CallInst)
    )
