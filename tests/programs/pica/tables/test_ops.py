"""The table of operations: complete, consistent with the formats, and what it says of operands."""

from __future__ import annotations

import pytest

from unshade.programs.pica import Instruction, OperandDescriptor
from unshade.programs.pica.operands import Condition
from unshade.programs.pica.spans import used_fields
from unshade.programs.pica.tables.fields import FORMATS
from unshade.programs.pica.tables.ops import BY_OPCODE, INVERTED, OPS, Op

pytestmark = pytest.mark.fast

UNKNOWN = {0x10, 0x11, *range(0x14, 0x18), *range(0x1C, 0x20)}


def test_every_opcode_has_one_row_or_none() -> None:
    assert {code for code, op in enumerate(BY_OPCODE) if op is None} == UNKNOWN
    assert sum(op.span for op in OPS) == 64 - len(UNKNOWN)
    assert {op.format for op in OPS} == set(FORMATS)


@pytest.mark.parametrize("op", OPS.rows, ids=lambda op: op.name)
def test_a_row_is_whole(op: Op) -> None:
    assert op.doc.endswith(".")
    assert not op.cases or op.cases.endswith(".")
    assert not op.errata or op.errata.endswith(".")
    assert len(op.reads) == len(op.sources)
    opcode = op.format.FIELDS[-1]
    assert 1 << (6 - opcode.width) == op.span
    assert all(hasattr(op.format, name) for name in used_fields(op))
    assert op.kept <= set(op.sources)
    assert bool(op.reads) == hasattr(op.format, "desc")


def test_wide_sources() -> None:
    assert {op.name: op.wide for op in OPS if op.wide and op.wide != "src1"} == {
        "dphi": "src2", "dsti": "src2", "sgei": "src2", "slti": "src2", "mad": "src2",
        "madi": "src3",
    }  # fmt: skip
    for plain, other in INVERTED.items():
        assert OPS[plain].operands == OPS[other].operands
        assert OPS[plain].reads == OPS[other].reads


def test_components_that_are_read() -> None:
    assert OPS["add"].components(0, "xz") == "xz"
    assert OPS["dp3"].components(1, "w") == "xyz"
    assert OPS["dph"].components(0, "x") == "xyz"
    assert OPS["dph"].components(1, "x") == "xyzw"
    assert OPS["rcp"].components(0, "yz") == "x"
    assert OPS["mova"].components(0, "y") == "y"
    assert OPS["cmp"].components(1, "") == "xy"
    assert OPS["litp"].components(0, "z") == "xw"
    assert OPS["litp"].components(0, "y") == "xyw"
    assert [OPS["dst"].components(n, "xyzw") for n in (0, 1)] == ["yz", "yw"]
    assert OPS["dst"].components(1, "x") == ""


def test_components_that_picasso_keeps() -> None:
    assert OPS["cmp"].claims(0, "") == "xy"
    assert OPS["cmp"].claims(1, "") == "xyzw"
    assert OPS["dst"].claims(0, "x") == "xyzw"
    assert OPS["mul"].claims(1, "y") == "y"


@pytest.mark.parametrize("op", OPS.rows, ids=lambda op: op.name)
def test_operands_of_a_word(op: Op) -> None:
    """In the order of the table, for any word of the operation."""
    for rest in (0, 0x03FF_FFFF, 0x0155_5555):
        word = op.code << 26 | rest & ((1 << op.format.FIELDS[-1].low) - 1)
        instruction = Instruction(word)
        assert instruction.op is op
        found = instruction.operands_by([OperandDescriptor(0x5A5A_5A5A)] * 128)
        assert len(found) == len(op.operands)
        assert all(str(each) for each in found)


def test_conditions() -> None:
    texts = {
        0: "cmp.x || !cmp.y", 1: "cmp.x && !cmp.y", 2: "cmp.x", 3: "!cmp.y",
    }  # fmt: skip
    for op, text in texts.items():
        condition = Condition(op, True, False)
        assert str(condition) == text
        python = text.replace("||", "or").replace("&&", "and").replace("!", "not ")
        for x in (False, True):
            for y in (False, True):
                meant = eval(python.replace("cmp.x", str(x)).replace("cmp.y", str(y)))
                assert condition.holds(x, y) == meant
