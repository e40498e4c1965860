"""Programs of one construct, `n` times, in each family that can be run.

    program = CONSTRUCTS["spirv: ifs with phis"](1000)

What they cost is measured by `benchmarks/bounds.py --growth`, and counted by `test_growth.py`.
"""

from collections.abc import Callable
from typing import Any

import unshade
from tests.programs.dxil.lower import support as dxil
from tests.programs.pica.lower import support as pica
from tests.programs.sksl.lower import support as sksl
from tests.programs.spirv.lower import modules as spirv

__all__ = ["CONSTRUCTS", "FEW", "LIMITED"]

Make = Callable[[int], Any]


def lines(n: int, template: str, start: int = 0, **more: object) -> str:
    """Return a template for each number; `{p}` is the number before it."""
    return "\n".join(template.format(i=i, p=i - 1, **more) for i in range(start, n))


def nest(n: int, begin: str, inside: str, end: str) -> str:
    """Return n constructs, each inside of the one before it."""
    down = [begin.format(i=i, p=i - 1) for i in range(n)]
    return "\n".join([*down, inside, *(end.format(i=i, p=i - 1) for i in reversed(range(n)))])


# -- Direct3D bytecode -----------------------------------------------------------------------------


def _tpf(body: str, temps: int = 4, before: str = "") -> Any:
    return unshade.assemble(f"""cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_resource_raw t0
{before}
dcl_input vThreadID.x
dcl_temps {temps}
dcl_thread_group 64, 1, 1
ld_raw r0.x, vThreadID.x, t0.x
{body}
""")


TPF_END = "\nstore_raw u0.x, vThreadID.x, r0.x\nret"
TPF_LOOP = "loop\niadd r{i}.y, r{i}.y, l(1)\nuge r{i}.z, r{i}.y, r0.x\nbreakc_nz r{i}.z"


def tpf_loops(n: int) -> Any:
    return _tpf(lines(n, TPF_LOOP + "\nendloop") + TPF_END, n)


def tpf_nested_loops(n: int) -> Any:
    return _tpf(nest(n, TPF_LOOP, "iadd r0.x, r0.x, l(1)", "endloop") + TPF_END, n)


def tpf_breaks(n: int) -> Any:
    body = lines(n, "iadd r{i}.y, r{i}.y, r{i}.x\nuge r{i}.z, r{i}.y, r0.x\nbreakc_nz r{i}.z")
    return _tpf(f"loop\n{body}\nendloop\n" + lines(n, "iadd r0.x, r0.x, r{i}.y", 1) + TPF_END, n)


def tpf_continues(n: int) -> Any:
    body = lines(n, "iadd r{i}.y, r{i}.y, r{i}.x\nuge r{i}.z, r{i}.y, r0.x\ncontinuec_nz r{i}.z")
    after = lines(n, "iadd r0.x, r0.x, r{i}.y", 1)
    return _tpf(f"loop\n{body}\nbreak\nendloop\n{after}" + TPF_END, n)


def tpf_ifs(n: int) -> Any:
    body = lines(
        n, "if_nz r{p}.x\nudiv r{i}.x, null, r0.x, r{p}.x\nelse\nmov r{i}.x, l(3)\nendif", 1
    )
    return _tpf(body + "\n" + lines(n, "iadd r0.x, r0.x, r{i}.x", 1) + TPF_END, n)


def tpf_nested_ifs(n: int) -> Any:
    begin = "udiv r{i}.y, null, r0.x, r{i}.x\nif_nz r{i}.y"
    return _tpf(
        nest(n, begin, "iadd r0.x, r0.x, l(1)", "else\nmov r{i}.x, r0.x\nendif") + TPF_END, n
    )


def tpf_else_ifs(n: int) -> Any:
    begin = "ieq r1.x, r0.x, l({i})\nif_nz r1.x\nudiv r0.x, null, r0.y, r0.x\nelse"
    return _tpf(nest(n, begin, "iadd r0.x, r0.x, l(1)", "endif") + TPF_END)


def tpf_cases(n: int) -> Any:
    body = lines(n, "case l({i})\nudiv r{i}.y, null, r0.x, r{i}.x\nbreak", 1)
    after = lines(n, "iadd r0.x, r0.x, r{i}.y", 1)
    return _tpf(f"switch r0.x\n{body}\nendswitch\n{after}" + TPF_END, n)


def tpf_labels_of_a_case(n: int) -> Any:
    return _tpf(
        "switch r0.x\n" + lines(n, "case l({i})") + "\nmov r0.x, l(3)\nbreak\nendswitch" + TPF_END
    )


def tpf_fallthrough(n: int) -> Any:
    body = lines(n, "case l({i})\nbreakc_nz r0.y\nudiv r0.x, null, r0.x, r1.x")
    return _tpf(f"switch r0.x\n{body}\nbreak\nendswitch" + TPF_END)


def tpf_switches(n: int) -> Any:
    body = (
        "switch r{p}.x\ncase l(1)\nudiv r{i}.x, null, r0.x, r1.x\nbreak\n"
        "default\nmov r{i}.x, l(3)\nbreak\nendswitch"
    )
    return _tpf(lines(n, body, 1) + TPF_END.replace("r0.x", f"r{n - 1}.x"), n)


