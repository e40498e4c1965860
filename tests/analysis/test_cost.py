"""Counts of operations, trips, chains and live registers, against definitions written otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.cli.terminal import unshade as command
from tests.examples import EXAMPLES
from tests.oracle.parsing import parse_kernel
from unshade.analysis.cost import CostUnit, ShaderCost, cost, cost_of_kernel
from unshade.analysis.cost.live import (
    ControlGraph,
    Held,
    RegisterLiveness,
    chains_of,
    control_graph,
    registers_of,
)
from unshade.ir.kernel import KernelIR
from unshade.ir.simplify import simplify
from unshade.ir.transforms.copying import copied_kernel

SHADERS = (
    "phong.dxbc", "mandel.dxbc", "sheet.h.dxbc", "noise.skslb", "julia.skslb", "particles.spv",
    "lit.shbin", "saxpy6.dxil",
)  # fmt: skip


def simplified(name: str) -> KernelIR:
    program = unshade.open(EXAMPLES / name).programs[0]
    kernel = copied_kernel(program.lower(program.entry_points[0].name).kernel)
    simplify(kernel)
    return kernel


def is_live(graph: ControlGraph, node: int, held: Held) -> bool:
    """Return True if a path from after a node reads a value before it is written again."""
    seen: set[int] = set()
    waiting = list(graph.after[node])
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        if held in graph.uses[at]:
            return True
        if graph.defines[at] is not held:
            waiting += graph.after[at]
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", SHADERS)
def test_live_sets_are_those_of_a_search_of_all_paths(name: str) -> None:
    graph = control_graph(simplified(name))
    live = RegisterLiveness(graph)
    everything = {each for each in graph.defines if each is not None}
    step = max(1, len(graph.nodes) // 40)
    for node in range(0, len(graph.nodes), step):
        expected = {each for each in everything if is_live(graph, node, each)}
        assert live.after(node) == expected
        assert live.registers[node] == registers_of(expected)


@pytest.mark.parametrize(
    ("after", "chains"),
    [
        ([], []),
        ([[1], [2], []], [[0, 1, 2]]),
        ([[1, 2], [3], [3], []], [[0], [1], [2], [3]]),
        ([[1], [2], [1, 3], []], [[0], [1, 2], [3]]),  # a loop
        ([[1], [], [3], [2]], [[0, 1], [2, 3]]),  # a ring that nothing enters
        ([[1, 1], []], [[0], [1]]),
    ],
)
def test_chains_of_nodes(after: list[list[int]], chains: list[list[int]]) -> None:
    graph = ControlGraph()
    for _ in after:
        graph.add(None, (), None)
    graph.after = after
    assert chains_of(graph) == chains


def counted(limit: int, step: int = 1, extra: bool = False) -> ShaderCost:
    """Return the cost of a loop that counts from 0 up to a limit, with one more exit or not."""
    more = "  %9 = ieq %1, i32 7\n  if %9 {\n    break\n  }\n" if extra else ""
    text = f"""var @n i32
