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
from unshade.formats.sksl import SkslShader
from unshade.isa.source import Source
from unshade.programs.sksl import Program
from unshade.programs.sksl.tables.enumerations import SkslProgramKind, SwizzleComponent
from unshade.programs.sksl.tree import (
    BreakStatement,
    ChildCall,
    ConstructorSplat,
    ContinueStatement,
    DiscardStatement,
    DoStatement,
    Expression,
    ExpressionStatement,
    ForStatement,
    FunctionCall,
    FunctionDefinition,
    IfStatement,
    ModuleUnit,
    NamedSymbol,
    NopStatement,
    ProgramUnit,
    ReturnStatement,
    Statement,
    SwitchCase,
    SwitchStatement,
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


def misplaced(member: str, instances: str = "") -> Program:
    text = f"""
    layout(binding=1) uniform B {{ float a; {member}; }} named{instances};
    out float4 color;
    void main() {{ color = float4(1); }}
    """
    return SkslShader.assemble([Source(text)], kind="fragment").program


def bodiless() -> FunctionCall:
    return FunctionCall(type=named("half"), function=function("f", "half"), arguments=[])


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
    "sksl.offset": lambda: misplaced("layout(offset=4) float2 b"),
    "sksl.jump": lambda: body(BreakStatement()),
    "sksl.body": lambda: expression(bodiless()),
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


@pytest.mark.parametrize(
    ("member", "instances", "problem"),
    [
        ("layout(offset=8) float2 b", "", ""),
        ("layout(offset=32) float b[2]", "[3]", ""),
        ("layout(offset=4) float2 b", "", "b that is a multiple of 8, got 4"),
        ("layout(offset=8) float b[2]", "[3]", "b that is a multiple of 16, got 8"),
        ("layout(offset=0) float b", "", "b that is at least 4, got 0"),
        ("layout(offset=16) float3 b; layout(offset=24) float c", "",
         "c that is at least 28, got 24"),
    ],
)  # fmt: skip
def test_offsets_of_members(member: str, instances: str, problem: str) -> None:
    found = [each for each in misplaced(member, instances).verify() if each.code == "sksl.offset"]
    messages = [f"named: expected an offset of {problem}"] if problem else []
    assert [each.message for each in found] == messages
    assert all(each.path == "elements[0]" and each.offset is not None for each in found)


def loop(*inner: Statement) -> Statement:
    given = block(*inner)
    return ForStatement(symbols=None, initialiser=None, test=None, next=None, body=given)


def switch(*inner: Statement) -> Statement:
    case = SwitchCase(value=1, body=block(*inner))
    return SwitchStatement(is_static=False, symbols=None, value=integer(1), cases=[case])


def test_loops_and_switches_that_are_left() -> None:
    leave, go_on = BreakStatement(), ContinueStatement()
    repeat = DoStatement(body=block(leave, go_on), test=use(local("t", "bool")))
    for given in (loop(leave, go_on), switch(leave), repeat, loop(switch(leave), go_on),
                  switch(loop(go_on))):  # fmt: skip
        assert [each for each in body(given).verify() if each.code == "sksl.jump"] == []
    for given, message in [
        (leave, "expected a loop or switch around break"),
        (block(leave), "expected a loop or switch around break"),
        (go_on, "expected a loop around continue"),
        (loop(switch(go_on)), "expected a loop around continue, got a switch"),
    ]:
        found = [each.message for each in body(given).verify() if each.code == "sksl.jump"]
        assert found == [message]