def tpf_nested_switches(n: int) -> Any:
    begin = "switch r{i}.x\ncase l(1)\nudiv r{i}.y, null, r0.x, r1.x"
    return _tpf(nest(n, begin, "iadd r0.x, r0.x, l(1)", "break\nendswitch") + TPF_END, n)


def tpf_block(n: int) -> Any:
    return _tpf(lines(n, "mad r0.x, r0.x, r0.y, l({i}.5)\nadd r0.y, r0.x, r0.y") + TPF_END)


def tpf_live(n: int) -> Any:
    body = lines(n, "ld_raw r{i}.xyzw, l({i}), t0.xyzw", 1)
    back = "\n".join(f"mad r0.xyzw, r0.xyzw, r{i}.xyzw, r{i}.wzyx" for i in range(n - 1, 0, -1))
    return _tpf(f"{body}\n{back}{TPF_END}", n)


def tpf_barriers(n: int) -> Any:
    body = lines(
        n,
        "store_raw g0.x, r0.y, r{i}.x\nsync_g_t\nld_raw r{i}.x, r0.x, g0.x\n"
        "iadd r0.x, r0.x, r{i}.x",
    )
    return _tpf(body + TPF_END, n, "dcl_tgsm_raw g0, 4096\n")


def tpf_counted_barriers(n: int) -> Any:
    """Barriers in branches that all lanes take, with values that are kept across them."""
    body = lines(n, "iadd r{i}.x, vThreadIDInGroup.x, l({i})\nif_nz cb0[{i}].x\nsync_g_t\nendif")
    after = lines(n, "store_raw g0.x, r{i}.x, r{i}.x")
    before = f"dcl_constantbuffer cb0[{n}], immediateIndexed\ndcl_tgsm_raw g0, 4096\n"
    return _tpf(body + "\n" + after + TPF_END, n, before + "dcl_input vThreadIDInGroup.x")


def tpf_calls(n: int) -> Any:
    functions = lines(n, "label l{i}\nudiv r{i}.x, null, r0.x, r{p}.x\nret", 1)
    return _tpf(lines(n, "call l{i}", 1) + TPF_END + "\n" + functions, n)


def tpf_call_chain(n: int) -> Any:
    functions = lines(n, "label l{i}\nudiv r{i}.x, null, r0.x, r{p}.x\ncall l{p}\nret", 2)
    return _tpf(f"call l{n - 1}{TPF_END}\nlabel l1\nmov r0.x, l(1)\nret\n{functions}", n)


def tpf_doubling_calls(n: int) -> Any:
    functions = lines(n, "label l{i}\ncall l{p}\ncall l{p}\nret", 2)
    return _tpf(f"call l{n - 1}{TPF_END}\nlabel l1\niadd r0.x, r0.x, l(1)\nret\n{functions}", n)


def tpf_resources(n: int) -> Any:
    before = lines(n, "dcl_resource_raw t{i}", 1)
    return _tpf(
        lines(n, "ld_raw r1.x, r0.x, t{i}.x\niadd r0.x, r0.x, r1.x", 1) + TPF_END, 4, before
    )


def tpf_textures(n: int) -> Any:
    before = "dcl_sampler s0, mode_default\n" + lines(
        n, "dcl_resource_texture2d (float,float,float,float) t{i}", 1
    )
    body = lines(
        n,
        "sample_l_indexable(texture2d)(float,float,float,float) r1.xyzw, r0.xyxx, t{i}.xyzw, s0, "
        "l(0)\nadd r0.x, r0.x, r1.x",
        1,
    )
    return _tpf(body + TPF_END, 4, before)


def tpf_constants(n: int) -> Any:
    table = (
        "dcl_immediateConstantBuffer {"
        + ",\n".join(f"{{ {i}, 1.0, 2.0, 0}}" for i in range(n))
        + "}"
    )
    return _tpf("mov r1.x, icb[r0.x + 0].x\nmov r0.x, r1.x" + TPF_END, 4, table)


def tpf_arrays(n: int) -> Any:
    before = lines(n, "dcl_indexableTemp x{i}[4], 4")
    return _tpf(
        lines(n, "mov x{i}[r0.x + 0].x, r0.y\nmov r0.y, x{i}[r0.z + 0].x\niadd r0.x, r0.x, r0.y")
        + TPF_END,
        4,
        before,
    )


# -- SPIR-V ----------------------------------------------------------------------------------------


def spirv_phis(n: int) -> Any:
    code = ["OpBranch %h0", "%h0 = OpLabel", "%v0 = OpCopyObject %uint %x"]
    for i in range(1, n + 1):
        code.append(f"""%k{i} = OpULessThan %bool %v{i - 1} %c4
OpSelectionMerge %h{i} None
OpBranchConditional %k{i} %t{i} %h{i}
%t{i} = OpLabel
%w{i} = OpUDiv %uint %v{i - 1} %x
OpBranch %h{i}
%h{i} = OpLabel
%v{i} = OpPhi %uint %v{i - 1} %h{i - 1} %w{i} %t{i}""")
    return spirv.shader("\n".join(code), f"%v{n}")


