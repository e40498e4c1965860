"""A file for each rule that breaks it, and nothing found where nothing is wrong."""
# ruff: noqa: E501  (the table is columns)

from collections.abc import Callable
from typing import Any

import pytest

import unshade
from tests.fixtures import shbin
from tests.fixtures.shbin import EMIT, PASS
from unshade import Diagnostic, Severity
from unshade.formats.shbin import Dvlb, Shbin
from unshade.formats.shbin.records import (
    BoolValue,
    Constant,
    ConstantType,
    FloatValue,
    IntValue,
    Label,
    Output,
    Relocation,
    Uniform,
    UnknownValue,
)
from unshade.formats.shbin.tables import TableFile
from unshade.formats.shbin.verify import RULES
from unshade.vocab.pica import OutputType

POSITION = Output(type=OutputType.POSITION, register=0, mask=0xF)


def vertex(**more: Any) -> TableFile:
    return shbin.simple(**more)


def outputs(*rows: Output, **more: Any) -> TableFile:
    return vertex(outputs=[POSITION, *rows], output_mask=0, **more)


def uniforms(*rows: Uniform) -> TableFile:
    return vertex(uniforms=list(rows))


def constant(type_: int, number: int, data: Any, **more: Any) -> TableFile:
    return vertex(constants=[Constant(type=type_, id=number, data=data)], **more)


def of_geometry(**more: Any) -> TableFile:
    return Shbin(
        Dvlb(dvlp=shbin.program(*PASS, *EMIT), dvles=[shbin.vertex(), shbin.geometry(3, 7, **more)])
    )


def bytes_changed(name: str, at: int, value: bytes) -> TableFile:
    """Return a fixture with other bytes at an offset in its DVLE."""
    data = bytearray(shbin.one_of_each()[name])
    at += int.from_bytes(data[8:12], "little")
    data[at : at + len(value)] = value
    shader = unshade.loads(data)
    assert isinstance(shader, TableFile)
    return shader


def gap() -> TableFile:
    data = shbin.one_of_each()["labelled"]
    dvle = int.from_bytes(data[8:12], "little")
    made = data[:8] + (dvle + 4).to_bytes(4, "little") + data[12:dvle] + bytes(4) + data[dvle:]
    shader = unshade.loads(made)
    assert isinstance(shader, TableFile)
    return shader


def trailing() -> TableFile:
    shader = shbin.simple()
    shader.trailing = b"more"
    return shader


def floats(*words: int) -> FloatValue:
    return FloatValue(value=list(words))


