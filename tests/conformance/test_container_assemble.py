"""Every listing of the corpus, assembled: alone, with its container as donor, and exactly.

Alone: the container reads, has no finding that the original does not have, and its own listing is
the text again. What the tables cannot say (the creator's flags, placement by `register()`, …) is
counted field by field against the original's records.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import unshade
from tests.conformance.listing_exceptions import NOT_ASSEMBLED, RULES
from tests.corpus import containers
from tests.ratchet import Ratchet
from tests.sampling import is_sampled
from unshade.formats.dxcontainer import DigestKind, DxContainer
from unshade.isa.source import Source
from unshade.wire import Record

COMPILER = shutil.which("vkd3d-compiler")
# Fields that no listing shows, with the reason.
UNSHOWN = {
    "RdefBinding.flags": "whether the source placed it by register()",
    "ResourceDefinition.flags": "the compile flags",
    "ClassLinkage.noise": "bytes that the compiler never wrote",
    "ShaderStatistics.mov_instruction_count": "fxc 9 counted before copies were removed",
}

# Typed parts that no listing shows.
NOT_LISTED = ("RTS0", "Aon9")


@cache
def originals(corpus: Path) -> tuple[tuple[Path, DxContainer], ...]:
    """Return every container with a tokenized program."""
    read = ((path, DxContainer.loads(path.read_bytes())) for path in containers(corpus))
    return tuple((path, shader) for path, shader in read if shader.programs)


@cache
def listed(corpus: Path) -> tuple[tuple[Path, DxContainer, str, DxContainer], ...]:
    """Those with fxc's listing beside them: path, original, listing, what that alone makes."""
    found = []
    for path, original in originals(corpus):
        beside = path.with_suffix(".asm")
        if beside.exists():
            text = beside.read_bytes().decode()
            made = DxContainer.assemble([Source(text, path.name)])
            found.append((path, original, text, DxContainer.loads(made.to_bytes())))
    return tuple(found)


# A word that is copied and prints as no more than this is some bits between 0 and a millionth; read
# as 0 it prints as 0. The one reason why a listing alone does not come back.
TINY = re.compile(r"(?<![\d.])0\.000000(?!\d)")


def same_but_for_exceptions(theirs: str, ours: str) -> bool:
    """Return whether the listings are equal once the known differences are removed."""
    if theirs == ours:
        return True
    for rule in [rule for rule in (*RULES, NOT_ASSEMBLED) if rule.applies(theirs)]:
        theirs, ours = rule.theirs(theirs), rule.ours(ours)
    return theirs == ours


def test_listings_alone(corpus: Path, ratchet: Ratchet) -> None:
    again = clean = 0
    everything = listed(corpus)
    for path, original, text, made in everything:
        ours = made.disassemble()
        if same_but_for_exceptions(text, ours):
            again += 1
        else:
            assert same_but_for_exceptions(*(TINY.sub("0", each) for each in (text, ours))), path
        before = {each.code for each in original.verify()}
        clean += {each.code for each in made.verify()} <= before
        assert made.digest_kind in (DigestKind.RETAIL, DigestKind.DEBUG)
    ratchet("dxcontainer/assemble: listing again", again, len(everything))
    ratchet("dxcontainer/assemble: no new finding", clean, len(everything))
    assert clean == len(everything)
    assert is_sampled() or again >= 0.98 * len(everything)


Row = tuple[str, object, object]


def fields(original: Record, made: Record | None) -> Iterator[Row]:
    """Iterate over the fields of the records: name and both values."""
    for field in type(original).layout.fields:
        name = f"{type(original).__name__}.{field.name}"
        theirs, ours = getattr(original, field.name), getattr(made, field.name, None)
        if isinstance(theirs, Record):
            yield from fields(theirs, ours)
        elif isinstance(theirs, list) and theirs and isinstance(theirs[0], Record):
            rows = ours if isinstance(ours, list) else []
            yield f"{name}: rows", len(theirs), len(rows)
            for at, row in enumerate(theirs):
                yield from fields(row, rows[at] if at < len(rows) else None)
        else:
            yield name, theirs, ours


def test_tables_assemble_to_their_records(corpus: Path, ratchet: Ratchet) -> None:
    equal: Counter[str] = Counter()
    total: Counter[str] = Counter()
    differ = set()
    for _, original, _, made in listed(corpus):
        for part in original.parts:
            if not isinstance(part.value, Record) or part.name in NOT_LISTED:
                continue
            partner = made.parts.get(part.name)
            assert partner is not None, part.name
            for name, theirs, ours in fields(part.value, partner.value):
                total[part.name] += 1
                equal[part.name] += theirs == ours
                if theirs != ours:
                    differ.add(name)
    for name in sorted(total):
        ratchet(f"dxcontainer/assemble: fields of {name}", equal[name], total[name])
    assert differ <= set(UNSHOWN)
    assert is_sampled() or differ == set(UNSHOWN)


def test_own_container_as_donor(corpus: Path, ratchet: Ratchet) -> None:
    identical = files = 0
    for path, original in originals(corpus):
        data = path.read_bytes()
        beside = path.with_suffix(".asm")
        texts = [original.disassemble()]
        if beside.exists():
            texts.append(beside.read_bytes().decode())
        for text in texts:
            files += 1
            identical += DxContainer.assemble([Source(text)], donor=original).to_bytes() == data
    ratchet("dxcontainer/assemble: with donor, same bytes", identical, files)
    assert identical == files


def test_exact_text_alone(corpus: Path, ratchet: Ratchet) -> None:
    same = again = tokenized = 0
    for _, original in originals(corpus):
        text = original.disassemble("exact")
        made = unshade.assemble(text)
        same += made.programs[0].encode() == original.programs[0].encode()
        if original.programs[0].language == "tpf":  # that of DXIL begins with tables of other parts
            tokenized += 1
            if NOT_ASSEMBLED.applies(text):
                text = NOT_ASSEMBLED.theirs(text)
            again += made.disassemble("exact") == text
    total = len(originals(corpus))
    ratchet("dxcontainer/assemble: exact, same program", same, total)
    ratchet("dxcontainer/assemble: exact, same text again", again, tokenized)
    assert same == total


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="vkd3d-compiler is not installed")
def test_vkd3d_accepts_assembled_containers(corpus: Path, tmp_path: Path, ratchet: Ratchet) -> None:
    def accepted(data: bytes) -> bool:
        file = tmp_path / "shader.dxbc"
        file.write_bytes(data)
        command = [
            str(COMPILER),
            "-x",
            "dxbc-tpf",
            "-b",
            "spirv-binary",
            "-o",
            "/dev/null",
            str(file),
        ]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    before = after = 0
    for _, original, _, made in listed(corpus):
        if accepted(original.to_bytes()):
            before += 1
            after += accepted(made.to_bytes())
    ratchet("dxcontainer/assemble: vkd3d-compiler takes it", after, before)
    assert after == before
