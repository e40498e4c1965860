"""docs/refusals.md lists the messages of unsupported programs."""

from __future__ import annotations

import re

import pytest

import unshade
from tests.corpus import REPOSITORY
from tools import refusal_page
from unshade import UnsupportedError

TEXT = (REPOSITORY / "docs" / "refusals.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page_is_fresh() -> None:
    assert refusal_page.page() == TEXT, "run: python tools/refusal_page.py"


@pytest.mark.parametrize(
    "code",
    [
        'OpEntryPoint MeshEXT %f "main"\nOpExecutionMode %f OutputTrianglesEXT',
        'OpEntryPoint RayGenerationKHR %f "main"',
    ],
)
def test_a_refusal_is_on_the_page(code: str) -> None:
    text = f"""OpCapability Shader
OpMemoryModel Logical GLSL450
{code}
%void = OpTypeVoid
%t = OpTypeFunction %void
%f = OpFunction %void None %t
%b = OpLabel
OpReturn
OpFunctionEnd"""
    with pytest.raises(UnsupportedError) as refused:
        unshade.kernel(unshade.assemble(text, "spirv"))
    listed = [
        re.escape(each).replace("…", ".+") for each in re.findall("^- `(.*)`$", TEXT, re.MULTILINE)
    ]
    assert any(re.search(each, str(refused.value)) for each in listed)
