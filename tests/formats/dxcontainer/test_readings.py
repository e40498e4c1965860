"""Parts that are read once for equal bytes: no edit of one is seen in another."""

from __future__ import annotations

import pytest

from tests.fixtures import blog_vs_4_0
from unshade.errors import FormatError
from unshade.formats.dxcontainer import readings
from unshade.formats.dxcontainer.part import DxPart
from unshade.formats.dxcontainer.shader import DxContainer
from unshade.limits import Limits

BLOG = blog_vs_4_0.build()
RECORDS = ["RDEF", "ISGN", "OSGN", "STAT"]


def shader() -> DxContainer:
    return DxContainer.loads(BLOG)


@pytest.mark.parametrize("name", RECORDS)
def test_equal_parts_share_what_is_read(name: str) -> None:
    first, second = shader().parts[name], shader().parts[name]
    assert first.reading is second.reading
    assert first.value == first.reading.value == second.reading.value
    assert first.value is not second.reading.value
    assert first.reading is not second.reading


def test_results_are_made_once() -> None:
    made = []

    def names(value: object, suffix: str) -> str:
        made.append(value)
        return f"{type(value).__name__}{suffix}"

    for _ in range(2):
        assert shader().parts["ISGN"].reading.result(names, "!") == "ProgramSignature!"
        assert shader().parts["ISGN"].reading.result(names, "?") == "ProgramSignature?"
    assert len(made) == 2
    for number in range(100):
        shader().parts["ISGN"].reading.result(names, str(number))
    assert len(shader().parts["ISGN"].reading.results) <= readings.RESULTS


def test_reflection_and_findings_follow_an_edit() -> None:
    for _ in range(2):
        shader().reflect()
        shader().verify()
    before = [each.code for each in shader().verify()]
    edited = shader()
    edited.reflect()
    edited.verify()
    row = edited["OSGN"].elements[0]
    row.name, row.mask = "CHANGED", 0
    edited["RDEF"].bindings[0].kind = 99
    assert edited.reflect().outputs[0].semantic == "CHANGED"
    assert edited.reflect().outputs[0].components == ""
    assert edited.reflect().resources[0].kind == "unknown_99"
    codes = {each.code for each in edited.verify()}
    assert {"signature.mask", "rdef.enumeration"} <= codes
    assert [each.code for each in shader().verify()] == before
    assert shader().reflect().outputs[0].semantic != "CHANGED"


def test_a_replaced_part_is_read_again() -> None:
    edited = shader()
    before = edited.reflect()
    edited.parts["ISGN"].value = edited.parts["OSGN"].data
    assert [each.semantic for each in edited.reflect().inputs] == [
        each.semantic for each in before.outputs
    ]
    part = edited.parts["ISGN"]
    assert part.reading.value.elements
    part.name = "XXXX"
    assert part.reading.value == part.data
    assert edited.reflect().inputs == []


def test_a_reflection_belongs_to_the_caller() -> None:
    wanted = shader().reflect().to_dict()
    found = shader().reflect()
    for row in (*found.inputs, *found.outputs):
        row.semantic = row.components = "edited"
        row.system_value = "edited"
    for each in found.resources:
        each.name, each.count = "edited", None
    for buffer in found.constant_buffers:
        buffer.variables.clear()
    found.inputs.clear()
    assert shader().reflect().to_dict() == wanted != found.to_dict()


def test_a_malformed_part_has_its_error() -> None:
    for _ in range(2):
        part = DxPart("ISGN", b"\x05\0\0\0\x08\0\0\0")
        assert part.reading.value == part.data
        assert isinstance(part.error, FormatError)
        assert part.finding() is not None


def test_other_limits_hold() -> None:
    shader().reflect()
    limited = DxContainer.loads(BLOG, Limits(string_size=1))
    assert isinstance(limited.parts["ISGN"].reading.value, bytes)
    assert limited.parts["ISGN"].error is not None


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "_KNOWN", {})
    monkeypatch.setattr(readings, "_LEFT", [1000])
    monkeypatch.setattr(readings, "MOST", 1000)
    for number in range(100):
        data = number.to_bytes(8, "little")
        assert DxPart("SFI0", data).reading.value.flags == number
        readings.keep_reading("SFI0", bytes(400), readings.PartReading(None))
    assert sum(len(data) for _, data in readings._KNOWN) <= 1000
    readings.keep_reading("SFI0", bytes(readings.LONGEST + 1), readings.PartReading(None))
    assert all(len(data) <= readings.LONGEST for _, data in readings._KNOWN)
