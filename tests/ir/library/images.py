"""Textures for tests, and what engines there are to run them.

An image is levels of texels; `memories` gives them the shape that `ir.library.texels` draws.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from unshade.ir.library.sampling import SHAPE_WORDS, TextureState
from unshade.vm.lockstep import Lockstep

Words = npt.NDArray[np.uint32]


@dataclass(slots=True)
class Image:
    """A texture: levels of texels (…, 4), the shape's words, and what is known when preparing."""

    levels: Sequence[Any]
    shape: tuple[int, int, int]  # width, height, depth or layers
    samples: int = 1
    components: int = 4
    range: tuple[float, float] | None = None

    def memories(self, name: str) -> dict[str, Words]:
        """The two memories of a texture of that name."""
        texels = [np.ascontiguousarray(level).reshape(-1, 4) for level in self.levels]
        starts = np.cumsum([0, *(len(level) for level in texels)])[:-1]
        head = [*self.shape, len(texels), self.samples]
        head += [0] * (SHAPE_WORDS - len(head))
        joined = np.concatenate(texels).reshape(-1)
        return {
            name: joined.view(np.uint32),
            f"{name}.shape": np.array([*head, *starts], np.uint32),
        }

    @property
    def state(self) -> TextureState:
        """What is known when preparing."""
        return TextureState(len(self.levels), self.samples, self.components, self.range)


def red(*numbers: float) -> npt.NDArray[np.float32]:
    """Texels of these numbers, the other components 0.5, 0.25, 1."""
    found = np.ones((len(numbers), 4), np.float32)
    found[:, 0], found[:, 1], found[:, 2] = numbers, 0.5, 0.25
    return found


def engines() -> list[tuple[str, Any, bool]]:
    """Name, engine, and whether the kernel is simplified first."""
    found: list[tuple[str, Any, bool]] = [
        ("lockstep, as lowered", Lockstep(), False), ("lockstep", Lockstep(), True)
    ]  # fmt: skip
    if find_spec("llvmlite") is not None:
        from unshade.vm.jit import Jit

        found.append(("jit", Jit(threads=1), True))
    return found


def same(got: Words, wanted: Words, where: str) -> None:
    """Equal bits, or an assertion that shows the first that differ."""
    if got.shape != wanted.shape:
        raise AssertionError(f"{where}: {got.shape} instead of {wanted.shape}")
    wrong = np.flatnonzero(got != wanted)
    if len(wrong):
        at = int(wrong[0])
        raise AssertionError(
            f"{where}[{at}] is {shown(got[at])}, {shown(wanted[at])} expected ({len(wrong)} differ)"
        )


def shown(word: Any) -> str:
    """A word in hex and as the float that it may be."""
    number = struct.unpack("<f", struct.pack("<I", int(word)))[0]
    return f"{int(word):#010x} ({number:.9g})"
