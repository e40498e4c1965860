"""Text of later versions of LLVM: what has a meaning in LLVM 3.7, and what is refused by name."""

import re

import pytest

from tests.programs.dxil.lower.support import compute, load, run, store
from unshade.errors import AssembleError
from unshade.isa.source import Source
from unshade.programs.dxil.assembler import assemble
from unshade.programs.dxil.assembler.later import memory_attributes
from unshade.programs.dxil.model.module import DxilModule
from unshade.programs.dxil.text import disassemble


def made_from(text: str) -> DxilModule:
    return assemble(Source(text))


def body(*lines: str, head: str = "define void @main() {", before: str = "") -> list[str]:
    """Return the lines of a function as LLVM 3.7 prints them."""
    text = "\n".join([before, head, *(f"  {each}" for each in lines), "}", ""])
    printed = disassemble(made_from(text)).splitlines()
    start = next(at for at, line in enumerate(printed) if line.startswith("define"))
    end = printed.index("}", start)
    return [line.strip() for line in printed[start + 1 : end]]


def test_statements_of_a_module() -> None:
    text = """\
; ModuleID = 'a.bc'
source_filename = "a.hlsl"
target datalayout = "e-m:e-p:32:32"
target triple = "dxilv1.6-pc-shadermodel6.6-compute"

@a = internal dso_local local_unnamed_addr global i32 5, align 4
@b = dso_local unnamed_addr addrspace(3) constant [2 x float] poison

define dso_local noundef i32 @f(i32 noundef %0, i32 noundef range(i32 0, 8) %1) \
local_unnamed_addr #0 {
  ret i32 %0
}

declare void @g(i32 noundef, i8* captures(none) byval(i32) align 4) #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "x"="y" }
attributes #1 = { nounwind allocsize(0) memory(argmem: read) }
"""
    printed = disassemble(made_from(text))
    assert 'target triple = "dxil-ms-dx"\n' in printed
    assert "@a = internal global i32 5, align 4\n" in printed
    assert "@b = unnamed_addr addrspace(3) constant [2 x float] undef\n" in printed
    assert "define i32 @f(i32, i32) #0 {\n  ret i32 %0\n" in printed
    assert "declare void @g(i32, i8* byval align 4) #1\n" in printed
    assert 'attributes #0 = { nounwind readnone "x"="y" }\n' in printed
    assert "attributes #1 = { nounwind readonly argmemonly }\n" in printed


@pytest.mark.parametrize(
    ("access", "expected"),
    [
        ({"": "none"}, ["readnone"]),
        ({"": "read"}, ["readonly"]),
        ({"": "write"}, []),
        ({"": "readwrite"}, []),
        ({"argmem": "read"}, ["argmemonly", "readonly"]),
        ({"argmem": "readwrite"}, ["argmemonly"]),
        ({"": "read", "argmem": "readwrite"}, []),
        ({"inaccessiblemem": "write"}, []),
        ({"": "read", "inaccessiblemem": "none"}, ["readonly"]),
    ],
)
def test_effects_on_memory(access: dict[str, str], expected: list[str]) -> None:
    assert memory_attributes(access) == expected


def test_operations_and_flags() -> None:
    assert body(
        "%x = fneg float 1.0",
        "%v = fneg nnan <2 x float> zeroinitializer",
        "%a = fadd reassoc nnan ninf nsz arcp afn float %x, 2.0",
        "%b = fmul nnan contract float %a, poison",
        "%c = zext nneg i8 1 to i32",
        "%d = or disjoint i32 %c, 2",
        "%e = icmp samesign ult i32 %d, 5",
        "%f = trunc nuw nsw i32 %d to i16",
        "%g = select nnan i1 %e, float %a, float %b",
        "%h = add <4 x i32> splat (i32 7), zeroinitializer",
        "ret void",
    ) == [
        "%x = fsub float -0.000000e+00, 1.000000e+00",
        "%v = fsub nnan <2 x float> <float -0.000000e+00, float -0.000000e+00>, zeroinitializer",
        "%a = fadd fast float %x, 2.000000e+00",
        "%b = fmul nnan float %a, undef",
        "%c = zext i8 1 to i32",
        "%d = or i32 %c, 2",
        "%e = icmp ult i32 %d, 5",
        "%f = trunc i32 %d to i16",
        "%g = select i1 %e, float %a, float %b",
        "%h = add <4 x i32> <i32 7, i32 7, i32 7, i32 7>, zeroinitializer",
        "ret void",
    ]


