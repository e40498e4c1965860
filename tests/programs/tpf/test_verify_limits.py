"""Limits of Direct3D 11: the last number that a program may have, and the first that it may not."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

import pytest

from tests.programs.tpf.broken_programs import (
    DEFAULT_FLOATS,
    FORK,
    LINEAR,
    MAXOUT,
    PRIMITIVE,
    RET,
    STORE,
    TOPOLOGY,
    TYPED_2D,
    compute,
    custom,
    geometry,
    geometry_read,
    hull,
    i,
    lit,
    o,
    one,
    pixel,
    program,
    s,
)
from unshade.programs.tpf import Program
from unshade.programs.tpf.verify import verify


def codes(found: Program) -> list[str]:
    return [each.code for each in verify(found)]


def factor(value: float) -> Program:
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return hull(i("dcl_hs_max_tessfactor", words=(bits,)), *FORK)


def control_points(name: str, count: int) -> Program:
    both = {"dcl_input_control_point_count": 3, "dcl_output_control_point_count": 3, name: count}
    return program(
        "hs_5_0",
        i("hs_decls"),
        *(i(each, bits=number << 11) for each, number in both.items()),
        i("dcl_tessellator_domain", bits=2 << 11),
        i("dcl_tessellator_partitioning", bits=1 << 11),
        i("dcl_tessellator_output_primitive", bits=3 << 11),
        *FORK,
    )


def instances(kind: str, count: int) -> Program:
    start, declared, value, code, end = (
        i(f"hs_{kind}_phase"), i(f"dcl_hs_{kind}_phase_instance_count", words=(count,)), *FORK[1:],
    )  # fmt: skip
    return hull(start, declared, value, code, end)


def texture(number: int) -> Program:
    declared = i("dcl_resource", o(f"t{number}"), words=DEFAULT_FLOATS, bits=TYPED_2D)
    return pixel(declare=(declared,))


def in_range(lower: int, upper: int, register: int) -> Program:
    """Return a program that stores to a register of a range of views."""
    view = s(f"u1[{lower}][{upper}].xyzw")
    store = i("store_structured", o(f"u1[{register}].xy"), *STORE)
    return compute(store, declare=(i("dcl_uav_structured", view, words=(16, 1)),), profile="cs_5_1")


Make = Callable[[int], Program]
# What is counted, numbers that are allowed, numbers that are not, and the rule that these break.
LIMITS: dict[str, tuple[Make, Sequence[int], Sequence[int], str]] = {
    "samplers": (
        lambda n: pixel(declare=(i("dcl_sampler", o(f"s{n}")),)), (1, 14, 15), (16, 17),
        "tpf.limit"),
    "resources": (texture, (1, 126, 127), (128, 129), "tpf.limit"),
    "constant buffers": (
        lambda n: pixel(declare=(i("dcl_constantbuffer", s(f"cb{n}[1].xyzw")),)), (1, 13, 14),
        (15, 16), "tpf.limit"),
    "views": (
        lambda n: compute(declare=(i("dcl_uav_raw", o(f"u{n}")),)), (1, 62, 63), (64, 65),
        "tpf.limit"),
    "rows of a constant buffer": (
        lambda n: pixel(declare=(i("dcl_constantbuffer", s(f"cb1[{n}].xyzw")),)),
        (0, 1, 4095, 4096), (4097, 4098), "tpf.limit"),
    "stride of a structured buffer": (
        lambda n: pixel(declare=(i("dcl_resource_structured", o("t1"), words=(n,)),)),
        (4, 8, 2044, 2048), (0, 1, 2, 3, 5, 6, 2049, 2052), "tpf.limit"),
    "temporary registers": (
        lambda n: pixel(declare=(i("dcl_indexableTemp", words=(1, n, 4)),)), (1, 4089, 4090),
        (4091, 4092), "tpf.limit"),
    "components of temporary registers": (
        lambda n: pixel(declare=(i("dcl_indexableTemp", words=(1, 1, n)),)), (1, 2, 3, 4), (0, 5),
        "tpf.limit"),
    "inputs": (
        lambda n: pixel(declare=(i("dcl_input_ps", o(f"v{n}.x"), bits=LINEAR),)), (0, 2, 30, 31),
        (32, 33), "tpf.limit"),
    "vertices of inputs": (
        lambda n: hull(i("dcl_input", o(f"vicp{n}[0].x")), *FORK), (1, 32), (0,), "tpf.limit"),
    "rows of a table": (
        lambda n: pixel(declare=(custom(3, *[0] * 4 * n),)), (1, 4096), (4097,), "tpf.limit"),
    "numbers of a table": (
        lambda n: pixel(declare=(custom(3, *[0] * n),)), (4, 8), (0, 1, 3, 5, 6, 7),
        "tpf.custom-data"),
    "vertices of geometry": (
        lambda n: geometry(PRIMITIVE, TOPOLOGY, i("dcl_maxout", words=(n,))), (1, 2, 1023, 1024),
        (0, 1025, 1026), "tpf.limit"),
    "instances of geometry": (
        lambda n: geometry(PRIMITIVE, TOPOLOGY, MAXOUT, i("dcl_gsinstances", words=(n,))),
        (1, 2, 31, 32), (0, 33, 34), "tpf.limit"),
    "streams": (
        lambda n: geometry(PRIMITIVE, TOPOLOGY, MAXOUT, i("dcl_stream", o(f"m{n}"))), (0, 2, 3),
        (4, 5), "tpf.limit"),
    "input control points": (
        lambda n: control_points("dcl_input_control_point_count", n), (0, 1, 31, 32), (33, 34),
        "tpf.limit"),
    "output control points": (
        lambda n: control_points("dcl_output_control_point_count", n), (0, 1, 31, 32), (33, 34),
        "tpf.limit"),
    "instances of a fork phase": (
        lambda n: instances("fork", n), (1, 2, 0xFFFF_FFFF), (0,), "tpf.limit"),
    "instances of a join phase": (
        lambda n: instances("join", n), (1, 2, 0xFFFF_FFFF), (0,), "tpf.limit"),
    "hundredths of the largest factor": (
        lambda n: factor(n / 100), (100, 101, 6399, 6400), (0, 99, 6401, 10000), "tpf.limit"),
    "nested blocks": (
        lambda n: pixel(*[i("if", one("r0.x"))] * n, *[i("endif")] * n), (1, 63, 64), (65,),
        "tpf.limit"),
    "threads in x": (lambda n: compute(group=(n, 1, 1)), (1, 1023, 1024), (0, 1025),
        "tpf.thread-group"),
    "threads in y": (lambda n: compute(group=(1, n, 1)), (1, 1023, 1024), (0, 1025),
        "tpf.thread-group"),
    "threads in z": (lambda n: compute(group=(1, 1, n)), (1, 63, 64), (0, 65),
        "tpf.thread-group"),
    "threads": (lambda n: compute(group=(4, 8, n)), (1, 31, 32), (33, 34), "tpf.thread-group"),
    "bytes of shared memory": (
        lambda n: compute(declare=(i("dcl_tgsm_raw", o("g0"), words=(n,)),)), (4, 32764, 32768),
        (1, 2, 3, 5, 6, 32772), "tpf.shared-memory"),
    "elements of shared memory": (
        lambda n: compute(declare=(i("dcl_tgsm_structured", o("g0"), words=(8, n)),)),
        (1, 4095, 4096), (4097, 4098), "tpf.shared-memory"),
    "stride of shared memory": (
        lambda n: compute(declare=(i("dcl_tgsm_structured", o("g0"), words=(n, 4)),)), (4, 8, 12),
        (1, 2, 3, 5, 6), "tpf.shared-memory"),
    "registers r": (
        lambda n: pixel(i("mov", o(f"r{n}.x"), lit(0))), (0, 1), (2, 3), "tpf.index-range"),
    "elements of an array": (
        lambda n: pixel(i("mov", o(f"x0[{n}].x"), lit(0))), (0, 2, 3), (4, 5), "tpf.index-range"),
    "rows": (
        lambda n: pixel(i("mov", o("r0.x"), one(f"cb0[{n}].x"))), (0, 2, 3), (4, 5),
        "tpf.index-range"),
    "rows of the immediate constant buffer": (
        lambda n: pixel(i("mov", o("r0.x"), one(f"icb{n}.x")), declare=(custom(3, *range(8)),)),
        (0, 1), (2, 3), "tpf.index-range"),
    "vertices": (geometry_read, (0, 1, 2), (3, 4), "tpf.index-range"),
    "registers of a range": (
        lambda n: in_range(4, 6, n), (4, 5, 6), (2, 3, 7, 8), "tpf.range-index"),
    "upper ends of a range": (
        lambda n: compute(declare=(i("dcl_uav_raw", s(f"u1[7][{n}].xyzw"), words=(1,)),),
                          profile="cs_5_1"), (7, 8, 0xFFFF_FFFF), (5, 6), "tpf.index-range"),
    "system values": (
        lambda n: pixel(declare=(i("dcl_input_ps_siv", o("v2.x"), words=(n,), bits=LINEAR),)),
        (1, 2, 21, 22), (0, 23, 24), "tpf.system-value"),
    "generated system values": (
        lambda n: pixel(declare=(i("dcl_input_ps_sgv", o("v2.x"), words=(n,), bits=LINEAR),)),
        (6, 7, 8, 9, 10), (1, 2, 3, 4, 5, 11), "tpf.system-value"),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_limits(name: str) -> None:
    make, allowed, others, code = LIMITS[name]
    for number in allowed:
        assert codes(make(number)) == [], number
    for number in others:
        assert codes(make(number)) == [code], number


@pytest.mark.parametrize(
    ("group", "allowed"),
    [
        ((768, 1, 1), True), ((1, 768, 1), True), ((769, 1, 1), False), ((1, 769, 1), False),
        ((1, 1, 2), False), ((24, 32, 1), True), ((25, 32, 1), False),
    ],
)  # fmt: skip
def test_thread_groups_of_shader_model_4(group: tuple[int, ...], allowed: bool) -> None:
    found = program("cs_4_0", i("dcl_thread_group", words=group), RET)
    assert codes(found) == ([] if allowed else ["tpf.thread-group"])


@pytest.mark.parametrize(("size", "allowed"), [(16380, True), (16384, True), (16388, False)])
def test_shared_memory_of_shader_model_4(size: int, allowed: bool) -> None:
    memory = i("dcl_tgsm_structured", o("g0"), words=(4, size // 4))
    found = program("cs_4_0", memory, i("dcl_thread_group", words=(1, 1, 1)), RET)
    assert codes(found) == ([] if allowed else ["tpf.shared-memory"])


def test_shared_memories_are_added_up() -> None:
    halves = [i("dcl_tgsm_raw", o(f"g{number}"), words=(16384,)) for number in range(3)]
    assert codes(compute(declare=tuple(halves[:2]))) == []
    assert codes(compute(declare=tuple(halves))) == ["tpf.shared-memory"]


@pytest.mark.parametrize(
    ("count", "mask", "codes_found"),
    [
        (2, "xy", []), (3, "xy", []), (4, "xy", ["tpf.indexrange"]), (3, "xyz", ["tpf.indexrange"]),
        (1, "xy", ["tpf.indexrange"]), (0, "xy", ["tpf.indexrange"]), (2, "x", []),
        (2, "xyz", []),
    ],
)  # fmt: skip
def test_ranges_of_inputs(count: int, mask: str, codes_found: list[str]) -> None:
    """v1.xyz, v2.xyz and v3.xy are declared."""
    declared = (
        i("dcl_input_ps", o("v2.xyz"), bits=LINEAR), i("dcl_input_ps", o("v3.xy"), bits=LINEAR),
        i("dcl_indexrange", o(f"v1.{mask}"), words=(count,)),
    )  # fmt: skip
    assert codes(pixel(declare=declared)) == codes_found


@pytest.mark.parametrize(
    ("number", "codes_found"),
    [(0, ["tpf.relative-index"]), (1, []), (2, []), (3, ["tpf.relative-index"])],
)
def test_relative_indices_of_inputs(number: int, codes_found: list[str]) -> None:
    """They start in a range that is declared: v1 and v2."""
    declared = (
        *(i("dcl_input_ps", o(f"v{each}.xyz"), bits=LINEAR) for each in (0, 2, 3)),
        i("dcl_indexrange", o("v1.xyz"), words=(2,)),
    )
    read = i("mov", o("r0.x"), o(f"v{number}.x", "1", one("r1.x")))
    assert codes(pixel(read, declare=declared)) == codes_found
