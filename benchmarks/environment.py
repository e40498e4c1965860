"""Bindings of a program, made by seed: the same numbers as memories here and on the device.

    cb#      variables of floats and integers as the reflection says; else as the seed says
    t#       16 texels along each axis (8 of cubes and volumes, 3 layers), three levels; one if
             a level would be estimated: lavapipe does so roughly
    t# u#    raw and structured: 64 elements or more, of words; typed: 256 texels
    u#       textures of 32 texels along each axis
    s#       linear filters, address modes by seed

Numbers are multiples of 1/64 between -2 and 2, or small integers (0 and 1 with seed 0): sums and
products of a few of them are exact, and an integer that is taken for an address points at
something.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from interface import Variable
from lavapipe import Lavapipe
from vulkan_resources import (
    SAMPLED_IMAGE,
    SAMPLER,
    STORAGE_TEXELS,
    TEXELS,
    UNIFORM,
    Buffer,
    Half,
    Image,
    Texture,
)

from unshade.ir.library.sampling import Address, SamplerState, TextureState
from unshade.ir.lowered import RASTERIZER, Form, Lowered, LoweredResource
from unshade.ir.textures import Action, Level, Sample, Shape
from unshade.run.binding import textures
from unshade.run.binding.bindings import Binding, bindings_of

Array = npt.NDArray[Any]
WORDS = 1024  # of a buffer, at least
ADDRESSES = [(Address.WRAP, 0), (Address.MIRROR, 1), (Address.CLAMP, 2), (Address.BORDER, 3)]
COMPARISONS = {"less": 1, "less_equal": 3, "greater": 4, "greater_equal": 6}
ESTIMATED = (Level.AUTO, Level.BIAS, Level.GRADIENT)  # levels that drivers only estimate
LEVELS = 3
LETTERS = {"f": "rgba32f", "i": "rgba32i", "u": "rgba32ui"}


class Skipped(Exception):
    """Something that this harness, the driver or the translator cannot do; the reason."""


@dataclass
class Environment:
    """`bindings` is for the device, by number; `written` what it writes, by our name."""

    memories: dict[str, Array] = field(default_factory=dict)
    textures: dict[str, TextureState] = field(default_factory=dict)
    samplers: dict[str, SamplerState] = field(default_factory=dict)
    bindings: dict[int, Any] = field(default_factory=dict)
    written: dict[str, Any] = field(default_factory=dict)

    def theirs(self, name: str) -> Array:
        """Return the words that the device wrote: (texels, components) or (words,)."""
        thing, components = self.written[name]
        data = bytes(thing.data) if isinstance(thing, Buffer) else thing.read()
        return np.frombuffer(data, np.uint32).reshape(-1, components)

    def ours(self, name: str, memory: Array) -> Array:
        """Return the words that an engine wrote into a memory, likewise."""
        components = self.written[name][1]
        if name.endswith(".counter") or name in self.plain:
            return memory.view(np.uint32).reshape(-1, 1)
        return memory.view(np.uint32).reshape(-1, 4)[:, :components]

    plain: set[str] = field(default_factory=set)  # raw and structured buffers


def numbers(rng: np.random.Generator, count: int, letter: str) -> Array:
    """Words: f multiples of 1/64, i integers from 0 to 7, n floats from 0 to 1, h from 1/4
    to 3/4 (so normals in textures have a third component).

    A digit stands for the integers below it.
    """
    if letter == "n":
        return (rng.integers(0, 65, count) / 64).astype(np.float32).view(np.uint32)
    if letter == "h":
        return (rng.integers(16, 49, count) / 64).astype(np.float32).view(np.uint32)
    if letter == "f":
        return (rng.integers(-128, 129, count) / 64).astype(np.float32).view(np.uint32)
    return rng.integers(0, int(letter) if letter.isdigit() else 8, count, np.uint32)


def typed(rng: np.random.Generator, dtype: np.dtype[Any], most: str) -> Array:
    """One value of a dtype, as bytes; `most` is the digit for integers."""
    made = np.zeros(dtype.itemsize, np.uint8)
    if dtype.names:
        for name in dtype.names:
            of, offset = dtype.fields[name][:2]  # type: ignore[index]
            made[offset : offset + of.itemsize] = typed(rng, of, most)
    elif dtype.subdtype:
        base = dtype.subdtype[0]
        values = [typed(rng, base, most) for _ in range(dtype.itemsize // base.itemsize)]
        made[:] = np.concatenate(values) if values else made
    elif dtype.kind == "f":
        value = numbers(rng, 1, "f").view(np.float32).astype(dtype)
        made[:] = value.view(np.uint8)
    else:
        made[:] = numbers(rng, 1, most).astype(dtype).view(np.uint8)
    return made


class Maker:
    """Makes the things of one program one after the other."""

    def __init__(
        self, device: Lavapipe, lowered: Lowered, seed: int, integers: set[tuple[str, int]]
    ) -> None:
        self.device = device
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        self.most = str(2 + 2 * seed)
        self.integers = integers
        self.made = Environment()
        if any(each.name == RASTERIZER for each in lowered.kernel.memories):
            self.made.memories[RASTERIZER] = np.array([1], "<u4").view(np.uint8)
        self.compared: set[str] = set()  # textures and samplers
        self.whole: set[str] = set()  # samplers of integer textures
        self.alone: set[str] = set()  # textures and samplers of one level
        for value in lowered.kernel.values():
            attribute = value.attr
            if not isinstance(attribute, Sample):
                continue
            estimated = attribute.action is Action.SAMPLE and attribute.level in ESTIMATED
            if attribute.action is Action.LOD or estimated:
                self.alone.add(attribute.texture.name)
                self.alone.add(attribute.sampler.name if attribute.sampler else "")
            if attribute.sampler is not None:
                if attribute.compare:
                    self.compared |= {attribute.texture.name, attribute.sampler.name}
                if attribute.texture.type.name == "i32" and attribute.action is not Action.FETCH:
                    self.whole.add(attribute.sampler.name)

    def words(self, count: int) -> Array:
        """Words nobody says the type of: floats with even seeds, integers with odd ones."""
        return numbers(self.rng, count, "fi"[self.seed % 2])

    def add(self, binding: Binding, variable: Variable | None) -> None:
        """One thing; `variable` is None where the module does not have it."""
        resource = binding.resource
        match resource.form:
            case Form.CONSTANTS:
                self._constants(binding, variable)
            case Form.RAW | Form.STRUCTURED:
                self._words(binding, variable)
            case Form.COUNTER:
                self._bind(resource, variable, np.full(1, 3, np.uint32), 1)
            case Form.TYPED:
                self._typed(resource, variable)
            case Form.TEXTURE:
                self._texture(resource, variable)
            case Form.SAMPLER:
                self._sampler(resource, variable)
            case _:
                pass

    def _constants(self, binding: Binding, variable: Variable | None) -> None:
        size = binding.resource.size or 4096
        words = self.words(size // 4)
        for name, at in self.integers:
            if name == binding.name and at < len(words):
                words[at] = numbers(self.rng, 1, self.most)[0]
        data = words.view(np.uint8).copy()
        if binding.dtype is not None:
            given = typed(self.rng, binding.dtype, self.most)[:size]
            data[: len(given)] = given
        self.made.memories[binding.name] = data
        if variable is not None:
            buffer = self.device.buffer(data.tobytes(), UNIFORM)
            self.made.bindings[variable.binding] = buffer

    def _words(self, binding: Binding, variable: Variable | None) -> None:
        resource = binding.resource
        stride = max(resource.stride, 4)
        elements = max(64, -(-WORDS * 4 // stride))
        data: Array = self.words(elements * stride // 4)
        if binding.dtype is not None and binding.dtype.itemsize == stride:
            data = np.concatenate(
                [typed(self.rng, binding.dtype, self.most) for _ in range(elements)]
            )
        self._bind(resource, variable, data.view(np.uint32), 1)

    def _bind(
        self, resource: LoweredResource, variable: Variable | None, data: Array, components: int
    ) -> None:
        self.made.memories[resource.name] = data.view(np.uint8)
        self.made.plain.add(resource.name)
        if variable is None:
            return
        kind = STORAGE_TEXELS if resource.writable else TEXELS
        buffer = self.device.texels(data.tobytes(), "r32ui", kind)
        self.made.bindings[variable.binding] = buffer
        if resource.writable:
            self.made.written[resource.name] = buffer, components

    def _texels(
        self, resource: LoweredResource, variable: Variable | None, shape: tuple[int, ...]
    ) -> tuple[Array, str, int]:
        """Texels of four components as ours, the format and the components of theirs."""
        word = resource.returns[0] if resource.returns else "float"
        letter = {"unorm": "n", "sint": "i", "uint": "i"}.get(word, "fh"[self.seed % 2 == 0])
        data = numbers(self.rng, 4 * int(np.prod(shape)), letter).reshape(*shape, 4)
        if word not in ("sint", "uint"):
            data = data.view(np.float32)
        format = LETTERS[variable.type[1]] if variable else "rgba32f"
        if variable and variable.type[-1]:
            format = variable.type[-1]
        if resource.name in self.compared:
            format = "d32"
            data = np.abs(data) / 2
        if not format.startswith("rgba"):
            data = data[..., :1]
        return data, format, data.shape[-1]

    def _typed(self, resource: LoweredResource, variable: Variable | None) -> None:
        data, format, components = self._texels(resource, variable, (256,))
        packed = textures.pack(resource, _kinds(data, resource), resource.name)
        self.made.memories[resource.name] = packed.texels
        if variable is None:
            return
        kind = STORAGE_TEXELS if resource.writable else TEXELS
        buffer = self.device.texels(data.tobytes(), format, kind)
        self.made.bindings[variable.binding] = buffer
        if resource.writable:
            self.made.written[resource.name] = buffer, components

    def _texture(self, resource: LoweredResource, variable: Variable | None) -> None:
        if resource.multisampled:
            raise Skipped("a multisampled texture cannot be filled by this harness")
        side = 32 if resource.writable else 16
        layers = 3 if resource.layered else 1
        sizes = {
            Shape.D1: (side,), Shape.D2: (side, side), Shape.D3: (8, 8, 8), Shape.CUBE: (8, 8),
        }[resource.shape or Shape.D2]  # fmt: skip
        if resource.shape is Shape.CUBE:
            layers = 6 * (2 if resource.layered else 1)
        levels = 1 if resource.writable or resource.name in self.alone else LEVELS
        packs, chunks = [], []
        for level in range(levels):
            shape = tuple(size >> level for size in sizes)
            shape = (layers, *shape) if layers > 1 else shape
            data, format, components = self._texels(resource, variable, shape)
            packs.append(_kinds(data, resource))
            chunks.append(data.tobytes())
        packed = textures.pack(resource, packs, resource.name)
        self.made.memories[resource.name] = packed.texels
        self.made.memories[f"{resource.name}.shape"] = packed.shape
        self.made.textures[resource.name] = packed.state
        if variable is None:
            return
        name = str(resource.shape) + (" array" if resource.layered else "")
        image = self.device.image(
            format, *reversed(sizes), shape=name, layers=layers, levels=levels
        )
        image.write(b"".join(chunks))
        if resource.writable:
            self.made.bindings[variable.binding] = image
            self.made.written[resource.name] = image, components
        else:
            self.made.bindings[variable.binding] = Half(Texture(self.device, image), SAMPLED_IMAGE)

    def _sampler(self, resource: LoweredResource, variable: Variable | None) -> None:
        chosen = [ADDRESSES[int(self.rng.integers(0, 4))] for _ in range(3)]
        word = str(self.rng.choice(sorted(COMPARISONS)))
        compared = resource.name in self.compared
        most = 0.0 if resource.name in self.alone else 1000.0
        fields = {
            "mag": 1, "min": 1, "addressU": chosen[0][1], "addressV": chosen[1][1],
            "addressW": chosen[2][1], "mipmap": 1, "maxLod": most, "compare": int(compared),
            "compareOp": COMPARISONS[word] if compared else 0,
        }  # fmt: skip
        options: dict[str, Any] = {"address": tuple(each for each, _ in chosen), "most": most}
        if compared:
            options["comparison"] = word
        self.made.samplers[resource.name] = SamplerState(**options)
        if variable is None:
            return
        image = self.device.image("r32f", 1)
        if resource.name in self.whole:
            fields |= {"mag": 0, "min": 0}
        self.made.bindings[variable.binding] = Half(Texture(self.device, image, **fields), SAMPLER)


def _kinds(data: Array, resource: LoweredResource) -> Array:
    """Integers with the sign that is declared."""
    word = resource.returns[0] if resource.returns else "float"
    return data.view({"sint": np.int32, "uint": np.uint32}.get(word, np.float32))


def environment(
    device: Lavapipe,
    lowered: Lowered,
    reflection: Any,
    outside: list[Variable],
    seed: int,
    integers: set[tuple[str, int]],
) -> Environment:
    """Everything that a program has bound."""
    maker = Maker(device, lowered, seed, integers)
    named = {each.name: each for each in outside if each.binding >= 0}
    given = bindings_of(lowered, reflection)
    for binding in given:
        variable = named.pop(binding.name, None)
        if variable is not None and variable.type[0] == "struct":
            row = variable.type[1]
            declared = 16 * row[1] if row[0] == "array" else 0
            assert declared == binding.resource.size, f"{binding.name}: {variable.type}"
        maker.add(binding, variable)
    if named:
        raise Skipped(f"the module wants {', '.join(named)}, which the program does not declare")
    return maker.made


__all__ = ["Environment", "Image", "Skipped", "environment", "typed"]
