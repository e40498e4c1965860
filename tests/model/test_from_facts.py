"""The reflection of a program that describes itself."""

from unshade.model import ComponentType, Stage
from unshade.model.facts import ProgramFacts, ProgramPort
from unshade.model.from_facts import reflection_of
from unshade.vocab.slots import Direction, PortSlot, Rate


def test_ports_become_rows_and_notes_make_it_incomplete() -> None:
    port = ProgramPort(
        label="%3",
        slot=PortSlot(Direction.INPUT, Rate.VERTEX, 2),
        components="xyz",
        component_type=ComponentType.FLOAT32,
        name="normal",
    )
    facts = ProgramFacts(
        code="spirv", entry_point="main", stage=Stage.VERTEX, inputs=[port], notes=["no outputs"]
    )
    found = reflection_of(facts, "toy")
    (row,) = found.inputs
    assert (row.semantic, row.register, row.components, row.used) == ("normal", 2, "xyz", "")
    assert row.by_register
    assert (found.format, found.stage, found.entry_point) == ("toy", "vertex", "main")
    assert not found.complete
