"""Values of the texture combiners, alpha test and fog of the Nintendo 3DS."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from unshade import UsageError
from unshade.run.tev import FragmentStage, pixel_shader

RED, GREY = [255, 0, 0, 255], [100, 100, 100, 100]


def shaded(
    description: dict[str, Any],
    color: Any = (200, 100, 50, 128),
    engine: str = "lockstep",
    **more: Any,
) -> Any:
    """Return the result for a primary colour, in numbers from 0 to 255."""
    kernel = unshade.kernel(pixel_shader(FragmentStage.of(description)), engine=engine)
    known = {"COLOR": np.array([[color]], np.float32) / 255, **more}
    inputs = {
        row.label: known.get(row.label, np.zeros((1, 1, len(row.ports)), np.float32))
        for row in kernel.inputs
    }
    bound = {name: value for name, value in more.items() if name not in inputs}
    found = kernel.shade((1, 1), inputs, bound)
    numbers = (np.asarray(found["SV_Target"])[0, 0] * 255).round(3).tolist()
    return numbers, bool(found["covered"][0, 0])


def both(function: str, *sources: str, **more: Any) -> dict[str, Any]:
    return {"both": {"function": function, "sources": list(sources)}, **more}


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        ("replace", [200, 100, 50, 128]),
        ("modulate", [78, 39, 19, 50]),  # 200 * 100 / 255 = 78.4, …, rounded down
        ("add", [255, 200, 150, 228]),
        ("add_signed", [172, 72, 22, 100]),
        ("subtract", [100, 0, 0, 28]),
        ("interpolate", [178, 100, 90, 114]),  # (200 * 200 + 100 * 55) / 255 = 178.4, …
        ("multiply_add", [255, 139, 69, 178]),
        ("add_multiply", [200, 78, 29, 114]),
    ],
)
@pytest.mark.parametrize("engine", ["lockstep", "jit"])
def test_functions(function: str, wanted: list[int], engine: str) -> None:
    if engine == "jit":
        pytest.importorskip("llvmlite")
    stage = both(function, "primary_color", "constant", "primary_color", constant=GREY)
    assert shaded({"stages": [stage]}, engine=engine) == (wanted, True)


def test_dot_products() -> None:
    # The terms are (2 * 255 - 255)² / 256 = 254, and (2 * 128 - 255)² / 256 = 0.
    stage = {"color": {"function": "GPU_DOT3_RGB", "sources": ["primary_color", "constant"]},
             "alpha": {"sources": ["constant"]}, "constant": [255, 128, 128, 7]}  # fmt: skip
    assert shaded({"stages": [stage]}, (255, 128, 128, 9))[0] == [254, 254, 254, 7]
    stage["color"]["function"] = "dot3_rgba"  # type: ignore[index]
    assert shaded({"stages": [stage]}, (255, 128, 128, 9))[0] == [254, 254, 254, 254]
    assert shaded({"stages": [stage]}, (0, 128, 128, 9))[0] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("operand", "wanted"),
    [
        ("src_color", [200, 100, 50]), ("GPU_TEVOP_RGB_ONE_MINUS_SRC_COLOR", [55, 155, 205]),
        ("src_alpha", [128] * 3), ("one_minus_src_alpha", [127] * 3), ("src_r", [200] * 3),
        ("one_minus_src_r", [55] * 3), ("src_g", [100] * 3), ("one_minus_src_g", [155] * 3),
        ("src_b", [50] * 3), ("GPU_TEVOP_RGB_ONE_MINUS_SRC_B", [205] * 3),
    ],
)  # fmt: skip
def test_operands(operand: str, wanted: list[int]) -> None:
    stage = {"color": {"sources": ["primary_color"], "operands": [operand]}}
    assert shaded({"stages": [stage]})[0][:3] == wanted
    stage = {"alpha": {"sources": ["GPU_PRIMARY_COLOR"], "operands": [operand]}}
    alpha = wanted[0] if "color" not in operand.lower() else {200: 128, 55: 127}[wanted[0]]
    assert shaded({"stages": [stage]})[0][3] == alpha


def test_scales() -> None:
    stage = {"color": {"sources": ["primary_color"], "scale": 4},
             "alpha": {"sources": ["primary_color"], "scale": 2}}  # fmt: skip
    assert shaded({"stages": [stage]})[0] == [255, 255, 200, 255]


def test_no_stage_shows_the_primary_colour() -> None:
    assert shaded({}) == ([200, 100, 50, 128], True)


def test_a_stage_sees_the_buffer_of_two_stages_before() -> None:
    def look(at: int) -> list[float]:
        first = both("replace", "constant", constant=RED, update_buffer="both")
        stages = [
            first,
            *[both("replace", "previous")] * (at - 1),
            both("replace", "previous_buffer"),
        ]
        found: list[float] = shaded({"stages": stages, "buffer_color": GREY})[0]
        return found

    assert look(1) == GREY
    assert look(2) == RED
    only = [both("replace", "previous_buffer")]
    assert shaded({"stages": only, "buffer_color": GREY})[0] == [0, 0, 0, 0]


def test_a_part_of_the_buffer_is_kept() -> None:
    first = both("replace", "constant", constant=[1, 2, 3, 4], update_buffer="alpha")
    stages = [first, both("replace", "previous"), both("replace", "previous_buffer")]
    assert shaded({"stages": stages, "buffer_color": GREY})[0] == [100, 100, 100, 4]


def test_previous_in_the_first_stage_is_its_third_source() -> None:
    stage = {"color": {"function": "add", "sources": ["previous", "constant", "primary_color"]},
             "constant": [1, 1, 1, 1]}  # fmt: skip
    assert shaded({"stages": [stage]})[0] == [201, 101, 51, 0]


@pytest.mark.parametrize(
    ("function", "passes"),
    [
        ("never", ""), ("always", "-=+"), ("equal", "="), ("GPU_NOTEQUAL", "-+"), ("less", "-"),
        ("GPU_LEQUAL", "-="), ("greater", "+"), ("gequal", "=+"),
    ],
)  # fmt: skip
def test_alpha_tests(function: str, passes: str) -> None:
    for alpha, sign in ((127, "-"), (128, "="), (129, "+")):
        description = {"alpha_test": {"function": function, "reference": 128}}
        assert shaded(description, (0, 0, 0, alpha))[1] == (sign in passes)


def test_textures_of_three_units() -> None:
    colors = [np.full((1, 1, 4), each, np.uint8) for each in (10, 20, 30)]
    stages = [both("add", "texture0", "texture1"), both("add", "previous", "texture2")]
    found = shaded({"stages": stages}, t0=colors[0], t1=colors[1], t2=colors[2])
    assert found[0] == [60, 60, 60, 60]


def test_fog() -> None:
    fog = {"color": [0, 0, 255], "table": [at / 128 for at in range(129)]}

    def at(z: float, **more: Any) -> Any:
        place = np.array([[[0, 0, z, 1]]], np.float32)
        return shaded({"fog": {**fog, **more}}, (200, 100, 0, 128), SV_Position=place)[0]

    assert at(0.0) == [200, 100, 0, 128]  # the near plane
    assert at(1.0) == [0, 0, 255, 128]
    middle = at(0.5)  # 1024 of 2047 steps: 200 * 0.50024, …, rounded down
    assert middle == [100, 50, 127, 128]
    assert at(1.0, flip=True) == [200, 100, 0, 128]


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ({"stages": [{}] * 7}, "stages: expected at most 6, got 7"),
        ({"stages": [{"both": {"function": "modulat"}}]}, "unknown function of a combiner"),
        ({"stages": [{"both": {"sources": ["texture9"]}}]}, "unknown word of sources: 'texture9'"),
        ({"stages": [{"both": {"scale": 3}}]}, "scale: expected 1, 2 or 4, got 3"),
        ({"stages": [{"both": {}, "alpha": {}}]}, "both: expected no color and no alpha"),
        ({"stages": [{"colour": {}}]}, r"stages\[0\]: unknown field 'colour'"),
        ({"buffer_color": [1, 2, 3]}, "buffer_color: expected four numbers from 0 to 255"),
        ({"alpha_test": {"reference": 256}}, "reference: expected an integer from 0 to 255"),
        ({"fog": {"color": [1, 2, 3], "table": [1]}}, "fog.table: expected 128 or 129 numbers"),
        ({"fog": {"color": [1, 2, 3]}}, "fog: .*table"),
        ([], "fragment stage: expected a mapping of fields"),
    ],
)
def test_descriptions_that_are_refused(description: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        FragmentStage.of(description)
