"""The SkSL compiler against upstream's: which sources it takes, its messages, its programs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.ratchet import Ratchet
from unshade.errors import AssembleError, EncodeError
from unshade.formats.sksl import SkslShader
from unshade.isa.source import Source
from unshade.programs.sksl import Program
from unshade.programs.sksl.assembler import EXTENSIONS, Settings, compile, report, settings_of
from unshade.programs.sksl.tables.enumerations import SkslProgramKind

HEADING = "### Compilation failed:\n\n"
STAND_ALONE = "StandaloneSettings"
CANNOT = re.compile(r"^\S+: ")  # the path before a reason
OUTPUT = re.compile(r"(?:\.asm)?\.\w+$")


class Output(NamedTuple):
    """The output of upstream's compiler for a source: a program, or messages."""

    source: Source
    settings: Settings
    messages: str


def source_at(path: Path, name: str) -> Source:
    return Source(path.read_text(encoding="utf-8", errors="surrogateescape"), name)


def outputs(corpus: Path) -> Iterator[Output]:
    folder = corpus / "sksl" / "source_expected"
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        stem = OUTPUT.sub("", path.relative_to(folder).as_posix())
        name = stem.removesuffix(STAND_ALONE)
        found = sorted((corpus / "sksl" / "source").glob(f"{name}.*"))
        (source_path,) = (each for each in found if each.suffix in EXTENSIONS)
        kind = EXTENSIONS[source_path.suffix]
        if path.suffix == ".skvm" and kind is SkslProgramKind.FRAGMENT:
            kind = SkslProgramKind.RUNTIME_SHADER
        source = source_at(source_path, source_path.name)
        alone = stem.endswith(STAND_ALONE)
        settings = Settings(kind=kind) if alone else settings_of(source, kind)
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        yield Output(source, settings, text.removeprefix(HEADING) if HEADING in text else "")


def test_sources_compile(corpus: Path, ratchet: Ratchet) -> None:
    good: dict[tuple[str, Settings | str], bool] = {}
    for each in outputs(corpus):
        if each.messages:
            continue
        key = each.source.text, str(each.settings)
        if key not in good:
            good[key] = report(each.source, each.settings) == ""
    ratchet("sksl/sources that compile", sum(good.values()), len(good))


def test_messages_are_those_of_upstream(corpus: Path, ratchet: Ratchet) -> None:
    total = same_lines = same = 0
    for each in outputs(corpus):
        if not each.messages:
            continue
        found = report(each.source, each.settings)
        total += 1
        same += found == each.messages
        same_lines += lines_of(found) == lines_of(each.messages)
    ratchet("sksl/errors at the same lines", same_lines, total)
    ratchet("sksl/errors with the same text", same, total)


def lines_of(messages: str) -> list[str]:
    return re.findall(r"^error: (\d+):", messages, re.MULTILINE)


def test_programs_are_those_of_upstream(corpus: Path, ratchet: Ratchet) -> None:
    folder = corpus / "sksl" / "programs"
    same, total = Counter[str](), Counter[str]()
    without = 0  # programs with an #extension, which upstream's writer drops
    for each in json.loads((folder / "MANIFEST.json").read_text()):
        config, name = each["cfg"], each["file"]
        settings = Settings(
            kind=SkslProgramKind(each["kind"]),
            es2=bool(each["es2"]),
            optimize=bool(each["opt"]),
            inline_threshold=50 if each["inline"] else 0,
        )
        source = source_at(corpus / "sksl" / "source" / name, name)
        expected = (folder / config / f"{name}.skslb").read_bytes()
        total[config] += 1
        try:
            found = SkslShader(Program(compile(source, settings))).to_bytes()
        except EncodeError:
            assert "#extension" in source.text
            without += 1
            continue
        same[config] += found == expected
    for config, count in total.items():
        ratchet(f"sksl/bytes of {config}", same[config], count)
    assert without == sum(total.values()) - sum(same.values())


def test_what_compiles_makes_a_round_trip(corpus: Path, ratchet: Ratchet) -> None:
    """Compile, encode, decode, print, compile again: each is equal, or refused with a reason."""
    folder = corpus / "sksl" / "source"
    same = total = 0
    reasons = Counter[str]()
    for path in sorted(each for each in folder.rglob("*") if each.suffix in EXTENSIONS):
        source = source_at(path, path.name)
        kinds = {EXTENSIONS[path.suffix], SkslProgramKind.RUNTIME_SHADER, SkslProgramKind.GENERIC}
        for kind in sorted(kinds):
            settings = settings_of(source, kind)._replace(es2=kind is EXTENSIONS[path.suffix])
            try:
                program = Program(compile(source, settings))
            except AssembleError:
                continue
            try:
                pool, commands = program.encoded()
            except EncodeError as error:
                reasons[CANNOT.sub("", str(error))] += 1
                continue
            decoded = Program.decode(commands, pool)
            again = Program.assemble(decoded.disassemble())
            total += 1
            same += decoded == program and again == program
    ratchet("sksl/compiled programs through bytes and text", same, total)
    assert all(each.startswith(("version 11 cannot hold", "version 11 holds")) for each in reasons)


def test_programs_of_the_corpus_compile_from_their_text(corpus: Path, ratchet: Ratchet) -> None:
    same = total = 0
    for folder in ("programs", "programs_handmade"):
        for path in sorted((corpus / "sksl" / folder).rglob("*.skslb")):
            program = SkslShader.loads(path.read_bytes()).program
            total += 1
            same += Program.assemble(program.disassemble()) == program
    ratchet("sksl/programs compiled from their text", same, total)
