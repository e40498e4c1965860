"""WGSL of the corpus's programs, run by wgpu, and the programs themselves on one of our engines.

    python benchmarks/webgpu.py [FILE|FOLDER …] [--share N] [--seeds N] [--verbose]

Compute shaders run as they are. The entry point of a vertex or pixel shader becomes a function that
an entry point of this harness calls, for 64 lanes: it reads the inputs from a storage buffer and
writes the outputs to another one. Pixels are drawn, so that quads and discarded lanes are real.

wgpu (with naga) runs on a Vulkan device for the CPU: Debian's mesa-vulkan-drivers and libvulkan1.
WGSL lets implementations flush subnormal numbers and round some operations otherwise, so that
floats are equal within 1e-5 + 1e-4 of the number. Programs that differ are printed; the exit code
says whether there are any.
"""

import argparse
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from comparing import closeness
from environment import Skipped, typed
from lavapipe import corpus
from translations import STAGES, found_in

import unshade
from unshade.errors import BudgetError, LimitError, UnshadeError
from unshade.ir.lowered import Form
from unshade.run.any_stage import over
from unshade.run.binding.bindings import Binding
from unshade.run.binding.sampler import Sampler
from unshade.run.kernels import Kernel
from unshade.run.signature import SignatureRow
from unshade.vm.launch import Array
from unshade.vocab.slots import CLASS_BINDINGS, ResourceClass, ResourceSlot
from unshade.vocab.words import SystemValue

LANES, SIDE = 64, 8  # lanes, pixels of a square
HARNESS = 3  # group of the harness's own buffers
HEAD = re.compile(r"@(fragment|vertex)\nfn main\((.*?)\) -> Outputs \{\n", re.S)
OUTPUTS = re.compile(r"struct Outputs \{\n(.*?)\}\n", re.S)
DECLARED = re.compile(r"^@group\((\d+)\) @binding\((\d+)\) var(?:<([\w, ]+)>)? (\w+): (.+);$", re.M)
MEMBER = re.compile(r"^    ((?:@\w+\([^)]*\) )+)(\w+): (\w+),$", re.M)
LOCATION, BUILT_IN = re.compile(r"@location\((\d+)\)"), re.compile(r"@builtin\((\w+)\)")
KINDS = {"f32": "f", "vec2f": "f", "vec3f": "f", "vec4f": "f"}
MEANINGS = {
    "position": SystemValue.POSITION, "vertex_index": SystemValue.VERTEX_ID,
    "instance_index": SystemValue.INSTANCE_ID, "front_facing": SystemValue.IS_FRONT_FACE,
    "sample_index": SystemValue.SAMPLE_INDEX, "sample_mask": SystemValue.COVERAGE,
    "frag_depth": SystemValue.DEPTH,
}  # fmt: skip
TEXTURES = {"texture_2d": "2d", "texture_2d_array": "2d-array", "texture_cube": "cube",
            "texture_3d": "3d", "texture_1d": "1d"}  # fmt: skip
COMBINED = 300  # from a texture to the sampler that it is combined with
PUSHED = 500
PADDING = 4096  # zeros behind a constant buffer, which the code may declare larger than it is


@dataclass
class Port:
    """A parameter of the entry point, or a member of what it returns."""

    name: str
    type: str
    location: int | None
    built_in: str
    first: int = 0  # word of a lane

    @property
    def width(self) -> int:
        return int(self.type[3]) if self.type.startswith("vec") else 1


@dataclass
class Harnessed:
    """A program that reads its inputs from a buffer and writes its outputs to one."""

    text: str
    inputs: list[Port] = field(default_factory=list)
    outputs: list[Port] = field(default_factory=list)


def ports(text: str) -> list[Port]:
    found = []
    at = 0
    for attributes, name, type in MEMBER.findall(text):
        location, built_in = LOCATION.search(attributes), BUILT_IN.search(attributes)
        port = Port(
            name, type, int(location[1]) if location else None, built_in[1] if built_in else "", at
        )
        found.append(port)
        at += port.width
    return found