# fmt: off
BROKEN: dict[str, Callable[[], TableFile]] = {
    "shbin.experimental":      shbin.object_file,
    "shbin.no-executable":     Shbin,
    "shbin.geometry-alone":    lambda: Shbin(Dvlb(dvlp=shbin.program(*EMIT), dvles=[shbin.geometry(0, 4)])),
    "shbin.version":           lambda: vertex(version=0x1003),
    "shbin.layout":            gap,
    "shbin.trailing":          trailing,
    "shbin.padding":           lambda: constant(ConstantType.INT, 1, IntValue(value=[1, 0, 0, 0], unused=b"\1" + bytes(11))),
    "shbin.stage":             lambda: vertex(type=2),
    "shbin.flags":             lambda: vertex(flags=1),
    "shbin.entry":             lambda: vertex(main=3),
    "shbin.end":               lambda: vertex(end=4),
    "shbin.geometry-mode":     lambda: of_geometry(geometry_mode=3),
    "shbin.geometry-fields":   lambda: vertex(fixed_start=3),
    "shbin.geometry-range":    lambda: of_geometry(fixed_start=94, fixed_vertices=3),
    "shbin.input-mask":        lambda: vertex(input_mask=2, uniforms=[Uniform(symbol="in", start=0, end=0)]),
    "shbin.output-mask":       lambda: vertex(output_mask=3),
    "shbin.constant-type":     lambda: constant(3, 0, UnknownValue(value=[0] * 4)),
    "shbin.constant-register": lambda: constant(ConstantType.INT, 4, IntValue(value=[0] * 4)),
    "shbin.constant-twice":    lambda: vertex(constants=[Constant(type=0, id=1, data=BoolValue(value=v)) for v in (0, 1)]),
    "shbin.constant-value":    lambda: constant(ConstantType.FLOAT, 1, floats(1 << 24, 0, 0, 0)),
    "shbin.constant-unused":   lambda: constant(ConstantType.FLOAT, 20, floats(0, 0, 0, 0)),
    "shbin.constant-b15":      lambda: of_geometry(constants=[Constant(type=0, id=15, data=BoolValue(value=1))]),
    "shbin.output-type":       lambda: outputs(Output(type=7, register=1, mask=1)),
    "shbin.output-register":   lambda: outputs(Output(type=OutputType.COLOR, register=7, mask=1)),
    "shbin.output-components": lambda: outputs(Output(type=OutputType.COLOR, register=1, mask=0x10)),
    "shbin.output-empty":      lambda: outputs(Output(type=OutputType.COLOR, register=1, mask=0)),
    "shbin.output-shared":     lambda: outputs(Output(type=OutputType.COLOR, register=0, mask=1)),
    "shbin.output-repeated":   lambda: outputs(Output(type=OutputType.POSITION, register=1, mask=1)),
    "shbin.no-position":       lambda: vertex(outputs=[Output(type=OutputType.COLOR, register=0, mask=15)]),
    "shbin.uniform-range":     lambda: uniforms(Uniform(symbol="a", start=0x74, end=0x74)),
    "shbin.uniform-shared":    lambda: uniforms(Uniform(symbol="a", start=0x10, end=0x12), Uniform(symbol="b", start=0x12, end=0x12)),
    "shbin.uniform-name":      lambda: uniforms(Uniform(symbol="", start=0x10, end=0x12)),
    "shbin.label-offset":      lambda: vertex(labels=[Label(symbol="far", offset=4)]),
    "shbin.label-id":          lambda: vertex(labels=[Label(symbol="a"), Label(symbol="b")]),
    "shbin.symbol-size":       lambda: bytes_changed("labelled", 0x3C, b"\2"),
    "shbin.symbol-outside":    lambda: bytes_changed("labelled", 0x3C, b"\x0b"),
    "shbin.relocation-offset": lambda: shbin.object_file(relocations=[Relocation(offset=3)]),
    "shbin.line-count":        lambda: shbin.object_file(lines=shbin.object_file().record.lines[1:]),
}
# fmt: on


def found(shader: TableFile, code: str) -> list[Diagnostic]:
    return [each for each in shader.verify() if each.code == code]


def test_every_rule_has_a_file() -> None:
    assert BROKEN.keys() == RULES.keys()


@pytest.mark.parametrize("code", BROKEN)
def test_a_broken_rule_is_found(code: str) -> None:
    finding = found(BROKEN[code](), code)[0]
    assert finding.severity is RULES[code].severity
    assert finding.message[0].isalnum() or finding.message[0] in "'\""


@pytest.mark.parametrize("code", BROKEN)
def test_a_broken_rule_is_found_in_a_written_file(code: str) -> None:
    """At the same place, with an offset that the record's field has in the file."""
    shader = unshade.loads(BROKEN[code]().to_bytes())
    assert isinstance(shader, TableFile)
    finding = found(shader, code)[0]
    spans = {span.path: span.offset for span in reversed(shader.spans())}
    if finding.path in spans:
        assert finding.offset == spans[finding.path]
    elif code not in ("shbin.layout", "shbin.experimental", "shbin.no-executable"):
        inside = [at for path, at in spans.items() if path.startswith(finding.path)]
        assert finding.offset == min(inside)


@pytest.mark.parametrize("code", BROKEN)
def test_a_broken_file_breaks_only_its_rule(code: str) -> None:
    for shader in (shbin.simple(), shbin.pair()):
        assert not found(shader, code)


def test_findings_of_the_program_have_offsets_in_the_file() -> None:
    shader = shbin.pair()
    shader.dvlp.code[0] = 0x1F << 26
    finding = found(shader, "pica.unknown-opcode")[0]
    assert finding.path.startswith("DVLP.code[0]")
    assert finding.offset == {s.path: s.offset for s in shader.spans()}["DVLP.code[0]"]


def test_findings_of_reading_and_verifying_are_not_repeated() -> None:
    shader = shbin.simple()
    shader.findings.append(Diagnostic("asm.odd", Severity.WARNING, "odd"))
    assert [each.code for each in shader.diagnostics] == ["asm.odd"]
    assert [each.code for each in shader.verify()].count("asm.odd") == 1


def test_rules_of_the_format_and_its_programs() -> None:
    assert RULES.keys() < Shbin.rules().keys()
    assert "pica.missing-end" in Shbin.rules()
