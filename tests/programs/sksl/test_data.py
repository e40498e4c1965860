"""SkSL programs as plain data."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.programs.sksl.samples import empty, indexed, program, statements, tinted, variable
from unshade.errors import FormatError, LimitError
from unshade.programs.sksl import Program
from unshade.programs.sksl.tree import SymbolTable


@pytest.mark.parametrize("make", [tinted, statements, empty])
def test_data_come_back(make: Callable[[], Program]) -> None:
    plain = json.loads(json.dumps(make().to_data()))
    assert Program.from_data(plain).encoded() == make().encoded()


def test_what_follows_is_left_out() -> None:
    table = SymbolTable()
    table.add(variable("a", "half"))
    assert program([], table).to_data() == {
        "program": {
            "kind": "RUNTIME_SHADER",
            "symbols": {
                "owned": [
                    {
                        "command": "Variable",
                        "id": 1,
                        "name": "a",
                        "type": "half",
                        "storage": "GLOBAL",
                    }
                ]
            },
            "elements": [],
        }
    }


def test_choices_of_a_file_are_in_the_data() -> None:
    table = SymbolTable()
    table.add(variable("a\x01b", "half"))
    pool, stream = program([], table).encoded()
    stream = stream.replace(bytes([55, 1, 0]), bytes([55, 9, 0]))
    stream = stream.replace(b"\x11\x02\x00", b"\x27\x10\0\0\0\0\x04\x00")
    made = Program.decode(stream, pool + b"\x04idle")
    plain: Any = json.loads(json.dumps(made.to_data()))
    assert plain["strings"] == ["a\x01b", "half", "idle"]
    (symbol,) = plain["program"]["symbols"]["owned"]
    assert (symbol["id"], symbol["modifiers"]) == (9, {"form": "Modifiers"})
    assert symbol["name"] == {"text": "b", "offset": 4}
    assert Program.from_data(plain).encoded() == made.encoded()


def owned(**changes: Any) -> dict[str, Any]:
    symbol = {"command": "Variable", "id": 1, "name": "a", "type": "half", "storage": "GLOBAL"}
    return {"owned": [{**symbol, **changes}]}


def unit(**changes: Any) -> dict[str, Any]:
    made = {"kind": "GENERIC", "language": "ES2", "symbols": {}, "elements": []}
    return {"program": {**made, **changes}}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "expected one of program, module"),
        ({"program": {}, "module": {}}, "expected one of program, module"),
        (unit() | {"odd": 1}, "unknown field 'odd'"),
        (unit(kind=5), "program.kind: expected one of FRAGMENT, VERTEX"),
        (unit(symbols=3), "program.symbols: expected a mapping, got int"),
        (unit(symbols=owned(id=0)), r"owned\[0\]: expected a number from 1 to 65534, got 0"),
        (unit(symbols=owned(name=7)), r"owned\[0\].name: expected text, got 7"),
        (unit(symbols=owned(name="x" * 256)), "at most 255 bytes, got 256"),
        (unit(symbols=owned(type=9)), r"type: no symbol has been given the number 9"),
        (unit(symbols=owned(command="Field")), r"owned\[0\].owner: owner is missing"),
        (unit(symbols=owned(modifiers={"flags": ["SHINY"]})), "expected a number, got 'SHINY'"),
        (unit(symbols=owned(modifiers={"form": "Short"})), "got 'Short'"),
        (unit(symbols={"names": [0]}), "names: expected an index of 0 symbols, got 0"),
        (unit(elements=[{"command": "Nop"}]), r"elements\[0\]: expected an element of a program"),
        (unit(elements=[{"command": "FunctionPrototype"}]), "declaration is missing"),
    ],
)
def test_invalid_data(data: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Program.from_data(data)


def test_nesting_is_limited() -> None:
    with pytest.raises(LimitError, match="nesting"):
        indexed(200).to_data()
    value: Any = {"command": "BoolLiteral", "value": True}
    for _ in range(200):
        value = {"command": "Prefix", "operator": "!", "operand": value}
    body = {
        "statements": [{"command": "ExpressionStatement", "expression": value}],
        "form": "UNBRACED",
    }
    main = {
        "command": "FunctionDeclaration",
        "id": 1,
        "name": "f",
        "parameters": [],
        "returns": "void",
    }
    elements = [{"command": "FunctionDefinition", "declaration": 1, "body": body}]
    with pytest.raises(LimitError, match="nesting"):
        Program.from_data(unit(symbols={"owned": [main]}, elements=elements))
