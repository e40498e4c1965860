"""Declarations of a program up to an instruction: the registers that its operations may use.

    ProgramScope  s t u cb g icb m, function tables, settings       the whole program
      PhaseScope  r x v o vicp vocp vpc, vPrim, oDepth, …           one for each hull shader phase

Resources are declared in ranges from Shader Model 5.1 on: T3[4:7] is range 3, registers 4 to 7.
Before 5.1 each register is a separate range: t3 is T3[3:3].
"""

from functools import lru_cache

from ....rule import Findings
from ....vocab.d3d import ShaderKind
from ..code import Code
from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import OperandType
from ..tables.ops import Op
from ..tables.spellings import REGISTERS, word
from ..tables.tokens import SamplerDcl, VersionToken
from .registers import register_bits
from .rules import RULES
from .sound import sound_tokens

HULL = ShaderKind.HULL


class RegisterRange:
    """The registers of a declared constant buffer, sampler, resource, view or shared memory."""

    __slots__ = (
        "_traits", "dimension", "form", "id", "kind", "lower", "size", "space", "stride", "token",
        "upper",
    )  # fmt: skip

    def __init__(self, kind: int, form: str, token: int, indices: tuple[int, ...]) -> None:
        self.kind = kind  # OperandType
        self.form = form  # "typed", "raw", "structured"; "" for buffers and samplers
        self.token = token  # opcode token of the declaring instruction, for its controls
        self.id = indices[0] if indices else 0
        self.lower, self.upper = (indices[1], indices[2]) if len(indices) > 2 else (self.id,) * 2
        self.space = 0
        self.size = 0  # rows of a constant buffer
        self.stride = 0
        self.dimension = 0
        self._traits: tuple[object, ...] | None = None

    @property
    def traits(self) -> tuple[object, ...]:
        """The properties on which `check_resources` depends, once all are set."""
        if self._traits is None:
            mode = SamplerDcl.mode.of(self.token) if self.kind == OperandType.SAMPLER else 0
            self._traits = self.form, self.dimension, self.stride, mode
        return self._traits

    def __str__(self) -> str:
        name = word(REGISTERS, self.kind)
        return f"{name}{self.id}"


class DeclaredPort:
    """A declared input or output register, or part of one."""

    __slots__ = ("bits", "input", "kind", "mask", "name", "operand", "register", "vertices")

    def __init__(self, operand: Operand, name: int, is_input: bool) -> None:
        self.operand = operand
        self.kind = operand.type
        self.input = is_input
        indices = [index.immediate for index in operand.indices]
        self.register = indices[-1] if indices else -1  # -1: a register without a number
        self.vertices = indices[0] if len(indices) > 1 else 0
        self.mask = operand.mask if operand.components == 2 else 1
        self.name = name
        self.bits = register_bits(self.kind, self.register, self.mask)


class PhaseScope:
    """Declarations of one hull shader phase, or of the program of another stage."""

    __slots__ = (
        "array_registers",
        "arrays",
        "masks",
        "name",
        "number",
        "ranges",
        "registers",
        "temps",
        "vertices",
    )

    def __init__(self, number: int = 0, name: str = "") -> None:
        self.number = number
        self.name = name
        self.temps: int | None = None
        self.arrays: dict[int, tuple[int, int]] = {}  # x register: elements, components
        self.array_registers = 0
        self.masks: dict[int, dict[int, int]] = {}  # operand type: register: declared components
        self.registers = 0  # the same without their numbers from 32 on (registers.py)
        self.vertices: dict[int, int] = {}  # operand type: vertices of registers that have several
        self.ranges: dict[int, list[tuple[int, int]]] = {}  # dcl_indexrange: first, count


class ProgramScope:
    """All declarations up to the instruction `at`, and the findings so far."""

    __slots__ = (
        "at",
        "bodies",
        "bound",
        "calls",
        "findings",
        "flags",
        "icb",
        "interfaces",
        "kind",
        "labels",
        "model",
        "once",
        "phase",
        "ranged",
        "shared",
        "sound",
        "stream",
        "streams",
        "tables",
        "taken",
        "threads",
        "writes",
    )

    def __init__(self, program: Code) -> None:
        self.kind, self.model = _kind_and_model(program.version.word)
        self.ranged = self.model >= (5, 1)
        self.findings = Findings(RULES)
        self.at = 0
        self.phase = PhaseScope()
        self.flags: int | None = None  # of dcl_globalFlags
        self.sound = sound_tokens(self.kind, self.model, 0)
        self.bound: dict[int, dict[int, RegisterRange]] = {}
        self.icb: int | None = None  # rows
        self.writes = False  # an output is declared
        self.taken: dict[tuple[int, int, int, int], int] = {}  # phase, stream, type, register
        self.stream = 0
        self.streams: set[int] = set()
        self.threads: tuple[int, ...] = ()
        self.shared = 0  # bytes of g registers
        self.bodies: set[int] = set()
        self.tables: dict[int, tuple[int, ...]] = {}
        self.interfaces: dict[int, tuple[int, int]] = {}  # fp: array length, call sites
        self.labels: set[tuple[int, int]] = set()
        self.calls: list[tuple[int, tuple[int, int]]] = []
        self.once: set[int] = set()  # opcodes of the declarations so far

    def add(self, code: str, message: str, where: str = "", at: int | None = None) -> None:
        """Report a violation in the current instruction, or in instruction `at`."""
        path = f"instructions[{self.at if at is None else at}]"
        self.findings.add(code, message, path=f"{path}.{where}" if where else path)

    def add_whole(self, code: str, message: str, path: str = "") -> None:
        """Report a violation by the program as a whole."""
        self.findings.add(code, message, offset=0, path=path)

    @property
    def is_hull(self) -> bool:
        return self.kind == HULL

    def set_flags(self, flags: int) -> None:
        """Record the global flags, which determine what other tokens may contain."""
        self.flags = flags
        self.sound = sound_tokens(self.kind, self.model, flags)

    def start_phase(self, name: str) -> None:
        """Begin a hull shader phase; registers of the previous phase are not visible."""
        self.phase = PhaseScope(self.phase.number + 1, name)


@lru_cache(maxsize=64)
def _kind_and_model(token: int) -> tuple[int, tuple[int, int]]:
    """Return the stage and the model in a version token."""
    version = VersionToken(token)
    return version.kind, (version.major, version.minor)


def dword(instruction: Instruction, row: Op, name: str) -> int | None:
    """Return a named dword of a declaration; None if it is missing."""
    try:
        return instruction.words[row.dwords.index(name)]
    except (IndexError, ValueError):
        return None


def register_name(operand: Operand) -> str:
    """Return the register of an operand as messages name it: `cb2[4]`."""
    name = word(REGISTERS, operand.type)
    if operand.type == OperandType.IMMEDIATE32 or not operand.indices:
        return name
    first, *rest = (
        f"{'…+' if i.relative is not None else ''}{i.immediate}" for i in operand.indices
    )
    return name + first + "".join(f"[{each}]" for each in rest)
