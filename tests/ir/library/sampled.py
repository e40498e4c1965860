"""A texture operation on rows of operands, by every engine.

    sampled(image, sampler, Sample(…), [(0.25,), (0.5,)])  ->  an array of (rows, 4) words

Row n is thread n of a compute kernel, which reads its operands from a buffer.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tests.ir.library.images import Image, Words, engines, same
from tests.oracle.verify import verify
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.library.sampling import SamplerState
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Space
from unshade.ir.textures import Action, Sample, SamplerDeclaration, TextureDeclaration
from unshade.ir.types import F32, I32, Type
from unshade.vm.launch import Launch
from unshade.vm.prepare import prepare

INTEGER = {Action.FETCH, Action.SIZE, Action.SAMPLES}


def sampled(
    image: Image,
    sampler: SamplerState,
    what: Sample,
    rows: Sequence[tuple[float, ...]],
    *,
    integers: int = 0,
) -> Words:
    """Return the texels; the last `integers` operands are integers."""
    lowered = Lowered(_kernel(what, len(rows[0]), integers))
    given = np.array(rows, np.float32).view(np.uint32).copy()
    whole = len(rows[0]) if what.action in INTEGER else integers
    for at in range(len(rows[0]) - whole, len(rows[0])):
        given[:, at] = np.array([int(row[at]) for row in rows], np.int64).astype(np.uint32)
    found: Words | None = None
    for name, engine, simplified in engines():
        kernel = prepare(lowered, {"t0": image.state}, {"s0": sampler}, simplified=simplified)
        verify(kernel)
        memories: dict[str, Any] = {
            "in": given.reshape(-1), "out": np.zeros(4 * len(rows), np.uint32),
            **image.memories("t0"),
        }  # fmt: skip
        own = {at: np.array(data).view(np.uint8) for at, data in memories.items()}
        engine.run(kernel, Launch(own, (len(rows), 1, 1)))
        got = own["out"].view(np.uint32)
        if found is not None:
            same(got, found, name)
        found = got
    assert found is not None
    return found.reshape(-1, 4)


def _kernel(what: Sample, count: int, integers: int) -> KernelIR:
    b = Builder(KernelIR())
    texture: TextureDeclaration = what.texture
    b.kernel.textures.append(texture)
    b.memory("in", Space.BUFFER, 4 * count)
    out = b.memory("out", Space.BUFFER, 16, writable=True)
    thread = b.source("thread_id.x")
    whole = count if what.action in INTEGER else integers
    args = []
    for at in range(count):
        type = I32 if at >= count - whole else F32
        args.append(b.load(b.kernel.memories[0], thread, 4 * at, type))
    if what.sampler is not None:
        b.kernel.samplers.append(what.sampler)
    texel = b.sample(*args, attr=what)
    kind: Type = I32 if what.action in (Action.SIZE, Action.SAMPLES) else texture.type
    if what.compare:
        kind = F32
    for at in range(4):
        b.store(out, thread, 4 * at, b.part(texel, type=kind, attr=at))
    return b.kernel


def reds(found: Words) -> list[float]:
    """Return the first components, as floats."""
    return [float(each) for each in found[:, 0].copy().view(np.float32)]


def operation(action: Action, texture: TextureDeclaration, **fields: Any) -> Sample:
    """Return an operation with a sampler."""
    return replace(Sample(action, texture, SamplerDeclaration("s0")), **fields)