def spirv_live_phis(n: int) -> Any:
    """All of the phis are alive at the end."""
    code = ["OpBranch %h0", "%h0 = OpLabel", "%v0 = OpCopyObject %uint %x"]
    for i in range(1, n + 1):
        code.append(f"""%k{i} = OpULessThan %bool %v{i - 1} %c4
OpSelectionMerge %h{i} None
OpBranchConditional %k{i} %t{i} %h{i}
%t{i} = OpLabel
%w{i} = OpUDiv %uint %v{i - 1} %x
OpBranch %h{i}
%h{i} = OpLabel
%v{i} = OpPhi %uint %v{i - 1} %h{i - 1} %w{i} %t{i}""")
    code.append("%s0 = OpCopyObject %uint %x")
    code += [f"%s{i} = OpIAdd %uint %s{i - 1} %v{i}" for i in range(1, n + 1)]
    return spirv.shader("\n".join(code), f"%s{n}")


def spirv_wide_phis(n: int) -> Any:
    """A phi with many predecessors: the cases of a switch."""
    targets = " ".join(f"{i} %t{i}" for i in range(n))
    code = [f"OpSelectionMerge %m None\nOpSwitch %x %d {targets}"]
    code += [
        f"%t{i} = OpLabel\n%w{i} = OpUDiv %uint %x %c{i % 4 + 1}\nOpBranch %m" for i in range(n)
    ]
    ways = " ".join(f"%w{i} %t{i}" for i in range(n))
    code.append(f"%d = OpLabel\nOpBranch %m\n%m = OpLabel\n%v = OpPhi %uint %x %d {ways}")
    return spirv.shader("\n".join(code), "%v")


def spirv_many_phis(n: int) -> Any:
    """Many phis in one loop, each of which depends on the one before."""
    phis = "\n".join(f"%v{i} = OpPhi %uint %x %a %w{i} %c" for i in range(n))
    work = "\n".join(f"%w{i} = OpIAdd %uint %v{i} %v{max(i - 1, 0)}" for i in range(n))
    code = f"""OpBranch %a
%a = OpLabel
OpBranch %h
%h = OpLabel
{phis}
OpLoopMerge %m %c None
OpBranch %b
%b = OpLabel
{work}
%k = OpULessThan %bool %w{n - 1} %c4
OpBranchConditional %k %c %m
%c = OpLabel
OpBranch %h
%m = OpLabel"""
    return spirv.shader(code, f"%w{n - 1}")


def spirv_shifted_phis(n: int) -> Any:
    """Values that move by one variable in each iteration: facts take n iterations to arrive."""
    phis = "\n".join(
        f"%v{i} = OpPhi %uint %c1 %a %{f'v{i + 1}' if i < n - 1 else 'x'} %c" for i in range(n)
    )
    code = f"""OpBranch %a
%a = OpLabel
OpBranch %h
%h = OpLabel
{phis}
OpLoopMerge %m %c None
OpBranch %b
%b = OpLabel
%k = OpULessThan %bool %v0 %c4
OpBranchConditional %k %c %m
%c = OpLabel
OpBranch %h
%m = OpLabel"""
    return spirv.shader(code, "%v0")


def spirv_live_across_ifs(n: int) -> Any:
    """Values that are read after as many branches."""
    code = [f"%w{i} = OpUDiv %uint %x %n{i}" for i in range(n)]
    code += ["%q = OpAccessChain %p_uint %out %c0 %c2"]
    code += [
        f"""%k{i} = OpULessThan %bool %w{i} %c4
OpSelectionMerge %h{i} None
OpBranchConditional %k{i} %t{i} %h{i}
%t{i} = OpLabel
OpStore %q %w{i}
OpBranch %h{i}
%h{i} = OpLabel"""
        for i in range(n)
    ]
    code += ["%s0 = OpCopyObject %uint %x"]
    code += [f"%s{i + 1} = OpBitwiseXor %uint %s{i} %w{i}" for i in range(n)]
    numbers = "\n".join(f"%n{i} = OpConstant %uint {i + 10}" for i in range(n))
    return spirv.shader("\n".join(code), f"%s{n}", globals=numbers)


def spirv_dead_ifs(n: int) -> Any:
    """Branches that only the condition of the next one depends on."""
    code = ["OpBranch %h0", "%h0 = OpLabel", "%v0 = OpCopyObject %uint %x"]
    for i in range(1, n + 1):
        code.append(f"""%k{i} = OpULessThan %bool %v{i - 1} %c4
OpSelectionMerge %h{i} None
OpBranchConditional %k{i} %t{i} %h{i}
%t{i} = OpLabel
%w{i} = OpUDiv %uint %v{i - 1} %x
OpBranch %h{i}
%h{i} = OpLabel
%v{i} = OpPhi %uint %v{i - 1} %h{i - 1} %w{i} %t{i}""")
    return spirv.shader("\n".join(code), "%x")


def spirv_counters(n: int) -> Any:
    """Counters of one loop, each with a break of its own."""
    code = ["OpBranch %a\n%a = OpLabel\nOpBranch %h\n%h = OpLabel"]
    code += [f"%v{i} = OpPhi %uint %c0 %a %w{i} %c" for i in range(n)]
    code += ["OpLoopMerge %m %c None\nOpBranch %b0\n%b0 = OpLabel"]
    code += [
        f"""%w{i} = OpIAdd %uint %v{i} %c1
%k{i} = OpULessThan %bool %w{i} %c4
OpBranchConditional %k{i} %b{i + 1} %m
%b{i + 1} = OpLabel"""
        for i in range(n)
    ]
    code += ["OpBranch %c\n%c = OpLabel\nOpBranch %h\n%m = OpLabel"]
    return spirv.shader("\n".join(code), "%v0")


