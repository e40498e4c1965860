"""Programs as plain data, and the spans of their fields."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.programs.dxil.bits import Bits, stream
from tests.programs.dxil.modules import Everything, part, saxpy
from unshade.errors import FormatError, LimitError
from unshade.limits import Limits
from unshade.programs.dxil import Code
from unshade.programs.dxil.bitstream import (
    Abbreviation,
    AbbreviationDefinition,
    BitBlock,
    BitRecord,
    Bitstream,
    Encoding,
    read,
)
from unshade.programs.dxil.bitstream.abbreviation import BLOB, LITERAL, VBR
from unshade.programs.dxil.data import code_from_data, code_to_data
from unshade.programs.dxil.editing import adopt
from unshade.programs.dxil.spans import program_spans


def by_hand() -> Code:
    everything = Everything()
    adopt(everything.module)
    code = Code(5 << 16 | 0x60, 0x106, Bitstream([]))
    code.module = everything.module
    return Code.decode(code.encode())


def irregular() -> Code:
    bits = Bits().fixed(3, 3).vbr(5, 6, extra=1).vbr(2, 6).vbr(7, 6, extra=2).vbr(40, 6)
    code = Code(0xAB65, 0x1_0000, read(stream(bits)[:-1] + b"\xff"))
    code.size, code.gap, code.trailing = 3, b"gap!", b"more"
    assert isinstance(code.bitcode, Bitstream)
    code.bitcode.trailing = b"tail"
    blob = Abbreviation([Encoding(LITERAL, 9), Encoding(VBR, 6), Encoding(BLOB)])
    record = BitRecord(9, [1], 4, b"a blob")
    code.bitcode.blocks.append(BitBlock(99, 3, [AbbreviationDefinition(blob), record]))
    return code


def unreadable() -> Code:
    return Code.decode(part()[:24] + b"\0" * (len(part()) - 24))


CODES = [saxpy, by_hand, irregular, unreadable]


@pytest.mark.parametrize("make", CODES)
def test_plain_data_is_lossless(make: Callable[[], Code]) -> None:
    code = make()
    data = json.loads(json.dumps(code_to_data(code)))
    assert code_from_data(Code, data).encode() == code.encode()


@pytest.mark.parametrize("make", CODES)
def test_spans_cover_every_bit_once(make: Callable[[], Code]) -> None:
    code = make()
    at = 0
    for span in program_spans(code):
        low, width = span.bits or (0, 8 * span.length)
        assert 8 * span.offset + low == at
        at += width
    assert at == 8 * len(code.encode())


def test_every_bit_of_a_module_has_a_name() -> None:
    assert {each.kind for each in program_spans(saxpy())} == {"field", "padding"}


def test_names() -> None:
    data = code_to_data(saxpy())
    assert data["version"] == {"minor": 6, "major": 6, "kind": "COMPUTE"}
    assert data["dxil_version"] == "1.6"
    (module,) = data["bitcode"]["blocks"]
    assert module["block"] == "MODULE_BLOCK"
    assert {"record": "TRIPLE", "text": "dxil-ms-dx"} in module["items"]
    types = next(each for each in module["items"] if each.get("block") == "TYPE_BLOCK")
    assert {"record": "FLOAT"} in types["items"]
    spans = {each.path: each for each in program_spans(saxpy())}
    at = module["items"].index({"record": "TRIPLE", "text": "dxil-ms-dx"})
    assert spans[f"bitcode.blocks[0].items[{at}].text"].value == "dxil-ms-dx"


def test_edited_data() -> None:
    data = code_to_data(saxpy())
    (module,) = data["bitcode"]["blocks"]
    triple = next(each for each in module["items"] if each.get("record") == "TRIPLE")
    triple["text"] = "another triple"
    code = code_from_data(Code, data)
    assert code.module.triple == "another triple"
    assert Code.decode(code.encode()).module.triple == "another triple"


RECORD: dict[str, Any] = {"record": 1, "operands": [1]}


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"version": {"kind": "TEAPOT"}}, r"program.version.kind: expected a number"),
        ({"version": {"minor": 16}}, "expected a number of 4 bits, got 16"),
        ({"dxil_version": "one"}, "expected a version such as 1.6, got 'one'"),
        ({"bitcode": {"bytes": "x"}}, "expected hex text"),
        ({"bitcode": 5}, "program.bitcode: expected a mapping"),
        ({"bitcode": {"blocks": [{"block": "CELLAR"}]}}, r"blocks\[0\].block: expected a number"),
        ({"bitcode": {"blocks": [{"block": 8, "width": 1}]}}, "expected a width of 2 to 32"),
        ({"bitcode": {"blocks": [{"block": 8, "items": [5]}]}}, "expected a mapping"),
        (
            {"bitcode": {"blocks": [{"block": 8, "items": [{"record": "X"}]}]}},
            r"items\[0\].record: expected a number",
        ),
        (
            {"bitcode": {"blocks": [{"block": 8, "items": [RECORD | {"odd": 1}]}]}},
            "unknown field 'odd'",
        ),
        (
            {"bitcode": {"blocks": [{"block": 8, "items": [{"define": ["array"]}]}]}},
            "begins with the code",
        ),
        (
            {"bitcode": {"blocks": [{"block": 8, "items": [{"define": ["wide"]}]}]}},
            r"define\[0\]: expected a number",
        ),
        ({"more": 1}, "program: unknown field 'more'"),
    ],
    ids=lambda each: "" if isinstance(each, dict) else None,
)
def test_invalid_data(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        code_from_data(Code, code_to_data(saxpy()) | changed)


def test_data_is_bounded() -> None:
    with pytest.raises(LimitError, match="nodes = 100"):
        code_to_data(saxpy(), Limits(nodes=100))
    deep: dict[str, Any] = {"block": 8, "items": []}
    for _ in range(100):
        deep = {"block": 8, "items": [deep]}
    with pytest.raises(LimitError, match="depth = 64"):
        code_from_data(Code, {"bitcode": {"blocks": [deep]}})
