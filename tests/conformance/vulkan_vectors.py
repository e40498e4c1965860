"""Runs of the Vulkan execution vectors, through the public API.

    VulkanVector.open(path, "jit").run()      the expectations that do not hold, as text

A vector is a JSON file that README.txt beside them describes: buffers, pipelines and commands. This
module reads those fields and calls `unshade.kernel`, `dispatch` and `raster.draw`. Targets are
loaded: what a draw does not cover stays. benchmarks/amber.py makes the same fields from scripts,
with more of them: depth, levels, samples, stages and topologies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import unshade
from unshade.run import Sampler, Texture, raster
from unshade.run.binding.pixel_formats import PixelFormat, pixel_format
from unshade.run.kernels import Kernel
from unshade.run.raster.target_formats import named_format
from unshade.vocab.slots import ResourceClass
from unshade.vocab.words import SystemValue

__all__ = ["VulkanVector", "component_layout", "is_format"]

Array = npt.NDArray[Any]
Json = dict[str, Any]

DTYPES = {"uint": "u", "int": "i", "float": "f", "double": "f"}
FORMAT = re.compile(r"^((?:[RGBAXDSE]\d+_?)+)_([A-Z]+)(?:_S8_UINT)?(?:_PACK(\d+))?$")
ADDRESSES = {
    "repeat": "wrap", "mirrored_repeat": "mirror", "clamp_to_edge": "clamp",
    "clamp_to_border": "border", "mirror_clamp_to_edge": "mirror_once",
    "mirrored_clamp_to_edge": "mirror_once",
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
BINS = 256  # of a histogram
BUFFERS = ("storage", "uniform", "storage_dynamic", "uniform_dynamic")
STAGES = ("vertex", "tessellation_control", "tessellation_evaluation", "geometry")
DEPTHS = {"D16_UNORM": "<u2", "D32_SFLOAT": "<f4"}  # of other formats, words of 24 bits
PASSTHROUGH = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %given %position
OpDecorate %given Location 0
OpDecorate %position BuiltIn Position
%void = OpTypeVoid
%nothing = OpTypeFunction %void
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%in = OpTypePointer Input %v4
%out = OpTypePointer Output %v4
%given = OpVariable %in Input
%position = OpVariable %out Output
%main = OpFunction %void None %nothing
%start = OpLabel
%value = OpLoad %v4 %given
OpStore %position %value
OpReturn
OpFunctionEnd
"""


