"""Parsing the tables of class types, class instances and interface slots."""

from __future__ import annotations

import pytest

from tests.formats.dxcontainer.fxc.assemble.reading import commented, mistakes_in, read
from unshade.formats.dxcontainer.fxc.listing import interfaces
from unshade.formats.dxcontainer.parts.ifce import (
    ClassInstance,
    ClassLinkage,
    ClassType,
    InterfaceVariable,
)

NONE = 0xFFFF
CLASSES = [
    ClassType(name="cAmbient"),
    ClassType(name="cLit", constant_buffer_stride=2, texture_count=1, sampler_count=3),
]
INSTANCES = [
    ClassInstance(
        name="g_sun",
        type=1,
        elements=1,
        constant_buffer=0,
        constant_buffer_offset=4,
        texture=NONE,
        sampler=NONE,
    )
]
SLOTS = [
    InterfaceVariable(span=2, type_ids=[0, 1], table_ids=[3, 12]),
    InterfaceVariable(span=1, type_ids=[1], table_ids=[70000]),
    InterfaceVariable(span=1, type_ids=[], table_ids=[]),
]


def test_printed_tables_are_parsed() -> None:
    given = ClassLinkage(slot_total=4, classes=CLASSES, instances=INSTANCES, slots=SLOTS)
    found = read("\n".join(interfaces.lines(given)))
    assert (found.classes, found.instances, found.slots) == (CLASSES, INSTANCES, SLOTS)


TYPES = """
Available Class Types:

Name                             ID CB Stride Texture Sampler
------------------------------ ---- --------- ------- -------
"""
PLACES = """
Available Class Instances:

Name                        Type CB CB Offset Texture Sampler
--------------------------- ---- -- --------- ------- -------
"""
BOX = """
Interface slots, 2 total:

            Slots
+----------+---------+---------------------------------------
"""
RULE = "+----------+---------+---------------------------------------"


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (TYPES + "A 1 0 0 0", 5, "expected the ID 0, got 1"),
        (TYPES + "A 0 65536 0 0", 5, "a stride up to 65535, got 65536"),
        (TYPES + "A 0 0 0 0 0", 5, "expected the end of the line, got '0'"),
        (PLACES + "a 0 x - - -", 5, "expected a constant buffer or -, got 'x'"),
        (PLACES + "a 0 - - -", 5, "expected a sampler or -, got the end of the line"),
        (BOX, 1, "expected 2 slots in the table, got 0"),
        (BOX + "| Type ID  |   1     |0    1", 5, "expected slots from 0 on, got 1 to 1"),
        (BOX + "| Type ID  |   0-x   |0    1", 5, "expected the last slot, got 'x'"),
        (BOX + "| Type  |   0   |0    1", 5, "expected 'Type ID', got 'Type'"),
        (BOX + "| Type ID  |   0-1   |0    b", 5, "expected a number, got 'b'"),
        (BOX + f"| Type ID | 0-1 |0 1\n{RULE}", 6, "expected '|', got '+'"),
        (
            BOX + "| Type ID | 0-1 |0 1\n| Table ID | |0",
            6,
            "expected a function table for each of 2 types, got 1",
        ),
        (BOX + f"| Type ID | 0-1 |0\n| Table ID | |0\n{RULE[:-1]}", 7, "expected the rule +---"),
        (BOX.replace("Slots\n", "Slot\n"), 3, "expected 'Slots', got 'Slot'"),
    ],
)
def test_mistakes(text: str, line: int, problem: str) -> None:
    found = mistakes_in(commented(text))
    assert found[0][0] == line, found
    assert problem in found[0][2]
