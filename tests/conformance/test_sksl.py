"""SkSL binary files of the corpus: bytes, plain data, upstream's text, rules."""

from pathlib import Path

import pytest
import yaml

from tests.corpus import sksl_modules, sksl_programs
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.errors import UnshadeError
from unshade.formats.sksl import SkslShader
from unshade.formats.sksl.about import is_sksl
from unshade.programs.sksl.text.native import disassemble
from unshade.wire.spans import gaps

pytestmark = pytest.mark.conformance


@pytest.fixture(scope="module")
def files(corpus: Path) -> list[tuple[Path, bytes]]:
    paths = [*sksl_programs(corpus), *sksl_modules(corpus)]
    if not paths:
        pytest.skip("no SkSL in the corpus")
    return [(path, path.read_bytes()) for path in paths]


def differing(made: list[tuple[Path, bool]]) -> str:
    return ", ".join(f"{path.parent.name}/{path.name}" for path, same in made if not same)[:500]


def test_files_are_identified(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    made = [(path, is_sksl(data)) for path, data in files]
    ratchet("sksl/identified", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_bytes_from_decoded_parts(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    """Files are decoded to the last byte, and nothing has to be kept that the writer derives."""
    made = []
    for path, data in files:
        shader = SkslShader.loads(data)
        program = shader.program
        derived = not program.odd and program.strings is None and not shader.trailing
        made.append((path, derived and shader.to_bytes() == data))
    ratchet("sksl/round trip: bytes", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_plain_data(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    made = [
        (path, SkslShader.from_data(SkslShader.loads(data).to_data()).to_bytes() == data)
        for path, data in files
    ]
    ratchet("sksl/round trip: plain data", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_yaml(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    """The text is that of the C emitter; `unshade.to_yaml` folds its lines, and is slower."""
    made = []
    for path, data in files:
        text = yaml.dump(SkslShader.loads(data).to_data(), Dumper=yaml.CSafeDumper)
        again = yaml.load(text, Loader=yaml.CSafeLoader)
        made.append((path, SkslShader.from_data(again).to_bytes() == data))
    ratchet("sksl/round trip: YAML", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_spans(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    """Every byte is a field with a name; none is raw."""
    named = total = 0
    for _, data in files:
        spans = SkslShader.loads(data).spans()
        assert not gaps(spans, len(data))
        named += sum(each.length for each in spans if each.kind == "field")
        total += len(data)
    ratchet("sksl/named bytes", named, total)
    assert named == total


def test_upstreams_text(corpus: Path, ratchet: Ratchet) -> None:
    made = []
    for path in sksl_programs(corpus):
        text = SkslShader.loads(path.read_bytes()).disassemble("upstream")
        made.append((path, text == path.with_suffix(".desc").read_text("utf-8")))
    passed = sum(same for _, same in made)
    ratchet("sksl/upstream text", passed, len(made))
    # The other one has an #extension, which upstream's writer left out of the file.
    assert passed >= len(made) - 1, differing(made)


def test_every_program_has_source(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    made = 0
    for _, data in files:
        text = disassemble(SkslShader.loads(data).program)
        made += text.startswith("// sksl ") and text.endswith("\n")
    ratchet("sksl/source text", made, len(files))


def test_no_file_breaks_a_rule(files: list[tuple[Path, bytes]], ratchet: Ratchet) -> None:
    made = [(path, not SkslShader.loads(data).verify()) for path, data in files]
    ratchet("sksl/without findings", sum(same for _, same in made), len(made))
    assert not differing(made)


def test_programs_are_reflected(corpus: Path, ratchet: Ratchet) -> None:
    made = total = 0
    for path in some(sksl_programs(corpus)):
        found = SkslShader.loads(path.read_bytes()).reflect()
        total += 1
        made += found.stage is not None and found.profile is not None
    ratchet("sksl/reflected", made, total)
    assert made == total


def test_malformed_programs_are_refused(corpus: Path, ratchet: Ratchet) -> None:
    paths = sorted((corpus / "sksl" / "programs_malformed").glob("*.skslb"))
    refused = 0
    for path in paths:
        try:
            SkslShader.loads(path.read_bytes())
        except UnshadeError:
            refused += 1
    ratchet("sksl/malformed programs refused", refused, len(paths))
    assert refused == len(paths)
