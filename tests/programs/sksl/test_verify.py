"""The rules for SkSL programs: each has a program that breaks it."""

from collections.abc import Callable

import pytest

from tests.programs.sksl.samples import (
    binary,
    block,
    call,
    declaration,
    declare_function,
    empty,
    function,
    half,
    integer,
    local,
    named,
    parameter,
    program,
    statements,
    tinted,
    use,
    variable,
)
from unshade.programs.sksl import Program
from unshade.programs.sksl.tables.enumerations import SkslProgramKind, SwizzleComponent
from unshade.programs.sksl.tree import (
    ChildCall,
    ConstructorSplat,
    DiscardStatement,
    Expression,
    ExpressionStatement,
    FunctionCall,
    FunctionDefinition,
    IfStatement,
    ModuleUnit,
    NamedSymbol,
    NopStatement,
    ProgramUnit,
    ReturnStatement,
    Statement,
    SwizzleExpression,
    SymbolTable,
    VariableDeclaration,
)
from unshade.programs.sksl.verify import RULES

A = local("a", "half")
TWO, THREE = use(local("u", "half2")), use(local("v", "half3"))


def body(*given: Statement) -> Program:
    table = SymbolTable()
    main = function("main", "half4", parameter("p", "float2"))
    declare_function(table, main)
    owned = block(declaration(A), *given, owned=[A])
    return program([FunctionDefinition(declaration=main, body=owned)], table)


def expression(value: Expression) -> Program:
    return body(ExpressionStatement(expression=value))


def wrong_call() -> FunctionCall:
    made = call("max", "half", use(A), half(1.0))
    made.arguments.pop()
    return made


def misdeclared() -> VariableDeclaration:
    return VariableDeclaration(variable=A, base=named("float"))


def loose(name: str, type_: str = "half") -> Program:
    table = SymbolTable()
    table.add(variable(name, type_))
    return program([], table)


def duplicates() -> Program:
    table = SymbolTable()
    for _ in range(2):
        table.add(variable("a", "half"))
    table.names["a"] = table.owned[0]
    table.owned.append(table.owned[0])
    return program([], table)


def patched(before: bytes, after: bytes, idle: bytes = b"") -> Program:
    pool, stream = loose("a").encoded()
    return Program.decode(stream.replace(before, after, 1), pool + idle)


def renamed() -> Program:
    table = SymbolTable()
    for each in "ab":
        table.add(variable(each, "half"))
    pool, stream = program([], table).encoded()
    return Program.decode(stream.replace(b"\2\0\0\0\1\0", b"\2\0\1\0\0\0"), pool)


def inner_string() -> Program:
    pool, stream = loose("a\x01b").encoded()
    return Program.decode(stream.replace(b"\x11\x02\x00", b"\x11\x04\x00"), pool)


three = SwizzleExpression(base=TWO, components=[SwizzleComponent.Z])
unknown = FunctionCall(
    type=named("half"), function=NamedSymbol(name="f", builtin=True), arguments=[]
)
overloaded = FunctionCall(
    type=named("half"),
    function=call("max", "half", half(0), half(0)).function,
    arguments=[use(A), use(local("m", "half2x2"))],
)
BROKEN: dict[str, Callable[[], Program]] = {
    "sksl.name": lambda: expression(unknown),
    "sksl.overload": lambda: Program.decode(*no_overload()),
    "sksl.call": lambda: expression(wrong_call()),
    "sksl.operands": lambda: expression(
        binary(use(local("u", "half2")), "+", use(local("v", "half3")))
    ),
    "sksl.condition": lambda: body(
        IfStatement(is_static=False, test=use(A), if_true=NopStatement())
    ),
    "sksl.constructor": lambda: expression(ConstructorSplat(type=named("half2"), arguments=[])),
    "sksl.field": lambda: expression(three),
    "sksl.return": lambda: body(ReturnStatement(value=use(A))),
    "sksl.declaration": lambda: body(misdeclared()),
    "sksl.identifier": lambda: loose("a b"),
    "sksl.duplicate": duplicates,
    "sksl.discard": lambda: body(DiscardStatement()),
    "sksl.held": lambda: expression(ChildCall(child=variable("image", "shader"))),
    "sksl.numbering": lambda: patched(bytes([55, 1, 0]), bytes([55, 9, 0])),
    "sksl.form": lambda: patched(bytes([17]), bytes([39, 16, 0, 0, 0, 0])),
    "sksl.names": renamed,
    "sksl.string": inner_string,
    "sksl.pool": lambda: patched(b"", b"", b"\x04idle"),
}


def no_overload() -> tuple[bytes, bytes]:
    """Return a program that calls max with a bool."""
    given = integer(1)
    made = call("max", "half", half(0.0), half(0.0))
    made.arguments = [given]
    pool, stream = body(ExpressionStatement(expression=made)).encoded()
    return stream, pool


def test_every_rule_can_be_broken() -> None:
    assert BROKEN.keys() == RULES.keys()


@pytest.mark.parametrize("code", BROKEN)
def test_a_broken_rule_is_reported(code: str) -> None:
    found = BROKEN[code]().verify()
    assert code in {each.code for each in found}


@pytest.mark.parametrize("make", [tinted, statements, empty])
def test_sound_programs(make: Callable[[], Program]) -> None:
    assert make().verify() == []


def test_findings_have_a_place() -> None:
    pool, stream = body(ReturnStatement(value=use(A))).encoded()
    (found,) = Program.decode(stream, pool).verify()
    assert found.path == "elements[0].body"
    assert found.offset is not None
    assert stream[found.offset] == 2  # Block
    assert found.message == "main: expected half4, got half"


@pytest.mark.parametrize("kind", list(SkslProgramKind))
def test_fragment_programs_may_discard(kind: SkslProgramKind) -> None:
    found = body(DiscardStatement())
    assert isinstance(found.unit, ProgramUnit)
    found.unit.kind = kind
    discards = [each for each in found.verify() if each.code == "sksl.discard"]
    assert (not discards) == (kind in (SkslProgramKind.FRAGMENT, SkslProgramKind.GRAPHITE_FRAGMENT))


def test_a_module_may_discard() -> None:
    """Its programs may be those of fragments."""
    main = function("f", "void")
    table = SymbolTable()
    declare_function(table, main)
    definition = FunctionDefinition(declaration=main, body=block(DiscardStatement()))
    found = Program(ModuleUnit(symbols=table, elements=[definition]))
    assert "sksl.discard" not in [each.code for each in found.verify()]
