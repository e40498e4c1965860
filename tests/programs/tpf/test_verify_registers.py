"""Register files: what uses them, their indices, and the stages that have them.

The rows are the pages of Direct3D's documentation on registers of Shader Model 4 and 5.
"""

from __future__ import annotations

import pytest

from tests.programs.tpf.broken_programs import i, lit, o, one, pixel, program, s
from unshade.programs.tpf import Index, Operand, Program
from unshade.programs.tpf.tables.ops import STAGES
from unshade.programs.tpf.tables.spellings import REGISTERS as NAMES
from unshade.programs.tpf.verify import verify
from unshade.programs.tpf.verify.registers import REGISTERS

# Name, uses, numbers of indices, the same from 5.1 on, indices that may be relative (the last is
# 0), stages.
ROWS = """
    r                       rw   1    1    -    ps vs gs hs ds cs
    v                       rv   1,2  1,2  0,1  ps vs gs hs
    o                       w    1    1    0    ps vs gs hs ds
    x                       rw   2    2    0    ps vs gs hs ds cs
    l                       r    0    0    -    ps vs gs hs ds cs
    d                       r    0    0    -    ps vs gs hs ds cs
    s                       S    1    2    0    ps vs gs hs ds cs
    t                       TR   1    2    0    ps vs gs hs ds cs
    cb                      r    2    3    0,1  ps vs gs hs ds cs
    icb                     r    1    1    0    ps vs gs hs ds cs
    l                       L    1    1    -    ps vs gs hs ds cs
    vPrim                   r    0    0    -    gs hs ds ps
    oDepth                  w    0    0    -    ps
    null                    w    0    0    -    ps vs gs hs ds cs
    rasterizer              -    0    0    -    ps
    oMask                   w    0    0    -    ps
    m                       M    1    1    -    gs
    fb                      L    1    1    -    ps vs gs hs ds cs
    fp                      P    2    2    0    ps vs gs hs ds cs
    vOutputControlPointID   r    0    0    -    hs
    vForkInstanceID         r    0    0    -    hs
    vJoinInstanceID         r    0    0    -    hs
    vicp                    r    2    2    0,1  hs ds
    vocp                    r    2    2    0,1  hs
    vpc                     r    1    1    0    hs ds
    vDomain                 r    0    0    -    ds
    this                    r    1,2  1,2  0,1  ps vs gs hs ds cs
    u                       UWR  1    2    0    ps vs gs hs ds cs
    g                       WRG  1    1    -    cs
    vThreadID               r    0    0    -    cs
    vThreadGroupID          r    0    0    -    cs
    vThreadIDInGroup        r    0    0    -    cs
    vCoverage               r    0    0    -    ps
    vThreadIDInGroupFlattened r  0    0    -    cs
    vGSInstanceID           r    0    0    -    gs
    oDepthGE                w    0    0    -    ps
    oDepthLE                w    0    0    -    ps
    vCycleCounter           r    0    0    -    ps vs gs hs ds cs
    oStencilRef             w    0    0    -    ps
    vInnerCoverage          r    0    0    -    ps
"""


