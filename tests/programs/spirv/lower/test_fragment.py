"""Fragment shaders: inputs, outputs, built-ins, derivatives, and discarded invocations."""

from typing import Any

import numpy as np
import pytest

from unshade import UsageError, kernel
from unshade.run.kernels import Kernel

from .graphics import fragment, same_everywhere

UV = """%p_uv = OpTypePointer Input %v2float
%uv = OpVariable %p_uv Input
"""
AT_1 = 'OpName %uv "uv"\nOpDecorate %uv Location 1'
COORD = """%p_coord = OpTypePointer Input %v4float
%coord = OpVariable %p_coord Input
"""
IS_COORD = "OpDecorate %coord BuiltIn FragCoord"
X_OF_COORD = """%position = OpLoad %v4float %coord
%x = OpCompositeExtract %float %position 0
%y = OpCompositeExtract %float %position 1
%z = OpCompositeExtract %float %position 2
%w = OpCompositeExtract %float %position 3
"""


def test_inputs_have_locations_and_names() -> None:
    shader = fragment(
        "%value = OpLoad %v2float %uv\n"
        "%made = OpVectorShuffle %v4float %value %value 1 0 1 0\nOpStore %out %made",
        inputs="%uv", globals=UV, decorations=AT_1,
    )  # fmt: skip
    given = np.array([[1, 2], [3, 4]], "<f4")
    found = same_everywhere(shader, lambda each: each.shade({"location1": given})["location0"])
    assert found.tolist() == [[2, 1, 2, 1], [4, 3, 4, 3]]
    assert kernel(shader).shade({"uv": given})["colour"].tolist() == found.tolist()


def test_a_position_is_the_centre_of_the_pixel_and_has_an_inverse_w() -> None:
    shader = fragment(
        f"{X_OF_COORD}OpStore %out %position", inputs="%coord", globals=COORD, decorations=IS_COORD
    )
    found = same_everywhere(shader, lambda each: each.shade((3, 2))["location0"])
    assert found[1, 2].tolist() == [2.5, 1.5, 0, 1]
    given = {"FragCoord": np.array([[1, 2, 0.5, 4]], "<f4")}
    assert kernel(shader).shade(given)["location0"].tolist() == [[1, 2, 0.5, 0.25]]


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        ("OpDPdx", [[0.5, 0.5], [1.5, 1.5]]), ("OpDPdxCoarse", [[0.5, 0.5], [0.5, 0.5]]),
        ("OpDPdy", [[0.5, 1.5], [0.5, 1.5]]), ("OpFwidth", [[1, 2], [2, 3]]),
    ],
)  # fmt: skip
def test_derivatives(op: str, expected: list[list[float]]) -> None:
    shader = fragment(
        f"{X_OF_COORD}%xy = OpFMul %float %x %y\n%xy2 = OpFSub %float %xy %y\n"
        f"%d = {op} %float %xy\n%made = OpCompositeConstruct %v4float %d %d %d %d\n"
        "OpStore %out %made",
        inputs="%coord", globals=COORD, decorations=IS_COORD,
        capabilities="OpCapability DerivativeControl",
    )  # fmt: skip
    found = same_everywhere(shader, lambda each: each.shade((2, 2))["location0"])
    assert found[..., 0].tolist() == expected


DISCARD = """%left = OpFOrdLessThan %bool %x %f1
OpSelectionMerge %after None
OpBranchConditional %left %inside %after
%inside = OpLabel
{}
%after = OpLabel
"""


@pytest.mark.parametrize("how", ["OpKill", "OpTerminateInvocation",
                                 "OpDemoteToHelperInvocation\nOpBranch %after"])  # fmt: skip
