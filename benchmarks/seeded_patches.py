"""Tessellation in SPIR-V made from seeds, in the text of spirv-as.

    control(seed, given, made)        patches of `given` control points to patches of `made`
    evaluation(seed, made, modes)     points of them
    dividing(), showing(modes)        factors as given; points as the tessellator makes them

Control points see what their neighbours output, beyond barriers: at the top of the code, in
branches and loops whose conditions are the same for the whole patch, and after those.
"""

from seeded_stages import OUTPUTS, Code, arrays, text_of

BARRIER = "OpControlBarrier %u2 %u4 %u0"
SHAPES = ("none", "plain", "branch", "loop", "branch in a loop", "return")
LEVELS = """OpDecorate %outer BuiltIn TessLevelOuter
OpDecorate %outer Patch
OpDecorate %inner BuiltIn TessLevelInner
OpDecorate %inner Patch"""


def _made(count: int) -> str:
    """Return the outputs of every control shader: `count` points, and the factors."""
    return f"""%made = OpTypeArray %vertex %u{count}
%p_made = OpTypePointer Output %made
%p_out = OpTypePointer Output %v4
%p_float = OpTypePointer Output %float
%four = OpTypeArray %float %u4
%two = OpTypeArray %float %u2
%p_four = OpTypePointer Output %four
%p_two = OpTypePointer Output %two
%gl_out = OpVariable %p_made Output
%outer = OpVariable %p_four Output
%inner = OpVariable %p_two Output"""


def _neighbour(code: Code, which: str, made: int) -> str:
    """Read what the next control point output; barriers before and after it."""
    code.do(BARRIER)
    after = code.add(f"OpIAdd %int {which} %i1")
    next_ = code.add(f"OpSMod %int {after} %i{made}")
    found = code.read("%p_out", "%b", next_)
    code.do(BARRIER)
    return found


def _uniform(code: Code) -> str:
    """Compute a truth value that is the same for all control points of a patch."""
    number = code.add("OpLoad %int %primitive")
    bit = code.add(f"OpBitwiseAnd %int {number} %i{code.random.choice((1, 2))}")
    return code.add(f"OpIEqual %bool {bit} %i0")


def _branch(code: Code, which: str, made: int, value: str) -> str:
    """Exchange values in a branch; return the one of after it."""
    before = code.add("OpLoad %v4 %kept")
    end = code.begin_if(_uniform(code))
    code.write("%p_out", "%b", code.add(f"OpFAdd %v4 {value} {before}"), which)
    code.do(f"OpStore %kept {_neighbour(code, which, made)}")
    code.end_if(end)
    return code.add(f"OpFAdd %v4 {value} {code.add('OpLoad %v4 %kept')}")


def _loop(code: Code, which: str, made: int, value: str, *, branch: bool) -> str:
    """Exchange values in a loop; return the last one."""
    turns = code.random.randint(1, 3)
    number = code.add("OpLoad %int %primitive")
    odd = code.add(f"OpBitwiseAnd %int {number} %i1")
    count = code.add(f"OpIAdd %int {odd} %i{turns}")
    before, head, test, body, following, done, i, v, more, plus, last = (
        f"%loop_{each}" for each in
        ("before", "head", "test", "body", "next", "done", "i", "v", "more", "plus", "last")
    )  # fmt: skip
    code.do(f"OpBranch {before}\n{before} = OpLabel\nOpBranch {head}\n{head} = OpLabel")
    code.do(f"{i} = OpPhi %int %i0 {before} {plus} {following}")
    code.do(f"{v} = OpPhi %v4 {value} {before} {last} {following}")
    code.do(f"OpLoopMerge {done} {following} None\nOpBranch {test}\n{test} = OpLabel")
    code.do(f"{more} = OpSLessThan %bool {i} {count}")
    code.do(f"OpBranchConditional {more} {body} {done}\n{body} = OpLabel")
    code.write("%p_out", "%b", v, which)
    found = _neighbour(code, which, made)
    if branch:
        found = _branch(code, which, made, found)
    factor = code.add(f"OpVectorTimesScalar %v4 {found} %f0")
    code.do(f"{last} = OpFAdd %v4 {v} {factor}")
    code.do(f"OpBranch {following}\n{following} = OpLabel\n{plus} = OpIAdd %int {i} %i1")
    code.do(f"OpBranch {head}\n{done} = OpLabel")
    return v


