"""SPV_AMD_shader_trinary_minmax: values from the definitions of AMD_shader_trinary_minmax."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from tests.programs.spirv.lower.modules import HEAD, run
from unshade.programs.spirv.program import Program

SET = "SPV_AMD_shader_trinary_minmax"
IMPORT = '%1 = OpExtInstImport "GLSL.std.450"'


def result(name: str, type: str, x: int, y: int, z: int) -> int:
    """Return the word that a function of three words returns; the first is read from memory."""
    code = f"""%a = OpBitcast %{type} %x
%b = OpBitcast %{type} %ky
%c = OpBitcast %{type} %kz
%r = OpExtInst %{type} %amd {name} %a %b %c
%word = OpBitcast %uint %r
%po = OpAccessChain %p_uint %out %c0 %i
OpStore %po %word"""
    text = HEAD.format(
        code=code, globals=f"%ky = OpConstant %uint {y}\n%kz = OpConstant %uint {z}",
        decorations="", variables="", functions="", modes="", entries="", group="1 1 1",
    )  # fmt: skip
    text = text.replace(IMPORT, f'OpExtension "{SET}"\n{IMPORT}\n%amd = OpExtInstImport "{SET}"')
    module = unshade.loads(Program.assemble(text, preserve_numeric_ids=True).encode())
    (found,) = run(module, [x])
    return found


def bits(number: float) -> int:
    return int(np.float32(number).view("<u4"))


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("numbers", "least", "middle", "most"),
    [
        ((1, 2, 3), 1, 2, 3),
        ((3, 1, 2), 1, 2, 3),
        ((2, 3, 1), 1, 2, 3),
        ((2, 2, 1), 1, 2, 2),
        ((-1, INF, 0.5), -1, 0.5, INF),
        ((NAN, 5, 4), 4, 5, 5),  # mid3: min(max(5, 4), 5)
    ],
)
def test_floats(
    numbers: tuple[float, float, float], least: float, middle: float, most: float
) -> None:
    words = [bits(each) for each in numbers]
    assert result("FMin3AMD", "float", *words) == bits(least)
    assert result("FMax3AMD", "float", *words) == bits(most)
    assert result("FMid3AMD", "float", *words) == bits(middle)


@pytest.mark.parametrize(
    ("name", "type", "expected"),
    [
        ("UMin3AMD", "uint", 1), ("UMid3AMD", "uint", 7), ("UMax3AMD", "uint", 0xFFFF_FFFE),
        ("SMin3AMD", "int", 0xFFFF_FFFE), ("SMid3AMD", "int", 1), ("SMax3AMD", "int", 7),
    ],
)  # fmt: skip
def test_integers(name: str, type: str, expected: int) -> None:
    for given in ((1, 7, 0xFFFF_FFFE), (0xFFFF_FFFE, 1, 7), (7, 0xFFFF_FFFE, 1)):
        assert result(name, type, *given) == expected


def test_other_sets_are_refused_by_name() -> None:
    text = HEAD.format(
        code="%r = OpExtInst %float %amd CubeFaceIndexAMD %v",
        globals="%v3 = OpTypeVector %float 3\n"
        "%f0 = OpConstant %float 0\n%v = OpConstantComposite %v3 %f0 %f0 %f0",
        decorations="", variables="", functions="", modes="", entries="", group="1 1 1",
    )  # fmt: skip
    name = "SPV_AMD_gcn_shader"
    text = text.replace(IMPORT, f'OpExtension "{name}"\n{IMPORT}\n%amd = OpExtInstImport "{name}"')
    module = unshade.loads(Program.assemble(text, preserve_numeric_ids=True).encode())
    with pytest.raises(unshade.UnsupportedError, match=f"instructions of {name} cannot be run"):
        unshade.kernel(module)