def numbers(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(int(each) for each in text.split(","))


def rows() -> list[tuple[str, str, tuple[int, ...], tuple[int, ...], tuple[int, ...], str]]:
    found = []
    for line in ROWS.strip().splitlines():
        name, uses, indices, ranged, relative, *stages = line.split()
        lists = numbers(indices), numbers(ranged), numbers(relative)
        found.append((name, uses.strip("-"), *lists, " ".join(stages)))
    return found


def test_register_files() -> None:
    found = [
        (NAMES[kind], each.uses, each.indices, each.ranged, each.relative, each.stages)
        for kind, each in REGISTERS.items()
    ]
    assert found == rows()


def codes(found: Program) -> set[str]:
    return {each.code for each in verify(found)}


FILES = {row[0]: (row[1], row[2], row[5].split()) for row in rows()}


@pytest.mark.parametrize("stage", STAGES)
def test_stages_of_register_files(stage: str) -> None:
    """Read or written with the right number of indices, each file is refused by its stages."""
    for name, (uses, indices, stages) in FILES.items():
        if not set(uses) & set("rw") or name in ("l", "d", "null"):
            continue
        register = Operand(
            NAMES.index(name) << 12 | 1, indices=[Index(0) for _ in range(indices[-1])]
        )
        operands = [o("r0.x"), register] if "r" in uses else [register, lit(0)]
        found = program(f"{stage}_5_0", i("dcl_temps", words=(1,)), i("mov", *operands))
        assert ("tpf.register-stage" in codes(found)) == (stage not in stages), name
        assert "tpf.index-count" not in codes(found)
        register.indices.append(Index(0))
        if len(register.indices) <= 3:
            assert "tpf.index-count" in codes(found), name


@pytest.mark.parametrize(
    ("relative", "allowed"),
    [
        (lambda: s("cb0[1].xyzw", one("r1.x")), True),
        (lambda: one("x0[1].x"), True),
        (lambda: o("x0[1].x", "1", one("r1.x")), True),
        (lambda: o("r0.x", "1", one("r1.x")), False),
    ],
)
def test_relative_indices(relative: object, allowed: bool) -> None:
    assert callable(relative)
    found = pixel(i("mov", o("r0.x"), relative()))
    assert ("tpf.relative-index" in codes(found)) is not allowed


def cb(buffer: Index, row: Index) -> Operand:
    return Operand(NAMES.index("cb") << 12 | 2 | 1 << 2 | 0xE4 << 4, indices=[buffer, row])


@pytest.mark.parametrize(
    ("index", "problems"),
    [
        (Index(0, one("r1.x"), 3), set()),
        (Index(0, one("r1.w"), 3), set()),
        (Index(0, one("r2.x"), 3), {"tpf.index-range"}),
        (Index(0, s("r1.xyzw"), 3), {"tpf.relative-operand"}),
        (Index(0, o("r1.x"), 3), {"tpf.relative-operand"}),
        (Index(0, lit(1), 3), {"tpf.relative-operand"}),
        (Index(0, one("t0.x"), 3), {"tpf.relative-operand"}),
        (Index(0, one("v1.z"), 3), set()),
        (Index(0, one("v1.w"), 3), {"tpf.undeclared-component"}),
        (Index(0, one("x0[1].y"), 3), set()),
        (Index(0, one("x0[1].z"), 3), {"tpf.undeclared-component"}),
        (Index(0, None, 1), {"tpf.index-representation"}),
        (Index(0, one("r1.x"), 4), {"tpf.index-representation"}),
        (Index(0, one("r1.x"), 2), set()),
    ],
)
def test_registers_in_indices(index: Index, problems: set[str]) -> None:
    """Of either index of a constant buffer: the buffer and the row."""
    assert codes(pixel(i("mov", o("r0.xyzw"), cb(Index(0), index)))) == problems
    assert codes(pixel(i("mov", o("r0.xyzw"), cb(index, Index(3))))) == problems


# The components that are read: one swizzled operand, and the components of v1 and x0 that lack.
READS = (
    ("mov", "x", "wxyz", "w"), ("mov", "y", "wxyz", ""), ("mov", "xyzw", "xyzw", "w"),
    ("mov", "yz", "xyww", "w"), ("mov", "w", "wwwx", ""),
)  # fmt: skip


@pytest.mark.parametrize(("name", "mask", "swizzle", "missing"), READS)
def test_components_that_a_componentwise_operation_reads(
    name: str, mask: str, swizzle: str, missing: str
) -> None:
    """v1.xyz is declared."""
    found = verify(pixel(i(name, o(f"r0.{mask}"), s(f"v1.{swizzle}"))))
    expected = [f"v1.{missing} is not declared"] if missing else []
    assert [each.message for each in found] == expected


@pytest.mark.parametrize(("name", "read"), [("dp2", "xy"), ("dp3", "xyz"), ("dp4", "xyzw")])
def test_components_that_a_dot_product_reads(name: str, read: str) -> None:
    """x0.xy is declared: two components of each of its elements."""
    for at, letter in enumerate("xyzw"):
        swizzle = "xxxx"[:at] + "z" + "xxxx"[at + 1 :]
        found = pixel(i(name, o("r0.w"), s(f"x0[0].{swizzle}"), s("r1.xyzw")))
        assert codes(found) == ({"tpf.undeclared-component"} if letter in read else set())


@pytest.mark.parametrize(
    ("mask", "allowed"),
    [("x", True), ("xy", True), ("xyz", True), ("xyzw", True), ("y", False), ("xz", False),
     ("xw", False), ("yz", False), ("zw", False), ("xyw", False)],
)  # fmt: skip
def test_masks_of_stores(mask: str, allowed: bool) -> None:
    store = i("store_raw", o(f"u1.{mask}"), lit(0), s("r0.xyzw"))
    found = program(
        "cs_5_0", i("dcl_uav_raw", o("u1")), i("dcl_temps", words=(1,)),
        i("dcl_thread_group", words=(1, 1, 1)), store, i("ret"),
    )  # fmt: skip
    assert codes(found) == (set() if allowed else {"tpf.mask"})


@pytest.mark.parametrize(
    ("mask", "allowed"),
    [("xy", True), ("zw", True), ("xyzw", True), ("x", False), ("y", False), ("xz", False),
     ("yz", False), ("xyz", False), ("yzw", False), ("w", False)],
)  # fmt: skip
def test_masks_of_doubles(mask: str, allowed: bool) -> None:
    found = pixel(i("dadd", o(f"r0.{mask}"), s("r1.xyxy"), s("r1.zwzw")), flags=1 << 12)
    assert codes(found) == (set() if allowed else {"tpf.double-mask"})


@pytest.mark.parametrize(
    ("swizzle", "allowed"),
    [("xxxx", True), ("yyyy", True), ("zzzz", True), ("wwww", True), ("xxxy", False),
     ("xyzw", False), ("yyyx", False)],
)  # fmt: skip
def test_conditions_are_one_component(swizzle: str, allowed: bool) -> None:
    found = pixel(i("if", s(f"r0.{swizzle}")), i("endif"))
    assert codes(found) == (set() if allowed else {"tpf.components"})


@pytest.mark.parametrize("modifier", range(5))
@pytest.mark.parametrize("precision", range(8))
def test_modifiers(modifier: int, precision: int) -> None:
    """Sources of floats have 1 to 3, of integers 1; precision 3, 6 and 7 have no meaning."""
    for name, number in (("mov", 1), ("ineg", 1), ("iadd", 2), ("add", 2)):
        sources = [one("r1.x") for _ in range(number)]
        sources[-1].extended = (1 | modifier << 6 | precision << 14,)
        expected = set()
        if modifier == 4 or precision in (3, 6, 7):
            expected.add("tpf.control-value")
        if modifier in (2, 3) and name in ("ineg", "iadd"):
            expected.add("tpf.modifier")
        assert codes(pixel(i(name, o("r0.x"), *sources), flags=1 << 16)) == expected
        if precision in (1, 2, 4, 5) and not expected:
            assert codes(pixel(i(name, o("r0.x"), *sources))) == {"tpf.feature"}
