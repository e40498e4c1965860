"""Chains of a maths function on lavapipe and in the jit: 64 calls, each on the last one's result.

    python benchmarks/functions.py [--rounds N] [--kernels NAME ...] [--engines NAME ...]
                                   [--peer COMMAND ...] [--unrolled]

    sin    x = sin(x)                exp2   x = exp2(-x)
    log2   x = log2(x) + 2           pow    x = pow(x + 1, y), y between 0.3 and 0.6

262,144 lanes, numbers of [1/2, 2). The chains approach a fixed point, so that errors do not grow
and results can be compared. Both run the same SPIR-V, which is written as text here: a loop, or
with `--unrolled` 64 copies. Times and peers are those of `execute.py`.
"""

import sys

import numpy as np
from contenders import Case, Contenders, geometric_mean, ratio
from execute import arguments, milliseconds, started

import unshade

DEPTH = 64
LANES = 1 << 18
HEAD = """
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %floats ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %x DescriptorSet 0
OpDecorate %x Binding 0
OpDecorate %y DescriptorSet 0
OpDecorate %y Binding 1
OpDecorate %z DescriptorSet 0
OpDecorate %z Binding 2
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uint3 = OpTypeVector %uint 3
%float = OpTypeFloat 32
%floats = OpTypeRuntimeArray %float
%block = OpTypeStruct %floats
%to_block = OpTypePointer StorageBuffer %block
%to_float = OpTypePointer StorageBuffer %float
%to_input = OpTypePointer Input %uint3
%to_word = OpTypePointer Input %uint
%id = OpVariable %to_input Input
%x = OpVariable %to_block StorageBuffer
%y = OpVariable %to_block StorageBuffer
%z = OpVariable %to_block StorageBuffer
%0u = OpConstant %uint 0
%1u = OpConstant %uint 1
%depth = OpConstant %uint 64
%one = OpConstant %float 1
%two = OpConstant %float 2
%main = OpFunction %void None %function
%entry = OpLabel
%id_x = OpAccessChain %to_word %id %0u
%i = OpLoad %uint %id_x
%place_x = OpAccessChain %to_float %x %0u %i
%place_y = OpAccessChain %to_float %y %0u %i
%place_z = OpAccessChain %to_float %z %0u %i
%first = OpLoad %float %place_x
%power = OpLoad %float %place_y
"""
TAIL = """
OpStore %place_z {last}
OpReturn
OpFunctionEnd
"""
LOOP = """
OpBranch %head
%head = OpLabel
%n = OpPhi %uint %0u %entry %next %continue
%now = OpPhi %float %first %entry %then %continue
%more = OpULessThan %bool %n %depth
OpLoopMerge %end %continue None
OpBranchConditional %more %work %end
%work = OpLabel
{body}
OpBranch %continue
%continue = OpLabel
%next = OpIAdd %uint %n %1u
OpBranch %head
%end = OpLabel
"""
# One step: {x} is the number before it, {y} the one after it, {n} makes other names unique.
STEPS = {
    "sin": "{y} = OpExtInst %float %glsl Sin {x}",
    "exp2": "%a{n} = OpFNegate %float {x}\n{y} = OpExtInst %float %glsl Exp2 %a{n}",
    "log2": "%a{n} = OpExtInst %float %glsl Log2 {x}\n{y} = OpFAdd %float %a{n} %two",
    "pow": "%a{n} = OpFAdd %float {x} %one\n{y} = OpExtInst %float %glsl Pow %a{n} %power",
}


def module(name: str, unrolled: bool) -> bytes:
    """Return the SPIR-V of a chain."""
    step = STEPS[name]
    if unrolled:
        names = ["%first", *(f"%x{n}" for n in range(DEPTH))]
        steps = [step.format(x=names[n], y=names[n + 1], n=n) for n in range(DEPTH)]
        body, last = "\n".join(steps), names[-1]
    else:
        body, last = LOOP.format(body=step.format(x="%now", y="%then", n=0)), "%now"
    return unshade.assemble(HEAD + body + TAIL.format(last=last), target="vulkan1.1").to_bytes()


def cases(unrolled: bool) -> list[Case]:
    """Return the chain of each function."""
    chance = np.random.default_rng(1)
    x = chance.uniform(0.5, 2, LANES).astype("f4")
    y = chance.uniform(0.3, 0.6, LANES).astype("f4")
    arrays = {0: x, 1: y, 2: np.zeros_like(x)}
    return [
        Case(
            name, {"spv": module(name, unrolled)}, arrays, b"", (LANES // 64, 1, 1), 2, 1e-4, "spv"
        )
        for name in STEPS
    ]


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("--unrolled", action="store_true")
    given = parser.parse_args()
    peers = started(given.peer)
    print(f"one thread, CPU ms, medians of {given.rounds} rounds")
    names = [*peers, *given.engines]
    print(f"{'':12}" + "".join(f"{each:>12}" for each in names) + "  jit against the better peer")
    ratios, wrong = [], []
    for case in cases(given.unrolled):
        if given.kernels and case.name not in given.kernels:
            continue
        each = Contenders(case, peers, given.engines, given.tune)
        message = each.agree()
        wrong += [f"{case.name}: {message}"] if message else []
        widths = each.settle()
        times = each.times(given.rounds)
        line = f"{case.name:12}" + "".join(milliseconds(times, name) for name in names)
        if peers and "jit" in given.engines:
            ratios.append(ratio(times, "jit", list(peers)))
            line += f"  {ratios[-1]}, {widths['jit']} lanes"
        print(line, flush=True)
    if len(ratios) == len(STEPS):
        print(f"geometric mean: {geometric_mean([each.median for each in ratios]):.2f}")
    print("\n".join(wrong) or "results agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
