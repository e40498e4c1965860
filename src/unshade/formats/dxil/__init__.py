"""DXIL programs in separate files, without a container."""

from typing import TYPE_CHECKING

__all__ = ["DxilFile"]

if TYPE_CHECKING:
    from .shader import DxilFile
else:
    from ...lazy import attributes  # who reads about.py does not need the rest

    __getattr__ = attributes(__name__, dict.fromkeys(__all__, ".shader"))
