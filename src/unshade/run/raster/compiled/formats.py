"""Targets and blending as the functions of this folder write them."""

from collections.abc import Hashable
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from ....dataclass import dataclass, field
from ....ir.kernel import KernelIR
from ....vm.launch import Array, dtype
from ...signature import SignatureRow
from ..merger import Merger
from ..states.blend import Blend
from ..states.words import Factor
from ..targets import is_second
from .uncovered import Uncovered

if TYPE_CHECKING:
    from .merging import MergedTarget

WORD = 32  # bits of numbers that are stored as they are
NONE, FULL = -1, -2  # a channel without an output: 0, and 1 for alpha


@dataclass(slots=True)
class MergedTargets:
    """Targets with their arrays, and the outputs of the shader.

    `outputs` are all of them, with their dtypes; `written` are those that targets have. `tables`
    are those that formats need, by the names of their words.
    """

    targets: "list[MergedTarget]" = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    outputs: dict[Hashable, np.dtype[Any]] = field(default_factory=dict)
    written: list[Hashable] = field(default_factory=list)
    tables: dict[str, Array] = field(default_factory=dict)

    def add_tables(self, *tables: Array) -> None:
        """Add the tables of sRGB."""
        from .srgb import SRGB_WORDS

        self.tables = dict(zip(SRGB_WORDS, tables, strict=True))

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
        elif merger.targets.leads(row):
            found.targets.append(_written(found, merger, row, blend))
        else:
            continue
        found.arrays.append(array)
    return found


def _stored(found: MergedTargets, row: SignatureRow, array: Array) -> "MergedTarget":
    """Return a target whose numbers are those of the output, as `RenderTargets.store` has it."""
    from .merging import WORDS_OF, MergedTarget, TexelField

    size, bits = array.shape[-1], 8 * array.itemsize
    written = tuple(each for each in row.components if each < size)
    values = [NONE] * size
    for at, component in enumerate(written):
        values[component] = found.number(row, at)
    fields = tuple(TexelField(at, bits * at, bits) for at in range(size))
    kind = {"|u1": "UNORM", "<u2": "UNORM", "<f2": "SFLOAT"}.get(array.dtype.str, "")
    if bits != WORD and not (kind and row.dtype.kind == "f" and size * bits in WORDS_OF):
        raise Uncovered
    if bits == WORD:
        kind = ""
    return MergedTarget(
        kind, size * bits, array.itemsize, fields, written, tuple(values), single=kind == "UNORM"
    )


def _written(
    found: MergedTargets, merger: Merger, row: SignatureRow, blend: Blend
) -> "MergedTarget":
    """Return a target with a format, as `Merger.write` has it."""
    from ..blending import PLAIN
    from .merging import (
        FACTORS,
        OF_LEAST,
        OPERATIONS,
        WIDE,
        WORDS_OF,
        MergedBlending,
        MergedTarget,
        TexelField,
    )
    from .srgb import tables

    form = merger.targets.formats.get(row.key)
    if form is None or form.kind not in ("UNORM", "SRGB", "SFLOAT") or row.dtype.kind != "f":
        raise Uncovered
    components = sorted(form.pixel.components, key=lambda each: each[1])
    fields = tuple(TexelField(*each) for each in components)
    most, size = max(each.bits for each in fields), form.pixel.size * 8
    kind: str = form.kind
    if form.kind == "SFLOAT" and most == WORD and not blend.blends:
        kind = ""
    elif form.kind == "SRGB":
        if any(each.bits != 8 for each in fields):
            raise Uncovered
        found.add_tables(*tables())
    elif form.kind == "SFLOAT" and any(each.bits not in (16, WORD) for each in fields):
        raise Uncovered
    is_word = size in WORDS_OF or (size == WIDE and [*range(4)] == [each[0] for each in fields])
    if kind and not (is_word and (kind == "SFLOAT" or most <= 16)):
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
        if kind == "SFLOAT" and (plain | {*operations}) & OF_LEAST:
            raise Uncovered  # the sign of a zero is that of either operand
        constants = _constants(merger, form.limits)
        blending = MergedBlending(factors, operations, merger.state.vulkan, constants)
    written = tuple(each for each in blend.written if each in merger.targets.written(row))
    array = merger.targets.arrays[row.key]
    return MergedTarget(
        kind, size, array.itemsize, fields, written, tuple(values), blending=blending
    )


def _constants(merger: Merger, limits: tuple[float, float] | None) -> tuple[int, ...]:
    """Return the constants of factors, in a range, as the bits of floats; NaN is 0 there."""
    given = [float(np.float32(each)) for each in merger.state.blend.blend_factor]
    if limits is not None:
        given = [0.0 if isnan(each) else min(max(each, 0.0), 1.0) for each in given]
    return tuple(np.array(given, "<f4").view("<i4").tolist())
