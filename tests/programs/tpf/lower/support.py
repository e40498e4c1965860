"""Programs as text, run by every engine that is installed, compared bit for bit.

    run(text, memories={"t0": words(1.0, 2.0)}, …).memories["u0"]

Lockstep runs a program twice: as it was lowered, and simplified; jit runs it simplified. All have
to leave the same bits everywhere. Expected values stand in the tests, and come from no engine.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import Any

import numpy as np

from tests.ir.library.images import Image, Words, engines, same, shown
from unshade.ir.library.sampling import SamplerState
from unshade.ir.memory import Memory
from unshade.ir.specialisation import Specialisation
from unshade.ir.textures import Texture
from unshade.ir.verify import verify
from unshade.isa.source import Mistakes, Source
from unshade.programs.tpf.assembler import assemble
from unshade.programs.tpf.program import Program
from unshade.vm.launch import Launch, Report, by_label
from unshade.vm.prepare import prepare

__all__ = ["Image", "Outcome", "Words", "bits", "program", "run", "same", "shown", "words"]

Number = int | float
QUIET = 0x7FC0_0000
GUARD = 0xDEAD_BEEF  # what stands in an output before


class D(float):
    """A number of 64 bits: two words, the lower half first."""


def bits(number: Number) -> list[int]:
    """A number as 32-bit words: floats by their bits, integers as they are."""
    if isinstance(number, D):
        return list(struct.unpack("<2I", struct.pack("<d", number)))
    if isinstance(number, float):
        return [QUIET] if isnan(number) else [*struct.unpack("<I", struct.pack("<f", number))]
    return [number & 0xFFFF_FFFF]


def words(*numbers: Number) -> Words:
    """Numbers as an array of words."""
    return np.array([word for number in numbers for word in bits(number)], np.uint32)


def program(text: str) -> Program:
    """A program from its listing."""
    mistakes = Mistakes()
    found = assemble(Source(text), mistakes)
    mistakes.check()
    return Program.of(found)


@dataclass(slots=True)
class Outcome:
    """What a run left: memories and outputs as words, and the engine's report."""

    memories: dict[str, Words]
    outputs: dict[str, Words]
    report: Report
    kernel: Any = field(repr=False, default=None)


def run(
    text: str,
    *,
    memories: Mapping[str, Words] | None = None,
    images: Mapping[str, Image] | None = None,
    samplers: Mapping[str, SamplerState] | None = None,
    groups: tuple[int, int, int] = (1, 1, 1),
    inputs: Mapping[str, Words] | None = None,
    items: int = 0,
    helpers: Any = None,
    **options: Any,
) -> Outcome:
    """Run a program with every engine; what all of them agree on."""
    lowered = program(text).lower(None, Specialisation(**options))
    given = dict(memories or {})
    for name, image in (images or {}).items():
        given |= image.memories(name)
    states = {name: image.state for name, image in (images or {}).items()}
    bound: list[Memory | Texture] = [*lowered.kernel.textures, *lowered.kernel.memories]
    filters = by_label(lowered.kernel.samplers, samplers or {})
    first: Outcome | None = None
    for name, engine, simplified in engines():
        kernel = prepare(lowered, by_label(bound, states), filters, simplified=simplified)
        verify(kernel)
        own = {at: np.array(data, np.uint32).view(np.uint8) for at, data in given.items()}
        outputs = {port.name: np.full(items, GUARD, np.uint32) for port in kernel.outputs}
        ports = {at: np.ascontiguousarray(data) for at, data in (inputs or {}).items()}
        launch = Launch(
            by_label(kernel.memories, own), groups, items, by_label(kernel.inputs, ports),
            by_label(kernel.outputs, outputs), helpers, 1 << 16,
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
