"""Hostile SPIR-V modules: huge numbers allocate nothing, cycles and deep nesting end."""

from __future__ import annotations

import tracemalloc

import pytest

import unshade
from tests.hostile.exercise import exercise
from unshade.programs.spirv import Program

HEAD = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %v
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %v DescriptorSet 0
OpDecorate %v Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%yes = OpConstantTrue %bool
%zero = OpConstant %uint 0
%most = OpConstant %uint 4294967295
"""
END = "OpReturn\nOpFunctionEnd\n"
DEEP = 10_000


def variable(kind: str) -> str:
    return f"%p = OpTypePointer Uniform {kind}\n%v = OpVariable %p Uniform\n"


MAIN = "%main = OpFunction %void None %fn\n%l = OpLabel\n"
BODY = f"{MAIN}{END}"


def nested_blocks(count: int) -> str:
    lines = [MAIN]
    for n in range(count):
        lines.append(f"OpSelectionMerge %m{n} None\nOpBranchConditional %yes %b{n} %m{n}")
        lines.append(f"%b{n} = OpLabel")
    for n in reversed(range(count)):
        lines.append(f"OpBranch %m{n}\n%m{n} = OpLabel")
    return "\n".join([*lines, END])


STRUCTS = "".join(f"%s{n} = OpTypeStruct %s{n - 1} %s{n - 1}\n" for n in range(1, DEEP))
ARRAYS = "".join(f"%a{n} = OpTypeArray %a{n - 1} %most\n" for n in range(1, DEEP))
CALLS = "".join(
    f"%f{n} = OpFunction %void None %fn\n%l{n} = OpLabel\n"
    f"%r{n} = OpFunctionCall %void %f{n + 1}\n{END}"
    for n in range(2000)
)
TEXTS = {
    "array of 2^32 - 1": f"%a = OpTypeArray %uint %most\n{variable('%a')}{BODY}",
    "structures of structures": "%s0 = OpTypeStruct %uint\n"
    f"{STRUCTS}{variable(f'%s{DEEP - 1}')}{BODY}",
    "arrays of arrays": "%a0 = OpTypeArray %uint %most\n"
    f"{ARRAYS}{variable(f'%a{DEEP - 1}')}{BODY}",
    "a structure in itself": "%s = OpTypeStruct %uint %s %a\n%a = OpTypeArray %s %most\n"
    f"{variable('%s')}{BODY}",
    "pointers in a circle": f"%s = OpTypeStruct %p %p\n{variable('%s')}{BODY}",
    "phis in a circle": f"{variable('%uint')}{MAIN}OpBranch %k\n%k = OpLabel\n"
    "%x = OpPhi %uint %y %k %zero %l\n%y = OpPhi %uint %x %k %zero %l\n"
    "OpBranch %k\nOpFunctionEnd\n",
    "nested blocks": f"{variable('%uint')}{nested_blocks(DEEP)}",
    "calls of calls": f"{variable('%uint')}{MAIN}%r = OpFunctionCall %void %f0\n{END}{CALLS}"
    f"%f2000 = OpFunction %void None %fn\n%q = OpLabel\n%w = OpFunctionCall %void %f0\n{END}",
    "an interface array": f"%a = OpTypeArray %uint %most\n%p = OpTypePointer Input %a\n"
    f"%v = OpVariable %p Input\n{BODY}",
    "a composite of itself": f"%c = OpSpecConstantComposite %uint %c %c\n"
    f"%a = OpTypeArray %uint %c\n{variable('%a')}{BODY}",
}  # fmt: skip


def data_of(name: str) -> bytes:
    return Program.assemble(HEAD + TEXTS[name]).encode()


@pytest.mark.parametrize("name", TEXTS)
def test_only_our_errors(name: str) -> None:
    assert exercise(data_of(name)) == "read"


@pytest.mark.parametrize("order", ["little", "big"])
def test_a_bound_of_all_ids_allocates_nothing(order: str) -> None:
    program = Program.assemble(HEAD + TEXTS["array of 2^32 - 1"])
    program.module.bound = 0xFFFF_FFFF
    program.module.order = order
    data = program.encode()
    assert exercise(data) == "read"
    shader = unshade.loads(data)
    tracemalloc.start()
    shader.verify()
    shader.reflect()
    shader.disassemble()
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


def test_options_on_nested_blocks() -> None:
    shader = unshade.loads(data_of("nested blocks"))
    text = shader.disassemble(nested_indent=True, reorder_blocks=True, comment=True)
    assert text.count("OpLabel") == 2 * DEEP + 1


def test_edits_of_deep_modules() -> None:
    shader = unshade.loads(data_of("calls of calls"))
    assert isinstance(shader, unshade.SpirvModule)
    shader.program.remap({(0, 0): (1, 1)})
    shader.rename("%1", "start")
    shader.strip("debug", "reflection")
    assert shader.reflect().resources[0].space == 1
