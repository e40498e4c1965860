"""Sources and source lines."""

from tests.programs.spirv.modules import debugged
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.sources import SourceLine, lines, sources
from unshade.programs.spirv.tables.numbers import Opcode


def test_sources_of_both_kinds_are_joined() -> None:
    assert sources(debugged()) == {"a.comp": "first half, second halfvoid main() {}"}


def test_lines_end_where_debug_information_says() -> None:
    module = debugged()
    found = lines(ModuleIndex(module))
    sums = [
        place
        for place, each in zip(found, module.instructions, strict=True)
        if each.opcode == Opcode.IAdd
    ]
    assert sums == [SourceLine("a.comp", 3, 9), SourceLine("a.comp", 7, 1), None]
