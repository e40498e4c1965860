"""The set of clspv's reflection: versions of instructions, and the operands of each kind."""

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.lines import AT_END, FINE, differing_modules, reported

HEAD = """
    OpCapability Shader
    OpCapability Int64
    %set = OpExtInstImport "NonSemantic.ClspvReflection.{version}"
    %other = OpExtInstImport "NonSemantic.ClspvReflection.5"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %text = OpString "name"
    {types}
    %int = OpTypeInt 32 1
    %long = OpTypeInt 64 0
    %signed = OpConstant %int 1
    %wide = OpConstant %long 1
    {main} {end}
    %helper = OpFunction %void None %function
    %begin = OpLabel
    {end}
    %kernel = OpExtInst %void %set Kernel %main %text
    %argument = OpExtInst %void %set ArgumentInfo %text
    """
# Instructions by the version of the set that brought them; the rest are of version 1.
LATER = {
    2: "SpecConstantSubgroupMaxSize",
    3: "ArgumentPointerPushConstant ArgumentPointerUniform ProgramScopeVariablesStorageBuffer "
       "ProgramScopeVariablePointerRelocation ImageArgumentInfoChannelOrderPushConstant "
       "ImageArgumentInfoChannelDataTypePushConstant ImageArgumentInfoChannelOrderUniform "
       "ImageArgumentInfoChannelDataTypeUniform",
    4: "ArgumentStorageTexelBuffer ArgumentUniformTexelBuffer",
    5: "ConstantDataPointerPushConstant ProgramScopeVariablePointerPushConstant PrintfInfo "
       "PrintfBufferStorageBuffer PrintfBufferPointerPushConstant",
}  # fmt: skip
# Valid operands of instructions; a number stands for as many constants.
OPERANDS = {
    "SpecConstantSubgroupMaxSize": "1",
    "ArgumentPointerPushConstant": "%kernel 3",
    "ArgumentPointerUniform": "%kernel 5",
    "ProgramScopeVariablesStorageBuffer": "2 %text",
    "ProgramScopeVariablePointerRelocation": "3",
    "ImageArgumentInfoChannelOrderPushConstant": "%kernel 3",
    "ImageArgumentInfoChannelDataTypePushConstant": "%kernel 3",
    "ImageArgumentInfoChannelOrderUniform": "%kernel 5",
    "ImageArgumentInfoChannelDataTypeUniform": "%kernel 5",
    "ArgumentStorageTexelBuffer": "%kernel 3 %argument",
    "ArgumentUniformTexelBuffer": "%kernel 3",
    "ConstantDataPointerPushConstant": "2 %text",
    "ProgramScopeVariablePointerPushConstant": "2 %text",
    "PrintfInfo": "1 %text 2",
    "PrintfBufferStorageBuffer": "3",
    "PrintfBufferPointerPushConstant": "3",
    "ArgumentStorageBuffer": "%kernel 3 %argument",
    "ArgumentUniform": "%kernel 3",
    "ArgumentPodStorageBuffer": "%kernel 5 %argument",
    "ArgumentPodUniform": "%kernel 5",
    "ArgumentPodPushConstant": "%kernel 3",
    "ArgumentSampledImage": "%kernel 3",
    "ArgumentStorageImage": "%kernel 3",
    "ArgumentSampler": "%kernel 3",
    "ArgumentWorkgroup": "%kernel 3 %argument",
    "SpecConstantWorkgroupSize": "3",
    "SpecConstantGlobalOffset": "3",
    "SpecConstantWorkDim": "1",
    "PushConstantGlobalOffset": "2",
    "ConstantDataStorageBuffer": "2 %text",
    "LiteralSampler": "3",
    "PropertyRequiredWorkgroupSize": "%kernel 3",
}


def line(name: str) -> str:
    words = OPERANDS[name].split()
    operands = [each if each[0] == "%" else "%one " * int(each) for each in words]
    return f"%x{{}} = OpExtInst %void %set {name} {' '.join(operands)}"


