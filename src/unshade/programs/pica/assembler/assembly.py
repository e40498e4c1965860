"""Result of the assembler: one program, and a unit for each source.

    Assembly
      words         the code of all sources, concatenated
      descriptors   the operand descriptors of the code
      units         each source: stage, entry, declarations

Independent of the container: `formats/shbin` makes its records from the units. Registers of
uniforms are numbered by file, as in instructions: c0, i0, b0, v0.
"""

from typing import Any

from ....dataclass import dataclass, field
from ....errors import Diagnostic
from ....isa.source import Location
from ....tuples import NamedTuple
from ....vocab.numbers import components as component_letters
from ..code import Entry, Stage
from ..descriptors import OperandDescriptor
from ..tables.registers import Register, RegisterFile
from .rules import RULES

__all__ = [
    "Assembly",
    "DeclaredConstant",
    "DeclaredGeometry",
    "DeclaredOutput",
    "DeclaredProcedure",
    "DeclaredUniform",
    "SourceWarning",
    "Unit",
]


@dataclass(frozen=True, slots=True)
class DeclaredUniform:
    """A name for the container: an input, or `count` uniforms from `register` on."""

    name: str
    register: Register
    count: int = 1


@dataclass(frozen=True, slots=True)
class DeclaredConstant:
    """A constant that is loaded with the shader: four float24, four bytes, or one boolean."""

    register: Register
    values: tuple[int, ...]

    @property
    def file(self) -> RegisterFile:
        """The register file: float, integer or boolean uniforms."""
        return self.register.file


@dataclass(frozen=True, slots=True)
class DeclaredOutput:
    """The meaning of components of an output register; bit 0 of `mask` is x."""

    semantic: int
    register: int
    mask: int


@dataclass(frozen=True, slots=True)
class DeclaredGeometry:
    """The mode of a geometry shader; None in a unit if `.gsh` has no mode, or is missing."""

    mode: int  # 0 point, 1 variable, 2 fixed
    fixed_start: int = 0
    variable_vertices: int = 0
    fixed_vertices: int = 0


@dataclass(slots=True)
class Unit:
    """The declarations of one source. `main` and `end` are words of the program.

    Constants and outputs of type bytes are rows of the container's tables; `extra` holds the
    results of the container's own directives.
    """

    name: str
    entry_place: Location  # of `.entry`, or the start of the source
    stage: Stage = "vertex"
    without_dvle: bool = False
    entry: str = "main"
    has_entry: bool = False  # by `.entry`
    main: int = 0
    end: int = 0
    geometry: DeclaredGeometry | None = None
    shares_uniforms: bool = True  # with the vertex shaders; False for a `.gsh` with a mode
    merge: bool = False
    constants: list[DeclaredConstant | bytes] = field(default_factory=list)
    outputs: list[DeclaredOutput | bytes] = field(default_factory=list)
    uniforms: list[DeclaredUniform] = field(default_factory=list)
    input_mask: int = 0
    output_mask: int = 0
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def outputs_available(self) -> int:
        """The number of output registers that the code may write."""
        return 7 if self.stage == "geometry" else 16

    def outputs_by_register(self) -> dict[int, str]:
        """Return the declared components of each output register."""
        masks: dict[int, int] = {}
        for each in self.outputs:
            if isinstance(each, DeclaredOutput):
                masks[each.register] = masks.get(each.register, 0) | each.mask
        return {register: component_letters(mask) for register, mask in masks.items()}


class SourceWarning(NamedTuple):
    """A warning: text that is accepted but reads differently than written."""

    rule: str
    place: Location
    message: str

    def diagnostic(self) -> Diagnostic:
        """Return the warning as a diagnostic, with the place in its message."""
        return RULES[self.rule].found(str(self.place.error(self.message)))


@dataclass(frozen=True, slots=True)
class DeclaredProcedure:
    """A named range of words."""

    name: str
    start: int
    size: int


@dataclass(slots=True)
class Assembly:
    """One program and the units that run it, in the order of the sources."""

    words: list[int] = field(default_factory=list)
    descriptors: list[OperandDescriptor] = field(default_factory=list)
    procedures: dict[str, DeclaredProcedure] = field(default_factory=dict)
    units: list[Unit] = field(default_factory=list)
    warnings: list[SourceWarning] = field(default_factory=list)

    def entries(self) -> list[Entry]:
        """Return an entry for each unit whose entry procedure exists."""
        found = []
        for unit in self.units:
            procedure = self.procedures.get(unit.entry)
            if procedure is not None and not unit.without_dvle:
                end = procedure.start + procedure.size
                outputs = unit.outputs_by_register() or None
                found.append(Entry(unit.entry, unit.stage, procedure.start, end, outputs))
        return found
