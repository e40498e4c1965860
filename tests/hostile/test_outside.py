"""Accesses outside of everything, arithmetic at its ends: each has one result, in both engines.

Source: Direct3D 11.3 functional specification, sections 3.1 (arithmetic) and 22 (what lies outside
reads 0, and is not written).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.hostile.running import ALL, compute, kernels, words

# ---------------------------------------------------------------- outside of everything

OUTSIDE = ("64", "68", "0x3fffffff", "0x40000000", "0x7fffffff", "0x80000000", "0xfffffffe", "-1")
GUARD = 0xDEAD_BEEF
TEXELS = "(uint,uint,uint,uint)"


@pytest.mark.parametrize("place", OUTSIDE)
@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ("dcl_constantbuffer CB0[1], dynamicIndexed", "mov r1.xyzw, cb0[r0.x + 0].xyzw"),
        ("dcl_constantbuffer CB0[1], immediateIndexed", "mov r1.xyzw, cb0[{u}].xyzw"),
        ("dcl_indexableTemp x0[2], 4", "mov x0[0].x, l(1)\nmov r1.xyzw, x0[r0.x + 0].xyzw"),
        ("dcl_indexableTemp x0[2], 4", "mov x0[r0.x + 0].x, l(1)\nmov r1.xyzw, x0[1].xyzw"),
        ("dcl_immediateConstantBuffer { { 1, 1, 1, 1} }", "mov r1.xyzw, icb[r0.x + 0].xyzw"),
        ("dcl_resource_structured t0, 16", "ld_structured r1.xyzw, r0.x, l(0), t0.xyzw"),
        ("dcl_resource_structured t0, 16", "ld_structured r1.xyzw, l(0), r0.x, t0.xyzw"),
        ("dcl_resource_structured t0, 16", "ld_structured r1.xyzw, r0.x, r0.x, t0.xyzw"),
        ("dcl_resource_raw t0", "ld_raw r1.xyzw, r0.x, t0.xyzw"),
        ("dcl_resource_buffer {4} t0", "ld r1.xyz, r0.xxxx, t0.xyzw"),
        ("dcl_uav_typed_buffer {4} u1", "ld_uav_typed r1.xyz, r0.xxxx, u1.xyzw"),
        ("dcl_resource_texture1d {4} t0", "ld r1.xyz, r0.xyyy, t0.xyzw"),
        ("dcl_resource_texture2d {4} t0", "ld r1.xyz, r0.yxyy, t0.xyzw"),
        ("dcl_resource_texture2d {4} t0", "ld r1.xyz, r0.yyyx, t0.xyzw"),
        ("dcl_resource_texture3d {4} t0", "ld r1.xyz, r0.yyxy, t0.xyzw"),
        ("dcl_resource_texture2darray {4} t0", "ld r1.xyz, r0.yyxy, t0.xyzw"),
        ("dcl_resource_texture2dms(4) {4} t0", "ldms r1.xyz, r0.yyyy, t0.xyzw, r0.x"),
        ("dcl_uav_typed_texture2d {4} u1", "ld_uav_typed r1.xyz, r0.xyyy, u1.xyzw"),
        ("dcl_uav_typed_texture3d {4} u1", "ld_uav_typed r1.xyz, r0.yyxy, u1.xyzw"),
        ("dcl_tgsm_raw g0, 64", "ld_raw r1.xyzw, r0.x, g0.xyzw"),
        ("dcl_tgsm_structured g0, 16, 4", "ld_structured r1.xyzw, r0.x, r0.x, g0.xyzw"),
    ],
)  # fmt: skip
def test_reads_out_of_bounds_are_zero(declared: str, code: str, place: str) -> None:
    unsigned = int(place, 0) & ALL
    declared = declared.replace("{4}", TEXELS)
    code = f"mov r1.xyzw, l(9, 9, 9, 0)\n{code.replace('{u}', str(unsigned))}"
    body = f"mov r0.x, l({place})\n{code}\nstore_raw u0.xyzw, l(0), r1.xyzw"
    given: dict[str, Any] = {}
    shapes = {"1d": (4,), "2d": (4, 4), "3d": (4, 4, 4), "2darray": (4, 4, 4), "2dms": (4, 4, 4)}
    for name in ("t0", "u1"):
        if f" {name}" in declared:
            word = declared.partition("texture")[2].partition("(")[0].strip() or "1d"
            shape = shapes[word.split()[0]] if "texture" in declared else (4, 4)
            given[name] = np.full(shape, 5, np.uint32)
            if "buffer" in declared:
                given[name] = np.full((4, 1), 5, np.uint32)
    if "CB0" in declared:
        given["cb0"] = np.full(4, 5, np.uint32)
    assert words(compute(body, declared), **given) == [0, 0, 0, 0]


@pytest.mark.parametrize("place", OUTSIDE)
@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ("dcl_uav_raw u1", "store_raw u1.xyzw, r0.x, l(1, 2, 3, 4)"),
        ("dcl_uav_structured u1, 16", "store_structured u1.xyzw, r0.x, l(0), l(1, 2, 3, 4)"),
        ("dcl_uav_structured u1, 16", "store_structured u1.xyzw, l(0), r0.x, l(1, 2, 3, 4)"),
        ("dcl_uav_structured u1, 16", "store_structured u1.xyzw, r0.x, r0.x, l(1, 2, 3, 4)"),
        ("dcl_uav_typed_buffer {4} u1", "store_uav_typed u1.xyzw, r0.xxxx, l(1, 2, 3, 4)"),
        ("dcl_uav_raw u1", "imm_atomic_iadd r2.x, u1, r0.x, l(1)"),
        ("dcl_uav_raw u1", "imm_atomic_cmp_exch r2.x, u1, r0.x, l(5), l(1)"),
        ("dcl_uav_structured u1, 16", "imm_atomic_exch r2.x, u1, r0.xyxx, l(1)"),
        ("dcl_uav_structured u1, 16", "imm_atomic_umax r2.x, u1, r0.yxyy, l(10)"),
        ("dcl_uav_typed_buffer {4} u1", "imm_atomic_iadd r2.x, u1, r0.x, l(1)"),
        ("dcl_uav_typed_texture2d {4} u1", "store_uav_typed u1.xyzw, r0.xyyy, l(1, 2, 3, 4)"),
        ("dcl_uav_typed_texture2d {4} u1", "store_uav_typed u1.xyzw, r0.yxyy, l(1, 2, 3, 4)"),
        ("dcl_uav_typed_texture2d {4} u1", "imm_atomic_or r2.x, u1, r0.yxyy, l(2)"),
    ],
)  # fmt: skip
def test_writes_out_of_bounds_are_dropped(declared: str, code: str, place: str) -> None:
    """u1 is the middle of an array, of which no other word may change."""
    body = f"mov r0.x, l({place})\nmov r2.x, l(9)\n{code}\nstore_raw u0.x, l(0), r2.x"
    for kernel in kernels(compute(body, declared.replace("{4}", TEXELS))):
        around = np.full(64, GUARD, np.uint32)
        u1 = around[24:40].reshape(
            (4, 4, 1) if "texture" in declared else (-1, 4)[: 1 + ("typed" in declared)]
        )
        u0 = np.zeros(1, np.uint32)
        kernel.dispatch(1, u0=u0, u1=u1)
        assert (around == GUARD).all()
        assert u0[0] == (0 if "imm_atomic" in code else 9)
        assert kernel.report is not None
        assert sum(kernel.report.out_of_bounds.values()) >= 1


@pytest.mark.parametrize("size", [0, 1, 3])
def test_tiny_buffers(size: int) -> None:
    """Each of eight threads adds 1 to its word of a buffer that has `size` of them."""
    body = """
        ld_structured r0.x, vThreadID.x, l(0), u1.xxxx
        iadd r0.x, r0.x, l(1)
        store_structured u1.x, vThreadID.x, l(0), r0.x
        bufinfo r0.y, u1
        atomic_iadd u0, l(0), r0.y"""
    for kernel in kernels(compute(body, "dcl_uav_structured u1, 4", "8, 1, 1")):
        u0, u1 = np.zeros(1, np.uint32), np.zeros(size, np.uint32)
        kernel.dispatch(1, u0=u0, u1=u1)
        assert u1.tolist() == [1] * size
        assert u0[0] == 8 * size
        assert kernel.report is not None
        assert kernel.report.out_of_bounds == {"u1": 2 * (8 - size)}


def test_a_counter_that_falls_below_zero() -> None:
    body = """
        imm_atomic_consume r0.x, u1
        store_structured u1.x, r0.x, l(0), l(7)
        store_raw u0.x, l(0), r0.x"""
    for kernel in kernels(compute(body, "dcl_uav_structured_opc u1, 4")):
        u0, u1 = np.zeros(1, np.uint32), np.zeros(4, np.uint32)
        result = kernel.dispatch(1, u0=u0, u1=u1)
        assert (u0.tolist(), u1.tolist(), result["u1_counter"]) == ([ALL], [0, 0, 0, 0], ALL)


@pytest.mark.parametrize(
    ("which", "found"), [(0, 10), (1, 11), (2, 12), (3, 0), (1 << 31, 0), (ALL, 0)]
)
def test_one_of_several_resources(which: int, found: int) -> None:
    """Registers that are chosen by a number outside of their range: nothing happens."""
    text = f"""cs_5_1
