"""Textures, inputs and outputs of shaders that ask for what is not there, by numbers that are none.

Source: Direct3D 11.3 functional specification, sections 7.18 (texture sampling) and 22.4.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.hostile.running import compute, kernels, refusal
from tests.sampling import products
from unshade.errors import UnsupportedError, UsageError
from unshade.run import Sampler, Texture
from unshade.vm.launch import Array

NAN = float("nan")
INFINITY = float("inf")
OUTSIDE = ("64", "0x3fffffff", "0x40000000", "0x7fffffff", "0x80000000", "0xfffffffe", "-1")

# ---------------------------------------------------------------- textures

ODD = (NAN, INFINITY, -INFINITY, 3.4e38, -3.4e38, 1e-45, -0.0, 4294967296.0)
SAMPLES = (
    "sample_l r0.xyzw, v1.xyzw, {t}, s0, l(0.0)",
    "sample_l r0.xyzw, l(0.5, 0.5, 0.5, 0.5), {t}, s0, v1.x",
    "sample_b r0.xyzw, l(0.5, 0.5, 0.5, 0.5), {t}, s0, v1.x",
    "sample_d r0.xyzw, l(0.5, 0.5, 0.5, 0.5), {t}, s0, v1.xyzw, v1.yxzw",
    "sample r0.xyzw, v1.xyzw, {t}, s0",
    "sample r0.xyzw, v1.xyzw, {t}, s0\nlod r1.xyzw, v1.xyzw, {t}, s0",
)


@pytest.mark.parametrize(
    ("shape", "address"),
    products(
        ("1d", "2d", "3d", "cube", "2darray", "cubearray"),
        ("wrap", "mirror", "clamp", "border", "mirror_once"),
    ),
)
def test_nan_and_infinite_coordinates(shape: str, address: str) -> None:
    """Whatever they are, what comes is made of texels: from 1 to 2, or the border's 0."""
    sizes = {"1d": (4,), "2d": (4, 4), "3d": (4, 4, 4), "cube": (6, 4, 4), "2darray": (3, 4, 4),
             "cubearray": (12, 4, 4)}[shape]  # fmt: skip
    texels = np.linspace(1.0, 2.0, int(np.prod(sizes)), dtype=np.float32).reshape(*sizes, 1)
    rows = [[a, b, c, d] for a in ODD for b in (*ODD, 0.5) for c, d in ((0.5, 0.5), (b, a))]
    lanes = np.array(rows, np.float32)
    for code in SAMPLES:
        text = f"""ps_5_0
dcl_sampler s0, mode_default
dcl_resource_texture{shape} (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 2
{code.format(t="t0.xyzw")}
mov o0.xyzw, r0.xyzw
ret
"""
        found = []
        for kernel in kernels(text):
            given = {"t0": Texture(texels, mips=True), "s0": Sampler("linear", address)}
            row = next(iter(kernel.outputs)).label
            inputs = {next(iter(kernel.inputs)).label: lanes}
            found.append(np.asarray(kernel.shade(inputs, **given)[row]))
        assert all((each.view("<u4") == found[0].view("<u4")).all() for each in found)
        red = found[0][:, 0]
        assert not np.isnan(red).any()
        assert ((red >= 0.0) & (red <= 2.0001)).all()
        if address != "border":
            assert (red >= 0.9999).all()


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0, 0), (4, 4, 0)])
def test_textures_without_texels(shape: tuple[int, ...]) -> None:
    text = compute("ld r0.xyzw, l(0, 0, 0, 0), t0.xyzw",
                   "dcl_resource_texture2d (float,float,float,float) t0")  # fmt: skip
    assert "expected an array (height, width[, 1 to 4])" in refusal(
        UsageError, text, t0=np.zeros(shape, np.float32)
    )


@pytest.mark.parametrize(
    ("kind", "code", "shape"),
    [
        ("texturecube", "ld r0.x, l(0, 0, 0, 0), t0.xyzw", "cube"),
        ("texturecubearray", "ld r0.x, l(0, 0, 0, 0), t0.xyzw", "cube"),
        ("texture2dms(4)", "ld r0.x, l(0, 0, 0, 0), t0.xyzw", "multisampled 2d"),
        ("texture2d", "ldms r0.x, l(0, 0, 0, 0), t0.xyzw, l(0)", "2d"),
        ("texture1d", "gather4 r0.x, l(0, 0, 0, 0), t0.xyzw, s0.x", "1d"),
        ("texture3d", "gather4 r0.x, l(0, 0, 0, 0), t0.xyzw, s0.x", "3d"),
        ("texture2dms(4)", "sample_l r0.x, l(0, 0, 0, 0), t0.xyzw, s0, l(0)", "multisampled 2d"),
    ],
)
def test_textures_of_the_wrong_shape(kind: str, code: str, shape: str) -> None:
    declared = f"dcl_sampler s0, mode_default\ndcl_resource_{kind} (float,float,float,float) t0"
    name = code.partition(" ")[0]
    with pytest.raises(UnsupportedError, match=f"{name} cannot read t0, which is {shape}"):
        kernels(compute(code, declared))


