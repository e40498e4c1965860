"""The binary form of SkSL programs: numbers of symbols, the string pool, limits, refusals."""

import re
from collections.abc import Callable

import pytest

from tests.programs.sksl.samples import (
    block,
    declaration,
    declare_function,
    empty,
    function,
    half,
    indexed,
    integer,
    local,
    modifiers,
    named,
    one_of_each,
    program,
    statements,
    tinted,
    use,
    variable,
)
from unshade.errors import EncodeError, FormatError, LimitError, UnsupportedError
from unshade.limits import Limits
from unshade.programs.sksl import Program
from unshade.programs.sksl.builtins import parent_of
from unshade.programs.sksl.codec.pool import PooledStrings, read_strings, string_spans
from unshade.programs.sksl.tables.enumerations import SkslProgramKind
from unshade.programs.sksl.tree import (
    INT_LITERAL,
    ArrayDataType,
    ChildCall,
    Extension,
    FunctionDefinition,
    ModifiersDeclaration,
    ReturnStatement,
    Statement,
    Symbol,
    SymbolTable,
    VariableDeclaration,
    VariableSymbol,
)

PROGRAM, SYMBOL_TABLE = 43, 52


def decoded(made: Program) -> Program:
    pool, stream = made.encoded()
    return Program.decode(stream, pool)


@pytest.mark.parametrize("make", [tinted, statements, empty])
def test_bytes_come_back(make: Callable[[], Program]) -> None:
    made = make()
    found = decoded(made)
    assert found.encoded() == made.encoded()
    assert (found.odd, found.strings) == ({}, None)
    assert found == made


def test_a_symbol_of_a_block_is_written_again_after_it() -> None:
    array = ArrayDataType(component=named("half"), columns=2)
    first, second = (
        block(declaration(local(name, array), None), owned=[local(name, array)])
        for name in ("a", "b")
    )
    for each in (first, second):
        assert each.symbols is not None
        (statement,) = each.statements
        assert isinstance(statement, VariableDeclaration)
        each.symbols.owned[:] = [statement.variable]
        each.symbols.names = {statement.variable.name: statement.variable}
    commands = [each for each in returning(first, second).spans() if each.value == "ArrayType"]
    assert len(commands) == 2
    assert decoded(returning(first, second)) == returning(first, second)


def test_a_symbol_is_declared_before_it_is_used() -> None:
    with pytest.raises(EncodeError, match="a is used before it is declared"):
        returning(ReturnStatement(value=use(local("a", "half")))).encode()


def test_numbers_are_given_before_the_parts_of_a_symbol() -> None:
    """A set of overloads has a smaller number than the functions that it is the first to hold."""
    numbers = [each.value for each in statements().spans() if each.path.endswith(".number")]
    assert numbers == list(range(1, len(numbers) + 1))


def test_names_are_sorted_by_their_bytes() -> None:
    table = SymbolTable()
    for name in ("b", "a", "Z", "_"):
        table.add(variable(name, "half"))
    made = program([], table)
    listed = [each.value for each in made.spans() if ".names[" in each.path]
    assert listed == [2, 3, 1, 0]


def test_strings_stand_in_the_order_of_their_first_use() -> None:
    assert read_strings(tinted().encoded()[0]) == [
        "tint", "half4", "image", "shader", "float3", "weights", "turn", "float2x2", "p",
        "float2", "main", "half",
    ]  # fmt: skip


def test_spans_of_strings_are_their_size_and_their_bytes() -> None:
    data = b"\x01a\x00\x03bcd"
    assert [(each.offset, each.length, each.path, each.value) for each in string_spans(data)] == [
        (0, 1, "strings[0].size", 1), (1, 1, "strings[0]", "a"),
        (2, 1, "strings[1].size", 0),
        (3, 1, "strings[2].size", 3), (4, 3, "strings[2]", "bcd"),
    ]  # fmt: skip
    pool = tinted().encoded()[0]
    spans = string_spans(pool)
    assert sum(each.length for each in spans) == len(pool)
    assert [each.offset for each in spans[1:]] == [each.offset + each.length for each in spans[:-1]]


def test_the_pool_has_each_string_once_and_no_long_ones() -> None:
    pool = PooledStrings()
    assert [pool.offset(each) for each in ("", "a", "", "bc")] == [2, 3, 2, 5]
    assert (pool.text(5), pool.text(6), pool.text(1)) == ("bc", None, None)
    with pytest.raises(EncodeError, match="at most 255 bytes, got 256"):
        pool.offset("x" * 256)
    for number in range(256):
        pool.offset(f"{number:0255}")
    with pytest.raises(EncodeError, match="the string pool has more than"):
        pool.offset("x" * 255)


