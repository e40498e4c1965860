"""Runs of the Vulkan execution vectors, through the public API.

    VulkanVector(path, "jit").run()      the expectations that do not hold, as text

A vector is a JSON file that README.txt beside them describes: buffers, pipelines and commands. This
module reads those fields and calls `unshade.kernel`, `dispatch`, `shade` and `raster.draw`. Colour
targets are loaded: what a draw does not cover stays. A rectangle of the vertex shader that passes
its input on is drawn by shading the whole target, and kept where the rectangle is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import unshade
from unshade.run import Sampler, Texture
from unshade.run.binding.pixel_formats import PixelFormat, pixel_format
from unshade.run.kernels import Kernel
from unshade.vocab.slots import ResourceClass

__all__ = ["VulkanVector"]

Array = npt.NDArray[Any]
Json = dict[str, Any]

DTYPES = {"uint": "u", "int": "i", "float": "f"}
ADDRESSES = {
    "repeat": "wrap", "mirrored_repeat": "mirror", "clamp_to_edge": "clamp",
    "clamp_to_border": "border", "mirror_clamp_to_edge": "mirror_once",
}  # fmt: skip
BORDERS = {
    "float_transparent_black": (0.0, 0.0, 0.0, 0.0), "int_transparent_black": (0.0, 0.0, 0.0, 0.0),
    "float_opaque_black": (0.0, 0.0, 0.0, 1.0), "int_opaque_black": (0.0, 0.0, 0.0, 1.0),
    "float_opaque_white": (1.0, 1.0, 1.0, 1.0), "int_opaque_white": (1.0, 1.0, 1.0, 1.0),
}  # fmt: skip
FILTERS = {"nearest": "point", "linear": "linear"}
COMPARISONS = {
    "EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal, "GT": np.greater,
    "GE": np.greater_equal,
}  # fmt: skip
RELATIVE = 1e-8  # of EQ
CHANNEL = 0.002  # of EQ_RGB and EQ_RGBA
EPSILON = 1e-6
BUFFERS = ("storage", "uniform", "storage_dynamic", "uniform_dynamic")


class VectorBuffer:
    """A buffer of a vector: its bytes, and the layout of its elements."""

    def __init__(self, given: Json) -> None:
        self.name: str = given["name"]
        self.size: int = given["element_size"]
        self.type: str = given["type"]
        self.offsets: list[int] = given["component_offsets"]
        kinds = given["component_types"]
        kinds = [kinds] * len(self.offsets) if isinstance(kinds, str) else kinds
        self.dtypes = [_dtype(each) for each in kinds]
        self.image: Json | None = given.get("image")
        self.data = np.zeros(given["size"], np.uint8)
        self.fill(given)

    def fill(self, given: Json) -> None:
        """Set the initial contents."""
        init = given["init"]
        if "hex" in init:
            data = bytes.fromhex(init["hex"])
            self.data[: len(data)] = np.frombuffer(data, np.uint8)
        elif "fill_element_hex" in init:
            element = np.frombuffer(bytes.fromhex(init["fill_element_hex"]), np.uint8)
            self.data[:] = np.tile(element, init["count"])
        elif "series_from" in init:
            count = given["element_count"]
            kind = self.dtypes[0]
            start, step = init["series_from"], init["inc_by"]
            if kind.kind == "f":
                numbers = np.cumsum([start, *[step] * (count - 1)]).astype(kind)
            else:
                numbers = (start + np.arange(count, dtype=np.int64) * step).astype(kind)
            rows = np.zeros((count, self.size), np.uint8)
            rows[:, : kind.itemsize] = numbers.reshape(-1, 1).view(np.uint8)
            self.data[:] = rows.reshape(-1)

    def component(self, at: int, element: int) -> Any:
        """Return a component of an element."""
        kind = self.dtypes[at]
        place = element * self.size + self.offsets[at]
        found = self.data[place : place + kind.itemsize].view(kind)[0]
        if kind == np.float16:
            found = np.float32(found)
            return np.float32(0) if abs(found) < 2.0**-14 else found
        return found

    @property
    def form(self) -> PixelFormat:
        """The format of its pixels: that of an image, or what its elements are."""
        if self.image is not None:
            return pixel_format(self.image["format"])
        if not self.type.isupper() and "_" not in self.type:
            kind = self.dtypes[0]
            word = {"f": "SFLOAT", "u": "UINT", "i": "SINT"}[kind.kind]
            names = "".join(f"{each}{8 * kind.itemsize}" for each in "RGBA"[: len(self.offsets)])
            return pixel_format(f"{names}_{word}")
        return pixel_format(self.type)

    def pixels(self, width: int, height: int) -> Array:
        """Return the bytes of each pixel of a target, (height, width, bytes)."""
        return self.data[: width * height * self.size].reshape(height, width, self.size)

    def columns(self) -> Array:
        """Return its elements as rows of numbers."""
        rows = self.data.reshape(-1, self.size)
        found = [
            np.ascontiguousarray(rows[:, at : at + kind.itemsize]).view(kind)[:, 0]
            for at, kind in zip(self.offsets, self.dtypes, strict=True)
        ]
        return np.stack(found, axis=1)


class VulkanVector:
    """A vector, ready to run once."""

    def __init__(self, path: Path, engine: str, *, sharp: bool = True) -> None:
        """Read a vector; `sharp`: a tolerance of 1 of pixels means 1/255, as its author thought."""
        self.sharp = sharp
        self.given: Json = json.loads(path.read_text())
        self.folder = path.parents[1]
        self.engine = engine
        self.buffers = {each["name"]: VectorBuffer(each) for each in self.given["buffers"]}
        self.samplers = {each["name"]: _sampler(each) for each in self.given["samplers"]}
        self.pipelines = {each["name"]: each for each in self.given["pipelines"]}
        self.clears: dict[str, list[int]] = {}
        self.kernels: dict[tuple[str, str], Kernel] = {}

    def run(self) -> list[str]:
        """Run the commands; return the expectations that do not hold."""
        return list(self._commands(self.given["commands"]))

    def _commands(self, commands: list[Json]) -> Iterator[str]:
        for each in commands:
            pipeline = self.pipelines.get(each.get("pipeline", ""), {})
            match each["op"]:
                case "run":
                    self._dispatch(pipeline, each["groups"])
                case "clear_color":
                    self.clears[pipeline["name"]] = each["rgba"]
                case "clear":
                    self._clear(pipeline)
                case "draw_rect" | "draw_array":
                    self._draw(pipeline, each)
                case "copy":
                    source, to = self.buffers[each["from"]], self.buffers[each["to"]]
                    to.data[:] = source.data
                case "repeat":
                    for _ in range(each["count"]):
                        yield from self._commands(each["commands"])
                case "expect":
                    yield from self._expect(each)
                case other:
                    raise ValueError(f"unknown command {other}")

    # ------------------------------------------------------------ pipelines

    def kernel(self, pipeline: Json, stage: str) -> Kernel | None:
        """Return the kernel of a stage; None for the built-in vertex shader."""
        key = pipeline["name"], stage
        if key in self.kernels:
            return self.kernels[key]
        chosen = next(each for each in pipeline["stages"] if each["stage"] == stage)
        module = self.given["modules"][chosen["module"]]
        if "spv" not in module:
            return None
        options: Json = {}
        constants = {each["id"]: each["value"] for each in chosen.get("specialization", ())}
        if constants:
            options["constants"] = constants
        size = (chosen.get("subgroup") or {}).get("required_size")
        if size:
            options["wave_size"] = size
        shader = unshade.open(self.folder / module["spv"])
        found = unshade.kernel(shader, entry=chosen["entry"], engine=self.engine, **options)
        self.kernels[key] = found
        return found

    def bindings(self, pipeline: Json, kernel: Kernel) -> dict[str, Any]:
        """Return what a kernel needs."""
        found: dict[str, Any] = {}
        places = {(each["set"], each["binding"]): each for each in pipeline["bindings"]}
        for binding in kernel.bindings:
            slot = binding.slot
            assert slot is not None
            if slot.kind is ResourceClass.PUSH:
                found[binding.name] = np.frombuffer(
                    bytes.fromhex(pipeline["push_constant"]["hex"]), np.uint8
                )
                continue
            row = places[slot.space, slot.number]
            item = row["items"][slot.element or 0]
            found[binding.name] = self._item(row["kind"], item)
        return found

    def _item(self, kind: str, item: Json) -> Any:
        if kind == "sampler":
            return self.samplers[item["sampler"]]
        buffer = self.buffers[item["buffer"]]
        if kind in BUFFERS:
            start = item.get("offset", 0) + item.get("dynamic_offset", 0)
            length = item.get("range", len(buffer.data) - start)
            return buffer.data[start : start + length]
        image = buffer.image
        form = buffer.form
        if kind.endswith("texel_buffer"):
            return Texture(buffer.data.reshape(-1, form.size), format=form.name)
        assert image is not None
        shape = [image["depth"], image["height"], image["width"]][3 - image["dim"] :]
        array = buffer.data.reshape(*shape, form.size)
        sampler = self.samplers.get(item.get("sampler", ""))
        return Texture(array, format=form.name, sampler=sampler)

    def _dispatch(self, pipeline: Json, groups: list[int]) -> None:
        kernel = self.kernel(pipeline, "compute")
        assert kernel is not None
        kernel.dispatch(tuple(groups), self.bindings(pipeline, kernel))

    # ------------------------------------------------------------ drawing

    def _targets(self, pipeline: Json) -> Iterator[tuple[int, VectorBuffer]]:
        for each in pipeline["color"]:
            yield each["location"], self.buffers[each["buffer"]]

    def _size(self, pipeline: Json) -> tuple[int, int]:
        images = (buffer.image for _, buffer in self._targets(pipeline))
        size = next((each for each in images if each is not None), pipeline["framebuffer"])
        return size["width"], size["height"]

    def _clear(self, pipeline: Json) -> None:
        rgba = self.clears.get(pipeline["name"], [0, 0, 0, 0])
        width, height = self._size(pipeline)
        for _, buffer in self._targets(pipeline):
            numbers = np.tile(np.array(rgba, "<f4") / np.float32(255), (width * height, 1))
            form = buffer.form
            if form.kind in ("UINT", "SINT"):
                numbers = numbers.astype("<i4")
            buffer.pixels(width, height)[:] = form.encode(numbers).reshape(height, width, -1)

    def _draw(self, pipeline: Json, command: Json) -> None:
        width, height = self._size(pipeline)
        pixel = self.kernel(pipeline, "fragment")
        vertex = self.kernel(pipeline, "vertex")
        assert pixel is not None
        if vertex is None:
            made: Any = pixel.shade((width, height), {}, self.bindings(pipeline, pixel))
            covered = made["covered"] & _inside(command, width, height)
        else:
            inputs, triangles = self._vertices(pipeline, command, vertex)
            picture = unshade.run.raster.draw(
                vertex, pixel, inputs, triangles, (width, height), depth_function=None,
                viewports=[(0, height, width, -height, 0, 1)],
                vertex_bindings=self.bindings(pipeline, vertex),
                pixel_bindings=self.bindings(pipeline, pixel),
            )  # fmt: skip
            made, covered = picture.targets, picture.covered
        for location, buffer in self._targets(pipeline):
            if not any(row.location == location for row in pixel.outputs):
                continue
            colours = _four(made[f"location{location}"], (height, width))
            form = buffer.form
            pixels = buffer.pixels(width, height)
            before = np.ascontiguousarray(pixels.reshape(-1, form.size))
            encoded = form.encode(colours.reshape(-1, 4), before).reshape(pixels.shape)
            pixels[covered] = encoded[covered]

    def _vertices(
        self, pipeline: Json, command: Json, vertex: Kernel
    ) -> tuple[dict[str, Array] | int, Array]:
        """Return the inputs of a vertex shader, or the number of vertices, and the triangles."""
        if command["op"] == "draw_rect":
            count = len(command["ndc_vertices"])
            given = {0: np.array(command["ndc_vertices"], "<f4")}
            triangles = _strip(count)
        else:
            start, count = command["start"], command["count"]
            given = {
                each["location"]: self.buffers[each["buffer"]].columns()[start : start + count]
                for each in pipeline["vertex_data"]
            }
            is_list = command["topology"] == "TRIANGLE_LIST"
            triangles = np.arange(count // 3 * 3).reshape(-1, 3) if is_list else _strip(count)
        inputs = {}
        for row in vertex.inputs:
            if row.location in given and row.needed:
                array = _four(given[row.location], (count,))
                inputs[f"location{row.location}"] = array[:, row.components]
        return inputs or count, triangles

    # ------------------------------------------------------------ expectations

    def _expect(self, given: Json) -> Iterator[str]:
        buffer = self.buffers[given["buffer"]]
        match given["cmp"]:
            case "EQ_BUFFER":
                if not np.array_equal(buffer.data, self.buffers[given["other"]].data):
                    yield f"{buffer.name} is not {given['other']}"
            case "EQ_RGB" | "EQ_RGBA":
                yield from self._expect_pixels(buffer, given)
            case _:
                yield from self._expect_values(buffer, given)

    def _expect_values(self, buffer: VectorBuffer, given: Json) -> Iterator[str]:
        components = len(buffer.offsets)
        for at, value in enumerate(given["values"]):
            element, component = given["index"] + at // components, at % components
            actual = buffer.component(component, element)
            if not _holds(actual, value, given):
                yield (
                    f"{buffer.name}[{element}].{component}: expected {given['cmp']} {value!r}, got"
                    f" {actual!r}"
                )
                return

    def _expect_pixels(self, buffer: VectorBuffer, given: Json) -> Iterator[str]:
        image = buffer.image
        assert image is not None
        pixels = buffer.pixels(image["width"], image["height"])
        x, y, width, height = (given[each] for each in ("x", "y", "width", "height"))
        part = pixels[y : y + height, x : x + width]
        form = buffer.form
        colours = form.decode(np.ascontiguousarray(part.reshape(-1, form.size)))
        channels = len(given["cmp"]) - len("EQ_")
        wanted = np.array(given["value"][:channels], np.float64) / 255
        tolerance: Any = CHANNEL
        if "tolerance" in given:
            limits = [each["value"] for each in given["tolerance"]]
            limits = [1 / 255 + EPSILON if each == 1 and self.sharp else each for each in limits]
            tolerance = limits[0] if len(limits) == 1 else np.array(limits[:channels])
        off = np.abs(colours[:, :channels].astype(np.float64) - wanted) > tolerance
        if off.any():
            row = int(np.flatnonzero(off.any(axis=1))[0])
            yield (
                f"{buffer.name}: {int(off.any(axis=1).sum())} of {len(off)} pixels differ, first at"
                f" ({x + row % width}, {y + row // width}): expected {given['value']}, got"
                f" {(colours[row] * 255).tolist()}"
            )


@cache
def _dtype(name: str) -> np.dtype[Any]:
    """Return the dtype of uint8, float16 and so on."""
    letters = name.rstrip("0123456789")
    return np.dtype(f"<{DTYPES[letters]}{int(name[len(letters) :]) // 8}")


def _sampler(given: Json) -> Sampler:
    address = tuple(ADDRESSES[given[f"address_mode_{axis}"]] for axis in "uvw")
    return Sampler(
        (FILTERS[given["min_filter"]], FILTERS[given["mag_filter"]], "point"), address,
        min_lod=given["min_lod"], max_lod=given["max_lod"], border=BORDERS[given["border_color"]],
        comparison=given["compare_op"] if given["compare"] else "never",
    )  # fmt: skip


def _inside(command: Json, width: int, height: int) -> Array:
    """Return the pixels of a rectangle."""
    found = np.zeros((height, width), np.bool_)
    x, y = round(command["x"]), round(command["y"])
    found[y : y + round(command["height"]), x : x + round(command["width"])] = True
    return found


def _strip(count: int) -> Array:
    """Return the triangles of a strip."""
    return np.array([(at, at + 1 + at % 2, at + 2 - at % 2) for at in range(count - 2)])


def _four(array: Array, size: tuple[int, ...]) -> Array:
    """Return colours, or attributes, with four components."""
    given = array.reshape(*size, -1)
    made = np.zeros((*size, 4), given.dtype)
    made[..., 3] = 1
    made[..., : given.shape[-1]] = given
    return made


def _holds(actual: Any, value: Any, given: Json) -> bool:
    """Return whether a comparison holds."""
    kind = actual.dtype
    if kind.kind != "f":
        wanted = np.array(int(value) & ((1 << 8 * kind.itemsize) - 1), np.uint64)
        wanted = wanted.astype(f"<u{kind.itemsize}").view(kind)
        if "tolerance" in given:
            return abs(int(actual) - int(wanted)) <= _limit(given, float(abs(int(wanted))))
        return bool(COMPARISONS[given["cmp"]](actual, wanted))
    wanted = kind.type(float(value))
    if given["cmp"] != "EQ":
        return bool(COMPARISONS[given["cmp"]](actual, wanted))
    if np.isnan(wanted) or np.isnan(actual):
        return bool(np.isnan(wanted) and np.isnan(actual))
    if actual == wanted:
        return True
    limit = _limit(given, abs(float(wanted))) if "tolerance" in given else None
    if limit is None:
        limit = RELATIVE * max(abs(float(actual)), abs(float(wanted)))
    return abs(float(actual) - float(wanted)) <= limit


def _limit(given: Json, size: float) -> float:
    first = given["tolerance"][0]
    value = float(first["value"])
    return value / 100 * size if first.get("percent") else value
