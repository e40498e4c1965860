"""Render targets: the arrays that are drawn into, for colour and depth.

    (layers, height, width, samples, components)      as they are held; axes that a draw
                                                      lacks are left out of arguments and
                                                      results

Arrays that are given are loaded, and drawn into in place. Their numbers are converted as texels
are: floats from 0 to 1 to normalised integers, integers clamped. Outputs of one location draw into
one array, each in the components that its decoration gives it. If shader and target have 32-bit
numbers of different kinds, the bits are kept. A target may have a format by name
(target_formats.py), whose texels are the bytes of the array.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import UsageError
from ...model import SystemValue
from ...vm.launch import Array
from ..binding import texels
from ..binding.numbers import shown
from ..binding.results import Results
from ..signature import KernelSignature, Key, SignatureRow
from ..stages.vertices import add_row, result_names
from .depth_target import DepthTarget, check_depth
from .spare import spare
from .state import RasterState
from .states.blend import BlendState
from .target_formats import TargetFormat, format_of_array, named_format

DEPTHS = (SystemValue.DEPTH, SystemValue.DEPTH_GREATER_EQUAL, SystemValue.DEPTH_LESS_EQUAL)
MASKS = (*DEPTHS, SystemValue.COVERAGE, SystemValue.STENCIL_REF)


class RenderTargets:
    """Colours, depth and the number of the primitive that each sample shows."""

    def __init__(
        self,
        outputs: KernelSignature,
        state: RasterState,
        layered: bool,
        given: Any,
        depth: Any,
        formats: Any = None,
        blend: BlendState | None = None,
    ) -> None:
        self.state = state
        self.layered = layered
        self.places = (state.layers, state.height, state.width, state.samples)
        self.outputs = outputs
        self.rows = KernelSignature.of(
            row for row in outputs if not is_second(row, blend or BlendState())
        )
        self._given = _by_row(self.rows, given, "targets")
        self.named: dict[Key, TargetFormat] = {
            key: named_format(name) for key, name in _by_row(self.rows, formats, "formats").items()
        }
        self._sharing = {
            row.key: tuple(
                each
                for each in _of_location(self.rows, row)
                if self._given.get(each.key) is self._given.get(row.key)
            )
            for row in self.rows
        }
        self.arrays: dict[Key, Array] = {}
        for row in self.rows:
            leading = self._sharing[row.key][0]
            array = self.arrays.get(leading.key)
            if array is None:
                array = self._held(row, self._given.get(row.key))
            self.arrays[row.key] = array
        self.formats: dict[Key, TargetFormat | None] = {
            row.key: self.named.get(row.key)
            or format_of_array(array.dtype, array.shape[-1], row.dtype.kind == "f")
            for row in self.rows
            for array in [self.arrays[row.key]]
        }
        self.depth = self._depth(depth)
        self._shown_depth = depth if isinstance(depth, np.ndarray) else None
        self.primitive = spare(self.places, np.int64)
        self.primitive.fill(-1)

    def leads(self, row: SignatureRow) -> bool:
        """Return whether a row is the first of those that draw into its target."""
        return self._sharing[row.key][0] is row

    def written(self, row: SignatureRow) -> frozenset[int]:
        """Return the components of a row's target that outputs of the shader are written to."""
        return frozenset(part for each in self._sharing[row.key] for part in each.components)

    def _held(self, row: SignatureRow, given: Any) -> Array:
        """Return the array of a row, with all axes; a view of the argument where possible."""
        form = self.named.get(row.key)
        if given is None and form is not None:
            return form.new(self.places)
        if given is None:
            return np.zeros((*self.places, max(self.written(row)) + 1), row.dtype)
        if not isinstance(given, np.ndarray) or given.dtype.kind not in "fiu":
            raise UsageError(f"{row.label}: expected an array of numbers, got {shown(given)}")
        wanted = self.shape
        if given.shape[: len(wanted)] != wanted or given.ndim > len(wanted) + 1:
            raise UsageError(
                f"{row.label}: expected a target ({', '.join(map(str, wanted))}[, 1 to 4]), got"
                f" {given.shape}"
            )
        if not given.flags.writeable:
            raise UsageError(f"{row.label}: expected a target that can be written")
        if form is not None:
            form.check(given, len(wanted), row.label)
        return self.whole(given, given.ndim > len(wanted))

    @property
    def shape(self) -> tuple[int, ...]:
        """The axes that a draw has, without components."""
        layers, height, width, samples = self.places
        return (
            *((layers,) if self.layered else ()), height, width,
            *((samples,) if samples > 1 else ()),
        )  # fmt: skip

    def whole(self, array: Array, components: bool) -> Array:
        """Return a view of an array with all axes."""
        if not self.layered:
            array = array[np.newaxis]
        if not components:
            array = array[..., np.newaxis]
        return array if self.state.samples > 1 else array[..., np.newaxis, :]

    def _depth(self, given: Any) -> DepthTarget:
        if given is None:
            return DepthTarget(np.full(self.places, np.inf, np.float32))
        check_depth(given, self.shape)
        return DepthTarget(self.whole(given, False)[..., 0])

    def store(self, row: SignatureRow, place: tuple[Array, ...], values: Array) -> None:
        """Write an output of the pixel shader, (fragments, components), to places."""
        array = self.arrays[row.key]
        first = row.components[0]
        count = min(array.shape[-1] - first, values.shape[1])
        if count <= 0:
            return
        values = values[:, :count]
        if values.dtype.kind == "f" and array.dtype.kind in "iu" and array.itemsize < 4:
            values = texels.quantised(values, array.dtype)
        elif values.dtype.kind != array.dtype.kind and values.dtype.itemsize == array.itemsize:
            values = np.ascontiguousarray(values).view(array.dtype)
        elif values.dtype.kind in "iu" and array.dtype.kind in "iu":
            values = texels.encode(values, array.dtype, count)
        if values.dtype.kind == array.dtype.kind == "f" and array.itemsize == 2:
            values = texels.halves_of(values)
        with np.errstate(over="ignore", invalid="ignore"):
            array[..., first : first + count][place] = values.astype(array.dtype, copy=False)

    def unblended(self, row: SignatureRow) -> UsageError:
        """Return the error for an array whose numbers no format of colours has."""
        array = self.arrays[row.key]
        return UsageError(
            f"{row.label}: expected a target of at most 4 numbers of 8 to 32 bits for blending, got"
            f" {array.shape[-1]} of {array.dtype}"
        )

    def returned(self, results: Results) -> None:
        """Add the targets to the results; given arrays are returned themselves."""
        for row in self.rows:
            given = self._given.get(row.key)
            if given is None:
                add_row(results, row, self.plain(self.arrays[row.key]))
            else:
                alone = given.ndim == len(self.shape)
                results.add(
                    result_names(row), given, semantic=True, slots=row.places,
                    shared=row.shared_slots, alone=alone,
                )  # fmt: skip

    @property
    def normalised(self) -> frozenset[str]:
        """The labels of the targets that hold integers for floats of the shader."""
        return frozenset(
            row.label
            for row in self.rows
            if row.dtype.kind == "f" and self.arrays[row.key].dtype.kind in "iu"
        )

    @property
    def names_of_formats(self) -> dict[str, str]:
        """The formats that were given by name, by the label of the target."""
        return {
            row.label: self.named[row.key].pixel.name for row in self.rows if row.key in self.named
        }

    def plain(self, array: Array) -> Array:
        """Return an array (layers, height, width, samples, …) without unused axes."""
        if self.state.samples == 1:
            array = array[:, :, :, 0]
        return array if self.layered else array[0]

    @property
    def shown_depth(self) -> Array:
        """Return the depth, in the array that was given."""
        found = self._shown_depth
        return self.plain(self.depth.array) if found is None else found

    @property
    def shown_primitive(self) -> Array:
        """Return the number of the primitive that each sample shows."""
        return self.plain(self.primitive)