def test_discarded_pixels_are_not_covered(how: str) -> None:
    shader = fragment(
        X_OF_COORD + DISCARD.format(how) + "%d = OpDPdx %float %x\n"
        "%made = OpCompositeConstruct %v4float %d %d %d %d\nOpStore %out %made",
        inputs="%coord", globals=COORD, decorations=IS_COORD,
        capabilities='OpCapability DemoteToHelperInvocation\n'
        'OpExtension "SPV_KHR_terminate_invocation"',
    )  # fmt: skip
    found = same_everywhere(shader, lambda each: each.shade((2, 2))["covered"])
    assert found.tolist() == [[False, True], [False, True]]
    derivative = kernel(shader).shade((2, 2))["location0"][0, 1, 0]
    assert derivative == (1.0 if "Demote" in how else 0.0)


def test_depth_and_several_targets() -> None:
    shader = fragment(
        "OpStore %depth %quarter\nOpStore %second %c3\n"
        "%made = OpCompositeConstruct %v4float %f1 %f2 %f0 %f1\nOpStore %out %made",
        inputs="%depth %second", modes="OpExecutionMode %main DepthReplacing",
        globals="%p_depth = OpTypePointer Output %float\n%depth = OpVariable %p_depth Output\n"
        "%p_uint = OpTypePointer Output %uint\n%second = OpVariable %p_uint Output",
        decorations="OpDecorate %depth BuiltIn FragDepth\nOpDecorate %second Location 1",
    )  # fmt: skip
    made = kernel(shader).shade((1, 1))
    assert made["FragDepth"].tolist() == [[0.25]]
    assert made["location1"].tolist() == [[3]]
    assert made["location1"].dtype == np.uint32


def test_outputs_can_be_read_back_and_written_in_part() -> None:
    shader = fragment(
        "%p = OpAccessChain %p_float %out %c2\nOpStore %p %f2\n%whole = OpLoad %v4float %out\n"
        "%twice = OpFAdd %v4float %whole %whole\nOpStore %out %twice",
        globals="%p_float = OpTypePointer Output %float",
    )  # fmt: skip
    found = same_everywhere(shader, lambda each: each.shade((1, 1))["location0"])
    assert found.tolist() == [[[0, 0, 4, 0]]]


def test_offsets_from_the_centre_follow_the_slopes() -> None:
    shader = fragment(
        "%value = OpExtInst %v2float %1 InterpolateAtOffset %uv %offset\n"
        "%other = OpExtInst %v2float %1 InterpolateAtCentroid %uv\n"
        "%made = OpVectorShuffle %v4float %value %other 0 1 2 3\nOpStore %out %made",
        inputs="%uv", decorations=AT_1, capabilities="OpCapability InterpolationFunction",
        globals=f"{UV}%offset = OpConstantComposite %v2float %quarter %half",
    )  # fmt: skip
    grid = np.zeros((2, 2, 2), "<f4")
    grid[..., 0] = [[0, 4], [0, 4]]
    grid[..., 1] = [[0, 0], [2, 2]]
    found = same_everywhere(shader, lambda each: each.shade((2, 2), {"uv": grid})["location0"])
    assert found[..., :2].tolist() == [[[1, 1], [5, 1]], [[1, 3], [5, 3]]]
    assert found[..., 2:].tolist() == grid.tolist()


def test_built_ins_have_values_of_their_own() -> None:
    shader = fragment(
        "%front = OpLoad %bool %facing\n%colour = OpSelect %float %front %f1 %f2\n"
        "%made = OpCompositeConstruct %v4float %colour %f0 %f0 %f0\nOpStore %out %made",
        inputs="%facing", decorations="OpDecorate %facing BuiltIn FrontFacing",
        globals="%p_bool = OpTypePointer Input %bool\n%facing = OpVariable %p_bool Input",
    )  # fmt: skip
    found = same_everywhere(shader, lambda each: each.shade((1, 1))["location0"][0, 0, 0])
    assert found == 1
    given = {"FrontFacing": np.array([0, 1], "<u4")}
    assert kernel(shader).shade(given)["location0"][:, 0].tolist() == [2, 1]


