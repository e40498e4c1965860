"""The program of all sources of a run: code, descriptors and shared names.

Procedures are shared by all sources, uniforms by all vertex shaders; labels, other names and
constants are local to a source. Entry procedures are resolved after all sources are read.
"""

from .allocation import spaces
from .assembly import Assembly, DeclaredUniform, SourceWarning, Unit
from .blocks import CodeBuilder
from .pool import DescriptorPool

__all__ = ["ProgramBuilder"]


class ProgramBuilder:
    """The assembly state that all sources share."""

    def __init__(self, *, nops: bool, exact: bool) -> None:
        self.exact = exact
        self.warnings: list[SourceWarning] = []
        self.code = CodeBuilder(nops=nops, exact=exact, warnings=self.warnings)
        self.pool = DescriptorPool(self.code.words)
        self.spaces = spaces()
        self.shared: dict[str, DeclaredUniform] = {}

    def entry(self, unit: Unit) -> None:
        """Set the first word and the end of a unit from its entry procedure, if it exists."""
        if not unit.entry:
            return
        known = self.code.procedures.get(unit.entry)
        if known is None:
            raise unit.entry_place.unknown("procedure", unit.entry, self.code.procedures)
        unit.main = known.start
        unit.end = known.start + known.size

    def assembly(self, units: list[Unit]) -> Assembly:
        """Return the result."""
        return Assembly(
            words=self.code.words,
            descriptors=self.pool.descriptors(),
            procedures=self.code.procedures,
            units=units,
            warnings=self.warnings,
        )
