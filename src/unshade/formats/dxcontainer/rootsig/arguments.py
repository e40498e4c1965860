"""Clauses of a root signature as tables: the arguments of each, with attribute and default.

CBV(b0, space=1)      register letter b, space: attribute `space`, default 0
"""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ....enums import IntEnum
from ....tuples import NamedTuple
from ....vocab.d3d import UNBOUNDED
from ....vocab.d3d12 import ComparisonFunction
from ....vocab.rootsignature import (
    DATA_FLAGS,
    DescriptorFlag,
    RootSignatureFlag,
    StaticSamplerFlag,
)
from ....wire import f32_from_bits
from ....wire.floats import f32_to_bits
from ..parts.rts0 import (
    BorderColor,
    ParameterType,
    RangeType,
    SamplerFilter,
    TextureAddress,
    Visibility,
)

__all__ = [
    "APPEND",
    "CONSTANTS",
    "DESCRIPTOR",
    "RANGE",
    "RANGES",
    "RANGE_FLAGS",
    "ROOT_DESCRIPTORS",
    "ROOT_FLAGS",
    "SAMPLER",
    "STATIC_SAMPLER_FLAGS",
    "VISIBILITY",
    "ClauseArgument",
    "FlagForm",
    "FloatForm",
    "NumberForm",
]

ALL_BITS = 0xFFFF_FFFF
LARGEST = 3.4028234663852886e38  # the largest f32
NUMBER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|[0-9]+)")
FLOAT = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[fF]?")
BITS = re.compile(r"asfloat\(0x([0-9a-f]{8})\)")
LONGEST = 64
APPEND = "DESCRIPTOR_RANGE_OFFSET_APPEND"


class NumberForm:
    """A number of 32 bits; some numbers have names."""

    def __init__(self, names: Mapping[int, str] = {}) -> None:
        self.names = names
        self.numbers = {name.lower(): number for number, name in names.items()}
        first = next(iter(names.values()), "")
        self.wanted = f"{first} or another name" if len(names) > 1 else "a number"
        if len(names) == 1:
            self.wanted = f"a number or {first}"

    def show(self, number: int) -> str:
        return self.names.get(number, str(number))

    def read(self, text: str) -> int:
        """Return the number; raise ValueError for any other text."""
        named = self.numbers.get(text.lower())
        return number_of(text) if named is None else named

    def meant(self, text: str) -> str:
        """Return the name of the unsigned number with the bits of a negative number, or ""."""
        found = NUMBER.fullmatch(text) if len(text) <= LONGEST else None
        negative = int(text, 0) if found is not None and not text.lstrip("-").startswith("0") else 0
        return self.names.get(negative & ALL_BITS, "") if -(1 << 31) <= negative < 0 else ""


def number_of(text: str) -> int:
    """Return a number of 32 bits; raise ValueError for any other text."""
    if len(text) > LONGEST or not NUMBER.fullmatch(text):
        raise ValueError
    number = int(text, 16 if "x" in text.lower() else 10)
    if not 0 <= number <= ALL_BITS:
        raise ValueError
    return number


class FlagForm:
    """A set of bits with names, written with |; 0 if empty.

    `since` is the number of the first version that has flags of `noun`.
    """

    def __init__(self, flags: Iterable[IntEnum], noun: str, since: int = 1) -> None:
        self.names = names = {each.value: each.name for each in flags}
        self.noun = noun
        self.since = since
        self.bits = {name.lower(): bit for bit, name in names.items()}

    def show(self, number: int) -> str:
        words = [name for bit, name in self.names.items() if number & bit]
        rest = number & ~sum(self.names)
        if rest or not words:
            words.append(f"0x{rest:x}" if rest else "0")
        return " | ".join(words)

    def read(self, text: str) -> int:
        """Return the bit of one name; raise ValueError for an unknown flag."""
        bit = self.bits.get(text.lower())
        return number_of(text) if bit is None else bit


