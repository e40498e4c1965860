"""Every program of the corpus from its text: exact, native with and without a donor, edited.

The native texts are those that compilers printed, from the profile on. `UNSHADE_LISTINGS` may name
a folder of more pairs (NAME.asm beside NAME.o) that are read if it is there.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conformance.test_tpf_text import PROFILE, program_in
from tests.corpus import containers
from tests.ratchet import Ratchet
from unshade.isa.source import ErrorList, Source
from unshade.programs.tpf import Program
from unshade.programs.tpf.assembler import assemble

LISTINGS = os.environ.get("UNSHADE_LISTINGS")
EACH = 10  # every tenth program is edited
# What is edited: one number of a register, one component, one literal.
EDITS = (
    re.compile(r"(?<=\br)\d+(?=\.)"),
    re.compile(r"(?<=\w\.)[xyz](?=,|\n|\])"),
    re.compile(r"(?<=l\()\d+\.\d+(?=\))"),
)
NEXT = str.maketrans("xyz", "yzw")


class Case(NamedTuple):
    path: Path
    program: Program
    data: bytes


class Listing(NamedTuple):
    case: Case
    text: str
    first: int  # the line of the profile


def programs(folders: Iterator[Path]) -> list[Case]:
    found = []
    for path in folders:
        program = program_in(path.read_bytes())
        if program is not None:
            found.append(Case(path, program, program.encode()))
    return found


@pytest.fixture(scope="module")
def cases(corpus: Path) -> list[Case]:
    return programs(iter(containers(corpus)))


def listed(cases: list[Case]) -> Iterator[Listing]:
    for case in cases:
        path = case.path.with_suffix(".asm")
        if path.exists():
            text = path.read_text(errors="replace")
            lines = text.split("\n")
            yield Listing(case, text, 1 + max(i for i, x in enumerate(lines) if is_profile(x)))


def is_profile(line: str) -> bool:
    return PROFILE.fullmatch(line.rstrip()) is not None


def assembled(text: str, first: int = 1, donor: Program | None = None) -> Program:
    mistakes = ErrorList()
    code = assemble(Source(text), mistakes, first=first, donor=donor)
    mistakes.check()
    return Program.of(code)


def same_instructions(program: Program, case: Case) -> int:
    pairs = zip(program.instructions, case.program.instructions, strict=False)
    return sum(a.encode() == b.encode() for a, b in pairs)


def test_exact(cases: list[Case], ratchet: Ratchet) -> None:
    same = noted = 0
    for case in cases:
        text = case.program.disassemble("exact")
        same += Program.assemble(text).encode() == case.data
        noted += re.search(r"\{\w+=", text) is not None
    ratchet("tpf/assemble exact", same, len(cases))
    ratchet("tpf/assemble exact: programs without a note", len(cases) - noted, len(cases))


def test_native(cases: list[Case], ratchet: Ratchet) -> None:
    """Listings of compilers are assembled, with the program beside them as donor and without."""
    count: Counter[str] = Counter()
    for case, text, first in listed(cases):
        count["files"] += 1
        count["instructions"] += len(case.program.instructions)
        count["donor"] += assembled(text, first, case.program).encode() == case.data
        alone = assembled(text, first)
        count["alone"] += alone.encode() == case.data
        count["alone instructions"] += same_instructions(alone, case)
    ratchet("tpf/assemble native, with donor", count["donor"], count["files"])
    ratchet("tpf/assemble native, alone", count["alone"], count["files"])
    ratchet(
        "tpf/assemble native, alone: instructions",
        count["alone instructions"],
        count["instructions"],
    )


def without_numbers(program: Program) -> list[list[int]]:
    """Return the instructions with all literals zero."""
    for instruction in program.instructions:
        for operand in instruction.operands:
            operand.literal = tuple(0 for _ in operand.literal)
        if instruction.payload is not None:
            instruction.payload = tuple(0 for _ in instruction.payload)
    return [instruction.encode() for instruction in program.instructions]


def test_without_a_donor_only_digits_are_lost(cases: list[Case]) -> None:
    """All else is encoded as compilers do."""
    for case, text, first in listed(cases):
        ours, theirs = assembled(text, first), Program.decode(case.data)
        assert without_numbers(ours) == without_numbers(theirs), case.path.name


def edited(text: str, first: int) -> Iterator[str]:
    """Return texts with one piece of an operand changed: up to four for each kind of edit."""
    start = sum(len(line) + 1 for line in text.split("\n")[: first - 1])
    for pattern in EDITS:
        for number, found in enumerate(pattern.finditer(text, start)):
            line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()].lstrip()
            if number % 7 or number > 21 or line.startswith(("dcl_", "//", "ps_", "vs_")):
                continue
            old = found[0]
            if old.isdecimal():
                new = str(int(old) + 1)
            else:
                new = old.translate(NEXT) if old in "xyz" else str(float(old) + 2.5)
            yield text[: found.start()] + new + text[found.end() :]


def differing_dwords(a: bytes, b: bytes) -> int | None:
    if len(a) != len(b):
        return None
    return sum(a[at : at + 4] != b[at : at + 4] for at in range(0, len(a), 4))


def test_one_operand_changed(cases: list[Case], ratchet: Ratchet) -> None:
    """Only its token changes: in exact text without a donor, in native text with one."""
    count: Counter[str] = Counter()
    for case in cases[::EACH]:
        for text in edited(case.program.disassemble("exact"), 1):
            count["exact"] += 1
            made = Program.assemble(text).encode()
            count["exact good"] += differing_dwords(made, case.data) == 1
    native = [*listed(cases)][::EACH]
    listings = {listing.case.path: listing for listing in native}
    for case in cases[::EACH]:
        listing = listings.get(case.path, Listing(case, case.program.disassemble(), 1))
        listings[case.path] = listing
    for case, whole, first in listings.values():
        for text in edited(whole, first):
            count["native"] += 1
            made = assembled(text, first, case.program).encode()
            count["native good"] += differing_dwords(made, case.data) == 1
    ratchet("tpf/assemble exact, one operand changed", count["exact good"], count["exact"])
    ratchet("tpf/assemble native, one operand changed", count["native good"], count["native"])


def test_inserted_and_removed_lines(cases: list[Case], ratchet: Ratchet) -> None:
    """A line less or one more in a native text leaves all others as the donor has them."""
    good = total = 0
    for case in cases[::EACH]:
        at = len(case.program.instructions) // 2
        lines = case.program.disassemble().split("\n")
        code = [i for i, x in enumerate(lines) if re.match(r"\s*(mul|mad|add|mov|dp\d)\b", x)]
        if not code:
            continue
        at = code[len(code) // 2]
        for changed in (lines[:at] + lines[at + 1 :], [*lines[:at], "nop", *lines[at:]]):
            total += 1
            ours = Program.assemble("\n".join(changed), donor=case.program).instructions
            known = Counter(tuple(each.encode()) for each in case.program.instructions)
            missing = known - Counter(tuple(each.encode()) for each in ours)
            good += missing.total() == (len(changed) < len(lines))
    ratchet("tpf/assemble native, a line less or more", good, total)


def test_native_text_is_printed_again(cases: list[Case]) -> None:
    """But for tiny numbers that are only copied: 0.000000 is read as 0."""
    for case in cases:
        text = case.program.disassemble()
        again = Program.assemble(text).disassemble()
        for ours, theirs in zip(again.split("\n"), text.split("\n"), strict=True):
            assert ours == theirs or "0.000000" in theirs, case.path.name


@pytest.mark.skipif(LISTINGS is None, reason="UNSHADE_LISTINGS names no folder of listings")
def test_held_out_listings() -> None:
    cases = programs(iter(sorted(Path(LISTINGS or "").glob("*.o"))))
    count: Counter[str] = Counter()
    for case in cases:
        made = Program.assemble(case.program.disassemble("exact")).encode()
        count["exact"] += made == case.data
    for case, text, first in listed(cases):
        count["listings"] += 1
        count["donor"] += assembled(text, first, case.program).encode() == case.data
        count["alone"] += assembled(text, first).encode() == case.data
    print(dict(count), len(cases))
    assert count["exact"] == len(cases)
    assert count["donor"] == count["listings"]
