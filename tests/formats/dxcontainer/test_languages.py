"""The language of the text of a container."""

import pytest

import unshade
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.one_of_each import one_of_each
from tests.programs.dxil.modules import part as part_of_program
from unshade import UnsupportedError, UsageError
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.isa.source import Source

TOKENS = DxPart("SHDR", unshade.loads(blog.build()).parts["SHDR"].data)
DXIL = DxPart("DXIL", part_of_program())
ROOT_SIGNATURE = unshade.loads(one_of_each()["RTS0 1.1"]).parts["RTS0"].data


def root_signature() -> DxPart:
    return DxPart("RTS0", ROOT_SIGNATURE)


@pytest.mark.parametrize(
    ("parts", "start", "listed"),
    [
        ([TOKENS], "//\n", "SHDR"),
        ([DXIL], ";", "DXIL"),
        ([TOKENS, DXIL], "//\n", "SHDR"),
        ([root_signature()], "// rootsig_1_", "RTS0"),
        ([root_signature(), DXIL], ";", "DXIL"),
    ],
    ids=["fxc", "dxc", "both", "root signature", "beside a program"],
)
def test_the_parts_determine_the_language(parts: list[DxPart], start: str, listed: str) -> None:
    shader = DxContainer([DxPart(each.name, each.data) for each in parts])
    text = shader.disassemble()
    assert text.startswith(start)
    assert shader.disassemble("native") == text
    assert listed in DxContainer.assemble([Source(text)])


def test_a_container_without_text_is_refused() -> None:
    for shader in (DxContainer(), DxContainer([DxPart("RTS0", b"\xff" * 24)])):
        with pytest.raises(UnsupportedError, match="SHDR"):
            shader.disassemble()
        with pytest.raises(UnsupportedError, match="expected a part RTS0 that can be read"):
            shader.disassemble("rootsig")


def test_dialects_and_options_of_each_language() -> None:
    with pytest.raises(UsageError, match="expected native or exact or rootsig"):
        DxContainer([TOKENS]).disassemble("")
    with pytest.raises(UnsupportedError, match="SHDR"):
        DxContainer([root_signature()]).disassemble("exact")
    with pytest.raises(UnsupportedError, match="generation: expected a listing of fxc"):
        DxContainer([DXIL]).disassemble(generation="10.1")
    with pytest.raises(UsageError, match="colour"):
        DxContainer([DXIL]).disassemble(colour=True)
