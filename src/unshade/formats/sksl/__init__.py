"""SkSL binary files: programs of Skia's shading language, and Skia's own modules."""

from typing import TYPE_CHECKING

__all__ = ["SkslFile", "SkslShader"]

if TYPE_CHECKING:
    from .records import SkslFile
    from .shader import SkslShader
else:
    from ...lazy import attributes  # who reads about.py does not need the rest

    __getattr__ = attributes(__name__, {"SkslFile": ".records", "SkslShader": ".shader"})
