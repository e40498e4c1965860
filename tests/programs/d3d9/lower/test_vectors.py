"""Results of each operation on both engines, by the rules of its page; none comes from ours."""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from math import cos, inf, nan, sin
from typing import Any, NamedTuple

import numpy as np
import pytest

import unshade
from unshade.programs.d3d9.tables.ops import OPS

pytestmark = pytest.mark.slow  # each program is compiled

Value = float | Sequence[float]
ENGINES = ["lockstep", "jit"] if find_spec("llvmlite") else ["lockstep"]
HEAD = "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\ndcl_position o0\n"


class Vector(NamedTuple):
    name: str
    code: str
    wanted: Value
    v0: Value = 0.0
    v1: Value = 0.0
    v2: Value = 0.0


V = Vector
Q = 0.70710678
VECTORS = [
    V("mov", "mov o0, v0.wzyx", (4, 3, 2, 1), (1, 2, 3, 4)),
    V("mov", "mov o0, v0", (1e-40, 0, 0, 0), (1e-40, 0, 0, 0)),
    V("add", "add o0, v0, v0", 0, (1e-40, -1e-40, 0, 0)),
    V("mul", "mul o0, v0, v1", 0, (1e-40, 1e-20, 0, 0), (8, 1e-20, 0, 0)),
    V("sge", "sge o0, v0, v1", (1, 1, 0, 0), (-1e-40, 0, -1, 0), (0, 1e-40, 0, 1)),
    V("rcp", "rcp o0, v0.x", inf, 1e-40),
    V("mov", "mov o0, -v0_abs", (-1, -2, -3, -4), (1, -2, 3, -4)),
    V("mov", "mov_sat o0, v0", (0, 1, 0.5, 0), (-1, 2, 0.5, nan)),
    V("mov", "mov o0, v0\nmov o0.yw, v1", (1, 6, 3, 8), (1, 2, 3, 4), (5, 6, 7, 8)),
    V("add", "add o0, v0, -v1", (-4, -4, inf, 0), (1, 2, inf, 4), (5, 6, 7, 4)),
    V("sub", "sub o0, v0, v1", (-4, -4, -4, -4), (1, 2, 3, 4), (5, 6, 7, 8)),
    V("mul", "mul o0, v0, v1", (5, 12, 0, 0), (1, 2, 0, inf), (5, 6, inf, 0)),
    V("mad", "mad o0, v0, v1, v2", (6, 14, 9, 4), (1, 2, 0, 4), (5, 6, inf, 0), (1, 2, 9, 4)),
    V("mad", "mov r0, v0\nmad r0, r0.yxwz, r0, r0\nmov o0, r0", (3, 4, 15, 16), (1, 2, 3, 4)),
    V("rcp", "rcp o0, v0.y", 0.5, (1, 2, 3, 4)),
    V("rcp", "rcp o0, v0.x", inf, 0.0),
    V("rsq", "rsq o0, v0.y", 0.5, (1, -4, 3, 4)),
    V("rsq", "rsq o0, v0.x", inf, 0.0),
    V("dp3", "dp3 o0, v0, v1", 32, (1, 2, 3, 100), (4, 5, 6, 100)),
    V("dp4", "dp4 o0, v0, v1", 70, (1, 2, 3, 4), (5, 6, 7, 8)),
    V("min", "min o0, v0, v1", (1, -6, 3, 4), (1, 2, 3, 4), (5, -6, 7, 8)),
    V("max", "max o0, v0, v1", (5, 2, 7, 8), (1, 2, 3, 4), (5, -6, 7, 8)),
    V("slt", "slt o0, v0, v1", (1, 0, 0, 0), (1, 2, 3, nan), (5, 2, -7, 8)),
    V("sge", "sge o0, v0, v1", (0, 1, 1, 0), (1, 2, 3, nan), (5, 2, -7, 8)),
    V("exp", "exp o0, v0.x", 8, 3.0),
    V("log", "log o0, v0.x", 3, -8.0),
    V("log", "log o0, v0.x", -inf, 0.0),
    V("lit", "lit o0, v0", (1, 0.5, 0.0625, 1), (0.5, 0.25, 9, 2)),
    V("lit", "lit o0, v0", (1, 0, 0, 1), (-0.5, 0.25, 9, 2)),
    V("dst", "dst o0, v0, v1", (1, 12, 3, 8), (9, 2, 3, 9), (9, 6, 9, 8)),
    V("lrp", "lrp o0, v0, v1, v2", (2, 4, 3, 8), (0.25, 0.5, 0, 1), (5, 6, 7, 8), (1, 2, 3, 4)),
    V("frc", "frc o0, v0", (0.25, 0.75, 0, 0.5), (1.25, -1.25, 3, 0.5)),
    V("m4x4", "m4x4 o0, v0, c0", (30, 70, 110, 150), (1, 2, 3, 4)),
    V("m4x3", "mov r0, v1\nm4x3 r0.xyz, v0, c0\nmov o0, r0", (30, 70, 110, 9), (1, 2, 3, 4), 9.0),
    V("m3x4", "m3x4 o0, v0, c0", (14, 38, 62, 86), (1, 2, 3, 4)),
    V("m3x3", "mov r0, v1\nm3x3 r0.xyz, v0, c0\nmov o0, r0", (14, 38, 62, 9), (1, 2, 3, 4), 9.0),
    V("m3x2", "mov r0, v1\nm3x2 r0.xy, v0, c0\nmov o0, r0", (14, 38, 9, 9), (1, 2, 3, 4), 9.0),
    V("pow", "pow o0, v0.x, v1.x", 8, -2.0, 3.0),
    V("crs", "mov r0, v0\ncrs r0.xyz, v0, v1\nmov o0, r0", (-3, 6, -3, 4), (1, 2, 3, 4), (4, 5, 6, 0)),
    V("sgn", "sgn o0, v0, r0, r1", (-1, 0, 1, 0), (-7, 0, 0.5, -0.0)),
    V("abs", "abs o0, v0", (1, 2, 0, inf), (-1, 2, -0.0, -inf)),
    V("nrm", "nrm o0, v0", (0.6, 0, 0.8, 2), (3, 0, 4, 10)),
    V("sincos", "mov r0, v1\nsincos r0.xy, v0.x\nmov o0, r0", (cos(0.5), sin(0.5), 9, 9), 0.5, 9.0),
    V("expp", "expp o0, v0.x", 8, 3.0),
    V("logp", "logp o0, v0.x", 3, 8.0),
    V("mova", "mova a0.xy, v0\nmov o0, c0[a0.y]", (9, 10, 11, 12), (0, 2.5, 0, 0)),
    V("mova", "mova a0.x, v0.x\nmov o0, c1[a0.x]", (1, 2, 3, 4), -1.2),
    V("def", "def c0, 0.5, 1, 2, -1\nmov o0, c0", (0.5, 1, 2, -1)),
    V("defi", "defi i0, 3, 0, 1, 0\nmov r0, v0\nrep i0\nadd r0, r0, v0\nendrep\nmov o0, r0", 4, 1.0),
    V("defb", "defb b3, true\nmov r0, v0\nif b3\nmov r0, v1\nendif\nmov o0, r0", 2, 1.0, 2.0),
    V("if", "mov r0, v0\nif !b0\nmov r0, v1\nelse\nmov r0, v2\nendif\nmov o0, r0", 2, 1.0, 2.0, 3.0),
    V("ifc", "if_gt v0.x, v1.x\nmov o0, v0\nelse\nmov o0, v1\nendif", 3, 1.0, 3.0),
    V("ifc", "if_ne v0.x, v1.x\nmov o0, v0\nelse\nmov o0, v1\nendif", 1, 1.0, 3.0),
    V("loop", "defi i0, 3, 1, 2, 0\nmov r0, v0\nloop aL, i0\nadd r0, r0, c0[aL]\nendloop\nmov o0, r0",
      (5 + 13, 6 + 14, 7 + 15, 8 + 16)),
    V("rep", "defi i0, 0, 0, 0, 0\nmov o0, v0\nrep i0\nmov o0, v1\nendrep", 1, 1.0, 2.0),
    V("break", "defi i0, 9, 0, 0, 0\nmov r0, v0\nrep i0\nadd r0, r0, v0\nbreak\nendrep\nmov o0, r0", 2, 1.0),
    V("breakc", "defi i0, 9, 0, 0, 0\nmov r0, v0\nrep i0\nadd r0, r0, v0\nbreak_ge r0.x, v1.x\nendrep\n"
      "mov o0, r0", 5, 1.0, 5.0),
    V("breakp", "defi i0, 9, 0, 0, 0\nmov r0, v0\nsetp_gt p0, v0, v1\nrep i0\nadd r0, r0, v0\n"
      "breakp p0.x\nendrep\nmov o0, r0", 2, 1.0, 0.0),
    V("setp", "setp_lt p0, v0, v1\nmov r0, v0\n(p0) mov r0, v1\nmov o0, r0", (5, 2, 7, 4),
      (1, 2, 3, 4), (5, 1, 7, 4)),
    V("setp", "setp_lt p0, v0, v1\nmov r0, v0\n(!p0.x) mov r0, v2\nmov o0, r0", (1, 2, 3, 4),
      (1, 2, 3, 4), (5, 1, 7, 4), 9.0),
    V("call", "mov r0, v0\ncall l1\nmov o0, r0\nret\nlabel l1\nadd r0, r0, v1\nret", 3, 1.0, 2.0),
    V("callnz", "mov r0, v0\ncallnz l1, b0\nmov o0, r0\nret\nlabel l1\nadd r0, r0, v1\nret", 1, 1.0, 2.0),
    V("ret", "mov o0, v0\nif_gt v1.x, v0.x\nret\nendif\nmov o0, v2", 1, 1.0, 2.0, 3.0),
]  # fmt: skip
PIXEL = [
    V("cmp", "cmp oC0, t0, t1, t2", (5, 2, 7, 4), (1, -1, 0, nan), (5, 6, 7, 8), (1, 2, 3, 4)),
    V("dp2add", "dp2add oC0, t0, t1, t2.x", 18, (1, 2, 3, 4), (5, 6, 7, 8), (1, 2, 3, 4)),
    V("dsx", "dsx oC0, t0", 0, 3.0),
    V("dsy", "dsy oC0, t0", 0, 3.0),
]
CONSTANTS = np.arange(1, 17, dtype=np.float32).reshape(4, 4)
COVERED_ELSEWHERE = {  # test_textures.py, test_addressing.py, or no operation
    "nop", "dcl", "label", "else", "endif", "endloop", "endrep", "texcoord", "texkill", "tex",
    "texldd", "texldl", "cnd", "phase", "texbem", "texbeml", "texreg2ar", "texreg2gb",
    "texm3x2pad", "texm3x2tex", "texm3x3pad", "texm3x3tex", "texm3x3spec", "texm3x3vspec",
    "texreg2rgb", "texdp3tex", "texm3x2depth", "texdp3", "texm3x3", "texdepth", "bem",
}  # fmt: skip


