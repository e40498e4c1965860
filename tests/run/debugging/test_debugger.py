"""The debugger: its traces as text and data, stops, names, and what it refuses."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import unshade
from tests.fixtures.ramp import ramp
from tests.run.examples import kernel, vectors
from tests.vm.lockstep.debug.kernels import looked_at, made, turning
from unshade import UsageError
from unshade.ir.builder import Builder
from unshade.ir.locations import SymbolName
from unshade.ir.types import F32
from unshade.run.debugging import trace_view
from unshade.run.debugging.breakpoints import hits, parse
from unshade.run.debugging.debugger import Debugger
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep
from unshade.vm.lockstep.debug import Coverage, Trace

# ---------------------------------------------------------------- traces


def test_a_thread_that_does_not_exist_is_refused() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug((64, 0, 0))
    debugger.dispatch(1, a=1, X=x, Y=y)
    with pytest.raises(
        unshade.UsageError, match=r"no such thread: \(64, 0, 0\); expected x 0 to 63"
    ):
        _ = debugger.trace
    with pytest.raises(unshade.UsageError, match="no such thread: 3; nothing has run"):
        _ = kernel("saxpy.dxbc").debug(3).trace
    debugger = unshade.kernel(unshade.loads(ramp())).debug((9, 2))
    debugger.shade((9, 3))
    with pytest.raises(
        unshade.UsageError, match=r"no such pixel: \(9, 2\); expected x 0 to 8, y 0 to 2"
    ):
        _ = debugger.trace


def test_vertices_have_semantics_and_internal_ports_are_hidden() -> None:
    debugger = kernel("billboards.dxbc").debug(1)
    debugger.expand(
        {"POSITION": np.ones((3, 1, 3), "f4"), "SIZE": np.ones((3, 1), "f4"),
         "COLOR": np.ones((3, 1, 4), "f4")},
        Camera={"view_projection": np.eye(4), "right": [1, 0, 0], "up": [0, 1, 0]},
    )  # fmt: skip
    first = debugger.trace.entries[0]
    assert [(each.name, each.label) for each in first.reads] == [("v[0][0].w", "SIZE[0]")]
    emit = next(each for each in debugger.trace.entries if debugger.line(each.line)[:4] == "emit")
    assert emit.notes == []
    names = {each.name.partition(".")[2] for each in (*emit.reads, *emit.writes)}
    assert names <= set("xyzw")


def test_loops_show_their_first_and_last_iterations() -> None:
    debugger = looked_at(turning(20))
    entries = debugger.trace.entries
    assert [each.loops for each in entries[:3]] == [(), ((2, 1),), ((2, 1),)]
    assert entries[-1].loops == ()
    assert entries[2].notes == ["not taken"]
    assert entries[-3].notes == ["taken"]
    lines = [*trace_view.text(trace_view.trace(debugger))]
    heads = [line for line in lines if "// iteration" in line]
    assert heads == [f"    2  line 2    // iteration {number}" for number in (1, 2, 3, 19, 20)]
    assert "       … iterations 4 to 18 of the loop of line 2" in lines
    every = [*trace_view.text(trace_view.trace(debugger, every=True))]
    assert sum("// iteration" in line for line in every) == 20
    for count in (1, 2, 4, 6):
        part = [*trace_view.text(trace_view.trace(debugger, every=True, last=count))]
        assert part[0] == f"       … {len(entries) - count} instructions before"
        marked = [line for line in part if line.startswith("    ") and line[4].isdigit()]
        assert len([line for line in marked if "// iteration" not in line]) == count
        assert part[-count:] == every[-count:]
    whole = [*trace_view.text(trace_view.trace(debugger, every=True, last=len(entries)))]
    assert whole == every


@pytest.mark.slow
def test_a_loop_without_end_stops_early_and_is_named() -> None:
    debugger = made(turning(-1)).debug(1)
    with pytest.raises(unshade.LimitError) as caught:
        debugger.dispatch(1, u0=np.zeros(16, np.uint32))
    assert caught.value.allowed == 1 << 14
    assert "the loop of line 2 goes on for thread (0, 0, 0)" in str(caught.value)
    assert "--budget N" in str(caught.value)
    assert debugger.trace.entries[-1].loops == ((2, (1 << 14) + 1),)
    own = made(turning(-1))
    own.budget = 100
    assert own.debug().budget == 100


def test_the_end_of_a_long_trace_is_kept() -> None:
    recorded = Trace(0, most=20)
    kernel = made(turning(50))
    debugger = kernel.debug(0)
    debugger._traces[(0, 0, 0)] = recorded
    code = debugger.lowered.kernel
    memories = {"u0": np.zeros(64, np.uint8)}
    Lockstep().run(code, Launch(memories), recorded)
    assert recorded.left_out == 1 + 50 * 2 + 2 - 20
    assert len(recorded.entries) == 20
    assert recorded.registers(recorded.gap)["r0.x"].bits == 47
    lines = [*trace_view.text(trace_view.trace(debugger, every=True))]
    assert f"       … {recorded.left_out} instructions that the trace did not keep" in lines


def test_traces_and_findings_are_plain_data() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug((3, 0, 0))
    debugger.dispatch(1, a=np.inf, X=x, Y=y)
    data = trace_view.document(debugger)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["thread"] == [3, 0, 0]
    multiply = data["trace"][4]
    assert multiply["text"] == "mul r0.x, cb0[0].xxxx, r0.xxxx"
    assert multiply["writes"] == [
        {"name": "r0.x", "label": None, "kind": "float", "value": "inf", "bits": 0x7F800000,
         "before": {"value": 3.0, "bits": 0x40400000}}
    ]  # fmt: skip
    assert {each["kind"] for each in data["findings"]} == {"nan", "infinity"}


# ---------------------------------------------------------------- stops


def stopped(debugger: Debugger, text: str) -> list[int]:
    return [debugger.trace.entries[at].line for at in hits(debugger, parse(debugger, text))]


def test_stops_are_lines_opcodes_places_and_conditions() -> None:
    x, y = vectors()
    debugger = kernel("saxpy.dxbc").debug(3)
    debugger.dispatch(1, a=2.0, X=x[:3], Y=y)
    assert stopped(debugger, "17") == [17]
    assert stopped(debugger, "mul") == [12]
    assert stopped(debugger, "ld") == [11, 16]
    assert stopped(debugger, "Y[3]") == stopped(debugger, "u1") == [18]
    assert stopped(debugger, "finding") == [11]
    assert stopped(debugger, "r0.x == 3") == [8, 10]
    assert stopped(debugger, "r0.y >= 1.0") == [13, 15, 16]
    assert stopped(debugger, "mul if P.a > 0x1") == [12]
    assert stopped(debugger, "17 if r0.x > r0.y") == []
    assert stopped(debugger, "r0.x == 3 and line == 10") == [10]
    assert stopped(debugger, "line==10 and r0.x == 3") == [10]
    assert stopped(debugger, "line == 10 and r0.x == 4") == []
    assert stopped(debugger, "r0.y >= 1 and r0.y < 2") == [16]
    assert stopped(debugger, "mul if P.a > 1 and P.a < 2") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("99", "no such line: 99; the listing has 19"),
        ("1", "line 1 has no code: 'cs_5_0'; the next line with code is 8"),
        ("muls", "expected a line, opcode, register or place, got 'muls'; did you mean mul?"),
        ("r0.x > ", "expected a line, opcode, register or place, got 'r0.x >'"),
        ("r0.x > 3 and r0", "expected a condition such as r0.x > 3, got 'r0'"),
        ("line == 99 and r0.x > 3", "no such line: 99"),
        ("17 if r0", "expected a condition such as r0.x > 3, got 'r0'"),
        ("r9.x > 3", "unknown name 'r9.x'"),
    ],
)
def test_stops_that_cannot_be_are_refused(text: str, message: str) -> None:
    with pytest.raises(unshade.UsageError, match=re.escape(message)):
        parse(kernel("saxpy.dxbc").debug(3), text)


@pytest.mark.parametrize("given", [True, {}, "out.info"])
def test_coverage_is_a_coverage(given: object) -> None:
    with pytest.raises(UsageError, match="coverage: expected a Coverage of unshade"):
        kernel("saxpy.dxbc").debug(coverage=given)  # type: ignore[arg-type]
    assert unshade.run.Coverage is Coverage


TYPED = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %data
OpExecutionMode %main LocalSize 1 1 1
OpName %word "word"
OpName %low "low"
OpName %same "same"
OpName %sum "sum"
OpName %bits "bits"
OpDecorate %array ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%mask = OpConstant %uint 65535
%one = OpConstant %float 1
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%pointer = OpTypePointer StorageBuffer %block
%place = OpTypePointer StorageBuffer %uint
%data = OpVariable %pointer StorageBuffer
%main = OpFunction %void None %function
%label = OpLabel
%at = OpAccessChain %place %data %zero %zero
%word = OpLoad %uint %at
%low = OpBitwiseAnd %uint %word %mask
%same = OpBitcast %float %word
%sum = OpFAdd %float %same %one
%bits = OpBitcast %uint %sum
OpStore %at %bits
OpReturn
OpFunctionEnd
"""


