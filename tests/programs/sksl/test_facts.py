"""Facts about SkSL programs."""

import pytest

from tests.programs.sksl.samples import (
    declaration,
    empty,
    named,
    program,
    statements,
    tinted,
    variable,
)
from unshade.errors import LimitError, UsageError
from unshade.programs.sksl import Program
from unshade.programs.sksl.tables.enumerations import ModifierFlag, SkslProgramKind
from unshade.programs.sksl.tree import (
    GlobalDeclaration,
    ModuleUnit,
    StructDataType,
    StructField,
    SymbolTable,
)
from unshade.programs.sksl.tree.modifiers import LayoutQualifier, Modifiers


def test_uniforms_follow_each_other_without_gaps() -> None:
    (uniforms,) = tinted().facts().constant_buffers
    rows = [
        (each.name, each.offset, each.size, each.type.declaration(""))
        for each in uniforms.variables
    ]
    assert rows == [
        ("tint", 0, 16, "half4 "),
        ("weights", 16, 48, "float3 [4]"),
        ("turn", 64, 16, "float2x2 "),
    ]
    assert uniforms.size == 80


def test_children_inputs_and_outputs() -> None:
    found = tinted().facts()
    assert [(each.label, each.resource.register) for each in found.resources] == [("image", 0)]
    assert [(each.label, each.components, each.system_value) for each in found.inputs] == [
        ("p", "xy", "position")
    ]
    assert [(each.label, each.components, each.system_value) for each in found.outputs] == [
        ("main", "xyzw", "target")
    ]
    assert (found.stage, found.model, found.profile) == ("pixel", "100", "runtime_shader")


def test_a_colour_filter_has_a_colour_at_location_0() -> None:
    (port,) = statements().facts().inputs
    assert (port.slot.location, port.system_value) == (0, None)
    assert statements().functions() == [
        "half f(half x)", "half f(int x)", "half4 main(half4 color)",
    ]  # fmt: skip


def test_inputs_and_outputs_of_old_programs() -> None:
    table = SymbolTable()
    made = [
        variable("at", "float2", flags=ModifierFlag.IN, location=1),
        variable("shade", "half3", flags=ModifierFlag.OUT, location=2),
    ]
    for each in made:
        table.add(each)
    elements = [GlobalDeclaration(declaration=declaration(each)) for each in made]
    found = program([*elements], table, SkslProgramKind.VERTEX).interface()
    assert [(each.label, each.slot.location) for each in (*found.inputs, *found.outputs)] == [
        ("at", 1), ("shade", 2),
    ]  # fmt: skip
    assert found.stage == "vertex"


def test_inputs_without_a_location_get_one_of_their_own() -> None:
    table = SymbolTable()
    made = [
        variable(name, "float2", flags=ModifierFlag.IN, location=location)
        for name, location in (("a", -1), ("b", 0), ("c", -1), ("d", 2))
    ]
    for each in made:
        table.add(each)
    elements = [GlobalDeclaration(declaration=declaration(each)) for each in made]
    found = program([*elements], table, SkslProgramKind.VERTEX).interface()
    assert [(each.label, each.slot.location) for each in found.inputs] == [
        ("a", 1), ("b", 0), ("c", 3), ("d", 2),
    ]  # fmt: skip


def test_programs_without_main_have_no_entry_point() -> None:
    assert empty().entry_points == []
    with pytest.raises(UsageError):
        empty().facts()
    assert Program(ModuleUnit(symbols=SymbolTable(), elements=[])).purpose() is None


def test_shared_structs_cannot_blow_up() -> None:
    """Each struct has two members of the one before: 2^40 members if they are written out."""
    inner = named("half")
    for number in range(40):
        fields = [
            StructField(
                modifiers=Modifiers(layout=LayoutQualifier(), flags=0), name=name, type=inner
            )
            for name in ("a", "b")
        ]
        inner = StructDataType(name=f"S{number}", members=fields, interface_block=False)
    table = SymbolTable()
    deep = variable("deep", inner, flags=ModifierFlag.UNIFORM)
    table.add(deep)
    made = program([GlobalDeclaration(declaration=declaration(deep))], table)
    assert inner.slots == 1 << 40
    with pytest.raises(LimitError, match="members"):
        made.interface()