def row(value: Value) -> np.ndarray[Any, Any]:
    return np.broadcast_to(np.array(value, np.float32), (1, 4))


@pytest.mark.parametrize("one", VECTORS, ids=lambda one: one.name)
def test_vertex(one: Vector) -> None:
    shader = unshade.assemble(HEAD + one.code, "d3d9")
    assert not [each for each in shader.verify() if each.code != "d3d9.version"]
    inputs = {"POSITION": row(one.v0), "TEXCOORD": row(one.v1), "TEXCOORD1": row(one.v2)}
    bound: dict[str, Any] = {}
    results = []
    for engine in ENGINES:
        kernel = unshade.kernel(shader, engine=engine)
        names = [each.name for each in kernel.bindings]
        if "c" in names:
            bound["c"] = (
                np.vstack([CONSTANTS, np.zeros((252, 4), np.float32)]).view(np.uint8).ravel()
            )
        if "b" in names:
            bound["b"] = np.zeros(16 * 16, np.uint8)
        given = {name: inputs[name] for name in inputs if name in _semantics(kernel)}
        results.append(kernel.transform(given or 1, bound)["POSITION"][0])
    np.testing.assert_allclose(results[0], row(one.wanted)[0], rtol=2e-6, atol=1e-7)
    for other in results[1:]:
        assert other.tobytes() == results[0].tobytes()


