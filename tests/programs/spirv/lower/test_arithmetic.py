import pytest

from .modules import run, shader

WORDS = [7, 0xFFFF_FFF9, 1 << 31, 0]
DIVISOR = "%m = OpConstant %int -3\n%s = OpConstant %uint 33"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("OpIAdd %uint %x %c3", [10, 0xFFFF_FFFC, 0x8000_0003, 3]),
        ("OpSMod %int %x %m", [0xFFFF_FFFE, 0xFFFF_FFFF, 0xFFFF_FFFE, 0]),
        ("OpSRem %int %x %m", [1, 0xFFFF_FFFF, 0xFFFF_FFFE, 0]),
        ("OpUDiv %uint %x %c0", [0xFFFF_FFFF] * 4),  # undefined: as in Direct3D
        ("OpShiftLeftLogical %uint %x %s", [14, 0xFFFF_FFF2, 0, 0]),  # low bits of the amount
        ("OpBitFieldSExtract %int %x %c1 %c2", [0xFFFF_FFFF, 0, 0, 0]),
        ("OpBitFieldUExtract %uint %x %c0 %c0", [0, 0, 0, 0]),
        ("OpBitFieldInsert %uint %x %c0 %c1 %c2", [1, 0xFFFF_FFF9, 1 << 31, 0]),
    ],
)
def test_an_operation_of_integers(code: str, expected: list[int]) -> None:
    module = shader(f"%y = {code}\n%z = OpBitcast %uint %y", "%z", globals=DIVISOR)
    assert run(module, WORDS) == expected
