"""Modules encoded from the model alone, in LLVM's order and with its abbreviations."""

import re

import pytest

from tests.programs.dxil.llvm import llvm_text
from tests.programs.dxil.modules import Everything, part, saxpy
from unshade.programs.dxil import Code
from unshade.programs.dxil.bitstream import BitBlock, BitRecord, Bitstream, read, write
from unshade.programs.dxil.decode import decode_module
from unshade.programs.dxil.encode import encode_standard, enumerate_module
from unshade.programs.dxil.model.constants import ConstantFloat, ConstantInt, DxilConstant
from unshade.programs.dxil.model.instructions import BinaryInst
from unshade.programs.dxil.model.metadata import (
    MetadataNode,
    MetadataString,
    MetadataValue,
    NamedMetadata,
)


@pytest.mark.parametrize("name", [b"DXIL", b"STAT"])
def test_a_module_of_dxc_has_the_same_bits(name: bytes) -> None:
    code = Code.decode(part(name))
    code.rewrite()
    assert code.module.block is None
    assert code.encode() == part(name)


def test_everything_is_numbered() -> None:
    everything = Everything()
    enumerate_module(everything.module)
    block = encode_standard(everything.module)
    data = write(Bitstream([block]))
    found = decode_module(read(data))
    assert [each.name for each in found.globals] == ["plain", "other", "called", "main", "alias"]
    enumerate_module(found)
    assert write(Bitstream([encode_standard(found)])) == data


def test_what_an_edit_made_is_numbered() -> None:
    code = saxpy()
    module = code.module
    main = module.function("main")
    assert main is not None
    add = next(each for each in main.instructions if isinstance(each, BinaryInst))
    add.right = (
        ConstantFloat(add.type, 0x40490FDB)
        if str(add.type) == "float"
        else ConstantInt(add.type, 123456)
    )
    node = MetadataNode([MetadataString("made by a test")])
    module.named_metadata.append(NamedMetadata("test", [node]))
    code.rewrite()
    assert add.right in main.constants
    assert node in module.metadata
    assert '!{!"made by a test"}' in llvm_text(code)


def constants_of(*values: int) -> list[int]:
    """Return numbers used by a function in the order that LLVM gives them."""
    everything = Everything()
    function = everything.main
    number = function.arguments[0]
    pool = {each: ConstantInt(number.type, each) for each in values}
    function.blocks[0].instructions[:-1] = [
        BinaryInst(type=number.type, operation=0, left=number, right=pool[each]) for each in values
    ]
    del function.blocks[1:]
    function.blocks[0].instructions.pop()
    function.locals, function.use_lists = [], []
    enumerate_module(everything.module)
    found: list[DxilConstant] = function.constants
    return [each.value for each in found if isinstance(each, ConstantInt)]


def test_frequent_constants_come_first() -> None:
    assert constants_of(5, 6, 7, 7, 6, 7) == [7, 6, 5]
    assert constants_of(5, 6, 7) == [5, 6, 7]


def test_integers_come_before_others() -> None:
    everything = Everything()
    module = everything.module
    node = MetadataNode([MetadataValue(each) for each in module.constants])
    module.named_metadata.append(NamedMetadata("all", [node]))
    enumerate_module(module)
    integer = re.compile(r"(<\d+ x )?i\d+>?")
    kinds = [bool(integer.fullmatch(str(each.type))) for each in module.constants]
    assert kinds == sorted(kinds, reverse=True)
    assert 7 < kinds.index(False) < len(kinds) - 7


def test_the_order_of_uses_keeps_constants_unsorted() -> None:
    everything = Everything()
    enumerate_module(everything.module, keeps_uses=True)
    first = everything.module.constants[0]
    assert first is everything.one  # the first initializer


def abbreviations(block: BitBlock) -> dict[tuple[int, int], set[int]]:
    """Return the abbreviations of records by block and code."""
    found: dict[tuple[int, int], set[int]] = {}
    waiting = [block]
    while waiting:
        inner = waiting.pop()
        for item in inner.items:
            if isinstance(item, BitBlock):
                waiting.append(item)
            elif isinstance(item, BitRecord):
                found.setdefault((inner.id, item.code), set()).add(item.abbreviation)
    return found


def test_abbreviations() -> None:
    everything = Everything()
    everything.main.arguments[1].name = "a b"  # no char6
    everything.main.arguments[2].name = "\u00e4"
    everything.main.blocks[1].name = "b c"
    enumerate_module(everything.module)
    found = abbreviations(encode_standard(everything.module))
    assert found[14, 1] == {4, 5, 6}
    assert found[14, 2] == {4, 7}
    assert found[17, 8] == {3, 4}  # pointers
    assert found[11, 2] == {3}  # LLVM does not use that of null
    assert found[12, 2] == {5, 6}
    assert found[12, 10] == {8}
    assert found[12, 43] == {11}
    assert found[8, 7] == {3, 4}
    assert found[15, 1] == {4}
