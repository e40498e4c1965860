"""Textures and samplers, as arguments of a kernel.

kernel.shade((640, 480), t0=image, s0=Sampler("point", address="wrap"))
kernel.shade((640, 480), t0=Texture(image, mips=True, srgb=True))
kernel.shade((640, 480), s0=Sampler("D3D11_FILTER_ANISOTROPIC", "D3D11_TEXTURE_ADDRESS_WRAP"))
"""

import re
from collections.abc import Iterable, Sequence
from itertools import product
from math import isnan
from typing import Any, TypeVar

from ...dataclass import dataclass
from ...enums import StrEnum
from ...errors import UsageError, did_you_mean
from ...ir.library.sampling import COMPARISONS, Address, Filter, Reduction, SamplerState
from ...model import StaticSampler
from .suggestions import full_name

Word = TypeVar("Word", bound=StrEnum)

MOST_ANISOTROPY = 16
ANISOTROPIC = "anisotropic"
# What the words of Direct3D 11 and 12 begin with; where its word differs from ours.
PREFIX = re.compile(
    r"D3D1[012]_(?:FILTER|TEXTURE_ADDRESS(?:_MODE)?|COMPARISON(?:_FUNC)?)_"
    r"|VK_(?:FILTER|SAMPLER_(?:MIPMAP|ADDRESS)_MODE|COMPARE_OP)_"
)
SPELLINGS = {
    "mirroronce": "mirror_once",
    # of Vulkan
    "nearest": "point", "repeat": "wrap", "mirrored_repeat": "mirror", "clamp_to_edge": "clamp",
    "clamp_to_border": "border", "mirror_clamp_to_edge": "mirror_once",
    "less_or_equal": "less_equal", "greater_or_equal": "greater_equal",
}  # fmt: skip
Filters = tuple[Filter, Filter, Filter]  # of the smaller, of the larger, between levels


def _filter_names() -> dict[str, tuple[Filters, bool, Reduction]]:
    """Return the filters by name: the three filters, if anisotropic, the reduction.

    Direct3D names combine stages with equal filters: min_mag_point_mip_linear.
    """
    named: dict[str, tuple[Filters, bool]] = {}
    for each in (Filter.LINEAR, Filter.POINT):
        named[each] = (each, each, each), False
    named[ANISOTROPIC] = (Filter.LINEAR, Filter.LINEAR, Filter.LINEAR), True
    for small, large, between in product((Filter.POINT, Filter.LINEAR), repeat=3):
        name = "min_mag" if small is large else f"min_{small}_mag"
        name += "_mip" if large is between else f"_{large}_mip"
        named[f"{name}_{between}"] = (small, large, between), False
    found: dict[str, tuple[Filters, bool, Reduction]] = {}
    for prefix, reduction in (
        ("", Reduction.MEAN), ("comparison_", Reduction.MEAN),
        ("minimum_", Reduction.MINIMUM), ("maximum_", Reduction.MAXIMUM),
    ):  # fmt: skip
        found |= {prefix + name: (*each, reduction) for name, each in named.items()}
    return found


FILTERS = _filter_names()
SHOWN = [name for name in FILTERS if "comparison" not in name and "_mip_" not in name]
SHOWN.append("the names of D3D11_FILTER")


