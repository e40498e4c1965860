"""The facts of a program while its declarations are read, one after the other.

`declarations` and `resources` have a reader for each; the phase of a hull shader, the stream and
the views are what a later declaration or operation refers to.
"""

from ....model import Resource
from ....model.facts import ProgramFacts
from ..instruction import Instruction
from ..operands import Operand


class Gathering:
    """The facts so far, and what the declarations to come refer to."""

    __slots__ = ("at", "facts", "of_patch", "stencil_ref", "stream", "streams", "tiled", "views")

    def __init__(self, facts: ProgramFacts) -> None:
        self.facts = facts
        self.at = 0  # number of the instruction at hand
        self.stencil_ref = False  # it writes a stencil reference
        self.tiled = False  # it asks for the residency of tiled resources
        self.views: dict[int, Resource] = {}  # writable resources by the number that operands use
        self.of_patch = False  # in a fork or join phase of a hull shader: outputs are the patch's
        self.stream = 0
        self.streams: dict[int, str] = {}

    @property
    def path(self) -> str:
        """Where the operand stands that is declared."""
        return f"instructions[{self.at}].operands[0]"


def dword(instruction: Instruction, at: int) -> int:
    """Return a dword behind the operands; 0 where a declaration lacks it."""
    return instruction.words[at] if at < len(instruction.words) else 0


def index(operand: Operand, at: int) -> int:
    """Return the constant part of an index; 0 where the operand lacks it."""
    return operand.indices[at].immediate if at < len(operand.indices) else 0
