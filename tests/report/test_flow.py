"""Blocks, edges and regions of a listing, for each family."""

from pathlib import Path

import pytest

from unshade import DxContainer, Shader, Shbin, SkslShader, SpirvModule
from unshade import open as open_shader
from unshade.isa.source import Source
from unshade.report.flow import ListingFlow, flow_of
from unshade.report.listing import CodeListing
from unshade.report.tree import FieldTree

EXAMPLES = Path(__file__).parents[2] / "examples"

Lines = list[tuple[str, str]]
Edges = list[tuple[str, str, str]]


def shown(shader: Shader) -> tuple[Lines, Edges, Lines]:
    """Return blocks and folds as their first and last lines, and edges by first lines."""
    listing = CodeListing.of(shader, FieldTree.of(shader.spans()))
    found = flow_of(shader, listing)
    lines = [line.strip() for line in listing.lines]
    assert all(0 <= first <= last < len(lines) for first, last in found.blocks)
    blocks = [(lines[first], lines[last]) for first, last in found.blocks]
    edges = [(blocks[one][0], blocks[other][0], kind) for one, other, kind in found.edges]
    return blocks, edges, [(lines[first], lines[last]) for first, last in found.folds]


SWITCH = """\
ps_5_0
dcl_input_ps constant v0.x
dcl_output o0.x
dcl_temps 1
loop
switch v0.x
case l(1)
mov r0.x, l(1.0)
breakc_nz v0.x
mov r0.x, l(2.0)
break
default
mov r0.x, l(3.0)
break
endswitch
breakc_z v0.x
continue
endloop
if_nz v0.x
mov o0.x, r0.x
else
mov o0.x, l(0)
endif
ret
"""


def test_constructs_of_dxbc() -> None:
    blocks, edges, folds = shown(DxContainer.assemble([Source(SWITCH)]))
    first, one, two, three = "loop", "case l(1)", "mov r0.x, l(2.000000)", "default"
    assert blocks[:5] == [
        (first, "switch v0.x"),
        (one, "breakc_nz v0.x"),
        (two, "break"),
        (three, "break"),
        ("endswitch", "breakc_z v0.x"),
    ]
    assert ("loop", one, "case") in edges
    assert ("loop", three, "default") in edges
    assert (one, two, "next") in edges
    assert (one, "endswitch", "break") in edges
    assert ("endswitch", "continue", "next") in edges
    assert ("endswitch", "if_nz v0.x", "break") in edges
    assert ("continue", "loop", "continue") in edges
    assert ("if_nz v0.x", "mov o0.x, r0.x", "true") in edges
    assert ("if_nz v0.x", "mov o0.x, l(0)", "false") in edges
    assert ("mov o0.x, r0.x", "endif", "jump") in edges
    assert folds == [
        ("loop", "continue"),
        ("switch v0.x", "break"),
        ("if_nz v0.x", "mov o0.x, r0.x"),
        ("else", "mov o0.x, l(0)"),
    ]


@pytest.mark.fast
def test_a_listing_may_lack_any_instruction() -> None:
    """Blocks and regions that begin or end there are left out, and edges of such blocks."""
    shader = DxContainer.assemble([Source(SWITCH)])
    tree = FieldTree.of(shader.spans())
    whole = flow_of(shader, CodeListing.of(shader, tree))
    lacking = 0
    for at in range(len(CodeListing.of(shader, tree).lines)):
        listing = CodeListing.of(shader, tree)
        listing.paths = [() if line == at else each for line, each in enumerate(listing.paths)]
        found = flow_of(shader, listing)
        assert found.blocks == [each for each in whole.blocks if at not in each]
        kept = [last for first, last in whole.folds if at not in (first, last)]
        assert [last for _, last in found.folds] == kept
        ends = [(found.blocks[one], found.blocks[other]) for one, other, _ in found.edges]
        assert ends == [
            (whole.blocks[one], whole.blocks[other])
            for one, other, _ in whole.edges
            if at not in (*whole.blocks[one], *whole.blocks[other])
        ]
        lacking += found != whole
    assert lacking > 10


def test_phases_of_a_hull_shader_are_regions() -> None:
    blocks, edges, folds = shown(open_shader(EXAMPLES / "sheet.h.dxbc"))
    assert [first for first, _ in folds] == ["hs_fork_phase", "hs_join_phase"]
    assert edges == []  # no phase leads to another
    assert [last for _, last in blocks] == ["ret", "ret"]


def test_ifs_of_pica() -> None:
    blocks, edges, folds = shown(open_shader(EXAMPLES / "lit.shbin"))
    assert [first for first, _ in blocks] == [
        "mov r0, position",
        "mul r1.xyz, c93, r1",
        "dp3 r2, lamp, r1",
        "end",
    ]
    assert edges == [
        ("mov r0, position", "mul r1.xyz, c93, r1", "true"),
        ("mov r0, position", "dp3 r2, lamp, r1", "false"),
        ("mul r1.xyz, c93, r1", "end", "jump"),
        ("dp3 r2, lamp, r1", "end", "next"),
    ]
    assert folds == [
        (".proc main", "end"),
        ("ifu showNormals", "mov o1.w, c93"),
        (".else", "add o1, c95, r2"),
    ]