def _exchanges(code: Code, shape: str, which: str, made: int) -> str:
    """Compute a vector from what this control point and its neighbours have."""
    value = code.expression()
    code.do(f"OpStore %kept {value}")
    match shape:
        case "plain":
            value = code.add(f"OpFAdd %v4 {value} {_neighbour(code, which, made)}")
        case "branch":
            value = _branch(code, which, made, value)
        case "loop" | "branch in a loop":
            value = _loop(code, which, made, value, branch=shape != "loop")
    return value


def _return(code: Code, which: str, made: int, value: str) -> None:
    """Return from some patches; in the others exchange values."""
    end = code.begin_if(_uniform(code))
    code.do(f"OpReturn\n{end} = OpLabel")
    found = code.add(f"OpFAdd %v4 {value} {_neighbour(code, which, made)}")
    code.write("%p_out", "%c", found, which)


def control(seed: int, given: int, made: int) -> str:
    """Return a control shader; its factors are computed, from 0 to about 8."""
    code = Code(seed)
    chance = code.random
    which, number = (code.add(f"OpLoad %int {name}") for name in ("%invocation", "%primitive"))
    for each in (which, number):
        code.keep(code.spread(code.add(f"OpConvertSToF %float {each}")))
    own = code.add(f"OpSMod %int {which} %i{given}")
    code.keep(code.read("%p_in", "%gl_in", own, "%i0"))
    code.keep(code.read("%p_in", "%a", own))
    other = chance.randrange(given)
    code.keep(code.read("%p_in", "%gl_in", f"%i{other}", "%i0"))
    code.keep(code.read("%p_in", "%a", f"%i{other}"))
    code.write("%p_out", "%gl_out", code.expression(), which, "%i0")
    code.write("%p_out", "%b", code.expression(), which)
    shape = chance.choice(SHAPES)
    value = _exchanges(code, shape, which, made)
    code.write("%p_out", "%c", value, which)
    first = code.add(f"OpIEqual %bool {which} %i0")
    end = code.begin_if(first)
    patch = code.expression()
    code.do(f"OpStore %d {patch}")
    for name, count in (("%outer", 4), ("%inner", 2)):
        factors = code.add(f"OpExtInst %v4 %glsl FAbs {code.one()}")
        if chance.random() < 0.5:
            factors = code.add(f"OpVectorTimesScalar %v4 {factors} %f{chance.randrange(3)}")
        for at in range(count):
            factor = code.add(f"OpCompositeExtract %float {factors} {at}")
            code.write("%p_float", name, factor, f"%i{at}")
    code.end_if(end)
    if shape == "return":
        _return(code, which, made, value)
    return text_of(
        "TessellationControl", code, variables="%kept = OpVariable %p_kept Function",
        interface="%gl_in %a %gl_out %b %c %d %outer %inner %primitive %invocation",
        capabilities="OpCapability Tessellation",
        modes=f"OpExecutionMode %main OutputVertices {made}",
        decorations="OpDecorate %a Location 0\nOpDecorate %b Location 0\n"
        "OpDecorate %c Location 1\nOpDecorate %d Location 2\nOpDecorate %d Patch\n"
        "OpDecorate %primitive BuiltIn PrimitiveId\nOpDecorate %invocation BuiltIn InvocationId\n"
        + LEVELS,
        globals=f"""{arrays(32)}
{_made(made)}
%p_kept = OpTypePointer Function %v4
%made_b = OpTypeArray %v4 %u{made}
%p_made_b = OpTypePointer Output %made_b
%b = OpVariable %p_made_b Output
%c = OpVariable %p_made_b Output
%d = OpVariable %p_out Output
%primitive = OpVariable %p_in_int Input
%invocation = OpVariable %p_in_int Input""",
    )  # fmt: skip