def test_a_pool_that_is_cut_off() -> None:
    with pytest.raises(FormatError, match=r"strings\[1\]: expected 3 bytes of a string, got 1"):
        read_strings(b"\x01a\x03b")


# -- choices of a file -------------------------------------------------------------------------


def test_an_odd_number_is_kept() -> None:
    table = SymbolTable()
    table.add(variable("a", "half"))
    pool, stream = program([], table).encoded()
    data = stream.replace(bytes([55, 1, 0]), bytes([55, 9, 0]))
    found = Program.decode(data, pool)
    assert found.odd == {"symbols.owned[0]": ("define", 9)}
    assert found.encoded() == (pool, data)
    assert [each.code for each in found.verify()] == ["sksl.numbering"]


def test_a_longer_form_of_modifiers_is_kept() -> None:
    table = SymbolTable()
    table.add(variable("a", "half"))
    pool, stream = program([], table).encoded()
    default, long = bytes([17]), bytes([39, 16, 0, 0, 0, 0])
    data = stream.replace(default, long, 1)
    found = Program.decode(data, pool)
    assert found.odd == {"symbols.owned[0].modifiers": ("form", "Modifiers")}
    assert found.encoded() == (pool, data)
    (symbol,) = found.unit.symbols.owned
    assert isinstance(symbol, VariableSymbol)
    symbol.modifiers.flags = 8  # the longer form still fits
    assert found.encode() == stream.replace(default, bytes([39, 16, 8, 0, 0, 0]), 1)


def test_an_order_of_names_is_kept_while_it_has_the_names() -> None:
    table = SymbolTable()
    for name in ("a", "b"):
        table.add(variable(name, "half"))
    pool, stream = program([], table).encoded()
    usual, odd = b"\2\0\0\0\1\0", b"\2\0\1\0\0\0"
    assert stream.count(usual) == 1
    data = stream.replace(usual, odd)

    def changed(name: str, symbol: Symbol | None) -> bytes:
        found = Program.decode(data, pool)
        if symbol is None:
            del found.unit.symbols.names[name]
        else:
            found.unit.symbols.names[name] = symbol
        return found.encode()

    found = Program.decode(data, pool)
    assert found.odd == {"symbols.names": ("names", [1, 0])}
    assert found.encoded() == (pool, data)
    assert stream.replace(usual, b"\1\0\0\0") == changed("b", None)
    other = Program.decode(data, pool).unit.symbols.owned[0]
    assert odd not in changed("b", other)  # another symbol of this name


def test_unused_strings_are_kept_until_they_are_dropped() -> None:
    pool, stream = empty().encoded()
    found = Program.decode(stream, pool + b"\x04idle")
    assert found.encoded() == (pool + b"\x04idle", stream)
    assert found.unused_strings() == ["idle"]
    found.drop_unused_strings()
    assert found.encoded() == (pool, stream)


def test_a_string_inside_another_is_kept() -> None:
    table = SymbolTable()
    table.add(variable("a\x01b", "half"))
    pool, stream = program([], table).encoded()
    data = stream.replace(b"\x11\x02\x00", b"\x11\x04\x00")
    found = Program.decode(data, pool)
    assert found.unit.symbols.owned[0].name == "b"
    assert found.encoded() == (pool, data)