def _semantics(kernel: Any) -> set[str]:
    """Return the labels of the inputs that the code reads."""
    return {f"{each.semantic}{each.index or ''}" for each in kernel.reflection.inputs if each.used}


@pytest.mark.parametrize("one", PIXEL, ids=lambda one: one.name)
def test_pixel(one: Vector) -> None:
    head = "ps_2_x\ndcl t0\ndcl t1\ndcl t2\n"
    shader = unshade.assemble(head + one.code, "d3d9")
    assert not shader.verify()
    results = []
    for engine in ENGINES:
        kernel = unshade.kernel(shader, engine=engine)
        values = {"TEXCOORD": row(one.v0), "TEXCOORD1": row(one.v1), "TEXCOORD2": row(one.v2)}
        given = {name: values[name] for name in values if name in _semantics(kernel)}
        results.append(kernel.shade(given)["COLOR"][0])
    np.testing.assert_allclose(results[0], row(one.wanted)[0], rtol=2e-6)
    for other in results[1:]:
        assert other.tobytes() == results[0].tobytes()


def test_every_operation_has_a_vector() -> None:
    names = {op.name for op in OPS}
    assert {one.name for one in VECTORS + PIXEL} == names - COVERED_ELSEWHERE
    assert names >= COVERED_ELSEWHERE


