"""The text of `dxc -dumpbin` 1.10 is reproduced byte for byte.

The text of NAME.dxil is in NAME.dxc110.txt or NAME.dxil.dxc110.txt. Older versions of dxc (.ll)
print another table of pipeline state, but the same module.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.conformance.test_dxil import files, is_dummy
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.errors import FormatError, UnsupportedError
from unshade.formats.dxcontainer import DxContainer

DXC = ".dxc110.txt"
OLDER = (".dxc2405.ll", ".dxcdump.ll")
MODULE = "target datalayout"


def pairs(corpus: Path, *suffixes: str) -> Iterator[tuple[Path, str]]:
    """Return containers and their text."""
    texts = (each for suffix in suffixes for each in corpus.rglob(f"*{suffix}"))
    for path in some(sorted(texts)):
        suffix = next(each for each in suffixes if path.name.endswith(each))
        stem = path.name.removesuffix(suffix)
        names = (stem, f"{stem}.dxil", f"{stem}.dxbc")
        container = next(
            each for name in names if (each := path.with_name(name)).is_file() and "." in name
        )
        yield container, path.read_bytes().decode("utf-8", "surrogateescape")


def test_text_of_dxc(corpus: Path, ratchet: Ratchet) -> None:
    equal, differ = 0, []
    for path, text in pairs(corpus, DXC):
        if DxContainer.loads(path.read_bytes()).disassemble() == text:
            equal += 1
        else:
            differ.append(path.name)
    ratchet("dxil/text: listings of dxc 1.10", equal, equal + len(differ))
    assert not differ


def test_modules_of_older_versions(corpus: Path, ratchet: Ratchet) -> None:
    equal, differ = 0, []
    for path, text in pairs(corpus, *OLDER):
        ours = DxContainer.loads(path.read_bytes()).disassemble()
        theirs = text.replace("\r", "")
        if ours[ours.index(MODULE) :].rstrip() == theirs[theirs.index(MODULE) :].rstrip():
            equal += 1
        else:
            differ.append(path.name)
    ratchet("dxil/text: modules printed by older dxc", equal, equal + len(differ))
    assert not differ


def test_every_program_has_a_text(corpus: Path, ratchet: Ratchet) -> None:
    count = total = 0
    for path in files(corpus):
        shader = DxContainer.loads(path.read_bytes())
        if "DXIL" not in shader and "ILDB" not in shader:
            continue
        total += 1
        try:
            count += MODULE in shader.disassemble()
        except (FormatError, UnsupportedError):
            assert is_dummy(path), path
            count += 1
    ratchet("dxil/text: programs with a text, or dummies", count, total)
    assert count == total
