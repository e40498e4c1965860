"""Languages and stages by suffix."""

import pytest

from unshade import UsageError
from unshade.compilers.languages import (
    is_source,
    language_of,
    programs_of_profile,
    stage_of,
    stage_of_profile,
)
from unshade.vocab.languages import SourceLanguage
from unshade.vocab.words import Stage


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.hlsl", "", SourceLanguage.HLSL),
        ("a.SLANG", "", SourceLanguage.SLANG),
        ("a.comp", "", SourceLanguage.GLSL),
        ("a.frag.glsl", "", SourceLanguage.GLSL),
        ("a.frag", "#version 450", SourceLanguage.GLSL),
        ("a.geom", "\n # version 450", SourceLanguage.GLSL),
        ("a.wgsl", "", SourceLanguage.WGSL),
        ("a.spvasm", "", SourceLanguage.SPIRV),
    ],
)
def test_the_suffix_decides(name: str, text: str, expected: SourceLanguage) -> None:
    assert language_of(name, text) is expected
    assert is_source(name, text)


def test_a_named_language_wins() -> None:
    assert language_of("a.txt", "", "GLSL") is SourceLanguage.GLSL
    assert language_of("a.hlsl", "", "slang") is SourceLanguage.SLANG


@pytest.mark.parametrize(
    ("name", "named", "message"),
    [
        ("a.frag", None, "a.frag: a source with the suffix .frag and without #version is GLSL or"
         " SkSL; name the language: {ALL}"),
        ("", None, "the source: the language is unknown; name it: {ALL}"),
        ("a.hlsl", "cg", "unknown language 'cg': expected one of {ALL}"),
    ],
)  # fmt: skip
def test_an_unknown_language(name: str, named: str | None, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        language_of(name, "half4 main() {}", named)
    listed = "hlsl, slang, glsl, wgsl, spirv, fxc, dxc, rootsig, picasso, vbc, sksl, d3d9"
    assert str(caught.value) == message.format(ALL=listed)


def test_a_shared_suffix_without_version_is_not_compiled() -> None:
    assert not is_source("a.frag", "half4 main(float2 p) { return half4(1); }")


@pytest.mark.parametrize("name", ["a.dxbc", "a.spv", "a", "hlsl", "a.hlsl.bak"])
def test_other_files_are_no_sources(name: str) -> None:
    assert not is_source(name, "#version 450")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.frag", Stage.PIXEL), ("a.vert.glsl", Stage.VERTEX), ("a.ps.hlsl", Stage.PIXEL),
        ("a.tesc", Stage.HULL), ("a.rchit", Stage.CLOSESTHIT), ("a.hlsl", None), ("vs", None),
    ],
)  # fmt: skip
def test_the_stage_of_a_name(name: str, expected: Stage | None) -> None:
    assert stage_of(name) is expected


def test_the_stage_of_a_profile() -> None:
    assert stage_of_profile("ps_6_0") is Stage.PIXEL
    assert stage_of_profile("lib_6_3") is None
    assert stage_of_profile("spirv_1_3") is None


def test_the_programs_of_a_profile() -> None:
    wanted = {"ps_5_0": "tpf", "vs_4_0_level_9_1": "tpf", "cs_6_0": "dxil", "ms_6_10": "dxil"}
    assert {each: programs_of_profile(each) for each in wanted} == wanted
    others = ("ps_3_0", "lib_6_3", "spirv_1_3", "vulkan1.2", "ps_", "ps_x", "")
    assert [programs_of_profile(each) for each in others] == [None] * len(others)
