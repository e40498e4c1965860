"""SPIR-V: the text of a module for Vulkan, from the same tree as the other languages.

    tree ── expressions.py, operations.py, images.py ── instructions ┐
    lines ── lines.py ── blocks                                      ├ module.py ── text
    resources, interface ── declarations.py, entry.py ── variables   ┘

The assembler of SPIR-V makes the module of the text.
"""

from .declarations import BindingPlace, given_place
from .environments import ENVIRONMENTS
from .target import SpirvTarget

__all__ = ["ENVIRONMENTS", "BindingPlace", "SpirvTarget", "given_place"]
