"""Loads, stores, sizes and atomics of buffers, shared memory, arrays of registers and tables.

Source of the values: Direct3D 11.3 functional specification, sections 22.4.1, 22.4.8 to 22.4.13 and
22.17: what lies outside reads 0, and nothing is written there, component by component.
"""

import numpy as np
import pytest

from tests.programs.tpf.lower.cases import Case, compute
from tests.programs.tpf.lower.support import Image, run, words

RAW = ("dcl_resource_raw t0", "dcl_uav_raw u0")
ALL = 0xFFFF_FFFF
FOUR = words(10, 11, 12, 13)
NONE = 0xCC


def zeros(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
    return np.zeros(count, np.uint32)


def atomic(name: str, old: int, value: int, new: int) -> list[Case]:
    """Return cases of an atomic on raw memory, with and without its result."""
    return [
        Case(
            f"atomic_{name}", {f"atomic_{name}"},
            compute(f"atomic_{name} u0, l(4), l({value})", RAW[1]),
            {"u0": words(1, old, 3)}, {"u0": words(1, new, 3)},
        ),
        Case(
            f"imm_atomic_{name}", {f"imm_atomic_{name}"},
            compute(
                f"imm_atomic_{name} r0.x, u0, l(4), l({value})\nstore_raw u0.x, l(8), r0.x", RAW[1]
            ),
            {"u0": words(1, old, 3)}, {"u0": words(1, new, old)},
        ),
    ]  # fmt: skip


CASES = [
    Case(
        "ld_raw by component", {"ld_raw", "store_raw"},
        compute("""ld_raw r0.xyzw, l(4), t0.yxwz
                   store_raw u0.xyzw, l(0), r0.xyzw""", *RAW),
        {"t0": words(10, 11, 12, 13, 14), "u0": zeros(4)}, {"u0": words(12, 11, 14, 13)},
    ),
    Case(
        "ld_raw across the end", {"ld_raw"},
        compute("""ld_raw r0.xyzw, l(8), t0.xyzw
                   store_raw u0.xyzw, l(0), r0.xyzw""", *RAW),
        {"t0": FOUR, "u0": zeros(4)}, {"u0": words(12, 13, 0, 0)}, outside={"t0": 2},
    ),
    Case(
        "ld_raw far outside", {"ld_raw"},
        compute("""ld_raw r0.xyzw, l(-4), t0.xyzw
                   store_raw u0.xyzw, l(0), r0.xyzw""", *RAW),
        {"t0": FOUR, "u0": words(1, 1, 1, 1)}, {"u0": zeros(4)},
    ),
    Case(
        "store_raw across the end", {"store_raw"},
        compute("store_raw u0.xyzw, l(8), l(1, 2, 3, 4)", RAW[1]),
        {"u0": FOUR}, {"u0": words(10, 11, 1, 2)}, outside={"u0": 2},
    ),
    Case(
        "store_raw of a modified source", {"store_raw"},
        compute("""mov r0.x, l(1.5)
                   store_raw u0.x, l(0), -|r0.x|""", RAW[1]),
        {"u0": zeros(4)}, {"u0": words(-1.5, 0, 0, 0)},
    ),
    Case(
        "ld_structured", {"ld_structured", "store_structured"},
        compute("""ld_structured r0.xy, l(1), l(4), t0.yxxx
                   store_structured u0.xy, l(0), l(4), r0.xyxx""",
                "dcl_resource_structured t0, 12", "dcl_uav_structured u0, 12"),
        {"t0": words(1, 2, 3, 4, 5, 6), "u0": zeros(6)}, {"u0": words(0, 6, 5, 0, 0, 0)},
    ),
    Case(
        "ld_structured past the last", {"ld_structured"},
        compute("""ld_structured r0.xy, l(2), l(0), t0.xyxx
                   store_structured u0.xy, l(0), l(0), r0.xyxx
                   store_structured u0.x, l(2), l(0), l(9)
                   store_structured u0.x, l(-1), l(0), l(9)""",
                "dcl_resource_structured t0, 12", "dcl_uav_structured u0, 12"),
        {"t0": words(1, 2, 3, 4, 5, 6), "u0": words(7, 7, 7, 7, 7, 7)},
        {"u0": words(0, 0, 7, 7, 7, 7)}, outside={"t0": 2, "u0": 2},
    ),
    Case(
        "typed buffers", {"ld", "ld_uav_typed", "store_uav_typed"},
        compute("""ld r0.xyzw, l(1, 9, 9, 9), t0.wxyz
                   ld_uav_typed r1.xyzw, l(1, 9, 9, 9), u0.xyzw
                   store_uav_typed u0.xyzw, l(0, 0, 0, 0), r0.xyzw
                   store_uav_typed u1.xyzw, l(0, 0, 0, 0), r1.xyzw
                   ld r0.xyzw, l(2, 0, 0, 0), t0.xyzw
                   store_uav_typed u1.xyzw, l(1, 0, 0, 0), r0.xyzw
                   store_uav_typed u1.xyzw, l(2, 0, 0, 0), l(9, 9, 9, 9)""",
                "dcl_resource_buffer (uint,uint,uint,uint) t0",
                "dcl_uav_typed_buffer (uint,uint,uint,uint) u0",
                "dcl_uav_typed_buffer (uint,uint,uint,uint) u1"),
        {"t0": words(0, 0, 0, 0, 1, 2, 3, 4), "u0": words(0, 0, 0, 0, 5, 6, 7, 8), "u1": zeros(8)},
        {"u0": words(4, 1, 2, 3, 5, 6, 7, 8), "u1": words(5, 6, 7, 8, 0, 0, 0, 0)},
    ),
    Case(
        "bufinfo", {"bufinfo"},
        compute("""bufinfo r0.x, t0
                   bufinfo r0.y, t1
                   bufinfo r0.z, t2
                   bufinfo r0.w, u0
                   store_raw u0.xyzw, l(0), r0.xyzw""",
                *RAW, "dcl_resource_structured t1, 12",
                "dcl_resource_buffer (float,float,float,float) t2"),
        {"t0": zeros(5), "t1": zeros(9), "t2": zeros(8), "u0": zeros(4)},
        {"u0": words(20, 3, 2, 16)},
    ),
    Case(
        "constant buffers", {"mov", "dcl_constantbuffer"},
        compute("""mov r1.x, l(1)
                   mov r0.x, cb3[1].y
                   mov r0.y, cb3[r1.x + 0].z
                   mov r0.z, -|cb3[r1.x + 4294967295].x|
                   mov r0.w, cb3[7].x
                   store_raw u0.xyzw, l(0), r0.xyzw""",
                "dcl_constantbuffer CB3[2], dynamicIndexed", RAW[1]),
        {"cb3": words(1.5, 2, 3, 4, 5, 6, 7, 8), "u0": zeros(4)},
        {"u0": words(6, 7, -1.5, 0)},
    ),
    Case(
        "the table of constants", {"customdata"},
        compute("""mov r1.x, l(1)
                   mov r0.x, icb[r1.x + 0].z
                   mov r0.y, icb[r1.x + 4294967295].x
                   mov r0.z, icb[r1.x + 1].x
                   store_raw u0.xyz, l(0), r0.xyzx""",
                "dcl_immediateConstantBuffer { { 1, 2, 3, 4},\n{ 5, 6, 7, 8} }", RAW[1]),
        {"u0": zeros(4)}, {"u0": words(7, 1, 0, 0)},
    ),
    Case(
        "arrays of registers", {"dcl_indexableTemp", "mov"},
        compute("""mov r1.x, l(2)
                   mov x0[0].xyzw, l(1, 2, 3, 4)
                   mov x0[r1.x + 0].yz, l(0, 8, 9, 0)
                   mov x1[0].x, l(77)
                   mov r0.x, x0[r1.x + 4294967294].w
                   mov r0.y, x0[2].z
                   mov r0.z, x0[1].x
                   mov r0.w, x0[r1.x + 5].x
                   store_raw u0.xyzw, l(0), r0.xyzw""",
                RAW[1], "dcl_indexableTemp x0[3], 4", "dcl_indexableTemp x1[1], 4"),
        {"u0": zeros(4)}, {"u0": words(4, 9, 0, 0)},
    ),
    Case(
        "shared memory addressed by bytes", {"ld_raw", "store_raw", "sync", "atomic_iadd"},
        compute("""ishl r0.x, vThreadIDInGroupFlattened.x, l(2)
                   store_raw g0.x, r0.x, vThreadIDInGroupFlattened.x
                   sync_g_t
                   xor r1.x, r0.x, l(4)
                   ld_raw r2.x, r1.x, g0.xxxx
                   sync_g_t
                   atomic_iadd g0, l(8), l(5)
                   sync_g_t
                   ld_raw r2.y, l(8), g0.xxxx
                   ishl r0.x, r0.x, l(1)
                   store_raw u0.xy, r0.x, r2.xyxx""",
                RAW[1], "dcl_input vThreadIDInGroupFlattened", "dcl_tgsm_raw g0, 16",
                group="4, 1, 1"),
        {"u0": zeros(8)}, {"u0": words(1, 22, 0, 22, 3, 22, 2, 22)},
    ),
    Case(
        "shared memory of structures", {"ld_structured", "store_structured", "imm_atomic_umax"},
        compute("""store_structured g1.xy, vThreadIDInGroup.y, l(4), vThreadIDInGroup.yxyy
                   sync_g_t
                   iadd r0.x, l(1), -vThreadIDInGroup.y
                   ld_structured r1.xy, r0.x, l(4), g1.xyxx
                   mov r2.x, vThreadIDInGroup.y
                   mov r2.y, l(0)
                   imm_atomic_umax r1.z, g1, r2.xyxx, l(6)
                   sync_g_t
                   ld_structured r1.w, r0.x, l(0), g1.xxxx
                   ishl r0.x, vThreadIDInGroup.y, l(4)
                   store_raw u0.xyzw, r0.x, r1.xyzw""",
                RAW[1], "dcl_input vThreadIDInGroup.xy", "dcl_tgsm_structured g1, 12, 2",
                group="1, 2, 1"),
        {"u0": zeros(8)}, {"u0": words(1, 0, 0, 6, 0, 0, 0, 6)},
    ),
    Case(
        "shared memory of single words", {"imm_atomic_iadd"},
        compute("""mov r0.x, l(2)
                   mov r0.y, l(0)
                   imm_atomic_iadd r1.x, g0, r0.xyxx, l(5)
                   imm_atomic_iadd r1.y, g0, r0.xyxx, l(5)
                   ld_structured r1.z, l(2), l(0), g0.xxxx
                   ld_structured r1.w, l(0), l(0), g0.xxxx
                   store_raw u0.xyzw, l(0), r1.xyzw""",
                RAW[1], "dcl_tgsm_structured g0, 4, 4"),
        {"u0": zeros(4)}, {"u0": words(0, 5, 10, 0)},
    ),
    *atomic("and", 0xFF, 0x0F, 0x0F),
    *atomic("or", 0xF0, 0x0F, 0xFF),
    *atomic("xor", 0xFF, 0x0F, 0xF0),
    *atomic("iadd", ALL, 2, 1),
    *atomic("imax", 0x8000_0000, -5, -5 & ALL),
    *atomic("imin", 5, -5, -5 & ALL),
    *atomic("umax", 5, -5, -5 & ALL),
    *atomic("umin", ALL, 5, 5),
    Case(
        "imm_atomic_exch", {"imm_atomic_exch"},
        compute("""imm_atomic_exch r0.x, u0, l(4), l(9)
                   store_raw u0.x, l(8), r0.x""", RAW[1]),
        {"u0": words(1, 2, 3)}, {"u0": words(1, 9, 2)},
    ),
    Case(
        "atomic_cmp_store", {"atomic_cmp_store"},
        compute("""atomic_cmp_store u0, l(0), l(1), l(7)
                   atomic_cmp_store u0, l(4), l(1), l(7)""", RAW[1]),
        {"u0": words(1, 2)}, {"u0": words(7, 2)},
    ),
    Case(
        "imm_atomic_cmp_exch", {"imm_atomic_cmp_exch"},
        compute("""imm_atomic_cmp_exch r0.x, u0, l(0), l(1), l(7)
                   imm_atomic_cmp_exch r0.y, u0, l(4), l(1), l(7)
                   store_raw u0.xy, l(8), r0.xyxx""", RAW[1]),
        {"u0": words(1, 2, 0, 0)}, {"u0": words(7, 2, 1, 2)},
    ),
    Case(
        "atomics of structures and typed buffers", {"atomic_iadd", "imm_atomic_iadd"},
        compute("""mov r0.xy, l(1, 4, 0, 0)
                   atomic_iadd u1, r0.xyxx, l(3)
                   imm_atomic_iadd r1.x, u2, l(1), l(3)
                   store_raw u0.x, l(0), r1.x""",
                RAW[1], "dcl_uav_structured u1, 8",
                "dcl_uav_typed_buffer (uint,uint,uint,uint) u2"),
        {"u0": zeros(4), "u1": words(1, 2, 3, 4), "u2": words(1, 0, 0, 1, 2, 0, 0, 1)},
        {"u0": words(2, 0, 0, 0), "u1": words(1, 2, 3, 7), "u2": words(1, 0, 0, 1, 5, 0, 0, 1)},
    ),
    Case(
        "atomics outside", {"atomic_iadd", "atomic_umax"},
        compute("""atomic_iadd u0, l(8), l(3)
                   atomic_umax u0, l(-4), l(3)""", RAW[1]),
        {"u0": words(1, 2)}, {"u0": words(1, 2)}, outside={"u0": 2},
    ),
    Case(
        "atomics by many", {"imm_atomic_iadd", "atomic_umax"},
        compute("""imm_atomic_iadd r0.x, u0, l(0), l(2)
                   atomic_umax u0, l(4), r0.x""", RAW[1], group="8, 1, 1"),
        {"u0": zeros(2)}, {"u0": words(48, 46)}, groups=(3, 1, 1),
    ),
    Case(
        "append", {"imm_atomic_alloc", "dcl_uav_structured"},
        compute("""imm_atomic_alloc r0.x, u1
                   store_structured u1.x, r0.x, l(0), vThreadID.x
                   ishl r0.y, vThreadID.x, l(2)
                   store_raw u0.x, r0.y, r0.x""",
                "dcl_input vThreadID.x", RAW[1], "dcl_uav_structured_opc u1, 4"),
        {"u0": zeros(4), "u1": words(9, 9, 9), "u1_counter": words(1)},
        {"u0": words(1, 0, 0, 0), "u1": words(9, 0, 9), "u1_counter": words(2)},
    ),
    Case(
        "consume", {"imm_atomic_consume"},
        compute("""imm_atomic_consume r0.x, u1
                   imm_atomic_consume r0.y, u1
                   store_raw u0.xy, l(0), r0.xyxx""",
                RAW[1], "dcl_uav_structured u1, 4"),
        {"u0": zeros(4), "u1": words(9), "u1_counter": words(1)},
        {"u0": words(0, ALL, 0, 0), "u1_counter": words(ALL)},
    ),
    Case(
        "places of a thread", {"store_structured"},
        compute("""imad r0.x, vThreadGroupID.x, l(2), vThreadIDInGroup.x
                   store_structured u0.x, r0.x, l(0), vThreadID.x
                   store_structured u0.x, r0.x, l(4), vThreadIDInGroupFlattened.x
                   store_structured u0.x, r0.x, l(8), vThreadGroupID.z
                   store_structured u0.x, r0.x, l(12), vThreadIDInGroup.y""",
                "dcl_uav_structured u0, 16", "dcl_input vThreadID.xyz",
                "dcl_input vThreadGroupID.xyz", "dcl_input vThreadIDInGroup.xyz",
                "dcl_input vThreadIDInGroupFlattened", group="2, 1, 1"),
        {"u0": zeros(16)},
        {"u0": words(0, 0, 0, 0, 1, 1, 0, 0, 2, 0, 0, 0, 3, 1, 0, 0)}, groups=(2, 1, 1),
    ),
    Case(
        "status of loads", {
            "ld_raw_s", "ld_structured_s", "ld_s", "ld_uav_typed_s", "check_access_fully_mapped",
        },
        compute("""mov r2.xyzw, l(1, 1, 1, 1)
                   ld_raw_s r0.x, r2.x, l(4), t0.xxxx
                   ld_structured_s r0.y, r2.y, l(0), l(4), t1.xxxx
                   ld_s r0.z, r2.z, l(0, 0, 0, 0), t2.xxxx
                   ld_uav_typed_s r0.w, null, l(0, 0, 0, 0), u1.xxxx
                   store_raw u0.xyzw, l(0), r0.xyzw
                   or r2.x, r2.x, r2.y
                   or r2.x, r2.x, r2.z
                   check_access_fully_mapped r3.x, r2.x
                   store_raw u0.x, l(16), r3.x""",
                *RAW, "dcl_resource_structured t1, 8",
                "dcl_resource_buffer (uint,uint,uint,uint) t2",
                "dcl_uav_typed_buffer (uint,uint,uint,uint) u1"),
        {"t0": words(1, 2, 3, 4), "t1": words(5, 6, 7, 8), "t2": words(9, 0, 0, 1),
         "u1": words(10, 0, 0, 1), "u0": zeros(5)},
        {"u0": words(2, 6, 9, 10, ALL)},
    ),
    Case(
        "views of textures", {"ld_uav_typed", "store_uav_typed", "imm_atomic_iadd"},
        compute("""ld_uav_typed r0.x, l(1, 1, 0, 0), u1.xxxx
                   imm_atomic_iadd r0.y, u1, l(2, 0, 0, 0), l(100)
                   ld_uav_typed r0.z, l(3, 0, 0, 0), u1.xxxx
                   store_uav_typed u1.xyzw, l(0, 1, 0, 0), l(7, 7, 7, 7)
                   store_uav_typed u1.xyzw, l(0, 2, 0, 0), l(9, 9, 9, 9)
                   store_uav_typed u1.xyzw, l(-1, 0, 0, 0), l(9, 9, 9, 9)
                   store_raw u0.xyz, l(0), r0.xyzx""",
                RAW[1], "dcl_uav_typed_texture2d (uint,uint,uint,uint) u1"),
        {"u0": zeros(4), **Image([np.repeat(np.arange(6, dtype=np.uint32), 4)], (3, 2, 1))
         .memories("u1")},
        {"u0": words(4, 2, 0, 0), "u1": np.repeat(words(0, 1, 2, 7, 4, 5), 4)
         + np.array([0] * 8 + [100] + [0] * 15, np.uint32)},
    ),
    Case(
        "views of layers", {"ld_uav_typed"},
        compute("""ld_uav_typed r0.x, l(1, 1, 0, 0), u1.xxxx
                   ld_uav_typed r0.y, l(1, 2, 0, 0), u1.xxxx
                   ld_uav_typed r0.z, l(1, 0, 1, 0), u2.xxxx
                   ld_uav_typed r0.w, l(1, 1, 1, 0), u3.xxxx
                   store_raw u0.xyzw, l(0), r0.xyzw""",
                RAW[1], "dcl_uav_typed_texture1darray (uint,uint,uint,uint) u1",
                "dcl_uav_typed_texture2darray (uint,uint,uint,uint) u2",
                "dcl_uav_typed_texture3d (uint,uint,uint,uint) u3"),
        {"u0": zeros(4),
         **Image([np.repeat(np.arange(4, dtype=np.uint32), 4)], (2, 1, 2)).memories("u1"),
         **Image([np.repeat(np.arange(4, dtype=np.uint32), 4)], (2, 1, 2)).memories("u2"),
         **Image([np.repeat(np.arange(8, dtype=np.uint32), 4)], (2, 2, 2)).memories("u3")},
        {"u0": words(3, 0, 3, 7)},
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    case.check()


OUTSIDE = compute(
    """ld_raw r0.x, l(400), t0.xxxx
       ld_structured r0.y, l(9), l(4), t1.xxxx
       mov r1.x, l(7)
       mov r0.z, cb0[r1.x + 0].y
       ld_uav_typed r0.w, l(9, 0, 0, 0), u1.xxxx
       store_raw u0.xyzw, l(0), r0.xyzw
       store_raw u0.x, l(4000), l(5)""",
    *RAW,
    "dcl_resource_structured t1, 8",
    "dcl_constantbuffer CB0[2], dynamicIndexed",
    "dcl_uav_typed_buffer (uint,uint,uint,uint) u1",
)


@pytest.mark.parametrize(
    ("bounds", "left"),
    [
        (None, (0, 0, 0, 0, 0)),
        ("zero", (0, 0, 0, 0, 0)),
        ("clamp", (13, 21, 33, 0, 5)),  # the last of each, but of texels
    ],
)
def test_out_of_bounds_accesses_follow_the_kernel_options(
    bounds: str | None, left: tuple[int, ...]
) -> None:
    memories = {
        "t0": FOUR,
        "t1": words(18, 19, 20, 21),
        "cb0": words(30, 31, 32, 30, 32, 33, 34, 35),
        "u0": zeros(5),
        "u1": words(9, 0, 0, 1),
    }
    assert run(OUTSIDE, memories=memories, bounds=bounds).memories["u0"].tolist() == list(left)
