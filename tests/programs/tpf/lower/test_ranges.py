"""Ranges of registers: arrays and spaces of Shader Model 5.1, and dynamic indices."""

import numpy as np
import pytest

from tests.programs.tpf.lower.cases import Case
from tests.programs.tpf.lower.support import Image, program, words
from unshade.errors import UnsupportedError
from unshade.ir.library.sampling import Address, Filter, SamplerState


def threads(count: int, body: str, *declarations: str, profile: str = "cs_5_1") -> str:
    """Return the case of a shader: thread n has n in r0.x and stores r1.x to u0[n]."""
    one = profile == "cs_5_1"
    lines = [
        profile, *declarations,
        "dcl_uav_raw U0[0:0], space=0" if one else "dcl_uav_raw u0", "dcl_input vThreadID.x",
        "dcl_temps 4", f"dcl_thread_group {count}, 1, 1", "mov r0.x, vThreadID.x",
        *body.splitlines(),
        "ishl r3.x, vThreadID.x, l(2)",
        f"store_raw {'U0[0]' if one else 'u0'}.x, r3.x, r1.x", "ret", "",
    ]  # fmt: skip
    return "\n".join(line.strip() for line in lines)


def grey(number: float) -> Image:
    return Image([np.full((1, 4), number, np.float32)], (1, 1, 1))


POINT = SamplerState(Filter.POINT, Filter.POINT, Filter.POINT)
OUT = {"u0": words(9, 9, 9, 9)}
TEXTURES = "dcl_resource_texture2d (float,float,float,float)"