def spirv_calls_of_loops(n: int) -> Any:
    """Calls of functions that return from a loop."""
    bodies = [
        f"""OpBranch %a{i}
%a{i} = OpLabel
%u{i} = OpPhi %uint %q{i} %e{i} %y{i} %d{i}
OpLoopMerge %m{i} %d{i} None
OpBranch %b{i}
%b{i} = OpLabel
%k{i} = OpULessThan %bool %u{i} %c4
OpBranchConditional %k{i} %t{i} %d{i}
%t{i} = OpLabel
OpReturnValue %u{i}
%d{i} = OpLabel
%y{i} = OpUDiv %uint %u{i} %c2
%j{i} = OpULessThan %bool %y{i} %c1
OpBranchConditional %j{i} %m{i} %a{i}
%m{i} = OpLabel
%r{i} = OpIAdd %uint %y{i} %c1"""
        for i in range(n)
    ]
    code = "%s0 = OpCopyObject %uint %x\n" + "\n".join(
        f"%s{i + 1} = OpFunctionCall %uint %f{i} %s{i}" for i in range(n)
    )
    return spirv.shader(code, f"%s{n}", globals=SPIRV_FUNCTION, functions=_spirv_functions(bodies))


def spirv_entry_points(n: int) -> Any:
    functions = "\n".join(
        f"%main{i} = OpFunction %void None %function\n%e{i} = OpLabel\nOpReturn\nOpFunctionEnd"
        for i in range(n)
    )
    text = "\n".join(f'OpEntryPoint GLCompute %main{i} "main{i}"' for i in range(n))
    modes = "\n".join(f"OpExecutionMode %main{i} LocalSize 1 1 1" for i in range(n))
    return spirv.shader("", "%x", functions=functions, modes=modes, entries=text)


def spirv_uniform_blocks(n: int) -> Any:
    decorations = "\n".join(
        f"OpDecorate %z{i} DescriptorSet 0\nOpDecorate %z{i} Binding {i + 2}" for i in range(n)
    )
    decorations += "\nOpDecorate %ub Block\nOpMemberDecorate %ub 0 Offset 0"
    globals = "%ub = OpTypeStruct %uint\n%p_ub = OpTypePointer Uniform %ub\n"
    globals += "%p_uu = OpTypePointer Uniform %uint\n"
    globals += "\n".join(f"%z{i} = OpVariable %p_ub Uniform" for i in range(n))
    code = "%s0 = OpCopyObject %uint %x\n" + "\n".join(
        f"%pz{i} = OpAccessChain %p_uu %z{i} %c0\n%lz{i} = OpLoad %uint %pz{i}\n"
        f"%s{i + 1} = OpIAdd %uint %s{i} %lz{i}"
        for i in range(n)
    )
    return spirv.shader(code, f"%s{n}", globals=globals, decorations=decorations)


def spirv_one_binding(n: int) -> Any:
    """Variables that all share a set and binding."""
    decorations = "\n".join(
        f"OpDecorate %z{i} DescriptorSet 0\nOpDecorate %z{i} Binding 2" for i in range(n)
    )
    globals = "\n".join(f"%z{i} = OpVariable %p_block StorageBuffer" for i in range(n))
    code = "%s0 = OpCopyObject %uint %x\n" + "\n".join(
        f"%pz{i} = OpAccessChain %p_uint %z{i} %c0 %i\n%lz{i} = OpLoad %uint %pz{i}\n"
        f"%s{i + 1} = OpIAdd %uint %s{i} %lz{i}"
        for i in range(n)
    )
    return spirv.shader(code, f"%s{n}", globals=globals, decorations=decorations)


SPIRV_LOOP = """OpBranch %h{i}
%h{i} = OpLabel
%v{i} = OpPhi %uint %x %{before} %w{i} %c{i}_
OpLoopMerge %m{i} %c{i}_ None
OpBranch %b{i}
%b{i} = OpLabel"""
SPIRV_LOOP_END = """OpBranch %c{i}_
%c{i}_ = OpLabel
%w{i} = OpIAdd %uint %v{i} %c1
%k{i} = OpULessThan %bool %w{i} %x
OpBranchConditional %k{i} %h{i} %m{i}
%m{i} = OpLabel"""


def spirv_loops(n: int) -> Any:
    code = ["OpBranch %m0\n%m0 = OpLabel"]
    for i in range(1, n + 1):
        code += [SPIRV_LOOP.format(i=i, before=f"m{i - 1}"), SPIRV_LOOP_END.format(i=i)]
    return spirv.shader("\n".join(code), f"%w{n}")


def spirv_nested_loops(n: int) -> Any:
    code = ["OpBranch %b0\n%b0 = OpLabel"]
    code += [SPIRV_LOOP.format(i=i, before=f"b{i - 1}") for i in range(1, n + 1)]
    code += [SPIRV_LOOP_END.format(i=i) for i in range(n, 0, -1)]
    return spirv.shader("\n".join(code), "%w1")


def spirv_nested_ifs(n: int) -> Any:
    begin = """%w{i} = OpUDiv %uint %x %c3
%k{i} = OpULessThan %bool %w{i} %c4
OpSelectionMerge %m{i} None
OpBranchConditional %k{i} %t{i} %m{i}
%t{i} = OpLabel"""
    inside = STORE_AGAIN
    return spirv.shader(nest(n, begin, inside, "OpBranch %m{i}\n%m{i} = OpLabel"), "%x")


