"""Scanners of source text, locations, and lists of errors."""

import pickle
import re

import pytest

from unshade.errors import AssembleError
from unshade.isa.source import LONGEST, ErrorList, Source

NAME = re.compile(r"[a-z]\w*")


def test_blanks_between_tokens_are_skipped() -> None:
    scanner = Source("\n  mov  r0 ,r1  // copy").scanner(2)
    scanner.cut("//", "#")
    assert scanner.take(NAME, "a mnemonic") == "mov"
    assert scanner.take(NAME, "a register") == "r0"
    scanner.expect(",")
    assert not scanner.accept("r2")
    assert scanner.take(NAME, "a register") == "r1"
    scanner.finish()


def test_a_byte_order_mark_and_no_break_spaces_have_no_meaning() -> None:
    scanner = Source("\ufeffmov\xa0r0").scanner(1)
    assert scanner.take(NAME, "a mnemonic") == "mov"
    assert scanner.take(NAME, "a register") == "r0"
    scanner.finish()


def test_the_error_draws_the_line_and_a_caret() -> None:
    scanner = Source("\tmov r0, 12q\r\n", "a.asm").scanner(1)
    scanner.take(NAME, "a mnemonic")
    scanner.take(NAME, "a register")
    scanner.expect(",")
    error = scanner.expected("a register")
    assert str(error) == (
        "a.asm:1:10: expected a register, got '12q'\n    \tmov r0, 12q\n    \t        ^~~"
    )
    assert (error.line, error.column, error.width) == (1, 10, 3)


def test_an_error_at_the_end_of_a_line() -> None:
    scanner = Source("mov").scanner(1)
    scanner.take(NAME, "a mnemonic")
    error = scanner.expected("a register")
    assert error.problem == "expected a register, got the end of the line"
    assert error.column == 4


def test_a_name_close_to_one_that_exists() -> None:
    scanner = Source("smaple r0").scanner(1)
    start = scanner.at
    name = scanner.take(NAME, "a mnemonic")
    error = scanner.unknown("operation", name, start, ["sample", "mov"])
    assert error.problem == "unknown operation 'smaple'; did you mean sample?"
    assert error.width == len("smaple")


def test_a_name_in_another_case() -> None:
    scanner = Source("MOV r0").scanner(1)
    error = scanner.unknown("operation", "MOV", 0, ["movc", "mov"])
    assert error.problem == "unknown operation 'MOV'; did you mean mov?"


def test_several_errors_are_reported() -> None:
    source = Source("one\n2\nthree\n4")
    mistakes = ErrorList()
    read = []
    for scanner in source.scanners():
        with mistakes:
            read.append(scanner.take(NAME, "a name"))
    assert read == ["one", "three"]
    with pytest.raises(AssembleError) as caught:
        mistakes.check()
    assert [each.line for each in caught.value.errors] == [2, 4]
    assert str(caught.value).count("expected a name") == 2
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)


def test_too_many_errors_end_the_run() -> None:
    def read_all(mistakes: ErrorList) -> None:
        for scanner in Source("?\n" * 50).scanners():
            with mistakes:
                scanner.take(NAME, "a name")

    with pytest.raises(AssembleError) as caught:
        read_all(ErrorList(most=3))
    assert len(caught.value.errors) == 3


def test_other_errors_pass_through() -> None:
    with pytest.raises(ZeroDivisionError), ErrorList():
        raise ZeroDivisionError


def test_a_line_of_a_megabyte_is_not_repeated() -> None:
    error = Source("x" * 1_000_000).scanner(1).expected("nothing")
    assert len(str(error)) < 1000


def test_too_many_nested_errors_are_reported_once() -> None:
    mistakes = ErrorList(most=3)

    def nested(depth: int) -> None:
        with mistakes:
            if depth:
                nested(depth - 1)
            raise Source("?").error("wrong", 1)

    with pytest.raises(AssembleError) as caught:
        nested(40)
    assert len(caught.value.errors) == 3


@pytest.mark.parametrize(
    ("length", "column", "shown"),
    [
        (LONGEST, 1, LONGEST), (LONGEST + 1, 1, LONGEST), (LONGEST + 1, LONGEST, LONGEST),
        (LONGEST + 1, LONGEST + 1, 0), (LONGEST, LONGEST, LONGEST),
    ],
)  # fmt: skip
def test_long_lines_are_shown_in_part(length: int, column: int, shown: int) -> None:
    error = Source("a" * length).error("odd", 1, column)
    assert (len(error.text), error.column) == (shown, column)


@pytest.mark.parametrize(
    ("line", "column", "width", "text", "marked"),
    [
        (1, 1, 3, "mov r0", 3), (1, 5, 9, "mov r0", 2), (1, 6, 1, "mov r0", 1),
        (1, 7, 4, "mov r0", 1), (1, 1, 0, "mov r0", 1), (2, 1, 1, "", 1), (3, 2, 2, "ret", 2),
        (0, 1, 1, "", 1), (4, 1, 1, "", 1),
    ],
)  # fmt: skip
def test_errors_mark_the_line(line: int, column: int, width: int, text: str, marked: int) -> None:
    error = Source("mov r0\r\n\nret", "a.asm").error("odd", line, column, width)
    assert (error.text, error.width, error.file) == (text, marked, "a.asm")
