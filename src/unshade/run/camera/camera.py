"""A camera: its position, the point that it looks at, and its matrices.

    from the world ── view ── to the camera, which looks along -z ── projection ── to clip space

Matrices are for row vectors, v * view * projection, as in Direct3D; depth runs from 0 to 1.
"""

from collections.abc import Sequence

import numpy as np

from ...dataclass import dataclass
from ...errors import UsageError
from ...vm.launch import Array
from .names import MatrixRole

Vector = Sequence[float]


@dataclass(slots=True)
class Camera:
    """A camera: position, target, field of view.

    `columns` is true if matrices are for column vectors, false for row vectors; None leaves it to
    the program. `least_depth` is z / w at the near plane of the program's clip space.
    """

    eye: Vector
    target: Vector
    fov: float = 45.0
    aspect: float = 1.0
    near: float = 0.01
    far: float = 1000.0
    columns: bool | None = None
    least_depth: int = 0

    @classmethod
    def around(cls, middle: "Vector | Array", far: float, aspect: float) -> "Camera":
        """Return a camera that shows a whole ball, given its centre and radius."""
        direction = np.array([0.45, 0.4, 0.8])
        distance = 2.9 * far / min(1.0, aspect)
        eye = np.asarray(middle) + direction / np.linalg.norm(direction) * distance
        target = [float(each) for each in middle]
        return cls(eye.tolist(), target, aspect=aspect, near=distance / 100, far=distance * 10)

    def reach(self, middle: "Vector | Array", radius: float) -> None:
        """Move the far plane behind a ball, if the ball is farther away."""
        away = float(np.linalg.norm(np.asarray(self.eye, float) - np.asarray(middle, float)))
        self.far = max(self.far, away + 2 * radius)

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
        """Perspective, with depth from the least to 1 more."""
        if not 0 < self.fov < 180:
            raise UsageError(
                f"expected a field of view between 0 and 180 degrees, got {self.fov:g}"
            )
        scale = 1.0 / np.tan(np.radians(self.fov) / 2)
        made = np.zeros((4, 4))
        made[0, 0], made[1, 1] = scale / self.aspect, scale
        made[2, 2], made[2, 3] = self.far / (self.near - self.far), -1.0
        made[3, 2] = self.near * self.far / (self.near - self.far)
        made[:, 2] += self.least_depth * made[:, 3]
        return made

    def matrix(self, role: MatrixRole) -> Array:
        """Return the matrix of a role, for row vectors; the world is where the model is."""
        made: Array = np.eye(4)
        if "view" in role.parts:
            made = made @ self.view
        if role.normal:
            made[3, :3] = 0
        elif "projection" in role.parts:
            made = made @ self.projection
        if role.inverse:
            made = np.linalg.inv(made)
        return made.T if role.transpose else made
