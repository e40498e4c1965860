"""What lines and points are on the screen, as exact_screen.py says it of triangles.

    ExactLines(clip, viewport)         clip (n, 2, 4): rectangles one pixel wide
    ExactPoints(clip, viewport, size)  clip (n, 1, 4): squares

Values change along a line, and not across it; along the nearer axis of an aliased line. A line that
goes behind the eye has no places.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from exact_screen import AROUND, STEP, Places

Array = npt.NDArray[Any]
ROUNDED = 2.0**-20


class ExactLines:
    """Lines in clip space and a viewport."""

    def __init__(self, clip: Array, viewport: tuple[float, ...], aliased: bool = False) -> None:
        self.aliased = aliased
        x, y, width, height, self.near, self.far = viewport
        wide = clip.astype(np.float64)
        self.w, self.z = wide[..., 3], wide[..., 2] / wide[..., 3]
        ndc = wide[..., :2] / self.w[..., np.newaxis]
        self.ends = np.array([x, y]) + (ndc + 1) * np.array([width, height]) / 2
        inside = np.all(np.abs(ndc) <= 1, axis=(1, 2)) & np.all(self.w > 0, axis=1)
        self.whole = inside & np.all((self.z >= 0) & (self.z <= 1), axis=1)
        self.tied = np.any(np.abs(self.ends / STEP % 1 - 0.5) < 0.01, axis=(1, 2))
        self.flat = np.any(self.w <= 0, axis=1)
        if aliased:  # single precision may take the other axis
            size = np.abs(self.ends[:, -1] - self.ends[:, 0])
            self.flat |= np.abs(size[:, 0] - size[:, 1]) <= 2 * STEP

    def _along(self, number: Array) -> Array:
        found: Array = self.ends[number, -1] - self.ends[number, 0]
        return found

    def _share(self, number: Array, x: Array, y: Array) -> Array:
        """How far along the line places are: 0 at the first end, 1 at the last."""
        along = self._along(number)
        if self.aliased:  # along the axis that it follows
            steps = np.rint(self.ends[number] / STEP)
            size = np.abs(steps[:, -1] - steps[:, 0])
            is_wide = (size[:, 0] >= size[:, 1])[:, np.newaxis]
            along = np.where(is_wide, along * [1, 0], along * [0, 1])
        from_first = np.stack([x, y], axis=-1) - self.ends[number, 0]
        length = (along**2).sum(axis=-1)
        found: Array = (from_first * along).sum(axis=-1) / np.where(length == 0, 1, length)
        return found

    def at(self, number: Array, x: Array, y: Array) -> Places:
        """What the lines are at places in pixels."""
        share = self._share(number, x, y)
        screen = np.stack([1 - share, share], axis=-1)
        z = (screen * self.z[number]).sum(axis=-1) * (self.far - self.near) + self.near
        return Places(screen / self.w[number], screen, z)

    def far_in(self, number: Array, x: Array, y: Array, depth: bool) -> Array:
        """How far places are inside of each side of the rectangle, and of the depths, in pixels."""
        share, along = self._share(number, x, y), self._along(number)
        length = np.linalg.norm(along, axis=-1)
        first = self.ends[number, 0]
        across = np.abs((x - first[:, 0]) * along[:, 1] - (y - first[:, 1]) * along[:, 0])
        sides = [share * length, (1 - share) * length, 0.5 - across / np.maximum(length, 1e-9)]
        if depth:
            z = self.z[number, 0] * (1 - share) + self.z[number, 1] * share
            slope = np.abs(self.z[number, 1] - self.z[number, 0]) / np.maximum(length, 1e-9)
            sides += [z / np.maximum(slope, 1e-9), (1 - z) / np.maximum(slope, 1e-9)]
        return np.stack(sides, axis=-1)

    def values(self, of: Array, number: Array, x: Array, y: Array, way: str) -> tuple[Array, Array]:
        """Values (n, 2, k) at places, and how much they may be off: see exact_screen.py.

        The corners of the rectangle are rounded beside its ends, so that they move by more.
        """
        made = self._mixed(of, number, x, y, way)
        reach = np.abs(self.at(number, x, y).screen).sum(axis=-1) * STEP * 1.5
        off = np.zeros_like(made)
        for direction in AROUND:
            moved = self._mixed(of, number, x + direction[0] * reach, y + direction[1] * reach, way)
            off = np.maximum(off, np.abs(moved - made))
        here = self.at(number, x, y)
        with np.errstate(all="ignore"):
            weights = np.abs(here.perspective if way == "perspective" else here.screen)
        terms = ROUNDED * (1 + weights.sum(axis=-1, keepdims=True))
        off = off + terms * (1 if way == "z" else np.abs(of[number]).max(axis=1))
        off[here.inverse <= 0] = np.inf  # behind the eye
        return made, np.where(np.isfinite(off), off, np.inf)

    def _mixed(self, of: Array, number: Array, x: Array, y: Array, way: str) -> Array:
        places = self.at(number, x, y)
        if way == "z":
            return np.stack([places.z, places.inverse], axis=-1)
        with np.errstate(all="ignore"):
            weights = places.screen if way == "screen" else places.perspective
            found: Array = np.einsum("nc,nck->nk", weights, of[number])
        return found


class ExactPoints(ExactLines):
    """Points in clip space, squares of sizes (n,) in pixels."""

    def __init__(self, clip: Array, viewport: tuple[float, ...], size: Array) -> None:
        super().__init__(clip, viewport)
        self.size = size

    def _share(self, number: Array, x: Array, y: Array) -> Array:
        return np.zeros(len(number))

    def at(self, number: Array, x: Array, y: Array) -> Places:
        """What the points are, which is the same everywhere."""
        screen = np.ones((len(number), 1))
        z = self.z[number, 0] * (self.far - self.near) + self.near
        return Places(screen / self.w[number], screen, z)

    def far_in(self, number: Array, x: Array, y: Array, depth: bool) -> Array:
        """How far places are inside of the sides of the square, in pixels."""
        half, centre = self.size[number] / 2, self.ends[number, 0]
        return np.stack([half - np.abs(x - centre[:, 0]), half - np.abs(y - centre[:, 1])], axis=-1)