# -- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "at 0x0: expected a command, got the end"),
        (bytes([1]), "at 0x0: expected the command Program or SymbolTable, got Binary"),
        (
            bytes([34]),
            "at 0x0: expected the command Program or SymbolTable, got unknown command 34",
        ),
        (bytes([PROGRAM, 11]), "at 0x1, kind: expected 0 to 10, got 11"),
        (bytes([PROGRAM, 5, 2]), "at 0x2, language: expected 0 to 1, got 2"),
        (bytes([PROGRAM, 5, 0, 20]), "at 0x3, symbols: expected a symbol table, got the command"),
        (bytes([PROGRAM, 5, 0, 52, 2]), "at 0x4, symbols.builtin: expected 0 or 1, got 2"),
        (
            bytes([PROGRAM, 5, 0, 52, 0, 1, 0, 51, 7, 0]),
            "at 0x8, symbols.owned[0]: no symbol has been given the number 7",
        ),
        (
            bytes([PROGRAM, 5, 0, 52, 0, 1, 0, 0, 1, 0, 51, 1, 0, 3]),
            "at 0xb, symbols.owned[0].component: no symbol has been given the number 1",
        ),
        (
            bytes([PROGRAM, 5, 0, 52, 0, 1, 0, 0, 0, 0]),
            "at 0x8, symbols.owned[0]: expected a number from 1 to 65534, got 0",
        ),
        (
            bytes([PROGRAM, 5, 0, 52, 0, 0, 0, 1, 0, 0, 0]),
            "at 0x9, symbols.names: expected an index of 0 symbols, got 0",
        ),
        (
            bytes([PROGRAM, 5, 0, 52, 0, 0, 0, 0, 0, 20, 21, 0, 99]),
            "at 0xc: expected the end after the last command, got 1 more bytes",
        ),
        (bytes([PROGRAM, 5, 0, 52, 0, 1, 0, 55, 1]), "expected 2 bytes, got 1"),
    ],
)
def test_malformed_commands(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        Program.decode(data, b"")


def test_an_unknown_version() -> None:
    with pytest.raises(UnsupportedError, match="version 9 is not supported: expected one of"):
        Program.decode(b"", b"", 9)


def returning(*statements: Statement) -> Program:
    table = SymbolTable()
    main = function("main", "half4")
    declare_function(table, main)
    return program([FunctionDefinition(declaration=main, body=block(*statements))], table)


def test_what_version_11_cannot_hold() -> None:
    child = variable("image", "shader")
    for statement, reason in (
        (ReturnStatement(value=ChildCall(child=child)), "value: version 11 cannot hold calls of"),
        (ReturnStatement(value=half(1e39)), "1e+39 does not fit a float of 32 bits"),
        (
            ReturnStatement(value=integer(1 << 31, INT_LITERAL)),
            "value.value: expected -2147483648 to 2147483647, got 2147483648",
        ),
    ):
        with pytest.raises(EncodeError, match=re.escape(reason)):
            returning(statement).encode()
    many = returning(*(ReturnStatement(value=None) for _ in range(256)))
    with pytest.raises(EncodeError, match="version 11 holds at most 255 statements, got 256"):
        many.encode()
    for element in (Extension(name="a"), ModifiersDeclaration(modifiers=modifiers())):
        with pytest.raises(EncodeError, match="version 11 cannot hold"):
            program([element], SymbolTable()).encode()


def test_builtin_variables_of_a_program_are_refused() -> None:
    """Skia's writer fails for them, since a program holds no builtin declaration of a variable."""
    found = parent_of(SkslProgramKind.PRIVATE_RUNTIME_SHADER).find("sk_FragCoord")
    assert isinstance(found, VariableSymbol)
    made = returning(ReturnStatement(value=use(found)))
    with pytest.raises(EncodeError, match="version 11 cannot hold sk_FragCoord in a program"):
        made.encode()


# -- bounds ------------------------------------------------------------------------------------


def nested(depth: int) -> bytes:
    """Return a program with one expression, nested to some depth, as bytes."""
    pool, stream = indexed(1).encoded()
    prefix = bytes([42, 1])
    assert stream.count(prefix) == 1
    return pool + stream.replace(prefix, prefix * depth)


def test_nesting_is_limited() -> None:
    pool, _ = indexed(1).encoded()
    deep = nested(100)[len(pool) :]
    assert Program.decode(deep, pool).encode() == deep
    for depth in (200, 10_000):
        with pytest.raises(LimitError, match="limit nesting = 128 exceeded"):
            Program.decode(nested(depth)[len(pool) :], pool)
    more = Limits(nesting=300)
    assert (
        Program.decode(nested(200)[len(pool) :], pool, limits=more).encode()
        == nested(200)[len(pool) :]
    )
    with pytest.raises(LimitError, match="nesting"):
        indexed(200).encode()


def test_nesting_of_types_is_limited() -> None:
    """Each array is of the one before: no command is in another, and yet the last is deep."""
    head = bytes([PROGRAM, 5, 0, SYMBOL_TABLE, 0, 0x10, 0x27, 0, 1, 0, 51, 255, 255, 2, 0, 1])
    rest = b"".join(
        bytes([0]) + number.to_bytes(2, "little") + bytes([51])
        + (number - 1).to_bytes(2, "little") + bytes([1])
        for number in range(2, 10_001)
    )  # fmt: skip
    with pytest.raises(LimitError, match="nesting = 128 exceeded: the data needs deeper nesting"):
        Program.decode(head + rest, b"\x05float")


def test_counts_are_not_believed() -> None:
    head = bytes([PROGRAM, 5, 0, SYMBOL_TABLE, 0])
    with pytest.raises(FormatError, match="expected a command, got the end"):
        Program.decode(head + b"\xff\xff", b"")


def test_commands_are_counted() -> None:
    pool, stream = statements().encoded()
    with pytest.raises(LimitError, match="limit instructions = 20 exceeded"):
        Program.decode(stream, pool, limits=Limits(instructions=20))


def test_samples_are_files() -> None:
    assert all(data[:2] == b"\x0b\0" for data in one_of_each().values())
