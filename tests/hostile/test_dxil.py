"""Programs that are damaged or made to harm: only our errors, in bounded time."""

import random
from collections.abc import Callable, Iterator

import pytest

from tests.programs.dxil.modules import Everything, part, saxpy
from tests.sampling import fewer, some
from unshade.errors import EncodeError, FormatError, LimitError
from unshade.limits import Limits
from unshade.programs.dxil import Code
from unshade.programs.dxil.bitstream import BitBlock, BitRecord, Bitstream, read, write
from unshade.programs.dxil.decode import decode_module
from unshade.programs.dxil.editing import adopt, prune, strip_debug
from unshade.programs.dxil.encode import encode_module
from unshade.programs.dxil.shaderinfo import read_shader
from unshade.programs.dxil.tables.blocks import (
    CONSTANTS,
    FUNCTION,
    METADATA,
    MODULE,
    SYMBOLS,
    TYPES,
)

OURS = (FormatError, LimitError)


def exercise(data: bytes) -> None:
    """Do all that can be done with a program; only our errors may leave."""
    try:
        code = Code.decode(data)
        assert code.encode() == data
        module = code.module
    except OURS:
        return
    if code.size is None and code.bitcode_bytes() != data[24 : 24 + len(code.bitcode_bytes())]:
        assert isinstance(code.bitcode, Bitstream)
    for act in (lambda: read_shader(module), lambda: strip_debug(module), code.encode):
        try:
            act()
        except (*OURS, EncodeError):
            continue


def everything() -> bytes:
    made = Everything()
    adopt(made.module)
    return write(Bitstream([encode_module(made.module)]))


def program(bitcode: bytes) -> bytes:
    header = part()[:20] + len(bitcode).to_bytes(4, "little")
    size = (24 + len(bitcode) + 3) // 4
    return header[:4] + size.to_bytes(4, "little") + header[8:] + bitcode


@pytest.mark.parametrize("source", [part, lambda: program(everything())], ids=["dxc", "everything"])
def test_every_truncation(source: Callable[[], bytes]) -> None:
    data = source()
    for size in some(range(0, len(data), 3)):
        exercise(data[:size])


@pytest.mark.parametrize("source", [part, lambda: program(everything())], ids=["dxc", "everything"])
@pytest.mark.parametrize("mask", [0x01, 0x80, 0xFF])
def test_every_byte_changed(source: Callable[[], bytes], mask: int) -> None:
    data = source()
    for at in some(range(0, len(data), 7)):
        exercise(data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :])


def records(block: BitBlock) -> Iterator[BitRecord]:
    """Return the records of a block and those in it."""
    waiting = [block]
    while waiting:
        for item in waiting.pop().items:
            if isinstance(item, BitRecord):
                yield item
            elif isinstance(item, BitBlock):
                waiting.append(item)


@pytest.mark.parametrize("seed", range(fewer(40)))
def test_records_with_other_operands(seed: int) -> None:
    """Well-formed bits with numbers, counts and codes that make no sense."""
    choose = random.Random(seed)
    original = read(everything())
    count = sum(1 for _ in records(original.blocks[0]))
    numbers = [0, 1, 2, 3, 7, 63, 64, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1]
    for _ in range(60):
        stream = read(write(original))
        found = list(records(stream.blocks[0]))
        record = found[choose.randrange(count)]
        kind = choose.randrange(4)
        if kind == 0 and record.operands:
            record.operands[choose.randrange(len(record.operands))] = choose.choice(numbers)
        elif kind == 1 and record.operands:
            del record.operands[choose.randrange(len(record.operands)) :]
        elif kind == 2:
            record.operands.append(choose.choice(numbers))
        else:
            record.code = choose.randrange(50)
        exercise(program(write(stream)))


def module_of(*items: BitRecord | BitBlock) -> Bitstream:
    return Bitstream([BitBlock(MODULE, 3, [BitRecord(1, [1]), *items])])


INTEGER = BitRecord(7, [32])


