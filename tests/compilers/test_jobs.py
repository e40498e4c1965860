"""Requests to compilers."""

import pytest

from unshade.compilers.jobs import Job
from unshade.vocab.languages import SourceLanguage
from unshade.vocab.slots import FIRST_BINDINGS
from unshade.vocab.words import Stage


@pytest.mark.parametrize(
    ("text", "has_own"),
    [
        ("Texture2D a : register(t0);", False),
        ("[[vk::binding(1)]] Texture2D a;", True),
        ("// [[vk::binding(1)]] in Vulkan\nTexture2D a : register(t0);", False),
        ("/* vk::binding(1)\n*/ [[vk::binding(2)]] Texture2D a;", True),
    ],
)
def test_registers_are_moved_unless_the_source_has_bindings(text: str, has_own: bool) -> None:
    job = Job(text, "x.hlsl", SourceLanguage.HLSL, (("main", Stage.PIXEL),))
    assert job.first_bindings == ({} if has_own else FIRST_BINDINGS)
    of_glsl = job._replace(language=SourceLanguage.GLSL)
    assert of_glsl.first_bindings == FIRST_BINDINGS
