"""Mutants of SkSL programs: changes of the typed tree, written as a file again.

    a * b        a - b                     another operator of its kind
    f(x, 0.5)    f(x, -1e9)                another literal, or another value of the type
    s1; s2;      if (t) { s2; } s1; s1;    statements moved, repeated, removed, enclosed

Expressions are replaced by others of their type from anywhere in the program, so that variables are
also used where they do not exist.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple

from unshade.formats.sksl import SkslShader
from unshade.programs.sksl.tables.operators import Operator
from unshade.programs.sksl.tree import Expression, TreeNode, walk
from unshade.programs.sksl.tree.expressions import (
    BinaryExpression,
    BoolLiteral,
    FloatLiteral,
    FunctionCall,
    IntLiteral,
    SwizzleExpression,
)
from unshade.programs.sksl.tree.named_types import BOOL
from unshade.programs.sksl.tree.node import inner_fields
from unshade.programs.sksl.tree.statements import (
    BlockStatement,
    BreakStatement,
    ContinueStatement,
    DoStatement,
    IfStatement,
    Statement,
)

__all__ = ["changed_bytes", "changed_tree"]

COUNTS = (1, 1, 1, 2, 2, 3, 5)
ARITHMETIC = (Operator.PLUS, Operator.MINUS, Operator.STAR, Operator.SLASH)
GROUPS = (
    ARITHMETIC,
    (Operator.EQEQ, Operator.NEQ),
    (Operator.LT, Operator.GT, Operator.LTEQ, Operator.GTEQ),
    (Operator.LOGICAL_AND, Operator.LOGICAL_OR, Operator.LOGICAL_XOR),
    (Operator.EQ, Operator.PLUS_EQ, Operator.MINUS_EQ, Operator.STAR_EQ, Operator.SLASH_EQ),
    (Operator.BITWISE_AND, Operator.BITWISE_OR, Operator.BITWISE_XOR),
    (Operator.SHL, Operator.SHR),
)
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e9, -1e9, 1e-40, 3.0e38, 255.0)
INTEGERS = (0, 1, -1, 2, 3, 7, 100, 0x7FFF_FFFF, -0x8000_0000)


class Place(NamedTuple):
    """A node that another has: in a field, or at a number of a list."""

    parent: TreeNode
    field: str
    number: int | None
    node: TreeNode

    def set(self, node: TreeNode) -> None:
        """Put another node there."""
        if self.number is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.number] = node


def copied(node: TreeNode) -> TreeNode:
    """Return a copy of a node and all in it; symbols and types stay the same."""
    made = copy(node)
    for name in inner_fields(type(node)):
        found: Any = getattr(node, name)
        if isinstance(found, list):
            setattr(made, name, [copied(each) for each in found])
        elif found is not None:
            setattr(made, name, copied(found))
    return made


class Tree:
    """A program with its places."""

    def __init__(self, unit: TreeNode, chance: random.Random) -> None:
        self.unit = unit
        self.chance = chance

    def places(self) -> Iterator[Place]:
        """Iterate over all places but that of the unit."""
        for each in walk(self.unit):
            for name in inner_fields(type(each)):
                found: Any = getattr(each, name)
                if isinstance(found, list):
                    yield from (Place(each, name, at, one) for at, one in enumerate(found))
                elif found is not None:
                    yield Place(each, name, None, found)

    def place(self, *kinds: type[TreeNode]) -> Place:
        """Return the place of a random node; IndexError if there is none of the kinds."""
        return self.chance.choice([each for each in self.places() if isinstance(each.node, kinds)])

    def like(self, expression: Expression) -> Expression:
        """Return a random expression of the same type."""
        type = expression.type.resolved
        found = [
            each.node
            for each in self.places()
            if isinstance(each.node, Expression) and each.node.type.resolved is type
        ]
        return self.copied(found)

    def copied(self, some: Sequence[TreeNode]) -> Expression:
        """Return a copy of a random one of some expressions: a node must not contain itself."""
        made = copied(self.chance.choice(some))
        assert isinstance(made, Expression)
        return made


# ---------------------------------------------------------------- expressions


def _other_value(tree: Tree) -> None:
    place = tree.place(Expression)
    assert isinstance(place.node, Expression)
    place.set(tree.like(place.node))


def _other_operator(tree: Tree) -> None:
    node = tree.place(BinaryExpression).node
    assert isinstance(node, BinaryExpression)
    group = next(each for each in (*GROUPS, (node.operator,)) if node.operator in each)
    node.operator = tree.chance.choice(group)


def _other_literal(tree: Tree) -> None:
    node = tree.place(FloatLiteral, IntLiteral, BoolLiteral).node
    if isinstance(node, FloatLiteral):
        node.value = tree.chance.choice((*FLOATS, tree.chance.uniform(-4.0, 4.0)))
    elif isinstance(node, IntLiteral):
        node.value = tree.chance.choice((*INTEGERS, tree.chance.randrange(16)))
    elif isinstance(node, BoolLiteral):
        node.value = not node.value


def _other_components(tree: Tree) -> None:
    node = tree.place(SwizzleExpression).node
    assert isinstance(node, SwizzleExpression)
    tree.chance.shuffle(node.components)
    if tree.chance.random() < 0.5:
        node.components = [tree.chance.choice(node.components) for _ in node.components]


def _other_function(tree: Tree) -> None:
    node = tree.place(FunctionCall).node
    assert isinstance(node, FunctionCall)
    alike = [
        each.node
        for each in tree.places()
        if isinstance(each.node, FunctionCall)
        and len(each.node.arguments) == len(node.arguments)
        and each.node.type.resolved is node.type.resolved
    ]
    node.function = tree.chance.choice(alike).function


def _other_argument(tree: Tree) -> None:
    node = tree.place(FunctionCall).node
    assert isinstance(node, FunctionCall)
    at = tree.chance.randrange(len(node.arguments))
    other = tree.copied([tree.place(Expression).node])
    node.arguments[at] = tree.like(node.arguments[at]) if tree.chance.random() < 0.7 else other


# ---------------------------------------------------------------- statements


def _block(tree: Tree) -> BlockStatement:
    node = tree.place(BlockStatement).node
    assert isinstance(node, BlockStatement)
    return node


def _remove(tree: Tree) -> None:
    some = _block(tree).statements
    del some[tree.chance.randrange(len(some))]


def _repeat(tree: Tree) -> None:
    some = _block(tree).statements
    made = copied(tree.chance.choice(some))
    assert isinstance(made, Statement)
    some.insert(tree.chance.randrange(len(some)), made)


def _move(tree: Tree) -> None:
    one, other = _block(tree).statements, _block(tree).statements
    taken = one.pop(tree.chance.randrange(len(one)))
    other.insert(tree.chance.randrange(len(other) + 1), taken)


def _leave(tree: Tree) -> None:
    some = _block(tree).statements
    made = tree.chance.choice((BreakStatement, ContinueStatement))()
    some.insert(tree.chance.randrange(len(some) + 1), made)


def _enclose(tree: Tree) -> None:
    """Put a statement into a branch, or into a loop that runs while a condition holds."""
    some = _block(tree).statements
    at = tree.chance.randrange(len(some))
    tests = [
        each.node
        for each in tree.places()
        if isinstance(each.node, Expression) and each.node.type.resolved is BOOL
    ]
    test = tree.copied(tests)
    statement: Statement = some[at]
    if tree.chance.random() < 0.7:
        some[at] = IfStatement(is_static=False, test=test, if_true=statement)
    else:
        some[at] = DoStatement(body=statement, test=test)


CHANGES: tuple[tuple[int, Callable[[Tree], None]], ...] = (
    (6, _other_value), (4, _other_operator), (5, _other_literal), (2, _other_components),
    (4, _other_function), (3, _other_argument), (1, _remove), (1, _repeat), (1, _move),
    (1, _leave), (3, _enclose),
)  # fmt: skip


def changed_tree(shader: SkslShader, chance: random.Random) -> bytes:
    """Return a file with a changed tree.

    Raises:
        EncodeError: The changes cannot be written.
    """
    tree = Tree(shader.program.unit, chance)
    changes = [change for _, change in CHANGES]
    weights = [weight for weight, _ in CHANGES]
    for _ in range(chance.choice(COUNTS)):
        try:
            chance.choices(changes, weights)[0](tree)
        except (IndexError, ValueError):  # there is nothing of the kind to change
            continue
        for each in walk(tree.unit):
            if isinstance(each, Expression):
                each.cached = None
    return SkslShader(shader.program).to_bytes()


def changed_bytes(data: bytes, chance: random.Random) -> bytes:
    """Return a file with one to four other bytes."""
    made = bytearray(data)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(4, len(made))
        made[at] = chance.choice((made[at] ^ 1 << chance.randrange(8), chance.randrange(256)))
    return bytes(made)
