"""printf in sources and translations: the call, and the lines that a recompiled program prints."""

from typing import Any

import numpy as np
import pytest

import unshade
from tests.programs.spirv.lower.test_printing import printed, printing
from tests.programs.tpf.lower.test_printing import TEXT
from unshade import UnsupportedError

from .recompiled import recompiled

CODE = """\
%less = OpULessThan %bool %x %c2
%a = OpExtInst %void %print 1 %s0 %x %less
%y = OpConvertUToF %float %x
%z = OpCompositeConstruct %v2float %y %f1
%twice = OpFAdd %v2float %z %z
%b = OpExtInst %void %print 1 %s1 %twice %l1"""
FORMATS = r"%d %u \\ \"100 %%\"" + "\n\tend", "%1.2v2f, %ld"
LINES = [
    text
    for x, less in enumerate((1, 1, 0, 0))
    for text in (f'{x} {less} \\ "100 %"\n\tend', f"{2 * x:.2f}, 3.00, -5000000000")
]


def source(to: str, style: str = "readable") -> str:
    return printing(CODE, *FORMATS).decompile(to, style=style)


def lines(shader: Any, engine: str = "lockstep") -> list[str]:
    return [each.text for each in printed(shader, engine).printed]


def test_the_program_prints() -> None:
    assert lines(printing(CODE, *FORMATS)) == LINES


def test_a_call_has_an_argument_for_each_conversion() -> None:
    found = source("hlsl")
    text = r'printf("%d %u \\ \"100 %%\"\n\tend", t, t < 2u ? 1 : 0);'
    assert text in found
    assert 'printf("%1.2v2f, %ld", float2(t_1 + t_1, 3.0), int64_t(0x' in found
    found = source("glsl")
    assert text.replace("printf", "debugPrintfEXT") in found
    assert 'debugPrintfEXT("%1.2v2f, %ld", vec2(t_1 + t_1, 3.0), int64_t(0x' in found
    assert "#extension GL_EXT_debug_printf : require" in found


@pytest.mark.slow
@pytest.mark.parametrize("to", ["hlsl", "glsl"])
@pytest.mark.parametrize("style", ["readable", "exact"])
def test_recompiled_sources_print_the_same_lines(to: str, style: str) -> None:
    assert lines(recompiled(source(to, style), "compute", to)) == LINES


@pytest.mark.parametrize("target", ["vulkan1.1", "vulkan1.3"])
def test_a_translation_prints_the_same_lines(target: str) -> None:
    made = printing(CODE, *FORMATS).translate("spirv", target=target)
    assert not [each for each in made.verify() if each.severity == "error"]
    extensions = [line for line in made.disassemble().splitlines() if "OpExtension" in line]
    assert any("non_semantic" in each for each in extensions) is (target == "vulkan1.1")
    for engine in ("lockstep", "jit"):
        assert lines(made, engine) == LINES


def test_wgsl_has_no_printf() -> None:
    with pytest.raises(UnsupportedError, match=r"WGSL has no printf \(line \d+\)"):
        printing(CODE, *FORMATS).translate("wgsl")


def test_a_format_that_does_not_fit_is_a_note() -> None:
    found = printing("%a = OpExtInst %void %print 1 %s0 %x", '%f \\"').decompile()
    note = r'// printf("%f \"") prints nothing in the program: %f: expected a float, got uint32'
    assert note in found.splitlines()
    assert "printf" not in found.replace(note, "")


def test_registers_have_the_kinds_of_conversions() -> None:
    message = 'printf "%u: %.2f, %d %%", vThreadID.x, r0.y, l(-7)'
    shader = unshade.assemble(TEXT.format(message=message), "dxcontainer")
    found = shader.decompile()
    assert 'printf("%u: %.2f, %d %%", thread_id.x, ' in found
    assert ", -7);" in found
    made = shader.translate("spirv")
    kernel = unshade.kernel(made)
    kernel.dispatch(1, u0=np.zeros(3, "f4"))
    texts = [each.text for each in kernel.report.printed]
    assert texts == ["0: 0.00, -7 %", "2: 1.00, -7 %"]