def test_samples_have_the_standard_positions() -> None:
    shader = fragment(
        "%value = OpExtInst %v2float %1 InterpolateAtSample %uv %i1\n"
        "%made = OpVectorShuffle %v4float %value %value 0 1 0 1\nOpStore %out %made",
        inputs="%uv", decorations=AT_1, globals=UV,
        capabilities="OpCapability InterpolationFunction",
    )  # fmt: skip
    grid = np.zeros((2, 2, 2), "<f4")
    grid[..., 0] = [[0, 16], [0, 16]]

    def call(each: Kernel, samples: int) -> Any:
        return each.shade((2, 2), {"uv": grid}, samples=samples)["location0"][..., 0]

    assert same_everywhere(shader, lambda each: call(each, 4)).tolist() == [[6, 22], [6, 22]]
    assert same_everywhere(shader, lambda each: call(each, 1)).tolist() == [[0, 16], [0, 16]]


@pytest.mark.parametrize(
    ("way", "moved"),
    [("SampleId", True), ("SamplePosition", True), ("Sample", False), ("", False)],
)
def test_inputs_of_a_shader_that_runs_for_samples(way: str, moved: bool) -> None:
    """FragCoord is at the sample; the others are if sample shading is enabled by a built-in.

    Source: Vulkan specification, FragCoord and sample shading.
    """
    built_in = way.startswith("Sample") and way != "Sample"
    other = {"SampleId": "%int", "SamplePosition": "%v2float"}.get(way, "%v2float")
    shader = fragment(
        f"%at = OpLoad %v4float %place\n%value = OpLoad %v2float %uv\n%more = OpLoad {other} %own\n"
        "%made = OpVectorShuffle %v4float %at %value 0 1 4 5\nOpStore %out %made",
        inputs="%place %uv %own", capabilities="OpCapability SampleRateShading",
        decorations="OpDecorate %place BuiltIn FragCoord\nOpDecorate %uv Location 1\n"
        'OpName %uv "uv"\n' + (f"OpDecorate %own BuiltIn {way}" if built_in else
        "OpDecorate %own Location 2" + "\nOpDecorate %own Sample" * (way == "Sample")),
        globals="%p_4 = OpTypePointer Input %v4float\n%p_2 = OpTypePointer Input %v2float\n"
        f"%p_own = OpTypePointer Input {other}\n%place = OpVariable %p_4 Input\n"
        "%uv = OpVariable %p_2 Input\n%own = OpVariable %p_own Input",
    )  # fmt: skip
    found = same_everywhere(shader, lambda each: each.shade((1, 1), samples=4)["location0"])
    samples = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]]
    made = found.reshape(-1, 4)
    assert made[:, :2].tolist() == (samples if way else [[0.5, 0.5]])
    assert made[:, 2:].tolist() == (samples if moved else [[0.5, 0.5]] * len(made))


def test_a_built_in_without_a_known_meaning_has_no_default() -> None:
    shader = fragment(
        "%s = OpLoad %v2int %size\n%f = OpConvertSToF %v2float %s\n"
        "%made = OpVectorShuffle %v4float %f %f 0 1 0 1\nOpStore %out %made",
        inputs="%size", capabilities="OpCapability FragmentDensityEXT",
        decorations='OpName %size "size"\nOpDecorate %size BuiltIn FragSizeEXT\n'
        "OpDecorate %size Flat",
        globals="%p_2 = OpTypePointer Input %v2int\n%size = OpVariable %p_2 Input",
    )  # fmt: skip
    for origin in (None, (1, 1)):  # in rows, and in quads
        with pytest.raises(UsageError, match="missing input size int32"):
            kernel(shader).shade((2, 2), origin=origin)
        found = kernel(shader).shade((2, 2), {"size": [1, 2]}, origin=origin)["colour"]
        assert found[..., :2].tolist() == [[[1, 2]] * 2] * 2
