"""Textures and samplers as one gives them to a kernel.

kernel.shade((640, 480), t0=image, s0=Sampler("point", address="wrap"))
kernel.shade((640, 480), t0=Texture(image, mips=True, srgb=True))
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, TypeVar

from ..errors import UsageError
from ..ir.library.sampling import COMPARISONS, Address, Filter, SamplerState

Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Texture:
    """An array with more to say about it.

    `data` is the array, or a list of arrays: its mip levels, the largest first. `mips`: make the
    smaller levels. `srgb`: 8-bit colours are sRGB; the shader reads linear ones.
    """

    data: Any
    mips: bool = False
    srgb: bool = False


class Sampler:
    """How a texture is filtered. The default is what Direct3D does where no sampler is bound.

    filter      "linear", "point", or a word each for (smaller, larger, between mip levels)
    address     "wrap", "mirror", "clamp", "border", "mirror_once"; or one for each of u, v, w
    comparison  "less", "less_equal", … : what the shader's reference is to be of the texel
    """

    __slots__ = ("state",)

    def __init__(
        self,
        filter: str | Sequence[str] = "linear",
        address: str | Sequence[str] = "clamp",
        *,
        bias: float = 0.0,
        least: float = -1000.0,
        most: float = 1000.0,
        border: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
        comparison: str = "never",
    ) -> None:
        small, large, between = _three("filter", filter, Filter)
        u, v, w = _three("address", address, Address)
        if len(border) != 4:
            raise UsageError(f"a sampler's border has four numbers, not {len(border)}")
        words = ("never", "always", *COMPARISONS)
        if comparison not in words:
            raise UsageError(f"no comparison {comparison!r}; there are {', '.join(words)}")
        red, green, blue, alpha = (float(each) for each in border)
        self.state = SamplerState(
            magnify=large, minify=small, between=between, address=(u, v, w), bias=float(bias),
            least=float(least), most=float(most), border=(red, green, blue, alpha),
            comparison=comparison,
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"Sampler({self.state})"


def _three(what: str, given: str | Sequence[str], words: type[Word]) -> tuple[Word, Word, Word]:
    several = [given] * 3 if isinstance(given, str) else [*given]
    if not 1 <= len(several) <= 3:
        raise UsageError(f"a sampler has one to three words for its {what}, not {given!r:.40}")
    if len(several) < 3:
        several += several[-1:] * (3 - len(several))
    found = []
    for each in several:
        if each not in list(words):
            near = get_close_matches(str(each), list(words), 1)
            hint = f"did you mean {str(near[0])!r}?" if near else f"there are {', '.join(words)}"
            raise UsageError(f"a sampler has no {what} {each!r}: {hint}")
        found.append(words(each))
    return found[0], found[1], found[2]
