"""Pixels of the mesh computed again in double precision, from the triangle that each shows.

    again = MeshPixels(attributes, indices, skin, size)
    again.colour(triangle, x, y)                                      as `raster.draw` has it
    again.colour(triangle, x, y, rounded=False)                       by the first rule
    again.colour(triangle, x, y, rounded=False, in_bytes=True)        by both

Two rules of lavapipe: it rounds corners for coverage alone, and interpolates from places that are
not rounded; and it filters textures of 8 bits a channel in whole numbers, with weights of 8 bits.
"""

from typing import Any

import numpy as np

Array = Any
STEPS = 256  # of a pixel, and of a weight of 8 bits


class MeshPixels:
    """A mesh with its vertices on the screen, by the arithmetic of the shaders of mesh.py."""

    def __init__(
        self, attributes: list[Array], indices: Array, skin: Array, size: tuple[int, int]
    ) -> None:
        self.normal, self.where = (each.astype("f8") for each in attributes[1:])
        self.corners = indices.reshape(-1, 3)
        self.skin = skin
        place = attributes[0] * np.array([0.5625, 1, 1], "f4") * np.float32(1.3)
        self.w = (np.float32(1.4) + place[:, 2] * np.float32(0.3)).astype("f8")
        self.screen = (place[:, :2] / self.w[:, np.newaxis] + 1) * (np.array(size) / 2)

    def colour(
        self, triangle: int, x: int, y: int, *, rounded: bool = True, in_bytes: bool = False
    ) -> Array:
        """Return the levels of red, green and blue of a pixel that shows a triangle.

        Args:
            triangle: Its number.
            x: The column of the pixel.
            y: Its row.
            rounded: Whether corners are rounded to 1/256 of a pixel.
            in_bytes: Whether texels are filtered in whole numbers.
        """
        corners = self.corners[triangle]
        screen = self.screen[corners]
        if rounded:
            screen = np.rint(screen * STEPS) / STEPS
        linear = np.linalg.solve(np.vstack([screen.T, np.ones(3)]), [x + 0.5, y + 0.5, 1])
        shares = linear / self.w[corners]
        shares /= shares.sum()
        normal = shares @ self.normal[corners]
        light = 0.25 + 0.75 * max(0.0, normal @ [0.48, 0.64, -0.6] / np.linalg.norm(normal))
        return np.rint(self._texel(shares @ self.where[corners], in_bytes) * light)

    def _texel(self, where: Array, in_bytes: bool) -> Array:
        """Return the texture at a place, filtered linearly."""
        side = len(self.skin)
        place = where * side - 0.5
        first = np.floor(place).astype(int)
        share = place - first

        def mix(one: Array, two: Array, axis: int) -> Array:
            if in_bytes:
                return one + ((two - one) * int(share[axis] * STEPS) + STEPS // 2) // STEPS
            return one + (two - one) * share[axis]

        rows = []
        for row in (first[1], first[1] + 1):
            one, two = (self.skin[row % side, (first[0] + at) % side, :3].astype(int)
                        for at in (0, 1))  # fmt: skip
            rows.append(mix(one, two, 0))
        return mix(rows[0], rows[1], 1)


def explained(again: MeshPixels, triangles: Array, ours: Array, theirs: Array, far: Array) -> str:
    """Return how many of the pixels that differ have the colours that the rules give."""
    counts = [0, 0, 0]
    for y, x in np.argwhere(far):
        triangle = int(triangles[y, x])
        exact, first, both = (
            again.colour(triangle, x, y, **rule)
            for rule in ({}, {"rounded": False}, {"rounded": False, "in_bytes": True})
        )
        near = [np.abs(each - theirs[y, x, :3]).max() <= 1 for each in (first, both)]
        counts[0] += int((exact == ours[y, x, :3]).all())
        counts[1] += bool(near[0])
        counts[2] += bool(any(near))
    return (
        f"computed again, {counts[0]} are equal; those of lavapipe are within one level in"
        f" {counts[1]} if corners are not rounded, in {counts[2]} if texels may be filtered in"
        " bytes, too"
    )
