"""The facts that a program's declarations state, before they meet what other parts say.

`program.py` and `program_resources.py` fill it. Source: as those.
"""

from ....model import (
    ConstantBuffer,
    Geometry,
    InterfaceSlot,
    Resource,
    SharedMemory,
    TempArray,
    Tessellation,
)
from ....programs.tpf import Instruction, Operand


class DeclaredRegister:
    """An input or output that the program declares, as far as a signature may lack it."""

    __slots__ = ("interpolation", "mask", "register", "system_value")

    def __init__(self, register: int, mask: int, system_value: int, interpolation: int) -> None:
        self.register = register
        self.mask = mask
        self.system_value = system_value
        self.interpolation = interpolation


class ProgramFacts:
    """The declarations of one program, in the words of the model."""

    __slots__ = (
        "buffers", "builtins", "geometry", "global_flags", "inputs", "of_patch", "outputs",
        "patch_constants", "resources", "sample_frequency", "shared_memory", "slots",
        "stencil_ref", "stream", "streams", "temp_arrays", "temp_registers", "tessellation",
        "thread_group", "tiled", "views",
    )  # fmt: skip

    def __init__(self) -> None:
        self.resources: list[Resource] = []
        self.buffers: list[ConstantBuffer] = []
        self.inputs: list[DeclaredRegister] = []
        self.outputs: list[DeclaredRegister] = []
        self.patch_constants: list[DeclaredRegister] = []
        self.builtins: list[str] = []
        self.geometry: Geometry | None = None
        self.tessellation: Tessellation | None = None
        self.thread_group: list[int] | None = None
        self.global_flags: list[str] = []
        self.temp_registers = 0
        self.temp_arrays: list[TempArray] = []
        self.shared_memory: list[SharedMemory] = []
        self.slots: list[InterfaceSlot] = []
        self.sample_frequency = False
        self.stencil_ref = False  # whether it writes a stencil reference
        self.tiled = False  # whether it asks for the residency of tiled resources
        self.views: dict[int, Resource] = {}  # writable resources by the number that operands use
        self.of_patch = False  # in a fork or join phase of a hull shader: outputs are the patch's
        self.stream = 0
        self.streams: dict[int, str] = {}


def dword(instruction: Instruction, at: int) -> int:
    """A dword behind the operands; 0 where a declaration lacks it, the decoder promises none."""
    return instruction.words[at] if at < len(instruction.words) else 0


def index(operand: Operand, at: int) -> int:
    """The constant part of an index; 0 where the operand lacks it."""
    return operand.indices[at].immediate if at < len(operand.indices) else 0
