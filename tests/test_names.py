"""Class names have one meaning in the package, and docstrings are summaries."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import unshade

pytestmark = pytest.mark.slow  # every module is parsed

PACKAGE = Path(unshade.__file__).parent

# What each family of programs has in the module of the same job; Op is also a row of ir/ops.py.
FURNITURE = frozenset({
    "BasicBlock", "Code", "Flow", "Instruction", "Lowering", "Op", "Operand", "Program",
    "Registers",
})  # fmt: skip
FAMILIES = ("program", "ir/ops")
QUESTIONS = ("What", "Whether", "How", "Where", "Which", "Who")


KINDS = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def definitions() -> list[tuple[str, KINDS]]:
    """Return each module, class and function, with the path of its module in the package."""
    found: list[tuple[str, KINDS]] = []
    for each in sorted(PACKAGE.rglob("*.py")):
        path = each.relative_to(PACKAGE).as_posix()
        found += (
            (path, node)
            for node in ast.walk(ast.parse(each.read_bytes()))
            if isinstance(node, KINDS)
        )
    return found


def test_a_class_name_has_one_meaning() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path, node in definitions():
        if isinstance(node, ast.ClassDef):
            homes[node.name].append(path)
    twice = {
        name: found
        for name, found in homes.items()
        if len(found) > 1
        and not (name in FURNITURE and all(each.startswith(FAMILIES) for each in found))
    }
    assert twice == {}


def test_docstrings_are_summaries() -> None:
    asked = [
        f"{path}: {doc.splitlines()[0]}"
        for path, node in definitions()
        if (doc := ast.get_docstring(node)) is not None
        if doc.partition(" ")[0] in QUESTIONS
    ]
    assert asked == []
