"""GLSL for Vulkan: spellings (target.py), inputs and outputs (entry.py), resources.

accesses       textures, images, buffers and atomic operations
blocks         layouts that a block can have
declarations   blocks, textures, images, shared memory
program        the whole text
"""

from .target import GlslTarget

__all__ = ["GlslTarget"]
