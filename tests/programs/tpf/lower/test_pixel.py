"""Pixels and vertices: inputs, outputs, system values, quads, discard.

Pixels form quads: lanes 0 and 1 in the first row, 2 and 3 in the second. Source of the rules:
Direct3D 11.3 functional specification, sections 22.5, 22.4.21 to 22.4.25, 16 and 23.
"""

import numpy as np
import pytest

from tests.programs.tpf.lower.cases import Case
from tests.programs.tpf.lower.support import GUARD, Image, Words, program, words

ALL = 0xFFFF_FFFF
QUAD = words(1.0, 3.0, 10.0, 100.0)


def pixel(
    body: str,
    *declarations: str,
    profile: str = "ps_5_0",
    inputs: str = "dcl_input_ps linear v1.xy",
    output: str = "dcl_output o0.x",
) -> str:
    lines = [profile, *declarations, *inputs.splitlines(), *output.splitlines(), "dcl_temps 4"]
    return "\n".join(line.strip() for line in [*lines, *body.splitlines(), "ret", ""])


def slopes(name: str, x: list[float], y: list[float]) -> dict[str, Words]:
    """Return the derivatives of an input of four lanes, as a caller supplies them."""
    return {f"{name}.ddx": words(*x), f"{name}.ddy": words(*y)}


def perspective(x: float, y: float) -> dict[str, Words]:
    """Return the derivatives of 1/w, divided by 1/w."""
    return slopes("perspective", [x] * 4, [y] * 4)


MOVED_BY_SEVEN = [each + float(np.float32(7) / np.float32(1 + 7 / 16)) for each in (0, 16, 0, 16)]


def derivative(name: str, wanted: list[float]) -> Case:
    return Case(
        name, {name}, pixel(f"{name} o0.x, v1.x"),
        inputs={"v1.x": QUAD, "v1.y": QUAD}, outputs={"o0.x": words(*wanted)},
    )  # fmt: skip


MULTISAMPLED = "dcl_resource_texture2dms(4) (float,float,float,float) t0"
FOUR_SAMPLES = {"t0": Image([np.arange(4 * 4, dtype=np.float32)], (1, 1, 1), samples=4)}

