"""Random arguments of kernels: small buffers and textures of unusual numbers, and rows of inputs.

bindings(kernel, chance)       a value for each binding
random_call(kernel, chance)    a call of the kernel's stage, which can be repeated
"""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.hostile.pieces import word
from unshade.ir.library.sampling import COMPARISONS
from unshade.ir.lowered import Form
from unshade.ir.textures import Shape
from unshade.run import Sampler, Texture
from unshade.run.binding.bindings import Binding
from unshade.run.binding.texels import accepted
from unshade.run.runner import Runner
from unshade.run.signature import KernelSignature
from unshade.run.stages.functions import dtype_of_parameter
from unshade.vm.launch import Array
from unshade.vocab.slots import ResourceClass

LARGEST = 1 << 16  # bytes of what is bound
GROUPS = ((1, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 1, 2))
ADDRESSES = ("wrap", "mirror", "clamp", "border", "mirror_once")


def numbers(chance: random.Random, count: int) -> Array:
    """Return dwords: small floats and integers, and troublesome numbers."""
    made = np.empty(count, "<u4")
    for at in range(count):
        match chance.randrange(6):
            case 0:
                made[at] = word(chance)
            case 1:
                made[at] = chance.randrange(8)
            case 2:
                made[at] = chance.randrange(-8, 8) & 0xFFFF_FFFF
            case _:
                made[at] = np.float32(chance.uniform(-2.0, 2.0)).view("<u4")
    return made


def _texture(binding: Binding, chance: random.Random) -> Any:
    resource = binding.resource

    def side() -> int:
        return chance.randrange(1, 6)

    shape: tuple[int, ...] = {
        Shape.BUFFER: (chance.randrange(1, 20),), Shape.D1: (side(),), Shape.D2: (side(), side()),
        Shape.D3: (side(), side(), side()), Shape.CUBE: (6, *(2 * (side(),))),
    }[resource.shape or Shape.BUFFER]  # fmt: skip
    if resource.layered:
        layers = chance.randrange(1, 4)
        shape = (6 * layers, *shape[1:]) if resource.shape is Shape.CUBE else (layers, *shape)
    if resource.multisampled:
        shape = (*shape, chance.choice((1, 2, 4)))
    kind = np.dtype(chance.choice(accepted(resource.returns)))
    components = chance.choice((1, 2, 3, 4, 4, 4))
    count = components * int(np.prod(shape))
    if kind.kind == "f":
        with np.errstate(all="ignore"):
            data = numbers(chance, count).view("<f4").astype(kind)
    else:
        data = numbers(chance, count).astype(kind)
    data = data.reshape(*shape, components)
    mips = kind.kind == "f" and not resource.multisampled and not binding.writable
    if mips and resource.shape is not Shape.BUFFER and chance.random() < 0.5:
        return Texture(data, mips=True)
    return data


def _sampler(chance: random.Random) -> Sampler:
    words = ("linear", "point")
    return Sampler(
        [chance.choice(words) for _ in range(3)],
        [chance.choice(ADDRESSES) for _ in range(3)],
        lod_bias=chance.choice((0.0, 0.5, -20.0)),
        min_lod=chance.choice((-1000.0, 0.0, 1.5)),
        max_lod=chance.choice((1000.0, 0.0, 1.25)),
        comparison=chance.choice(("never", "always", *COMPARISONS)),
    )


def bindings(kernel: Runner, chance: random.Random) -> dict[str, Any]:
    """Return a random value for each binding of the kernel."""
    found: dict[str, Any] = {}
    for binding in kernel.bindings:
        resource = binding.resource
        match binding.form:
            case Form.SAMPLER:
                found[binding.name] = _sampler(chance)
            case Form.COUNTER:
                found[binding.name] = chance.randrange(4)
            case Form.CONSTANTS:
                size = binding.buffer.size if binding.buffer is not None else resource.size
                rows = min(-(-max(size, 16) // 16), LARGEST // 16)
                few = numbers(chance, 4 * min(rows, 64))
                found[binding.name] = np.resize(few, 4 * rows).view("u1")
            case Form.STRUCTURED:
                words = resource.stride // 4
                count = chance.randrange(9) if 0 < words <= 256 else 0
                if resource.slot is not None and resource.slot.kind is ResourceClass.PAYLOAD:
                    count = 1
                found[binding.name] = numbers(chance, words * count if count else 0)
                if resource.stride % 4 or binding.dtype is not None:
                    found[binding.name] = np.resize(
                        found[binding.name].view("u1"), count * resource.stride
                    )
            case Form.RAW:
                found[binding.name] = numbers(chance, chance.randrange(24))
            case _:
                found[binding.name] = _texture(binding, chance)
    return found


def _rows(
    signature: KernelSignature, chance: random.Random, lanes: tuple[int, ...]
) -> dict[str, Array]:
    """Return random inputs for each lane."""
    found: dict[str, Array] = {}
    for row in signature:
        if row.needed:
            outer = (*lanes, row.points) if row.points else lanes
            few = numbers(chance, min(int(np.prod(outer)) * len(row.ports), 96)).view("u1")
            wide = len(row.ports) * row.dtype.itemsize
            found[row.label] = np.resize(few, (*outer, wide)).view(row.dtype)
    return found


def _parameters(kernel: Runner, chance: random.Random, count: int) -> dict[str, Array]:
    """Return random arguments of a function; truth values, and structures with any, are 0."""
    found: dict[str, Array] = {}
    for each in kernel.lowered.parameters:
        if each.read:
            kind = dtype_of_parameter(each.layout)
            array = np.zeros(count, kind)
            if "?" not in str(kind.descr if kind.names else kind.base.str + kind.base.char):
                few = numbers(chance, 96).view("u1")
                array = np.resize(few, count * kind.itemsize).view(kind.base).reshape(array.shape)
            transposed = each.layout.transposed
            found[each.name] = np.swapaxes(array, -1, -2) if transposed else array
    return found


Call = Callable[[Runner, dict[str, Any]], Any]


def random_call(kernel: Runner, chance: random.Random) -> Call:
    """Return a random call of the kernel that can be repeated."""
    count = chance.randrange(1, 20)
    match kernel.stage:
        case "compute" | "mesh" | "amplification":
            groups = chance.choice(GROUPS)
            return lambda kernel, given: kernel.dispatch(groups, **given)
        case "vertex":
            vertices = _rows(kernel.inputs, chance, (count,))
            return lambda kernel, given: kernel.transform(vertices or count, **given)
        case "geometry":
            primitives = _rows(kernel.inputs, chance, (count,))
            return lambda kernel, given: kernel.expand(primitives or count, **given)
        case "hull":
            patches = _rows(kernel.inputs, chance, (count,))
            return lambda kernel, given: kernel.tessellate(patches or count, **given)
        case "domain":
            points = numbers(chance, 3 * count * 4).view("<f4").reshape(count, 4, 3)
            corners = _rows(kernel.inputs, chance, (count,))
            of_patch = _rows(kernel.patch_constants, chance, (count,))
            return lambda kernel, given: kernel.evaluate(points, corners, of_patch, **given)
        case "library":
            given = _parameters(kernel, chance, count)
            return lambda kernel, bound: kernel.call(given, bound)
    width, height = chance.randrange(1, 8), chance.randrange(1, 5)
    if chance.random() < 0.2:
        pixels = _rows(kernel.inputs, chance, (width,))
        if pixels:
            return lambda kernel, given: kernel.shade(pixels, **given)
    grid = _rows(kernel.inputs, chance, (height, width)) if chance.random() < 0.7 else {}
    return lambda kernel, given: kernel.shade((width, height), grid, **given)
