"""Defaults for a scene: constants guessed from their names, a camera.

    float time, iTime, g_Time          seconds
    float2 resolution, iResolution     the size of the picture
    float2 size, uSize                 the same, of two components only
    float4x4 worldViewProj, u_vp       the camera's matrices; other matrices are the identity
    float3 eye, cameraPosition         where the camera stands
    float3 lightDir, sunDirection      a light above, to the right of the axis z
    float4 lightColor                  white
    float2 textureScale, _MainTex_ST   1, and an offset of 0

Anything else is 0. `Guesses.silent` lists it for a tool to report, and `Guesses.assumed` the
guesses, which a tool reports if the picture is empty.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...dataclass import dataclass, field
from ...ir.lowered import Form
from ...model import TypeDescription
from ...vm.launch import Array
from ..binding.bindings import Binding
from ..binding.children import Bindable
from ..binding.layout import element_type
from ..binding.textures import smallest
from ..binding.uniforms import missing
from ..signature import KernelSignature
from .camera import Camera
from .layout import CAMERA, CameraMatrix, is_vectors, usual_layout
from .names import WORDS, matrix_role

FLOATS = ("float", "half", "double", "min16float", "min10float")
LIGHT = (0.48, 0.6, 0.64, 0.0)  # the direction to a light, of length 1
SIZES = frozenset({"size", "usize", "u_size"})  # of two components, of runtime effects of Skia
COLOURS = frozenset({"color", "colour", "clr", "col", "diffuse", "intensity"})


def plain(name: str) -> str:
    """Return a name in lower case, letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def role_of(name: str, count: int) -> str:
    """Return the role that the name of a variable with so many components suggests: `time`, `size`
    of the picture; else "".
    """
    word = plain(name.rpartition(".")[2])
    if word.endswith("time") and "delta" not in word and "frame" not in word:
        return "time"
    sizes = "resolution", "screensize", "viewportsize", "windowsize"
    named = word.endswith(sizes) or (count == 2 and name.lower() in SIZES)
    return "size" if named else ""


