"""Nintendo 3DS SHBIN: DVLB files with PICA200 code, and the objects (DVOJ) they are linked from."""

from .records import Dvlb, Dvle, Dvlp, Dvoj
from .shader import DvlbShader

SHADER = DvlbShader

__all__ = ["SHADER", "Dvlb", "DvlbShader", "Dvle", "Dvlp", "Dvoj"]
