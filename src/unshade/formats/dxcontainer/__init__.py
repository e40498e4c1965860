"""DirectX containers: DXBC (shader models 4 to 5.1) and DXIL (6 and later)."""

from .container import Container, Header
from .digest import DigestKind
from .part import Part, PartList
from .shader import DxContainer

SHADER = DxContainer

__all__ = ["SHADER", "Container", "DigestKind", "DxContainer", "Header", "Part", "PartList"]
