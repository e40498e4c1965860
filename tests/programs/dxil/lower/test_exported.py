"""Functions that a library exports, called by themselves."""

import re
from typing import Any

import numpy as np
import pytest

import unshade
from unshade.errors import UnsupportedError, UsageError
from unshade.run.kernels import Kernel

from .support import ENGINES, LAYOUT

LIBRARY = f"""
target datalayout = "{LAYOUT}"
target triple = "dxil-ms-dx"

%struct.Light = type {{ <3 x float>, i32, [2 x i1] }}
%class.matrix.float.2.3 = type {{ [2 x <3 x float>] }}

define float @"\\01?shade@lit@@YAMV?$vector@M$02@@M@Z"(<3 x float> %normal, float %k) #0 {{
  %1 = extractelement <3 x float> %normal, i32 2
  %2 = fmul float %1, %k
  ret float %2
}}

define <2 x i32> @"\\01?twice@@YA?AV?$vector@I$01@@V1@AAI@Z"(<2 x i32>, i32* %count) #0 {{
  %2 = load i32, i32* %count
  %3 = add i32 %2, 1
  store i32 %3, i32* %count
  %4 = shl <2 x i32> %0, <i32 1, i32 1>
  ret <2 x i32> %4
}}

define void @"\\01?light@@YAXULight@@AAU1@@Z"(%struct.Light* %given, %struct.Light* %made) #0 {{
  %1 = getelementptr %struct.Light, %struct.Light* %given, i32 0, i32 1
  %2 = load i32, i32* %1
  %3 = add i32 %2, 10
  %4 = getelementptr %struct.Light, %struct.Light* %made, i32 0, i32 1
  store i32 %3, i32* %4
  %5 = getelementptr %struct.Light, %struct.Light* %given, i32 0, i32 2, i32 1
  %6 = load i1, i1* %5
  %7 = getelementptr %struct.Light, %struct.Light* %made, i32 0, i32 2, i32 0
  store i1 %6, i1* %7
  ret void
}}

define float @"\\01?corner@@YAMV?$matrix@M$01$02@@@Z"(%class.matrix.float.2.3* %m) #0 {{
  %1 = bitcast %class.matrix.float.2.3* %m to [6 x float]*
  %2 = getelementptr [6 x float], [6 x float]* %1, i32 0, i32 4
  %3 = load float, float* %2
  ret float %3
}}

define i64 @wide(i64 %x, half %y, i1 %z) #0 {{
  %1 = fptosi half %y to i64
  %2 = add i64 %x, %1
  %3 = select i1 %z, i64 %2, i64 0
  ret i64 %3
}}

attributes #0 = {{ nounwind }}

!dx.version = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.entryPoints = !{{!2}}
!dx.typeAnnotations = !{{!3, !9}}
!0 = !{{i32 1, i32 6}}
!1 = !{{!"lib", i32 6, i32 6}}
!2 = !{{null, !"", null, null, null}}
!3 = !{{i32 0, %struct.Light undef, !4}}
!4 = !{{i32 24, !5, !6, !7}}
!5 = !{{i32 6, !"colour", i32 3, i32 0, i32 7, i32 9}}
!6 = !{{i32 6, !"number", i32 3, i32 12, i32 7, i32 5}}
!7 = !{{i32 6, !"on", i32 3, i32 16, i32 7, i32 1}}
!9 = !{{i32 1, <2 x i32> (<2 x i32>, i32*)* @"\\01?twice@@YA?AV?$vector@I$01@@V1@AAI@Z", !10,
  void (%struct.Light*, %struct.Light*)* @"\\01?light@@YAXULight@@AAU1@@Z", !14,
  float (%class.matrix.float.2.3*)* @"\\01?corner@@YAMV?$matrix@M$01$02@@@Z", !16}}
!10 = !{{!11, !12, !13}}
!11 = !{{i32 1, !20, !21}}
!12 = !{{i32 0, !20, !21}}
!13 = !{{i32 2, !20, !21}}
!14 = !{{!15, !12, !11}}
!15 = !{{i32 1, !21, !21}}
!16 = !{{!11, !17}}
!17 = !{{i32 0, !18, !21}}
!18 = !{{i32 2, !19, i32 7, i32 9}}
!19 = !{{i32 2, i32 3, i32 2}}
!20 = !{{i32 7, i32 5}}
!21 = !{{}}
"""


def kernels(entry: str) -> list[Kernel]:
    shader = unshade.assemble(LIBRARY, "dxcontainer")
    return [unshade.kernel(shader, entry=entry, engine=each) for each in ENGINES]


