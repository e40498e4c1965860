"""Records that end too early: read as far as they go, or refused with our own errors.

Every kind of record of a module is cut at every operand, alone, so that what a reader takes from it
is checked at each place.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from tests.programs.dxil.modules import Everything, saxpy
from unshade.errors import FormatError
from unshade.programs.dxil import Code
from unshade.programs.dxil.bitstream import BitBlock, BitRecord, Bitstream
from unshade.programs.dxil.decode import decode_module
from unshade.programs.dxil.editing import adopt

MOST = 16  # operands of a record, which may be a text


@cache
def codes() -> tuple[Code, Code]:
    everything = Everything()
    adopt(everything.module)
    made = Code(5 << 16 | 0x60, 0x106, Bitstream([]))
    made.module = everything.module
    return saxpy(), Code.decode(made.encode())


def blocks(stream: Bitstream | BitBlock) -> Iterator[BitBlock]:
    for block in stream.blocks:
        yield block
        yield from blocks(block)


@cache
def kinds() -> dict[str, tuple[int, int, int]]:
    """Return the longest record of each kind: the module, the block, the record."""
    found: dict[str, tuple[int, int, int]] = {}
    lengths: dict[str, int] = {}
    for which, code in enumerate(codes()):
        assert isinstance(code.bitcode, Bitstream)
        for at, block in enumerate(blocks(code.bitcode)):
            for number, record in enumerate(block.items):
                if isinstance(record, BitRecord):
                    name = f"{block.id} {record.code}"
                    if len(record.operands) > lengths.get(name, -1):
                        found[name], lengths[name] = (which, at, number), len(record.operands)
    return found


@pytest.mark.parametrize("kind", kinds())
def test_a_record_may_end_anywhere(kind: str) -> None:
    which, at, number = kinds()[kind]
    code = codes()[which]
    assert isinstance(code.bitcode, Bitstream)
    block = [*blocks(code.bitcode)][at]
    record = block.items[number]
    assert isinstance(record, BitRecord)
    shortened = [*range(min(len(record.operands), MOST))]
    for length in shortened:
        block.items[number] = BitRecord(record.code, record.operands[:length])
        try:
            decode_module(code.bitcode)
        except FormatError as error:
            assert "expected" in str(error)  # noqa: PT017  others leave the test
        finally:
            block.items[number] = record
    decode_module(code.bitcode)
