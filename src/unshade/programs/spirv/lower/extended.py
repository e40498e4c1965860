"""Calls of extended instruction sets: OpExtInst.

    %5 = OpExtInst %float %1 Sqrt %4      a row of the table of GLSL.std.450, by its number

Non-semantic sets only describe the program and have no effect.
"""

from typing import TYPE_CHECKING, Any

from ....errors import UnsupportedError
from ..module import Instruction
from ..tables.numbers import Opcode
from . import interpolation
from .glsl_table import FUNCTIONS
from .operations import Handlers

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS"]

GLSL = "GLSL.std.450"
SILENT = ("NonSemantic.", "DebugInfo", "OpenCL.DebugInfo.100")


def _call(lowering: "Lowering", instruction: Instruction) -> Any:
    words = instruction.words
    name = lowering.index.imports.get(words[3], "")
    if name.startswith(SILENT):
        return None
    if name != GLSL:
        raise UnsupportedError(f"instructions of {name or 'an unknown set'} cannot be run")
    function = FUNCTIONS.get(words[4]) or interpolation.FUNCTIONS.get(words[4])
    if function is None:
        raise UnsupportedError(f"function {words[4]} of {GLSL} cannot be run yet")
    return function(lowering, instruction)


HANDLERS: Handlers = {Opcode.ExtInst: _call}
