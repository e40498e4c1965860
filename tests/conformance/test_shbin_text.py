"""picasso source, both ways: texts reproduce their files, and sources become picasso's bytes."""

import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import unshade
from tests.corpus import shbins
from tests.programs.pica.generated_sources import sources
from tests.ratchet import Ratchet
from unshade.errors import AssembleError
from unshade.formats.shbin import Shbin
from unshade.isa.source import Source

PICASSO = os.environ.get("UNSHADE_PICASSO") or shutil.which("picasso")
GENERATED = 300
needs_picasso = pytest.mark.skipif(PICASSO is None, reason="no picasso; UNSHADE_PICASSO names it")


@pytest.fixture(scope="module")
def files(corpus: Path) -> list[tuple[Path, bytes, Shbin]]:
    found = []
    for path in shbins(corpus):
        data = path.read_bytes()
        shader = unshade.loads(data)
        assert isinstance(shader, Shbin)
        found.append((path, data, shader))
    return found


@pytest.fixture(scope="module")
def manifest(corpus: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads((corpus / "shbin/MANIFEST.json").read_text())
    return rows


def by_picasso(texts: Mapping[str, str], folder: Path, *options: str) -> bytes | None:
    """Return the SHBIN that picasso makes of source files, or None if it refuses them."""
    assert PICASSO is not None
    names = []
    for name, text in texts.items():
        path = folder / name.lstrip(".")
        path.write_text(text)
        names.append(str(path))
    out = folder / "out.shbin"
    done = subprocess.run(
        [PICASSO, *options, "-o", str(out), *names], capture_output=True, check=False
    )
    return out.read_bytes() if done.returncode == 0 else None


# ---------------------------------------------------------------- texts of files


def test_exact(files: list[tuple[Path, bytes, Shbin]], ratchet: Ratchet) -> None:
    wrong = [
        path.name
        for path, data, shader in files
        if unshade.assemble(shader.disassemble("exact")).to_bytes() != data
    ]
    ratchet("shbin/exact text gives the file", len(files) - len(wrong), len(files))
    assert not wrong, wrong


def test_exact_files(files: list[tuple[Path, bytes, Shbin]]) -> None:
    for path, data, shader in files:
        texts = list(shader.listings("exact").values())
        assert unshade.assemble(texts).to_bytes() == data, path.name


def test_exact_text_adds_nothing_to_files_of_picasso(
    files: list[tuple[Path, bytes, Shbin]],
) -> None:
    """Nothing, where picasso wrote the file."""
    for path, _, shader in files:
        native, exact = shader.disassemble(), shader.disassemble("exact")
        if all(dvle.version for dvle in shader.dvles) and not shader.trailing:
            assert native.splitlines()[1:] == exact.splitlines()[1:], path.name


def why(data: bytes, shader: Shbin) -> str:
    """Return why a native text does not reproduce the file, or ''."""
    try:
        made = unshade.assemble(shader.disassemble())
    except AssembleError as error:
        return error.problem
    if made.to_bytes() == data:
        return ""
    assert isinstance(made, Shbin)
    if shader.trailing:
        return "bytes after the end"
    if made.dvlp.descriptors != shader.dvlp.descriptors:
        return "descriptors that follow from no code"
    return "words" if made.dvlp.code != shader.dvlp.code else "tables"


def test_native(files: list[tuple[Path, bytes, Shbin]], ratchet: Ratchet) -> None:
    reasons = Counter(why(data, shader) for _, data, shader in files)
    for reason, count in reasons.most_common():
        print(f"{count:4}  {reason or 'the same file'}")
    ratchet("shbin/native text gives the file", reasons[""], len(files))
    of_picasso = [(path, data, each) for path, data, each in files
                  if each.dvles and all(dvle.version for dvle in each.dvles)]  # fmt: skip
    wrong = [path.name for path, data, each in of_picasso if why(data, each)]
    cut = [path.name for path, _, each in of_picasso if each.trailing]
    assert wrong == cut
    ratchet("shbin/native text, picasso's files", len(of_picasso) - len(wrong), len(of_picasso))


def test_a_native_text_is_assembled_in_any_case(
    files: list[tuple[Path, bytes, Shbin]],
) -> None:
    for path, _, shader in files:
        if len(shader.dvlp.code) <= 512:
            again = unshade.assemble(shader.disassemble())
            assert isinstance(again, Shbin)
            assert len(again.dvlp.code) == len(shader.dvlp.code), path.name


@needs_picasso
def test_native_text_assembled_by_picasso(
    files: list[tuple[Path, bytes, Shbin]], tmp_path: Path, ratchet: Ratchet
) -> None:
    same = [by_picasso(shader.listings(), tmp_path, "-n") == data for _, data, shader in files]
    ratchet("shbin/native text by picasso -n gives the file", sum(same), len(same))


# ---------------------------------------------------------------- sources


def test_sources(corpus: Path, manifest: list[dict[str, object]], ratchet: Ratchet) -> None:
    own = corpus / "shbin/own"
    made = []
    for row in manifest:
        names = row.get("sources_in_order")
        if names:
            assert isinstance(names, list)
            texts = [Source((own / name).read_text(), name) for name in names]
            data = (corpus / "shbin" / str(row["file"])).read_bytes()
            made.append(unshade.assemble(texts, "shbin").to_bytes() == data)
    ratchet("shbin/our own sources give picasso's file", sum(made), len(made))
    assert all(made)


def test_reassembly(corpus: Path, ratchet: Ratchet) -> None:
    made = []
    for path in sorted((corpus / "shbin").rglob("*.reasm.txt")):
        data = Path(str(path).replace(".reasm.txt", ".shbin")).read_bytes()
        shader = unshade.assemble(path.read_text(), "shbin", nops=False)
        made.append(shader.to_bytes() == data)
    ratchet("shbin/reassembly listings give picasso's file", sum(made), len(made))
    assert made
    assert all(made)


def generated() -> Iterator[tuple[dict[str, str], bool]]:
    """Iterate over the sources of each seed, and whether nops are inserted."""
    for seed in range(GENERATED):
        yield dict(sources(seed)), seed % 3 != 0


@needs_picasso
def test_generated_sources_by_picasso(tmp_path: Path, ratchet: Ratchet) -> None:
    """Both refuse a program, or both make the same file of it."""
    same = 0
    for texts, nops in generated():
        wanted = by_picasso(texts, tmp_path, *([] if nops else ["-n"]))
        given = [Source(text, name) for name, text in texts.items()]
        try:
            data = unshade.assemble(given, "shbin", nops=nops).to_bytes()
        except AssembleError:
            data = None
        same += data == wanted
    ratchet("shbin/generated sources as picasso", same, GENERATED)
    assert same == GENERATED


def test_generated_sources_round_trip() -> None:
    """From their exact text and from their native one."""
    for texts, nops in generated():
        try:
            shader = unshade.assemble(list(texts.values()), "shbin", nops=nops)
        except AssembleError:
            continue
        data = shader.to_bytes()
        for dialect in ("exact", "native"):
            text = unshade.loads(data).disassemble(dialect)
            assert unshade.assemble(text).to_bytes() == data
