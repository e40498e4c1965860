"""Operands that refer to the metadata of an entry point; the size of a thread group."""

import pytest

from tests.programs.dxil.dependence.support import program, read, write
from tests.programs.dxil.lower.support import compute
from unshade.programs.dxil import Code
from unshade.programs.dxil.verify import verify

HANDLE = "%dx.types.Handle"
BIND = "%dx.types.ResBind"


def found(code: Code) -> list[tuple[str, str]]:
    code.rewrite()
    return [(each.code, each.message) for each in verify(Code.decode(code.encode()))]


@pytest.mark.parametrize(
    ("element", "row", "column", "problem"),
    [
        (1, 1, 1, None),
        (1, "%r", 0, None),
        (2, 0, 0, "no input has the number 2"),
        (1, 2, 0, "expected a row below 2 of B, got 2"),
        (1, 0, 2, "expected a column below 2 of B, got 2"),
    ],
)
def test_elements_that_are_read(
    element: int, row: int | str, column: int, problem: str | None
) -> None:
    body = "%r = add i32 0, 1", f"%x = {read(element, row, column)}", "ret void"
    messages = [message for code, message in found(program(*body)) if code == "dxil.element"]
    assert messages == ([f"call: LoadInput: {problem}"] if problem else [])


def test_elements_that_are_written() -> None:
    body = write("1.0", 1, 0, 1), write("1.0", 5), "ret void"
    assert [each for each in found(program(*body)) if each[0] == "dxil.element"] == [
        ("dxil.element", "call: StoreOutput: expected a column below 1 of D, got 1"),
        ("dxil.element", "call: StoreOutput: no output has the number 5"),
    ]


@pytest.mark.parametrize(
    ("group", "number", "register", "problem"),
    [
        (1, 0, 1, None),
        (1, 0, 0, "expected a register from 1 to 1, got 0"),
        (1, 0, 2, "expected a register from 1 to 1, got 2"),
        (0, 1, 0, "no range of class 0 has the number 1"),
        (7, 0, 0, "no range of class 7 has the number 0"),
    ],
)
def test_handles_by_number(group: int, number: int, register: int, problem: str | None) -> None:
    body = f"""
  %h = call {HANDLE} @dx.op.createHandle(i32 57, i8 {group}, i32 {number}, i32 {register}, \
i1 false)"""
    expected = [("dxil.resource", f"call: CreateHandle: {problem}")] if problem else []
    assert found(compute(body)) == expected


@pytest.mark.parametrize(
    ("binding", "register", "problem"),
    [
        ("{ i32 1, i32 1, i32 0, i8 1 }", 1, None),
        ("zeroinitializer", 0, None),
        ("{ i32 1, i32 1, i32 0, i8 1 }", 2, "expected a register from 1 to 1, got 2"),
        ("{ i32 1, i32 2, i32 0, i8 1 }", 1, "no range contains u1 to u2, space 0"),
        ("{ i32 0, i32 0, i32 3, i8 0 }", 0, "no range contains t0 to t0, space 3"),
    ],
)
def test_handles_by_register(binding: str, register: int, problem: str | None) -> None:
    body = f"""
  %h = call {HANDLE} @dx.op.createHandleFromBinding(i32 217, {BIND} {binding}, i32 {register}, \
i1 false)"""
    code = compute(body, before=f"{BIND} = type {{ i32, i32, i32, i8 }}")
    expected = [("dxil.resource", f"call: CreateHandleFromBinding: {problem}")] if problem else []
    assert found(code) == expected


@pytest.mark.parametrize(
    ("threads", "is_mesh", "is_valid"),
    [
        ((32, 32, 1), False, True),
        ((16, 1, 64), False, True),
        ((32, 32, 2), False, False),
        ((1, 1, 65), False, False),
        ((0, 1, 1), False, False),
        ((128, 1, 1), True, True),
        ((64, 4, 1), True, False),
    ],
)
def test_thread_groups(threads: tuple[int, int, int], is_mesh: bool, is_valid: bool) -> None:
    more = ", i32 10, !20" if is_mesh else ""
    code = compute("", threads=threads, more=more, after="!20 = !{!9, i32 0}\n" if is_mesh else "")
    assert {each for each, _ in found(code)} == (set() if is_valid else {"dxil.threads"})
