"""Signatures: three sizes of row, shared names, and both padding bytes of compilers."""

import struct

import pytest

from tests.fixtures.containers import signature
from unshade.errors import FormatError
from unshade.formats.dxcontainer.parts import kind_of
from unshade.formats.dxcontainer.parts.kind import PartKind
from unshade.formats.dxcontainer.parts.signature import ProgramSignature, SignatureElement
from unshade.limits import DEFAULT


def kind(name: str) -> PartKind:
    found = kind_of(name)
    assert found is not None
    return found


# fmt: off
ROWS = [
    # name   bytes of a row     stream  min_precision
    ("ISGN", "<I5I",            None,   None),
    ("OSGN", "<I5I",            None,   None),
    ("PCSG", "<I5I",            None,   None),
    ("OSG5", "<II5I",           2,      None),
    ("ISG1", "<II5II",          2,      1),
    ("OSG1", "<II5II",          2,      1),
    ("PSG1", "<II5II",          2,      1),
]
# fmt: on


@pytest.mark.parametrize(("name", "layout", "stream", "precision"), ROWS)
def test_rows(name: str, layout: str, stream: int | None, precision: int | None) -> None:
    size = struct.calcsize(layout)
    values = [8 + size, 3, 1, 3, 7, 0x0000_0F03]
    if stream is not None:
        values.insert(0, stream)
    if precision is not None:
        values.append(precision)
    data = struct.pack("<II", 1, 8) + struct.pack(layout, *values) + b"TEXCOORD\0\xab\xab\xab"
    found = kind(name).read(name, data, DEFAULT)
    (row,) = found.elements
    assert (row.name, row.index, row.system_value, row.component_type) == ("TEXCOORD", 3, 1, 3)
    assert (row.register, row.mask, row.rw_mask) == (7, 3, 15)
    if stream is not None:
        assert row.stream == stream
    if precision is not None:
        assert row.min_precision == precision
    assert kind(name).write(name, found, 0xAB, None) == data


def test_equal_names_are_stored_once() -> None:
    rows = [SignatureElement(name=name, register=i) for i, name in enumerate("ABA")]
    data = kind("ISGN").write("ISGN", ProgramSignature(elements=rows), 0xAB, None)
    places = [int.from_bytes(data[8 + 24 * i : 12 + 24 * i], "little") for i in range(3)]
    assert places == [80, 82, 80]
    assert data[80:] == b"A\0B\0"


@pytest.mark.parametrize("pad", [0xAB, 0])
def test_both_padding_bytes(pad: int) -> None:
    rows = ProgramSignature(elements=[SignatureElement(name="ABCD")])
    assert kind("ISGN").write("ISGN", rows, pad, None)[32:] == b"ABCD\0" + bytes([pad]) * 3


def test_missing_padding_is_kept() -> None:
    """dxc does not fill up."""
    data = signature(("ABCD", 0)).rstrip(b"\xab")
    found = kind("ISGN").read("ISGN", data, DEFAULT)
    assert kind("ISGN").write("ISGN", found, 0, data) == data
    assert "layout" in kind("ISGN").to_data("ISGN", found, 0, data, DEFAULT)


def test_a_count_past_the_end_is_refused() -> None:
    data = struct.pack("<II", 3, 8) + bytes(48)
    with pytest.raises(FormatError, match="expected 72 bytes for 3 items, got 48") as caught:
        kind("ISGN").read("ISGN", data, DEFAULT)
    assert (caught.value.offset, caught.value.path) == (8, "elements")