def run(text: str, inputs: dict[str, Any], **bound: Any) -> list[float]:
    """Return the first output of a program; both engines must agree in every bit."""
    shader = unshade.assemble(text, "d3d9")
    results = []
    for engine in ENGINES:
        kernel = unshade.kernel(shader, engine=engine)
        call: Any = kernel.transform if kernel.stage == "vertex" else kernel.shade
        given = {name: row(each) for name, each in inputs.items()}
        found = call(given, bound) if kernel.stage == "vertex" else call(given, None, bound)
        results.append(np.asarray(next(iter(found.values()))).reshape(-1, 4)[0])
    for other in results[1:]:
        assert other.tobytes() == results[0].tobytes()
    return [float(each) for each in results[0]]


@pytest.mark.parametrize(
    ("index", "wanted"),
    [(0, (1, 1, 1, 1)), (1, (2, 2, 2, 2)), (2, (12,) * 4), (3, (13,) * 4), (10, (5, 6, 7, 8))],
)
def test_an_index_finds_constants_of_the_code(index: int, wanted: tuple[float, ...]) -> None:
    """The array of a source that is constant is defined in the code and read with an index."""
    text = (
        "vs_2_0\ndef c10, 1, 1, 1, 1\ndef c11, 2, 2, 2, 2\ndef c20, 5, 6, 7, 8\n"
        "dcl_position v0\nmova a0.x, v0.x\nmov oPos, c10[a0.x]"
    )
    rows = np.arange(256, dtype=np.float32)[:, None].repeat(4, 1)
    assert run(text, {"POSITION": (index, 0, 0, 0)}, c=rows) == list(wanted)
    bank = unshade.assemble(text, "d3d9").programs[0].facts().banks[0]
    assert bank.relative_from == 10


def test_an_index_selects_inputs_and_outputs() -> None:
    text = (
        "ps_3_0\ndef c0, 0, 0, 0, 0\ndefi i0, 2, 1, 1, 0\ndcl_texcoord v0\ndcl_texcoord1 v1\n"
        "dcl_texcoord2 v2\nmov r0, c0\nloop aL, i0\nadd r0, r0, v0[aL]\nendloop\nmov oC0, r0"
    )
    inputs = {"TEXCOORD": (1, 1, 1, 1), "TEXCOORD1": (2, 4, 6, 8), "TEXCOORD2": (10, 20, 30, 40)}
    assert run(text, inputs) == [12, 24, 36, 48]
    assert [each.used for each in unshade.assemble(text, "d3d9").reflect().inputs] == ["xyzw"] * 3
    text = (
        "vs_3_0\ndefi i0, 1, 1, 1, 0\ndef c0, 9, 8, 7, 6\ndcl_position v0\ndcl_texcoord o0\n"
        "dcl_position o1\nmov o0, v0\nmov o1, v0\nloop aL, i0\nmov o0[aL], c0\nendloop"
    )
    shader = unshade.assemble(text, "d3d9")
    for engine in ENGINES:
        found = unshade.kernel(shader, engine=engine).transform({"POSITION": row((1, 2, 3, 4))})
        assert found["POSITION"].tolist() == [[9, 8, 7, 6]]
        assert found["TEXCOORD"].tolist() == [[1, 2, 3, 4]]


def test_a_pair_reads_before_it_writes() -> None:
    text = "ps_1_1\ndef c0, 1, 0.5, 0.25, 0.125\nmov r0, v0\nmul r0.rgb, r0, c0\n+ mov r0.a, r0.b"
    colour = {"COLOR": (0.125, 0.25, 0.5, 1)}
    assert run(text, colour) == [0.125, 0.125, 0.125, 0.5]
    assert run(text.replace("+ ", ""), colour) == [0.125] * 4


def test_colours_of_old_versions_are_limited() -> None:
    """The stages pass colours from 0 to 1 before vs_3_0 and ps_2_0; NaN becomes 0."""
    given = {"COLOR": (2, 0.5, -1, np.nan)}
    assert run("ps_1_4\nmov r0, v0", given) == [1, 0.5, 0, 0]
    assert run("ps_2_0\ndcl v0\nmov oC0, v0", given)[:3] == [2, 0.5, -1]
    for version, wanted in (("vs_1_1", [1, 0.5, 0, 0]), ("vs_2_0", [1, 0.5, 0, 0])):
        text = f"{version}\ndcl_color v0\nmov oD0, v0"
        assert run(text, given) == wanted
    text = "vs_3_0\ndcl_color v0\ndcl_color o0\nmov o0, v0"
    assert run(text, given)[:3] == [2, 0.5, -1]