STORE_AGAIN = "%pq = OpAccessChain %p_uint %out %c0 %c2\nOpStore %pq %x"


def spirv_block(n: int) -> Any:
    code = ["%v0 = OpCopyObject %uint %x"]
    code += [f"%v{i} = OpIAdd %uint %v{i - 1} %x" for i in range(1, n + 1)]
    return spirv.shader("\n".join(code), f"%v{n}")


def spirv_variables(n: int) -> Any:
    variables = "\n".join(f"%a{i} = OpVariable %p_f Function" for i in range(n))
    code = "\n".join(f"OpStore %a{i} %x" for i in range(n))
    code += (
        "\n%k = OpULessThan %bool %x %c4\nOpSelectionMerge %m None\nOpBranchConditional %k %t %m"
    )
    code += "\n%t = OpLabel\n" + "\n".join(f"OpStore %a{i} %i" for i in range(0, n, 2))
    code += "\nOpBranch %m\n%m = OpLabel\n%s0 = OpCopyObject %uint %x\n"
    code += "\n".join(
        f"%l{i} = OpLoad %uint %a{i}\n%s{i + 1} = OpUDiv %uint %s{i} %l{i}" for i in range(n)
    )
    return spirv.shader(
        code, f"%s{n}", globals="%p_f = OpTypePointer Function %uint", variables=variables
    )


SPIRV_FUNCTION = "%fu = OpTypeFunction %uint %uint"


def _spirv_functions(bodies: list[str]) -> str:
    return "\n".join(
        f"%f{i} = OpFunction %uint None %fu\n%q{i} = OpFunctionParameter %uint\n%e{i} = OpLabel\n"
        f"{body}\nOpReturnValue %r{i}\nOpFunctionEnd"
        for i, body in enumerate(bodies)
    )


def spirv_calls(n: int) -> Any:
    functions = _spirv_functions([f"%r{i} = OpUDiv %uint %q{i} %c3" for i in range(n)])
    code = "%s0 = OpCopyObject %uint %x\n" + "\n".join(
        f"%s{i + 1} = OpFunctionCall %uint %f{i} %s{i}" for i in range(n)
    )
    return spirv.shader(code, f"%s{n}", globals=SPIRV_FUNCTION, functions=functions)


def spirv_call_chain(n: int) -> Any:
    bodies = ["%r0 = OpUDiv %uint %q0 %c3"]
    bodies += [f"%r{i} = OpFunctionCall %uint %f{i - 1} %q{i}" for i in range(1, n)]
    code = f"%s = OpFunctionCall %uint %f{n - 1} %x"
    return spirv.shader(code, "%s", globals=SPIRV_FUNCTION, functions=_spirv_functions(bodies))


def spirv_doubling_calls(n: int) -> Any:
    bodies = ["%r0 = OpUDiv %uint %q0 %c3"]
    bodies += [
        f"%p{i} = OpFunctionCall %uint %f{i - 1} %q{i}\n"
        f"%r{i} = OpFunctionCall %uint %f{i - 1} %p{i}"
        for i in range(1, n)
    ]
    code = f"%s = OpFunctionCall %uint %f{n - 1} %x"
    return spirv.shader(code, "%s", globals=SPIRV_FUNCTION, functions=_spirv_functions(bodies))


def spirv_constants(n: int) -> Any:
    globals = "\n".join(f"%n{i} = OpConstant %uint {i + 10}" for i in range(n))
    code = "%s0 = OpCopyObject %uint %x\n" + "\n".join(
        f"%s{i + 1} = OpBitwiseXor %uint %s{i} %n{i}" for i in range(n)
    )
    return spirv.shader(code, f"%s{n}", globals=globals)


def spirv_types(n: int) -> Any:
    globals = "\n".join(
        f"%ty{i} = OpTypeStruct %{f'ty{i - 1}' if i % 30 else 'uint'} %float" for i in range(n)
    )
    names = "\n".join(
        f"OpMemberDecorate %ty{i} 0 Offset 0\nOpMemberDecorate %ty{i} 1 Offset 512"
        for i in range(n)
    )
    return spirv.shader("", "%x", globals=globals, decorations=names)


def spirv_decorations(n: int) -> Any:
    return spirv.shader(
        "%y = OpIAdd %uint %x %x", "%y", decorations="OpDecorate %y RelaxedPrecision\n" * n
    )


def spirv_resources(n: int) -> Any:
    decorations = "\n".join(
        f"OpDecorate %z{i} DescriptorSet 0\nOpDecorate %z{i} Binding {i + 2}" for i in range(n)
    )
    globals = "\n".join(f"%z{i} = OpVariable %p_block StorageBuffer" for i in range(n))
    code = "%s0 = OpCopyObject %uint %x\n" + "\n".join(
        f"%pz{i} = OpAccessChain %p_uint %z{i} %c0 %i\n%lz{i} = OpLoad %uint %pz{i}\n"
        f"%s{i + 1} = OpIAdd %uint %s{i} %lz{i}"
        for i in range(n)
    )
    return spirv.shader(code, f"%s{n}", globals=globals, decorations=decorations)


# -- DXIL ------------------------------------------------------------------------------------------


def _dxil(body: str, result: str, **more: Any) -> Any:
    return unshade.assemble(
        dxil.compute_text(f"{dxil.load('x')}\n{body}{dxil.store(result)}", **more)
    )


