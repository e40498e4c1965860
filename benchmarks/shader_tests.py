"""Scripts of vkd3d and Wine with expected pixels and elements (`.shader_test`), run here.

    UNSHADE_VKD3D=vkd3d-compiler python benchmarks/shader_tests.py FOLDER
        [--models 2.0,3.0,4.0,5.0] [--through asm|exact|yaml|spirv|hlsl|glsl] [--engine NAME]
        [--only WORDS]

FOLDER is tests/hlsl of a copy of vkd3d. The sources are compiled by the command in UNSHADE_VKD3D,
which may contain arguments (version 2.1 or newer): to Direct3D 9 bytecode before Shader Model 4, to
containers from there on; 6.0 is compiled by Slang to SPIR-V. `--through` passes each shader through
a listing, YAML, a translation, or decompiled source that Slang or glslangValidator compiles.

A probe that vkd3d's authors mark (`todo`) counts apart. What a compiler refuses is left out, and
what follows a state that is not set here: fixed functions (alpha test, fog, clip planes, sizes of
points, shade modes), bounds of depth, copies. The exit code says whether a probe fails.
"""

import argparse
import functools
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from shader_script import (
    FORMATS,
    STAGES,
    Array,
    Probe,
    Requirements,
    ScriptError,
    ScriptResource,
    Section,
    command_of,
    fails,
    sections_of,
    uniform_of,
)

import unshade
from unshade import UnshadeError
from unshade.isa.source import Source
from unshade.run import Sampler, Texture
from unshade.run.binding.bindings import Binding
from unshade.run.kernels import Kernel
from unshade.run.raster import draw
from unshade.shader import Shader
from unshade.vocab.slots import CLASS_BINDINGS, ResourceClass

COMMAND = shlex.split(os.environ.get("UNSHADE_VKD3D", "vkd3d-compiler"))
SHORT = {
    "vertex": "vs", "hull": "hs", "domain": "ds", "geometry": "gs", "pixel": "ps", "compute": "cs",
}  # fmt: skip
SIZE = 640, 480
QUAD = np.array([[-2, -2], [-2, 4], [4, -2]], "<f4")  # a triangle that covers the view
QUAD_LAYOUT = [["0", "r32g32-float", "position"]]
VERTEX = "float4 main(float4 pos : position) : sv_position\n{\n    return pos;\n}\n"
UNIFORMS = 4096  # words
SLANG = 6.0  # from this shader model on


@functools.cache
def compiled(text: str, stage: str, model: str, options: tuple[str, ...], through: str) -> Shader:
    """Return a compiled source; ScriptError if a compiler refuses it."""
    try:
        return passed(_compiled(text, stage, model, options), stage, through)
    except UnshadeError as error:
        raise ScriptError(str(error).splitlines()[0]) from error


def _compiled(text: str, stage: str, model: str, options: tuple[str, ...]) -> Shader:
    rows = "row-major" in options and "column-major" not in options
    if float(model) >= SLANG:
        layout = f"-matrix-layout-{'row' if rows else 'column'}-major"
        return unshade.compile(
            Source(text, "test.hlsl"), language="hlsl", entry="main", stage=stage,
            compiler="slang", options=["-fvk-use-dx-layout", layout],
        )  # fmt: skip
    target = "d3dbc" if float(model) < 4 else "dxbc-tpf"
    command = [*COMMAND, "-x", "hlsl", "-b", target]
    command += ["-p", f"{SHORT[stage]}_{model.replace('.', '_')}", "-o", "-"]
    command += ["--semantic-compat-map"] if "backcompat" in options else []
    command += ["--matrix-storage-order=row"] if rows else []
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode or not done.stdout:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ScriptError((lines or ["vkd3d-compiler refuses it"])[0])
    return unshade.loads(done.stdout)


def passed(shader: Shader, stage: str, through: str) -> Shader:
    """Return a shader after a round."""
    match through:
        case "asm":
            return unshade.assemble(shader.disassemble(), shader.format, donor=shader)
        case "exact":
            return unshade.assemble(shader.disassemble("exact"), shader.format)
        case "yaml":
            return unshade.from_yaml(unshade.to_yaml(shader))
        case "spirv":
            return shader.translate()
        case "hlsl" | "glsl":
            compiler = "slang" if through == "hlsl" else "glslangValidator"
            text = shader.decompile(through, "exact")
            return unshade.compile(
                Source(text, f"test.{through}"), language=through, stage=stage, compiler=compiler,
                entry="main" if through == "hlsl" else None,
            )  # fmt: skip
    return shader