class FloatForm:
    """A float of 32 bits, as the shortest decimal that reads back the same."""

    wanted = "a float"

    def show(self, value: float) -> str:
        bits = f32_to_bits(value)
        if not math.isfinite(value):
            return f"asfloat(0x{bits:08x})"
        texts = (f"{value:.{digits}g}" for digits in range(1, 10))
        text = next((each for each in texts if _bits(float(each)) == bits), repr(value))
        return f"{text}f" if any(each in text for each in ".e") else f"{text}.0f"

    def read(self, text: str) -> float:
        """Return the value; raise ValueError for any other text."""
        bits = BITS.fullmatch(text.lower())
        if bits is not None:
            return f32_from_bits(int(bits[1], 16))
        found = FLOAT.fullmatch(text) if len(text) <= LONGEST else None
        if found is None:
            raise ValueError
        bits_of_value = _bits(float(found[1]))
        if bits_of_value is None:
            raise ValueError
        return f32_from_bits(bits_of_value)


def _bits(value: float) -> int | None:
    """Return the bits of the nearest f32, or None if it is too large."""
    try:
        return f32_to_bits(value)
    except OverflowError:
        return None


class ClauseArgument(NamedTuple):
    """A named argument of a clause."""

    name: str
    attribute: str
    form: NumberForm | FlagForm | FloatForm
    default: Any = 0


def _named(prefix: str, kind: type[IntEnum]) -> NumberForm:
    return NumberForm({each.value: f"{prefix}_{each.name}" for each in kind})


ROOT_FLAGS = FlagForm(RootSignatureFlag, "a root signature")
RANGE_FLAGS = FlagForm(DescriptorFlag, "a descriptor range", since=2)
DESCRIPTOR_FLAGS = FlagForm(DATA_FLAGS, "a root descriptor", since=2)
STATIC_SAMPLER_FLAGS = FlagForm(StaticSamplerFlag, "a static sampler", since=3)
PLAIN = NumberForm()
ADDRESS = _named("TEXTURE_ADDRESS", TextureAddress)

SPACE = ClauseArgument("space", "space", PLAIN)
VISIBILITY = ClauseArgument("visibility", "visibility", _named("SHADER_VISIBILITY", Visibility))
CONSTANTS = (SPACE, VISIBILITY)
DESCRIPTOR = (SPACE, VISIBILITY, ClauseArgument("flags", "flags", DESCRIPTOR_FLAGS))
RANGE = (
    ClauseArgument("numDescriptors", "count", NumberForm({UNBOUNDED: "unbounded"}), 1),
    SPACE,
    ClauseArgument("offset", "table_offset", NumberForm({ALL_BITS: APPEND}), ALL_BITS),
    ClauseArgument("flags", "flags", RANGE_FLAGS),
)

SAMPLER = (
    ClauseArgument("filter", "filter", _named("FILTER", SamplerFilter), SamplerFilter.ANISOTROPIC),
    ClauseArgument("addressU", "address_u", ADDRESS, TextureAddress.WRAP),
    ClauseArgument("addressV", "address_v", ADDRESS, TextureAddress.WRAP),
    ClauseArgument("addressW", "address_w", ADDRESS, TextureAddress.WRAP),
    ClauseArgument("mipLODBias", "mip_lod_bias", FloatForm(), 0.0),
    ClauseArgument("maxAnisotropy", "max_anisotropy", PLAIN, 16),
    ClauseArgument(
        "comparisonFunc",
        "comparison",
        _named("COMPARISON", ComparisonFunction),
        ComparisonFunction.LESS_EQUAL,
    ),
    ClauseArgument(
        "borderColor",
        "border_color",
        _named("STATIC_BORDER_COLOR", BorderColor),
        BorderColor.OPAQUE_WHITE,
    ),
    ClauseArgument("minLOD", "min_lod", FloatForm(), 0.0),
    ClauseArgument("maxLOD", "max_lod", FloatForm(), LARGEST),
    SPACE,
    VISIBILITY,
    ClauseArgument("flags", "flags", STATIC_SAMPLER_FLAGS),
)
# The name of a clause and the letter of its registers.
ROOT_DESCRIPTORS = {
    ParameterType.CBV: ("CBV", "b"),
    ParameterType.SRV: ("SRV", "t"),
    ParameterType.UAV: ("UAV", "u"),
}
RANGES = {
    RangeType.CBV: ("CBV", "b"),
    RangeType.SRV: ("SRV", "t"),
    RangeType.UAV: ("UAV", "u"),
    RangeType.SAMPLER: ("Sampler", "s"),
}
