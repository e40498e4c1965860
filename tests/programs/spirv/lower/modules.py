"""Compute modules in the text of spirv-dis, around some instructions."""

from collections.abc import Mapping
from typing import Any

import numpy as np

import unshade
from unshade.programs.spirv.program import Program

HEAD = """\
OpCapability Shader
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Float16
OpCapability Float64
%1 = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %gid
{entries}
OpExecutionMode %main LocalSize {group}
{modes}
OpName %main "main"
OpName %in "source"
OpName %out "target"
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %words ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %in NonWritable
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
{decorations}
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v3uint = OpTypeVector %uint 3
%function = OpTypeFunction %void
%p_in_v3 = OpTypePointer Input %v3uint
%p_in = OpTypePointer Input %uint
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%p_block = OpTypePointer StorageBuffer %block
%p_uint = OpTypePointer StorageBuffer %uint
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c3 = OpConstant %uint 3
%c4 = OpConstant %uint 4
%gid = OpVariable %p_in_v3 Input
%in = OpVariable %p_block StorageBuffer
%out = OpVariable %p_block StorageBuffer
{globals}
%main = OpFunction %void None %function
%entry = OpLabel
{variables}
%pi = OpAccessChain %p_in %gid %c0
%i = OpLoad %uint %pi
%px = OpAccessChain %p_uint %in %c0 %i
%x = OpLoad %uint %px
{code}
OpReturn
OpFunctionEnd
{functions}
"""
STORE = "%po = OpAccessChain %p_uint %out %c0 %i\nOpStore %po {}"


def shader(
    code: str,
    result: str = "",
    *,
    globals: str = "",
    decorations: str = "",
    variables: str = "",
    functions: str = "",
    group: int | tuple[int, int, int] = 4,
    modes: str = "",
    entries: str = "",
) -> unshade.Shader:
    """Return a module; %i is the invocation, %x its word of the input, `result` is stored."""
    text = HEAD.format(
        code=code + ("\n" + STORE.format(result) if result else ""), globals=globals,
        decorations=decorations, variables=variables, functions=functions, modes=modes,
        entries=entries,
        group=" ".join(map(str, (group, 1, 1) if isinstance(group, int) else group)),
    )  # fmt: skip
    return unshade.loads(Program.assemble(text, preserve_numeric_ids=True).encode())


def run(
    module: unshade.Shader,
    words: Any,
    *,
    groups: int = 1,
    size: int | None = None,
    bindings: Mapping[str, Any] | None = None,
    **options: Any,
) -> list[int]:
    """Return the output words; both engines agree about them."""
    given = np.array(words, np.uint32)
    found = []
    for engine in ("lockstep", "jit"):
        kernel = unshade.kernel(module, engine=engine, **options)
        target = np.zeros(len(given) if size is None else size, np.uint32)
        bound = {"source": given.copy(), "target": target, **(bindings or {})}
        names = {name for each in kernel.bindings for name in each.names}
        kernel.dispatch(groups, {name: each for name, each in bound.items() if name in names})
        found.append([int(each) for each in target])
    assert found[0] == found[1]
    return found[0]


__all__ = ["run", "shader"]
