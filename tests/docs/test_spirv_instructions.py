"""The page says of every instruction whether it runs, from the tables of the lowering."""

import re

from tools.pages.spirv import is_no_code, page, run_column
from unshade.programs.spirv.lower import HANDLERS
from unshade.programs.spirv.lower.refused import reason_of
from unshade.programs.spirv.tables.grammar import grammar
from unshade.programs.spirv.tables.numbers import Opcode

ROW = re.compile(r"^\| (\d+) \| `(\w+)` \| .* \| ([^|]+) \|$", re.M)


def test_rows_of_the_page() -> None:
    rows = {int(code): (name, run) for code, name, run in ROW.findall(page())}
    assert rows.keys() == grammar().core.by_code.keys()
    for code, (name, run) in rows.items():
        assert (run == "yes") == (code in HANDLERS or is_no_code(f"Op{name}")), name
        if run != "yes":
            assert run == f"no: {reason_of(f'Op{name}')}", name


def test_a_row_of_each_kind() -> None:
    assert run_column(Opcode.FAdd, "OpFAdd") == "yes"
    assert run_column(Opcode.TypeFloat, "OpTypeFloat") == "yes"
    assert run_column(4445, "OpTraceRayKHR") == "no: ray tracing"
