"""Accesses to resources, as source trees.

context       names and descriptions of memories, textures and samplers
layouts       members of buffers
declared      kinds that declarations fix
constants     loads from memories that nothing writes
buffers       other loads
textures      samples and sizes
effects       stores, barriers and atomic operations
writer        all of them, as the other steps use them
"""

from .writer import SourceResources

__all__ = ["SourceResources"]