def read(port: Port, count: int) -> str:
    """The expression of an input of a lane."""
    scalar = {"f": "f32", "i": "i32", "u": "u32"}.get(port.type[-1], port.type)
    scalar = scalar if port.type.startswith("vec") else port.type
    words = [f"harness_in[lane * {count}u + {port.first + at}u]" for at in range(port.width)]
    if scalar == "bool":
        return f"{words[0]} != 0u"
    parts = [each if scalar == "u32" else f"bitcast<{scalar}>({each})" for each in words]
    return f"{port.type}({', '.join(parts)})"


def harnessed(text: str) -> Harnessed:
    """The text with an entry point of the harness."""
    head = HEAD.search(text)
    returned = OUTPUTS.search(text)
    if head is None or returned is None:
        raise Skipped("an entry point without outputs")
    inputs, outputs = ports(head[2]), ports(returned[1])
    plain = re.sub(r"@(?:location|builtin|interpolate)\([^)]*\) ", "", head[2])
    start = f"fn shader_main({plain}) -> Outputs {{\n"
    text = text[: head.start()] + start + text[head.end() :]
    bare = re.sub(r"@(?:location|builtin|interpolate)\([^)]*\) ", "", returned[1])
    text = text.replace(returned[1], bare, 1)
    many = sum(each.width for each in inputs)
    count = 1 + sum(each.width for each in outputs)
    body = [f"    let o = shader_main({', '.join(read(each, many) for each in inputs)});"]
    for each in outputs:
        for at in range(each.width):
            part = f"o.{each.name}" + f".{'xyzw'[at]}" * (each.width > 1)
            body.append(
                f"    harness_out[lane * {count}u + {1 + each.first + at}u] = bitcast<u32>({part});"
            )
    body.append(f"    harness_out[lane * {count}u] = 1u;")
    lines = [
        f"@group({HARNESS}) @binding(0) var<storage, read> harness_in: array<u32>;",
        f"@group({HARNESS}) @binding(1) var<storage, read_write> harness_out: array<u32>;",
    ]
    if head[1] == "vertex":
        lines += [
            f"@compute @workgroup_size({LANES}, 1, 1)",
            "fn harness(@builtin(local_invocation_index) lane: u32) {", *body, "}",
        ]  # fmt: skip
    else:
        lines += [
            "@vertex",
            "fn corners(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {",
            "    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);", "}",
            "@fragment", "fn harness(@builtin(position) place: vec4f) -> @location(0) vec4f {",
            "    let p = vec2u(place.xy);",
            f"    let quad = (p.y >> 1u) * {SIDE // 2}u + (p.x >> 1u);",
            "    let lane = 4u * quad + 2u * (p.y & 1u) + (p.x & 1u);", *body,
            "    return vec4f();", "}",
        ]  # fmt: skip
    return Harnessed(text + "\n".join(lines) + "\n", inputs, outputs)


