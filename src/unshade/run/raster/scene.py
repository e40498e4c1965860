"""Defaults for a scene: constants guessed from their names, a camera.

    float time, iTime, g_Time          seconds
    float2 resolution, iResolution     the size of the picture
    float4x4 worldViewProj, u_vp       the camera's matrices; other matrices are the identity
    float3 eye, cameraPosition         where the camera stands

Anything else is 0. `Guesses.silent` lists it for a tool to report, and `Guesses.assumed` the
matrices, which a tool reports if the picture is empty.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import UsageError
from ...ir.lowered import Form
from ...model import TypeClass, TypeDescription
from ...vm.launch import Array
from ..binding.bindings import Binding
from ..binding.children import Bindable
from ..binding.textures import smallest
from ..binding.uniforms import missing
from ..signature import KernelSignature

Vector = Sequence[float]


@dataclass(slots=True)
class Camera:
    """A camera: position, target, field of view.

    `columns` is true if matrices are for column vectors, false for row vectors; None leaves it to
    the program.
    """

    eye: Vector
    target: Vector
    fov: float = 45.0
    aspect: float = 1.0
    near: float = 0.01
    far: float = 1000.0
    columns: bool | None = None

    @classmethod
    def around(cls, middle: "Vector | Array", far: float, aspect: float) -> "Camera":
        """Return a camera that shows a whole ball, given its centre and radius."""
        direction = np.array([0.45, 0.4, 0.8])
        distance = 2.9 * far / min(1.0, aspect)
        eye = np.asarray(middle) + direction / np.linalg.norm(direction) * distance
        target = [float(each) for each in middle]
        return cls(eye.tolist(), target, aspect=aspect, near=distance / 100, far=distance * 10)

    @property
    def view(self) -> Array:
        """From the world to the camera, which looks along -z; for row vectors."""
        eye, target = np.array(self.eye, float), np.array(self.target, float)
        back = eye - target
        length = np.linalg.norm(back)
        if not length:
            raise UsageError("expected a camera target other than its position")
        back /= length
        right = np.cross([0.0, 1.0, 0.0], back)
        size = np.linalg.norm(right)
        right = right / size if size > 1e-9 else np.array([1.0, 0.0, 0.0])
        up = np.cross(back, right)
        made = np.eye(4)
        made[:3, 0], made[:3, 1], made[:3, 2] = right, up, back
        made[3, :3] = -eye @ made[:3, :3]
        return made

    @property
    def projection(self) -> Array:
        """Perspective, with depth from 0 to 1."""
        scale = 1.0 / np.tan(np.radians(self.fov) / 2)
        made = np.zeros((4, 4))
        made[0, 0], made[1, 1] = scale / self.aspect, scale
        made[2, 2], made[2, 3] = self.far / (self.near - self.far), -1.0
        made[3, 2] = self.near * self.far / (self.near - self.far)
        return made

    def matrix(self, name: str, columns: bool = False) -> Array | None:
        """Return the matrix that a variable's name suggests, for row or column vectors."""
        found = self._matrix(name)
        return found.T if found is not None and columns else found

    def _matrix(self, name: str) -> Array | None:
        word = plain(name)
        both = self.view @ self.projection
        if any(each in word for each in ("viewproj", "modelviewproj")) or word.endswith(
            ("wvp", "mvp", "vp")
        ):
            return both
        if "proj" in word:
            return self.projection
        if "view" in word or word.endswith("mv"):
            return self.view
        return None


def plain(name: str) -> str:
    """Return a name in lower case, letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def role_of(name: str) -> str:
    """Return the role that a variable's name suggests: `time`, `size` of the picture; else ""."""
    word = plain(name.rpartition(".")[2])
    if word.endswith("time") and "delta" not in word and "frame" not in word:
        return "time"
    sizes = "resolution", "screensize", "viewportsize", "windowsize"
    return "size" if word.endswith(sizes) else ""


@dataclass(slots=True)
class Guesses:
    """Guesses for values that were not supplied, and notes about them.

    `silent` are sentences about bindings that are 0 or white because no value was given, `assumed`
    about bindings with a guessed value.
    """

    size: tuple[int, int]
    time: float = 0.0
    camera: Camera | None = None
    silent: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)

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
            elif binding.form is Form.CONSTANTS and not names:
                self.silent.append(f"{shader}{binding.where} is 0")
                found[binding.name] = bytes(max(binding.resource.size, 16))
            elif binding.form is Form.CHILD and binding.resource.shape is not None and not names:
                self.silent.append(f"{binding.where} is transparent")
            elif binding.form is Form.TEXTURE and not names and not binding.writable:
                self.silent.append(f"{'' if binding.label else shader}{binding.where} is white")
                found[binding.name] = white(binding)
        return {**found, **alone}

    def _has_columns(self, binding: Binding) -> bool:
        """Return whether matrices are for column vectors: by default only in Vulkan."""
        stated = self.camera.columns if self.camera is not None else None
        return binding.is_descriptor if stated is None else stated

    def _value(self, name: str, type: TypeDescription, columns: bool) -> Any:
        if type.elements == [4] and type.columns == 4 and type.type_class == TypeClass.VECTOR:
            found = self.camera.matrix(name, True) if self.camera is not None else None
            if found is not None:  # four dot products: rows that a column is multiplied by
                self.assumed.append(f"{name} is the camera")
                return np.ascontiguousarray(found, "f4")
        if type.elements:
            count = int(np.prod(type.elements))
            single = TypeDescription(
                name=type.name, type_class=type.type_class, scalar=type.scalar, rows=type.rows,
                columns=type.columns, members=type.members,
            )  # fmt: skip
            one = self._value(name, single, columns)
            made: Any = [one] * count
            for size in reversed(type.elements[1:]):
                made = [made[at : at + size] for at in range(0, len(made), size)]
            return made
        if type.members:
            return {
                member.name: self._value(f"{name}.{member.name}", member.type, columns)
                for member in type.members
            }
        if type.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
            found = self.camera.matrix(name, columns) if self.camera is not None else None
            whole = found if found is not None else np.eye(4)
            self.assumed.append(f"{name} is {'the identity' if found is None else 'the camera'}")
            return whole[: type.rows, : type.columns].astype("f4")
        return self._vector(name, type.columns)

    def _vector(self, name: str, count: int) -> Any:
        word = plain(name.rpartition(".")[2])
        numbers: list[float] | None = None
        role = role_of(name)
        if role == "time":
            numbers = [self.time]
        elif role == "size":
            numbers = [self.size[0], self.size[1], 1.0, 0.0]
        elif self.camera is not None and ("eye" in word or word.startswith("cam")):
            numbers = [*self.camera.eye, 1.0]
        elif word.endswith(("mouse", "frame", "timedelta", "deltatime")):
            numbers = [0.0] * 4
        if numbers is None:
            self.silent.append(f"{name} is 0")
            numbers = []
        whole = [*numbers, *[0.0] * count][:count]
        return whole[0] if count == 1 else whole


def _is_variable(kernel: Bindable, name: str) -> bool:
    return not any(name in each.called for each in kernel.bindings)


def white(binding: Any) -> Array:
    """Return the smallest texture of a resource, all 1."""
    kind = {"sint": "<i4", "uint": "<u4"}.get((*binding.resource.returns, "")[0], "<f4")
    return np.ones((*smallest(binding.resource), 4), kind)
