"""The bytes of constant buffers that code reads."""

import pytest

from unshade.errors import UsageError
from unshade.model.facts import ConstantReads
from unshade.programs.tpf import Program

X, Y, Z, W = range(4)


def reads(*lines: str, model: str = "ps_5_0") -> dict[str, ConstantReads]:
    return Program.assemble("\n".join([model, *lines, "ret", ""])).constant_reads()


def components(vector: int, *letters: int) -> list[int]:
    return [16 * vector + 4 * at + byte for at in letters for byte in range(4)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("mov r0.xyzw, cb0[2].xyzw", components(2, X, Y, Z, W)),
        ("mov r0.y, cb0[2].xyzw", components(2, Y)),
        ("mov r0.xz, cb0[0].wzyx", components(0, Y, W)),
        ("mad r0.xy, cb0[0].zwzz, v0.xyxx, r1.xyxx", components(0, Z, W)),
        ("dp2 r0.x, cb0[1].xyxx, r1.xyxx", components(1, X, Y)),
        ("dp3 r0.w, cb0[1].xywx, r1.xyzx", components(1, X, Y, W)),
        ("dp4 r0.w, r1.xyzw, cb0[3].xyzw", components(3, X, Y, Z, W)),
        ("sincos null, r0.xy, cb0[0].zwzz", components(0, Z, W)),
        ("udiv r0.x, r1.y, cb0[0].xyzw, r2.xyzw", components(0, X, Y)),
        ("if_nz cb0[1].z\nendif", components(1, Z)),
        ("sample r0.xyzw, cb0[1].zwzz, t0.xyzw, s0", components(1, Z)),  # at least
        ("ld_raw r0.xyzw, cb0[0].y, t1.xyzw", components(0, Y)),
        ("mov r0.x, cb0[0].x\nmov r1.x, cb0[1].x", components(0, X) + components(1, X)),
        ("mov r0.xyzw, x0[cb0[0].y + 0].xyzw", components(0, Y)),
    ],
)
def test_components(line: str, expected: list[int]) -> None:
    assert reads(*line.split("\n")) == {"cb0": ConstantReads(expected)}


def test_dynamic_indices() -> None:
    lines = "mov r0.x, cb0[0].x", "mov r0.x, cb0[r1.x + 4].x", "mov r0.x, cb0[3].x"
    both = components(0, X) + components(3, X)
    assert reads(*lines) == {"cb0": ConstantReads(both, indexed=True)}
    assert reads("mov r0.x, cb0[cb1[2].y + 4].x") == {
        "cb0": ConstantReads([], indexed=True),
        "cb1": ConstantReads(components(2, Y)),
    }


def test_ranges_of_shader_model_5_1() -> None:
    found = reads("mov r0.x, CB3[5][7].y", "mov r0.x, CB4[r0.x][1].x", model="ps_5_1")
    assert found == {
        "cb3": ConstantReads(components(7, Y)),
        "cb4": ConstantReads([], indexed=True),
    }


def test_declarations_and_other_registers_are_no_reads() -> None:
    assert reads("dcl_constantbuffer CB0[4], immediateIndexed", "mov r0.x, icb[0].x") == {}


def test_an_unknown_entry_point_is_refused() -> None:
    program = Program.assemble("ps_4_0\nret\n")
    assert program.constant_reads("main") == {}
    with pytest.raises(UsageError, match="no entry point 'other'"):
        program.constant_reads("other")
