"""Spellings of names in LLVM's YAML, derived from ours: `VERTEX_ID` is `VertexID`.

Source: LLVM, BinaryFormat/DXContainerConstants.def. Numbers without a name there are missing here.
"""

import re

from ....enums import IntEnum
from ....vocab import features
from ....vocab.d3d import (
    D3DMinPrecision,
    D3DName,
    D3DPrimitive,
    PrimitiveTopology,
    TessellatorDomain,
    TessellatorOutputPrimitive,
)
from ....vocab.dxil import DxilResourceKind, DxilSemantic, MeshTopology
from ..parts.psv0 import PsvResourceType
from ..parts.rts0 import RangeType
from .keys import U32, Names, ValueForm

__all__ = ["FEATURES", "form_of_enum", "names_of", "spelled"]

WORDS = {
    **{each: each for each in ["CBV", "SRV", "UAV", "GS", "ID", "LOD"]},
    "32BIT": "32Bit",
    "CBUFFER": "CBuffer",
    "CULLPRIMITIVE": "CullPrimitive",
    "SHADINGRATE": "ShadingRate",
    "TBUFFER": "TBuffer",
    "VIEWPORT": "ViewPort",
}
# Members with another name; "" for those that LLVM does not know.
OTHERS: dict[type[IntEnum], dict[int, str]] = {
    D3DMinPrecision: {D3DMinPrecision.FLOAT_2_8: "Float2_8"},
    D3DName: {D3DName.DEPTH_GREATER_EQUAL: "DepthGE", D3DName.DEPTH_LESS_EQUAL: "DepthLE"},
    DxilResourceKind: {DxilResourceKind.ACCELERATION_STRUCTURE: "RTAccelerationStructure"},
    DxilSemantic: dict.fromkeys(range(DxilSemantic.START_VERTEX_LOCATION, len(DxilSemantic)), ""),
    RangeType: {RangeType.CBV: "CBuffer"},
}
# Numbers in LLVM 19: names in later versions, and numbers in all.
LATER = (PsvResourceType, DxilResourceKind)
NUMBERS = (
    *(D3DPrimitive, PrimitiveTopology, TessellatorDomain, TessellatorOutputPrimitive, MeshTopology),
)
# The bits of SFI0; LLVM 19 has the first 31, and calls the next one NextUnusedBit.
FEATURES = tuple(each.llvm or each.name for each in features.FEATURES)


def spelled(name: str) -> str:
    """Return a name of a field or of an enumeration in LLVM's spelling."""
    joined = "".join(map(_spelled_word, name.split("_")))
    return re.sub(r"([US])int(?=\d)", r"\1Int", joined)


def _spelled_word(word: str) -> str:
    upper = word.upper()
    return WORDS.get(upper) or (upper if upper[0].isdigit() else word.capitalize())


def names_of(enum: type[IntEnum]) -> dict[int, str]:
    """Return the names of an enumeration that LLVM knows."""
    others = OTHERS.get(enum, {})
    named = {each.value: others.get(each, spelled(each.name)) for each in enum}
    return {number: name for number, name in named.items() if name}


def form_of_enum(enum: type[IntEnum]) -> ValueForm:
    """Return the form of a number of an enumeration."""
    if enum in NUMBERS:
        return U32
    return Names(names_of(enum), numbers=U32 if enum in LATER else None)