def test_a_frozen_value_is_the_value() -> None:
    lines = body(
        "br label %loop", "loop:", "%1 = phi i32 [ 0, %0 ], [ %3, %loop ]", "%2 = add i32 %1, 1",
        "%3 = freeze i32 %2", "%4 = icmp ult i32 %3, 9", "br i1 %4, label %loop, label %end",
        "end:", "ret void",
    )  # fmt: skip
    assert "%1 = phi i32 [ 0, %0 ], [ %2, %loop ]" in lines
    assert "%3 = icmp ult i32 %2, 9" in lines
    assert not any("freeze" in each for each in lines)
    with pytest.raises(AssembleError, match="a freeze of itself"):
        body("%1 = freeze i32 %2", "%2 = freeze i32 %1", "%3 = add i32 %1, 1", "ret void")


def test_pointers_have_the_type_of_what_they_are() -> None:
    assert body(
        "%1 = alloca [4 x float], align 4",
        "store float 1.0, ptr %1, align 4",
        "%2 = getelementptr inbounds nuw [4 x float], ptr %1, i32 0, i32 2",
        "%3 = load i32, ptr %2, align 4",
        "%4 = getelementptr i8, ptr %1, i32 4",
        "%5 = load float, ptr %4, align 4",
        "%6 = atomicrmw add ptr addrspace(3) @g, i32 %3 seq_cst, align 4",
        "%7 = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @g, i32 8)",
        "ret void",
        before="@g = addrspace(3) global [8 x i32] undef",
    ) == [
        "%1 = alloca [4 x float], align 4",
        "%2 = getelementptr inbounds [4 x float], [4 x float]* %1, i32 0, i32 0",
        "store float 1.000000e+00, float* %2, align 4",
        "%3 = getelementptr inbounds [4 x float], [4 x float]* %1, i32 0, i32 2",
        "%4 = bitcast float* %3 to i32*",
        "%5 = load i32, i32* %4, align 4",
        "%6 = bitcast [4 x float]* %1 to i8*",
        "%7 = getelementptr i8, i8* %6, i32 4",
        "%8 = bitcast i8* %7 to float*",
        "%9 = load float, float* %8, align 4",
        "%10 = atomicrmw add i32 addrspace(3)* getelementptr inbounds ([8 x i32], [8 x i32] "
        "addrspace(3)* @g, i32 0, i32 0), i32 %5 seq_cst",
        "%11 = load float, float addrspace(3)* bitcast (i8 addrspace(3)* getelementptr (i8, "
        "i8 addrspace(3)* bitcast ([8 x i32] addrspace(3)* @g to i8 addrspace(3)*), i32 8) "
        "to float addrspace(3)*)",
        "ret void",
    ]


def test_pointers_in_signatures_and_metadata() -> None:
    text = """\
%struct.Payload = type { i32 }
%dx.types.Handle = type { ptr }
@h = external constant %dx.types.Handle
@used = appending global [1 x ptr] [ptr @main], section "llvm.metadata"
define void @main() {
  %1 = alloca %struct.Payload
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %1)
  call void @dx.op.callShader.struct.Payload(i32 159, i32 1, ptr nonnull %1)
  ret void
}
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)
declare void @dx.op.callShader.struct.Payload(i32, i32, ptr)
!dx.entryPoints = !{!0}
!0 = !{ptr @main, !"main", null, null, ptr undef, ptr null}
"""
    printed = disassemble(made_from(text))
    for line in (
        "%dx.types.Handle = type { i8* }",
        "@used = appending global [1 x i8*] [i8* bitcast (void ()* @main to i8*)], "
        'section "llvm.metadata"',
        "  %2 = bitcast %struct.Payload* %1 to i8*",
        "  call void @llvm.lifetime.start(i64 4, i8* nonnull %2)",
        "  call void @dx.op.callShader.struct.Payload(i32 159, i32 1, %struct.Payload* nonnull %1)",
        "declare void @dx.op.callShader.struct.Payload(i32, i32, %struct.Payload*)",
        '!0 = !{void ()* @main, !"main", null, null, i8* undef, i8* null}',
    ):
        assert line in printed