def both(entry: str, arguments: Any) -> Any:
    one, other = (kernel.call(arguments) for kernel in kernels(entry))
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])
    return one


def test_names_in_the_module_and_in_the_source() -> None:
    program = unshade.assemble(LIBRARY, "dxcontainer").programs[0]
    assert program.exports[0] == "?shade@lit@@YAMV?$vector@M$02@@M@Z"
    assert program.entry_points == []
    assert program.exports_named("lit::shade") == [program.exports[0]]
    assert program.exports_named("shade") == []


def test_vectors_and_values_for_all_calls() -> None:
    normal = np.arange(12, dtype=np.float32).reshape(4, 3)
    found = both("lit::shade", {"normal": normal, "k": 2})
    np.testing.assert_array_equal(found["result"], normal[:, 2] * 2)
    assert both("lit::shade", [[0, 0, 3], 0.5])["result"] == 1.5


def test_parameters_by_reference() -> None:
    found = both("twice", {"p0": [[1, 2], [3, 4]], "count": [5, 6]})
    assert found["result"].tolist() == [[2, 4], [6, 8]]
    assert found["result"].dtype == np.uint32
    assert found["count"].tolist() == [6, 7]


def test_structures() -> None:
    kernel = kernels("light")[0]
    (given,) = [each for each in kernel.lowered.parameters if each.read]
    assert given.name == "given"
    light = np.zeros(2, [("colour", "<f4", 3), ("number", "<u4"), ("on", "?", 2)])
    light["number"] = [1, 2]
    light["on"][1] = [False, True]
    made = both("light", {"given": light})["made"]
    assert made["number"].tolist() == [11, 12]
    assert made["on"].tolist() == [[False, False], [True, False]]


def test_structures_are_dicts_of_members() -> None:
    one = {"colour": [1, 2, 3], "number": 1, "on": [False, True]}
    made = both("light", {"given": one})["made"]
    assert (made["number"], made["on"].tolist()) == (11, [True, False])
    made = both("light", {"given": [one, {**one, "number": 2}]})["made"]
    assert made["number"].tolist() == [11, 12]
    for problem, given in {
        "given: expected a dict of {float32 colour[3], uint32 number, bool on[2]}, or": [[one]],
        "given[1]: expected a dict of {float32 colour[3], ": [one, 3],
        "given[0]: unknown member 'colr'; did you mean colour?": [{"colr": 1}],
        "given: colour, on missing": {"number": 1},
        "given.colour: expected 3 numbers, got [1, 2]": {**one, "colour": [1, 2]},
        "given.number: expected integers, got 1.5": {**one, "number": 1.5},
        "given: expected {float32 colour[3], uint32 number, bool on[2]} (n,), got (1, 1)": np.zeros(
            (1, 1), "f4"
        ),
    }.items():
        with pytest.raises(UsageError, match=re.escape(problem)):
            kernels("light")[0].call({"given": given})


def test_matrices_are_rows_and_columns() -> None:
    """The function reads the fifth number of a matrix that is stored by columns."""
    matrix = np.arange(6, dtype=np.float32).reshape(1, 2, 3)
    assert both("corner", {"m": matrix})["result"].tolist() == [2.0]


def test_other_widths() -> None:
    found = both("wide", {"x": [1 << 40, 5], "y": np.array([2.5, 1], "<f2"), "z": [True, False]})
    assert found["result"].tolist() == [(1 << 40) + 2, 0]


