"""Nintendo 3DS SHBIN: DVLB files with PICA200 code, and the objects (DVOJ) they are linked from."""

from .records import BoolValue, Constant, Dvlb, Dvle, Dvlp, Dvoj, FloatValue, IntValue
from .shader import Shbin

SHADER = Shbin

__all__ = [
    "SHADER",
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
