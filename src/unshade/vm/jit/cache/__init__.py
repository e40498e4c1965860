"""The cache of the jit: a folder of files, machine code and Python objects in them."""

from .entries import NoIdentityError, name_of, read, write
from .values import Codec

__all__ = ["Codec", "NoIdentityError", "name_of", "read", "write"]