class Sampler:
    """The state of a sampler. The default is Direct3D's for an unbound sampler.

    filter          "linear", "point", "anisotropic", also with the prefix "minimum_" or "maximum_";
                    or a tuple for (minification, magnification, mip levels); or Direct3D's name:
                    "D3D11_FILTER_MIN_MAG_POINT_MIP_LINEAR", "min_mag_mip_linear"; or Vulkan's:
                    "nearest"
    address         "wrap", "mirror", "clamp", "border", "mirror_once"; or one for each of u, v, w;
                    or Direct3D's name, or Vulkan's: "repeat", "mirrored_repeat", "clamp_to_edge"
    lod_bias        added to the level of detail
    min_lod         the least and greatest levels of detail
    max_lod
    border          the border's colour, four numbers
    comparison      "less", "less_equal", …: the comparison of the shader's reference with the texel
    max_anisotropy  1 to 16, for anisotropic filters only
    unnormalized    True if coordinates are in texels, as Vulkan allows for textures of one level:
                    both filters are the same, the address is "clamp" or "border"
    """

    __slots__ = ("state",)

    def __init__(
        self,
        filter: str | Sequence[str] = "linear",
        address: str | Sequence[str] = "clamp",
        *,
        lod_bias: float = 0.0,
        min_lod: float = -1000.0,
        max_lod: float = 1000.0,
        border: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
        comparison: str = "never",
        max_anisotropy: int = MOST_ANISOTROPY,
        unnormalized: bool = False,
    ) -> None:
        (small, large, between), anisotropic, reduction = _filter(filter)
        u, v, w = _three("address", address, Address)
        colour = _several(border)
        if len(colour) != 4:
            raise UsageError(f"sampler border: expected four numbers, got {border!r:.60}")
        red, green, blue, alpha = (_number("border", each) for each in colour)
        ratio = _number("max_anisotropy", max_anisotropy)
        if not 0 <= ratio <= MOST_ANISOTROPY or ratio != int(ratio):
            raise UsageError(
                f"sampler max_anisotropy: expected an integer from 1 to {MOST_ANISOTROPY}, got"
                f" {max_anisotropy!r:.20}"
            )
        if unnormalized and (
            small is not large or anisotropic or {u, v} - {Address.CLAMP, Address.BORDER}
        ):
            raise UsageError(
                "sampler unnormalized: expected one filter, not anisotropic, and clamp or border"
            )
        if unnormalized:  # of the only level
            between, lod_bias, min_lod, max_lod = Filter.POINT, 0.0, 0.0, 0.0
        words = ("never", "always", *COMPARISONS)
        self.state = SamplerState(
            magnify=large, minify=small, between=between, address=(u, v, w),
            bias=_number("lod_bias", lod_bias), least=_number("min_lod", min_lod),
            most=_number("max_lod", max_lod), border=(red, green, blue, alpha),
            comparison=_word("comparison", comparison, words),
            anisotropy=max(1, int(ratio)) if anisotropic else 1, reduction=reduction,
            unnormalized=bool(unnormalized),
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"Sampler({self.state})"


BORDERS = {
    "transparent_black": (0.0, 0.0, 0.0, 0.0), "opaque_black": (0.0, 0.0, 0.0, 1.0),
    "opaque_white": (1.0, 1.0, 1.0, 1.0),
}  # fmt: skip


def default_sampler(static: StaticSampler | None) -> Sampler:
    """Return the sampler that is used if none is bound: the static one, or Direct3D's default."""
    if static is None:
        return Sampler()
    border = static.border_color.removesuffix("_uint")
    if border not in BORDERS:
        raise UsageError(f"static sampler s{static.register}: unknown border {border!r:.40}")
    return Sampler(
        static.filter, static.address, lod_bias=static.mip_lod_bias, min_lod=static.min_lod,
        max_lod=static.max_lod, border=BORDERS[border], comparison=static.comparison,
        max_anisotropy=static.max_anisotropy,
    )  # fmt: skip


def _number(what: str, given: Any) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = float("nan")
    if isnan(number):
        raise UsageError(f"sampler {what}: expected a number, got {given!r:.40}")
    return number


def _several(given: Any) -> list[Any]:
    return [*given] if isinstance(given, Iterable) and not isinstance(given, str) else []


def _plain(given: Any) -> str:
    """Return a word in the spelling of this module."""
    text = PREFIX.sub("", str(given).upper()).lower()
    return SPELLINGS.get(text, text)


def _word(what: str, given: Any, words: Iterable[str], shown: Iterable[str] = ()) -> str:
    """Return one of these words; UsageError lists them."""
    listed = [str(each) for each in words]
    found = _plain(given)
    if found in listed:
        return found
    known = ", ".join([str(each) for each in shown] or listed)
    hint = did_you_mean(full_name(found), listed)
    raise UsageError(f"unknown sampler {what} {given!r:.60}; known: {known}{hint}")


def _filter(given: str | Sequence[str]) -> tuple[Filters, bool, Reduction]:
    if not isinstance(given, str):
        return _three("filter", given, Filter), False, Reduction.MEAN
    return FILTERS[_word("filter", given, FILTERS, SHOWN)]


def _three(what: str, given: str | Sequence[str], words: type[Word]) -> tuple[Word, Word, Word]:
    several = [given] * 3 if isinstance(given, str) else _several(given)
    if not 1 <= len(several) <= 3:
        raise UsageError(f"sampler {what}: expected one to three words, got {given!r:.40}")
    several += several[-1:] * (3 - len(several))
    u, v, w = (words(_word(what, each, words)) for each in several)
    return u, v, w


@dataclass(frozen=True, slots=True)
class Texture:
    """A texture argument: an array with mip levels, format or sampler.

    `data` is an array, a list of arrays, or an image of Pillow's, whose grey pixels are
    (v, v, v, 1).

    Shape: (width), (height, width) or (depth, height, width). Before these axes comes an axis of
    layers for a texture array, of 6 faces for a cube, of 6 x layers for an array of cubes. After
    them comes an axis of samples for a multisampled texture, and then an axis of 1 to 4 channels,
    red first. An array without the last axis has one channel. Missing channels are 0, a missing
    fourth channel is 1.

    Type: float32 or float16; uint8 or uint16, which mean 0 to 1; int8 or int16, which mean -1 to 1;
    or an integer type if the shader declares integers.

    The arrays of a list are the faces, layers or slices if they have one size, and the mip levels,
    largest first, if their sizes decrease.

    `mips`: make the smaller levels. Their texels are the means of the areas that they cover; where
    a size is odd, a texel on the border of two areas counts in part for both. `srgb`: the 8-bit
    colours are sRGB, and the shader reads linear colours. `sampler`: the sampler of a shader that
    declares textures and samplers combined. `format`: the name of a pixel format of Vulkan or
    Direct3D, such as "A2B10G10R10_UNORM_PACK32"; the bytes of `data` are pixels of that format.
    """

    data: Any
    mips: bool = False
    srgb: bool = False
    sampler: Sampler | str | None = None
    format: str | None = None

    def __repr__(self) -> str:
        from .numbers import shown  # imports NumPy

        levels = self.data if isinstance(self.data, list | tuple) else [self.data]
        several = f"{len(levels)} x " if levels and levels is self.data else ""
        more = [name for name in ("mips", "srgb") if getattr(self, name)]
        more += [
            f"{name}={value!r}"
            for name in ("sampler", "format")
            if (value := getattr(self, name)) is not None
        ]
        what = shown(levels[0]) if levels else "nothing"
        return f"<Texture {', '.join([several + what, *more])}>"
