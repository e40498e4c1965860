"""The table of operations is complete and agrees with itself."""

from __future__ import annotations

import pytest

from unshade.isa import Word
from unshade.programs.tpf.tables.ops import LETTERS, OPS, Op
from unshade.programs.tpf.tables.tokens import CustomData, OpcodeToken, Sync

SEPARATORS = {107, 112, 209, 218}
SOURCES = set("fiudxcv")


def test_every_opcode_has_a_row() -> None:
    assert set(OPS.by_code) == set(range(235)) - SEPARATORS


def test_mnemonics_are_unique() -> None:
    assert len(OPS.by_name) == len(OPS)


@pytest.mark.parametrize("op", OPS.rows, ids=lambda op: op.name)
def test_row(op: Op) -> None:
    assert set(op.operands) <= set(LETTERS)
    assert op.precision < 1 << len(op.operands), "a mask for operands that are not there"
    assert op.stages
    assert op.since in {(4, 0), (4, 1), (5, 0)}
    assert op.doc.endswith(".")
    assert op.doc[0].isupper()
    assert issubclass(op.controls, Word)
    assert not (op.blank and op.operands and op.kind != "decl")
    if op.name != "swapc":  # ShaderBinary.cpp names its second destination, and nothing else
        converted = {letter for at, letter in enumerate(op.operands) if op.precision >> at & 1}
        assert converted <= SOURCES
    arrays = [name for name in op.dwords if name.endswith("[]")]
    assert arrays in ([], list(op.dwords[-1:]))


def test_controls_go_with_the_flags() -> None:
    for op in OPS:
        named = {field.name for field in op.controls.FIELDS}
        if op.saturate:
            assert "saturate" in named, op
        if op.precise:
            assert "precise" in named, op
        assert op.test == ("test_nonzero" in named), op
        assert issubclass(op.controls, OpcodeToken) or op.controls is CustomData
    assert OPS["sync"].controls is Sync


def test_names_of_dwords() -> None:
    interface = OPS["dcl_interface"]
    assert [interface.dword_name(at) for at in range(5)] == [
        "interface", "call_sites", "lengths", "tables[0]", "tables[1]",
    ]  # fmt: skip
    assert OPS["dcl_temps"].dword_name(0) == "count"
    assert OPS["dcl_temps"].dword_name(1) == ""
    assert OPS["add"].dword_name(0) == ""


def test_only_fcall_has_a_dword_before_its_operands() -> None:
    assert [op.name for op in OPS if op.leading] == ["fcall"]


def test_models_and_needs() -> None:
    assert OPS["add"].since == (4, 0)
    assert OPS["gather4"].since == (4, 1)
    assert OPS["rcp"].since == (5, 0)
    assert OPS["dfma"].needs == "double_extensions"
    assert OPS["msad"].needs == "shader_extensions"
    assert OPS["ld_s"].needs == "tiled"


@pytest.mark.parametrize("name", ["gather4_po", "gather4_po_c", "gather4_po_s", "gather4_po_c_s"])
def test_gather4_po_takes_floats_printed_as_integers(
    name: str,
) -> None:
    row = OPS[name]
    status, reference = "N" * name.endswith("_s"), "f" * ("_c" in name)
    assert row.operands == f"D{status}fiTS{reference}"
    assert row.printed == row.operands.replace("f", "i")