def test_pointers_that_depend_on_the_path() -> None:
    lines = [
        "%1 = alloca float", "%2 = alloca float", "br i1 true, label %a, label %b", "a:",
        "br label %b", "b:", "%p = phi ptr [ %1, %0 ], [ %2, %a ]",
        "%q = select i1 true, ptr %p, ptr %1", "%3 = load float, ptr %q", "ret void",
    ]  # fmt: skip
    printed = body(*lines)
    assert "%p = phi float* [ %1, %0 ], [ %2, %a ]" in printed
    assert "%q = select i1 true, float* %p, float* %1" in printed
    lines[1] = "%2 = alloca i32"
    with pytest.raises(AssembleError, match="expected pointers to values of one type") as caught:
        body(*lines)
    assert caught.value.line == 9


def test_such_a_text_runs() -> None:
    text = (
        load("x", 0)
        + load("n", 4)
        + """
  %a = alloca [4 x i32], align 4
  store i32 %x, ptr %a, align 4
  %p1 = getelementptr i8, ptr %a, i32 4
  store i32 20, ptr %p1, align 4
  %p2 = getelementptr inbounds nuw [4 x i32], ptr %a, i32 0, i32 2
  store i32 30, ptr %p2, align 4
  %p = getelementptr [4 x i32], ptr %a, i32 0, i32 %n
  %y = load i32, ptr %p, align 4
  %f = sitofp i32 %y to float
  %g = fneg float %f
  %z = fptosi float %g to i32
  %w = freeze i32 %z"""
        + store("%w", 0)
    )
    assert [int(run(compute(text), [10, at])[0]) for at in range(3)] == [
        -10 & 0xFFFF_FFFF, -20 & 0xFFFF_FFFF, -30 & 0xFFFF_FFFF,
    ]  # fmt: skip


FUNCTION = "define void @main() {\n  ret void, !dbg !0\n}\n"
LATER_DEBUG = """\
@a = dso_local global float 1.0, align 4, !dbg !0
define void @main() !dbg !5 {
  %x = fadd float 1.0, 2.0, !dbg !9
  {value}
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!2}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "a", scope: !2, file: !3, line: 1, isLocal: false, \
isDefinition: true, align: 32)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, emissionKind: FullDebug, \
globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "a.hlsl", directory: "", checksumkind: CSK_MD5, checksum: "00")
!4 = !{!0}
!5 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 2, scopeLine: 2, \
flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | \
DISPFlagOptimized, unit: !2, retainedNodes: !6)
!6 = !{!7}
!7 = !DILocalVariable(name: "x", scope: !5, file: !3, line: 3)
!8 = !DILocalVariable(name: "y", arg: 1, scope: !5, file: !3, line: 3)
!9 = !DILocation(line: 3, column: 5, scope: !5)
"""


@pytest.mark.parametrize(
    "value",
    [
        "#dbg_value(float %x, !7, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !9)",
        "call void @llvm.dbg.value(metadata float %x, metadata !7, "
        "metadata !DIExpression(DW_OP_LLVM_fragment, 0, 32)), !dbg !9",
    ],
    ids=["record", "call"],
)
def test_debug_information(value: str) -> None:
    text = LATER_DEBUG.replace("{value}", value)
    if value.startswith("call"):
        text += "declare void @llvm.dbg.value(metadata, metadata, metadata) #0\n"
        text += "attributes #0 = { nounwind memory(none) }\n"
    printed = disassemble(made_from(text))
    numbers = {
        kind: next(
            line.split()[0]
            for line in printed.splitlines()
            if line.startswith("!") and f" !{kind}(" in line
        )
        for kind in ("DIGlobalVariable", "DISubprogram", "DILocalVariable", "DIExpression")
    }
    variable, program = numbers["DIGlobalVariable"], numbers["DISubprogram"]
    for line in (
        "declare void @llvm.dbg.value(metadata, i64, metadata, metadata) #0",
        f"  call void @llvm.dbg.value(metadata float %x, i64 0, metadata "
        f"{numbers['DILocalVariable']}, metadata {numbers['DIExpression']}), !dbg ",
        f"= !{{{variable}}}",
        f"= !{{{program}}}",
        "isDefinition: true, variable: float* @a)",
        "flags: DIFlagPrototyped, isOptimized: true, function: void ()* @main, variables: ",
        '!DILocalVariable(tag: DW_TAG_auto_variable, name: "x", ',
        "!DIExpression(DW_OP_bit_piece, 0, 32)",
        "emissionKind: 1, ",
        '!DIFile(filename: "a.hlsl", directory: "")',
    ):
        assert line in printed, line
    assert "DIGlobalVariableExpression" not in printed


