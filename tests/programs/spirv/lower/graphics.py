"""Vertex and fragment modules in the text of spirv-dis, around some instructions."""

from collections.abc import Callable
from typing import Any

import numpy as np

import unshade
from unshade.programs.spirv.program import Program
from unshade.run.kernels import Kernel

__all__ = ["engines", "fragment", "module", "same_everywhere"]

HEAD = """\
OpCapability Shader
{capabilities}
%1 = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main" {interface}
{modes}
OpName %main "main"
{decorations}
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v2float = OpTypeVector %float 2
%v3float = OpTypeVector %float 3
%v4float = OpTypeVector %float 4
%v2int = OpTypeVector %int 2
%v3int = OpTypeVector %int 3
%v2uint = OpTypeVector %uint 2
%v4uint = OpTypeVector %uint 4
%function = OpTypeFunction %void
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i2 = OpConstant %int 2
%i3 = OpConstant %int 3
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c3 = OpConstant %uint 3
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%f2 = OpConstant %float 2
%half = OpConstant %float 0.5
%quarter = OpConstant %float 0.25
{globals}
%main = OpFunction %void None %function
%entry = OpLabel
{code}
OpReturn
OpFunctionEnd
"""


def module(model: str, code: str, **given: str) -> unshade.Shader:
    """Return a module; `given` are the other parts of the text."""
    parts = dict.fromkeys(("interface", "modes", "decorations", "globals", "capabilities"), "")
    text = HEAD.format(model=model, code=code, **{**parts, **given})
    return unshade.loads(Program.assemble(text, preserve_numeric_ids=True).encode())


def fragment(
    code: str,
    *,
    inputs: str = "",
    globals: str = "",
    decorations: str = "",
    modes: str = "",
    capabilities: str = "",
) -> unshade.Shader:
    """Return a fragment shader with an output %out of four floats in location 0."""
    own = "%p_out = OpTypePointer Output %v4float\n%out = OpVariable %p_out Output\n"
    return module(
        "Fragment", code, interface=f"%out {inputs}",
        modes=f"OpExecutionMode %main OriginUpperLeft\n{modes}",
        decorations=f'OpName %out "colour"\nOpDecorate %out Location 0\n{decorations}',
        globals=own + globals, capabilities=capabilities,
    )  # fmt: skip


def engines(shader: unshade.Shader, **options: Any) -> list[Kernel]:
    """Return the kernel in each engine."""
    return [unshade.kernel(shader, engine=name, **options) for name in ("lockstep", "jit")]


def same_everywhere(shader: unshade.Shader, call: Callable[[Kernel], Any], **options: Any) -> Any:
    """Return what a call makes, an array; both engines have the same bits."""
    made = (np.atleast_1d(call(each)) for each in engines(shader, **options))
    first, *others = (np.ascontiguousarray(each) for each in made)
    for other in others:
        np.testing.assert_array_equal(first.view(np.uint8), other.view(np.uint8))
    return first
