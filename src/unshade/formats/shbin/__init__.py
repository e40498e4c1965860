"""Nintendo 3DS SHBIN: DVLB files with PICA200 code, and the objects (DVOJ) they are linked from."""

from typing import TYPE_CHECKING

__all__ = [
    "BoolValue",
    "Constant",
    "Dvlb",
    "Dvle",
    "Dvlp",
    "Dvoj",
    "FloatValue",
    "IntValue",
    "Shbin",
]

if TYPE_CHECKING:
    from .records import BoolValue, Constant, Dvlb, Dvle, Dvlp, Dvoj, FloatValue, IntValue
    from .shader import Shbin
else:
    from ...lazy import attributes  # who reads about.py does not need the rest

    __getattr__ = attributes(
        __name__, {name: ".shader" if name == "Shbin" else ".records" for name in __all__}
    )