def dxil_ifs(n: int) -> Any:
    body = ["br label %h0\nh0:\n%v0 = add i32 %x, 1"]
    for i in range(1, n + 1):
        body.append(f"""%k{i} = icmp ult i32 %v{i - 1}, 4
br i1 %k{i}, label %t{i}, label %h{i}
t{i}:
%w{i} = udiv i32 %v{i - 1}, %x
br label %h{i}
h{i}:
%v{i} = phi i32 [ %v{i - 1}, %h{i - 1} ], [ %w{i}, %t{i} ]""")
    return _dxil("\n".join(body), f"%v{n}")


DXIL_LOOP = "br label %h{i}\nh{i}:\n%v{i} = phi i32 [ %x, %{before} ], [ %w{i}, %{back} ]"
DXIL_LOOP_END = """%w{i} = add i32 %v{i}, 1
%k{i} = icmp ult i32 %w{i}, %x
br i1 %k{i}, label %h{i}, label %m{i}
m{i}:"""


def dxil_loops(n: int) -> Any:
    body = ["br label %m0\nm0:"]
    for i in range(1, n + 1):
        body += [DXIL_LOOP.format(i=i, before=f"m{i - 1}", back=f"h{i}"), DXIL_LOOP_END.format(i=i)]
    return _dxil("\n".join(body), f"%w{n}")


def dxil_nested_loops(n: int) -> Any:
    body = ["br label %h0\nh0:"]
    for i in range(1, n + 1):
        back = f"m{i + 1}" if i < n else f"h{i}"
        body.append(DXIL_LOOP.format(i=i, before=f"h{i - 1}", back=back))
    body += [DXIL_LOOP_END.format(i=i) for i in range(n, 0, -1)]
    return _dxil("\n".join(body), "%w1")


def dxil_nested_ifs(n: int) -> Any:
    begin = "%w{i} = udiv i32 %x, 3\n%k{i} = icmp ult i32 %w{i}, {i}\n"
    begin += "br i1 %k{i}, label %t{i}, label %m{i}\nt{i}:"
    inside = dxil.store("%lane", 8)
    return _dxil(nest(n, begin, inside, "br label %m{i}\nm{i}:"), "%x")


def dxil_cases(n: int) -> Any:
    body = [
        "br label %a\na:\nswitch i32 %x, label %m ["
        + "\n".join(f"i32 {i}, label %t{i}" for i in range(n))
        + "]"
    ]
    body += [f"t{i}:\n%w{i} = udiv i32 %lane, {i + 3}\nbr label %m" for i in range(n)]
    ways = ", ".join(f"[ %w{i}, %t{i} ]" for i in range(n))
    body.append(f"m:\n%v = phi i32 [ %x, %a ], {ways}")
    return _dxil("\n".join(body), "%v")


def dxil_block(n: int) -> Any:
    body = ["%v0 = add i32 %x, 1"] + [f"%v{i} = add i32 %v{i - 1}, %x" for i in range(1, n + 1)]
    return _dxil("\n".join(body), f"%v{n}")


def dxil_calls(n: int) -> Any:
    before = "\n".join(
        f"define i32 @f{i}(i32 %q) {{\n%r = udiv i32 %q, {i + 3}\nret i32 %r\n}}" for i in range(n)
    )
    body = "%v0 = add i32 %x, 1\n" + "\n".join(
        f"%v{i + 1} = call i32 @f{i}(i32 %v{i})" for i in range(n)
    )
    return _dxil(body, f"%v{n}", before=before)


def dxil_call_chain(n: int) -> Any:
    before = "define i32 @f0(i32 %q) {\n%r = udiv i32 %q, 3\nret i32 %r\n}\n" + "\n".join(
        f"define i32 @f{i}(i32 %q) {{\n%r = call i32 @f{i - 1}(i32 %q)\nret i32 %r\n}}"
        for i in range(1, n)
    )
    return _dxil(f"%v = call i32 @f{n - 1}(i32 %x)", "%v", before=before)


def dxil_doubling_calls(n: int) -> Any:
    before = "define i32 @f0(i32 %q) {\n%r = udiv i32 %q, 3\nret i32 %r\n}\n" + "\n".join(
        f"define i32 @f{i}(i32 %q) {{\n%p = call i32 @f{i - 1}(i32 %q)\n"
        f"%r = call i32 @f{i - 1}(i32 %p)\nret i32 %r\n}}"
        for i in range(1, n)
    )
    return _dxil(f"%v = call i32 @f{n - 1}(i32 %x)", "%v", before=before)


def dxil_variables(n: int) -> Any:
    body = "\n".join(f"%a{i} = alloca i32" for i in range(n)) + "\n"
    body += "\n".join(f"store i32 %x, i32* %a{i}" for i in range(n))
    body += "\n%v0 = add i32 %x, 1\n" + "\n".join(
        f"%l{i} = load i32, i32* %a{i}\n%v{i + 1} = udiv i32 %v{i}, %l{i}" for i in range(n)
    )
    return _dxil(body, f"%v{n}")


