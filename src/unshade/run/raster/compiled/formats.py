"""Targets and blending as the functions of this folder write them."""

from collections.abc import Hashable
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ....dataclass import dataclass, field
from ....ir.kernel import KernelIR
from ....vm.launch import Array, dtype
from ...signature import SignatureRow
from ..blend_state import Blend
from ..merger import Merger
from ..state_words import Factor
from ..targets import is_second
from .uncovered import Uncovered

if TYPE_CHECKING:
    from .merging import MergedTarget

WORD = 32  # bits of numbers that are stored as they are
NONE, FULL = -1, -2  # a channel without an output: 0, and 1 for alpha


@dataclass(slots=True)
class MergedTargets:
    """Targets with their arrays, and the outputs of the shader.

    `outputs` are all of them, with their dtypes; `written` are those that targets have.
    """

    targets: "list[MergedTarget]" = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    outputs: dict[Hashable, np.dtype[Any]] = field(default_factory=dict)
    written: list[Hashable] = field(default_factory=list)

    def number(self, row: SignatureRow, at: int) -> int:
        """Return the number of the output for a component of a row; -1 for none, which is 0."""
        port = row.ports[at]
        if port is None:
            return NONE
        if self.outputs[port.key].itemsize * 8 != WORD or row.dtype.itemsize * 8 != WORD:
            raise Uncovered
        if port.key not in self.written:
            self.written.append(port.key)
        return self.written.index(port.key)


def targets_of(merger: Merger, code: KernelIR | None) -> MergedTargets:
    """Return the targets of a draw; Uncovered if one is written in another way.

    `code` is the pixel shader's, None for a draw of depth only.
    """
    found = MergedTargets()
    if code is None:
        return found
    found.outputs = {port.key: dtype(port.type) for port in code.outputs}
    state = merger.state.blend
    if state.logic is not None or state.alpha_to_one_enable:
        raise Uncovered
    for row in merger.targets.rows:
        blend = state.of(row.location or 0)
        array = merger.targets.arrays[row.key]
        if not (array.flags.c_contiguous and array.flags.aligned):
            raise Uncovered
        named = row.key in merger.targets.named
        if row.location is None or not (blend.blends or len(blend.written) < 4 or named):
            found.targets.append(_stored(found, row, array))
        else:
            found.targets.append(_written(found, merger, row, blend))
        found.arrays.append(array)
    return found


def _stored(found: MergedTargets, row: SignatureRow, array: Array) -> "MergedTarget":
    """Return a target whose numbers are those of the output, as `RenderTargets.store` has it."""
    from .merging import MergedTarget

    size, bits = array.shape[-1], 8 * array.itemsize
    values = tuple(found.number(row, at) for at in range(min(size, len(row.ports))))
    every = tuple(range(size))
    if bits == WORD:
        return MergedTarget(size, bits, every, every[: len(values)], values)
    if array.dtype.str not in ("|u1", "<u2") or row.dtype.kind != "f" or not _is_word(size, bits):
        raise Uncovered
    return MergedTarget(size, bits, every, every[: len(values)], values, single=True)


def _written(
    found: MergedTargets, merger: Merger, row: SignatureRow, blend: Blend
) -> "MergedTarget":
    """Return a target with a format, as `Merger.write` has it."""
    from ..blending import PLAIN
    from .merging import FACTORS, OPERATIONS, MergedBlending, MergedTarget

    form = merger.targets.formats.get(row.key)
    if form is None or form.kind not in ("UNORM", "SFLOAT") or row.dtype.kind != "f":
        raise Uncovered
    components = sorted(form.pixel.components, key=lambda each: each[1])
    bits, size = components[0][2], len(components)
    if [each[1:] for each in components] != [(bits * at, bits) for at in range(size)]:
        raise Uncovered
    is_plain = form.kind == "SFLOAT" and bits == WORD and not blend.blends
    is_blended = form.kind == "UNORM" and bits in (8, 16) and _is_word(size, bits)
    if form.pixel.size * 8 != size * bits or not (is_plain or is_blended):
        raise Uncovered
    values = [NONE, NONE, NONE, FULL]
    for each in merger.targets.outputs:
        if each.location != row.location or is_second(each, merger.state.blend):
            continue
        if each.location is not None:
            for at, component in enumerate(each.components):
                values[component] = found.number(each, at)
            if each.dtype.kind != "f":
                raise Uncovered
    blending = None
    if blend.blends:
        factors, operations = blend.factors, (blend.blend_op, blend.blend_op_alpha)
        plain = {PLAIN.get(Factor(each), Factor(each)) for each in factors}
        if not plain <= {*FACTORS} or not {*operations} <= {*OPERATIONS}:
            raise Uncovered
        red, green, blue, alpha = (float(np.float32(each)) for each in _constants(merger))
        blending = MergedBlending(
            factors, operations, merger.state.vulkan, (red, green, blue, alpha)
        )
    written = tuple(each for each in blend.written if each in row.components)
    return MergedTarget(
        size, bits, tuple(each[0] for each in components), written, tuple(values),
        blending=blending,
    )  # fmt: skip


def _constants(merger: Merger) -> tuple[float, ...]:
    """Return the constants of factors, in the range of normalised numbers; NaN is 0."""
    given = (float(np.float32(each)) for each in merger.state.blend.blend_factor)
    return tuple(0.0 if isnan(each) else min(max(each, 0.0), 1.0) for each in given)


def _is_word(size: int, bits: int) -> bool:
    """Return whether a texel has as many bits as a word of the processor."""
    return size * bits in (8, 16, 32, 64)