def test_values_with_a_type_are_shown_in_it() -> None:
    """Bits of a uint that are used as a float stay an integer, under their own name."""
    shader = unshade.assemble(TYPED, format="spirv")
    debugger = unshade.kernel(shader, engine="lockstep").debug(0)
    debugger.dispatch(1, set0_binding0=np.array([2.5], "f4").view("u4"))
    shown = {
        str(each.name): trace_view.value(each)
        for entry in debugger.trace.entries
        for each in entry.writes
    }
    two, three = (str(np.float32(each).view("u4")) for each in (2.5, 3.5))
    assert (shown["%word"], shown["%low"]) == (two, "0")
    assert (shown["%same"], shown["%sum"], shown["%bits"]) == ("2.5", "3.5", three)


def test_a_debugger_and_its_trace_say_what_they_are() -> None:
    shader = unshade.assemble(TYPED, format="spirv")
    program = shader.programs[0]
    count = len(program.instructions)
    assert repr(program) == f"<Program compute main, {count} instructions>"
    debugger = unshade.kernel(shader, engine="lockstep").debug(0)
    debugger.dispatch(1, set0_binding0=np.ones(1, "u4"))
    assert repr(debugger) == "<Debugger: compute, thread 0, 0 findings>"
    count = len(debugger.trace.entries)
    assert repr(debugger.trace) == f"<Trace: lane 0, {count} entries>"


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["gyroid.dxbc", "plasma.skslb"])
def test_a_pixel_alone_has_the_same_trace(name: str) -> None:
    found = []
    for alone in (False, True):
        debugger = kernel(name, engine="lockstep").debug((5, 3), checks=False)
        debugger.alone = alone
        names = {each.name for b in debugger.bindings if b.buffer for each in b.buffer.variables}
        values = {"iTime": 1.0, "time": 1.0, "iResolution": [16, 8, 1], "size": [16, 8],
                  "resolution": [16, 8]}  # fmt: skip
        done = debugger.shade((16, 8), None, {each: values.get(each, 1.0) for each in names})
        lines = [*trace_view.text(trace_view.trace(debugger))]
        picture = np.asarray(next(iter(done.values())))
        assert debugger.report is not None
        found.append((lines, picture[3, 5].tolist(), debugger.report.lanes))
    whole, part = found
    assert part[:2] == whole[:2]
    assert (whole[2], part[2]) == (128, 4)


