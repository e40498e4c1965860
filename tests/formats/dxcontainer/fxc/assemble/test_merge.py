"""Changes that a text makes to a donor's records."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from unshade.formats.dxcontainer.fxc.assemble.merge import merge
from unshade.formats.dxcontainer.parts.rdef import (
    RdefBinding,
    RdefType,
    RdefVariable,
    ResourceDefinition,
)
from unshade.formats.dxcontainer.parts.signature import ProgramSignature, SignatureElement
from unshade.formats.dxcontainer.parts.stat import ShaderStatistics


def variable(name: str = "v", offset: int = 0, flags: int = 2, texture: int = 0) -> RdefVariable:
    return RdefVariable(
        name=name, offset=offset, flags=flags, start_texture=texture, type=RdefType()
    )


def test_equal_text_keeps_the_donors_bits() -> None:
    donor = variable(flags=3, texture=7)
    assert merge(variable(), variable(), donor) is donor


def test_different_text_overrides_the_donor() -> None:
    merged = merge(variable(), variable(offset=16), variable(flags=3, texture=7))
    assert merged == variable(offset=16, flags=3, texture=7)


def test_flags_bit_by_bit() -> None:
    assert merge(variable(flags=2), variable(flags=0), variable(flags=3)) == variable(flags=1)
    assert merge(variable(flags=0), variable(flags=2), variable(flags=1)) == variable(flags=3)
    assert merge(1, 2, 3) == 2  # a number of its own, in no field called flags


def test_counters_by_their_difference() -> None:
    """fxc counts 27 moves where the text has 6: one more is 28, not 7."""
    base, new, donor = (ShaderStatistics(mov_instruction_count=count) for count in (6, 7, 27))
    assert merge(base, new, donor).mov_instruction_count == 28
    none = merge(new, ShaderStatistics(), ShaderStatistics(mov_instruction_count=3))
    assert none.mov_instruction_count == 0


def names(rows: list[Any]) -> list[tuple[str, int]]:
    return [(row.name, row.flags) for row in rows]


def bindings(*given: str, flags: int = 0) -> list[RdefBinding]:
    return [RdefBinding(name=name, flags=flags) for name in given]


def test_rows_are_aligned_by_name() -> None:
    base, donor = bindings("a", "b", "c"), bindings("a", "b", "c", flags=1)

    def merged(*now: str) -> list[tuple[str, int]]:
        return names(merge(base, bindings(*now), donor))

    assert merged("a", "c") == [("a", 1), ("c", 1)]
    assert merged("a", "x", "b", "c") == [("a", 1), ("x", 0), ("b", 1), ("c", 1)]
    assert merged("a", "x", "c") == [("a", 1), ("x", 1), ("c", 1)], "renamed"
    assert merged("c", "a", "b") == [("c", 1), ("a", 1), ("b", 1)], "moved"
    assert merged() == []


def test_rows_of_a_signature_are_aligned_by_index_too() -> None:
    def rows(*indices: int, padding: int = 0) -> ProgramSignature:
        return ProgramSignature(
            elements=[SignatureElement(name="T", index=i, padding=padding) for i in indices]
        )

    merged = merge(rows(0, 1, 2), rows(0, 2), rows(0, 1, 2, padding=9))
    assert [(row.index, row.padding) for row in merged.elements] == [(0, 9), (2, 9)]


def test_records_inside_records() -> None:
    donor = ResourceDefinition(bindings=bindings("a", "b", flags=1), creator="x", flags=5)
    base = ResourceDefinition(bindings=bindings("a", "b"), creator="x", flags=4)
    new = deepcopy(base)
    new.bindings[1].bind_point = 3
    merged = merge(base, new, donor)
    assert (merged.flags, merged.bindings[1].flags, merged.bindings[1].bind_point) == (5, 1, 3)
    assert merged.bindings[0] is donor.bindings[0]


def test_lists_that_the_listing_abbreviates() -> None:
    new = bindings("a", "b")
    assert merge(bindings("a"), new, bindings("a", "hidden")) is new
    assert merge([1, 2], [1, 3], [9, 9]) == [1, 3]
    assert merge(None, [1], None) == [1]
