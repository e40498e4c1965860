"""Operands that refer to the metadata of an entry point; the size of a thread group."""

import pytest

from tests.programs.dxil.dependence.support import TEXT, program, read, write
from tests.programs.dxil.lower.support import code_of, compute, compute_text
from unshade.programs.dxil import Code, Program
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


# A tag and properties. Geometry shader: input primitive, vertices, streams, topology, instances;
# domain shader: domain, control points; hull shader: its function, control points, more.
NODE = "!14\n!14 = !{{i32 {}, !15}}\n!15 = !{{{}}}\n"
VERTEX = "call float @dx.op.loadInput.f32(i32 4, i32 0, i32 0, i8 0, i32 {})"
STREAM = "call void @dx.op.emitStream(i32 97, i8 {})"
PLACE = "call float @dx.op.domainLocation.f32(i32 105, i8 {})"
CONTROL = "call float @dx.op.loadOutputControlPoint.f32(i32 103, i32 0, i32 0, i8 0, i32 {})"


@pytest.mark.parametrize(
    ("tag", "properties", "calls", "problems"),
    [
        (0, "", [VERTEX.format("undef"), VERTEX.format(0)],
         ["LoadInput: expected undef as the vertex, since the stage has one"]),
        (1, "i32 3, i32 4, i32 1, i32 5, i32 1", [VERTEX.format(2), VERTEX.format(3)],
         ["LoadInput: expected a vertex below 3, got 3"]),
        (1, "i32 7, i32 4, i32 1, i32 5, i32 1", [VERTEX.format(5), VERTEX.format(-1)],
         ["LoadInput: expected a vertex below 6, got -1"]),
        (1, "i32 1, i32 4, i32 5, i32 5, i32 1", [STREAM.format(each) for each in (0, 1, 2, 3)],
         [f"EmitStream: no output stream has the number {each}" for each in (1, 3)]),
        (2, "i32 2, i32 4",
         [PLACE.format(2), VERTEX.format(3), VERTEX.format(4)],
         ["LoadInput: expected a vertex below 4, got 4"]),
        (2, "i32 3, i32 4", [PLACE.format(1), PLACE.format(2)],
         ["DomainLocation: expected a component below 2, got 2"]),
        (3, "null, i32 3, i32 4, i32 2, i32 3, i32 3, float 6.4e+01",
         [VERTEX.format(2), VERTEX.format(3), CONTROL.format(3), CONTROL.format(4)],
         ["LoadInput: expected a vertex below 3, got 3",
          "LoadOutputControlPoint: expected a control point below 4, got 4"]),
    ],
)  # fmt: skip
def test_vertices_streams_and_places(
    tag: int, properties: str, calls: list[str], problems: list[str]
) -> None:
    first, *rest = NODE.format(tag, properties).splitlines() if properties else ["null"]
    text = TEXT.format(
        body="\n".join([*calls, "ret void"]), properties=first,
        functions="declare void @dx.op.emitStream(i32, i8)\n"
        "declare float @dx.op.domainLocation.f32(i32, i8)",
    ) + "\n".join([*rest, ""])  # fmt: skip
    messages = [each.message for each in Program.assemble(text).verify()
                if each.code == "dxil.element"]  # fmt: skip
    assert messages == [f"call: {each}" for each in problems]


@pytest.mark.parametrize(
    ("call", "offset"),
    [
        ("cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %b, i32 2)", None),
        ("cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %b, i32 3)", 48),
        ("cbufferLoad.f32(i32 58, %dx.types.Handle %b, i32 36, i32 4)", None),
        ("cbufferLoad.f32(i32 58, %dx.types.Handle %b, i32 40, i32 4)", 40),
        ("cbufferLoad.f32(i32 58, %dx.types.Handle %b, i32 %lane, i32 4)", None),
    ],
)
def test_places_of_constant_buffers(call: str, offset: int | None) -> None:
    """The buffer has 40 bytes, so three registers, of which the last is not whole."""
    result = "%dx.types.CBufRet.f32" if "Legacy" in call else "float"
    body = f"""
  %b = call {HANDLE} @dx.op.createHandle(i32 57, i8 2, i32 0, i32 0, i1 false)
  %x = call {result} @dx.op.{call}"""
    before = "%dx.types.CBufRet.f32 = type { float, float, float, float }"
    text = compute_text(body, before=before)
    text = text.replace("!2 = !{!3, !5, null, null}", "!2 = !{!3, !5, !30, null}")
    text += """
!30 = !{!31}
!31 = !{i32 0, %struct.Buffer* undef, !"cb", i32 0, i32 0, i32 1, i32 40, null}
"""
    message = f"expected an offset below 40 of cb, got {offset}"
    kind = "CBufferLoadLegacy" if "Legacy" in call else "CBufferLoad"
    expected = [] if offset is None else [("dxil.resource", f"call: {kind}: {message}")]
    assert found(code_of(text)) == expected