@pytest.mark.parametrize(
    ("entry", "arguments", "problem"),
    [
        ("twice", {"p0": [1, 2]}, r"missing argument count uint32 \(n,\)"),
        ("twice", {"p0": [1, 2], "cuont": 1}, "unknown parameter 'cuont'; did you mean count?"),
        ("twice", {"p0": [1, 2, 3], "count": 1}, r"p0: expected uint32 \(n, 2\), got \(3,\)"),
        ("twice", {"p0": [[1, 2]], "count": [1, 2]}, "differ in length: p0 1, count 2"),
        ("twice", [1, 2, 3], "expected 2 arguments, got 3"),
        ("twice", "ab", "expected a dict or a list of arguments"),
    ],
)
def test_wrong_arguments(entry: str, arguments: Any, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        kernels(entry)[0].call(arguments)


def test_the_choice_of_a_function() -> None:
    shader = unshade.assemble(LIBRARY, "dxcontainer")
    names = r"entry \(--entry\): lit::shade, twice, light, corner, wide"
    with pytest.raises(UsageError, match=f"several functions; select one with {names}$"):
        unshade.kernel(shader)
    with pytest.raises(UsageError, match="unknown entry point 'wdie'; did you mean wide"):
        unshade.kernel(shader, entry="wdie")
    with pytest.raises(UsageError, match=r"dispatch\(\): expected a compute shader, got"):
        unshade.kernel(shader, entry="wide").dispatch(1)


def test_a_parameter_that_is_no_number() -> None:
    text = LIBRARY.replace("define i64 @wide(i64 %x,", "define i64 @wide(i64 %x, i8** %p,")
    shader = unshade.assemble(text, "dxcontainer")
    with pytest.raises(UnsupportedError, match="a parameter of type"):
        unshade.kernel(shader, entry="wide")


STATICS = f"""
target datalayout = "{LAYOUT}"
target triple = "dxil-ms-dx"

@x = internal global i32 undef
@y = internal global i32 3
@llvm.global_ctors = appending global [2 x {{ i32, void ()*, i8* }}] [
  {{ i32, void ()*, i8* }} {{ i32 2, void ()* @second, i8* null }},
  {{ i32, void ()*, i8* }} {{ i32 1, void ()* @first, i8* null }}]

define i32 @both() {{
  %1 = load i32, i32* @x
  %2 = load i32, i32* @y
  %3 = add i32 %1, %2
  ret i32 %3
}}

define internal void @first() {{
  store i32 5, i32* @x
  ret void
}}

define internal void @second() {{
  %1 = load i32, i32* @x
  %2 = mul i32 %1, 100
  store i32 %2, i32* @x
  ret void
}}

!dx.version = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.entryPoints = !{{!2}}
!0 = !{{i32 1, i32 3}}
!1 = !{{!"lib", i32 6, i32 3}}
!2 = !{{null, !"", null, null, null}}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_constructors_run_before_the_function(engine: str) -> None:
    kernel = unshade.kernel(unshade.assemble(STATICS, "dxcontainer"), entry="both", engine=engine)
    assert kernel.call([])["result"] == 503


UNPLACED = f"""
target datalayout = "{LAYOUT}"
target triple = "dxil-ms-dx"

%dx.types.Handle = type {{ i8* }}
%dx.types.ResRet.i32 = type {{ i32, i32, i32, i32, i32 }}
%struct.Buffer = type {{ i32 }}

@one = external constant %dx.types.Handle
@other = external constant %dx.types.Handle

define i32 @first() {{
  %1 = load %dx.types.Handle, %dx.types.Handle* @one
  %2 = call i32 @word(%dx.types.Handle %1)
  ret i32 %2
}}

define i32 @both() {{
  %1 = call i32 @first()
  %2 = load %dx.types.Handle, %dx.types.Handle* @other
  %3 = call i32 @word(%dx.types.Handle %2)
  %4 = add i32 %1, %3
  ret i32 %4
}}

define internal i32 @word(%dx.types.Handle %h) {{
  %1 = call %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32 160, \
%dx.types.Handle %h)
  %2 = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %1, i32 4, \
i32 undef, i8 1, i32 4)
  %3 = extractvalue %dx.types.ResRet.i32 %2, 0
  ret i32 %3
}}

declare %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32, %dx.types.Handle)
declare %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32, %dx.types.Handle, i32, i32, i8, i32)

!dx.version = !{{!0}}
!dx.shaderModel = !{{!1}}
!dx.resources = !{{!3}}
!dx.entryPoints = !{{!2}}
!0 = !{{i32 1, i32 6}}
!1 = !{{!"lib", i32 6, i32 6}}
!2 = !{{null, !"", null, !3, null}}
!3 = !{{!4, null, null, null}}
!4 = !{{!5, !6}}
!5 = !{{i32 0, %struct.Buffer* bitcast (%dx.types.Handle* @one to %struct.Buffer*), !"one", \
i32 -1, i32 -1, i32 1, i32 11, i32 0, null}}
!6 = !{{i32 1, %struct.Buffer* bitcast (%dx.types.Handle* @other to %struct.Buffer*), !"other", \
i32 -1, i32 -1, i32 1, i32 11, i32 0, null}}
"""


def test_several_resources_without_a_register_are_refused() -> None:
    library = unshade.assemble(UNPLACED, "dxcontainer")
    kernel = unshade.kernel(library, entry="first")
    assert [each.label for each in kernel.bindings] == ["one"]
    with pytest.raises(UnsupportedError, match="other and one have no register yet"):
        unshade.kernel(library, entry="both")