def dxil_resources(n: int) -> Any:
    body = "%v0 = add i32 %x, 1\n" + "\n".join(
        f"%h{i} = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)\n"
        f"%r{i} = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, "
        f"%dx.types.Handle %h{i}, i32 {4 * i}, i32 undef, i8 1, i32 4)\n"
        f"%e{i} = extractvalue %dx.types.ResRet.i32 %r{i}, 0\n%v{i + 1} = xor i32 %v{i}, %e{i}"
        for i in range(n)
    )
    return _dxil(body, f"%v{n}")


def dxil_live_across_ifs(n: int) -> Any:
    body = [f"%w{i} = udiv i32 %x, {i + 3}" for i in range(n)]
    for i in range(n):
        body.append(f"%k{i} = icmp ult i32 %w{i}, 4\nbr i1 %k{i}, label %t{i}, label %h{i}")
        body.append(f"t{i}:{dxil.store(f'%w{i}', 8)}\nbr label %h{i}\nh{i}:")
    body += ["%v0 = add i32 %x, 1"]
    body += [f"%v{i + 1} = xor i32 %v{i}, %w{i}" for i in range(n)]
    return _dxil("\n".join(body), f"%v{n}")


def dxil_many_phis(n: int) -> Any:
    phis = "\n".join(f"%v{i} = phi i32 [ %x, %a ], [ %w{i}, %h ]" for i in range(n))
    work = "\n".join(f"%w{i} = add i32 %v{i}, %v{max(i - 1, 0)}" for i in range(n))
    end = f"%k = icmp ult i32 %w{n - 1}, 4\nbr i1 %k, label %h, label %m\nm:"
    return _dxil(f"br label %a\na:\nbr label %h\nh:\n{phis}\n{work}\n{end}", f"%w{n - 1}")


def dxil_early_returns(n: int) -> Any:
    body = []
    for i in range(n):
        body.append(f"%w{i} = udiv i32 %x, {i + 3}\n%k{i} = icmp ult i32 %w{i}, 4")
        body.append(f"br i1 %k{i}, label %t{i}, label %h{i}\nt{i}:\nret void\nh{i}:")
    return _dxil("\n".join(body), "%x")


def dxil_jumps(n: int) -> Any:
    """Branches that cross each other: no two of them are nested."""
    body = ["br label %b0"]
    for i in range(n):
        body.append(f"b{i}:\n%w{i} = udiv i32 %x, {i + 3}\n%k{i} = icmp ult i32 %w{i}, 4")
        body.append(f"br i1 %k{i}, label %b{i + 1}, label %b{min(i + 2, n)}")
    body.append(f"b{n}:")
    return _dxil("\n".join(body), "%x")


def dxil_metadata_chain(n: int) -> Any:
    after = (
        "\n".join(f"!{i + 20} = !{{!{i + 21}}}" for i in range(n))
        + f"\n!{n + 20} = !{{}}\n!extra = !{{!20}}"
    )
    return _dxil("", "%x", after=after)


def dxil_metadata_cycle(n: int) -> Any:
    after = (
        "\n".join(
            f"!{i + 20} = distinct !{{!{(i + 1) % n + 20}, !{(i * 7) % n + 20}}}" for i in range(n)
        )
        + "\n!extra = !{!20}"
    )
    return _dxil("", "%x", after=after)


# -- SkSL ------------------------------------------------------------------------------------------


def _sksl(body: str, before: str = "") -> Any:
    return sksl.shader(
        f"{sksl.ES3}{before}\nhalf4 main(float2 p) {{ float v = p.x;\n{body}\nreturn half4(v); }}"
    )


def sksl_ifs(n: int) -> Any:
    return _sksl(
        lines(n, "float a{i} = p.y; if (v > {i}.0) {{ a{i} = v / p.x; v = sin(v); }} v += a{i};")
    )


def sksl_nested_ifs(n: int) -> Any:
    return _sksl(nest(n, "v = v / p.y; if (v > {i}.0) {{", "v += 1;", "}} else {{ v = p.y / v; }}"))


def sksl_loops(n: int) -> Any:
    return _sksl(
        lines(
            n,
            "for (int i{i} = 0; i{i} < 10; i{i}++) {{ v = v * p.y + {i}.0; if (v > p.x) break; }}",
        )
    )


def sksl_nested_loops(n: int) -> Any:
    return _sksl(nest(n, "for (int i{i} = 0; i{i} < 2; i{i}++) {{", "v = v * p.y + 1;", "}}"))


def sksl_cases(n: int) -> Any:
    body = lines(n, "case {i}: v = v / (p.y + {i}.0); break;")
    return _sksl(f"switch (int(p.y)) {{ {body} }}")


def sksl_block(n: int) -> Any:
    return _sksl(lines(n, "v = v * p.y + {i}.0;"))


def sksl_expression(n: int) -> Any:
    return _sksl("v = " + nest(n, "(p.y + ", "v", ")") + ";")


def sksl_calls(n: int) -> Any:
    return _sksl(
        lines(n, "v = f{i}(v);"), lines(n, "float f{i}(float x) {{ return x / ({i}.5 + x); }}")
    )


def sksl_call_chain(n: int) -> Any:
    return _sksl(
        f"v = f{n - 1}(v);",
        "float f0(float x) { return x / 3.5; }\n"
        + lines(n, "float f{i}(float x) {{ return f{p}(x) + {i}.0; }}", 1),
    )


def sksl_doubling_calls(n: int) -> Any:
    return _sksl(
        f"v = f{n - 1}(v);",
        "float f0(float x) { return x / 3.5; }\n"
        + lines(n, "float f{i}(float x) {{ return f{p}(f{p}(x)); }}", 1),
    )


