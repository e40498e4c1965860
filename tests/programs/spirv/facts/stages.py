"""Modules of several stages, in assembly, for the tests of facts."""

from unshade.programs.spirv import Program
from unshade.programs.spirv.facts import FactsOfModule


def module(text: str) -> Program:
    """Return the program of a text."""
    return Program.assemble(text, target="spv1.5")


def facts_of(text: str) -> FactsOfModule:
    """Return the facts of a text."""
    return FactsOfModule(module(text).module)


HEAD = """
OpCapability Shader
OpMemoryModel Logical GLSL450
"""
TYPES = """
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%v2float = OpTypeVector %float 2
%v3float = OpTypeVector %float 3
%v4float = OpTypeVector %float 4
%v3double = OpTypeVector %double 3
%v3uint = OpTypeVector %uint 3
%mat3 = OpTypeMatrix %v3float 3
%mat4x3 = OpTypeMatrix %v3float 4
%uint_0 = OpConstant %uint 0
%uint_1 = OpConstant %uint 1
%uint_2 = OpConstant %uint 2
%uint_4 = OpConstant %uint 4
"""
EMPTY = """
%main = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
"""