CASES = [
    Case(
        "constant buffers of a range", {"mov"},
        threads(4, "mov r1.x, CB0[r0.x + 2][1].y",
                "dcl_constantbuffer CB0[2:4][2], immediateIndexed, space=0"),
        {**OUT, **{f"cb{at}": words(0, 0, 0, 0, 1, 10 * at, 3, 4) for at in (2, 3, 4)}},
        {"u0": words(20, 30, 40, 0)},
    ),
    Case(
        "a constant buffer by row and number", {"iadd"},
        threads(2, "iadd r1.x, CB0[r0.x + 0][r0.x + 0].x, CB1[3][0].x",
                "dcl_constantbuffer CB0[0:1][2], dynamicIndexed, space=0",
                "dcl_constantbuffer CB1[3:3][1], immediateIndexed, space=2"),
        {"u0": words(9, 9), "cb0": words(1, 0, 0, 0, 2, 0, 0, 0),
         "cb1": words(3, 0, 0, 0, 4, 0, 0, 0), "cb3_space2": words(100, 0, 0, 0)},
        {"u0": words(101, 104)},
    ),
    Case(
        "buffers of a range", {"ld_raw", "ld_structured"},
        threads(3, """ld_raw r1.x, l(4), T0[r0.x + 1].xxxx
                ld_structured r1.y, l(0), l(0), T1[2].xxxx
                iadd r1.x, r1.x, r1.y""",
                "dcl_resource_raw T0[1:2], space=0", "dcl_resource_structured T1[0:*], 4, space=1"),
        {"u0": words(9, 9, 9), "t1": words(1, 2), "t2": words(3, 4), "t2_space1": words(10)},
        {"u0": words(12, 14, 10)},
    ),
    Case(
        "views and counters of a range", {"store_structured", "imm_atomic_alloc", "atomic_iadd"},
        threads(2, """imm_atomic_alloc r1.x, U1[r0.x + 4]
                store_structured U1[r0.x + 4].x, r1.x, l(0), l(7)
                mov r2.xy, l(0, 0, 0, 0)
                atomic_iadd U1[r0.x + 4], r2.xyxx, l(100)""",
                "dcl_uav_structured_opc U1[4:5], 4, space=0"),
        {"u0": words(9, 9), "u4": words(1, 2), "u5": words(3, 4), "u4_counter": words(1),
         "u5_counter": words(0)},
        {"u0": words(1, 0), "u4": words(101, 7), "u5": words(107, 4), "u4_counter": words(2)},
    ),
    Case(
        "textures and samplers of ranges", {"sample_l"},
        threads(4, """ushr r2.x, r0.x, l(1)
                and r2.y, r0.x, l(1)
                sample_l r1.x, l(2.0, 0.5, 0.0, 0.0), T0[r2.x + 0].xyzw, S0[r2.y + 1], l(0.0)""",
                f"{TEXTURES} T0[0:1], space=0", "dcl_sampler S0[1:2], mode_default, space=0"),
        OUT, {"u0": words(1.0, 5.0, 2.0, 5.0)},
        images={"t0": grey(1.0), "t1": grey(2.0)},
        samplers={"s1": POINT, "s2": SamplerState(
            Filter.POINT, Filter.POINT, Filter.POINT, address=(Address.BORDER,) * 3,
            border=(5.0,) * 4,
        )},
    ),
    Case(
        "a range without an end", {"ld"},
        threads(3, "ld r1.x, l(0, 0, 0, 0), T0[r0.x + 0].xyzw { nonuniform }",
                f"{TEXTURES} T0[0:*], space=3"),
        {"u0": words(9, 9, 9)}, {"u0": words(1.0, 2.0, 3.0)},
        images={f"t{at}_space3": grey(at + 1.0) for at in range(3)},
        options={"lengths": {"t0_space3": 3}},
    ),
    Case(
        "sizes of ranges", {"resinfo", "bufinfo"},
        threads(2, """resinfo_uint r1.x, l(0), T0[r0.x + 0].xyzw
                bufinfo r1.y, T1[r0.x + 8]
                iadd r1.x, r1.x, r1.y""",
                f"{TEXTURES} T0[0:1], space=0", "dcl_resource_raw T1[8:9], space=0"),
        {"u0": words(9, 9), "t8": words(1), "t9": words(1, 2, 3)}, {"u0": words(6, 14)},
        images={"t0": Image([np.zeros((2, 4), np.float32)], (2, 1, 1)),
                "t1": Image([np.zeros((2, 4), np.float32)], (2, 1, 1))},
    ),
    Case(
        "a register outside of a range reads 0, writes nothing", {"ld_raw", "store_raw", "resinfo"},
        threads(4, """mov r1.x, l(77)
                mov r1.yz, l(0, 5, 5, 0)
                ld_raw r1.x, l(0), T0[r0.x + 1].xxxx
                resinfo_uint r1.yz, l(0), T1[r0.x + 0].xxyz
                store_raw U1[r0.x + 4].x, l(0), l(8)
                iadd r1.x, r1.x, r1.y
                iadd r1.x, r1.x, r1.z""",
                "dcl_resource_raw T0[1:2], space=0", f"{TEXTURES} T1[0:0], space=7",
                "dcl_uav_raw U1[4:5], space=0"),
        {**OUT, "t1": words(1), "t2": words(2), "u4": words(3), "u5": words(4)},
        {"u0": words(3, 2, 0, 0), "u4": words(8), "u5": words(8)},
        images={"t0_space7": grey(1.0)},
    ),
    Case(
        "registers by a register before 5.1", {"ld_raw", "mov"},
        threads(3, "ld_raw r1.x, l(0), t[r0.x + 3].xxxx\nmov r1.y, cb[r0.x + 0][0].x\n"
                "iadd r1.x, r1.x, r1.y", "dcl_constantbuffer CB0[1], immediateIndexed",
                "dcl_constantbuffer CB1[1], immediateIndexed", "dcl_resource_raw t3",
                "dcl_resource_raw t5", profile="cs_5_0"),
        {"u0": words(9, 9, 9), "t3": words(1), "t5": words(2), "cb0": words(10, 0, 0, 0),
         "cb1": words(20, 0, 0, 0)},
        {"u0": words(11, 20, 2)},
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    case.check()


def test_only_used_registers_are_bound() -> None:
    """Only a dynamic index needs all registers of a range."""
    text = threads(1, "ld r1.x, l(0, 0, 0, 0), T0[5].xyzw", f"{TEXTURES} T0[2:99], space=0")
    assert [each.name for each in program(text).lower().resources] == ["t5", "u0"]


@pytest.mark.parametrize(
    ("dimension", "message"),
    [
        (
            "0:*",
            "in t0, which is indexed, got an unbounded array: use --length t0=… (in Python",
        ),
        ("0:5000", "expected 1 to 1024 resources in t0, which is indexed, got 5001: use --length"),
    ],
)
def test_ranges_that_are_too_long(dimension: str, message: str) -> None:
    text = threads(
        1, "ld r1.x, l(0, 0, 0, 0), T0[r0.x].xyzw", f"{TEXTURES} T0[{dimension}], space=0"
    )
    with pytest.raises(UnsupportedError) as caught:
        program(text).lower()
    assert message in str(caught.value)


def test_an_undeclared_register() -> None:
    text = threads(1, "ld r1.x, l(0, 0, 0, 0), t3.xyzw", profile="cs_5_0")
    with pytest.raises(UnsupportedError, match="t3 is used without a declaration"):
        program(text).lower()


def test_a_register_of_two_ranges_is_refused() -> None:
    one, two = (
        "dcl_resource_raw T0[1:2], space=SPACE",
        "dcl_resource_structured T1[0:*], 4, space=0",
    )
    body = "ld_raw r1.x, l(4), T0[2].xxxx\nld_structured r1.y, l(0), l(0), T1[2].xxxx"
    program(threads(1, body, one.replace("SPACE", "1"), two)).lower()
    message = "t2 is in the ranges T0 and T1: expected ranges without a register in common"
    with pytest.raises(UnsupportedError, match=message):
        program(threads(1, body, one.replace("SPACE", "0"), two)).lower()
