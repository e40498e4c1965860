"""The program that all sources of a run go into: code, descriptors, the names they share.

Procedures are everybody's, wherever they stand; uniforms are those of all vertex shaders; labels,
other names and constants belong to one source. What a source runs is looked up when all are read.
"""

from .allocation import spaces
from .assembly import Assembly, DeclaredUniform, SourceWarning, Unit
from .blocks import CodeBuilder
from .pool import DescriptorPool

__all__ = ["ProgramBuilder"]


class ProgramBuilder:
    """Everything that outlives one source."""

    def __init__(self, *, nops: bool, exact: bool) -> None:
        self.exact = exact
        self.warnings: list[SourceWarning] = []
        self.code = CodeBuilder(nops=nops, exact=exact, warnings=self.warnings)
        self.pool = DescriptorPool(self.code.words)
        self.spaces = spaces()
        self.shared: dict[str, DeclaredUniform] = {}

    def entry(self, unit: Unit) -> None:
        """The words that a unit runs, by the name of its procedure, unless something else says."""
        if not unit.entry:
            return
        known = self.code.procedures.get(unit.entry)
        if known is None:
            raise unit.entry_place.unknown("procedure", unit.entry, self.code.procedures)
        unit.main = known.start
        unit.end = known.start + known.size

    def assembly(self, units: list[Unit]) -> Assembly:
        """What came of it."""
        return Assembly(
            words=self.code.words,
            descriptors=self.pool.descriptors(),
            procedures=self.code.procedures,
            units=units,
            warnings=self.warnings,
        )
