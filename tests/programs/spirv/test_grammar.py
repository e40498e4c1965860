"""The grammar table is what tools/spirv_grammar.py makes of Khronos' grammar."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from unshade.programs.spirv.tables.grammar import grammar

VARIABLE = "UNSHADE_SPIRV_HEADERS"  # a checkout of SPIRV-Headers, at the table's revision
TOOL = Path(__file__).parents[3] / "tools" / "spirv_grammar.py"
NUMBERS = TOOL.with_name("spirv_numbers.py")


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


@pytest.mark.slow
def test_the_numbers_are_those_of_the_table() -> None:
    done = subprocess.run([sys.executable, NUMBERS, "--check"], check=False)
    assert done.returncode == 0, "run: python tools/spirv_numbers.py"
