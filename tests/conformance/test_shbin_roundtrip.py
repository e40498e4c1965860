"""Every SHBIN of the corpus is rebuilt byte for byte from its decoded parts alone."""

from collections import Counter
from pathlib import Path

import pytest

import unshade
from tests.conformance.test_roundtrip import named_bytes
from tests.corpus import shbins
from tests.model.schema_check import violations
from tests.ratchet import Ratchet
from unshade.formats.shbin import Shbin
from unshade.model import schema
from unshade.programs.pica import Program
from unshade.wire.data import to_data
from unshade.wire.schema import json_schema


@pytest.fixture(scope="module")
def files(corpus: Path) -> list[tuple[Path, bytes]]:
    return [(path, path.read_bytes()) for path in shbins(corpus)]


def load(data: bytes) -> Shbin:
    shader = unshade.loads(data)
    assert isinstance(shader, Shbin)
    return shader


def differing(made: list[tuple[Path, bool]]) -> str:
    return ", ".join(path.name for path, same in made if not same)[:500]


def test_bytes_from_decoded_parts(files: list[tuple[Path, bytes]]) -> None:
    made = []
    for path, data in files:
        shader = load(data)
        assert shader.program.instructions is not None
        made.append((path, shader.to_bytes() == data))
    assert not differing(made)


def test_plain_data(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    made = [
        (path, unshade.from_data(load(data).to_data()).to_bytes() == data) for path, data in files
    ]
    ratchet("shbin/round trip: plain data", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_yaml(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    made = [
        (path, unshade.from_yaml(unshade.to_yaml(load(data))).to_bytes() == data)
        for path, data in files
    ]
    ratchet("shbin/round trip: YAML", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_files_of_picasso_need_no_layout(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    """The writer's walks are those of the tools."""
    made = [(path, "layout" not in load(data).to_data()) for path, data in files]
    ratchet("shbin/laid out as a known writer does", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_programs(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    made = []
    for path, data in files:
        program = load(data).program
        again = Program.from_data(program.to_data())
        made.append((path, again.encode() == program.encode()))
    ratchet("shbin/round trip: programs", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_share_of_bytes_in_named_fields(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    total: Counter[str] = Counter()
    raw: Counter[str] = Counter()
    for _, data in files:
        spans = load(data).spans()
        total += named_bytes(spans)
        for span in spans:
            if span.kind == "raw":
                raw[span.path.rpartition(".")[2].partition("[")[0]] += span.length
    for name, size in raw.most_common():
        print(f"{size:8} raw  {name}")
    ratchet("shbin/bytes in named fields", total["field"], total["field"] + total["raw"])
    ratchet("shbin/bytes, padding among them", total["field"], total.total())
    assert total["field"] >= 0.995 * (total["field"] + total["raw"])


def test_every_byte_is_in_a_span(files: list[tuple[Path, bytes]]) -> None:
    for path, data in files:
        at = 0
        for span in load(data).spans():
            assert span.offset <= at, f"{path.name}: nothing says what 0x{at:x} is"
            at = max(at, span.offset + span.length)
        assert at == len(data), path.name


def test_records_match_the_schema(files: list[tuple[Path, bytes]]) -> None:
    for path, data in files:
        shader = load(data)
        wrong = violations(to_data(shader.record), json_schema(type(shader.record)))
        assert not wrong, f"{path.name}: {wrong[0]}"


def test_found_in_larger_data(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    """All of them in one blob, with unaligned junk between: each is found, and opens there."""
    blob = b"CGFX" + bytes(28)
    places = {}
    for _, data in files:
        own = load(data)
        kept = data[: len(data) - len(own.trailing)]
        places[len(blob)] = kept
        blob += kept + b"\1DVL"
    found = {each.offset: each.size for each in unshade.find(blob)}
    right = sum(found.get(at) == len(data) for at, data in places.items())
    ratchet("shbin/found in larger data", right, len(files))
    assert len(found) == right == len(files)


# -- reflection ----------------------------------------------------------------------------------


def test_reflections(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    """The reflection has everything in the tables, and only what its schema allows."""
    whole = 0
    for path, data in files:
        shader = load(data)
        found = shader.reflect()
        each = found.entry_points or [found]
        assert len(each) == len(shader.dvles)
        for one, dvle in zip(each, shader.dvles, strict=True):
            assert len(one.outputs) == len(dvle.outputs)
            names = {v.name for buffer in one.constant_buffers for v in buffer.variables}
            names |= {row.semantic for row in one.inputs}
            assert {row.symbol for row in dvle.uniforms} <= names
            values = sum(
                1
                for buffer in one.constant_buffers
                for v in buffer.variables
                for value in (v.value if v.type.elements else [v.value]) or []
                if value is not None
            )
            assert values == len({(row.type, row.id) for row in dvle.constants}), path.name
        whole += found.complete and all(one.complete for one in each)
        assert not violations(found.to_dict(), schema()), path.name
    ratchet("shbin/reflections complete", whole, len(files))
