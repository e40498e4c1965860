"""The interface of a program: its bindings, inputs and outputs, by name and slot.

    bindings           constant buffers, buffers, textures, samplers, children
    inputs, outputs    of a vertex, pixel, primitive or patch; the vertices of a mesh shader
    streams            the outputs of a geometry shader, by stream
    patch_constants    outputs of a hull shader, inputs of a domain shader
    samples            samples of a pixel of the target, which a pixel shader can query

Names and types are those of the reflection, if the file has one, else those of the program.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import UsageError
from ..ir.lowered import SAMPLE_COUNTS, Lowered, Points
from ..model import Reflection, SystemValue
from ..vocab.slots import Direction, PortSlot, Rate, ResourceSlot
from ..vocab.words import Stage
from .binding.arguments import element_dtype, names_of, variables
from .binding.bindings import Binding, bindings_of
from .binding.buffers import packed
from .binding.children import Bindable
from .binding.numbers import shown
from .binding.suggestions import suggestion
from .stages.groups import group_signature
from .stages.signature import KernelSignature, SignatureRow, signature_of, signature_of_points
from .stored import StoredProgram

# Inputs of a lane that no array has: they say which instance it is, or which point of which patch.
OWN_PLACES = (
    SystemValue.GS_INSTANCE_ID, SystemValue.DOMAIN_LOCATION,
)  # fmt: skip


class ShaderInterface(Bindable):
    """A lowered program, and what it takes and returns.

    `declared` is the program without its code, if that comes from the cache. `bindings` lists what
    it needs.
    """

    def __init__(
        self,
        lowered: Lowered | None,
        reflection: Reflection | None,
        stored: StoredProgram | None = None,
    ) -> None:
        """`lowered` may be None if the program is `stored`."""
        self._lowered = lowered
        self._reflection = reflection
        self.stored = stored
        if lowered is not None:
            self.declared = lowered
            self.bindings = bindings_of(lowered, reflection)
        else:
            assert stored is not None
            assert stored.declared is not None
            assert stored.bindings is not None
            self.declared, self.bindings = stored.declared, stored.bindings
        self.samples = self.declared.specialisation.samples

    @property
    def lowered(self) -> Lowered:
        """The lowered program, which calls do not need if the cache has their code."""
        if self._lowered is None:
            assert self.stored is not None
            self._lowered, self._reflection = self.stored.opened()
        return self._lowered

    @property
    def reflection(self) -> Reflection | None:
        """The reflection of the program, if the file has one."""
        if self._lowered is None and self._reflection is None and self.stored is not None:
            self._reflection = self.stored.reflection()
        return self._reflection

    @property
    def stored_as(self) -> str:
        """The name of its entry in the cache, "" if it has none."""
        return self.stored.stored_as if self.stored is not None else ""

    @property
    def stage(self) -> Stage:
        """The stage of the program."""
        return self.declared.kernel.stage

    @property
    def group(self) -> tuple[int, int, int]:
        """Threads of a thread group."""
        return self.declared.kernel.group

    @property
    def samples(self) -> int:
        """Samples of a pixel of the target: 1, 2, 4, 8 or 16.

        Visible to the shader (sampleinfo, samplepos, SV_Coverage, EvaluateAttributeAtSample), which
        still runs once for each pixel.
        """
        return self._samples

    @samples.setter
    def samples(self, value: int) -> None:
        given: object = value
        if not isinstance(given, int) or given not in SAMPLE_COUNTS:
            *most, last = SAMPLE_COUNTS
            counts = f"{', '.join(map(str, most))} or {last}"
            raise UsageError(f"expected {counts} samples, got {shown(value)}")
        self._samples = value

    @contextmanager
    def with_samples(self, samples: int | None) -> Iterator[None]:
        """Set the number of samples in the block; None leaves it."""
        before = self._samples
        try:
            if samples is not None:
                self.samples = samples
            yield
        finally:
            self._samples = before

    @cached_property
    def inputs(self) -> KernelSignature:
        """The inputs of a vertex, pixel, primitive or patch."""
        rows = self.reflection.inputs if self.reflection else []
        ports = [
            port
            for port in self.declared.kernel.inputs
            if port.slot is None or not (port.internal or port.slot.place in OWN_PLACES)
        ]
        points = self.taken
        if points is not None:
            return signature_of_points(points, ports, rows, self.stage)
        return signature_of(ports, rows, self.stage, Direction.INPUT)

    @cached_property
    def outputs(self) -> KernelSignature:
        """The outputs of a vertex, pixel, primitive or patch."""
        rows = self.reflection.outputs if self.reflection else []
        if self.stage is Stage.GEOMETRY:
            return KernelSignature.of(row for stream in self.streams.values() for row in stream)
        vertices = self.declared.points_of(Direction.OUTPUT, Rate.VERTEX)
        if self.stage is Stage.MESH and vertices is not None:
            return group_signature(self, vertices)
        points = self.declared.points_of(Direction.OUTPUT, Rate.CONTROL_POINT)
        if points is not None:
            return signature_of_points(points, (), rows, self.stage)
        return signature_of(self.declared.kernel.outputs, rows, self.stage, Direction.OUTPUT)

    @cached_property
    def streams(self) -> dict[int, KernelSignature]:
        """The outputs of a geometry shader's vertices, by stream."""
        rows = self.reflection.outputs if self.reflection else []
        points = self.declared.streams
        made = {}
        for each in points:
            number = each.slot.stream
            mine = [row for row in rows if row.stream == number]
            found = signature_of(each.ports, mine, self.stage, Direction.OUTPUT)
            if len(points) > 1:
                found = KernelSignature.of(replace(row, stream=number) for row in found)
            made[number] = found
        return made

    @cached_property
    def patch_constants(self) -> KernelSignature:
        """The patch constants: outputs of a hull shader, inputs of a domain shader."""
        rows = self.reflection.patch_constants if self.reflection else []
        points = self.of_patch
        if points is None:
            return KernelSignature()
        return signature_of_points(points, (), rows, self.stage, several=False)

    @property
    def taken(self) -> Points | None:
        """The input vertices or control points of a lane."""
        for rate in (Rate.VERTEX, Rate.CONTROL_POINT):
            points = self.declared.points_of(Direction.INPUT, rate)
            if points is not None:
                return points
        return None

    @property
    def of_patch(self) -> Points | None:
        """The constants of a patch: outputs of a hull shader, inputs of a domain shader."""
        given = Direction.INPUT if self.stage is Stage.DOMAIN else Direction.OUTPUT
        return self.declared.points_of(given, Rate.PATCH)

    @property
    def domain_label(self) -> str:
        """The program's name for the points that a domain shader runs at."""
        return self.declared.labels.get(SystemValue.DOMAIN_LOCATION, SystemValue.DOMAIN_LOCATION)

    def input(self, name: str | PortSlot) -> SignatureRow | None:
        """Return an input by semantic, those of the patch included; None without one."""
        of_patch = [self.patch_constants] if self.stage is Stage.DOMAIN else []
        for rows in (self.inputs, *of_patch):
            try:
                return rows.find(name)
            except UsageError:
                continue
        return None

    def binding(self, name: str | ResourceSlot) -> Binding:
        """Return a binding by the program's label, name or slot."""
        keys = {each: binding for binding in self.bindings for each in binding.keys}
        if name not in keys:
            raise UsageError(f"unknown name {name!r}{suggestion(str(name), names_of(keys))}")
        return keys[name]

    def dtype(self, name: str | ResourceSlot, length: int = 0) -> np.dtype[Any]:
        """Return the NumPy dtype of a constant buffer, or of an element of a structured buffer.

        For a raw buffer that is a block, return the dtype of the block; if it ends in an unbounded
        array, that has `length` elements.

        Arrays of it are the memory of the buffer. A column-major matrix, the default of HLSL and
        GLSL, is therefore (columns, rows): `array["m"] = np.transpose(m)`; or let `pack` do that.
        """
        return element_dtype(self.binding(name), length)

    def pack(self, name: str | ResourceSlot, values: Any) -> np.ndarray[Any, Any]:
        """Return an array of the dtype of a buffer, from values as dicts have them.

        Matrices are given by their rows, `m[row][column]`, whichever way they are stored.

        Args:
            name: The buffer.
            values: A dict of the variables of a constant buffer, or of the members of a block, or
                the list of the elements of a structured buffer.

        Raises:
            UsageError: The buffer has no members, or a value is missing, unknown, or does not fit.
        """
        return packed(self.binding(name), values)

    def _binds(self, name: str) -> bool:
        """Return whether a binding, or a variable of a constant buffer, has this name."""
        names = {each for binding in self.bindings for each in binding.keys}
        return name in names or name in variables(self.bindings)