def is_second(row: SignatureRow, blend: BlendState) -> bool:
    """Return whether an output is the second source of dual source blending, not a target.

    In Direct3D SV_Target1 is; in Vulkan an output with the decoration Index 1.
    """
    if row.places and row.places[0].index == 1:
        return True
    return not row.by_register and blend.is_dual and row.location == 1


def _of_location(rows: KernelSignature, row: SignatureRow) -> tuple[SignatureRow, ...]:
    """Return the outputs that are components of the same colour as a row, itself among them."""
    if row.location is None or row.meaning in MASKS:
        return (row,)
    return tuple(each for each in rows if each.location == row.location)


def _by_row(rows: KernelSignature, given: Any, where: str) -> dict[Key, Any]:
    """Return the targets that are given, by row: by name, or in the order of their numbers."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        named = {rows.find(name).key: value for name, value in given.items() if value is not None}
        for row in rows:  # what one output is given is for all of its location
            for each in _of_location(rows, row):
                if each.key in named:
                    named.setdefault(row.key, named[each.key])
        return named
    if not isinstance(given, Sequence) or isinstance(given, str):
        what = "arrays" if where == "targets" else "names"
        raise UsageError(f"{where}: expected a dict or a list of {what}, got {shown(given)}")
    found = {}
    for row in rows:
        number = row.location
        colour = row.meaning not in MASKS and number is not None and number < len(given)
        if colour and number is not None and given[number] is not None:
            found[row.key] = given[number]
    return found