@dataclass(slots=True)
class Guesses:
    """Guesses for values that were not supplied, and notes about them.

    `silent` are sentences about bindings that are 0 or white because no value was given, `assumed`
    about bindings with a guessed value.

    `layouts` are matrices whose use is known, by the path of the variable, `values` other variables
    and bindings whose use is known, and `notes` words about them. `found` are the variables that
    hold matrices of the camera, `reasons` sentences about why nothing is visible.
    """

    size: tuple[int, int]
    time: float = 0.0
    camera: Camera | None = None
    layouts: dict[str, CameraMatrix] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    found: dict[str, CameraMatrix] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)

    @property
    def camera_line(self) -> str:
        """The matrices of the camera: `camera: view from viewMtx, …`; "" if there are none."""
        parts = [f"{each.camera_words} from {name}" for name, each in self.found.items()]
        parts += self.notes
        return f"camera: {', '.join(parts)}" if parts else ""

    def inputs(self, pixel: KernelSignature, given: Mapping[str, Any]) -> None:
        """Note the inputs of a pixel shader that vary over the picture because none were given."""
        there = {pixel.find(name).key for name in given}
        left = [
            row.label for row in pixel if row.needed and not row.meaning and row.key not in there
        ]
        if left:
            self.assumed.append(f"{', '.join(left)} from 0 to 1 over the picture")

    def constants(
        self, kernel: Bindable, given: Mapping[str, Any], shader: str = ""
    ) -> dict[str, Any]:
        """Return all bindings of a kernel: the supplied ones, and guesses for all others.

        `shader` is a prefix for registers without a name, needed where several shaders use the same
        registers: `vs:`.
        """
        found = {name: value for name, value in given.items() if not _is_variable(kernel, name)}
        alone = {name: value for name, value in given.items() if name not in found}
        for binding in kernel.bindings:
            names = [each for each in binding.called if each in found]
            if binding.form is Form.CONSTANTS and binding.members is not None:
                whole = found.get(names[0]) if names else {}
                if not isinstance(whole, Mapping):
                    continue
                values = dict(whole)
                for each in binding.members.variables:
                    if each.name in alone:
                        values[each.name] = alone.pop(each.name)
                for each in missing(binding.members, values):
                    columns = self._has_columns(binding)
                    values[each.name] = self._value(each.name, each.type, columns)
                found[names[0] if names else binding.name] = values
            elif binding.form is Form.CONSTANTS and not names and binding.name in self.values:
                found[binding.name] = self.values[binding.name]
            elif binding.form is Form.CONSTANTS and not names:
                self.silent.append(f"{shader}{binding.where} is 0")
                found[binding.name] = bytes(max(binding.resource.size, 16))
            elif binding.form is Form.CHILD and binding.resource.shape is not None and not names:
                self.silent.append(f"{binding.where} is transparent")
            elif binding.form is Form.TEXTURE and not names and not binding.writable:
                self.silent.append(f"{'' if binding.label else shader}{binding.where} is white")
                found[binding.name] = white(binding)
        return {**found, **alone}

    def matrices(
        self, kernel: Bindable, given: Mapping[str, Any]
    ) -> Iterator[tuple[str, TypeDescription, CameraMatrix | None]]:
        """Yield the variables of a kernel that may hold matrices and have no value.

        Each comes with its path, type and usual layout; None for an array of vectors whose name
        suggests no matrix.
        """
        for binding in kernel.bindings:
            if binding.form is not Form.CONSTANTS or binding.members is None:
                continue
            whole: Any = next((given[name] for name in binding.called if name in given), {})
            if not isinstance(whole, Mapping):
                continue
            columns = self._has_columns(binding)
            for each in missing(binding.members, {*whole, *given}):
                yield from _matrices(each.name, each.type, columns)

    def _has_columns(self, binding: Binding) -> bool:
        """Return whether matrices are for column vectors: by default only in Vulkan."""
        stated = self.camera.columns if self.camera is not None else None
        return binding.is_descriptor if stated is None else stated

    def _value(self, name: str, type: TypeDescription, columns: bool) -> Any:
        if name in self.values:
            return self.values[name]
        layout = self.layouts.get(name) or usual_layout(type, matrix_role(name), columns)
        if layout is not None:
            is_camera = self.camera is not None and bool(layout.role.parts & CAMERA)
            words = "the camera" if is_camera else "the identity"
            if is_camera:
                self.found[name] = layout
            self.assumed.append(f"{name} is {words}")
            return layout.value(type, self.camera)
        if type.elements:
            count = int(np.prod(type.elements))
            one = self._value(name, element_type(type), columns)
            made: Any = [one] * count
            for size in reversed(type.elements[1:]):
                made = [made[at : at + size] for at in range(0, len(made), size)]
            return made
        if type.members:
            return {
                member.name: self._value(f"{name}.{member.name}", member.type, columns)
                for member in type.members
            }
        return self._vector(name, type.columns, type.scalar)

    def _vector(self, name: str, count: int, scalar: str) -> Any:
        word = plain(name.rpartition(".")[2])
        numbers: list[float] | None = None
        role = role_of(name, count)
        if role == "time":
            numbers = [self.time]
        elif role == "size":
            numbers = [self.size[0], self.size[1], 1.0, 0.0]
        elif self.camera is not None and _is_eye(word):
            numbers = [*self.camera.eye, 1.0]
        elif word.endswith(("mouse", "frame", "timedelta", "deltatime")):
            numbers = [0.0] * 4
        elif scalar in FLOATS and (usual := _usual(name.rpartition(".")[2])) is not None:
            numbers = list(usual)
            shown = ", ".join(f"{each:g}" for each in numbers[:count])
            self.assumed.append(f"{name} is {shown}")
        if numbers is None:
            self.silent.append(f"{name} is 0")
            numbers = []
        whole = [*numbers, *[0.0] * count][:count]
        return whole[0] if count == 1 else whole


def _matrices(
    name: str, kind: TypeDescription, columns: bool
) -> Iterator[tuple[str, TypeDescription, CameraMatrix | None]]:
    for member in kind.members:
        yield from _matrices(f"{name}.{member.name}", member.type, columns)
    layout = usual_layout(kind, matrix_role(name), columns)
    if layout is not None or is_vectors(kind):
        yield name, kind, layout


def _is_eye(word: str) -> bool:
    return "eye" in word or word.startswith("cam") or "camerapos" in word or "viewpos" in word


def _usual(name: str) -> tuple[float, ...] | None:
    """Return the usual value of a vector or number by the words of its name; None for others."""
    words = {each.lower() for each in WORDS.findall(name)}
    word = plain(name)
    if "scale" in word or words & {"st", "tiling"}:
        moves = any(each in word for each in ("offset", "bias", "translat")) or "st" in words
        return (1.0, 1.0, 0.0, 0.0) if moves else (1.0,) * 4
    light = "light" in word or "sun" in words
    if light and any(each in word for each in ("dir", "vec")):
        return LIGHT
    return (1.0,) * 4 if light and words & COLOURS and "ambient" not in words else None


def _is_variable(kernel: Bindable, name: str) -> bool:
    return not any(name in each.called for each in kernel.bindings)


def white(binding: Any) -> Array:
    """Return the smallest texture of a resource, all 1."""
    kind = {"sint": "<i4", "uint": "<u4"}.get((*binding.resource.returns, "")[0], "<f4")
    return np.ones((*smallest(binding.resource), 4), kind)
