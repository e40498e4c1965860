"""A program that can be run: its code, its bindings, its inputs and outputs.

    bindings           constant buffers, buffers, textures, samplers, children
    inputs, outputs    of a vertex, pixel, primitive or patch; the vertices of a mesh shader
    streams            the outputs of a geometry shader, by stream
    patch_constants    outputs of a hull shader, inputs of a domain shader

Names and types come from the reflection, if the file contains one, else from the program.
"""

from functools import cached_property

from ..dataclass import replace
from ..errors import UsageError
from ..ir.lowered import Lowered, Points
from ..model import Reflection, SystemValue
from ..vocab.slots import Direction, PortSlot, Rate, ResourceSlot
from ..vocab.words import Stage
from .binding.arguments import names_of, variables
from .binding.bindings import Binding, bindings_of
from .binding.suggestions import suggestion
from .signature import KernelSignature, SignatureRow, signature_of, signature_of_points
from .stored import StoredProgram

# Inputs of a lane that no array has: they say which instance it is, or which point of which patch.
OWN_PLACES = (
    SystemValue.GS_INSTANCE_ID, SystemValue.DOMAIN_LOCATION,
)  # fmt: skip


class RunProgram:
    """The code of a program, its bindings and its ports. Calls do not change it.

    `bindings` lists its resources. `declared` is the program without its code if the code is loaded
    from the cache, else the lowered program.
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

    @property
    def lowered(self) -> Lowered:
        """The lowered program, which calls do not need if the cache has their code."""
        if self._lowered is None:
            assert self.stored is not None
            self._lowered, self._reflection = self.stored.opened()
        return self._lowered

    @property
    def reflection(self) -> Reflection | None:
        """The reflection of the program, if the file contains one."""
        if self._lowered is None and self._reflection is None and self.stored is not None:
            self._reflection = self.stored.reflection()
        return self._reflection

    @property
    def stored_as(self) -> str:
        """The name of the program's entry in the cache, "" if it is not cached."""
        return self.stored.stored_as if self.stored is not None else ""

    @property
    def stage(self) -> Stage:
        """The stage of the program."""
        return self.declared.kernel.stage

    @property
    def group(self) -> tuple[int, int, int]:
        """Threads of a thread group."""
        return self.declared.kernel.group

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
        if vertices is not None:  # of a mesh shader
            return self.group_signature(vertices)
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
        found = signature_of_points(points, (), rows, self.stage, several=False)
        of_points = self.inputs if self.stage is Stage.DOMAIN else self.outputs
        for row in found:
            row.beside_point = row.key in of_points.rows
        return found

    def group_signature(self, points: Points) -> KernelSignature:
        """Return rows of vertices or primitives, which reflections list as patch constants."""
        rows = []
        if self.reflection is not None:
            per_vertex = points.slot.rate is Rate.VERTEX
            rows = self.reflection.outputs if per_vertex else self.reflection.patch_constants
        return signature_of_points(points, (), rows, self.stage, several=False)

    @cached_property
    def primitives(self) -> KernelSignature:
        """The attributes of a mesh shader's primitives; their vertices are no attribute."""
        points = self.declared.points_of(Direction.OUTPUT, Rate.PRIMITIVE)
        rows = self.group_signature(points) if points is not None else ()
        return KernelSignature.of(row for row in rows if not row.is_indices)

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
        """Return an input by semantic, including inputs of the patch; or None."""
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

    def binds(self, name: str) -> bool:
        """Return whether a binding, or a variable of a constant buffer, has this name."""
        names = {each for binding in self.bindings for each in binding.keys}
        return name in names or name in variables(self.bindings)

    def store(self) -> None:
        """Store the program, now that some of its code is stored."""
        if self.stored is not None and self.stored.declared is None:
            self.stored.store(self.lowered, self.bindings, self.reflection)