class VectorBuffer:
    """A buffer of a vector: its bytes, and the layout of its elements.

    `levels` are the bytes of each mip level of a picture; `data` are those of the first.
    """

    def __init__(self, given: Json) -> None:
        self.name: str = given["name"]
        self.size: int = given["element_size"]
        self.type: str = given["type"]
        self.offsets: list[int] = given["component_offsets"]
        kinds = given["component_types"]
        kinds = [kinds] * len(self.offsets) if isinstance(kinds, str) else kinds
        self.dtypes = [_dtype(each) for each in kinds]
        self.image: Json | None = given.get("image")
        image = self.image or {}
        sizes = [given["size"]]
        if "levels" in image:
            sizes = [
                image["samples"] * self.size * wide * high * deep
                for wide, high, deep in map(self.extent, range(image["levels"]))
            ]
        self.levels = [np.zeros(each, np.uint8) for each in sizes]
        self.data = self.levels[0]
        self.fill(given)

    def extent(self, level: int) -> tuple[int, int, int]:
        """Return width, height and depth of a mip level."""
        assert self.image is not None
        wide, high, deep = (
            max(1, self.image[each] >> level) for each in ("width", "height", "depth")
        )
        return wide, high, deep

    def fill(self, given: Json) -> None:
        """Set the initial contents."""
        init = given["init"]
        if "bytes" in init or "hex" in init:
            data = init["bytes"] if "bytes" in init else bytes.fromhex(init["hex"])
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

    def component(self, kind: np.dtype[Any], place: int) -> Any:
        """Return the number at a place."""
        found = self.data[place : place + kind.itemsize].view(kind)[0]
        if kind == np.float16:
            found = np.float32(found)
            return np.float32(0) if abs(found) < 2.0**-14 else found
        return found

    @property
    def format_name(self) -> str:
        """The name of the format of its pixels: that of an image, or what its elements are."""
        if self.image is not None and "format" in self.image:
            return str(self.image["format"])
        if is_format(self.type):
            return self.type
        kind = self.dtypes[0]
        word = {"f": "SFLOAT", "u": "UINT", "i": "SINT"}[kind.kind]
        names = "".join(f"{each}{8 * kind.itemsize}" for each in "RGBA"[: len(self.offsets)])
        return f"{names}_{word}"

    @property
    def form(self) -> PixelFormat:
        """The format of its pixels."""
        return pixel_format(self.format_name)

    def pixels(self, width: int, height: int) -> Array:
        """Return the bytes of each pixel of a target, (height, width, bytes)."""
        return self.data[: width * height * self.size].reshape(height, width, self.size)

    def texels(self, level: int) -> Array:
        """Return the bytes of each texel of a mip level, with an axis of samples if it has some."""
        assert self.image is not None
        sizes = [*reversed(self.extent(level))][3 - self.image["dim"] :]
        samples = [self.image["samples"]] if self.image["samples"] > 1 else []
        return self.levels[level].reshape(*sizes, *samples, self.size)

    def target(self, level: int) -> Array:
        """Return a mip level as `draw` takes targets, in the same memory."""
        texels = self.texels(level)
        sample = named_format(self.format_name).new((1,))
        return texels.view(sample.dtype).reshape(*texels.shape[:-1], *sample.shape[1:])

    def columns(self, start: int = 0, stride: int = 0, form: PixelFormat | None = None) -> Array:
        """Return its elements as rows of numbers."""
        stride = stride or self.size
        size = self.size if form is None else form.size
        count = max(0, len(self.data) - start - size) // stride + 1
        places = start + np.arange(count)[:, np.newaxis] * stride + np.arange(size)
        rows = self.data[places]
        if form is not None:
            return form.decode(rows)
        found = [
            np.ascontiguousarray(rows[:, at : at + kind.itemsize]).view(kind)[:, 0]
            for at, kind in zip(self.offsets, self.dtypes, strict=True)
        ]
        return np.stack(found, axis=1)


