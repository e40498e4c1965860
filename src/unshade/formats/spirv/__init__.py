"""SPIR-V modules: the intermediate language of Vulkan, OpenCL and OpenGL, in separate files."""

from typing import TYPE_CHECKING

__all__ = ["Program", "SpirvModule"]

if TYPE_CHECKING:
    from .shader import Program, SpirvModule
else:
    from ...lazy import attributes  # who reads about.py does not need the rest

    __getattr__ = attributes(__name__, dict.fromkeys(__all__, ".shader"))
