"""Class names have one meaning in the package, and docstrings are summaries."""

import ast
from collections import defaultdict
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


def trees() -> list[tuple[str, ast.Module]]:
    """Return (path in the package, syntax tree) of each module."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return [(each.relative_to(PACKAGE).as_posix(), ast.parse(each.read_bytes())) for each in paths]


def test_a_class_name_has_one_meaning() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in trees():
        for node in ast.walk(tree):
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
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    asked = [
        f"{path}: {doc.splitlines()[0]}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, kinds) and (doc := ast.get_docstring(node)) is not None
        if doc.partition(" ")[0] in QUESTIONS
    ]
    assert asked == []
