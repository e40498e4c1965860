"""Every container of the corpus is rebuilt byte for byte from its decoded parts alone."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

import unshade
from tests.corpus import containers
from tests.model.schema_check import violations
from tests.ratchet import Ratchet
from unshade import Shader, Span
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.formats.dxcontainer.parts import kind_of, schema_of
from unshade.formats.dxcontainer.parts.stat import ShaderStatistics
from unshade.programs.tpf import Program

# What STAT does not count, by its kind in the table: declarations, constants, phase markers.
UNCOUNTED = ("decl", "data", "phase")


@pytest.fixture(scope="module")
def files(corpus: Path) -> list[tuple[Path, bytes]]:
    return [(path, path.read_bytes()) for path in containers(corpus)]


def load(data: bytes) -> DxContainer:
    shader = unshade.loads(data)
    assert isinstance(shader, DxContainer)
    return shader


def without_source(shader: Shader) -> Shader:
    """Return the shader made again from its plain data, without any bytes of the file."""
    return unshade.from_data(shader.to_data())


def differing(made: list[tuple[Path, bool]]) -> str:
    return ", ".join(path.name for path, same in made if not same)[:500]


def test_bytes_from_decoded_parts(files: list[tuple[Path, bytes]]) -> None:
    made = []
    for path, data in files:
        shader = load(data)
        for part in shader.parts:
            _ = part.value
        made.append((path, shader.to_bytes() == data))
    assert not differing(made)


def test_plain_data(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    made = [(path, without_source(load(data)).to_bytes() == data) for path, data in files]
    ratchet("dxcontainer/round trip: plain data", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_yaml(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    made = []
    for path, data in files:
        text = unshade.to_yaml(load(data))
        made.append((path, unshade.from_yaml(text).to_bytes() == data))
    ratchet("dxcontainer/round trip: YAML", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_programs(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    """Tokens decoded and encoded again: instructions that can be edited have no bytes."""
    made = []
    for path, data in files:
        for part in load(data).parts.all("SHDR", "SHEX"):
            program = Program.decode(part.data)
            made.append((path, bool(program.instructions) and program.encode() == part.data))
    ratchet("dxcontainer/round trip: programs", sum(same for _, same in made), len(made))
    assert not differing(made)


def typed(part: DxPart) -> bool:
    """Return whether unshade has a type for parts of this kind."""
    return kind_of(part.name) is not None


def test_no_typed_part_is_raw(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    """A part of a known kind has its type, and is fields in plain data."""
    found = []
    for path, data in files:
        shader = load(data)
        plain = shader.to_data()["parts"]
        for part, shown in zip(shader.parts, plain, strict=True):
            if typed(part):
                found.append((path, part.name, "fields" in shown))
    raw = [(path.name, name) for path, name, fields in found if not fields]
    ratchet("dxcontainer/typed parts shown as fields", len(found) - len(raw), len(found))
    # LLVM's test of a part that is too small for its own record is the one that cannot be read.
    assert {name for _, name in raw} <= {"HASH"}


def test_plain_data_matches_the_schema(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    made, wrong = 0, []
    for path, data in files:
        for part in load(data).to_data()["parts"]:
            schema = schema_of(part["name"]) if "fields" in part else None
            if schema is not None:
                made += 1
                found = violations(part["fields"], schema)
                wrong += [f"{path.name}: {part['name']}{found[0]}"] if found else []
    ratchet("dxcontainer/records as their schema says", made - len(wrong), made)
    assert not wrong[:5]


def test_instruction_counts(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    """Instructions, less declarations, constants, labels and phase markers, against STAT."""
    made = []
    for path, data in files:
        shader = load(data)
        stated = shader.get("STAT")
        if not shader.programs or not isinstance(stated, ShaderStatistics):
            continue
        wanted = stated.instruction_count
        if wanted:
            counted = sum(
                1
                for instruction in shader.programs[0].instructions
                if not (row := instruction.op)
                or (row.kind not in UNCOUNTED and row.name != "label")
            )
            made.append((path, counted == wanted))
    ratchet("dxcontainer/instruction count as in STAT", sum(same for _, same in made), len(made))
    assert not differing(made)


# -- bytes in named fields -----------------------------------------------------------------------


def named_bytes(spans: Iterable[Span]) -> Counter[str]:
    """Return bytes by kind of span: field, padding, raw.

    A byte of a token is raw if a set bit of the token has no name. Bytes after the end of a string
    are padding, though its span includes them. A byte of two fields counts once.
    """
    kinds: dict[int, str] = {}
    for span in spans:
        length = span.length
        if isinstance(span.value, str) and span.bits is None and span.kind == "field":
            text = len(span.value.encode("utf-8", "surrogateescape")) + 1
            for at in range(span.offset + text, span.offset + length):
                kinds[at] = "padding"
            length = min(length, text)
        for at in range(span.offset, span.offset + length):
            if kinds.get(at) != "raw":
                kinds[at] = span.kind
    return Counter(kinds.values())


def test_share_of_bytes_in_named_fields(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    """Of the parts that are typed; alignment is listed apart."""
    by_part: dict[str, Counter[str]] = {}
    raw: Counter[str] = Counter()
    for _, data in files:
        for part in load(data).parts:
            if not typed(part):
                raw["(parts that nothing here describes)"] += len(part.data)
                continue
            spans = part.spans()
            by_part.setdefault(part.name, Counter()).update(named_bytes(spans))
            for span in spans:
                if span.kind == "raw":
                    raw[f"{part.name}.{span.path.split('.')[-1].split('[')[0]}"] += span.length
    total = sum(by_part.values(), Counter())
    for name, counts in [*sorted(by_part.items()), ("all", total)]:
        share = counts["field"] / (counts["field"] + counts["raw"])
        print(f"{name:6} {counts['field']:8} named {counts['raw']:6} raw {share:8.2%}"
              f"   apart: {counts['padding']:6} padding")  # fmt: skip
    for name, size in raw.most_common():
        print(f"{size:8} raw  {name}")
    ratchet("dxcontainer/bytes in named fields", total["field"], total["field"] + total["raw"])
    ratchet("dxcontainer/bytes, padding among them", total["field"], total.total())
    assert total["field"] >= 0.9995 * (total["field"] + total["raw"])


def test_every_byte_is_in_a_span(files: list[tuple[Path, bytes]]) -> None:
    for path, data in files:
        shader = load(data)
        at = 0
        for span in shader.spans():
            assert span.offset <= at, f"{path.name}: nothing says what 0x{at:x} is"
            at = max(at, span.offset + span.length)
        assert at == len(data), path.name
