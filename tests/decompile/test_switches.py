"""Switches with one case, which are branches in sources."""

from shutil import which

import pytest

import unshade

from .recompiled import FEW, outcome

PIXEL = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps constant v0.xyzw
dcl_output o0.xyzw
dcl_temps 2
mov r0.x, l(0)
{}
mov o0.xyzw, r0.xxxx
ret
"""
ONE = ("switch v0.x", "case l(3)", "mov r0.x, v0.y", "break", "default", "break", "endswitch")
TWO = ("switch v0.x", "case l(3)", "case l(4)", "mov r0.x, v0.y", "break", "endswitch")
OTHERS = ("switch v0.x", "case l(3)", "break", "default", "mov r0.x, v0.y", "break", "endswitch")
BOTH = ("switch v0.x", "case l(3)", "mov r0.x, v0.z", "break",
        "default", "mov r0.x, v0.y", "break", "endswitch")  # fmt: skip
LEFT = ("switch v0.x", "case l(3)", "if_nz v0.z", "break", "endif", "mov r0.x, v0.y", "break",
        "endswitch")  # fmt: skip
MORE = (*ONE[:4], "case l(5)", "mov r0.x, v0.w", "break", *ONE[4:])
LOOP = ("loop", "uge r0.w, r0.x, l(9)", "breakc_nz r0.w", "switch v0.x", "case l(3)",
        "iadd r0.x, r0.x, l(2)", "continue", "endswitch", "iadd r0.x, r0.x, l(1)",
        "endloop")  # fmt: skip


def pixel(lines: tuple[str, ...]) -> unshade.Shader:
    return unshade.assemble(PIXEL.format("\n".join(lines)), "dxcontainer")


@pytest.mark.parametrize(
    ("lines", "heads"),
    [
        (ONE, [" == 3) {"]),
        (OTHERS, [" != 3) {"]),
        (BOTH, ["== 3"]),
        (LOOP, ["== 3"]),
    ],
)
def test_one_case_is_a_branch(lines: tuple[str, ...], heads: list[str]) -> None:
    text = pixel(lines).decompile()
    assert "switch" not in text
    for each in heads:
        assert each in text


@pytest.mark.parametrize("lines", [LEFT, TWO])
def test_a_case_that_is_left_inside_or_has_several_labels_stays(lines: tuple[str, ...]) -> None:
    assert "switch" in pixel(lines).decompile()


def test_a_default_that_does_nothing_is_not_written() -> None:
    text = pixel(MORE).decompile()
    assert text.count("case ") == 2
    assert "default" not in text


@pytest.mark.slow
@pytest.mark.skipif(which("glslangValidator") is None, reason="needs glslang-tools")
@pytest.mark.parametrize("lines", [ONE, TWO, OTHERS, BOTH, LEFT, MORE, LOOP])
@pytest.mark.parametrize("language", ["hlsl", "glsl"])
def test_the_same_bits(lines: tuple[str, ...], language: str) -> None:
    shader = pixel(lines)
    text = shader.decompile(language, "exact")
    assert outcome(shader, text, "pixel", language=language, turns=FEW) == "equal"
