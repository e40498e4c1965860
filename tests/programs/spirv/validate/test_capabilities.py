"""Capabilities, extensions and versions that instructions and enumerants need."""

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.lines import Rows, differing_modules

SHADER = "OpCapability Shader OpCapability Linkage {} OpMemoryModel Logical GLSL450"
HALF = "OpCapability StorageBuffer16BitAccess"
INPUT = "{types} %p = OpTypePointer Input %float %v = OpVariable %p Input"
NEEDED = "OpDecorate: operand 2: Sample needs SampleRateShading"
STRING = "OpDecorateString: expected the extension one of SPV_GOOGLE_decorate_string, "
STRING += "SPV_GOOGLE_hlsl_functionality1, or version 1.4"
NAMED = 'OpDecorateString %v UserSemantic "a"'
SEMANTIC = (
    "OpDecorateString: operand 2: UserSemantic needs the extension SPV_GOOGLE_hlsl_functionality1"
)
ROWS: list[Rows] = [
    (f"{SHADER} OpDecorate %v Sample {INPUT}", "spv1.6", [
        ("", [NEEDED]),
        (HALF, [NEEDED]),
        ("OpCapability SampleRateShading", []),
    ]),
    (f"{SHADER} {NAMED} {INPUT}", "spv1.3", [
        ("", [STRING, SEMANTIC]),
        ('OpExtension "SPV_GOOGLE_decorate_string"', [SEMANTIC]),
        ('OpExtension "SPV_GOOGLE_hlsl_functionality1"', []),
    ]),
    (f"{SHADER} {NAMED} {INPUT}", "spv1.4", [("", [])]),
]  # fmt: skip


@pytest.mark.parametrize("rows", ROWS)
def test_needs(rows: Rows) -> None:
    assert differing_modules(rows) == []
