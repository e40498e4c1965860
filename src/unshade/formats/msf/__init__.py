"""MSF 7.00: the file format of PDBs, in which dxc writes a container with debug information."""

from typing import TYPE_CHECKING

__all__ = ["MsfFile"]

if TYPE_CHECKING:
    from .file import MsfFile
else:
    from ...lazy import attributes  # who reads about.py does not need the rest

    __getattr__ = attributes(__name__, dict.fromkeys(__all__, ".file"))
