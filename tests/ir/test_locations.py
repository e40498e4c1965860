"""Locations, calls and names of statements, in the text and through passes."""

from __future__ import annotations

import pytest

from tests.oracle.parsing import parse_kernel
from unshade.errors import AssembleError
from unshade.ir.builder import Builder
from unshade.ir.kernel import If, KernelIR, Value
from unshade.ir.locations import (
    Call,
    InlinedLocations,
    SourceLocation,
    SymbolName,
    ValueLabel,
    calls,
)
from unshade.ir.lowered import Lowered
from unshade.ir.ops import OPS
from unshade.ir.printing import print_kernel
from unshade.ir.simplify import simplify
from unshade.ir.transforms import flush
from unshade.ir.transforms.copying import copied, copied_kernel
from unshade.ir.types import F64
from unshade.vm.prepare import prepare

TEXT = """\
kernel main compute group 1 1 1
memory %u0 buffer 4 writable
in %v0 f32
var @x f32 gives color ".x"
place #0 "main.hlsl" 31 5 in main
call ^0 55 at #0
place #1 "light.hlsl" 7 14 in shade by ^0
call ^1 60 at #1
place #2 in "a b" by ^1

%0 = input %v0 !39 as "%12" ".x"
%1 = fmul %0, %0 !40 #1 as "%13" gives color "[1]" ".x", "base color"
set @x, %1 #2
%2 = flt %1, f32 1.0
if %2 { !41 #1
  store %u0[i32 0, i32 0], %1 !42 #0 gives alpha
  block $0 { #2
    loop { !43 #0
      exit $0
    }
  }
}
switch i32 1 { #0
  case 1 {
    output %v1, %1 gives out
  }
}
"""


def text() -> str:
    return TEXT.replace("in %v0 f32\n", "in %v0 f32\nout %v1 f32\n")


def test_the_text_has_locations_calls_and_names() -> None:
    kernel = parse_kernel(text())
    assert print_kernel(kernel) == text()
    first, second, third, *_ = kernel.values()
    assert first.label == ValueLabel(SymbolName("%12", ".x"))
    assert second.label == ValueLabel(
        SymbolName("%13"), (SymbolName("color", "[1]", ".x"), SymbolName("base color"))
    )
    at = second.location
    assert at is not None
    assert (at.file, at.line, at.column, at.function) == ("light.hlsl", 7, 14, "shade")
    (call,) = calls(at)
    assert call.line == 55
    assert call.location is not None
    assert call.location.function == "main"
    assert [each.line for each in calls(third.location)] == [60, 55]
    assert kernel.variables[0].gives == SymbolName("color", ".x")


def test_equal_calls_stay_distinct() -> None:
    builder = Builder(KernelIR())
    for _ in range(2):
        builder.location = SourceLocation("a.hlsl", 3, call=Call(9))
        builder.source("item")
    read = parse_kernel(print_kernel(builder.kernel))
    one, other = (value.location for value in read.values())
    assert one is not None
    assert other is not None
    assert one.call is not other.call


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("place 3", "expected the number of the place"),
        ("place #0 by ^3", r"no such call: \^3"),
        ("call ^0 3 at #9", "no such place: #9"),
        ('place #0 "a" 1 2\nplace #0 "b" 1 2', "#0 is already declared"),
        ("%0 = source item #4", "no such place: #4"),
        ("%0 = source item as", "expected"),
        ("%0 = source item\nplace #0", "a declaration after the first statement"),
    ],
)
def test_mistakes_are_reported(line: str, problem: str) -> None:
    with pytest.raises(AssembleError, match=problem):
        parse_kernel(f"kernel main compute group 1 1 1\n{line}\n")


def test_copies_keep_locations_and_inlined_copies_have_the_call() -> None:
    kernel = parse_kernel(text())
    assert print_kernel(copied_kernel(kernel)) == text()
    call = Call(70, SourceLocation("top.hlsl", 2, 0, "top"))
    made = [each for each in copied(kernel.body, InlinedLocations(call)) if isinstance(each, Value)]
    assert [[each.line for each in calls(value.location)] for value in made] == [
        [70], [55, 70], [60, 55, 70], [70],
    ]  # fmt: skip
    second, third = made[1].location, made[2].location
    assert second is not None
    assert third is not None
    assert (second.file, second.line) == ("light.hlsl", 7)
    assert made[1].label == ValueLabel(
        SymbolName("%13"), (SymbolName("color", "[1]", ".x"), SymbolName("base color"))
    )
    outer, inner = list(calls(second)), list(calls(third))
    assert outer[0] is inner[1]
    assert outer[1] is inner[2] is call