CASES = [
    derivative("deriv_rtx", [2.0, 2.0, 90.0, 90.0]),
    derivative("deriv_rty", [9.0, 97.0, 9.0, 97.0]),
    derivative("deriv_rtx_coarse", [2.0, 2.0, 2.0, 2.0]),
    derivative("deriv_rty_coarse", [9.0, 9.0, 9.0, 9.0]),
    derivative("deriv_rtx_fine", [2.0, 2.0, 90.0, 90.0]),
    derivative("deriv_rty_fine", [9.0, 97.0, 9.0, 97.0]),
    Case(
        "derivatives of modified sources", {"deriv_rtx_coarse"},
        pixel("deriv_rtx_coarse_sat o0.x, -|v1.x|\nderiv_rty_fine o0.y, -v1.x",
              output="dcl_output o0.xy"),
        inputs={"v1.x": QUAD, "v1.y": QUAD},
        outputs={"o0.x": words(0.0, 0.0, 0.0, 0.0), "o0.y": words(-9.0, -97.0, -9.0, -97.0)},
    ),
    Case(
        "discard", {"discard"},
        pixel("""mov o0.x, l(7)
                 discard_nz v1.x
                 mov o0.y, l(8)
                 discard_z v1.y
                 mov o0.z, l(9)""", output="dcl_output o0.xyz"),
        inputs={"v1.x": words(0, 1, 0, 0), "v1.y": words(1, 1, 0, 1)},
        outputs={"covered": words(1, GUARD, GUARD, 1)},
    ),
    Case(
        "a discarded lane still helps", {"discard", "deriv_rtx_coarse"},
        pixel("discard_nz v1.y\nderiv_rtx_coarse o0.x, v1.x"),
        inputs={"v1.x": QUAD, "v1.y": words(1, 0, 0, 0)},
        outputs={"covered": words(GUARD, 1, 1, 1), "o0.x": words(GUARD, 2.0, 2.0, 2.0)},
    ),
    Case(
        "discarded lanes and helpers write nothing", {"store_raw", "imm_atomic_iadd", "discard"},
        pixel("""discard_nz v1.x
                 ishl r0.x, v1.y, l(2)
                 store_raw u1.x, r0.x, l(5)
                 imm_atomic_iadd r0.y, u1, l(16), l(1)
                 mov o0.x, l(1)""", "dcl_uav_raw u1"),
        {"u1": words(0, 0, 0, 0, 0)}, {"u1": words(5, 0, 5, 0, 2)},
        inputs={"v1.x": words(0, 1, 0, 0), "v1.y": words(0, 1, 2, 3)},
        outputs={"o0.x": words(1, GUARD, 1, GUARD)}, helpers=[0, 0, 0, 1],
    ),
    Case(
        "outputs of all kinds", {"mov", "dcl_output"},
        pixel("""mov o0.xyzw, v1.xxxx
                 mov o1.y, v1.y
                 mov oDepth, l(0.25)
                 mov oMask, l(3)""",
              output="dcl_output o0.xyzw\ndcl_output o1.xy\ndcl_output oDepth\ndcl_output oMask"),
        inputs={"v1.x": words(1, 2, 3, 4), "v1.y": words(5, 6, 7, 8)},
        outputs={"o0.w": words(1, 2, 3, 4), "o1.y": words(5, 6, 7, 8),
                 "oDepth": words(0.25, 0.25, 0.25, 0.25), "oMask": words(3, 3, 3, 3)},
    ),
    Case(
        "conservative depth", {"mov"},
        pixel("mov oDepthGE, v1.x\nmov oStencilRef, l(9)",
              output="dcl_output oDepthGE\ndcl_output oStencilRef"),
        inputs={"v1.x": words(1, 2, 3, 4), "v1.y": words(5, 6, 7, 8)},
        outputs={"oDepthGE": words(1, 2, 3, 4), "oStencilRef": words(9, 9, 9, 9)},
    ),
    Case(
        "the other conservative depth", {"mov"},
        pixel("mov oDepthLE, v1.x", output="dcl_output oDepthLE"),
        inputs={"v1.x": words(1, 2, 3, 4), "v1.y": words(5, 6, 7, 8)},
        outputs={"oDepthLE": words(1, 2, 3, 4)},
    ),
    Case(
        "inputs that the pipeline makes", {"dcl_input", "dcl_input_ps_sgv", "dcl_input_ps_siv"},
        pixel("""movc o0.x, v3.x, l(1.0), l(-1.0)
                 add o0.y, v2.x, v2.y
                 utof r0.x, vPrim
                 utof r0.y, v4.x
                 mad o0.z, r0.x, l(10.0), r0.y
                 mov o0.w, vCoverage.x""",
              inputs="""dcl_input_ps_siv linear noperspective v2.xy, position
                        dcl_input_ps_sgv constant v3.x, is_front_face
                        dcl_input_ps_sgv constant v4.x, sampleIndex
                        dcl_input vPrim
                        dcl_input vCoverage.x""",
              output="dcl_output o0.xyzw"),
        inputs={"v2.x": words(0.5, 1.5, 0.5, 1.5), "v2.y": words(0.5, 0.5, 1.5, 1.5),
                "v3.x": words(ALL, 0, ALL, 0), "v4.x": words(0, 0, 0, 0),
                "vPrim": words(7, 7, 8, 8), "vCoverage": words(1, 1, 0, 1)},
        outputs={"o0.x": words(1.0, -1.0, 1.0, -1.0), "o0.y": words(1.0, 2.0, 2.0, 3.0),
                 "o0.z": words(70.0, 70.0, 80.0, 80.0), "o0.w": words(1, 1, 0, 1)},
    ),
    Case(
        "inputs by a register", {"mov", "dcl_indexrange"},
        pixel("ftou r0.x, v3.x\nmov o0.x, v[r0.x + 1].y",
              inputs="dcl_input_ps linear v1.xy\ndcl_input_ps linear v2.xy\n"
              "dcl_input_ps constant v3.x\ndcl_indexrange v1.xy 2"),
        inputs={"v1.x": words(0, 0, 0, 0), "v1.y": words(1, 2, 3, 4), "v2.x": words(0, 0, 0, 0),
                "v2.y": words(5, 6, 7, 8), "v3.x": words(0.0, 1.0, 1.0, 0.0)},
        outputs={"o0.x": words(1, 6, 7, 4)},
    ),
    Case(
        "outputs by a register", {"mov"},
        pixel("ftou r0.x, v1.x\nmov o1.y, l(3)\nmov o[r0.x + 0].x, l(7)\n"
              "if_nz v1.y\n  mov o1.x, l(5)\n  ret\nendif",
              output="dcl_output o0.xy\ndcl_output o1.xy\ndcl_indexrange o0.xy 2"),
        inputs={"v1.x": words(0.0, 1.0, 1.0, 0.0), "v1.y": words(0, 0, 1, 1)},
        outputs={"o0.x": words(7, 0, 0, 7), "o1.x": words(0, 7, 5, 5), "o1.y": words(3, 3, 3, 3)},
    ),
    Case(
        "inputs at another place", {"eval_snapped", "eval_centroid", "eval_sample_index"},
        pixel("""eval_snapped o0.x, v1.x, l(8, 0, 0, 0)
                 eval_snapped o0.y, v1.x, l(4, -4, 0, 0)
                 eval_snapped o0.z, v2.x, l(4, 4, 0, 0)
                 eval_snapped o0.w, v1.y, l(23, 0, 0, 0)
                 eval_centroid o1.x, v1.x
                 eval_sample_index o1.y, v1.y, l(0)""",
              inputs="dcl_input_ps linear v1.xy\ndcl_input_ps constant v2.x",
              output="dcl_output o0.xyzw\ndcl_output o1.xy"),
        {"rasterizer": words(1)},
        inputs={"v1.x": words(0.0, 16.0, 32.0, 48.0), "v1.y": words(0.0, 16.0, 0.0, 16.0),
                "v2.x": words(5.0, 5.0, 5.0, 5.0), "centroid.x": words(*[0.25] * 4),
                "centroid.y": words(*[-0.25] * 4), **slopes("v1.x", [16.0] * 4, [32.0] * 4),
                **slopes("v1.y", [16.0] * 4, [0.0] * 4), **perspective(1.0, -3.0)},
        # (0.5 left): (-8) / (1 - 0.5); (0.25, -0.25): (4 - 8) / (1 + 0.25 + 0.75)
        outputs={"o0.x": words(-16.0, 0.0, 16.0, 32.0), "o0.y": words(-2.0, 14.0, 30.0, 46.0),
                 "o0.z": words(5.0, 5.0, 5.0, 5.0), "o0.w": words(*MOVED_BY_SEVEN),
                 "o1.x": words(-2.0, 14.0, 30.0, 46.0), "o1.y": words(0.0, 16.0, 0.0, 16.0)},
    ),
    Case(
        "another place of an input by a register", {"eval_snapped", "eval_centroid"},
        pixel("""ftou r0.x, v3.x
                 eval_snapped o0.x, v[r0.x + 1].y, l(4, 0, 0, 0)
                 eval_snapped o0.y, v[r0.x + 2].y, l(0, 4, 0, 0)
                 eval_snapped o0.z, v2.y, l(4, 0, 0, 0)
                 eval_centroid o0.w, v[r0.x + 1].y""",
              inputs="dcl_input_ps linear v1.xy\ndcl_input_ps linear noperspective v2.xy\n"
              "dcl_input_ps constant v3.x\ndcl_indexrange v1.xy 2",
              output="dcl_output o0.xyzw"),
        inputs={"v1.x": words(0, 0, 0, 0), "v1.y": words(1.0, 2.0, 3.0, 4.0),
                "v2.x": words(0, 0, 0, 0), "v2.y": words(10.0, 20.0, 50.0, 70.0),
                "v3.x": words(0.0, 1.0, 1.0, 0.0), "centroid.x": words(*[0.0] * 4),
                "centroid.y": words(*[0.0] * 4), **slopes("v1.x", [0.0] * 4, [0.0] * 4),
                **slopes("v1.y", [1.0] * 4, [2.0] * 4), **slopes("v2.x", [0.0] * 4, [0.0] * 4),
                **slopes("v2.y", [10.0, 10.0, 20.0, 20.0], [40.0, 50.0, 40.0, 50.0]),
                **perspective(-2.0, 1.0)},
        outputs={"o0.x": words(1.5, 22.5, 55.0, 4.5), "o0.y": words(20.0, 0, 0, 82.5),
                 "o0.z": words(12.5, 22.5, 55.0, 75.0), "o0.w": words(1.0, 20.0, 50.0, 4.0)},
    ),
    Case(
        "another place of inputs that are not declared", {"eval_snapped"},
        pixel("""mov o0.xyzw, v3.x
                 eval_snapped o0.x, v[r0.x + 4].y, l(4, 0, 0, 0)""",
              inputs="dcl_input_ps constant v3.x", output="dcl_output o0.xyzw"),
        inputs={"v3.x": words(1.0, 2.0, 3.0, 4.0)},
        outputs={"o0.x": words(0, 0, 0, 0), "o0.y": words(1.0, 2.0, 3.0, 4.0)},
    ),
    Case(
        "a place of the pixel, where lanes have parted", {"eval_snapped"},
        pixel("if_nz v2.x\n  eval_snapped o0.x, v1.x, l(4, 0, 0, 0)\nelse\n  mov o0.x, l(9)\nendif",
              inputs="dcl_input_ps linear v1.xy\ndcl_input_ps constant v2.x"),
        inputs={"v1.x": words(0.0, 16.0, 32.0, 48.0), "v1.y": words(0, 0, 0, 0),
                "v2.x": words(1, 0, 0, 0), **slopes("v1.x", [16.0] * 4, [32.0] * 4),
                **perspective(0.0, 0.0)},
        outputs={"o0.x": words(4.0, 9, 9, 9)},
    ),
    Case(
        "samples of a texture", {"sampleinfo", "samplepos", "ldms"},
        pixel("""sampleinfo_uint o0.x, t0.xyzw
                 sampleinfo o0.y, t0.yxzw
                 mov r1.xyzw, l(0, 0, 0, 0)
                 samplepos o0.zw, t0.zwxy, l(1)
                 ldms r0.x, r1.xyzw, t0.xyzw, l(3)
                 mov o1.x, r0.x
                 samplepos o1.yz, t0.xxyw, l(4)
                 ldms r0.x, r1.xyzw, t0.xyzw, l(4)
                 mov o1.w, r0.x""", MULTISAMPLED,
              output="dcl_output o0.xyzw\ndcl_output o1.xyzw"),
        images=FOUR_SAMPLES,
        inputs={"v1.x": QUAD, "v1.y": QUAD},
        outputs={"o0.x": words(4, 4, 4, 4), "o0.y": words(*[4.0] * 4),
                 "o0.z": words(*[0.375] * 4), "o0.w": words(*[-0.125] * 4),
                 "o1.x": words(*[12.0] * 4), "o1.y": words(*[0.0] * 4),
                 "o1.z": words(*[0.0] * 4), "o1.w": words(*[0.0] * 4)},
    ),
    Case(
        "samples of the target", {"sampleinfo", "samplepos"},
        pixel("""sampleinfo o0.xy, rasterizer.xyzw
                 sampleinfo_uint o0.zw, rasterizer.zzyx
                 samplepos o1.xyzw, rasterizer.yxzw, l(3)
                 samplepos o2.xy, rasterizer.xyzw, l(4)""",
              output="dcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_output o2.xy"),
        {"rasterizer": words(4)}, inputs={"v1.x": QUAD, "v1.y": QUAD},
        outputs={"o0.x": words(*[4.0] * 4), "o0.y": words(*[0.0] * 4), "o0.z": words(*[0] * 4),
                 "o0.w": words(*[4] * 4), "o1.x": words(*[0.375] * 4),
                 "o1.y": words(*[0.125] * 4), "o1.z": words(*[0.0] * 4),
                 "o1.w": words(*[0.0] * 4), "o2.x": words(*[0.0] * 4),
                 "o2.y": words(*[0.0] * 4)},
    ),
    Case(
        "inputs at sample positions", {"eval_sample_index"},
        pixel("""eval_sample_index o0.x, v1.x, l(0)
                 eval_sample_index o0.y, v1.x, l(1)
                 eval_sample_index o0.z, v1.x, l(2)
                 eval_sample_index o0.w, v2.x, l(1)""",
              inputs="dcl_input_ps linear v1.xy\ndcl_input_ps constant v2.x",
              output="dcl_output o0.xyzw"),
        {"rasterizer": words(2)},  # (4, 4) and (-4, -4) sixteenths from the middle
        inputs={"v1.x": words(0.0, 16.0, 32.0, 48.0), "v1.y": QUAD,
                "v2.x": words(5.0, 5.0, 5.0, 5.0), **slopes("v1.x", [16.0] * 4, [32.0] * 4),
                **perspective(1.0, 1.0)},
        # 12 / 1.5 and -12 / 0.5
        outputs={"o0.x": words(8.0, 24.0, 40.0, 56.0), "o0.y": words(-24.0, -8.0, 8.0, 24.0),
                 "o0.z": words(0.0, 16.0, 32.0, 48.0), "o0.w": words(*[5.0] * 4)},
    ),
    Case(
        "the only sample stands in the middle", {"eval_sample_index"},
        pixel("eval_sample_index o0.x, v1.x, l(0)"), {"rasterizer": words(1)},
        inputs={"v1.x": words(0.0, 16.0, float("inf"), float("nan")), "v1.y": QUAD,
                **slopes("v1.x", [1.0, 1.0, float("nan"), float("nan")], [1.0] * 4),
                **perspective(0.5, 0.5)},
        outputs={"o0.x": words(0.0, 16.0, float("inf"), float("nan"))},
    ),
    Case(
        "a vertex", {"dp4", "utof", "dcl_input_sgv", "dcl_output_siv", "dcl_output_sgv"},
        """vs_4_0
        dcl_constantbuffer CB0[1], immediateIndexed
        dcl_input v0.xyzw
        dcl_input_sgv v1.x, vertex_id
        dcl_output_siv o0.x, position
        dcl_output o1.xy
        dcl_output_sgv o2.x, primitive_id
        dp4 o0.x, v0.xyzw, cb0[0].xyzw
        utof o1.x, v1.x
        mov o1.y, v0.w
        mov o2.x, l(3)
        ret
        """,
        {"cb0": words(1.0, 2.0, 3.0, 4.0)},
        inputs={"v0.x": words(1.0, 0.0, 0.0), "v0.y": words(0.0, 1.0, 0.0),
                "v0.z": words(0.0, 0.0, 1.0), "v0.w": words(1.0, 1.0, 1.0),
                "v1.x": words(0, 1, 2)},
        outputs={"o0.x": words(5.0, 6.0, 7.0), "o1.x": words(0.0, 1.0, 2.0),
                 "o1.y": words(1.0, 1.0, 1.0), "o2.x": words(3, 3, 3)},
    ),
    Case(
        "registers of less precision have 32 bits", {"add"},
        pixel("add o0.x {min16f}, v1.x {min16f}, v1.y {min16f}"),
        inputs={"v1.x": words(1.0, 1.0, 1e9, 1.0), "v1.y": words(2.0**-20, 1.0, 1.0, 1e-7)},
        outputs={"o0.x": words(1.0 + 2.0**-20, 2.0, 1e9, 1.0000001)},
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    case.check()


def test_meanings() -> None:
    """Ports say in the words of the neutral model what the pipeline means by them."""
    text = pixel(
        "mov o0.x, l(0)\nmov oDepth, l(0)",
        inputs="""dcl_input_ps_siv linear noperspective v0.xy, position
        dcl_input_ps_siv constant v1.x, rendertarget_array_index
        dcl_input_ps_sgv constant v2.x, sampleIndex
        dcl_input_ps linear centroid v3.x
        dcl_input vPrim""",
        output="dcl_output o0.x\ndcl_output oDepth",
    )
    kernel = program(text).lower().kernel
    assert [(each.name, each.meaning, each.interpolation) for each in kernel.inputs] == [
        ("v0.x", "position", "linear_noperspective"),
        ("v0.y", "position", "linear_noperspective"),
        ("v1.x", "render_target_array_index", "constant"),
        ("v2.x", "sample_index", "constant"),
        ("v3.x", None, "linear_centroid"),
        ("vPrim", "primitive_id", None),
    ]
    assert [(each.name, each.meaning) for each in kernel.outputs] == [
        ("o0.x", None), ("oDepth", "depth")
    ]  # fmt: skip