dcl_resource_raw T0[0:2], space=0
dcl_uav_raw U0[0:0], space=0
dcl_temps 2
dcl_thread_group 1, 1, 1
mov r0.x, l({which})
ld_raw r1.x, l(0), T0[r0.x].xxxx
store_raw U0[0].x, l(0), r1.x
ret
"""
    given = {f"t{n}": np.full(1, 10 + n, np.uint32) for n in range(3)}
    assert words(text, 1, **given) == [found]


# ---------------------------------------------------------------- arithmetic


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("udiv r0.x, r0.y, l(7), l(0)", [ALL, ALL]),
        ("udiv r0.x, r0.y, l(0), l(0)", [ALL, ALL]),
        ("udiv r0.x, r0.y, l(0x80000000), l(-1)", [0, 0x8000_0000]),
        ("imul r0.x, r0.y, l(0x80000000), l(-1)", [0, 0x8000_0000]),
        ("ineg r0.x, l(0x80000000)", [0x8000_0000]),
        ("iadd r0.x, -|r7.x|, l(0)", [0x8000_0000]),
        ("ishl r0.x, l(1), l(32)", [1]),
        ("ishl r0.x, l(1), l(-1)", [0x8000_0000]),
        ("ishr r0.x, l(0x80000000), l(63)", [ALL]),
        ("ushr r0.x, l(0x80000000), l(33)", [0x4000_0000]),
        ("ubfe r0.x, l(32), l(0), l(-1)", [0]),
        ("ubfe r0.x, l(31), l(31), l(-1)", [1]),
        ("ibfe r0.x, l(-1), l(-1), l(0x80000000)", [ALL]),
        ("bfi r0.x, l(31), l(31), l(-1), l(0)", [0x8000_0000]),
        ("firstbit_hi r0.x, l(0)", [ALL]),
        ("firstbit_shi r0.x, l(-1)", [ALL]),
        ("ftoi r0.x, l(nan)", [0]),
        ("ftoi r0.x, l(0x7f800000)", [0x7FFF_FFFF]),
        ("ftoi r0.x, l(0xff800000)", [0x8000_0000]),
        ("ftou r0.x, l(-1.0)", [0]),
        ("ftou r0.x, l(0x7f800000)", [ALL]),
        ("div r0.x, l(0.0), l(0.0)", [0x7FC0_0000]),
        ("div r0.x, l(1.0), l(0.0)", [0x7F80_0000]),
        ("rcp r0.x, l(0x80000000)", [0xFF80_0000]),
        ("sqrt r0.x, l(-1.0)", [0x7FC0_0000]),
        ("rsq r0.x, l(0.0)", [0x7F80_0000]),
        ("log r0.x, l(0.0)", [0xFF80_0000]),
        ("log r0.x, l(-1.0)", [0x7FC0_0000]),
        ("exp r0.x, l(0x7f7fffff)", [0x7F80_0000]),
        ("exp r0.x, l(0xff7fffff)", [0]),
        ("sincos r0.x, r0.y, l(0x7f800000)", [0x7FC0_0000, 0x7FC0_0000]),
        ("mul_sat r0.x, l(0x7f800000), l(0.0)", [0]),
        ("mov_sat r0.x, r7.y", [0]),
        ("dtoi r0.x, d(nan, 0.0l)", [0]),
        ("ftod r2.xy, l(0x7f800000)\ndtou r0.x, r2.xyxy", [ALL]),
    ],
)  # fmt: skip
def test_arithmetic_at_extreme_values(code: str, wanted: list[int]) -> None:
    before = "mov r7.xyzw, l(0x80000000, 0x7fc00001, 0, 0)\nmov r0.xyzw, l(0, 0, 0, 0)"
    found = words(compute(f"{before}\n{code}\nstore_raw u0.xyzw, l(0), r0.xyzw"))
    assert found[: len(wanted)] == wanted