def test_nested_inlined_functions() -> None:
    def body(b: Builder, function: str, line: int) -> None:
        b.line, b.location = line, SourceLocation("f.hlsl", line, 1, function)
        b.source("item")

    inner, middle = Builder(KernelIR()), Builder(KernelIR())
    body(inner, "inner", 3)
    body(middle, "middle", 7)
    middle.kernel.body += copied(
        inner.kernel.body, InlinedLocations(Call(8, SourceLocation("f.hlsl", 8, 1, "middle")))
    )
    main = copied(
        middle.kernel.body, InlinedLocations(Call(12, SourceLocation("f.hlsl", 12, 1, "main")))
    )
    last = main[-1]
    assert isinstance(last, Value)
    assert last.location is not None
    callers = [
        (each.line, each.location and each.location.function) for each in calls(last.location)
    ]
    assert (last.location.function, callers) == ("inner", [(8, "middle"), (12, "main")])


def labels(kernel: KernelIR) -> dict[str, tuple[str, int]]:
    return {
        str(value.label.name): (value.op.name, value.location.line if value.location else 0)
        for value in kernel.values()
        if value.label is not None
    }


def written() -> KernelIR:
    return parse_kernel("""
kernel main compute group 1 1 1 flush 32
memory %u0 buffer 8 writable
in %a f32
in %b f32
var @x f32
place #0 "a.hlsl" 1 1
place #1 "a.hlsl" 2 1
place #2 "a.hlsl" 3 1
%0 = input %a #0 as a
%1 = input %b #0 as b
%2 = fmul %0, %1 #1 as product
set @x, %2
%3 = flt %0, %1 #1 as less
if %3 { #2
  set @x, %0
}
%4 = get @x #2 as chosen
%5 = fadd %4, f32 0.0
%6 = fsqrt %5 #2 as root
store %u0[i32 0, i32 0], %6 #2
""")


def test_simplification_keeps_locations_and_names() -> None:
    kernel = written()
    simplify(kernel)
    found = labels(kernel)
    assert found["product"] == ("fmul", 2)
    assert found["less"] == ("flt", 2)
    assert found["root"] == ("fsqrt", 3)
    (select,) = (value for value in kernel.values() if value.op is OPS.select)
    assert select.location is not None
    assert select.location.line == 3  # of the branch that became a choice
    assert not any(isinstance(each, If) for each in kernel.body)


def test_expansion_keeps_name_and_location() -> None:
    kernel = prepare(Lowered(written()), {}, {}, simplified=False)
    assert {"a", "b", "product", "less", "chosen", "root"} <= {*labels(kernel)}
    kernel = written()
    b, memory = Builder(kernel), kernel.memories[0]
    wide = b.load(memory, 0, 0, F64)
    b.store(memory, 0, 0, b.fadd(wide, wide))  # so no mode fits
    flush.expand(kernel)
    assert kernel.written == {32}
    found = labels(kernel)
    assert found["product"][1] == 2
    assert found["root"][1] == 3


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("P", True),
        ("P.lights", True),
        ("P.lights[1]", True),
        ("P.lights[1].colour", True),
        ("P.lights[1].colour.xz", True),
        ("lights[1].colour.x", True),
        ("P.lights.colour.x", True),
        ("lights.colour", True),
        ("P.lights[2]", False),
        ("P.light", False),
        ("P.lights[1].colour.yz", False),
        ("P.lights[1].colour.x.x", False),
        ("colour.x", False),
        ("", False),
    ],
)
def test_a_prefix_matches_a_name(text: str, means: bool) -> None:
    name = SymbolName("P", ".lights", "[1]", ".colour", ".x", scope=1)
    assert name == "P.lights[1].colour.x"
    assert name.called(text) is means
