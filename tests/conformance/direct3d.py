"""A runner for the execution vectors of Direct3D: execution/direct3d of the corpus, README there.

    for checked in Vector(folder, index_entry).run(engine): checked.probe, checked.passed

Everything goes through the public library: `dispatch`, and `draw` with its targets, input layouts,
samples, viewports and depth. What is here only reads test.json and compares probes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import unshade
from unshade.run import Sampler, raster
from unshade.run.binding.bindings import Binding
from unshade.run.kernels import Kernel
from unshade.vm.launch import Array
from unshade.vocab.slots import ResourceClass, ResourceSlot

KINDS = {"float": "<f4", "uint": "<u4", "sint": "<i4", "typeless": "<u4", "shadow": "<f4"}
PREFIXES = {ResourceClass.READ: "srv", ResourceClass.WRITE: "uav"}
STAGES = {"vs": "vertex", "hs": "hull", "ds": "domain", "gs": "geometry", "ps": "pixel"}


@dataclass(frozen=True, slots=True)
class Checked:
    """A probe, and how it went: `fault` is empty, or says what kept the step from running."""

    probe: dict[str, Any]
    passed: bool
    todo: bool
    fault: str = ""


class Resource:
    """A resource as a NumPy array: `bound` for the library, `words` for probes."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.said = said
        self.kind = said["kind"]
        self.samples = said["sample_count"]
        form, _, word = said["format"].partition("-")
        self.components = 1 if form == "unknown" else form.count("32")
        self.dtype = np.dtype(KINDS.get(word.rpartition("-")[2], "<u4"))
        self.counter = 0
        given = said["data_u32"]
        if given is None:
            given = np.zeros(sum(np.prod(each) for each in self._shapes()), np.uint32)
        self.words = np.array(given, "<u4")

    def _shapes(self) -> list[tuple[int, ...]]:
        """Return the shape of each mip level."""
        said = self.said
        if self.kind != "texture":
            stride = said["stride"] if self.kind == "structured_buffer" else said["texel_size"]
            return [(said["width"] * max(stride, 4) // 4,)]
        found = []
        for level in range(said["levels"]):
            sizes = [max(1, said[each] >> level) for each in ("height", "width")]
            if said["dimension"] == "3d":
                sizes = [max(1, said["depth"] >> level), *sizes]
            if said["is_array"] or said["dimension"] == "cube":
                sizes = [said["layers"], *sizes]
            samples = [self.samples] if self.samples > 1 else []
            found.append((*sizes, *samples, self.components))
        return found

    @property
    def layers(self) -> int | None:
        """The layers of a texture that has an axis of them."""
        return int(self.said["layers"]) if self.said["is_array"] else None

    @property
    def arrays(self) -> list[Array]:
        """The mip levels of a texture, which share memory with `words`."""
        found, at = [], 0
        for shape in self._shapes():
            size = int(np.prod(shape))
            found.append(self.words[at : at + size].view(self.dtype).reshape(shape))
            at += size
        return found

    def bound(self, binding: Binding) -> Any:
        """Return the value of a binding."""
        if self.kind == "texture":
            arrays = self.arrays
            if arrays[0].ndim == binding.rank:  # a multisampled texture with one sample
                arrays = [np.expand_dims(each, -2) for each in arrays]
            return arrays if len(arrays) > 1 else arrays[0]
        if self.kind == "typed_buffer":
            return self.words.view(self.dtype).reshape(-1, self.components)
        return self.words.view(np.uint8) if self.kind == "structured_buffer" else self.words

    def row_bytes(self, y: int, layer: int, element: int) -> Array:
        """Return the elements of a row that a probe looks at, as bytes."""
        if self.kind == "counter_buffer":
            return np.array([self.counter], "<u4").view(np.uint8).reshape(-1, element)
        if self.kind != "texture":
            data = self.words.view(np.uint8)
        else:
            array = self.arrays[0]
            if array.ndim == 5 or (array.ndim == 4 and self.samples == 1):
                array = array[layer]
            if self.samples > 1:
                array = array.mean(axis=2).astype(array.dtype)
            data = np.ascontiguousarray(array[y]).reshape(-1).view(np.uint8)
        return data[: len(data) // element * element].reshape(-1, element)


@cache
def kernel(path: Path, engine: str) -> Kernel:
    """Return the kernel of a shader, kept for further steps."""
    return unshade.kernel(unshade.open(path), engine=engine)


class Vector:
    """One test: its resources, which steps change, and its steps."""

    def __init__(self, folder: Path, name: str, *, engine: str, code: str = "dxbc") -> None:
        self.folder = folder
        self.name = name
        self.engine = engine
        self.code = code
        of_sm6 = folder / name / "test.sm6.json"
        path = of_sm6 if code == "dxil" and of_sm6.exists() else folder / name / "test.json"
        self.said = json.loads(path.read_text())
        self.resources = {each["id"]: Resource(each) for each in self.said["resources"]}
        self._later: list[dict[str, Any]] = []

    def run(self) -> Iterator[Checked]:
        """Run all steps; yield each probe that counts."""
        fault = ""
        for number, step in enumerate(self.said["steps"]):
            self._later = self.said["steps"][number:]
            if not fault:
                try:
                    getattr(self, f"_{step['op']}")(step)
                except unshade.UnshadeError as error:
                    fault = f"{type(error).__name__}: {error}"
            for probe in step.get("probes", []):
                passed = not fault and self._holds(probe)
                yield Checked(probe, passed, bool(step.get("upstream_todo")), fault)

    def _shader(self, key: str) -> Kernel:
        """Return the kernel that a step calls by a key."""
        if key == "default_vs":
            profile = "vs_6_0.dxil" if self.code == "dxil" else "vs_4_0.dxbc"
            return kernel(self.folder / "_default" / profile, self.engine)
        name = self.said["shaders"][key][self.code]
        return kernel(self.folder / self.name / name, self.engine)

    def _bindings(self, shader: Kernel, step: dict[str, Any]) -> dict[ResourceSlot | str, Any]:
        """Return what a step binds of all that a shader asks for: nothing is a null binding."""
        found: dict[ResourceSlot | str, Any] = {}
        for binding in shader.bindings:
            slot = binding.slot
            assert slot is not None
            if slot.kind is ResourceClass.CONSTANTS:
                data = np.array(step["cb0"], "<u4").tobytes()
                found[slot] = data if slot.number == 0 and data else None
            elif slot.kind is ResourceClass.SAMPLER:
                given = [each for each in step["samplers"] if each["slot"] == slot.number]
                if given:
                    found[slot] = _sampler(given[0])
            else:
                name = step["bind"].get(f"{PREFIXES[slot.kind]}{slot.number}")
                resource = self.resources[name] if name is not None else None
                if binding.form == "counter":
                    found[slot] = resource.counter if resource is not None else None
                else:
                    found[slot] = resource.bound(binding) if resource is not None else None
        return found

    def _counted(self, shader: Kernel, step: dict[str, Any], results: Any) -> None:
        """Keep the hidden counters that a shader has changed."""
        for binding in shader.bindings:
            if binding.form == "counter" and binding.slot is not None:
                name = step["bind"].get(f"uav{binding.slot.number}")
                if name is not None:
                    self.resources[name].counter = int(results[binding.slot])

    def _dispatch(self, step: dict[str, Any]) -> None:
        shader = self._shader(step["shaders"]["cs"])
        results = shader.dispatch(tuple(step["groups"]), self._bindings(shader, step))
        self._counted(shader, step, results)

    def _draw(self, step: dict[str, Any]) -> None:
        keys = [key for key in ("vs", "hs", "ds", "gs") if key in step["shaders"]]
        stages = [self._shader(step["shaders"][key]) for key in keys]
        pixel = self._shader(step["shaders"]["ps"]) if "ps" in step["shaders"] else None
        bindings: dict[str, Any] = {
            f"{STAGES[key]}_bindings": self._bindings(shader, step)
            for key, shader in zip(keys, stages, strict=True)
        }
        if pixel is not None:
            bindings["pixel_bindings"] = self._bindings(pixel, step)
        bound = {key: self.resources[name] for key, name in step["bind"].items()}
        colours = {int(key[3:]): each for key, each in bound.items() if key.startswith("rtv")}
        depth = bound.get("dsv")
        one = next(iter(colours.values()), depth)
        assert one is not None
        layout = raster.InputLayout(
            raster.Element(
                each["semantic"], each["format"], index=each["index"], slot=each["slot"],
                offset=each["offset"],
            )
            for each in step["input_layout"]
        )  # fmt: skip
        buffers = {int(key[2:]): each.words for key, each in bound.items() if key.startswith("vb")}
        vertices = layout.vertices(stages[0], buffers, step["vertex_count"])
        found = raster.draw(
            stages, pixel, vertices or step["vertex_count"], None,
            (one.said["width"], one.said["height"]),
            topology=step["topology"], instances=step["instance_count"],
            targets=[
                colours[at].arrays[0] if at in colours else None
                for at in range(max(colours, default=-1) + 1)
            ],
            layers=one.layers, depth=depth.arrays[0][..., 0] if depth is not None else None,
            depth_function=step["depth_func"] or ("less" if depth is not None else None),
            viewports=step["viewports"], scissors=self._looked_at(step),
            samples=step["sample_count"], sample_mask=step["sample_mask"], **bindings,
        )  # fmt: skip
        if pixel is not None:
            self._counted(pixel, step, found.targets)

    def _looked_at(self, step: dict[str, Any]) -> list[list[int]] | None:
        """Return the only rectangle of the targets that this or later steps look at, for speed."""
        mine = {name for key, name in step["bind"].items() if key[:3] in ("rtv", "dsv")}
        if any(key.startswith("uav") for key in step["bind"]):
            return None
        rects = []
        for each in self._later:
            read = {name for key, name in each.get("bind", {}).items() if key[:3] == "srv"}
            if mine & (read | {each.get("source")}):
                return None
            probes = [*each.get("probes", []), *each.get("todo_probes", [])]
            rects += [probe["rect"] for probe in probes if probe["resource"] in mine]
        if not rects:
            return None
        left, top, right, bottom = zip(*rects, strict=True)
        around = [[min(left), min(top), max(right), max(bottom)]]
        return around * len(step["viewports"])

    def _clear(self, step: dict[str, Any]) -> None:
        words = self.resources[step["target"]].words
        words.reshape(-1, len(step["value_bits"]))[:] = step["value_bits"]

    def _copy(self, step: dict[str, Any]) -> None:
        self.resources[step["target"]].words[:] = self.resources[step["source"]].words

    def _holds(self, probe: dict[str, Any]) -> bool:
        """Return whether every element of a probe's rectangle has the expected value."""
        resource = self.resources[probe["resource"]]
        left, top, right, bottom = probe["rect"]
        kind, wide = probe["type"], 8 if "64" in probe["type"] else 4
        wanted = np.array(probe["expected_bits"], "<u8").astype(f"<u{wide}")
        for y in range(top, bottom):
            row = resource.row_bytes(y, probe["layer"], probe["elem_bytes"])[left:right]
            found = np.ascontiguousarray(row).view(f"<u{wide}")[:, : probe["components"]]
            if not found.size:
                return False
            if kind.startswith("f"):
                if (_away(found, wanted[np.newaxis]) > probe["ulps"]).any():
                    return False
            elif (found != wanted).any():
                return False
        return True


def _away(found: Array, wanted: Array) -> Array:
    """Return how many floats are between two, from their bits; both zeros are one."""
    least = np.iinfo(f"i{found.itemsize}").min
    signed = [each.view(f"<i{each.itemsize}").astype(np.int64) for each in (found, wanted)]
    a, b = (np.where(each < 0, least - each, each) for each in signed)
    apart: Array = np.where(a > b, a - b, b - a).view(np.uint64)
    return apart


def _sampler(said: dict[str, Any]) -> Sampler:
    filters = tuple(said["filter"][each] for each in ("min", "mag", "mip"))
    comparison = (said["comparison"] or "never").replace(" ", "_")
    return Sampler(filters, said["address"], comparison=comparison, min_lod=0.0)


def entries(folder: Path, code: str) -> list[dict[str, Any]]:
    """Return the tests of a folder that have code of a kind: dxbc or dxil."""
    found = json.loads((folder / "INDEX.json").read_text())["tests"]
    return [each for each in found if each[code]]
