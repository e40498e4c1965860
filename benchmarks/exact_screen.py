"""What primitives are on the screen, computed from clip space without cutting or rounding them.

    exact = ExactScreen(clip, viewport)         triangles (t, 3, 4), x y width height near far
    at = exact.at(number, x, y)                 for places in pixels, each in one triangle
    at.edges                                    b: positive inside, and the sum is 1/w
    at.perspective, at.screen, at.z             weights of the corners; the depth

With the corners as rows (X, Y, w) of a matrix, X and Y being those on the screen times w, the b of
a place are (x, y, 1) times its inverse: corners behind the eye need no case of their own.

Source: M. Olano and T. Greer, Triangle scan conversion using 2D homogeneous coordinates, 1997.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
STEP = 1 / 256
ROUNDED = 2.0**-22
# Eight directions, to see what moving a place changes.
AROUND = np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y], np.float64)


@dataclass(slots=True)
class Places:
    """Places in triangles; see above."""

    edges: Array  # (n, 3)
    screen: Array
    z: Array  # (n,)

    @property
    def inverse(self) -> Array:
        """1/w."""
        found: Array = self.edges.sum(axis=-1)
        return found

    @property
    def perspective(self) -> Array:
        """The weights of the corners for values with perspective."""
        found: Array = self.edges / self.inverse[..., np.newaxis]
        return found


class ExactScreen:
    """Triangles in clip space and a viewport; those without area have no places."""

    def __init__(self, clip: Array, viewport: tuple[float, ...]) -> None:
        x, y, width, height, self.near, self.far = viewport
        wide = clip.astype(np.float64)
        self.w, self.z = wide[..., 3], wide[..., 2]
        rows = np.stack([
            self.w * x + (wide[..., 0] + self.w) * width / 2,
            self.w * y + (wide[..., 1] + self.w) * height / 2, self.w,
        ], axis=-1)  # fmt: skip
        with np.errstate(all="ignore"):
            steps = rows[..., :2] / self.w[..., None] / STEP
            # Whether single precision may round a corner to another step.
            self.tied = np.any(np.abs(steps % 1 - 0.5) < 0.01, axis=(1, 2))
        scale = np.abs(rows).max(axis=(1, 2))
        self.flat = np.abs(np.linalg.det(rows / np.where(scale, scale, 1)[:, None, None])) < 1e-14
        self.inverses = np.linalg.inv(np.where(self.flat[:, None, None], np.eye(3), rows))
        inside = np.all(np.abs(wide[..., :2]) <= self.w[..., None], axis=(1, 2))
        self.whole = inside & np.all((wide[..., 2] >= 0) & (wide[..., 2] <= self.w), axis=1)

    def at(self, number: Array, x: Array, y: Array) -> Places:
        """What the triangles are at places in pixels."""
        places = np.stack([x, y, np.ones(np.shape(x))], axis=-1)
        edges = np.einsum("...k,...kc->...c", places, self.inverses[number])
        z = np.einsum("...c,...c->...", edges, self.z[number]) * (self.far - self.near) + self.near
        return Places(edges, edges * self.w[number], z)

    def far_in(self, number: Array, x: Array, y: Array, depth: bool) -> Array:
        """How far places are inside of each edge, in pixels, (n, 3), or 5 with those of depth."""
        here = self.at(number, x, y)
        slopes = self.inverses[number][:, :2]
        edges, along = here.edges, slopes
        if depth:
            low = np.einsum("nc,nc->n", here.edges, self.z[number])
            change = np.einsum("nkc,nc->nk", slopes, self.z[number])
            edges = np.concatenate([edges, np.stack([low, 1 - low], axis=1)], axis=1)
            along = np.concatenate([along, np.stack([change, -change], axis=2)], axis=2)
        length = np.linalg.norm(along, axis=1)
        found: Array = edges / np.where(length == 0, 1e-300, length)
        return found

    def values(self, of: Array, number: Array, x: Array, y: Array, way: str) -> tuple[Array, Array]:
        """Values (t, 3, k) at places, and how much they may be off.

        Corners are rounded to steps. A place is the sum of the corners times its weights, so it is
        as if the place moved by half a step times the sum of the sizes of its weights. Sums are in
        single precision: they may be off by ROUNDED of their terms.
        """
        here = self.at(number, x, y)
        corners = of[number]
        reach = np.abs(here.screen).sum(axis=-1) * STEP / 2 * 1.05
        made = self._mixed(here, corners, way)
        off = self._rounding(here, corners, number, x, y, way)
        for direction in AROUND:
            moved = self.at(number, x + direction[0] * reach, y + direction[1] * reach)
            with np.errstate(all="ignore"):
                change = np.abs(self._mixed(moved, corners, way) - made)
            change[moved.inverse * here.inverse <= 0] = np.inf
            off = np.maximum(off, change)
        return made, np.where(np.isfinite(off), off, np.inf)

    def _rounding(
        self, here: Places, corners: Array, number: Array, x: Array, y: Array, way: str
    ) -> Array:
        """What single precision may round off: the terms of the planes are added at the place."""
        places = np.stack([np.abs(x), np.abs(y), np.ones(np.shape(x))], axis=-1)
        sizes = np.einsum("nk,nkc->nc", places, np.abs(self.inverses[number]))
        if way == "z":
            depth = np.einsum("nc,nc->n", sizes, np.abs(self.z[number])) * (self.far - self.near)
            return ROUNDED * np.stack([depth, sizes.sum(axis=-1)], axis=-1)
        if way == "screen":
            sizes = sizes * np.abs(self.w[number])
        else:
            with np.errstate(all="ignore"):
                sizes = sizes / np.abs(here.inverse)[:, np.newaxis]
        largest = np.abs(corners).max(axis=1)
        return np.asarray(ROUNDED * sizes.sum(axis=-1, keepdims=True) * largest)

    @staticmethod
    def _mixed(places: Places, corners: Array, way: str) -> Array:
        if way == "z":
            return np.stack([places.z, places.inverse], axis=-1)
        with np.errstate(all="ignore"):
            weights = places.screen if way == "screen" else places.perspective
            found: Array = np.einsum("nc,nck->nk", weights, corners)
        return found