PICA = """\
.proc main
    for i0
        mov r0, v0
        breakc cmp.x
        add r0, r0, v0
    .end
    end
.end
"""


def test_loops_of_pica() -> None:
    _, edges, folds = shown(Shbin.assemble([Source(PICA)]))
    assert ("add r0, r0, v0", "mov r0, v0", "back") in edges
    assert ("mov r0, v0", "end", "break") in edges
    assert ("for i0", "add r0, r0, v0") in folds


SPIRV = """\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%bool = OpTypeBool
%type = OpTypeFunction %void
%true = OpConstantTrue %bool
%main = OpFunction %void None %type
%entry = OpLabel
OpBranch %head
%head = OpLabel
OpLoopMerge %done %again None
OpBranchConditional %true %body %done
%body = OpLabel
OpBranch %again
%again = OpLabel
OpBranch %head
%done = OpLabel
OpReturn
OpFunctionEnd
"""


def test_loops_of_spirv() -> None:
    blocks, edges, folds = shown(SpirvModule.assemble([Source(SPIRV)]))
    entry, head, body, again, done = (first for first, _ in blocks)
    assert edges == [
        (entry, head, "jump"),
        (head, body, "true"),
        (head, done, "false"),
        (body, again, "jump"),
        (again, head, "back"),
    ]
    (function, construct) = folds
    assert function == (entry, "OpReturn")
    assert construct[0].startswith("OpBranchConditional")
    assert construct[1] == f"OpBranch {head.split(' ')[0]}"


SKSL = """\
uniform float2 size;
half4 main(float2 p) {
    float a = p.x, b = p.y;
    for (int i = 0; i < 4; ++i) {
        if (a > 8.0) { break; } else { a += b; }
        b *= 2.0;
    }
    switch (int(b)) { case 1: a = 1.0; break; case 2: a = 3.0; default: a = 0.0; }
    return half4(half(a), half(b), half(size.x), 1.0);
}
"""


def test_constructs_of_sksl() -> None:
    blocks, edges, folds = shown(SkslShader.assemble([Source(SKSL)]))
    entry, loop, test = "float a = p.x, b = p.y;", blocks[1][0], "if (a > 8.0) {"
    assert loop.startswith("for (")
    first = [each for each, _ in blocks]
    assert first[0] == entry
    switch = next(each for each in first if each.startswith("switch ("))
    assert (entry, loop, "next") in edges
    assert (loop, test, "true") in edges
    assert (loop, switch, "false") in edges
    assert (test, "break;", "true") in edges
    assert (test, "a += b;", "false") in edges
    assert ("break;", switch, "break") in edges
    assert ("a += b;", loop, "back") in edges
    assert ("a += b;", "b *= 2.0;") in blocks
    assert (switch, "case 1:", "case") in edges
    assert (switch, "case 2:", "case") in edges
    assert (switch, "default:", "default") in edges
    end = next(each for each in first if each.startswith("return "))
    assert ("case 1:", end, "break") in edges
    assert ("case 2:", "default:", "next") in edges
    assert [line for line, _ in folds] == [
        "half4 main(float2 p) {", loop, test, "} else {", switch,
    ]  # fmt: skip
    assert [last for _, last in folds][1:4] == ["b *= 2.0;", "break;", "a += b;"]


def test_a_do_loop_of_sksl_leads_back_and_on() -> None:
    text = "void main() { float p = 1.0; do { p *= 2.0; } while (p < 8.0); p = 3.0; }"
    shader = SkslShader.assemble([Source(text)], kind="fragment", optimize=False)
    _, edges, folds = shown(shader)
    assert edges == [
        ("float p = 1.0;", "do {", "next"),
        ("do {", "do {", "back"),
        ("do {", "p = 3.0;", "next"),
    ]
    assert folds == [("void main() {", "p = 3.0;"), ("do {", "p *= 2.0;")]


def test_a_function_of_llvm_is_a_region() -> None:
    blocks, edges, folds = shown(open_shader(EXAMPLES / "saxpy6.dxil"))
    assert [last for _, last in blocks] == ["ret void"]
    assert edges == []
    assert folds == [("define void @main() {", blocks[0][1])]


@pytest.mark.parametrize("name", ["everything.vbc", "julia.skslb"])
def test_other_files_have_a_flow(name: str) -> None:
    shader = open_shader(EXAMPLES / name)
    listing = CodeListing.of(shader, FieldTree.of(shader.spans()))
    assert isinstance(flow_of(shader, listing), ListingFlow)