@pytest.mark.parametrize("version", range(1, 8))
def test_versions(version: int) -> None:
    since = {name: number for number, names in LATER.items() for name in names.split()}
    assert since.keys() < OPERANDS.keys()
    lines = [line(name) for name in OPERANDS]
    found = reported(HEAD.replace("{version}", str(version)), lines, local=AT_END)
    wanted = [
        [f"{name} needs version {since[name]} of the set"] if since.get(name, 1) > version else []
        for name in OPERANDS
    ]
    assert found == wanted


ROWS = [
    ("%x{} = OpExtInst %void %set Kernel %main %text %one %zero %text", FINE),
    ("%x{} = OpExtInst %void %set Kernel %helper %text", "Kernel: expected an entry point"),
    ("%x{} = OpExtInst %void %set Kernel %one %text", "Kernel: expected a function"),
    ("%x{} = OpExtInst %void %set Kernel %main %one", "Name: expected a string"),
    ("%x{} = OpExtInst %uint %set SpecConstantWorkDim %one", "expected the result type void"),
    ("%x{} = OpExtInst %void %set SpecConstantWorkDim %undef",
     "Dim: expected a constant of 32-bit uint"),
    ("%x{} = OpExtInst %void %set SpecConstantWorkDim %signed",
     "Dim: expected a constant of 32-bit uint"),
    ("%x{} = OpExtInst %void %set SpecConstantWorkDim %wide",
     "Dim: expected a constant of 32-bit uint"),
    ("%x{} = OpExtInst %void %set SpecConstantWorkDim %fone",
     "Dim: expected a constant of 32-bit uint"),
    ("%x{} = OpExtInst %void %set ArgumentSampler %kernel %one %one %one %argument", FINE),
    ("%x{} = OpExtInst %void %set ArgumentSampler %argument %one %one %one",
     "Decl: expected the result of Kernel"),
    ("%x{} = OpExtInst %void %set ArgumentSampler %main %one %one %one",
     "Decl: expected the result of Kernel"),
    ("%x{} = OpExtInst %void %other ArgumentSampler %kernel %one %one %one",
     "Decl: expected it of the same import"),
    ("%x{} = OpExtInst %void %set ArgumentSampler %kernel %one %one %one %kernel",
     "ArgInfo: expected the result of ArgumentInfo"),
    ("%x{} = OpExtInst %void %set PropertyRequiredWorkgroupSize %one %one %one %one",
     "Kernel: expected the result of Kernel"),
    ("%x{} = OpExtInst %void %set ConstantDataUniform %one %one %one", "Data: expected a string"),
    ("%x{} = OpExtInst %void %set PrintfInfo %one %one", "FormatString: expected a string"),
]  # fmt: skip


def test_operands() -> None:
    head = HEAD.replace("{version}", "5")
    found = reported(head, [each for each, _ in ROWS], local=AT_END)
    wanted = [[message] if message else [] for _, message in ROWS]
    assert [*zip(ROWS, found, strict=True)] == [*zip(ROWS, wanted, strict=True)]


def test_a_kernel_has_more_operands_from_version_5_on() -> None:
    lines = [f"%x{{}} = OpExtInst %void %set Kernel %main %text{more}" for more in ("", " %one")]
    found = reported(HEAD.replace("{version}", "4"), lines, local=AT_END)
    assert found == [[], ["expected two operands before version 5"]]


def test_versions_of_the_set() -> None:
    text = """OpCapability Shader OpCapability Linkage
        %set = OpExtInstImport "NonSemantic.ClspvReflection{}" OpMemoryModel Logical GLSL450"""
    wrong = ["OpExtInstImport: expected a version from 1 to 7"]
    rows = [
        (".0", wrong), (".1", []), (".7", []), (".8", wrong), (".", wrong), (".x", wrong),
        (".-1", wrong), ("", wrong),
    ]  # fmt: skip
    assert differing_modules((text, "spv1.6", rows)) == []
