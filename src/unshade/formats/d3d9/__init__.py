"""Direct3D 9 programs in separate files: Shader Model 1 to 3."""

from typing import TYPE_CHECKING

__all__ = ["Direct3D9Shader"]

if TYPE_CHECKING:
    from .shader import Direct3D9Shader
else:
    from ...lazy import attributes  # who reads about.py does not need the rest

    __getattr__ = attributes(__name__, dict.fromkeys(__all__, ".shader"))
