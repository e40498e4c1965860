"""Derivatives: each instruction with each type, and the stages that have them."""

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.lines import FINE, differing, differing_modules

HEAD = """OpCapability Shader
    OpCapability Linkage
    OpCapability DerivativeControl
    OpCapability Float16
    OpCapability Float64
    {EXTENSION}
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main"
    OpExecutionMode %main OriginUpperLeft
    {types} %half = OpTypeFloat 16
    %double = OpTypeFloat 64
    %half2 = OpTypeVector %half 2
    %int = OpTypeInt 32 1
    %float4 = OpTypeVector %float 4
    %matrix = OpTypeMatrix %float2 2
    %structure = OpTypeStruct %float
    %array = OpTypeArray %float %two
    """
NAMES = [f"{each}{way}" for each in ("DPdx", "DPdy", "Fwidth") for way in ("", "Fine", "Coarse")]
TYPES = {
    "float": "", "float2": "", "float4": "",
    "half": "expected components of 32 bits", "half2": "expected components of 32 bits",
    "double": "expected components of 32 bits",
}  # fmt: skip
OTHERS = ("int", "uint2", "matrix", "structure", "array")
LOCAL = "\n".join(f"%v_{each} = OpUndef %{each}" for each in (*TYPES, *OTHERS))


@pytest.mark.parametrize("extension", [False, True])
def test_each_derivative_with_each_type(extension: bool) -> None:
    """Of 32 bits; of others only with AMD's extension."""
    head = HEAD.replace(
        "{EXTENSION}", 'OpExtension "SPV_AMD_gpu_shader_half_float"' if extension else ""
    )
    rows = [
        (f"%x{{}} = Op{name} %{kind} %v_{kind}", FINE if extension else message)
        for name in NAMES
        for kind, message in TYPES.items()
    ]
    assert differing(head, rows, "spv1.3", LOCAL) == []
    wrong = "expected a scalar or vector of float as result"
    rows = [(f"%x{{}} = OpDPdx %{each} %v_{each}", wrong) for each in OTHERS]
    rows.append(("%x{} = OpDPdx %float %v_float2", "P: expected the type of the result"))
    assert differing(head, rows, "spv1.3", LOCAL) == []


def test_stages_of_derivatives() -> None:
    """Fragments have quads; compute shaders if they declare them; vertices have none."""
    template = """OpCapability Shader
    OpCapability ComputeDerivativeGroupQuadsKHR
    OpCapability ComputeDerivativeGroupLinearKHR
    OpExtension "SPV_KHR_compute_shader_derivatives"
    OpMemoryModel Logical GLSL450
    OpEntryPoint {}
    {types} {main} %x = OpDPdx %float %fone {end}"""
    compute = 'GLCompute %main "main" OpExecutionMode %main LocalSize 4 4 1'
    mode = f"{compute} OpExecutionMode %main DerivativeGroup"
    groups = "OpDPdx: expected a derivative group"
    outside = "OpDPdx: a derivative outside of fragments and quads, got Vertex"
    assert differing_modules((template, "spv1.6", [
        ('Fragment %main "main" OpExecutionMode %main OriginUpperLeft', []),
        ('Vertex %main "main"', [outside]),
        (compute, [groups]),
        (f"{mode}QuadsKHR", []),
        (f"{mode}LinearKHR", []),
    ])) == []  # fmt: skip
