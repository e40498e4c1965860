"""State of the readers of declarations.

`declarations` and `resources` have the readers; the state includes the phase of a hull shader, the
stream and the views that later declarations and operations refer to.
"""

from ....model import Resource
from ....model.facts import ProgramFacts
from ..instruction import Instruction
from ..operands import Operand


class Gathering:
    """The facts so far, and the state that later declarations refer to."""

    __slots__ = ("at", "facts", "of_patch", "stencil_ref", "stream", "streams", "tiled", "views")

    def __init__(self, facts: ProgramFacts) -> None:
        self.facts = facts
        self.at = 0  # index of the current instruction
        self.stencil_ref = False  # the program writes a stencil reference
        self.tiled = False  # the program queries the residency of tiled resources
        self.views: dict[int, Resource] = {}  # writable resources by the number in operands
        self.of_patch = False  # in a fork or join phase, whose outputs are patch constants
        self.stream = 0
        self.streams: dict[int, str] = {}

    @property
    def path(self) -> str:
        """The path of the declared operand."""
        return f"instructions[{self.at}].operands[0]"


def dword(instruction: Instruction, at: int) -> int:
    """Return a dword after the operands; 0 if it is missing."""
    return instruction.words[at] if at < len(instruction.words) else 0


def index(operand: Operand, at: int) -> int:
    """Return the constant part of an index; 0 if it is missing."""
    return operand.indices[at].immediate if at < len(operand.indices) else 0
