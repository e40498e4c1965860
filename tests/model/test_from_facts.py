"""The reflection of a program that describes itself, and the facts that both have."""

from typing import get_type_hints

from unshade.model import ComponentType, Reflection, Stage
from unshade.model.facts import ProgramFacts, ProgramPort, take_shared
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


def test_no_field_of_an_entry_point_is_declared_twice_with_one_type() -> None:
    declared = [
        {name: get_type_hints(kind)[name] for name in vars(kind)["__annotations__"]}
        for kind in (ProgramFacts, Reflection)
    ]
    facts, reflection = declared
    assert [name for name in facts if reflection.get(name) == facts[name]] == []
    both = ProgramFacts.FIELDS.keys() & Reflection.FIELDS.keys() - facts.keys() - reflection.keys()
    assert len(both) == 20


def test_own_fields_of_a_reflection_stand_among_the_inherited_ones() -> None:
    names = list(Reflection(format="toy").to_dict())
    assert names == list(Reflection.FIELDS)
    assert names[:7] == [
        "format", "code", "stage", "model", "profile", "entry_point", "by_number",
    ]  # fmt: skip
    assert names[-4:] == ["interfaces", "root_signature", "hash", "entry_points"]
    assert list(ProgramFacts.FIELDS)[:4] == ["code", "entry_point", "stage", "model"]


def test_shared_facts_give_way_to_those_of_the_file_and_notes_add_up() -> None:
    facts = ProgramFacts(
        code="dxil",
        entry_point="main",
        stage=Stage.COMPUTE,
        model="6.0",
        profile="cs_6_0",
        wave_size=[32],
        features=["doubles"],
        notes=["b"],
    )
    found = Reflection(format="toy", model="6.6", notes=["a"])
    take_shared(found, facts)
    assert (found.model, found.profile, found.wave_size) == ("6.6", None, [32])
    assert (found.features, found.notes, facts.notes) == (["doubles"], ["a", "b"], ["b"])
