"""Textures for tests, and the engines to run them.

An image is levels of texels; `memories` returns them in the layout of `ir.library.texels`.
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
    """A texture: levels of texels (…, 4), words of the shape, and its state."""

    levels: Sequence[Any]
    shape: tuple[int, int, int]  # width, height, depth or layers
    samples: int = 1
    components: int = 4
    range: tuple[float, float] | None = None

    def memories(self, name: str) -> dict[str, Words]:
        """Return the two memories of a texture of that name."""
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
        """Return the state of the texture."""
        return TextureState(len(self.levels), self.samples, self.components, self.range)


def red(*numbers: float) -> npt.NDArray[np.float32]:
    """Return texels with these red components; the others are 0.5, 0.25, 1."""
    found = np.ones((len(numbers), 4), np.float32)
    found[:, 0], found[:, 1], found[:, 2] = numbers, 0.5, 0.25
    return found


def engines() -> list[tuple[str, Any, bool]]:
    """Yield name, engine, and whether the kernel is simplified first."""
    found: list[tuple[str, Any, bool]] = [
        ("lockstep, as lowered", Lockstep(), False), ("lockstep", Lockstep(), True)
    ]  # fmt: skip
    if find_spec("llvmlite") is not None:
        from unshade.vm.jit import Jit

        found.append(("jit", Jit(threads=1), True))
    return found


def same(got: Words, wanted: Words, where: str) -> None:
    """Assert equal bits; show the first that differ."""
    if got.shape != wanted.shape:
        raise AssertionError(f"{where}: {got.shape} instead of {wanted.shape}")
    wrong = np.flatnonzero(got != wanted)
    if len(wrong):
        at = int(wrong[0])
        raise AssertionError(
            f"{where}[{at}] is {shown(got[at])}, {shown(wanted[at])} expected ({len(wrong)} differ)"
        )


def shown(word: Any) -> str:
    """Return a word in hex and as a float."""
    number = struct.unpack("<f", struct.pack("<I", int(word)))[0]
    return f"{int(word):#010x} ({number:.9g})"