loop {{
  %1 = get @n
  %2 = ile i32 {limit}, %1
  if %2 {{
    break
  }}
{more}  %3 = iadd %1, i32 {step}
  set @n, %3
}}
"""
    return cost_of_kernel(parse_kernel(text))


@pytest.mark.parametrize(
    ("limit", "step", "turns"), [(16, 1, 16), (0, 1, 0), (10, 3, 4), (5, 0, None), (9, -1, None)]
)
def test_turns_of_a_counted_loop(limit: int, step: int, turns: int | None) -> None:
    found = counted(limit, step)
    (loop,) = found.loops
    assert loop.most == turns
    if turns is not None:
        assert loop.exact
        assert [(each.least, each.most) for each in found.blocks] == [
            (turns + 1, turns + 1), (1, 1), (turns, turns),
        ]  # fmt: skip
        # get and compare in each test, add in each turn
        assert found.units[CostUnit.INTEGER] == (2, 2 * turns + 1, 2 * turns + 1)


def test_the_turns_of_all_loops_together_are_limited() -> None:
    """A file may have many loops that end only once their counters wrap."""
    text = "var @n i32\nvar @m i32\n" + "".join(
        f"loop {{\n  %{at} = get @{name}\n  %{at + 1} = ile i32 9, %{at}\n  if %{at + 1} {{\n"
        f"    break\n  }}\n  %{at + 2} = iadd %{at}, i32 {step}\n  set @{name}, %{at + 2}\n}}\n"
        for at, name, step in ((1, "n", -1), (4, "m", 1))
    )
    found = cost_of_kernel(parse_kernel(text))
    assert {each.most for each in found.loops} == {None}  # the second turns 9 times
    assert counted(9).loops[0].most == 9


def test_another_exit_makes_turns_a_bound() -> None:
    found = counted(16, extra=True)
    (loop,) = found.loops
    assert (loop.most, loop.exact) == (16, False)
    assert found.units[CostUnit.INTEGER].least < found.units[CostUnit.INTEGER].most  # type: ignore[operator]


BRANCHES = """
ps_5_0
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 1
{}
ret
"""


@pytest.mark.parametrize(
    ("code", "static", "least", "most"),
    [
        ("if_nz v0.x\n{0}else\n{0}{0}endif", 3, 1, 2),
        ("if_nz v0.x\n{0}{0}endif\n{0}", 3, 1, 3),
        ("if_nz v0.x\nret\nelse\n{0}endif\n{0}", 2, 0, 2),
        ("switch v0.x\ncase l(0)\n{0}{0}break\ncase l(1)\n{0}break\ndefault\n{0}{0}{0}break\n"
         "endswitch", 6, 1, 3),
        ("switch v0.x\ncase l(0)\n{0}{0}break\ncase l(1)\n{0}break\nendswitch", 3, 0, 2),
    ],
)  # fmt: skip
def test_a_lane_takes_one_branch(code: str, static: int, least: int, most: int) -> None:
    """Each root is a special operation that nothing else is merged with."""
    parts = code.split("{0}")
    text = parts[0]
    for number, part in enumerate(parts[1:]):
        text += f"rsq r0.x, v0.{'xyzw'[number % 4]}\nadd o0.{'xyzw'[number % 4]}, r0.x, "
        text += f"l({number + 1}.0)\n{part}"
    found = cost(unshade.assemble(BRANCHES.format(text), format="dxcontainer"))
    assert found.units[CostUnit.SPECIAL] == (static, least, most)


def test_an_element_of_an_array_is_chosen_by_one_instruction() -> None:
    text = (
        "OpCapability Shader\nOpCapability SampledImageArrayDynamicIndexing\n"
        "OpMemoryModel Logical GLSL450\n"
        'OpEntryPoint Fragment %main "main" %n %uv %o\nOpExecutionMode %main OriginUpperLeft\n'
        "OpDecorate %n Location 0\nOpDecorate %n Flat\nOpDecorate %uv Location 1\n"
        "OpDecorate %o Location 0\nOpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n"
        "%void = OpTypeVoid\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n"
        "%v2 = OpTypeVector %float 2\n%v4 = OpTypeVector %float 4\n%four = OpConstant %int 4\n"
        "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%both = OpTypeSampledImage %image\n"
        "%many = OpTypeArray %both %four\n%p_many = OpTypePointer UniformConstant %many\n"
        "%p_both = OpTypePointer UniformConstant %both\n%p_n = OpTypePointer Input %int\n"
        "%p_uv = OpTypePointer Input %v2\n%p_o = OpTypePointer Output %v4\n"
        "%t = OpVariable %p_many UniformConstant\n%n = OpVariable %p_n Input\n"
        "%uv = OpVariable %p_uv Input\n%o = OpVariable %p_o Output\n"
        "%f = OpTypeFunction %void\n%main = OpFunction %void None %f\n%entry = OpLabel\n"
        "%at = OpLoad %int %n\n%place = OpLoad %v2 %uv\n%one = OpAccessChain %p_both %t %at\n"
        "%texture = OpLoad %both %one\n%texel = OpImageSampleImplicitLod %v4 %texture %place\n"
        "OpStore %o %texel\nOpReturn\nOpFunctionEnd\n"
    )
    found = cost(unshade.assemble(text, "spirv"))
    assert found.units[CostUnit.TEXTURE] == (1, 0, 1)  # none beyond the array


def test_chains_and_the_peak_of_a_shader() -> None:
    found = cost(unshade.open(EXAMPLES / "phong.dxbc"))
    assert found.units[CostUnit.TEXTURE] == (2, 2, 2)
    assert found.units[CostUnit.FLOAT].most is None  # the number of lights is a constant buffer's
    assert found.samples.length == 1
    assert found.chain.length == len(found.chain.lines)
    assert found.peak.registers == sum(each.registers for each in found.peak.values)
    assert found.live[found.peak.line] == found.peak.registers == max(found.live.values())


def test_samples_that_depend_on_samples() -> None:
    """The position of the second texture is a texel of the first, by way of a variable."""
    program = """ps_4_0
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 2
sample r0.xyzw, v0.xyxx, t0.xyzw, s0
mul r0.xy, r0.xyxx, l(2.000000, 2.000000, 0.000000, 0.000000)
sample r1.xyzw, v0.xyxx, t1.xyzw, s0
sample o0.xyzw, r0.xyxx, t1.xyzw, s0
ret
"""
    found = cost(unshade.assemble(program, format="dxcontainer"))
    assert found.samples.length == 2
    assert found.chain.length == 3
    assert len(set(found.samples.lines)) == 2


def test_an_unknown_program() -> None:
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    with pytest.raises(unshade.UnsupportedError, match="expected a program with number 3, got 1"):
        cost(shader, 3)


@pytest.mark.slow
def test_command(tmp_path: Path) -> None:
    shown = command("cost", EXAMPLES / "noise.skslb", "--all")
    assert shown.code == 0
    assert "live registers after each line" in shown.out
    ran = command("cost", EXAMPLES / "noise.skslb", "--measure", "--lanes", "64")
    assert "measured in 64 lanes" in ran.out
    assert '"dependent_samples"' in command("cost", EXAMPLES / "noise.skslb", "--json").out


def test_no_second_kernel_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel that is lowered for the counts is the one that is simplified."""
    simplified_ones: list[KernelIR] = []
    lowered_ones: list[KernelIR] = []
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    program = shader.programs[0]
    lower = type(program).lower

    def watched(*given: object) -> object:
        lowered = lower(*given)  # type: ignore[arg-type]
        lowered_ones.append(lowered.kernel)
        return lowered

    monkeypatch.setattr(type(program), "lower", watched)
    monkeypatch.setattr("unshade.analysis.cost.simplify", simplified_ones.append)
    cost(shader)
    assert len(lowered_ones) == 1
    assert simplified_ones[0] is lowered_ones[0]
