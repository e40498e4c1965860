"""Replacement of the names of structures, which dxc keeps in every DXIL program.

    %struct.SecretLight                      %struct.t0
    %class.StructuredBuffer<SecretLight>     %class.StructuredBuffer<t0>
    %dx.types.Handle                         the same: names of DXIL have meaning

Names of HLSL's own types stay, since validators recognise resources by them.
"""

import re

from ..model.module import DxilModule
from ..model.types import StructType

__all__ = ["has_type_names", "strip_type_names"]

WORD = re.compile(r"[^\W\d]\w*")
KEPT = "dx."
LEAST = 4  # characters of a name that is replaced: its replacement is not longer
OWN = re.compile(
    r"(?:class|struct|hostlayout|matrix|vector|anon|t\d+|float|u?int|half|double|bool|min16float"
    r"|min10float|min16u?int|min12int|float16_t|u?int(?:16|64)_t|u?int8_t4_packed|[uis]norm|const"
    r"|(?:RW|RasterizerOrdered|Feedback|Append|Consume|Globally)?"
    r"(?:ByteAddressBuffer|StructuredBuffer|Buffer|Texture\w+)|ConstantBuffer|TextureBuffer"
    r"|Sampler(?:Comparison)?State|RaytracingAccelerationStructure|RayQuery|RayDesc|\w+Stream"
    r"|(?:Input|Output)Patch|BuiltInTriangleIntersectionAttributes|i\d+|Globals|Params)\Z"
)


def has_type_names(module: DxilModule) -> bool:
    """Return True if a structure has a name that is not a name of HLSL or DXIL."""
    return any(_own(name) for name in _names(module))


def strip_type_names(module: DxilModule) -> None:
    """Replace the names of structures; a name that occurs in several becomes the same in all."""
    new: dict[str, str] = {}
    for name in _names(module):
        for word in _own(name):
            new.setdefault(word, f"t{len(new)}")
    for each in module.types:
        if isinstance(each, StructType) and each.name and not each.name.startswith(KEPT):
            each.name = WORD.sub(lambda found: new.get(found[0], found[0]), each.name)
            each.name_record = None


def _names(module: DxilModule) -> list[str]:
    found = [each.name for each in module.types if isinstance(each, StructType) and each.name]
    return [name for name in found if not name.startswith(KEPT)]


def _own(name: str) -> list[str]:
    return [word for word in WORD.findall(name) if len(word) >= LEAST and not OWN.match(word)]