def evaluation(seed: int, made: int, modes: str) -> str:
    """Return an evaluation shader; `modes` are its execution modes."""
    code = Code(seed)
    where = code.add("OpLoad %v3 %coord")
    code.keep(code.add(f"OpCompositeConstruct %v4 {where} %f1"))
    number = code.add("OpLoad %int %primitive")
    code.keep(code.spread(code.add(f"OpConvertSToF %float {number}")))
    code.keep(code.add("OpLoad %v4 %d"))
    for _ in range(3):
        at = f"%i{code.random.randrange(made)}"
        code.keep(code.read("%p_in", "%gl_in", at, "%i0"))
        code.keep(code.read("%p_in", "%a", at))
        code.keep(code.read("%p_in", "%c", at))
    code.write("%p_out", "%gl_out", code.expression(), "%i0")
    code.do(f"OpStore %b {code.expression()}")
    return text_of(
        "TessellationEvaluation", code,
        interface="%gl_in %a %c %d %gl_out %b %coord %primitive",
        capabilities="OpCapability Tessellation",
        modes="\n".join(f"OpExecutionMode %main {each}" for each in modes.split()),
        decorations="OpDecorate %a Location 0\nOpDecorate %b Location 0\n"
        "OpDecorate %c Location 1\nOpDecorate %d Location 2\nOpDecorate %d Patch\n"
        "OpDecorate %primitive BuiltIn PrimitiveId\nOpDecorate %coord BuiltIn TessCoord",
        globals=f"{arrays(32)}\n{OUTPUTS}\n%c = OpVariable %p_vectors_taken Input\n"
        "%d = OpVariable %p_in Input\n%p_in3 = OpTypePointer Input %v3\n"
        "%coord = OpVariable %p_in3 Input\n%primitive = OpVariable %p_in_int Input",
    )  # fmt: skip


def dividing() -> str:
    """Return a control shader whose factors are the two vectors of its only control point."""
    code = Code(0)
    place = code.read("%p_in", "%gl_in", "%i0", "%i0")
    other = code.read("%p_in", "%a", "%i0")
    code.write("%p_out", "%gl_out", place, "%i0", "%i0")
    for name, vector, count in (("%outer", place, 4), ("%inner", other, 2)):
        for at in range(count):
            factor = code.add(f"OpCompositeExtract %float {vector} {at}")
            code.write("%p_float", name, factor, f"%i{at}")
    return text_of(
        "TessellationControl", code, interface="%gl_in %a %gl_out %outer %inner",
        capabilities="OpCapability Tessellation", modes="OpExecutionMode %main OutputVertices 1",
        decorations=f"OpDecorate %a Location 0\n{LEVELS}",
        globals=f"{arrays(32)}\n{_made(1)}",
    )  # fmt: skip


def showing(modes: str) -> str:
    """Return an evaluation shader whose outputs are its place, and the number of the patch."""
    code = Code(0)
    where = code.add("OpLoad %v3 %coord")
    number = code.add("OpLoad %int %primitive")
    code.write("%p_out", "%gl_out", code.add(f"OpCompositeConstruct %v4 {where} %f1"), "%i0")
    code.do(f"OpStore %b {code.spread(code.add(f'OpConvertSToF %float {number}'))}")
    return text_of(
        "TessellationEvaluation", code, interface="%gl_out %b %coord %primitive",
        capabilities="OpCapability Tessellation",
        modes="\n".join(f"OpExecutionMode %main {each}" for each in modes.split()),
        decorations="OpDecorate %b Location 0\n"
        "OpDecorate %primitive BuiltIn PrimitiveId\nOpDecorate %coord BuiltIn TessCoord",
        globals=f"{OUTPUTS}\n%p_in3 = OpTypePointer Input %v3\n%p_in_int = OpTypePointer Input %int"
        "\n%coord = OpVariable %p_in3 Input\n%primitive = OpVariable %p_in_int Input",
    )  # fmt: skip
