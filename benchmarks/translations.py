"""Translations of the corpus's programs to SPIR-V, on lavapipe and on both engines.

    python benchmarks/translations.py [FILE|FOLDER …] [--share N] [--seeds N] [--target NAME]
    python benchmarks/translations.py --language glsl [FILE|FOLDER …]

Every N-th program is translated and run over inputs made by seed, as in real.py; what lavapipe
gives is compared with what both engines give for the module. With `--language glsl` the module is
what glslangValidator makes of the decompiled source. The exit code says whether anything differs
that no known rule (known.py) explains.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from comparing import Difference
from environment import Environment, Maker, Skipped
from interface import Variable, variables
from known import unflushed
from lavapipe import Lavapipe, corpus
from real import report, results, work
from vulkan_resources import STORAGE
from whole import Run

import unshade
from unshade.decompile.bookkeeping import without_bookkeeping
from unshade.errors import UnshadeError
from unshade.ir.kernel import Value
from unshade.ir.lowered import Lowered, LoweredResource
from unshade.ir.memory import Port
from unshade.ir.ops import OPS
from unshade.ir.specialisation import Specialisation
from unshade.ir.waves import Wave
from unshade.isa.source import Source
from unshade.run.binding.bindings import bindings_of
from unshade.vm.launch import Array
from unshade.vocab.slots import ResourceSlot

FAMILIES = {".dxbc": "tpf", ".dxil": "dxil", ".spv": "spirv", ".shbin": "pica", ".skslb": "sksl"}
WAVE = 8  # lanes of lavapipe's waves: a vector of 256 bits
STAGES = ("pixel", "vertex", "compute")
BUILT_INS = {
    "position": "position", "point_size": "point_size", "depth": "depth",
    "sample_mask": "coverage", "layer": "render_target_array_index",
    "viewport": "viewport_array_index",
}  # fmt: skip


class StorageMaker(Maker):
    """Binds buffers of words as storage buffers, not as texels."""

    def _bind(
        self, resource: LoweredResource, variable: Variable | None, data: Array, components: int
    ) -> None:
        self.made.memories[resource.name] = data.view(np.uint8)
        self.made.plain.add(resource.name)
        if variable is not None:
            buffer = self.device.buffer(data.tobytes(), STORAGE)
            self.made.bindings[variable.binding] = buffer
            if resource.writable:
                self.made.written[resource.name] = buffer, components


class TranslatedRun(Run):
    """The translation of a program on the device and here."""

    def __init__(self, device: Lavapipe, made: Any, seed: int) -> None:
        self.made_of = made
        self.data = self.module = made.to_bytes()
        self.stage = made.programs[0].entry_points[0].stage
        try:
            self.lowered = made.programs[0].lower(None, Specialisation(wave_size=WAVE))
        except UnshadeError as error:
            raise Skipped(f"lower: {error}") from None
        without_bookkeeping(self.lowered.kernel)
        if self.stage == "pixel" and any(_of_wave(each) for each in self.lowered.kernel.values()):
            raise Skipped("pixels are in waves in an order that is the driver's")
        self.outside = variables(self.module)
        self.seed = seed
        self.rng = np.random.default_rng(seed + 1000)
        self.device = device
        self.made = self._environment()
        self.difference = Difference()
        self.launch: dict[str, Any] = {}

    def _environment(self) -> Environment:
        maker = StorageMaker(self.device, self.lowered, self.seed, set())
        at = {each.binding: each for each in self.outside if each.binding >= 0}
        for each in self.outside:
            if each.storage == "push" or (
                each.storage not in ("input", "output") and each.type[0] in ("array", "combined")
            ):
                raise Skipped(f"this harness binds no {each.storage} {each.type[0]}")
        for binding in bindings_of(self.lowered, self.made_of.reflect()):
            slot = binding.slot
            variable = at.get(slot.number) if isinstance(slot, ResourceSlot) else None
            if variable is not None:
                variable.name = binding.name
            maker.add(binding, variable)
        return maker.made

    def _others(self) -> dict[str, Lowered]:
        return {"subnormal": unflushed(self.lowered)}

    def _again(self) -> Run:
        return TranslatedRun(self.device, self.made_of, self.seed)

    def _is_of(self, variable: Variable, port: Port) -> bool:
        place = port.slot.place if port.slot is not None else None
        if isinstance(place, int):
            return variable.location == place
        return BUILT_INS.get(variable.built_in) == place

    def _place(self, port: Port) -> tuple[int, int]:
        slot = port.slot
        if slot is None:
            return -1, 0
        return slot.place if isinstance(slot.place, int) else -1, slot.component


def _of_wave(value: Value) -> bool:
    """Return True for an operation between the lanes of a wave, but those of quads."""
    return isinstance(value.attr, Wave) or (
        value.op is OPS.source and value.attr in ("wave_lane", "wave_size")
    )


def translated(path: Path, target: str, language: str = "spirv") -> Any:
    """Return the module of a file, whose resources are all in the first set."""
    try:
        shader = unshade.open(path)
        entries = shader.programs[0].entry_points if shader.programs else []
        if not entries or entries[0][1] not in STAGES:
            raise Skipped(f"a {entries[0][1] if entries else 'file without a'} shader")
        options: dict[str, Any] = {
            "target": target, "entry": entries[0][0] if len(entries) > 1 else None
        }  # fmt: skip
        if language == "glsl":
            text = shader.decompile("glsl", "exact", entry=options["entry"])
            return _of_source(text, entries[0][1])
        made = shader.translate(**options)
        found = made.reflect().resources
        if any(each.space for each in found):
            bindings = {each.name: (0, number) for number, each in enumerate(found)}
            made = shader.translate(bindings=bindings, **options)
    except UnshadeError as error:
        raise Skipped(str(error).partition(" (line")[0]) from None
    return made


def _of_source(text: str, stage: str) -> Any:
    """Return the module of decompiled GLSL."""
    made = unshade.compile(
        Source(text, "decompiled.glsl"), language="glsl", stage=stage, debug=False,
        compiler="glslangValidator",
    )  # fmt: skip
    if any(each.space for each in made.reflect().resources):
        raise Skipped("resources of several sets")
    return made


def found_in(given: list[Path], share: int) -> list[Path]:
    """Return every `share`-th file of each family, by name; files that are named themselves too."""
    families: dict[str, list[Path]] = {}
    for path in given:
        for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
            family = FAMILIES.get(each.suffix)
            if family and not any("malformed" in part for part in each.parts):
                families.setdefault(family, []).append(each)
    chosen = [each for paths in families.values() for each in paths[::share]]
    return [*dict.fromkeys([*[each for each in given if each.is_file()], *chosen])]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="default: the corpus")
    parser.add_argument("--share", type=int, default=10, help="take one in so many files")
    parser.add_argument("--seeds", type=int, default=2, help="environments for each")
    parser.add_argument("--target", default="vulkan1.1", help="environment of the modules")
    parser.add_argument("--language", choices=("spirv", "glsl"), default="spirv")
    parser.add_argument("--verbose", action="store_true", help="name what a known rule explains")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        modules: dict[Path, Any] = {}

        def run_of(device: Lavapipe, path: Path, seed: int) -> Run:
            if path not in modules:
                modules.clear()
                modules[path] = translated(path, given.target, given.language)
            return TranslatedRun(device, modules[path], seed)

        work(given.seeds, run_of)
        return 0
    paths = found_in(given.files or [corpus()], given.share)
    options = ("--target", given.target, "--language", given.language)
    return report(results(paths, given.seeds, script=__file__, options=options), given.verbose)


if __name__ == "__main__":
    sys.exit(main())
