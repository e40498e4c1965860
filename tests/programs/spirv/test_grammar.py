"""The grammar table is what tools/spirv_grammar.py makes of Khronos' grammar."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import spirv_numbers
from unshade.programs.spirv.tables.grammar import grammar
from unshade.programs.spirv.tables.numbers import GlslStd450, Opcode

VARIABLE = "UNSHADE_SPIRV_HEADERS"  # a checkout of SPIRV-Headers, at the table's revision
TOOL = Path(__file__).parents[3] / "tools" / "spirv_grammar.py"


def test_the_table_is_fresh() -> None:
    folder = os.environ.get(VARIABLE)
    if not folder:
        pytest.skip(f"{VARIABLE} names no checkout of SPIRV-Headers")
    done = subprocess.run([sys.executable, TOOL, folder, "--check"], check=False)
    assert done.returncode == 0, f"run: python tools/spirv_grammar.py {folder}"


def test_the_table_says_where_it_is_from() -> None:
    table = grammar()
    assert len(table.revision) == 40
    assert len(table.set_names) == 18


@pytest.mark.fast
def test_the_numbers_are_those_of_the_table() -> None:
    table = json.loads((spirv_numbers.FOLDER / "grammar.json").read_text(encoding="utf-8"))
    made = spirv_numbers.text(table)
    assert spirv_numbers.MODULE.read_text(encoding="utf-8") == made, (
        "run: python tools/spirv_numbers.py"
    )
    assert Opcode.FMul == 133
    assert GlslStd450.Pow == 26