def test_a_variable_is_known_by_its_name_alone() -> None:
    """Its value in the listing has the same text, but a single step."""

    def write(b: Builder) -> None:
        var = b.var("sum.x", F32, gives=SymbolName("sum", ".x"))
        b.line = 1
        b.set(var, b.f32(1.0))

    debugger = looked_at(write)
    for name in ("sum", "sum.x"):
        debugger.check_name(name)
    with pytest.raises(UsageError, match=r"^unknown name 'summ'; did you mean sum[?]$"):
        debugger.check_name("summ")


PLACES = """\
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_resource_structured t1, 12
dcl_uav_raw u0
dcl_uav_structured u1, 12
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_raw r0.xy, l(4), t0.xyxx
ld_structured r0.z, l(1), l(8), t1.xxxx
store_raw u0.x, l(8), r0.y
store_structured u1.x, l(2), l(4), r0.z
ret
"""


def test_places_of_buffers() -> None:
    """Bytes of a raw buffer, whose elements are words; elements of a structured one."""
    debugger = unshade.kernel(unshade.assemble(PLACES)).debug(0)
    words = np.arange(9, dtype=np.uint32)
    out = debugger.dispatch(
        1, t0=words, t1=words.reshape(3, 3), u0=np.zeros(9, "<u4"), u1=np.zeros((3, 3), "<u4")
    )
    assert out["u0"].view("<u4").tolist() == [0, 0, 2, 0, 0, 0, 0, 0, 0]
    found = [
        [each.name for each in (*entry.reads, *entry.writes) if each.name[0] in "tu"]
        for entry in debugger.trace.entries
    ]
    assert found[:4] == [["t0[4]", "t0[8]"], ["t1[1]+8"], ["u0[8]"], ["u1[2]+4"]]


def test_elements_at_an_index_that_is_computed() -> None:
    """The trace shows the element that is read; no other one counts as read."""
    text = """
    #version 300
    half4 main(half4 color) {
        half weights[3];
        half total = 0;
        for (int i = 0; i < 2; ++i) {
            weights[i] = color.x;
            total += weights[i];
        }
        return half4(total);
    }
    """
    shader = unshade.assemble(text, "sksl", kind="runtime_color_filter", optimize=False)
    debugger = unshade.kernel(shader, engine="lockstep").debug(0)
    debugger.shade({"color": np.full((1, 4), 0.5, np.float32)})
    assert debugger.findings == []
    reads = [
        each.name
        for entry in debugger.trace.entries
        for each in entry.reads
        if str(each.name).startswith("weights")
    ]
    assert {"weights[0]", "weights[1]"} <= set(reads)


def test_a_lane_that_ends_has_no_later_step() -> None:
    """Groups of lanes that are gone are not taken for new ones, in any run of the process."""
    text = """gs_5_0
dcl_input v[1][0].x
dcl_temps 1
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output o0.x
dcl_maxout 2
mov o0.x, v[0][0].x
call l0
retc_nz v[0][0].x
call l0
ret
label l0
emit_stream m0
iadd o0.x, v[0][0].x, l(5)
ret
"""
    shader = unshade.assemble(text)
    for _ in range(8):
        debugger = unshade.kernel(shader).debug(0)
        debugger.expand({"TEXCOORD": np.full((3, 1, 1), 7.0, np.float32)})
        last = debugger.trace.entries[-1]
        assert (last.line, last.notes) == (11, ["ends"])
