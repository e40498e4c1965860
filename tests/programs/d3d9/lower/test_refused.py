"""Programs that are damaged: they are refused, with the rule that they violate."""

from __future__ import annotations

import random

import pytest

import unshade
from unshade.errors import UnshadeError, UnsupportedError

PROGRAMS = (
    "ps_1_1\ntex t0\ntexbem t1, t0\ntexm3x2pad t2, t0\ntexm3x2tex t3, t0\nmov r0, t3\n",
    "ps_1_1\ntex t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3spec t3, t0, c0\nmov r0, t3\n",
    "ps_1_4\ntexcrd r0.rgb, t0\nphase\ntexld r1, r0\nbem r1.rg, r0, r1\nadd r0, r0, r1\n"
    "+ mov r1.a, r0.a\nmov r0, r1\n",
    "vs_2_0\ndcl_position v0\ndef c1, 1,2,3,4\nmova a0.x, v0.x\nmov oPos, c1[a0.x]\nif b0\n"
    "mov oD0, v0\nelse\nmov oD0, c1\nendif\n",
)


def changed(text: str, old: bytes, new: bytes) -> unshade.Shader:
    data = unshade.assemble(text, "d3d9").to_bytes()
    assert data.count(old) == 1
    return unshade.loads(data.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # the second operand of the last mov: a token without the bit of a parameter
        ("0000e4a0", "0000e420", r"mov: expected a register, got 0x20e40000 \(d3d9.operands\)"),
        # add, with the two operands of a mov
        ("01000002", "02000002", r"add: expected 3 operands, got 2 \(d3d9.operands\)"),
    ],
)
def test_operands_that_the_operation_does_not_have(old: str, new: str, message: str) -> None:
    shader = changed("vs_2_0\nmov oPos, c0\n", bytes.fromhex(old), bytes.fromhex(new))
    assert "d3d9.operands" in {each.code for each in shader.verify()}
    with pytest.raises(UnsupportedError, match=message):
        unshade.kernel(shader)


def test_coordinates_of_a_register_that_has_none() -> None:
    """`tex r0`: only a texture register is that of a stage."""
    shader = changed(PROGRAMS[0], bytes.fromhex("00000fb0"), bytes.fromhex("00000f80"))
    with pytest.raises(UnsupportedError, match=r"expected the coordinates of a stage"):
        unshade.kernel(shader)


@pytest.mark.slow
@pytest.mark.parametrize("text", PROGRAMS)
def test_damaged_programs_end_with_an_error_of_the_library(text: str) -> None:
    data = unshade.assemble(text, "d3d9").to_bytes()
    dice = random.Random(5)
    ended = 0
    for _ in range(300):
        made = bytearray(data)
        for _ in range(dice.randint(1, 3)):
            made[dice.randrange(len(made))] = dice.choice([0, 1, 0x80, 0xFF, dice.randrange(256)])
        try:
            unshade.kernel(unshade.loads(bytes(made)), engine="lockstep")
        except UnshadeError:
            ended += 1
    assert 0 < ended < 300
