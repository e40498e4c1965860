"""DirectX containers: DXBC (shader models 4 to 5.1) and DXIL (6 and later)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .container import Container, Header
    from .digest import DigestKind
    from .part import DxPart, PartList
    from .shader import DxContainer
else:
    from ...lazy import attributes  # who reads about.py does not need the rest

    __getattr__ = attributes(
        __name__,
        {
            "Container": ".container",
            "DigestKind": ".digest",
            "DxContainer": ".shader",
            "Header": ".container",
            "DxPart": ".part",
            "PartList": ".part",
        },
    )

__all__ = ["Container", "DigestKind", "DxContainer", "DxPart", "Header", "PartList"]
