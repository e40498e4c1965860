"""State of the readers of declarations.

`declarations` and `resources` contain the readers; the state includes the phase of a hull shader,
the stream and the views that later declarations and operations refer to.
"""

from typing import Any

from ....model import Resource
from ....model.facts import ProgramFacts
from ....tuples import NamedTuple
from ..instruction import Instruction
from ..kept import Kept
from ..operands import Operand


class PortDeclaration(NamedTuple):
    """The values that follow from the declaration of a port in a stage, a stream and a phase."""

    fields: dict[str, Any]  # all but the path
    listed: str  # the field of the facts that lists it
    stencil_ref: bool
    sample_frequency: bool


class Gathering:
    """The facts so far, and the state that later declarations refer to."""

    __slots__ = (
        "facts",
        "of_patch",
        "path",
        "ports",
        "stencil_ref",
        "stream",
        "streams",
        "tiled",
        "views",
    )

    def __init__(self, facts: ProgramFacts) -> None:
        self.facts = facts
        self.path = ""  # of the declared operand
        self.stencil_ref = False  # the program writes a stencil reference
        self.tiled = False  # the program queries the residency of tiled resources
        self.views: dict[int, Resource] = {}  # writable resources by the number in operands
        self.of_patch = False  # in a fork or join phase, whose outputs are patch constants
        self.stream = 0
        self.streams: dict[int, str] = {}
        self.ports: Kept[PortDeclaration] | None = None  # readers of ports in this phase and stream

    def enter(self, *, of_patch: bool | None = None, stream: int | None = None) -> None:
        """Begin a phase or a stream."""
        self.of_patch = self.of_patch if of_patch is None else of_patch
        self.stream = self.stream if stream is None else stream
        self.ports = None


def dword(instruction: Instruction, at: int) -> int:
    """Return a dword after the operands; 0 if it is missing."""
    return instruction.words[at] if at < len(instruction.words) else 0


def index(operand: Operand, at: int) -> int:
    """Return the constant part of an index; 0 if it is missing."""
    return operand.indices[at].immediate if at < len(operand.indices) else 0