def test_a_location_that_is_none_is_attached_as_it_is() -> None:
    text = FUNCTION + '!0 = !DIFile(filename: "a", directory: "b")\n'
    assert "  ret void, !dbg !0\n" in disassemble(made_from(text))


@pytest.mark.parametrize(
    ("line", "problem", "column"),
    [
        ("%1 = fadd bfloat 0xR3F80, 0xR3F80", "expected a type, got 'bfloat'", 13),
        ('%1 = call target("dx.RawBuffer", i8, 1, 0) @f()', "expected a type, got 'target'", 13),
        ("call void @f() nounwind swiftself", "unknown instruction 'nounwind'", 18),
        ("#dbg_label(!1, !2)", "unknown record '#dbg_label'", 3),
        ("%1 = callbr void @f()", "unknown instruction 'callbr'", 8),
        ("%1 = atomicrmw fadd ptr null, float 1.0 seq_cst", "unknown operation 'fadd'", 18),
        ('%1 = load atomic i32, ptr null syncscope("agent") acquire', "unknown scope", 44),
    ],
)
def test_refused_by_name(line: str, problem: str, column: int) -> None:
    text = f"declare void @f()\ndefine void @main() {{\n  {line}\n  ret void\n}}\n"
    with pytest.raises(AssembleError, match=problem) as caught:
        made_from(text)
    assert (caught.value.line, caught.value.column) == (3, column)


def test_attributes_with_a_meaning_of_their_own_are_refused() -> None:
    with pytest.raises(AssembleError, match="unknown attribute 'strictfp'"):
        made_from("attributes #0 = { strictfp }\n")


INLINE = """\
define void @f(i32 %x) !dbg !5 {
  %y = add i32 %x, 1, !dbg !DILocation(line: 3, column: 2, scope: !5), !hint !{!"a", i32 1}
  %z = add i32 %y, 1, !hint !{!"a", i32 1}
  call void @llvm.g(metadata !{!{i32 4}, !{}}, metadata !{i32 4})
  ret void
}
declare void @llvm.g(metadata, metadata)
!named = !{!0}
!0 = !{!1, !{i32 7, !{!1, null}}, !DIFile(filename: "a.hlsl", directory: "")}
!1 = distinct !{}
!5 = distinct !DISubprogram(name: "f", scope: null, file: !6, line: 1)
!6 = !DIFile(filename: "b.hlsl", directory: "")
"""


def test_nodes_in_the_place_of_references() -> None:
    """LLVM reads them anywhere; equal nodes are one, and the printer numbers them."""
    printed = disassemble(made_from(INLINE))
    nodes = dict(re.findall(r"^(!\d+) = (?:distinct )?(!.*)$", printed, re.MULTILINE))
    by_text = {text: number for number, text in nodes.items()}
    hint, four, empty = by_text['!{!"a", i32 1}'], by_text["!{i32 4}"], nodes["!1"]
    assert printed.count(f"!hint {hint}") == 2
    assert f"metadata {four})" in printed
    pair = re.search(r"@llvm\.g\(metadata (!\d+)", printed)
    assert pair is not None
    assert nodes[pair[1]].startswith(f"!{{{four}, ")
    assert empty == "!{}"
    file = by_text['!DIFile(filename: "a.hlsl", directory: "")']
    assert nodes["!0"].endswith(f", {file}}}")
    assert "!DILocation(line: 3, column: 2, scope: " in printed
    assert disassemble(made_from(printed)) == printed


def test_an_inline_node_that_does_not_end() -> None:
    with pytest.raises(AssembleError, match="expected }, got the end"):
        made_from("!0 = !{!{i32 1\n")
