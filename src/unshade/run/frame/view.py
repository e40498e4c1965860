"""The view of a frame: one camera around all meshes that it draws, unless the frame has another."""

from collections.abc import Mapping

import numpy as np

from ...dataclass import dataclass
from ...errors import UsageError
from ...vm.launch import Array
from ..camera.camera import Camera
from ..meshes.mesh import Mesh
from .description import FrameCamera, FrameDescription


@dataclass(slots=True)
class FrameView:
    """The ball around all meshes that a frame draws, and the camera that it describes."""

    middle: Array
    far: float
    described: FrameCamera | None

    @classmethod
    def of(cls, described: FrameDescription, meshes: Mapping[str, Mesh]) -> "FrameView":
        """Return the view of a frame; without meshes, the ball of radius 1 at the origin."""
        drawn = {
            command.draw.mesh: None
            for each in described.passes for command in each.commands
            if command.draw is not None and command.draw.mesh in meshes
        }  # fmt: skip
        shapes = [meshes[name] for name in drawn if name is not None]
        if not shapes:
            return cls(np.zeros(3), 1.0, described.camera)
        low = np.min([each.position.min(axis=0) for each in shapes], axis=0)
        high = np.max([each.position.max(axis=0) for each in shapes], axis=0)
        middle = (low + high) / 2
        far = max(
            float(np.sqrt(((each.position - middle) ** 2).sum(axis=1)).max()) for each in shapes
        )
        return cls(middle, far or 1.0, described.camera)

    def camera(self, given: FrameCamera | None, size: tuple[int, int]) -> Camera:
        """Return the camera of a draw, which may have its own, for targets of a size."""
        camera = Camera.around(self.middle, self.far, size[0] / size[1])
        chosen = given if given is not None else self.described
        if chosen is None:
            return camera
        for words, point in (("eye", chosen.eye), ("look_at", chosen.look_at)):
            if point is not None and len(point) != 3:
                raise UsageError(f"camera.{words}: expected three numbers, got {point}")
        camera.eye = chosen.eye or camera.eye
        camera.target = chosen.look_at or camera.target
        camera.reach(self.middle, self.far)
        camera.fov, camera.columns = chosen.fov, chosen.columns
        return camera