class VulkanVector:
    """A vector, ready to run once."""

    def __init__(self, given: Json, folder: Path, engine: str, *, sharp: bool = True) -> None:
        """Take the fields of a vector, whose modules are in a folder or `code`.

        `sharp`: a tolerance of 1 of pixels means 1/255, as its author thought.
        """
        self.sharp = sharp
        self.given = given
        self.folder = folder
        self.engine = engine
        self.buffers = {each["name"]: VectorBuffer(each) for each in self.given["buffers"]}
        self.samplers = {each["name"]: _sampler(each) for each in self.given["samplers"]}
        self.pipelines = {each["name"]: each for each in self.given["pipelines"]}
        self.clears: dict[str, list[float]] = {}
        self.clear_depths: dict[str, float] = {}
        self.kernels: dict[tuple[str, str], Kernel] = {}

    @classmethod
    def open(cls, path: Path, engine: str, *, sharp: bool = True) -> VulkanVector:
        """Read a vector."""
        return cls(json.loads(path.read_text()), path.parents[1], engine, sharp=sharp)

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
                case "clear_depth":
                    self.clear_depths[pipeline["name"]] = each["value"]
                case "clear":
                    self._clear(pipeline)
                case "draw_rect" | "draw_array":
                    self._draw(pipeline, each)
                case "copy":
                    source, to = self.buffers[each["from"]], self.buffers[each["to"]]
                    for one, other in zip(source.levels, to.levels, strict=False):
                        other[:] = one
                case "repeat":
                    for _ in range(each["count"]):
                        yield from self._commands(each["commands"])
                case "expect":
                    yield from self._expect(each)
                case other:
                    raise ValueError(f"unknown command {other}")

    # ------------------------------------------------------------ pipelines

    def kernel(self, pipeline: Json, stage: str) -> Kernel | None:
        """Return the kernel of a stage; None if the pipeline has no such stage."""
        key = pipeline["name"], stage
        if key in self.kernels:
            return self.kernels[key]
        chosen = next((each for each in pipeline["stages"] if each["stage"] == stage), None)
        if chosen is None:
            return None
        module = self.given["modules"][chosen["module"]]
        options: Json = {}
        constants = {each["id"]: each["value"] for each in chosen.get("specialization", ())}
        if constants:
            options["constants"] = constants
        size = (chosen.get("subgroup") or {}).get("required_size")
        if size:
            options["wave_size"] = size
        if "builtin" in module:
            shader = unshade.assemble(PASSTHROUGH, "spirv", target="spv1.0")
        elif "code" in module:
            shader = unshade.loads(module["code"])
        else:
            shader = unshade.open(self.folder / module["spv"])
        found = unshade.kernel(shader, entry=chosen["entry"], engine=self.engine, **options)
        self.kernels[key] = found
        return found

    def bindings(self, pipeline: Json, kernel: Kernel | None) -> dict[str, Any] | None:
        """Return what a kernel needs."""
        if kernel is None:
            return None
        found: dict[str, Any] = {}
        places = {(each["set"], each["binding"]): each for each in pipeline["bindings"]}
        for binding in kernel.bindings:
            slot = binding.slot
            assert slot is not None
            if slot.kind is ResourceClass.PUSH:
                found[binding.name] = self._pushed(pipeline["push_constant"])
                continue
            row = places[slot.space, slot.number]
            item = row["items"][slot.element or 0]
            found[binding.name] = self._item(row["kind"], item)
        return found

    def _pushed(self, given: Json) -> Array:
        if "hex" in given:
            return np.frombuffer(bytes.fromhex(given["hex"]), np.uint8)
        if "bytes" in given:
            return np.frombuffer(given["bytes"], np.uint8)
        return self.buffers[given["buffer"]].data

    def _item(self, kind: str, item: Json) -> Any:
        if kind == "sampler":
            return self.samplers[item["sampler"]]
        buffer = self.buffers[item["buffer"]]
        if kind in BUFFERS:
            start = item.get("offset", 0) + item.get("dynamic_offset", 0)
            length = item.get("range", len(buffer.data) - start)
            return buffer.data[start : start + length]
        if buffer.dtypes[0].itemsize == 8:  # no format of `Texture` has 64 bits
            return Texture(buffer.texels(0).view(buffer.dtypes[0])[..., 0])
        form = buffer.form
        if kind.endswith("texel_buffer"):
            return Texture(buffer.data.reshape(-1, form.size), format=form.name)
        assert buffer.image is not None
        base = item.get("base_mip_level", 0)
        levels = [buffer.texels(level) for level in range(base, len(buffer.levels))]
        if kind == "storage_image" or len(levels) == 1:
            return Texture(levels[0], format=form.name, sampler=self._sampler_of(item))
        return Texture(levels, format=form.name, sampler=self._sampler_of(item))

    def _sampler_of(self, item: Json) -> Sampler | None:
        return self.samplers.get(item.get("sampler", ""))

    def _dispatch(self, pipeline: Json, groups: list[int]) -> None:
        kernel = self.kernel(pipeline, "compute")
        assert kernel is not None
        kernel.dispatch(tuple(groups), self.bindings(pipeline, kernel))

    # ------------------------------------------------------------ drawing

    def _targets(self, pipeline: Json) -> Iterator[tuple[int, VectorBuffer, int]]:
        """Yield location, buffer and mip level of each colour target."""
        for each in pipeline["color"]:
            yield each["location"], self.buffers[each["buffer"]], each.get("level", 0)

    def _size(self, pipeline: Json) -> tuple[int, int]:
        for _, buffer, level in self._targets(pipeline):
            if buffer.image is not None:
                return buffer.extent(level)[:2]
        size = pipeline["framebuffer"]
        return size["width"], size["height"]

    def _clear(self, pipeline: Json) -> None:
        rgba = self.clears.get(pipeline["name"], [0, 0, 0, 0])
        for _, buffer, level in self._targets(pipeline):
            form = buffer.form
            numbers = (np.array(rgba, "<f4") / np.float32(255))[np.newaxis]
            if form.kind in ("UINT", "SINT"):
                numbers = numbers.astype("<i4")
            buffer.levels[level].reshape(-1, form.size)[:] = form.encode(numbers)
        depth, _ = self._depth(pipeline)
        if depth is not None:
            value = self.clear_depths.get(pipeline["name"], 1.0)
            most = {2: 0xFFFF, 4: 0xFF_FFFF}[depth.itemsize] if depth.dtype.kind == "u" else 0
            depth[:] = round(value * most) if most else value

    def _depth(self, pipeline: Json) -> tuple[Array | None, Array | None]:
        """Return the depths and the stencils of a pipeline, in the memory of its buffer."""
        if "depth_stencil" not in pipeline:
            return None, None
        buffer = self.buffers[pipeline["depth_stencil"]]
        texels = buffer.texels(0)
        if buffer.type == "D32_SFLOAT_S8_UINT":
            return texels.view("<f4")[..., 0], texels[..., 4]
        return texels.view(DEPTHS.get(buffer.type, "<u4"))[..., 0], None

    def _draw(self, pipeline: Json, command: Json) -> None:
        size = self._size(pipeline)
        stages = [each for name in STAGES if (each := self.kernel(pipeline, name)) is not None]
        pixel = self.kernel(pipeline, "fragment")
        topology = command.get("topology", "TRIANGLE_STRIP").lower()
        topology = topology.replace("_with_adjacency", "_adjacency")
        if topology == "patch_list":
            topology = f"{pipeline.get('patch_control_points', 3)} control point patch list"
        inputs, more, arguments = self._vertices(pipeline, command, stages[0])
        indices = None
        if command.get("indexed"):
            indices = self.buffers[pipeline["index_data"]].columns()[:, 0]
        outputs = {} if pixel is None else {row.location: row.label for row in pixel.outputs}
        used = [each for each in self._targets(pipeline) if each[0] in outputs]
        depth, stencil = self._depth(pipeline)
        state: Json = dict(pipeline.get("depth", {}))
        fields = ("depthClampEnable", "depthBiasEnable", "depthBiasConstantFactor",
                  "depthBiasClamp", "depthBiasSlopeFactor", "depthRangeUnrestricted")  # fmt: skip
        rasterizer = {name: state.pop(name) for name in fields if name in state}
        if stages[-1].outputs.by_meaning(SystemValue.POSITION) is None:
            rasterizer["rasterizerDiscardEnable"] = True  # what is drawn there is undefined
        frame = pipeline["framebuffer"]  # a target may be smaller
        whole = (0, 0, frame["width"], frame["height"], 0, 1)
        x, y, w, h, near, far = pipeline.get("viewport") or whole
        names = "vertex", "hull", "domain", "geometry"
        kinds = dict(zip(STAGES, names, strict=True))
        bound: Json = {
            f"{kinds[name]}_bindings": self.bindings(pipeline, self.kernel(pipeline, name))
            for name in STAGES
        }
        picture = raster.draw(
            stages, pixel, inputs, indices, size, topology=topology, primitive_restart=False,
            instance_inputs=more or None, arguments=arguments,
            targets={f"location{at}": buffer.target(level) for at, buffer, level in used},
            formats={f"location{at}": buffer.format_name for at, buffer, _ in used},
            depth=depth, stencil_target=stencil,
            depth_stencil={"depthTestEnable": False, "depthWriteEnable": False} | state,
            rasterizer={
                "cullMode": "none", "frontFace": "counter_clockwise",
                "polygonMode": pipeline.get("polygon_mode", "fill"), **rasterizer,
            },
            viewports=[(x, y + h, w, -h, near, far)],
            samples=max((_samples(buffer) for _, buffer, _ in used), default=1),
            pixel_bindings=self.bindings(pipeline, pixel), **bound,
        )  # fmt: skip
        for row, (at, buffer, _) in zip(pipeline.get("resolve", ()), used, strict=False):
            if _samples(buffer) > 1:
                made = np.ascontiguousarray(picture.resolved().targets[outputs[at]])
                self.buffers[row["buffer"]].data[:] = made.reshape(-1).view(np.uint8)

    def _vertices(
        self, pipeline: Json, command: Json, vertex: Kernel
    ) -> tuple[dict[str, Array] | int, dict[str, Array], Any]:
        """Return the inputs of the vertices, of the instances, and what is drawn of them."""
        if command["op"] == "draw_rect":
            corners = np.array(command["ndc_vertices"], "<f4")
            rows: Mapping[int | None, tuple[Array, str]] = {0: (corners, "vertex")}
            count = len(corners)
            arguments = None
        else:
            rows = {each["location"]: (self._attribute(each), each.get("rate", "vertex"))
                    for each in pipeline["vertex_data"]}  # fmt: skip
            start = command["start"]
            whole = [len(array) for array, rate in rows.values() if rate == "vertex"]
            if command.get("indexed"):
                whole = [len(self.buffers[pipeline["index_data"]].columns())]
            count = command.get("count", max(0, min(whole, default=0) - start))
            arguments = raster.DrawArguments(
                count, command.get("instance_count", 1), start,
                start_instance=command.get("start_instance", 0),
                indexed=bool(command.get("indexed")),
            )  # fmt: skip
        inputs: dict[str, Array] = {}
        instances: dict[str, Array] = {}
        for row in vertex.inputs:
            if row.location in rows and row.needed:
                array, rate = rows[row.location]
                made = instances if rate == "instance" else inputs
                made[f"location{row.location}"] = _four(array, (len(array),))[:, row.components]
        return inputs or count, instances, arguments

    def _attribute(self, given: Json) -> Array:
        """Return the numbers of a vertex attribute."""
        buffer = self.buffers[given["buffer"]]
        form = given.get("format")
        if form is None and is_format(buffer.type):
            form = buffer.type
        found = None if form is None else pixel_format(form)
        return buffer.columns(given.get("offset", 0), given.get("stride") or 0, found)

    # ------------------------------------------------------------ expectations

    def _expect(self, given: Json) -> Iterator[str]:
        buffer = self.buffers[given["buffer"]]
        match given["cmp"]:
            case "EQ_BUFFER":
                if not np.array_equal(buffer.data, self.buffers[given["other"]].data):
                    yield f"{buffer.name} is not {given['other']}"
            case "RMSE_BUFFER":
                one, other = (
                    each.columns().astype(np.float64)
                    for each in (buffer, self.buffers[given["other"]])
                )
                off = float(np.sqrt(((one - other) ** 2).mean()))
                if off > given["limit"]:
                    yield f"{buffer.name}: {given['other']} differs by {off:g}"
            case "EQ_HISTOGRAM_EMD_BUFFER":
                off = _moved(buffer, self.buffers[given["other"]])
                if off > given["limit"]:
                    yield f"{buffer.name}: the histogram of {given['other']} is {off:g} away"
            case "EQ_RGB" | "EQ_RGBA":
                yield from self._expect_pixels(buffer, given)
            case _:
                yield from self._expect_values(buffer, given)

    def _expect_values(self, buffer: VectorBuffer, given: Json) -> Iterator[str]:
        kinds, offsets, size = buffer.dtypes, buffer.offsets, buffer.size
        if "layout" in given:
            words, offsets, size = given["layout"]
            kinds = [np.dtype(each) for each in words]
        for at, value in enumerate(given["values"]):
            element, component = divmod(at, len(kinds))
            place = given["byte_offset"] + element * size + offsets[component]
            actual = buffer.component(kinds[component], place)
            if not _holds(actual, value, given):
                yield (
                    f"{buffer.name}, byte {place}: expected {given['cmp']} {value!r}, got"
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
            rows = given["tolerance"] * (channels if len(given["tolerance"]) == 1 else 1)
            tolerance = np.array([
                each["value"] / 100 * abs(number) if each.get("percent") else each["value"]
                for each, number in zip(rows, wanted, strict=False)
            ])  # fmt: skip
            if self.sharp:
                tolerance[tolerance == 1] = 1 / 255 + EPSILON
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
    """Return the dtype of uint8, float16 and so on, or of a dtype's own word."""
    if name.startswith(("<", "|")):
        return np.dtype(name)
    letters = name.rstrip("0123456789")
    bits = {"float": 32, "double": 64}.get(name) or int(name[len(letters) :])
    return np.dtype(f"<{DTYPES[letters]}{bits // 8}")


def is_format(name: str) -> bool:
    """Return whether a type is an image format."""
    return FORMAT.match(name) is not None


@cache
def component_layout(name: str, layout: str) -> tuple[list[np.dtype[Any]], list[int], int]:
    """Return the types and offsets of the components of an element, and its size."""
    array = name.endswith("[]")
    name = name.removesuffix("[]")
    if match := FORMAT.match(name):
        return _format_layout(name, match)
    shape = re.fullmatch(r"(?:vec(\d)|mat(\d)x(\d))<(\w+)>", name)
    if shape is None:
        columns, rows, kind = 1, 1, _dtype(name)
    else:
        columns, rows = int(shape[2] or 1), int(shape[1] or shape[3])
        kind = _dtype(shape[4])
    item = kind.itemsize
    step = (4 if rows == 3 else rows) * item
    if layout == "std140" and (columns > 1 or array):
        step = max(step, -(-4 * item // 16) * 16)
    offsets = [column * step + row * item for column in range(columns) for row in range(rows)]
    return [kind] * len(offsets), offsets, columns * step


def _format_layout(name: str, match: re.Match[str]) -> tuple[list[np.dtype[Any]], list[int], int]:
    """Return the components of a texel as it lies in memory."""
    bits = [int(each) for each in re.findall(r"\d+", match[1])]
    whole = sum(bits)
    if "_S8" in name:
        whole = 32 if bits[0] == 24 else 64
    if match[3] or len({*bits}) > 1 or bits[0] % 8 or "_S8" in name:
        return [np.dtype(f"<u{whole // 8}")], [0], whole // 8
    letter = {"SFLOAT": "f", "SINT": "i", "SNORM": "i"}.get(match[2], "u")
    kind = np.dtype(f"<{letter}{bits[0] // 8}")
    return [kind] * len(bits), [at * kind.itemsize for at in range(len(bits))], whole // 8


def _samples(buffer: VectorBuffer) -> int:
    return 1 if buffer.image is None else int(buffer.image["samples"])


def _moved(one: VectorBuffer, other: VectorBuffer) -> float:
    """Return how far the histograms of two pictures are apart, of the worst channel, 0 to 1."""
    most = 0.0
    for channel in range(one.size):
        first, second = (
            np.bincount(each.data[channel :: each.size], minlength=BINS) for each in (one, other)
        )
        moved = np.cumsum(first.astype(np.int64) - second) * one.size / one.data.size
        most = max(most, float(np.abs(moved).mean()))
    return most


def _sampler(given: Json) -> Sampler:
    address = tuple(ADDRESSES[given[f"address_mode_{axis}"]] for axis in "uvw")
    return Sampler(
        (FILTERS[given["min_filter"]], FILTERS[given["mag_filter"]], "point"), address,
        min_lod=given["min_lod"], max_lod=given["max_lod"], border=BORDERS[given["border_color"]],
        comparison=given["compare_op"] if given["compare"] else "never",
        unnormalized=not given.get("normalized_coords", True),
    )  # fmt: skip


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
