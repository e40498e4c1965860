"""Vertex and pixel shaders of three families, run on arrays, on a grid, and in one draw.

Expected colours are computed from the texels of a plain array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from tests.families import d3d9, expected, sksl, spirv, spirv_graphics
from tests.families.test_compute import kernel
from unshade.run import Sampler, Texture, raster
from unshade.vocab.slots import ResourceClass, ResourceSlot

CHANCE = np.random.default_rng(9)
PICTURE = CHANCE.random((8, 8, 4), "f4")
POINT = Sampler("point", "wrap")
MIDDLES = (np.arange(8, dtype="f4") + np.float32(0.5)) / np.float32(8)
SQUARE = {  # two triangles before the camera, one beside the other
    "position": np.array([[-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 1, 0]], "f4"),
    "uv": np.array([[0, 1], [1, 1], [0, 0], [1, 0]], "f4"),
}
TRIANGLES = np.array([[0, 1, 2], [2, 1, 3]])


def test_registers_of_direct3d_9(engine: str) -> None:
    found = kernel(d3d9.D3d9, d3d9.TINT, engine)
    x, y = CHANCE.integers(0, 8, (2, 40))
    colour = CHANCE.random((40, 4), "f4")
    colour[::5] = 0.0
    by = np.array([np.inf, 0.5, 0.0, 2.0], "f4")
    wanted, stays = expected.tint(PICTURE[y, x].copy(), colour, by, 0.125)
    inputs = {"TEXCOORD0": np.stack([MIDDLES[x], MIDDLES[y]], 1), "COLOR": colour}
    picture = Texture(PICTURE, sampler=POINT)
    results = found.shade(inputs, picture=picture, gain=0.125, tint=by)
    assert np.array_equal(results["covered"], stays)
    assert np.array_equal(results["oC0"][stays], wanted[stays])
    bank = ResourceSlot(ResourceClass.REGISTER_BANK, 0)
    both = ResourceSlot(ResourceClass.COMBINED_SAMPLER, 0)
    registers = {"c0": [0.125, 0, 0, 0], "c2": by}
    again = found.shade(inputs, None, {both: picture, bank: registers})
    assert again["oC0"].tobytes() == results["oC0"].tobytes()
    registers["c1"] = [0.25, 0.0, 0.5, 1.0]  # a constant of the program, given another value
    dark = found.shade(inputs, s0=picture, c=registers)
    assert not np.array_equal(dark["oC0"], results["oC0"])


def test_a_texture_uses_its_own_sampler() -> None:
    found = kernel(d3d9.D3d9, d3d9.TINT)
    more: dict[str, Any] = {"gain": 0.0, "tint": [1, 1, 1, 1]}
    inputs = {"TEXCOORD0": np.full((1, 2), 0.3, "f4"), "COLOR": np.ones((1, 4), "f4")}
    plain, linear, point = (
        found.shade(inputs, picture=each, **more)["oC0"]
        for each in (PICTURE, Texture(PICTURE, sampler="linear"), Texture(PICTURE, sampler="point"))
    )
    assert plain.tobytes() == linear.tobytes() != point.tobytes()
    with pytest.raises(unshade.UsageError, match="expected a Sampler"):
        found.shade(inputs, picture=Texture(PICTURE, sampler=3), **more)  # type: ignore[arg-type]


def test_uniforms_halves_and_a_child(engine: str) -> None:
    found = kernel(sksl.SkSL, sksl.GREY, engine)
    by = np.array([1.0, 0.5, 0.25, 2.0], "f4")
    turn = np.array([[0.0, 1.0], [1.0, 0.0]], "f4")  # x and y exchanged, a texel a pixel
    more: dict[str, Any] = {"tint": by, "turn": turn, "gain": 0.375}
    results = found.shade((8, 8), src=Texture(PICTURE, sampler=POINT), **more)
    wanted = expected.grey(PICTURE.transpose(1, 0, 2), by, 0.375)
    assert np.array_equal(results["color"], wanted)
    child = ResourceSlot(ResourceClass.CHILD, 0)
    again = found.shade((8, 8), None, {child: Texture(PICTURE, sampler=POINT)}, **more)
    assert np.array_equal(again["color"], wanted)
    assert found.dtype("uniforms").itemsize == 36


def test_trace_names_uniform_components_and_pixel_inputs() -> None:
    debugger = kernel(sksl.SkSL, sksl.GREY).debug((2, 3))
    more: dict[str, Any] = {"tint": [1, 1, 1, 1], "turn": np.eye(2), "gain": 0.5}
    debugger.shade((4, 4), src=PICTURE, **more)
    by_line = {debugger.line(each.line): each for each in debugger.trace.entries}
    turned = by_line["float2 q = turn * p;"]
    labels = {each.label for each in turned.reads}
    assert labels >= {f"turn._m{place}" for place in ("00", "01", "10", "11")}
    assert [each.as_float for each in turned.reads if each.name == "p.x"] == [2.5]
    greyed = by_line["half3 mixed = c.rgb + (half3(grey) - c.rgb) * gain;"]
    assert [each.label for each in greyed.reads] == ["gain"]


def drawn_9(engine: str) -> Any:
    """Return a textured square drawn with both shaders of Direct3D 9."""
    vertex = kernel(d3d9.D3d9, d3d9.TABLE, engine)
    pixel = kernel(d3d9.D3d9, d3d9.TINT, engine)
    position = np.concatenate([SQUARE["position"], np.ones((4, 1), "f4")], 1)
    colours = np.ones((4, 4), "f4") * np.arange(4, dtype="f4")[:, None]
    return raster.draw(
        vertex, pixel,
        {"POSITION": position, "COLOR": np.ones((4, 4), "f4"), "TEXCOORD": SQUARE["uv"]},
        TRIANGLES, (8, 8),
        vertex_bindings={"projection": np.eye(4), "which": 1, "colours": colours},
        pixel_bindings={
            "picture": Texture(PICTURE, sampler=POINT), "gain": 0.0, "tint": [1, 1, 1, 1],
        },
    )  # fmt: skip


def test_draw_with_direct3d_9(engine: str) -> None:
    picture = drawn_9(engine)
    flat = PICTURE.reshape(-1, 4).copy()
    wanted, stays = expected.tint(flat, np.ones((64, 4), "f4"), np.ones(4, "f4"), 0.0)
    assert np.array_equal(picture.covered.reshape(-1), stays)
    assert np.array_equal(picture.targets["oC0"].reshape(-1, 4)[stays], wanted[stays])


def test_draw_matches_locations_not_names(engine: str) -> None:
    vertex = kernel(spirv.SpirV, spirv_graphics.VERTEX, engine)
    pixel = kernel(spirv.SpirV, spirv_graphics.FRAGMENT, engine)
    notes = np.array([5, 0, 0], "<u4")
    notes[1:] = np.array([0.25, 0.75], "<f4").view("<u4")
    pictures = [Texture(PICTURE, sampler=POINT), Texture(1 - PICTURE, sampler=POINT)]
    picture = raster.draw(
        vertex, pixel, {"pos": SQUARE["position"], "uv": SQUARE["uv"]}, TRIANGLES, (8, 8),
        vertex_bindings={"mvp": np.eye(4)},
        pixel_bindings={"tex": pictures, "notes": notes},
    )  # fmt: skip
    assert not picture.covered[:, 0].any()
    assert picture.covered[:, 1:].all()
    colour = picture.targets["color"]
    assert np.array_equal(colour[:, 1:4, :3], PICTURE[:, 1:4, :3])
    assert np.array_equal(colour[:, 4:, :3], (1 - PICTURE)[:, 4:, :3])
    assert np.allclose(colour[:, 1:, 3], 1 / 8)
    assert set(np.unique(picture.targets["which"][:, 1:])) <= {5, 6, 7}
    assert np.all(picture.depth[:, 1:] == 0.75)  # beyond the notes: the last one


def test_runtime_array_at_the_end_of_a_block(engine: str) -> None:
    pixel = kernel(spirv.SpirV, spirv_graphics.FRAGMENT, engine)
    inputs = {"coords": np.full((1, 2), 0.7, "f4"), "object": 1, "gl_FragCoord": [4.5, 4.5, 0, 1]}
    tex = [PICTURE, 1 - PICTURE]
    numbers = np.array([5, 0, 0], "<u4")
    numbers[1:] = np.array([0.25, 0.75], "<f4").view("<u4")
    kind = pixel.dtype("notes", 2)
    assert kind.itemsize == 12
    record = np.array((5, [0.25, 0.75]), kind)
    for notes in (numbers, {"count": 5, "weight": [0.25, 0.75]}, record):
        found = pixel.shade(inputs, tex=tex, notes=notes)
        assert found["which"].tolist() == [6]
        assert found["gl_FragDepth"].tolist() == [0.75]
    empty = pixel.shade(inputs, tex=tex, notes={"count": 7, "weight": []})
    assert empty["which"].tolist() == [8]


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        ({"count": 1}, r"notes: float weight\[\] missing"),
        ({"count": 1, "weight": 2.0}, r"notes: expected a sequence for float weight\[\], got 2.0"),
        ({"cuont": 1, "weight": []}, r"notes has no member 'cuont'; did you mean count\?"),
        ({"count": 0.5, "weight": []}, r"notes.count: expected integers, got 0.5"),
    ],
)
def test_invalid_block_members_are_refused(notes: Any, message: str) -> None:
    pixel = kernel(spirv.SpirV, spirv_graphics.FRAGMENT)
    inputs = {"coords": np.full((1, 2), 0.7, "f4"), "object": 1, "gl_FragCoord": [4.5, 4.5, 0, 1]}
    with pytest.raises(unshade.UsageError, match=message):
        pixel.shade(inputs, tex=[PICTURE, PICTURE], notes=notes)


def test_members_of_a_block_are_traced() -> None:
    debugger = kernel(spirv.SpirV, spirv_graphics.FRAGMENT).debug(0)
    inputs = {"coords": np.full((1, 2), 0.7, "f4"), "object": 1, "gl_FragCoord": [4.5, 4.5, 0, 1]}
    weight = np.arange(1001, dtype="f4")
    debugger.shade(inputs, tex=[PICTURE, PICTURE], notes={"count": 5, "weight": weight})
    reads = [each.label for entry in debugger.trace.entries for each in entry.reads]
    assert "notes.count" in reads
    assert "notes.weight[1000]" in reads


def test_textures_of_an_array_by_slot() -> None:
    pixel = kernel(spirv.SpirV, spirv_graphics.FRAGMENT)
    slots = [ResourceSlot(ResourceClass.COMBINED_SAMPLER, 1, element=at) for at in range(2)]
    assert [pixel.binding(slot).where for slot in slots] == ["tex[0]", "tex[1]"]
    inputs = {"coords": np.full((1, 2), 0.7, "f4"), "object": 1, "gl_FragCoord": [4.5, 4.5, 0, 1]}
    notes = np.zeros(2, "<u4")
    by_slot = pixel.shade(inputs, None, {slots[1]: PICTURE, slots[0]: 1 - PICTURE}, notes=notes)
    by_name = pixel.shade(inputs, tex={1: PICTURE, 0: 1 - PICTURE}, notes=notes)
    assert by_slot["color"].tobytes() == by_name["color"].tobytes()
