"""Order of a module: sections, functions, blocks, and what stands in them."""
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.lines import Rows, differing_modules

SECTIONS: list[Rows] = [
    ("{}", "spv1.6", [
        ("OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450", []),
        ("OpCapability Shader OpMemoryModel Logical GLSL450 OpCapability Linkage", ["OpCapability: an instruction of an earlier section"]),
    ]),
    ("OpCapability Shader OpCapability Linkage {}", "spv1.6", [
        ("OpMemoryModel Logical GLSL450 OpMemoryModel Logical GLSL450", ["OpMemoryModel: a second memory model"]),
        ("", ["expected OpMemoryModel"]),
    ]),
    ("{}", "spv1.6", [
        ('OpCapability Shader OpCapability Linkage %set = OpExtInstImport "GLSL.std.450" OpExtension "SPV_KHR_multiview" OpMemoryModel Logical GLSL450', ["OpExtension: an instruction of an earlier section"]),
    ]),
    ("OpCapability Shader OpCapability Linkage {} OpMemoryModel Logical GLSL450", "spv1.6", [
        ('OpExtension "SPV_KHR_multiview" %set = OpExtInstImport "GLSL.std.450"', []),
        ('%s = OpString "a"', ["OpString: expected OpMemoryModel first", "OpMemoryModel: an instruction of an earlier section"]),
    ]),
    ("OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 {} %void = OpTypeVoid", "spv1.6", [
        ('OpName %void "v" OpSource GLSL 450', ["OpSource: an instruction of an earlier section"]),
        ('OpModuleProcessed "p" OpName %void "v"', ["OpName: an instruction of an earlier section"]),
        ('OpName %void "v" OpModuleProcessed "p" OpDecorate %void RelaxedPrecision', ["OpDecorate: RelaxedPrecision: expected a value, a variable or a member"]),
    ]),
    ("{}", "spv1.6", [
        ('OpCapability Shader OpCapability Linkage OpMemoryModel Logical GLSL450 OpDecorate %float RelaxedPrecision OpModuleProcessed "p" %float = OpTypeFloat 32', ["OpDecorate: RelaxedPrecision: expected a value, a variable or a member", "OpModuleProcessed: an instruction of an earlier section"]),
        ('{shader} {types} OpName %void "v"', ["OpName: an instruction of an earlier section"]),
        ("{shader} {types} OpDecorate %uint RelaxedPrecision", ["OpDecorate: an instruction of an earlier section", "OpDecorate: RelaxedPrecision: expected a value, a variable or a member"]),
        ("{shader} {types} {main} OpReturn OpFunctionEnd %int = OpTypeInt 32 1", ["OpTypeInt: an instruction of an earlier section"]),
        ("{shader} {types} {main} %int = OpTypeInt 32 1 {end}", ["OpTypeInt: an instruction of an earlier section"]),
        ("{shader} {types} %p = OpTypePointer Private %uint %v = OpVariable %p Private %int = OpTypeInt 32 1 %u = OpUndef %int", []),
    ]),
    ("{shader} {types} {main} {end} {} %uint", "spv1.6", [
        ("%p = OpTypePointer Private", ["OpTypePointer: an instruction of an earlier section"]),
        ("%v = OpUndef", ["OpUndef: expected it in a block"]),
    ]),
    ("{}", "spv1.6", [
        ('{shader} OpSource GLSL 450 OpSourceContinued "x" OpSourceContinued "y"', []),
    ]),
    ('{shader} {} OpSourceContinued "y"', "spv1.6", [
        ('OpSourceExtension "x"', ["OpSourceContinued: expected it after OpSource"]),
        ("", ["OpSourceContinued: expected it after OpSource"]),
    ]),
    ("OpCapability Shader OpCapability Linkage %void = OpTypeVoid {}", "spv1.6", [
        ("OpMemoryModel Logical GLSL450", ["OpTypeVoid: expected OpMemoryModel first", "OpMemoryModel: an instruction of an earlier section"]),
        ("", ["OpTypeVoid: expected OpMemoryModel first", "expected OpMemoryModel"]),
    ]),
    ('{shader} %f = OpString "f" OpLine %f 1 1 {} {types}', "spv1.6", [
        ("OpNoLine", []),
        ('OpName %f "n"', ["OpName: an instruction of an earlier section"]),
    ]),
]  # fmt: skip
FUNCTIONS: list[Rows] = [
    ("{shader} {types} {main} OpReturn {}", "spv1.6", [
        ("", ["expected OpFunctionEnd"]),
        ("OpFunctionEnd OpFunctionEnd", ["OpFunctionEnd: expected it in a function"]),
    ]),
    ("{shader} {types} {} OpFunctionEnd", "spv1.6", [
        ("{main}", ["OpFunctionEnd: expected a branch at the end of the block"]),
        ("%f = OpFunction %void None %function", ["OpFunction: a function without a body is imported"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} {main} {end} %f = OpFunction %void None %function OpFunctionEnd", ["OpFunction: a function without a body is imported", "OpFunctionEnd: expected declarations before definitions of functions"]),
    ]),
    ("{shader} {types} %f = OpFunction %void None %function {} OpReturn OpFunctionEnd", "spv1.6", [
        ("", ["OpFunction: a function without a body is imported", "OpReturn: expected a label at the start of the function"]),
        ("OpNop %l = OpLabel", ["OpNop: expected a label at the start of the function"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} {main} OpReturn OpNop OpFunctionEnd", ["OpNop: expected it in a block"]),
        ("{shader} {types} {main} OpNop OpReturn OpFunctionEnd OpNop", ["OpNop: expected it in a block"]),
        ("{shader} {types} {main} %l = OpLabel OpReturn OpFunctionEnd", ["OpLabel: expected a branch at the end of the block before"]),
        ("{shader} {types} {main} OpReturn %g = OpFunction %void None %function %l = OpLabel {end}", ["OpFunction: a function in a function"]),
    ]),
    ("{shader} {types} %l = OpLabel {}", "spv1.6", [
        ("", ["OpLabel: expected it in a function"]),
        ("OpReturn", ["OpLabel: expected it in a function"]),
    ]),
    ("{shader} {types} {}", "spv1.6", [
        ("OpReturn", ["OpReturn: expected it in a block"]),
        ("OpFunctionEnd", ["OpFunctionEnd: expected it in a function"]),
    ]),
    ("{}", "spv1.6", [
        ("{shader} {types} %p = OpFunctionParameter %uint", ["OpFunctionParameter: expected it in a function"]),
        ("{shader} {types} {main} %p = OpFunctionParameter %uint {end}", ["OpFunctionParameter: expected it before the first block", "OpFunctionParameter: expected 0 parameters"]),
    ]),
    ("{shader} {types} %ft = OpTypeFunction %void %uint %f = OpFunction %void None %ft {} {end}", "spv1.6", [
        ("%p = OpFunctionParameter %uint %l = OpLabel", []),
        ("%l = OpLabel %p = OpFunctionParameter %uint", ["OpFunctionParameter: expected it before the first block"]),
    ]),
    ("{shader} {types} {main} {} OpFunctionEnd", "spv1.6", [
        ("OpKill", []),
        ("OpUnreachable", []),
    ]),
    ("{shader} {types} {main} OpBranch %n {} %n = OpLabel {end}", "spv1.6", [
        ("", []),
        ("OpNop", ["OpNop: expected it in a block"]),
    ]),
    ("{}", "spv1.6", [
        ('{shader} {types} %s = OpString "f"', ["OpString: an instruction of an earlier section"]),
        ("{shader} {types} {main} OpNoLine {end} OpNoLine", []),
    ]),
]  # fmt: skip
INSIDE: list[Rows] = [
    ("{shader} {types} %p = OpTypePointer Function %uint {main} {} = OpVariable %p Function {end}", "spv1.6", [
        ("%v = OpVariable %p Function %w", []),
        ("OpNop %v", ["OpVariable: a local variable is not at the start of a function"]),
        ("OpNoLine %v", []),
        ("OpBranch %n %n = OpLabel %v", ["OpVariable: a local variable is not at the start of a function"]),
        ("{end} %o = OpFunction %void None %function %n = OpLabel %v", []),
    ]),
    ("{shader} {types} {main} OpBranch %n %n = OpLabel {} %entry {end}", "spv1.6", [
        ("%a = OpPhi %uint %one %entry %b = OpPhi %uint %two", []),
        ("OpNoLine %a = OpPhi %uint %one", []),
        ("OpNop %a = OpPhi %uint %one", ["OpPhi: a phi is not at the start of a block"]),
    ]),
    ("{shader} {types} {main} {} %a = OpPhi %uint {end}", "spv1.6", [
        ("", ["OpPhi: a phi is not at the start of a block"]),
        ("{end} %o = OpFunction %void None %function %l = OpLabel", ["OpPhi: a phi is not at the start of a block"]),
    ]),
    ("{shader} {types} {main} OpSelectionMerge %n None {} %n %n = OpLabel {end}", "spv1.6", [
        ("OpBranchConditional %true %n", ["OpBranchConditional: expected two targets since version 1.6"]),
        ("OpSwitch %one", []),
        ("OpBranch", ["OpSelectionMerge: a merge is not before a branch"]),
    ]),
    ("{shader} {types} {main} OpBranch %h %h = OpLabel OpLoopMerge %n %c None {} %c %c = OpLabel OpBranchConditional %true %h %n %n = OpLabel {end}", "spv1.6", [
        ("OpBranch", []),
        ("OpSwitch %one", ["OpLoopMerge: a merge is not before a branch"]),
        ("OpNop OpBranch", ["OpLoopMerge: a merge is not before a branch"]),
    ]),
]  # fmt: skip
SETS: list[Rows] = [
    ('OpCapability Shader OpCapability Linkage %set = OpExtInstImport "OpenCL.DebugInfo.100" OpMemoryModel Logical GLSL450 {}', "spv1.6", [
        ('%str = OpString "f" {types} %d = OpExtInst %void %set DebugSource %str', []),
        ('%str = OpString "f" %void0 = OpTypeVoid %d = OpExtInst %void0 %set DebugSource %str', []),
        ('%str = OpString "f" {types} %d = OpExtInst %void %set DebugNoScope', ["OpExtInst: expected it in a function"]),
        ('%str = OpString "f" {types} {main} %d = OpExtInst %void %set DebugNoScope {end}', []),
        ('%str = OpString "f" {types} {main} %d = OpExtInst %void %set DebugSource %str {end}', ["OpExtInst: expected it before the functions"]),
        ("{types} {main} {end} %d = OpExtInst %void %set DebugNoScope", ["OpExtInst: expected it in a function"]),
    ]),
    ('OpCapability Shader OpCapability Linkage OpExtension "SPV_KHR_non_semantic_info" %set = OpExtInstImport "NonSemantic.Own" OpMemoryModel Logical GLSL450 {types} {}', "spv1.6", [
        ("%d = OpExtInst %void %set 1", []),
        ("{main} %d = OpExtInst %void %set 1 {end}", []),
        ("{main} {end} %d = OpExtInst %void %set 1", []),
        ("%f = OpFunction %void None %function %d = OpExtInst %void %set 1 %l = OpLabel {end}", ["OpExtInst: expected it in a block"]),
        ("{main} OpReturn %d = OpExtInst %void %set 1 OpFunctionEnd", ["OpExtInst: expected it in a block"]),
        ("{main} OpBranch %n %n = OpLabel %d = OpExtInst %void %set 1 %a = OpPhi %uint %one %entry {end}", ["OpPhi: a phi is not at the start of a block"]),
    ]),
]  # fmt: skip
LINKAGE: list[Rows] = [
    ('{shader} OpDecorate %f LinkageAttributes "f" {} {types} %f = OpFunction %void None %function OpFunctionEnd', "spv1.6", [
        ("Import", []),
        ("Export", ["OpFunction: a function without a body is imported"]),
    ]),
    ("{shader} OpDecorate %f LinkageAttributes {} {types} %f = OpFunction %void None %function %l = OpLabel {end}", "spv1.6", [
        ('"f" Export', []),
        ('"function" Import', ["OpFunction: a function with a body is not imported"]),
    ]),
    ('{shader} OpDecorate %v LinkageAttributes "v" Import {types} %p = OpTypePointer Private %uint %v = OpVariable %p Private {}', "spv1.6", [
        ("", []),
        ("%one", ["OpVariable: an imported variable has no initialiser"]),
    ]),
    ("{}", "spv1.6", [
        ('{shader} OpDecorate %v LinkageAttributes "v" Export {types} %p = OpTypePointer Private %uint %v = OpVariable %p Private %one', []),
    ]),
]  # fmt: skip


@pytest.mark.parametrize("rows", SECTIONS)
def test_sections_have_an_order(rows: Rows) -> None:
    assert differing_modules(rows) == []


@pytest.mark.parametrize("rows", FUNCTIONS)
def test_functions_and_blocks_begin_and_end(rows: Rows) -> None:
    assert differing_modules(rows) == []


@pytest.mark.parametrize("rows", INSIDE)
def test_variables_phis_and_merges_have_places(rows: Rows) -> None:
    assert differing_modules(rows) == []


@pytest.mark.parametrize("rows", SETS)
def test_sets_of_debug_information_have_places(rows: Rows) -> None:
    assert differing_modules(rows) == []


@pytest.mark.parametrize("rows", LINKAGE)
def test_functions_without_a_body_are_imported(rows: Rows) -> None:
    assert differing_modules(rows) == []