def test_nan_and_infinite_mip_levels() -> None:
    """Signalling NaN and sums beyond the end: the means are made without a word."""
    texels = np.array([0x7F80_0001, 0x7F7F_FFFF, 0x7F7F_FFFF, 0xFF80_0000], np.uint32)
    text = compute("ld r0.xyzw, l(0, 0, 0, 1), t0.xyzw\nstore_raw u0.x, l(0), r0.x",
                   "dcl_resource_texture1d (float,float,float,float) t0")  # fmt: skip
    for kernel in kernels(text):
        u0 = np.zeros(1, np.uint32)
        kernel.dispatch(1, u0=u0, t0=Texture(texels.view(np.float32), mips=True))
        assert u0.tolist() == [0x7FC0_0000]


# ---------------------------------------------------------------- inputs and outputs


def pixel(body: str) -> list[Array]:
    """Return o0 of three pixels, computed by each engine."""
    text = "\n".join((
        "ps_5_0", "dcl_input_ps linear v1.xyzw", "dcl_output o0.xyzw", "dcl_temps 2", body,
        "ret", "",
    ))  # fmt: skip
    lanes = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [NAN, INFINITY, -1, 0]], np.float32)
    found = []
    for kernel in kernels(text):
        row = next(iter(kernel.outputs)).label
        found.append(np.asarray(kernel.shade({next(iter(kernel.inputs)).label: lanes})[row]))
    return found


@pytest.mark.parametrize("place", OUTSIDE)
def test_inputs_and_outputs_by_number(place: str) -> None:
    body = f"""
        mov r0.x, l({place})
        mov o0.xyzw, l(1, 1, 1, 1)
        mov r1.xyzw, v[r0.x + 0].xyzw
        mov o[r0.x + 0].xyzw, l(7, 7, 7, 7)
        mov o0.yz, r1.xxyx"""
    for found in pixel(body):
        assert found.view("<u4").tolist() == [[1, 0, 0, 1]] * 3


def test_a_thread_id_in_a_pixel_shader() -> None:
    with pytest.raises(UnsupportedError, match="vThreadID does not exist in pixel shaders"):
        pixel("mov o0.xyzw, vThreadID.xyzx")


@pytest.mark.parametrize(
    ("code", "register"),
    [
        ("mov o0.x, l(1)", "o"),
        ("mov oDepth, l(1)", "oDepth"),
        ("dcl_input v0.xy", "v"),
        ("dcl_input vCoverage", "vCoverage"),
    ],
)
def test_ports_are_undeclared_in_a_compute_shader(code: str, register: str) -> None:
    with pytest.raises(UnsupportedError, match=f"^{register} does not exist in compute shaders"):
        kernels(compute(code))


@pytest.mark.parametrize(
    ("profile", "code", "stage"),
    [
        ("cs_5_0", "deriv_rtx r0.x, r0.x", "compute"),
        ("vs_5_0", "discard_nz r0.x", "vertex"),
        ("vs_5_0", "eval_centroid r0.x, v0.x", "vertex"),
        ("ps_5_0", "dcl_tgsm_raw g0, 16", "pixel"),
        ("ps_5_0", "emit", "pixel"),
    ],
)
def test_instructions_of_other_stages(profile: str, code: str, stage: str) -> None:
    group = "dcl_thread_group 1, 1, 1\n" if profile == "cs_5_0" else ""
    name = code.split(maxsplit=1)[0].removesuffix("_nz")
    with pytest.raises(UnsupportedError, match=f"{name} does not exist in {stage} shaders"):
        kernels(f"{profile}\ndcl_temps 1\n{group}{code}\nret\n")


def test_evaluation_of_a_register_that_is_not_an_input() -> None:
    with pytest.raises(UnsupportedError, match="expected an input to evaluate, got "):
        pixel("eval_snapped r0.x, l(1.0), l(0)\nmov o0.xyzw, r0.xxxx")


def test_derivatives_in_divergent_code() -> None:
    """The neighbour is not there: its difference is 0, whatever it holds."""
    body = """
        if_nz v1.w
        deriv_rtx_fine r0.x, v1.x
        deriv_rty_coarse r0.y, v1.y
        endif
        mov o0.xyzw, r0.xyxy"""
    for found in pixel(body):
        assert found.tolist() == [[0, 0, 0, 0]] * 3


def test_every_pixel_discarded() -> None:
    text = "ps_5_0\ndcl_output o0.xyzw\ndiscard_z l(0)\nmov o0.xyzw, l(1, 1, 1, 1)\nret\n"
    for kernel in kernels(text):
        result = kernel.shade((5, 3))
        assert not result["covered"].any()
        assert not np.asarray(result[next(iter(kernel.outputs)).label]).any()
        assert kernel.report is not None
        assert kernel.report.discarded == 15
