"""The programs of all SHBIN files: exact round trips, nihstro's listings, and rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.programs.pica.nihstro import listed, printed
from tests.ratchet import Ratchet
from unshade.formats.shbin import Shbin
from unshade.programs.pica import Program
from unshade.programs.pica.structure import structure
from unshade.rule import is_finding

# What the rules find here is there. Ten of the sources (pican's test inputs) have no `end`, one no
# instruction at all; a geometry shader's file says of its other shader that it is a vertex shader
# with the same code; four outputs are mapped and not written, and one is written twice; a dump of
# azahar has the whole descriptor memory of 4096 entries.
BROKEN = {
    "pica.missing-end",
    "pica.entry",
    "pica.geometry-only",
    "pica.output-unwritten",
    "pica.output-twice",
    "pica.descriptor-count",
}


def programs(corpus: Path) -> Iterator[tuple[Path, Program]]:
    for path in sorted((corpus / "shbin").rglob("*.shbin")):
        (program,) = Shbin.loads(path.read_bytes()).programs
        assert isinstance(program, Program)
        yield path, program


def test_words_and_descriptors_round_trip(corpus: Path, ratchet: Ratchet) -> None:
    words = same_words = descriptors = same_descriptors = 0
    for _, program in programs(corpus):
        data = program.to_data()
        again = Program.from_data(data)
        for ours, theirs in zip(again.words(), program.words(), strict=True):
            words += 1
            same_words += ours == theirs
        for one, other in zip(again.descriptors, program.descriptors, strict=True):
            descriptors += 1
            same_descriptors += one == other
        assert not any("unnamed" in each for each in data["instructions"])
        assert not any(span.kind == "raw" for span in program.spans())
    ratchet("pica/words through plain data", same_words, words)
    ratchet("pica/descriptors through plain data", same_descriptors, descriptors)


def test_listings_match_nihstro(corpus: Path, ratchet: Ratchet) -> None:
    lines = same = 0
    different: list[str] = []
    for path, program in programs(corpus):
        listing = path.with_suffix(".nihstro.txt")
        if not listing.exists():
            continue
        ours = printed(program)
        for section in listed(listing.read_text(encoding="utf-8", errors="replace")):
            for their, own in zip(section, ours, strict=True):
                lines += 1
                same += their == own
                if their != own:
                    different.append(f"{path.name}\n  {their}\n  {own}")
    ratchet("pica/lines equal to nihstro's", same, lines)
    assert not different, "\n".join(different[:5])


def test_programs_are_valid(corpus: Path, ratchet: Ratchet) -> None:
    counts: Counter[str] = Counter()
    sound = total = 0
    for _, program in programs(corpus):
        found = {each.code for each in program.verify() if is_finding(each)}
        counts.update(found)
        total += 1
        sound += not found
        if program.entries and program.instructions:
            assert structure(program).sound
    assert set(counts) <= BROKEN
    ratchet("pica/programs that break no rule", sound, total)