def sksl_variables(n: int) -> Any:
    return _sksl(
        lines(n, "float a{i} = v / p.y + {i}.0;")
        + lines(n, "if (v > 1) {{ a{i} = v; }} v += a{i};")
    )


def sksl_uniforms(n: int) -> Any:
    return _sksl(lines(n, "v += u{i};"), lines(n, "uniform float u{i};"))


# -- PICA200 ---------------------------------------------------------------------------------------


def _pica(body: str, before: str = "") -> Any:
    return pica.program("mov r0, v0\n" + body + "\nmov o0, r0", before)


def pica_ifs(n: int) -> Any:
    return _pica(
        lines(n, "cmp r0, eq, eq, v0\nifc cmp.x\nmul r0, r0, r0\n.else\nadd r1, r0, r1\n.end")
    )


def pica_nested_ifs(n: int) -> Any:
    return _pica(nest(n, "ifu b0", "mul r0, r0, r0", ".end"))


def pica_loops(n: int) -> Any:
    return _pica(lines(n, "for i0\nmul r0, r0, r0\nadd r0, r1, r0\n.end"))


def pica_block(n: int) -> Any:
    return _pica(lines(n, "mul r0, r0, r1\nadd r1, r1, r0"))


def pica_calls(n: int) -> Any:
    return _pica(lines(n, "call f{i}"), lines(n, ".proc f{i}\nmul r0, r0, r1\n.end"))


def pica_call_chain(n: int) -> Any:
    return _pica(
        f"call f{n - 1}",
        ".proc f0\nmul r0, r0, r1\n.end\n"
        + lines(n, ".proc f{i}\nadd r0, r1, r0\ncall f{p}\nnop\n.end", 1),
    )


def pica_doubling_calls(n: int) -> Any:
    return _pica(
        f"call f{n - 1}",
        ".proc f0\nmul r0, r0, r1\n.end\n"
        + lines(n, ".proc f{i}\ncall f{p}\ncall f{p}\nnop\n.end", 1),
    )


# ------------------------------------------------------------------------------------- Direct3D 9


def _d3d9(body: str) -> Any:
    begin = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov r0, v0\n"
    return unshade.assemble(f"{begin}{body}\nmov o0, r0", "d3d9")


def d3d9_ifs(n: int) -> Any:
    return _d3d9(lines(n, "if b0\nrcp r0.x, v0.x\nelse\nmov r0.x, v0.y\nendif"))


def d3d9_nested_ifs(n: int) -> Any:
    return _d3d9(nest(n, "rcp r0.y, v0.x\nif_lt r0.x, c{i}.x", "add r0, r0, v0", "endif"))


def d3d9_nested_loops(n: int) -> Any:
    return _d3d9(nest(n, "rep i0", "add r0, r0, v0", "break_gt r0.x, c0.x\nendrep"))


def d3d9_breaks(n: int) -> Any:
    return _d3d9("rep i0\n" + lines(n, "add r0, r0, v0\nbreak_gt r0.x, c{i}.x") + "\nendrep")


def d3d9_constants(n: int) -> Any:
    return _d3d9(lines(n, "def c{i}, 1, 2, 3, {i}") + "\n" + lines(n, "add r0, r0, c{i}"))


def _name(function: Make) -> str:
    family, _, rest = function.__name__.partition("_")
    return f"{family}: {rest.replace('_', ' ')}"


FAMILIES = ("tpf_", "spirv_", "dxil_", "sksl_", "pica_", "d3d9_")
CONSTRUCTS: dict[str, Make] = {
    _name(each): each for name, each in list(globals().items()) if name.startswith(FAMILIES)
}
# Constructs of which a program can have few: the number of them to begin with.
FEW = {
    "tpf: nested loops": 25, "spirv: shifted phis": 80, "tpf: nested ifs": 25, "tpf: else ifs": 25,
    "tpf: nested switches": 25, "spirv: nested loops": 40, "spirv: nested ifs": 10,
    "dxil: nested loops": 40, "dxil: early returns": 20, "dxil: jumps": 30,
    "dxil: nested ifs": 10, "sksl: nested ifs": 3,
    "sksl: nested loops": 3, "sksl: expression": 5, "pica: ifs": 20, "pica: nested ifs": 2,
    "pica: loops": 20, "pica: block": 50, "pica: calls": 25,
    "d3d9: nested loops": 8, "d3d9: nested ifs": 10,
}  # fmt: skip
# Constructs that exceed a limit: how many of them, and what the message contains.
LIMITED = {
    "tpf: call chain": (40, "calls are nested more than 32 deep"),
    "tpf: doubling calls": (20, "instructions after inlining"),
    "spirv: call chain": (40, "calls are nested more than 32 deep"),
    "spirv: doubling calls": (20, "instructions after inlining"),
    "dxil: call chain": (40, "calls are nested more than 32 deep"),
    "dxil: doubling calls": (20, "instructions after inlining"),
    "sksl: call chain": (250, "more than 200 nested expressions, statements and calls"),
    "sksl: doubling calls": (20, "program is too large"),
    "pica: call chain": (20, "calls nest 5 deep; the hardware's stack has 4 entries"),
    "pica: doubling calls": (20, "calls nest 5 deep; the hardware's stack has 4 entries"),
}
