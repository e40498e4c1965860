"""Reflection, facts and lowered code of the corpus have the same slots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import unshade
from tests.corpus import containers, shbins
from tests.ratchet import Ratchet
from tests.slots import (
    ports_of_facts,
    ports_of_lowered,
    ports_of_reflection,
    unknown_resources,
)
from unshade.ir.lowered import Lowered
from unshade.model import Reflection
from unshade.model.facts import ProgramFacts
from unshade.vocab.slots import ResourceClass
from unshade.vocab.words import SystemValue

Described = tuple[Path, Reflection, ProgramFacts, Lowered]


def described(paths: list[Path]) -> Iterator[Described]:
    """Iterate over the entry points that can be lowered."""
    for path in paths:
        shader = unshade.open(path)
        if not shader.programs or not shader.programs[0].entry_points:
            continue
        program = shader.programs[0]
        reflection = shader.reflect()
        entries = reflection.entry_points or [reflection]
        try:
            for found, facts in zip(entries, program.all_facts(), strict=True):
                yield path, found, facts, program.lower(facts.entry_point)
        except unshade.UnsupportedError:
            continue


def test_containers(corpus: Path, ratchet: Ratchet) -> None:
    """Signatures and declarations name all that a Direct3D program reads and writes."""
    wrong: list[tuple[str, object]] = []
    count = 0
    for path, found, facts, lowered in described(containers(corpus)):
        count += 1
        # No signature lists the vertices of a mesh shader's primitives.
        ports = {
            each
            for each in ports_of_lowered(lowered)
            if each.place != SystemValue.PRIMITIVE_INDICES
        }
        strangers: set[object] = {*(ports - ports_of_reflection(found))}
        # What a shader takes from the descriptor heap is bound to no register.
        slots = unknown_resources(lowered, found)
        strangers |= {each for each in slots if each.kind is not ResourceClass.HEAP}
        strangers |= {*(ports - ports_of_facts(facts))}
        wrong += [(path.name, each) for each in strangers]
    assert wrong == []
    ratchet("slots: containers", count, count)


def test_shbins(corpus: Path, ratchet: Ratchet) -> None:
    """A table may leave outputs out. Code without an end runs into words that no table knows."""
    wrong: list[tuple[str, object]] = []
    count = 0
    for path, found, facts, lowered in described(shbins(corpus)):
        if facts.notes or not any("end" in line.split() for line in lowered.lines):
            continue
        count += 1
        ports = ports_of_lowered(lowered, points=False)  # those have every register
        inputs = {slot for slot in ports if slot.direction == "input"}
        strangers: set[object] = {*(inputs - ports_of_reflection(found))}
        strangers |= {*(ports - ports_of_facts(facts)), *unknown_resources(lowered, found)}
        wrong += [(path.name, each) for each in strangers]
    assert wrong == []
    ratchet("slots: shbins", count, count)
