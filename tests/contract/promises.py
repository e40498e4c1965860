"""The promises of every registered format, checked with its description and a sample alone.

A promise is a function that takes a sample and a folder to write in, and fails an assertion where
it is broken. `PROMISES` has them all; what a format cannot do yet it says with UnsupportedError.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import unshade
from tests.cli.terminal import Ended
from tests.cli.terminal import unshade as run
from tests.contract.samples import Sample, ending
from tests.hostile.exercise import exercise
from tests.model.schema_check import violations
from unshade import UnshadeError, UnsupportedError, damaged, formats, model, overview
from unshade.analysis.metrics import METRICS
from unshade.dialect import heading
from unshade.report.tree import FieldTree
from unshade.shader import Shader
from unshade.stripping import STRIPPABLE
from unshade.vocab.slots import Direction, Rate

Promise = Callable[[Sample, Path], None]
PROMISES: dict[str, Promise] = {}
ALL = ("all",)  # all that can be stripped
CUTS, CHANGES = 8, 16  # damaged files made of a sample
AROUND = b"\x01\x02 something else \xfe"


def promise(check: Promise) -> Promise:
    """Add a promise to the table."""
    PROMISES[check.__name__] = check
    return check


def opened(sample: Sample) -> Shader:
    """Read the sample anew."""
    return unshade.loads(sample.data)


# ---------------------------------------------------------------- description


@promise
def describes_itself(sample: Sample, folder: Path) -> None:
    """The description fits the class, and is distinct from that of other formats."""
    each = sample.format
    shader = opened(sample)
    assert type(shader) is each.shader()
    assert shader.format == each.name == type(shader).format
    assert each.recognises(sample.data)
    assert re.fullmatch(r"\.\w+", each.suffix)
    assert bool(each.says) == bool(each.example) == bool(each.texts) == bool(each.tool)
    assert {category for category, _ in each.strips} <= set(STRIPPABLE)
    assert not each.links_to or formats.format_named(each.links_to) is not None
    others = [other for other in formats.known() if other.name != each.name]
    assert not any(other.recognises(sample.data) for other in others)
    if each.example:
        assert formats.detect_text(each.example) == each
        assert not any(other.says and re.match(other.says, each.example) for other in others)


@promise
def is_identified(sample: Sample, folder: Path) -> None:
    """The format is recognised, alone and inside larger data."""
    assert formats.identify(sample.data) == sample.format.name
    path = folder / f"sample{sample.format.suffix}"
    path.write_bytes(sample.data)
    assert unshade.open(path).to_bytes() == sample.data
    assert type(opened(sample)).open(path).to_bytes() == sample.data
    if sample.format.magics:
        size = ending(sample.data)
        found = list(formats.find(AROUND + sample.data[:size] + AROUND))
        assert [tuple(each) for each in found] == [(len(AROUND), size, sample.format.name)]
        (path.parent / "pack").write_bytes(AROUND + sample.data[:size])
        inside = unshade.open(path.parent / "pack", offset=len(AROUND))
        assert inside.to_bytes() == sample.data[:size]


# ---------------------------------------------------------------- bytes, data


@promise
def comes_back(sample: Sample, folder: Path) -> None:
    """The bytes are written as they were read, even after everything was looked at."""
    for given in (sample.data, bytearray(sample.data), memoryview(sample.data)):
        assert unshade.loads(given).to_bytes() == sample.data
    assert exercise(sample.data) == "read"
    assert opened(sample).damage is None
    opened(sample).save(folder / "saved")
    assert (folder / "saved").read_bytes() == sample.data


@promise
def has_every_byte_in_a_span(sample: Sample, folder: Path) -> None:
    """Spans are in file order, nested or disjoint, and cover every byte.

    Fields of a stream of bits may have parts of a byte each: then their bits are disjoint.
    """
    open_: list[tuple[int, int]] = []  # ends in bytes, and in bits, of the spans around
    at = 0
    shader = opened(sample)
    spans = shader.spans()
    assert [*shader.iter_spans()] == spans
    for span in spans:
        end = span.offset + span.length
        assert span.path
        assert span.offset <= at, f"no span has the byte at {at}"
        assert 0 <= span.offset <= end <= len(sample.data), span
        while open_ and open_[-1][0] <= span.offset:
            open_.pop()
        low, count = span.bits or (0, 8 * span.length)
        assert low + count <= 8 * span.length, span
        first = 8 * span.offset + low
        apart = open_ and span.bits is not None and first >= open_[-1][1]
        assert not open_ or end <= open_[-1][0] or apart, f"{span} leaves the span around it"
        open_.append((end, first + count))
        at = max(at, end)
    assert at == len(sample.data)


@promise
def is_plain_data(sample: Sample, folder: Path) -> None:
    """Plain data consist of JSON values and reproduce the file without its bytes."""
    plain = opened(sample).to_data()
    assert plain["format"] == sample.format.name
    assert list(other_values(plain)) == []
    assert json.loads(json.dumps(plain)) == plain
    assert unshade.from_data(plain).to_bytes() == sample.data


def other_values(data: Any, path: str = "") -> Iterator[str]:
    """Yield what JSON and YAML have no words for, members of enumerations among it."""
    if type(data) is dict:
        for key, value in data.items():
            yield from other_values(value, f"{path}.{key}")
            if type(key) is not str:
                yield f"{path}: the key {key!r}"
    elif type(data) is list:
        for at, value in enumerate(data):
            yield from other_values(value, f"{path}[{at}]")
    elif type(data) not in (str, int, float, bool, type(None)):
        yield f"{path}: {data!r}"


@promise
def is_plain_data_when_assembled(sample: Sample, folder: Path) -> None:
    """A shader that was made from text is its plain data, its JSON and its YAML, too."""
    for dialect in (None, "exact"):
        with suppress(UnshadeError):  # a format may have no text, or not this dialect
            text = opened(sample).disassemble(dialect)
            shader = unshade.assemble(text, sample.format.name)
            plain = shader.to_data()
            assert list(other_values(plain)) == []
            made = [
                unshade.from_data(plain),
                unshade.from_data(json.loads(json.dumps(plain))),
                unshade.from_yaml(unshade.to_yaml(shader)),
            ]
            assert [each.to_bytes() for each in made] == [shader.to_bytes()] * len(made)


@promise
def is_yaml(sample: Sample, folder: Path) -> None:
    """YAML reproduces the file and is recognised as YAML."""
    text = unshade.to_yaml(opened(sample))
    assert unshade.from_yaml(text).to_bytes() == sample.data
    path = folder / "sample.yaml"
    path.write_text(text, "utf-8")
    assert run("identify", path).out.endswith("YAML of a shader, for `unshade from-yaml`\n")


# ---------------------------------------------------------------- meaning


@promise
def is_reflected(sample: Sample, folder: Path) -> None:
    """The reflection and `info` match their schemas and agree with the identity."""
    shader = opened(sample)
    data = overview.info(shader).to_dict()
    whole = overview.schema()
    assert violations(data, {**whole, **whole["$defs"]["Info"]}) == []
    assert data["format"] == sample.format.name
    identity = shader.identity()
    with suppress(UnsupportedError):
        found = shader.reflect()
        assert violations(found.to_dict(), model.schema()) == []
        for name in ("format", "stage", "model", "profile"):
            assert getattr(identity, name) == getattr(found, name), name
        for rows, direction, rate in (
            (found.inputs, Direction.INPUT, None),
            (found.outputs, Direction.OUTPUT, None),
            (found.patch_constants, Direction.OUTPUT, Rate.PATCH),
        ):
            slots = [slot for row in rows for slot in row.slots(found.stage, direction, rate)]
            assert len(slots) == len(set(slots)), rows


@promise
def links_its_listing(sample: Sample, folder: Path) -> None:
    """Lines show fields that there are, and each instruction of the control flow has a line."""
    shader = opened(sample)
    try:
        lines = shader.disassemble().split("\n")
    except UnsupportedError:
        return
    shown = shader.line_paths()
    assert len(shown) <= len(lines)
    fields = FieldTree.of(shader.spans()).paths
    assert [path for paths in shown for path in paths if path not in fields] == []
    linked = {paths[0] for paths in shown if paths}
    for program in shader.programs:
        steps = {shader.field_path(program, each.path) for each in program.control_flow().steps}
        assert steps - linked == set()


@promise
def is_verified(sample: Sample, folder: Path) -> None:
    """Every finding has a known rule and lies in the file; verifying changes nothing."""
    shader = opened(sample)
    rules = {**damaged.RULES, **type(shader).rules()}
    assert type(shader).rules() or not shader.verify()
    for title, table in type(shader).rule_tables().items():
        assert title
        assert all(code == rule.code and rule.explanation for code, rule in table.items())
    for each in shader.verify():
        assert each.code in rules, each
        assert each.offset is None or 0 <= each.offset <= len(sample.data), each
    assert shader.to_bytes() == sample.data


@promise
def is_stripped(sample: Sample, folder: Path) -> None:
    """`strip` removes exactly the parts it announces, once, and leaves a valid file."""
    shader = opened(sample)
    announced = shader.strippable()
    assert {each.category for each in announced} <= set(STRIPPABLE)
    assert shader.to_bytes() == sample.data
    assert shader.strip(*ALL) == announced
    left = shader.to_bytes()
    assert (left != sample.data) == bool(announced)
    assert len(left) <= len(sample.data)  # equal where a format rounds up to words or blocks
    again = unshade.loads(left)
    assert again.damage is None
    assert again.strip(*ALL) == []
    assert again.to_bytes() == left


@promise
def differs_from_others_alone(sample: Sample, folder: Path) -> None:
    """A file equals itself, and differs from what `strip` leaves of it."""
    assert not unshade.diff(opened(sample), opened(sample))
    less = opened(sample)
    lost = less.strip(*ALL)
    found = unshade.diff(opened(sample), less)
    assert bool(found) == bool(lost)
    assert bool(unshade.diff(less, opened(sample))) == bool(lost)
    json.dumps(found.to_dict())


# ---------------------------------------------------------------- text


@promise
def is_read_from_its_text(sample: Sample, folder: Path) -> None:
    """A text is recognised, and exact text reproduces the programs.

    The text of a format that has none of its own is that of the format that holds its programs.
    """
    shader = opened(sample)
    try:
        native, exact = shader.disassemble(), shader.disassemble("exact")
    except UnsupportedError:
        return
    assert native.endswith("\n")
    first = heading(exact)
    assert first is not None
    assert (first.format, first.dialect) == (sample.format.name, "exact")
    owner = sample.format
    if not owner.texts:
        languages = {each.language for each in shader.programs}
        (owner,) = (each for each in formats.own() if languages <= {*each.holds})
    for text in (native, exact):
        assert "".join(word for word, _ in shader.lexer().tokens(text)) == text
        code = text is exact or any(each.entry_points for each in shader.programs)
        assert formats.detect_text(text) in ((owner,) if code else (owner, None))
    again = unshade.assemble(exact)
    assert again.format == owner.name
    assert [*again.programs] == [*shader.programs]
    own = unshade.assemble(exact, sample.format.name)
    assert own.format == sample.format.name
    assert [*own.programs] == [*shader.programs]


# ---------------------------------------------------------------- damaged files


@promise
def survives_damage(sample: Sample, folder: Path) -> None:
    """A truncated or changed file is read or refused, and no byte is lost."""
    chance = Random(f"{sample.format.name} {sample.name}")
    data = sample.data
    for _ in range(CUTS):
        exercise(data[: chance.randrange(len(data))])
    for _ in range(CHANGES):
        at = chance.randrange(len(data))
        exercise(data[:at] + bytes([data[at] ^ chance.choice((1, 0x80, 0xFF))]) + data[at + 1 :])


# ---------------------------------------------------------------- the command line


@promise
def is_shown_by_every_verb(sample: Sample, folder: Path) -> None:
    """Every verb that takes files takes this one, or says that it is unsupported."""
    path = folder / f"sample{sample.format.suffix}"
    path.write_bytes(sample.data)
    for line in (
        ("identify",), ("identify", "--json"), ("info",), ("info", "--json"), ("parts",),
        ("parts", "--json"), ("reflect",), ("reflect", "--json"), ("dis",),
        ("verify",), ("verify", "--json"), ("verify", "--format", "sarif"), ("hexdump",),
        ("hexdump", "--docs"), ("hexdump", "--json"), ("find",), ("find", "--json"),
        ("diff", path), ("diff", "--json", path),
        ("check", f"--max-{next(iter(METRICS))}", "9999999"),
        ("strip", "--all", "--dry-run"),
    ):  # fmt: skip
        ended = run(*line, path)
        assert ended.code in (0, 1, 4), (line, ended)
        assert "a bug in unshade" not in ended.err, ended.err
        assert ended.code != 4 or ended.err, line
        if "--json" in line and ended.code == 0:
            json.loads(ended.out)
    assert run("identify", path).out.startswith(f"{path}: {sample.format.name}")
    fields = json.loads(run("hexdump", "--json", path).out)["fields"]
    assert len(fields) == len(opened(sample).spans())


@promise
def is_written_by_every_verb(sample: Sample, folder: Path) -> None:
    """YAML, texts, parts and stripped files are written and can be read again."""
    path = folder / f"sample{sample.format.suffix}"
    path.write_bytes(sample.data)
    yaml, again = folder / "sample.yaml", folder / "again"
    _fine(run("to-yaml", path, "-o", yaml))
    _fine(run("from-yaml", yaml, "-o", again))
    assert again.read_bytes() == sample.data
    again.unlink()
    _fine(run("strip", "--all", path, "-o", again))
    stripped = opened(sample)
    stripped.strip(*ALL)
    assert again.read_bytes() == stripped.to_bytes()
    _fine(run("extract", path, "-o", folder / "parts"))
    if sample.format.texts:
        text = folder / f"exact{sample.format.texts[0]}"
        listed = run("dis", "--dialect", "exact", path, "-o", text)
        if listed.code == 0:
            made = folder / f"made{sample.format.suffix}"
            _fine(run("asm", text, "-o", made))
            assert unshade.open(made).programs == opened(sample).programs
        else:
            assert listed.code == 4, listed


def _fine(ended: Ended) -> None:
    assert ended.code == 0, ended.err


@promise
def has_its_options_on_the_command_line(sample: Sample, folder: Path) -> None:
    """The format's options are in help and completion, and verbs take them."""
    path = folder / f"sample{sample.format.suffix}"
    path.write_bytes(sample.data)
    listing = run("dis", "--help").out
    for option in sample.format.listing:
        assert option.flag in listing
        for choice in option.choices or ("",):
            given = [option.flag, choice] if choice else [option.flag]
            ended = run("dis", *given, path)
            assert ended.code in (0, 4), ended
    for option in sample.format.assembler:
        assert option.flag in run("asm", "--help").out
    if sample.format.texts:
        assert sample.format.name in run("asm", "--help").out
