"""The table of operations, which code compares by identity, never by name."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import unshade
from tests.corpus import REPOSITORY
from tools import ir_builder
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.ops import OPS, Op

SOURCE = Path(unshade.__file__).parent
BUILDERS = ("b", "m", "builder")
ASKS = ("ir", "vm", "run", "programs/tpf/lower", "programs/pica/lower")


def test_a_name_is_typed_once() -> None:
    for name, op in vars(type(OPS)).items():
        if isinstance(op, Op):
            assert op.name == name.removesuffix("_")
            assert OPS[op.name] is op
    assert len(OPS) == len(list(OPS)) == len(OPS.by_name)


def test_columns_hold_documented_letters() -> None:
    for op in OPS:
        assert set(op.operands) <= set("bifnxIt*"), op.name
        assert op.result in ("=", "=i", "=f", "~i", "~f", "b", "I", "v", "t", *op.operands), op.name
        assert set(op.flags) <= set("pacmbxw"), op.name
        assert op.doc, op.name


def test_the_builder_is_up_to_date() -> None:
    stands = (SOURCE / "ir" / "operators.py").read_text("utf-8")
    assert stands == ir_builder.made(), "run: python tools/ir_builder.py"


def test_the_builder_has_a_method_of_every_operation() -> None:
    for name, op in vars(type(OPS)).items():
        if isinstance(op, Op) and op is not OPS.const:
            assert callable(getattr(Builder, name))
    with pytest.raises(AttributeError):
        Builder(KernelIR()).nonsense  # type: ignore[attr-defined]  # noqa: B018


def asks_by_name(tree: ast.Module) -> Iterator[int]:
    """Yield the lines that compare an operation by name.

    `x.op.name` (and `op.name`) may be printed, but not compared, matched, looked up or tested for
    a prefix; nor may a variable assigned from it in the same function. Builders take rows of the
    table, not names.
    """
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    inside = {each for function in functions for each in ast.walk(function)}
    for function in functions:
        yield from _asked(list(ast.walk(function)))
    yield from _asked([each for each in ast.walk(tree) if each not in inside])


def _asked(nodes: list[ast.AST]) -> Iterator[int]:
    names = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _is_name(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }

    def named(node: ast.AST) -> bool:
        return _is_name(node) or (isinstance(node, ast.Name) and node.id in names)

    for node in nodes:
        match node:
            case ast.Compare(left=left, comparators=others) if any(map(named, (left, *others))):
                yield node.lineno
            case ast.Match(subject=subject) if named(subject):
                yield node.lineno
            case ast.Subscript(slice=key) if named(key):
                yield node.lineno
            case ast.Call(func=ast.Attribute(value=of)) if named(of):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr="get"), args=args) if any(map(named, args)):
                yield node.lineno
            case ast.Call(func=ast.Attribute(attr="make", value=of), args=[op, *_]) if _is_builder(
                of
            ) and (named(op) or _is_text(op)):
                yield node.lineno


def _is_builder(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in BUILDERS
    return False


def _is_text(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
    return False


def _is_name(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr="name", value=ast.Name(id="op") | ast.Attribute(attr="op")):
            return True
    return False


def test_the_search_finds_each_way() -> None:
    ways = """
if value.op.name == "iadd": pass
if "iadd" != op.name: pass
if op.name in TABLE: pass
TABLE[value.op.name]
TABLE.get(value.op.name)
value.op.name.startswith("atomic")
name = value.op.name
if name == "iadd": pass
match name:
    case "iadd": pass
raise ValueError(f"no {value.op.name}")
if memory.name == "icb": pass
b.make("iadd", x, y)
self.builder.make(f"atomic_{word}", x)
self.b.make(value.op.name, x)
t.make("fadd double %1, %2")
b.make(OPS.iadd, x, y)
"""
    assert sorted(asks_by_name(ast.parse(ways))) == [2, 3, 4, 5, 6, 7, 9, 10, 14, 15, 16]


@pytest.mark.slow
def test_operations_are_not_compared_by_name() -> None:
    found = [
        f"{path.relative_to(REPOSITORY)}:{line}"
        for folder in ASKS
        for path in sorted((SOURCE / folder).rglob("*.py"))
        for line in asks_by_name(ast.parse(path.read_text("utf-8")))
    ]
    assert not found, found