def types_of(*rows: BitRecord) -> BitBlock:
    return BitBlock(TYPES, 4, [BitRecord(1, [len(rows)]), *rows])


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        ([types_of(BitRecord(8, [0, 0]))], "expected a type below 0"),
        ([types_of(BitRecord(7, [2**40]))], "expected a width of 1 to"),
        ([types_of(BitRecord(99, []))], "expected a type of LLVM 3.7"),
        ([types_of(BitRecord(19, [65]))], "expected a structure after its name"),
        (
            [types_of(), BitBlock(CONSTANTS, 4, [BitRecord(1, [5])])],
            "expected a type below",
        ),
        (
            [
                types_of(INTEGER, BitRecord(11, [2**40, 0])),
                BitBlock(CONSTANTS, 4, [BitRecord(1, [1]), BitRecord(7, [0])]),
            ],
            "expected 1099511627776 elements, got 1",
        ),
        ([BitBlock(TYPES, 4, [INTEGER])], "expected the number of types as the first record"),
        (
            [BitBlock(TYPES, 4, [BitRecord(1, [2**32]), INTEGER])],
            "expected 4294967296 types, got 1",
        ),
        ([BitBlock(METADATA, 3, [BitRecord(3, [2**32])])], "expected metadata below 1"),
        ([BitBlock(METADATA, 3, [BitRecord(10, [0])])], "expected a name before its nodes"),
        ([BitBlock(METADATA, 3, [BitRecord(8, [0])])], "expected metadata of LLVM 3.7"),
        ([BitBlock(SYMBOLS, 4, [BitRecord(1, [2**32, 65])])], "expected a value below 0"),
        ([BitBlock(FUNCTION, 4)], "expected 0 bodies, got 1"),
        ([BitRecord(8, [0] * 15)], "expected a type below 0"),
        ([BitRecord(7, [0] * 5)], "expected 6 to 12 operands, got 5"),
        ([BitRecord(1, [0])], "expected version 1"),
        ([BitRecord(2, [300])], "expected characters, got 300"),
        ([BitRecord(10, [1])], "expected a record of LLVM 3.7"),
    ],
)
def test_records_that_make_no_module(items: list[BitRecord | BitBlock], problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        decode_module(module_of(*items))


def test_another_order_than_that_of_llvm_is_kept_until_an_edit() -> None:
    """Names before nodes, kinds among them, a type that is set again, a short function."""
    types = types_of(INTEGER, BitRecord(2, []), BitRecord(21, [0, 1]))
    function = BitRecord(8, [2, 0, 1, 0, 0, 0, 0, 0])
    metadata = [
        BitRecord(4, list(b"n")),
        BitRecord(10, [1]),
        BitRecord(3, []),
        BitRecord(6, [0, *b"dbg"]),
        BitRecord(3, [1]),
    ]
    constants = [BitRecord(4, [2]), BitRecord(1, [0]), BitRecord(4, [4]), BitRecord(1, [0])]
    stream = module_of(
        types,
        function,
        BitRecord(2, list(b"triple")),
        BitBlock(CONSTANTS, 4, list(constants)),
        BitBlock(METADATA, 3, list(metadata)),
    )
    data = program(write(stream))
    code = Code.decode(data)
    module = code.module
    assert encode_module(module) is not module.block
    assert code.encode() == data
    module.triple = "another"
    again = Code.decode(code.encode())
    assert again.module.triple == "another"
    assert [each.name for each in again.module.named_metadata] == ["n"]
    assert again.module.named_metadata[0].nodes[0] is again.module.metadata[1]
    assert again.module.kinds == {0: "dbg"}
    assert again.encode() == code.encode()


def test_many_names_of_sections_and_comdats() -> None:
    """Looking for each of them from the start would take a minute."""
    count = 20_000
    sections = [BitRecord(5, [65]) for _ in range(count)]
    comdats = [BitRecord(12, [0, 1, 65]) for _ in range(count)]
    globals_ = [
        BitRecord(7, [0, 2, 0, 0, 0, number, 0, 0, 0, 0, 0, number]) for number in range(count)
    ]
    module = decode_module(module_of(types_of(INTEGER), *sections, *comdats, *globals_))
    assert encode_module(module) is module.block


def test_many_operands_that_come_later() -> None:
    """The type of each is looked up at once."""
    code = saxpy()
    assert isinstance(code.bitcode, Bitstream)
    body = next(each for each in code.bitcode.blocks[0].blocks if each.id == FUNCTION)
    step = next(each for each in body.items if isinstance(each, BitRecord) and each.code == 34)
    far = [2**32 - 1 - number for number in range(20_000)]
    place = body.items.index(step)
    body.items.insert(place, BitRecord(43, [1, 0, *(one for each in far for one in (each, 0))]))
    with pytest.raises(FormatError):
        _ = code.module


def test_types_nest_within_a_limit() -> None:
    deep = [INTEGER, *(BitRecord(8, [number, 0]) for number in range(10_000))]
    with pytest.raises(LimitError, match="depth = 64"):
        decode_module(module_of(types_of(*deep)))


def test_types_that_share_have_a_limit() -> None:
    """Each structure has the one before it twice, so the text of the last is exponential."""
    wide = [INTEGER, *(BitRecord(18, [0, number, number]) for number in range(50))]
    with pytest.raises(LimitError, match="members"):
        decode_module(module_of(types_of(*wide)))


def test_deep_constants_and_metadata() -> None:
    """Constants and metadata may nest as deeply as they like, and refer to each other."""
    count = 10_000
    types = types_of(INTEGER)
    expressions = [BitRecord(1, [0]), BitRecord(4, [2])]
    expressions += [BitRecord(10, [0, number, number]) for number in range(count)]
    nodes = [BitRecord(3, [(number + 1) % count + 1] * 3) for number in range(count)]
    names = [BitRecord(4, list(b"n")), BitRecord(10, [0])]
    module = decode_module(
        module_of(
            types,
            BitBlock(CONSTANTS, 4, list(expressions)),
            BitBlock(METADATA, 3, [*nodes, *names]),
        )
    )
    assert encode_module(module) is module.block
    adopt(module)
    prune(module)
    assert len(module.metadata) == count
    assert module.constants == []


def test_a_function_with_too_many_blocks() -> None:
    code = saxpy()
    assert isinstance(code.bitcode, Bitstream)
    body = next(each for each in code.bitcode.blocks[0].blocks if each.id == FUNCTION)
    next(body.records).operands[0] = 2**32
    with pytest.raises(FormatError, match=r"expected 1 to .* blocks, got 4294967296"):
        _ = code.module


def test_more_instructions_than_allowed() -> None:
    code = Code.decode(part(), Limits(instructions=3))
    with pytest.raises(LimitError, match="instructions = 3"):
        _ = code.module
