"""The same program with a random name for everything, run by slot.

What a call gives and takes is keyed by slots, so it must not matter how anything is called.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

import unshade
from tests.kernels import kernel_of
from unshade.ir.lowered import Form, Lowered
from unshade.ir.specialisation import Specialisation
from unshade.model import Reflection
from unshade.run.binding.arguments import Arguments
from unshade.run.camera.guesses import Guesses, white
from unshade.run.engines import choose
from unshade.run.kernels import Kernel
from unshade.run.signature import KernelSignature
from unshade.vocab.words import Stage

BUDGET = 20_000
COUNTED = ("vertex_id", "instance_id", "primitive_id")


class Names:
    """A random name for each name, always the same one."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.known: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if name and name not in self.known:
            self.known[name] = "".join(self.random.choices("pqxyz.[]_0123", k=12))
        return self.known.get(name, "")


def relabel(lowered: Lowered, reflection: Reflection | None, seed: int) -> None:
    """Give everything another name, in place."""
    names = Names(seed)
    kernel = lowered.kernel
    ports = [*kernel.inputs, *kernel.outputs, *(each for at in lowered.points for each in at.ports)]
    named: list[Any] = [
        *kernel.memories, *kernel.textures, *kernel.samplers, *kernel.variables, *ports,
        *lowered.points,
    ]  # fmt: skip
    for number, each in enumerate({id(each): each for each in named}.values()):
        each.name = names(f"{number} {each.name}")
    for port in ports:
        port.row = names(f"row {port.row}")
    for resource in lowered.resources:
        resource.name = names(f"resource {resource.name}")
    lowered.labels = {word: names(label) for word, label in lowered.labels.items()}
    if reflection is None:
        return
    for row in (*reflection.inputs, *reflection.outputs, *reflection.patch_constants):
        row.semantic = names(row.semantic.casefold())
    bindings: list[Any] = [*reflection.resources, *reflection.constant_buffers]
    for bound in bindings:
        bound.name = names(f"of the source {bound.name}")
    for buffer in reflection.constant_buffers:
        for variable in buffer.variables:
            variable.name = names(f"variable {variable.name}")


# ---------------------------------------------------------------- calls


def by_slot(kernel: Kernel) -> dict[Any, Any]:
    """Something for every binding, by its slot: constants as bytes."""
    guessed = Guesses((4, 3)).constants(kernel, {})
    found: dict[Any, Any] = {}
    for binding in kernel.bindings:
        value = guessed.get(binding.name)
        resource = binding.resource
        if binding.form is Form.CONSTANTS and isinstance(value, Mapping):
            value = Arguments([binding], {binding.name: value}).memories[resource.key]
        elif value is None:
            value = _made_up(binding)
        if value is not None:
            found[binding.slot] = value
    return found


def _made_up(binding: Any) -> Any:
    resource = binding.resource
    match binding.form:
        case Form.CONSTANTS:
            return np.zeros(max(16, resource.size), np.uint8)
        case Form.STRUCTURED:
            return np.zeros(16 * resource.stride, np.uint8)
        case Form.RAW:
            return np.zeros(64, np.uint32)
        case Form.TYPED:
            return np.full((64, 4), 4, white(binding).dtype)
        case Form.TEXTURE:
            return white(binding)
    return None


def inputs(signature: KernelSignature, seed: int) -> dict[Any, Any]:
    """Three vertices, primitives or patches, by slot."""
    chance = np.random.default_rng(seed)
    found = {}
    for row in signature:
        if row.needed and str(row.meaning) not in COUNTED:
            size = (3, row.points, len(row.ports)) if row.points else (3, len(row.ports))
            found[row.slots[0]] = chance.integers(1, 9, size).astype(row.dtype)
    return found


def call(kernel: Kernel, bound: dict[Any, Any], given: tuple[dict[Any, Any], ...]) -> Any:
    """One small call."""
    kernel.budget = BUDGET
    rows, constants = given
    match kernel.stage:
        case Stage.COMPUTE | Stage.MESH | Stage.AMPLIFICATION:
            return kernel.dispatch(1, bound)
        case Stage.PIXEL:
            return kernel.shade((4, 3), None, bound)
        case Stage.DOMAIN:
            where = np.random.default_rng(1).random((5, 3), np.float32)
            return kernel.evaluate(where, rows, constants, bound)
        case Stage.VERTEX:
            return kernel.transform(rows or 3, bound)
        case Stage.GEOMETRY:
            return kernel.expand(rows or 3, bound)
        case Stage.HULL:
            return kernel.tessellate(rows or 3, bound)
    raise AssertionError(kernel.stage)


def left(results: Any) -> dict[Any, tuple[str, bytes]]:
    """Return the results of a call by slots, and those with the same name in every program."""
    found = {}
    for name, array in results.items():
        data = np.asarray(array)
        contents = str(data.dtype), data.tobytes()
        found[tuple(results.slots_of(name)) or name.rpartition(":")[2]] = contents
    return found


def compared(shader: unshade.Shader, engine: str, seed: int, **options: Any) -> int:
    """Assert that names do not matter; return how many arrays were compared."""
    made = []
    program = shader.programs[0]
    several = len(program.entry_points) > 1
    entry = program.entry_points[0].name if several else None
    for names in (None, seed):
        lowered = program.lower(entry, Specialisation(**options))
        reflection = deepcopy(shader.reflect())
        if names is not None:
            relabel(lowered, reflection, names)
        made.append(kernel_of(lowered, reflection, choose(engine, False)))
    plain, renamed = made
    bound = by_slot(plain)
    given = inputs(plain.inputs, seed), inputs(plain.patch_constants, seed)
    wanted = left(call(plain, deepcopy(bound), given))
    found = left(call(renamed, deepcopy(bound), given))
    assert found == wanted
    return len(found)
