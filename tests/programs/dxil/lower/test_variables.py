"""Variables of the source, from debug information, in the debugger."""

import struct

import numpy as np
import pytest

from tests.kernels import kernel_of
from unshade.programs.dxil import Code
from unshade.run import engines

from .support import compute, load, lowered, run, store

NODES = """
!20 = !DISubprogram(name: "main", scope: !21, file: !21, line: 1, type: !22, isLocal: false, \
isDefinition: true, scopeLine: 1, isOptimized: false, function: void ()* @main)
!21 = !DIFile(filename: "a.hlsl", directory: "")
!22 = !DISubroutineType(types: !23)
!23 = !{null}
!24 = !DILocalVariable(tag: DW_TAG_auto_variable, name: "count", scope: !20, file: !21, line: 2, \
type: !25)
!25 = !DIBasicType(name: "int", size: 32, align: 32, encoding: DW_ATE_signed)
!26 = !DIExpression()
!27 = !DIExpression(DW_OP_bit_piece, 32, 32)
!28 = !DILocalVariable(tag: DW_TAG_auto_variable, name: "colour", scope: !20, file: !21, line: 3, \
type: !29)
!29 = !DICompositeType(tag: DW_TAG_class_type, name: "vector<float, 2>", size: 64, align: 32, \
elements: !30)
!30 = !{!31, !32}
!31 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !33, size: 32, align: 32)
!32 = !DIDerivedType(tag: DW_TAG_member, name: "y", baseType: !33, size: 32, align: 32, offset: 32)
!33 = !DIBasicType(name: "float", size: 32, align: 32, encoding: DW_ATE_float)
!34 = !DILocalVariable(tag: DW_TAG_auto_variable, name: "lights", scope: !20, file: !21, line: 4, \
type: !35)
!35 = !DICompositeType(tag: DW_TAG_array_type, baseType: !29, size: 128, align: 32, elements: !36)
!36 = !{!37}
!37 = !DISubrange(count: 2)
!38 = !DIExpression(DW_OP_bit_piece, 96, 32)
"""
BODY = f"""
  %kept = alloca i32, align 4
  call void @llvm.dbg.declare(metadata i32* %kept, metadata !24, metadata !26){load("x")}
  call void @llvm.dbg.value(metadata i32 7, i64 0, metadata !24, metadata !26)
  store i32 %x, i32* %kept, align 4
  %f = uitofp i32 %x to float
  call void @llvm.dbg.value(metadata float %f, i64 0, metadata !28, metadata !27)
  %g = fadd float %f, 1.000000e+00
  call void @llvm.dbg.value(metadata float %g, i64 0, metadata !34, metadata !38)
  %y = load i32, i32* %kept, align 4{store("%y")}"""


def float_bits(number: float) -> int:
    return int.from_bytes(struct.pack("<f", number), "little")


def code() -> Code:
    return compute(BODY, after=NODES)


def test_variables_in_the_trace() -> None:
    kernel = kernel_of(lowered(code()), None, engines.choose("lockstep", False))
    debugger = kernel.debug(0)
    debugger.dispatch(1, t0=np.array([3], "<u4"), u1=np.zeros(1, "<u4"))
    written = {}
    for entry in debugger.trace.entries:
        for each in entry.writes:
            written[each.name] = each.bits
            written |= dict.fromkeys(each.labels, each.bits)
    assert written["main::colour.y"] == float_bits(3.0)
    assert written["main::lights[1].y"] == float_bits(4.0)
    values = [each.bits for _, each in debugger.trace.watch("count")]
    assert values == [7, 3]


def test_nothing_changes_without_a_debugger() -> None:
    assert run(code(), [3])[0] == 3


def test_a_value_that_is_computed_later_is_not_assigned() -> None:
    early = f"""{load("x")}
  call void @llvm.dbg.value(metadata i32 %later, i64 0, metadata !24, metadata !26)
  %later = add i32 %x, 1{store("%later")}"""
    assert run(compute(early, after=NODES), [3])[0] == 4


def test_names_of_variables() -> None:
    """A declaration names the scalars of a variable, a piece of a value the scalar at its bit."""
    body = f"""
  %one = alloca i32, align 4
  call void @llvm.dbg.declare(metadata i32* %one, metadata !24, metadata !26)
  %two = alloca float, align 4
  call void @llvm.dbg.declare(metadata float* %two, metadata !28, metadata !26)
  %three = alloca float, align 4
  call void @llvm.dbg.declare(metadata float* %three, metadata !34, metadata !26){load("x")}
  store i32 %x, i32* %one, align 4
  %f = uitofp i32 %x to float
  store float %f, float* %two, align 4
  store float %f, float* %three, align 4
  call void @llvm.dbg.value(metadata float %f, i64 0, metadata !28, metadata !27)
  call void @llvm.dbg.value(metadata float %f, i64 0, metadata !34, metadata !38)
  call void @llvm.dbg.value(metadata float %f, i64 0, metadata !34, metadata !39)
  %y = load i32, i32* %one, align 4{store("%y")}"""
    pieces = "\n!39 = !DIExpression(DW_OP_bit_piece, 64, 32)"
    kernel = lowered(compute(body, after=NODES + pieces)).kernel
    assert [(each.name, str(each.gives), each.internal) for each in kernel.variables] == [
        ("%one", "main::count", False),
        ("%two", "main::colour.x", False),
        ("%three", "main::lights[0].x", False),
        ("main::colour.y", "main::colour.y", False),
        ("main::lights[1].y", "main::lights[1].y", False),
        ("main::lights[1].x", "main::lights[1].x", False),
    ]
    found = {each.gives.type: each.gives.kind for each in kernel.variables if each.gives}
    assert found == {"int": "int", "float2": "float", "float2[2]": "float"}


@pytest.mark.parametrize("call", ["declare(metadata", "value(metadata"])
def test_elements_of_an_array_that_is_indexed_have_names(call: str) -> None:
    """A value of debug information may be the address of the variable."""
    where = "" if "declare" in call else " i64 0,"
    body = f"""
  %lights = alloca [4 x float], align 4
  call void @llvm.dbg.{call} [4 x float]* %lights,{where} metadata !34, metadata !26){load("x")}
  %place = getelementptr [4 x float], [4 x float]* %lights, i32 0, i32 %x
  store float 2.500000e+00, float* %place, align 4{store("%x")}"""
    kernel = kernel_of(lowered(compute(body, after=NODES)), None, engines.choose("lockstep", False))
    debugger = kernel.debug(0)
    debugger.dispatch(1, t0=np.array([3], "<u4"), u1=np.zeros(1, "<u4"))
    debugger.check_name("lights[1]")
    found = [(each.label, each.type) for _, each in debugger.trace.watch("lights")]
    assert found == [("main::lights[1].y", "float2[2]")]