class ScriptRun:
    """A script that runs for one shader model."""

    def __init__(self, path: Path, model: str, engine: str, through: str) -> None:
        self.model, self.engine, self.through = model, engine, through
        self.number = float(model)
        self.needs = Requirements()
        self.sources: dict[str, str | None] = {}  # by stage; None for one that does not compile
        self.resources: dict[tuple[str, int], ScriptResource | None] = {}  # None: not read
        self.samplers: dict[int, Sampler] = {}
        self.layout: list[list[str]] = []
        self.uniforms = np.zeros(UNIFORMS, "<u4")
        self.state: dict[str, Any] = {}
        self.found: list[tuple[str, int, str]] = []
        self.other = ""  # a state that is not set here: what is drawn from there on differs
        self.kernels: dict[str, Kernel] = {}
        for section in sections_of(path):
            self._section(section)

    # ------------------------------------------------------------ sections

    def _section(self, section: Section) -> None:
        kind = section.head[0]
        if kind in STAGES:
            self.sources[kind] = None if fails(section, self.number) else section.text
            self.kernels.pop(kind, None)
        elif kind == "require":
            self.needs = Requirements.of(section)
        elif kind in ("srv", "uav", "rtv", "vb", "dsv"):
            number = int(section.head[1]) if len(section.head) > 1 else 0
            try:
                self.resources[kind, number] = ScriptResource.of(section)
            except ScriptError:
                self.resources[kind, number] = None
        elif kind == "sampler":
            self.samplers[int(section.head[1])] = _sampler(section)
        elif kind == "input":
            self.layout = [*section.words()]
        elif kind == "test" and self.needs.least <= self.number < self.needs.below:
            self._test(section)

    def _test(self, section: Section) -> None:
        lost = ""  # why the last call gave no result
        for number, line in section.lines:
            command = command_of(line, self.number)
            if command is None:
                continue
            text, known = command
            try:
                if not text.startswith("probe"):
                    lost = self._command(text) or ""
                elif not lost and not self.other:
                    fault = self._probe(Probe.of(text))
                    kind = ("known" if known else "failed") if fault else "passed"
                    self.found.append((kind, number, f"{text}: {fault}"))
            except ScriptError as error:
                lost = str(error)
                self.found.append(("left out", number, lost))
            except UnshadeError as error:
                lost = str(error)
                self.found.append(("refused", number, f"{type(error).__name__}: {lost}"))

    def _probe(self, probe: Probe) -> str:
        resource = self.resources.get((probe.kind, probe.slot))
        if resource is None:
            raise ScriptError(f"no {probe.kind} {probe.slot}")
        return probe.fault(resource)

    def _command(self, line: str) -> str | None:
        words = line.split()
        match words:
            case ["uniform", *_]:
                at, bits = uniform_of(words)
                self.uniforms[at : at + len(bits)] = bits
            case ["clear", kind, *numbers]:
                self._clear(kind, numbers)
            case ["dispatch", *groups]:
                kernel = self._kernel("compute")
                kernel.dispatch(tuple(map(int, groups[:3])), **self._bindings(kernel))
            case ["draw", *rest]:
                self._draw(rest)
            case ["depth", *comparison]:
                self.state["depth_function"] = "_".join(comparison)
            case ["sample", "mask", mask]:
                self.state["sample_mask"] = int(mask, 0)
            case ["viewport", number, *_]:
                rows = self.state.setdefault("viewports", [])
                row = line.partition("(")[2].partition(")")[0].split(",")
                rows[int(number) :] = [[*map(float, row), 0, 1]]
            case _:
                self.other = f"{line} is not read"
                raise ScriptError(self.other)
        return None

    def _clear(self, kind: str, numbers: list[str]) -> None:
        self._default_target()
        resource = self.resources.get((kind, int(numbers[0]) if kind == "rtv" else 0))
        if resource is None:
            raise ScriptError(f"no {kind} to clear")
        if kind == "rtv":
            colour = np.array([float(each) for each in numbers[1:5]])
            resource.array[...] = colour.astype(resource.array.dtype)[: resource.array.shape[-1]]
        else:
            resource.array[...] = float(numbers[0])

    # ------------------------------------------------------------ calls

    def _kernel(self, stage: str, text: str | None = None) -> Kernel:
        if stage not in self.kernels:
            source = text or self.sources.get(stage)
            if source is None:
                raise ScriptError("the source is one that does not compile")
            # Slang's inputs have no semantics: the usual vertex shader is vkd3d's.
            model = "5.0" if text and self.number >= SLANG else self.model
            through = "" if text else self.through
            shader = compiled(source, stage, model, self.needs.options, through)
            self.kernels[stage] = unshade.kernel(shader, engine=self.engine)
        return self.kernels[stage]

    def _bindings(self, kernel: Kernel) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for each in kernel.bindings:
            if each.slot is None:
                raise ScriptError(f"{each.name} has no slot")
            kind, number = _class_of(each.slot.kind, each.slot.number)
            sampler = self.samplers.get(number) or Sampler("point")
            match kind:
                case ResourceClass.CONSTANTS | ResourceClass.REGISTER_BANK if not number:
                    words = self.uniforms[:1024] if self.number < 4 else self.uniforms
                    given[each.name] = words.view(np.uint8)
                case ResourceClass.SAMPLER:
                    given[each.name] = sampler
                case ResourceClass.COMBINED_SAMPLER:
                    texture = self._resource("srv", number).array
                    given[each.name] = Texture(texture, sampler=sampler)
                case ResourceClass.READ | ResourceClass.WRITE:
                    name = "srv" if kind is ResourceClass.READ else "uav"
                    resource = self._resource(name, number)
                    given[each.name] = _value(each, resource)
                case _:
                    raise ScriptError(f"{each.where} is not bound by scripts")
        return given

    def _resource(self, kind: str, number: int) -> ScriptResource:
        found = self.resources.get((kind, number))
        if found is None:
            raise ScriptError(f"no {kind} {number}")
        return found

    def _default_target(self) -> None:
        if ("rtv", 0) not in self.resources and ("dsv", 0) not in self.resources:
            array = np.zeros((SIZE[1], SIZE[0], 4), "<f4")
            made = ScriptResource("rtv", 0, dimension="2d", size=[*SIZE], array=array)
            self.resources["rtv", 0] = made

    def _draw(self, words: list[str]) -> None:
        self._default_target()
        numbers = sorted(number for kind, number in self.resources if kind == "rtv")
        if numbers != [*range(len(numbers))]:
            raise ScriptError("targets that are not numbered from 0")
        targets = [self._resource("rtv", number) for number in numbers]
        depth = self.resources.get(("dsv", 0))
        first = targets[0] if targets else depth
        if first is None or any(each.samples for each in targets):
            raise ScriptError("a target with samples")
        is_quad = words[0] == "quad"
        stages = {"vertex": self._vertex(is_quad)}
        for stage in ("hull", "domain", "geometry"):
            if stage in self.sources:
                stages[stage] = self._kernel(stage)
        pixel = self._kernel("pixel") if "pixel" in self.sources else None
        topology, count, instances = ("triangle_list", 3, 1) if is_quad else _primitives(words)
        options: dict[str, Any] = {
            f"{stage}_bindings": self._bindings(kernel) for stage, kernel in stages.items()
        }
        if pixel is not None:
            options |= {"pixel_bindings": self._bindings(pixel)}
            options |= {"targets": [each.array for each in targets]}
        if depth is not None:
            options |= {"depth": depth.array, "depth_function": "less_equal"}
        else:
            options["depth_function"] = None
        if first.layers:
            options["layers"] = first.layers
        layered = bool(first.layers)
        height, width = first.array.shape[layered : layered + 2]
        inputs = self._inputs(stages["vertex"], is_quad, count)
        draw(
            [*stages.values()], pixel, inputs or count, None, (width, height), topology=topology,
            instances=instances, cull="none", **{**options, **self.state},
        )  # fmt: skip

    def _vertex(self, is_quad: bool) -> Kernel:
        if "vertex" not in self.sources and is_quad:
            return self._kernel("vertex", VERTEX)
        return self._kernel("vertex")

    def _inputs(self, vertex: Kernel, is_quad: bool, count: int) -> dict[str, Array]:
        layout = QUAD_LAYOUT if is_quad else self.layout
        columns: dict[tuple[str, int], Array] = {}
        for slot in {each[0] for each in layout}:
            rows = [each for each in layout if each[0] == slot]
            size = sum(FORMATS[each[1]][1] for each in rows)
            words = QUAD.view("<u4").ravel() if is_quad else self._resource("vb", int(slot)).array
            data = words[: len(words) // size * size].reshape(-1, size)[:count]
            at = 0
            for _, form, name, *index in rows:
                dtype, components = FORMATS[form]
                column = np.ascontiguousarray(data[:, at : at + components]).view(dtype)
                at += components
                whole = np.zeros((len(column), 4), dtype)
                whole[:, 3] = 1
                whole[:, :components] = column
                columns[name.upper(), int(index[0]) if index else 0] = whole
        given: dict[str, Array] = {}
        for row in vertex.inputs:
            if row.meaning is not None:
                continue
            key = row.name.upper(), row.index
            if key not in columns and row.location is not None and row.location < len(layout):
                _, _, name, *index = layout[row.location]  # of Slang, which keeps no semantics
                key = name.upper(), int(index[0]) if index else 0
            if key in columns:
                given[row.label] = np.ascontiguousarray(columns[key][:, : len(row.ports)])
            else:
                raise ScriptError(f"no input {row.label}")
        return given


def _class_of(kind: ResourceClass, number: int) -> tuple[ResourceClass, int]:
    """Return the class and number of a register, also of a descriptor made from it."""
    for known, first in CLASS_BINDINGS.items():
        if first and first <= number < first + 100:
            return known, number - first
    return kind, number


def _value(binding: Binding, resource: ScriptResource) -> Any:
    array = resource.array
    if not resource.is_buffer:
        one = binding.resource.multisampled and not resource.samples
        return array[:, :, np.newaxis] if one else array
    dtype, components = FORMATS[resource.format]
    if resource.dimension == "buffer" and not resource.stride and components:
        return array.view(dtype).reshape(-1, components)
    element = binding.dtype
    if element is not None and not element.shape and not array.nbytes % element.itemsize:
        return array.view(np.uint8).view(element)
    return array.view(np.uint8)


def _sampler(section: Section) -> Sampler:
    given: dict[str, Any] = {"filter": "point", "address": "clamp", "comparison": "never"}
    for words in section.words():
        match words:
            case ["filter" | "address" as what, *rest]:
                given[what] = (*rest[:3],)
            case ["comparison", *rest]:
                given["comparison"] = "_".join(rest)
    return Sampler(given.pop("filter"), **given)


def _primitives(words: list[str]) -> tuple[str, int, int]:
    """Return topology, vertices and instances: `triangle strip 4 2`."""
    line = " ".join(words)
    found = re.match(
        r"((?:triangle|point|line) (?:list|strip)|\d+ control point patch list) (\d+)\s*(\d*)", line
    )
    if found is None:
        raise ScriptError(f"draw {line} is not read")
    topology = found[1] if "patch" in found[1] else found[1].replace(" ", "_")
    return topology, int(found[2]), int(found[3] or 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", default="2.0,3.0,4.0,5.0")
    parser.add_argument("--through", default="")
    parser.add_argument("--engine", default="lockstep")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    for path in sorted(given.folder.glob("*.shader_test")):
        if given.only not in path.name or path.name.startswith("effect"):
            continue
        for model in given.models.split(","):
            run = ScriptRun(path, model, given.engine, given.through)
            for kind, number, what in run.found:
                counts[model, kind] += 1
                if kind in ("failed", "refused"):
                    print(f"{model} {kind} {path.name}:{number}: {what.splitlines()[0]}")
    for (model, kind), count in sorted(counts.items()):
        print(f"{model} {kind:8} {count:6,}")
    return int(any(kind == "failed" for _, kind in counts))


if __name__ == "__main__":
    sys.exit(main())
