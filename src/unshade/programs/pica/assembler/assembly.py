"""What an assembler run gives: one program, and a unit for each source.

    Assembly
      words         the code of all sources, one behind the other
      descriptors   the operand descriptors that all of it shares
      units         each source: stage, entry, what it declares; the container's tables come of them

Nothing here knows the container: `formats/shbin` makes its records from it. Registers of uniforms
are counted as instructions and declarations do, file by file: c0, i0, b0, v0.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ....errors import Diagnostic
from ....isa.source import Location
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
    """A name that the container tells: an input, or `count` uniforms from `register` on."""

    name: str
    register: Register
    count: int = 1


@dataclass(frozen=True, slots=True)
class DeclaredConstant:
    """A value that is loaded with the shader: four floats of 24 bits, four bytes, or one truth."""

    register: Register
    values: tuple[int, ...]

    @property
    def file(self) -> RegisterFile:
        """Which of the three kinds of uniform it is."""
        return self.register.file


@dataclass(frozen=True, slots=True)
class DeclaredOutput:
    """What the components of an output register are; bit 0 of `mask` is x."""

    semantic: int
    register: int
    mask: int


@dataclass(frozen=True, slots=True)
class DeclaredGeometry:
    """How vertices reach a geometry shader; `None` in a unit stands for the old way, undeclared."""

    mode: int  # 0 point, 1 variable, 2 fixed
    fixed_start: int = 0
    variable_vertices: int = 0
    fixed_vertices: int = 0


@dataclass(slots=True)
class Unit:
    """What one source declares. `main` and `end` are words of the program.

    Constants and outputs that are bytes are rows of the container's table as they stand, `extra` is
    what its own directives say.
    """

    name: str
    entry_place: Location  # of `.entry`, or the beginning of the source
    stage: Stage = "vertex"
    without_dvle: bool = False
    entry: str = "main"
    entry_told: bool = False
    main: int = 0
    end: int = 0
    geometry: DeclaredGeometry | None = None
    shares_uniforms: bool = True  # with the vertex shaders; a geometry shader of today does not
    merge: bool = False
    constants: list[DeclaredConstant | bytes] = field(default_factory=list)
    outputs: list[DeclaredOutput | bytes] = field(default_factory=list)
    uniforms: list[DeclaredUniform] = field(default_factory=list)
    input_mask: int = 0
    output_mask: int = 0
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def outputs_available(self) -> int:
        """How many output registers code may write: those of a geometry shader all reach pixels."""
        return 7 if self.stage == "geometry" else 16

    def outputs_by_register(self) -> dict[int, str]:
        """Return the components of each output register that mean something."""
        masks: dict[int, int] = {}
        for each in self.outputs:
            if isinstance(each, DeclaredOutput):
                masks[each.register] = masks.get(each.register, 0) | each.mask
        return {register: component_letters(mask) for register, mask in masks.items()}


class SourceWarning(NamedTuple):
    """Something is accepted that is not what it seems: the rule, and the place with a sentence."""

    rule: str
    place: Location
    message: str

    def diagnostic(self) -> Diagnostic:
        """The same for a shader's `diagnostics`: the place stands in the message."""
        return RULES[self.rule].found(str(self.place.error(self.message)))


@dataclass(frozen=True, slots=True)
class DeclaredProcedure:
    """A named piece of the program."""

    name: str
    start: int
    size: int


@dataclass(slots=True)
class Assembly:
    """One program and the units that run it, in the order of the sources.

    `warnings` are places where the text is accepted, but says less or other than it seems to.
    """

    words: list[int] = field(default_factory=list)
    descriptors: list[OperandDescriptor] = field(default_factory=list)
    procedures: dict[str, DeclaredProcedure] = field(default_factory=dict)
    units: list[Unit] = field(default_factory=list)
    warnings: list[SourceWarning] = field(default_factory=list)

    def entries(self) -> list[Entry]:
        """Return an entry for each unit whose procedure there is."""
        found = []
        for unit in self.units:
            procedure = self.procedures.get(unit.entry)
            if procedure is not None and not unit.without_dvle:
                end = procedure.start + procedure.size
                outputs = unit.outputs_by_register() or None
                found.append(Entry(unit.entry, unit.stage, procedure.start, end, outputs))
        return found
