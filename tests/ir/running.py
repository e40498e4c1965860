"""Runs of lowered programs in every installed engine, compared bit for bit.

    run(lowered, memories={"t0": words(1.0, 2.0)}, …).memories["u0"]

Lockstep runs it twice, as lowered and simplified; jit runs it simplified. All results must have the
same bits. `interpreted` is the result of the interpreter, the reference.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.ir.library.images import Image, Words, engines, same
from tests.oracle.interpret import interpret
from tests.oracle.verify import verify
from unshade.ir.kernel import KernelIR
from unshade.ir.library.sampling import SamplerState
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Memory, Port
from unshade.ir.textures import TextureDeclaration
from unshade.vm.launch import Launch, Report, by_label, dtype
from unshade.vm.prepare import prepare

GUARD = 0xDEAD_BEEF  # what stands in an output before


@dataclass(slots=True)
class Outcome:
    """The result of a run: memories and outputs as words, and the engine's report."""

    memories: dict[str, Words]
    outputs: dict[str, Words]
    report: Report
    kernel: Any = field(repr=False, default=None)


def run(
    lowered: Lowered,
    *,
    memories: Mapping[str, Words] | None = None,
    images: Mapping[str, Image] | None = None,
    samplers: Mapping[str, SamplerState] | None = None,
    groups: tuple[int, int, int] = (1, 1, 1),
    inputs: Mapping[str, Words] | None = None,
    items: int = 0,
    helpers: Any = None,
) -> Outcome:
    """Run a program with every engine; return the common result."""
    given = _memories(memories, images)
    first: Outcome | None = None
    for name, engine, simplified in engines():
        kernel = _prepared(lowered, images, samplers, simplified)
        verify(kernel)
        own = {at: np.array(data, np.uint32).view(np.uint8) for at, data in given.items()}
        outputs = {port.name: np.full(items, GUARD, np.uint32) for port in kernel.outputs}
        launch = Launch(
            by_label(kernel.memories, own), groups, items, _ports(kernel.inputs, inputs or {}),
            _ports(kernel.outputs, outputs), helpers, 1 << 16,
        )  # fmt: skip
        report = engine.run(kernel, launch)
        left = {at: data.view(np.uint32) for at, data in own.items()}
        outcome = Outcome(left, outputs, report, kernel)
        if first is None:
            first = outcome
            continue
        for at, data in outcome.memories.items():
            same(data, first.memories[at], f"{name}: {at}")
        for at, data in outcome.outputs.items():
            same(data, first.outputs[at], f"{name}: {at}")
    assert first is not None
    return first


def interpreted(
    lowered: Lowered,
    *,
    memories: Mapping[str, Words] | None = None,
    images: Mapping[str, Image] | None = None,
    samplers: Mapping[str, SamplerState] | None = None,
    inputs: Mapping[str, Words] | None = None,
    items: int = 0,
) -> Outcome:
    """Return the result of the interpreter."""
    kernel = _prepared(lowered, images, samplers, False)
    given = {
        name: bytearray(np.array(data, np.uint32).tobytes())
        for name, data in _memories(memories, images).items()
    }
    numbers = {name: data.tolist() for name, data in (inputs or {}).items()}
    result = interpret(kernel, given, items=items, inputs=numbers)
    left = {name: np.frombuffer(data, np.uint32) for name, data in given.items()}
    outputs = {name: np.array(each, np.uint32) for name, each in result.outputs.items()}
    report = Report("interpreter", out_of_bounds=result.outside, discarded=result.discarded)
    return Outcome(left, outputs, report, kernel)


def _memories(
    memories: Mapping[str, Words] | None, images: Mapping[str, Image] | None
) -> dict[str, Words]:
    given = dict(memories or {})
    for name, image in (images or {}).items():
        given |= image.memories(name)
    return given


def _ports(ports: list[Port], given: Mapping[str, Words]) -> dict[Hashable, Any]:
    """Return words as values of the ports' types, by key."""
    return {
        port.key: np.ascontiguousarray(given[port.name]).view(dtype(port.type))
        for port in ports
        if port.name in given
    }


def _prepared(
    lowered: Lowered,
    images: Mapping[str, Image] | None,
    samplers: Mapping[str, SamplerState] | None,
    simplified: bool,
) -> KernelIR:
    states = {name: image.state for name, image in (images or {}).items()}
    bound: list[Memory | TextureDeclaration] = [*lowered.kernel.textures, *lowered.kernel.memories]
    filters = by_label(lowered.kernel.samplers, samplers or {})
    return prepare(lowered, by_label(bound, states), filters, simplified=simplified)
