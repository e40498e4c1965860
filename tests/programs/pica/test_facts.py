"""Facts of PICA200 programs, and programs made from source alone."""

from __future__ import annotations

import pytest

from tests.programs.facts import rows, shown
from tests.programs.pica.broken_programs import SOUND
from unshade.errors import AssembleError, UsageError
from unshade.model import Stage
from unshade.model.facts import ProgramFacts, RegisterBank
from unshade.programs.pica import Entry, Instruction, Program
from unshade.vocab.slots import Direction, PortSlot, Rate

SOURCE = """
.out - position o0
.proc main
    mova a0.x, v1.y
    add r0.xy, c4[a0.x].xyxy, v0.zwzw
    ifu b3
        mov r1, c2
    .end
    mov o0, r0
    end
.end
.proc other
    mov o1, v7
    end
.end
"""


def facts(text: str = SOURCE) -> ProgramFacts:
    return Program.assemble(text, nops=True).facts()


def banks(found: ProgramFacts) -> dict[str, RegisterBank]:
    return {bank.label: bank for bank in found.banks}


def test_reachable_code_is_read_and_written() -> None:
    found = facts()
    assert (found.code, found.entry_point, found.stage) == ("pica", "main", Stage.VERTEX)
    assert [(each.label, each.components) for each in found.inputs] == [("v0", "zw"), ("v1", "y")]
    (given,) = found.outputs
    assert (given.slot, given.components) == (PortSlot(Direction.OUTPUT, Rate.VERTEX, 0), "xyzw")
    assert found.temp_registers == 2
    assert found.notes == []


def test_banks() -> None:
    found = banks(facts())
    assert found["c"].reads == {2: "xyzw", 4: "xy"}
    assert found["b"].reads == {3: ""}
    assert found["i"].reads == {}
    assert found["c"].relative_from == 4


@pytest.mark.parametrize(
    ("bank", "registers", "expected"),
    [
        ("c", [2], True),
        ("c", [3], False),
        ("c", [80], True),
        ("b", [3], True),
        ("b", [4], False),
        ("i", [5], False),
    ],
)
def test_a_relative_address_reads_all_following_registers(
    bank: str, registers: list[int], expected: bool
) -> None:
    assert banks(facts())[bank].may_read(registers) is expected


def test_statistics() -> None:
    program = Program.assemble(SOURCE, nops=True)
    found = program.statistics()
    assert found == program.facts().statistics
    assert (found.moves, found.static_flow_control, found.array_instructions) == (2, 1, 1)


def test_entries_are_selected_by_name() -> None:
    program = Program.assemble(SOURCE)
    program.entries.append(Entry("other", "geometry", 6))
    first, second = program.all_facts()
    assert second == program.facts("other")
    assert [each.slot.location for each in second.inputs] == [7]
    assert second.stage == Stage.GEOMETRY
    assert first.outputs != second.outputs
    with pytest.raises(UsageError, match=r"several entry points; .*: main \(\w+\), other"):
        program.facts()


def test_unstructured_code_is_counted_whole() -> None:
    program = Program.assemble(SOURCE)
    program.instructions[3] = Instruction.make("ifu", bool_id=3, target=900)
    found = program.facts()
    assert len(found.notes) == 1
    assert [each.slot.location for each in found.inputs] == [0, 1, 7]


@pytest.mark.parametrize("name", SOUND)
def test_a_text_is_assembled_without_a_container(name: str) -> None:
    program = SOUND[name]()
    again = Program.assemble(program.disassemble("exact"))
    assert again.words() == program.words()
    assert again.descriptors == program.descriptors
    native = program.disassemble()
    assert Program.assemble(native).disassemble() == native


def test_the_entry_of_a_text() -> None:
    named = Program.assemble(".entry other\n" + SOURCE)
    assert [(each.name, each.main) for each in named.entries] == [("other", 6)]
    assert named.entries[0].outputs == {0: "xyzw"}
    assert Program.assemble(".proc f\nend\n.end\n").entries == []


def test_errors_of_a_text() -> None:
    with pytest.raises(AssembleError, match=r"here\.pica"):
        Program.assemble(".proc main\nmvo o0, v0\n.end", file="here.pica")
    with pytest.raises(UsageError, match="expected a text, got an object of type bytes"):
        Program.assemble(b"")  # type: ignore[arg-type]


EVERYTHING = """
.proc main
    ifu b5
        mov r3, v2.yyyy
    .end
    ifc cmp.x
        mov o0.xz, c7
        mov o0.y, -c8[a0.y].wwww
    .end
    for i2
        breakc cmp.y
        mad r0.w, v1, c9[aL], r2
    .end
    callu b5, sub
    callc cmp.x, sub
    call sub
    mova a0.xy, v15
    cmp r1.zwxy, gt, le, r4.xyzw
    dp3 o6.xyzw, v3, r15
    jmpu b15, away
away:
    jmpc cmp.x, other
other:
    end
.end
.proc sub
    mov o15.w, c95
.end
"""


def test_facts_of_a_program_with_all_flow() -> None:
    found = facts(EVERYTHING)
    assert [each.strip() for each in rows(found)] == [
        "v1: 0.w - - - - input vertex 1",
        "v2: 0.y - - - - input vertex 2",
        "v3: 0.xyz - - - - input vertex 3",
        "v15: 0.xy - - - - input vertex 15",
        "o0: 0.xyz - - - - output vertex 0",
        "o6: 0.xyzw - - - - output vertex 6",
        "o15: 0.w - - - - output vertex 15",
    ]
    assert [
        (each.label, each.slot.number, each.scalar, each.columns, each.count, each.reads,
         each.relative_from)
        for each in found.banks
    ] == [
        ("c", 0, "float", 4, 96, {7: "xz", 8: "w", 9: "w", 95: "w"}, 8),
        ("i", 1, "uint", 4, 4, {2: ""}, None),
        ("b", 2, "bool", 1, 16, {5: "", 15: ""}, None),
    ]  # fmt: skip
    assert shown(found.statistics) == {
        "computed": True,
        "instructions": 18,
        "temp_registers": 6,
        "moves": 4,
        "array_instructions": 2,
        "static_flow_control": 4,
        "dynamic_flow_control": 4,
    }
