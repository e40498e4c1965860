"""Instructions that read textures, on a texture whose texels encode their position.

    level 0  4 x 4   x = 0 … 15 (4 row + column), y = x + 100, z = 0.5, w = 1
    level 1  2 x 2   x = 1000 … 1003                             level 2  x = 2000

Filters and borders are tested with `ir.library.sampling`; here it is the meaning of the operands.
Source: Direct3D 11.3 functional specification, sections 22.4 and 22.5.6.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from tests.programs.tpf.lower.cases import Case, compute
from tests.programs.tpf.lower.support import Image, Words, words
from unshade.ir.library.sampling import Address, Filter, SamplerState

pytestmark = pytest.mark.heavy

ALL = 0xFFFF_FFFF
INF = float("inf")
LINEAR = SamplerState()
POINT = SamplerState(Filter.POINT, Filter.POINT, Filter.POINT)
WRAP = SamplerState(address=(Address.WRAP,) * 3)
LESS = SamplerState(Filter.POINT, Filter.POINT, Filter.POINT, comparison="less_equal")


def level(first: int, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    found = np.ones((count, 4), np.float32)
    found[:, 0] = np.arange(first, first + count)
    found[:, 1] = found[:, 0] + 100
    found[:, 2] = 0.5
    return found


MIPS = Image([level(0, 16), level(1000, 4), level(2000, 1)], (4, 4, 1))
FLAT = Image([level(0, 16)], (4, 4, 1))
DCL = ("dcl_sampler s0, mode_default", "dcl_resource_texture2d (float,float,float,float) t0")
CUBE = "dcl_resource_texturecube (float,float,float,float)"


def pixel(
    name: str,
    covers: str,
    body: str,
    wanted: dict[str, list[Any]],
    *,
    step: float = 0.25,
    image: Image = MIPS,
    sampler: SamplerState = LINEAR,
    declarations: tuple[str, ...] = DCL,
) -> Case:
    """Return the case of a quad with coordinates (v1.xy) a step apart."""
    lines = [
        "ps_5_0", "dcl_globalFlags refactoringAllowed", *declarations,
        "dcl_input_ps linear v1.xy", "dcl_output o0.xyzw", "dcl_temps 4",
        *body.splitlines(), "ret", "",
    ]  # fmt: skip
    low, high = step / 2, 3 * step / 2
    return Case(
        name, frozenset(covers.split()), "\n".join(line.strip() for line in lines),
        images={"t0": image}, samplers={"s0": sampler},
        inputs={"v1.x": words(low, high, low, high), "v1.y": words(low, low, high, high)},
        outputs={name: words(*values) for name, values in wanted.items()},
    )  # fmt: skip


def vertex(
    name: str,
    covers: str,
    body: str,
    wanted: Sequence[int | float],
    *,
    image: Image = MIPS,
    sampler: SamplerState = LINEAR,
    declarations: tuple[str, ...] = DCL,
    memories: Mapping[str, Words] | None = None,
) -> Case:
    """Return the case of a compute shader of one thread that stores r0."""
    text = compute(
        body + "\nstore_raw u0.xyzw, l(0), r0.xyzw", *declarations, "dcl_uav_raw u0"
    )  # fmt: skip
    return Case(
        name, frozenset(covers.split()), text, {"u0": words(9, 9, 9, 9)} | dict(memories or {}),
        {"u0": words(*wanted)}, {"t0": image}, {"s0": sampler},
    )  # fmt: skip


VIEWS = {
    **Image([level(0, 8)], (4, 2, 1)).memories("u1"),
    **Image([level(0, 8)], (4, 1, 2)).memories("u2"),
}
INTEGERS = Image([np.arange(64, dtype=np.uint32)], (4, 4, 1))
UINT = "dcl_resource_texture2d (uint,uint,uint,uint) t0"
FACES = Image([level(0, 6)], (1, 1, 6))

CASES = [
    pixel("sample", "sample", "sample o0.xyzw, v1.xyxx, t0.xyzw, s0",
          {"o0.x": [0.0, 1.0, 4.0, 5.0], "o0.y": [100.0, 101.0, 104.0, 105.0],
           "o0.z": [0.5] * 4, "o0.w": [1.0] * 4}),
    pixel("sample by swizzle", "sample", "sample o0.xy, v1.yxxx, t0.yxzw, s0",
          {"o0.x": [100.0, 104.0, 101.0, 105.0], "o0.y": [0.0, 4.0, 1.0, 5.0]}),
    pixel("sample of the level that the step says", "sample",
          "sample o0.x, v1.xyxx, t0.xyzw, s0",
          {"o0.x": [1000.0, 1001.0, 1002.0, 1003.0]}, step=0.5),
    pixel("sample of the last level", "sample", "sample o0.x, v1.xyxx, t0.xyzw, s0",
          {"o0.x": [2000.0] * 4}, step=8.0),
    pixel("sample with offset", "sample", "sample_aoffimmi(1,2,0) o0.x, v1.xyxx, t0.xyzw, s0",
          {"o0.x": [9.0, 10.0, 13.0, 14.0]}),
    pixel("sample_b", "sample_b", "sample_b o0.x, v1.xyxx, t0.xyzw, s0, l(-1.0)",
          {"o0.x": [2.5, 4.5, 10.5, 12.5]}, step=0.5),
    pixel("sample_b halfway", "sample_b", "sample_b o0.x, v1.xyxx, t0.xyzw, s0, l(-0.5)",
          {"o0.x": [501.25, 502.75, 506.25, 507.75]}, step=0.5),
    pixel("sample_l", "sample_l", "sample_l o0.xy, v1.xyxx, t0.xyzw, s0, l(0.5)",
          {"o0.x": [501.25, 502.75, 506.25, 507.75], "o0.y": [601.25, 602.75, 606.25, 607.75]},
          step=0.5),
    pixel("sample_d", "sample_d",
          "sample_d o0.x, v1.xyxx, t0.xyzw, s0, l(0.5, 0.0, 0.0, 0.0), l(0.0, 0.25, 0.0, 0.0)",
          {"o0.x": [1000.0, 1001.0, 1002.0, 1003.0]}, step=0.5),
    pixel("sample_c", "sample_c", "sample_c o0.x, v1.xyxx, t0.xxxx, s0, l(1001.0)",
          {"o0.x": [0.0, 1.0, 1.0, 1.0]}, step=0.5, sampler=LESS),
    pixel("sample_c_lz", "sample_c_lz", "sample_c_lz o0.xy, v1.xyxx, t0.xxxx, s0, l(8.0)",
          {"o0.x": [0.0, 0.0, 1.0, 1.0], "o0.y": [0.0, 0.0, 1.0, 1.0]}, step=0.5, sampler=LESS),
    pixel("lod", "lod", "lod o0.xyzw, v1.xyxx, t0.xyzw, s0",
          {"o0.x": [2.0] * 4, "o0.y": [3.0] * 4, "o0.z": [0.0] * 4, "o0.w": [0.0] * 4}, step=2.0),
    pixel("lod below 0", "lod", "lod o0.xy, v1.xyxx, t0.yxzw, s0",
          {"o0.x": [-2.0] * 4, "o0.y": [0.0] * 4}, step=0.0625),
    pixel("sample_cl_s", "sample_cl_s check_access_fully_mapped",
          "sample_cl_s o0.x, r1.x, v1.xyxx, t0.xyzw, s0, l(2.0)\n"
          "check_access_fully_mapped o0.y, r1.x",
          {"o0.x": [2000.0] * 4, "o0.y": [ALL] * 4}, step=0.5),
    pixel("sample_b_cl_s", "sample_b_cl_s",
          "sample_b_cl_s o0.x, null, v1.xyxx, t0.xyzw, s0, l(-1.0), l(1.0)",
          {"o0.x": [1000.0, 1001.0, 1002.0, 1003.0]}, step=0.5),
    pixel("sample_d_cl_s", "sample_d_cl_s",
          "sample_d_cl_s o0.x, null, v1.xyxx, t0.xyzw, s0, l(0.25, 0.0, 0.0, 0.0),"
          " l(0.0, 0.25, 0.0, 0.0), l(1.0)",
          {"o0.x": [1000.0, 1001.0, 1002.0, 1003.0]}, step=0.5),
    pixel("sample_c_cl_s", "sample_c_cl_s",
          "sample_c_cl_s o0.x, null, v1.xyxx, t0.xxxx, s0, l(1500.0), l(2.0)",
          {"o0.x": [1.0] * 4}, step=0.25, sampler=LESS),
    pixel("sample_l_s and sample_c_lz_s", "sample_l_s sample_c_lz_s",
          "sample_l_s o0.x, r1.x, v1.xyxx, t0.xyzw, s0, l(1.0)\n"
          "sample_c_lz_s o0.y, r1.y, v1.xyxx, t0.xxxx, s0, l(8.0)",
          {"o0.x": [1000.0, 1001.0, 1002.0, 1003.0], "o0.y": [0.0, 0.0, 1.0, 1.0]}, step=0.5,
          sampler=LESS),
    vertex("sample_l outside of pixels", "sample_l",
           "sample_l r0.xyzw, l(0.375, 0.625, 0.0, 0.0), t0.xyzw, s0, l(0.0)",
           [9.0, 109.0, 0.5, 1.0]),
    vertex("gather4", "gather4", "gather4 r0.xyzw, l(0.5, 0.5, 0, 0), t0.xyzw, s0.x",
           [9.0, 10.0, 6.0, 5.0]),
    vertex("gather4 of another component", "gather4",
           "gather4 r0.xyzw, l(0.5, 0.5, 0, 0), t0.wzyx, s0.y", [105.0, 106.0, 110.0, 109.0]),
    vertex("gather4 with offset", "gather4",
           "gather4_aoffimmi(-1,1,0) r0.xyzw, l(0.5, 0.5, 0, 0), t0.xyzw, s0.x",
           [12.0, 13.0, 9.0, 8.0]),
    vertex("gather4_po", "gather4_po",
           "gather4_po r0.xyzw, l(0.5, 0.5, 0, 0), l(-1, 1, 9, 9), t0.xyzw, s0.x",
           [12.0, 13.0, 9.0, 8.0]),
    vertex("gather4_po of six bits", "gather4_po",
           "gather4_po r0.xyzw, l(0.5, 0.5, 0, 0), l(62, 66, 0, 0), t0.xyzw, s0.x",
           [15.0, 12.0, 12.0, 15.0], sampler=SamplerState(address=(Address.WRAP, Address.CLAMP,
                                                                    Address.WRAP))),
    vertex("gather4_c", "gather4_c",
           "gather4_c r0.xyzw, l(0.5, 0.5, 0, 0), t0.xyzw, s0.x, l(6.0)", [1.0, 1.0, 1.0, 0.0],
           sampler=LESS),
    vertex("gather4_po_c", "gather4_po_c",
           "gather4_po_c r0.xyzw, l(0.5, 0.5, 0, 0), l(-1, 1, 0, 0), t0.xyzw, s0.x, l(9.0)",
           [1.0, 1.0, 1.0, 0.0], sampler=LESS),
    vertex("gathers with status", "gather4_s gather4_c_s gather4_po_s gather4_po_c_s",
           """gather4_s r1.xyzw, r2.x, l(0.5, 0.5, 0, 0), t0.xyzw, s0.x
           mov r0.x, r1.x
           gather4_c_s r1.xyzw, null, l(0.5, 0.5, 0, 0), t0.xyzw, s0.x, l(6.0)
           mov r0.y, r1.w
           gather4_po_s r1.xyzw, r2.x, l(0.5, 0.5, 0, 0), l(-1, 1, 9, 9), t0.xyzw, s0.x
           mov r0.z, r1.y
           gather4_po_c_s r1.xyzw, r2.x, l(0.5, 0.5, 0, 0), l(-1, 1, 0, 0), t0.xyzw, s0.x, l(9.0)
           mov r0.w, r1.z""", [9.0, 0.0, 13.0, 1.0], sampler=LESS),
    vertex("gather4 of integers", "gather4",
           "gather4 r0.xyzw, l(0.5, 0.5, 0, 0), t0.xyzw, s0.z", [38, 42, 26, 22], image=INTEGERS,
           declarations=(DCL[0], UINT)),
    vertex("ld", "ld", "ld r0.xyzw, l(1, 2, 77, 0), t0.xyzw", [9.0, 109.0, 0.5, 1.0]),
    vertex("ld of a level", "ld", "ld r0.xyzw, l(1, 1, 0, 1), t0.yxzw",
           [1103.0, 1003.0, 0.5, 1.0]),
    vertex("ld with offset", "ld", "ld_aoffimmi(-1,1,0) r0.xyzw, l(1, 2, 0, 0), t0.xyzw",
           [12.0, 112.0, 0.5, 1.0]),
    vertex("ld outside", "ld", "ld r0.xyzw, l(4, 0, 0, 0), t0.xyzw", [0, 0, 0, 0]),
    vertex("ld outside by an offset", "ld", "ld_aoffimmi(-1,0,0) r0.xyzw, l(0, 0, 0, 0), t0.xyzw",
           [0, 0, 0, 0]),
    vertex("ld of a level that does not exist", "ld", "ld r0.xyzw, l(0, 0, 0, 3), t0.xyzw",
           [0, 0, 0, 0]),
    vertex("ld of a format with two components", "ld", "ld r0.xyzw, l(0, 9, 0, 0), t0.xyzw",
           [0, 0, 0, 1.0], image=Image(MIPS.levels, MIPS.shape, components=2)),
    vertex("ld of bits", "ld", "ld r0.xyzw, l(0, 0, 0, 0), t0.xyzw",
           [0x7F80_0001, 0x0000_0001, 0xFFC0_1234, 0x8000_0000],
           image=Image([np.array([0x7F80_0001, 1, 0xFFC0_1234, 0x8000_0000], np.uint32)
                        .view(np.float32)], (1, 1, 1))),
    vertex("ld of integers", "ld", "ld r0.xyzw, l(1, 1, 0, 0), t0.wzyx", [23, 22, 21, 20],
           image=INTEGERS, declarations=(UINT,)),
    vertex("ldms and ldms_s", "ldms ldms_s",
           """ldms r0.xy, l(1, 0, 0, 0), t0.xyzw, l(1)
           ldms_s r0.zw, r1.x, l(1, 0, 0, 0), t0.xxxy, l(2)""", [3.0, 103.0, 0.0, 0.0],
           image=Image([level(0, 4)], (2, 1, 1), samples=2),
           declarations=("dcl_resource_texture2dms(2) (float,float,float,float) t0",)),
    vertex("ldms of a layer", "ldms",
           "ldms r0.xy, l(0, 0, 1, 0), t0.xyzw, l(1)\nmov r0.zw, l(0,0,0,0)", [3.0, 103.0, 0, 0],
           image=Image([level(0, 4)], (1, 1, 2), samples=2),
           declarations=("dcl_resource_texture2dmsarray(2) (float,float,float,float) t0",)),
    *(
        vertex(
            f"ld of {shape}", "ld", f"ld r0.xy, l({place}), t0.xyzw\nmov r0.zw, l(0,0,0,0)",
            [texel, texel + 100, 0, 0], image=image,
            declarations=(f"dcl_resource_{shape} (float,float,float,float) t0",),
        )
        for shape, place, texel, image in (
            ("texture1d", "2, 0, 0, 0", 2.0, Image([level(0, 4)], (4, 1, 1))),
            ("texture1darray", "1, 1, 0, 0", 5.0, Image([level(0, 8)], (4, 1, 2))),
            ("texture2darray", "1, 1, 1, 0", 7.0, Image([level(0, 8)], (2, 2, 2))),
            ("texture3d", "1, 0, 1, 0", 5.0, Image([level(0, 8)], (2, 2, 2))),
        )
    ),
    *(
        vertex(
            f"sample_l of {shape}", "sample_l",
            f"sample_l r0.xy, l({place}), t0.xyzw, s0, l(0.0)\nmov r0.zw, l(0,0,0,0)",
            [texel, texel + 100, 0, 0], image=image, sampler=POINT,
            declarations=(DCL[0], f"dcl_resource_{shape} (float,float,float,float) t0"),
        )
        for shape, place, texel, image in (
            ("texture1d", "0.625, 0, 0, 0", 2.0, Image([level(0, 4)], (4, 1, 1))),
            ("texture1darray", "0.375, 1.0, 0, 0", 5.0, Image([level(0, 8)], (4, 1, 2))),
            ("texture2darray", "0.75, 0.75, 0.6, 0", 7.0, Image([level(0, 8)], (2, 2, 2))),
            ("texture3d", "0.75, 0.25, 0.75, 0", 5.0, Image([level(0, 8)], (2, 2, 2))),
            ("texturecube", "0.1, -3.0, 0.2, 0", 3.0, FACES),
            ("texturecubearray", "-2.0, 0.0, 0.1, 1.0", 7.0, Image([level(0, 12)], (1, 1, 12))),
        )
    ),
    *(
        vertex(
            f"resinfo of {shape}", "resinfo", "resinfo_uint r0.xyzw, l(1), t0.xyzw", wanted,
            image=image, declarations=(f"dcl_resource_{shape} (float,float,float,float) t0",),
        )
        for shape, image, wanted in (
            ("texture1d", Image([level(0, 4), level(0, 2)], (4, 1, 1)), [2, 0, 0, 2]),
            ("texture1darray", Image([level(0, 8), level(0, 4)], (4, 1, 2)), [2, 2, 0, 2]),
            ("texture2d", MIPS, [2, 2, 0, 3]),
            ("texture2darray", Image([level(0, 24), level(0, 6)], (4, 2, 3)), [2, 1, 3, 2]),
            ("texture3d", Image([level(0, 24), level(0, 2)], (4, 2, 3)), [2, 1, 1, 2]),
            ("texturecube", Image([level(0, 24), level(0, 6)], (2, 2, 6)), [1, 1, 0, 2]),
            ("texturecubearray", Image([level(0, 48), level(0, 12)], (2, 2, 12)), [1, 1, 2, 2]),
        )
    ),
    vertex("resinfo of a level that does not exist", "resinfo",
           "resinfo_uint r0.xyzw, l(5), t0.xyzw", [0, 0, 0, 2],
           image=Image([level(0, 24), level(0, 6)], (4, 2, 3)),
           declarations=("dcl_resource_texture2darray (float,float,float,float) t0",)),
    vertex("resinfo as floats", "resinfo", "resinfo r0.xyzw, l(0), t0.wxyz", [3.0, 4.0, 4.0, 0.0]),
    vertex("resinfo as reciprocals", "resinfo", "resinfo_rcpfloat r0.xyzw, l(0), t0.xyzw",
           [0.25, 0.5, 3.0, 1.0], image=Image([level(0, 24)], (4, 2, 3)),
           declarations=("dcl_resource_texture2darray (float,float,float,float) t0",)),
    vertex("resinfo as reciprocals of nothing", "resinfo",
           "resinfo_rcpfloat r0.xyzw, l(9), t0.xyzw", [INF, INF, 0.0, 3.0]),
    vertex("resinfo of views", "resinfo",
           """resinfo_uint r0.xyzw, l(0), u1.xyzw
           resinfo_rcpfloat r1.xyzw, l(0), u2.xyzw
           iadd r0.z, r0.z, r1.x
           resinfo_uint r1.xyz, l(1), u2.xyzw
           iadd r0.x, r0.x, r1.x""",
           [4, 2, 0.25, 1], memories=VIEWS, declarations=(
               "dcl_uav_typed_texture2d (float,float,float,float) u1",
               "dcl_uav_typed_texture1darray (float,float,float,float) u2")),
    pixel("texture operations where lanes have parted", "sample_l ld",
          """lt r0.x, v1.x, l(0.2)
          if_nz r0.x
            sample_l o0.x, v1.xyxx, t0.xyzw, s0, l(0.0)
          else
            ld o0.x, l(3, 3, 0, 0), t0.xyzw
          endif""", {"o0.x": [0.0, 15.0, 4.0, 15.0]}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    case.check()