class Arguments:
    """Inputs and resources, the same on both sides."""

    def __init__(self, kernel: Kernel, seed: int) -> None:
        self.kernel = kernel
        self.chance = np.random.default_rng(seed)

    def words(self, count: tuple[int, ...], letter: str = "f") -> Array:
        if letter == "f":
            found = self.chance.integers(-128, 129, count) / 64
            return found.astype(np.float32).view(np.uint32)
        return self.chance.integers(0, 8, count).astype(np.uint32)

    def row(self, row: SignatureRow) -> Array:
        """(lanes, 4) words."""
        made = self.words((LANES, 4), row.dtype.kind)
        if row.dtype.kind == "f" and self.kernel.stage == "pixel":
            made = self.planes()
        if row.meaning is SystemValue.IS_FRONT_FACE:
            made = np.where(made & 1, 0xFFFF_FFFF, 0).astype(np.uint32)
        if row.meaning is SystemValue.POSITION and self.kernel.stage == "pixel":
            powers = 2.0 ** self.chance.integers(-2, 3, LANES)
            made[:, 3] = powers.astype(np.float32).view(np.uint32)
        return made

    def planes(self) -> Array:
        """(lanes, 4) floats that are linear in each quad: coarse derivatives are fine ones."""
        start, x, y = (self.chance.integers(-most, most + 1, (LANES // 4, 1, 4))
                       for most in (128, 8, 8))  # fmt: skip
        lane = np.arange(4).reshape(1, 4, 1)
        whole = start + x * (lane & 1) + y * (lane >> 1)
        return (whole / 64).astype(np.float32).view(np.uint32).reshape(LANES, 4)

    def bound(self, binding: Binding) -> Any:
        """What a binding is given."""
        resource = binding.resource
        match binding.form:
            case Form.CONSTANTS:
                size = max(resource.size, 16)
                data = self.words((-(-size // 4),)).view(np.uint8)[:size]
                if binding.dtype is not None:
                    given = typed(self.chance, binding.dtype, "4")[:size]
                    data[: len(given)] = given
                return data.tobytes()
            case Form.RAW | Form.STRUCTURED:
                return self.words((64 * max(resource.stride, 4) // 4,)).view(np.uint8)
            case Form.SAMPLER:
                return Sampler("linear", address="clamp")
            case Form.TEXTURE if not resource.writable and not resource.multisampled:
                return self.texels(binding)
        raise Skipped(f"this harness binds no {binding.form}")

    def texels(self, binding: Binding) -> Array:
        """Texels of four components, of eight a side."""
        resource = binding.resource
        word = (resource.returns or ("float",))[0]
        shape = str(resource.shape)
        sizes = {"1d": (8,), "2d": (8, 8), "3d": (8, 8, 8), "cube": (6, 8, 8)}.get(shape)
        if sizes is None or (resource.layered and shape != "2d"):
            raise Skipped(f"this harness binds no {shape} texture")
        sizes = (3, *sizes) if resource.layered else sizes
        if word in ("sint", "uint"):
            kind = np.int32 if word == "sint" else np.uint32
            return self.words((*sizes, 4), "i").view(kind)
        return np.abs(self.words((*sizes, 4)).view(np.float32)) / 2


class Device:
    """wgpu's device, and what is bound on it."""

    def __init__(self) -> None:
        import wgpu

        self.wgpu = wgpu
        found = [
            each for each in wgpu.gpu.enumerate_adapters_sync()
            if each.info["backend_type"] == "Vulkan" and each.info["adapter_type"] == "CPU"
        ]  # fmt: skip
        if not found:
            raise Skipped("wgpu finds no Vulkan device for the CPU")
        wanted = ("float32-filterable", "clip-distances", "subgroup", "subgroup-barrier")
        features = [each for each in wanted if each in found[0].features]
        self.device = found[0].request_device_sync(required_features=features)
        self.name = found[0].info["device"]

    def buffer(self, data: bytes, uniform: bool = False) -> Any:
        usage = self.wgpu.BufferUsage
        data += bytes(PADDING if uniform else -len(data) % 16)
        kind = usage.UNIFORM if uniform else usage.STORAGE | usage.COPY_SRC
        return self.device.create_buffer_with_data(data=data, usage=kind)

    def texture(self, texels: Array, type: str) -> Any:
        """A view of a texture."""
        dimension = TEXTURES.get(type.partition("<")[0])
        if dimension is None:
            raise Skipped(f"this harness binds no {type}")
        ending = {"f": "float", "i": "sint", "u": "uint"}[texels.dtype.kind]
        depth = texels.shape[0] if texels.ndim == 4 else 1
        size = (texels.shape[-2], texels.shape[-3] if texels.ndim > 2 else 1, depth)
        whole = "3d" if dimension == "3d" else "1d" if dimension == "1d" else "2d"
        usage = self.wgpu.TextureUsage
        made = self.device.create_texture(
            size=size, dimension=whole, format=f"rgba32{ending}",
            usage=usage.TEXTURE_BINDING | usage.COPY_DST,
        )  # fmt: skip
        self.device.queue.write_texture(
            {"texture": made}, np.ascontiguousarray(texels).tobytes(),
            {"bytes_per_row": 16 * size[0], "rows_per_image": size[1]}, size,
        )  # fmt: skip
        return made.create_view(dimension=dimension)

    def sampler(self) -> Any:
        return self.device.create_sampler(
            mag_filter="linear", min_filter="linear", mipmap_filter="linear"
        )


def binding_of(kernel: Kernel, group: int, number: int, is_sampler: bool) -> Binding:
    """The binding of a program that a declaration stands for."""
    for each in kernel.bindings:
        slot = each.slot
        if not isinstance(slot, ResourceSlot) or (each.form is Form.SAMPLER) != is_sampler:
            continue
        places = {slot.number + CLASS_BINDINGS.get(slot.kind, 0), slot.number}
        if slot.kind is ResourceClass.PUSH:
            places = {slot.number + PUSHED}
        if is_sampler and slot.kind is ResourceClass.COMBINED_SAMPLER:
            places.add(slot.number + COMBINED)
        if slot.space == group and number in places:
            return each
    raise Skipped("a declaration that is no binding of the program")


class WebRun:
    """A program on both sides."""

    def __init__(self, device: Device, path: Path, seed: int) -> None:
        shader = unshade.open(path)
        entries = shader.programs[0].entry_points if shader.programs else []
        if not entries or entries[0][1] not in STAGES:
            raise Skipped("another stage, or no program")
        entry = entries[0][0] if len(entries) > 1 else None
        self.text = shader.translate("wgsl", entry=entry)
        self.kernel = unshade.kernel(shader, entry=entry, engine="lockstep")
        self.kernel.budget = 1 << 14
        self.stage = self.kernel.stage
        self.device = device
        self.arguments = Arguments(self.kernel, seed)
        self.counts: Counter[str] = Counter()
        self.rows: list[str] = []

    def run(self) -> None:
        values = {each.name: self.arguments.bound(each) for each in self.kernel.bindings}
        made = harnessed(self.text) if self.stage != "compute" else Harnessed(self.text)
        rows = {row.label: self.arguments.row(row) for row in self.kernel.inputs}
        theirs, memories = self._theirs(made, rows, values)
        given = {
            name: each.copy() if isinstance(each, np.ndarray) else each
            for name, each in values.items()
        }
        if self.stage == "compute":
            results = self.kernel.dispatch((1, 1, 1), **given)
        else:
            inputs = {
                row.label: np.ascontiguousarray(rows[row.label][:, row.components]).view(row.dtype)
                for row in self.kernel.inputs
            }
            results = over(self.kernel, inputs or LANES, given)
            self._outputs(made, results, theirs)
        for binding in self.kernel.bindings:
            if binding.writable and binding.name in memories:
                known = next((each for each in binding.names if each in results), "")
                ours = results[known] if known else given[binding.name]
                words = np.ascontiguousarray(ours).view(np.uint8).view(np.uint32).reshape(-1)
                self._compare(binding.name, words, memories[binding.name][: len(words)], "w")

    def _outputs(self, made: Harnessed, results: Any, theirs: Array) -> None:
        kept = theirs[:, 0] != 0
        if "covered" in results:
            covered = np.asarray(results["covered"]).reshape(-1) != 0
            self._compare("covered", covered.astype(np.uint32), kept.astype(np.uint32), "i")
            kept &= covered
        for row in self.kernel.outputs:
            if row.label not in results:
                continue
            port = self._port(made.outputs, row)
            if port is None:
                given = np.asarray(results[row.label])  # 0 if nothing is written to it
                if row.meaning is not SystemValue.POINT_SIZE and given.any():
                    self.rows.append(f"{row.label} is no output")
                continue
            ours = np.ascontiguousarray(results[row.label]).reshape(LANES, -1).view(np.uint32)
            for at, component in enumerate(row.components[: ours.shape[1]]):
                number = component if port.location is not None else at
                if number < port.width:
                    word = theirs[:, 1 + port.first + number]
                    letter = KINDS.get(port.type, "i")
                    self._compare(row.label, ours[kept, at], word[kept], letter)

    def _port(self, listed: list[Port], row: SignatureRow) -> Port | None:
        for each in listed:
            if each.built_in and MEANINGS.get(each.built_in) is row.meaning:
                return each
            if each.built_in == "frag_depth" and str(row.meaning).startswith("depth"):
                return each
            if each.location is not None and self._location(row) == each.location:
                return each
        return None

    def _location(self, row: SignatureRow) -> int | None:
        """The location of a row; rows without one have the numbers that are free, in order."""
        if row.location is not None or row.meaning in MEANINGS.values():
            return row.location
        rows = self.kernel.inputs if row in self.kernel.inputs else self.kernel.outputs
        taken = {each.location for each in rows}
        free = (number for number in range(len(rows) + len(taken)) if number not in taken)
        left = [
            each for each in rows
            if each.location is None and each.meaning not in MEANINGS.values()
        ]  # fmt: skip
        return next(number for each, number in zip(left, free, strict=False) if each is row)

    def _compare(self, name: str, ours: Array, theirs: Array, letter: str) -> None:
        near = closeness(letter, ours, theirs)
        self.counts["equal"] += int((ours == theirs).sum())
        self.counts["near"] += int((near & (ours != theirs)).sum())
        if not near.all():
            at = int(np.flatnonzero(~near)[0])
            pair = [each[at : at + 1].view(np.float32)[0] for each in (ours, theirs)]
            text = f"{pair[0]:.9g} here, {pair[1]:.9g} there" if letter == "f" else (
                f"{ours[at]:#x} ({pair[0]:.6g}) here, {theirs[at]:#x} ({pair[1]:.6g}) there"
            )  # fmt: skip
            self.rows.append(f"{name}: {int((~near).sum())} different, at {at}: {text}")

    # ------------------------------------------------------------ the device

    def _input(self, made: Harnessed, rows: dict[str, Array]) -> bytes:
        count = sum(each.width for each in made.inputs)
        words = np.zeros((LANES, max(count, 1)), np.uint32)
        for row in self.kernel.inputs:
            port = self._port(made.inputs, row)
            if port is None:
                continue
            data = rows[row.label].copy()
            if port.built_in == "position":
                w = data[:, 3].view(np.float32)
                data[:, 3] = (np.float32(1) / w).view(np.uint32)
            for component in row.components:
                at = component if port.location is not None else component - row.components[0]
                if at < port.width:
                    words[:, port.first + at] = data[:, component]
        return words.tobytes()

    def _theirs(
        self, made: Harnessed, rows: dict[str, Array], values: dict[str, Any]
    ) -> tuple[Array, dict[str, Array]]:
        device, wgpu = self.device.device, self.device.wgpu
        try:
            module = device.create_shader_module(code=made.text)
        except wgpu.GPUError as error:
            raise Skipped(f"naga: {str(error).splitlines()[-1]:.60}") from None
        groups: dict[int, list[Any]] = {}
        written: dict[str, Any] = {}
        for group, number, space, _, type in DECLARED.findall(self.text):
            each = binding_of(self.kernel, int(group), int(number), type.startswith("sampler"))
            value = values[each.name]
            if space:
                data = value if isinstance(value, bytes) else value.tobytes()
                resource: Any = self.device.buffer(data, space == "uniform")
                if "read_write" in space:
                    written[each.name] = resource
                resource = {"buffer": resource}
            elif type.startswith("sampler"):
                resource = self.device.sampler()
            else:
                resource = self.device.texture(value, type)
            groups.setdefault(int(group), []).append({"binding": int(number), "resource": resource})
        count = 1 + sum(each.width for each in made.outputs)
        out = self.device.buffer(bytes(4 * count * LANES))
        if made.outputs:
            entries = groups.setdefault(HARNESS, [])
            if made.inputs:
                given = {"buffer": self.device.buffer(self._input(made, rows))}
                entries.append({"binding": 0, "resource": given})
            entries.append({"binding": 1, "resource": {"buffer": out}})
        try:
            self._submit(module, groups)
        except wgpu.GPUError as error:
            raise Skipped(f"wgpu: {str(error).splitlines()[-1]:.60}") from None
        words = np.frombuffer(device.queue.read_buffer(out), np.uint32)
        memories = {
            name: np.frombuffer(device.queue.read_buffer(each), np.uint32)
            for name, each in written.items()
        }
        return words[: count * LANES].reshape(LANES, count), memories

    def _submit(self, module: Any, groups: dict[int, list[Any]]) -> None:
        device, wgpu = self.device.device, self.device.wgpu
        encoder = device.create_command_encoder()
        if self.stage == "pixel":
            target = device.create_texture(
                size=(SIDE, SIDE, 1), format="rgba8unorm",
                usage=wgpu.TextureUsage.RENDER_ATTACHMENT,
            )  # fmt: skip
            pipeline = device.create_render_pipeline(
                layout="auto", vertex={"module": module, "entry_point": "corners"},
                fragment={
                    "module": module, "entry_point": "harness",
                    "targets": [{"format": "rgba8unorm"}],
                },
            )  # fmt: skip
            passed = encoder.begin_render_pass(
                color_attachments=[{
                    "view": target.create_view(), "load_op": "clear", "store_op": "store",
                }]
            )  # fmt: skip
        else:
            entry = "main" if self.stage == "compute" else "harness"
            pipeline = device.create_compute_pipeline(
                layout="auto", compute={"module": module, "entry_point": entry}
            )
            passed = encoder.begin_compute_pass()
        passed.set_pipeline(pipeline)
        for number, entries in groups.items():
            layout = pipeline.get_bind_group_layout(number)
            passed.set_bind_group(number, device.create_bind_group(layout=layout, entries=entries))
        if self.stage == "pixel":
            passed.draw(3)
        else:
            passed.dispatch_workgroups(1)
        passed.end()
        device.queue.submit([encoder.finish()])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="default: the corpus")
    parser.add_argument("--share", type=int, default=10, help="take one in so many files")
    parser.add_argument("--seeds", type=int, default=2, help="arguments for each")
    parser.add_argument("--verbose", action="store_true", help="name what is skipped")
    given = parser.parse_args()
    try:
        device = Device()
    except (ImportError, Skipped) as reason:
        print(f"not run: {reason}", file=sys.stderr)
        return 2
    stages: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    bad = 0
    for path in found_in(given.files or [corpus()], given.share):
        rows: list[str] = []
        try:
            for seed in range(given.seeds):
                one = WebRun(device, path, seed)
                one.run()
                numbers += one.counts
                rows += [f"seed {seed} {each}" for each in one.rows]
        except (Skipped, BudgetError, LimitError) as reason:
            skipped[str(reason).partition(" (line")[0]] += 1
            if given.verbose:
                print(f"{path}: {reason}", flush=True)
            continue
        except UnshadeError as error:
            skipped[f"{type(error).__name__}: {error}".partition(" (line")[0][:80]] += 1
            continue
        stages[one.stage] += 1
        if rows:
            bad += 1
            print(path, *(f"    {each}" for each in rows[:4]), sep="\n", flush=True)
    for reason_, count in skipped.most_common():
        print(f"{count:6} skipped: {reason_}")
    for stage, count in sorted(stages.items()):
        print(f"{count:6} {stage} programs")
    print(f"{device.name}: {bad} programs differ; {numbers['equal']} numbers equal, "
          f"{numbers['near']} near")  # fmt: skip
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
