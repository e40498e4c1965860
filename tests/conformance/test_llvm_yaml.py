"""LLVM's YAML: what yaml2obj built, and every container through the text and back."""

from pathlib import Path

import pytest

import unshade
from tests.ratchet import Ratchet
from tests.sampling import of_each_kind
from unshade import UnsupportedError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.llvm_yaml import to_text

SUFFIXES = (".dxbc", ".dxil")


@pytest.fixture(scope="module")
def containers(corpus: Path) -> list[Path]:
    folders = (corpus / "dxcontainer", corpus / "execution")
    found = sorted(path for each in folders for path in each.rglob("*") if path.suffix in SUFFIXES)
    return of_each_kind(found, lambda path: path.parent)


def test_built_as_yaml2obj_does(corpus: Path, ratchet: Ratchet) -> None:
    texts = sorted((corpus / "dxcontainer").rglob("*.yaml"))
    same = 0
    for path in texts:
        made = unshade.from_yaml(path.read_text())
        assert isinstance(made, DxContainer)
        same += made.to_bytes() == path.with_suffix(".dxbc").read_bytes()
    ratchet("llvm yaml/built as yaml2obj does", same, len(texts))
    assert same == len(texts) > 0


def test_round_trip(containers: list[Path], ratchet: Ratchet) -> None:
    """A text without notes gives the identical file, and any other one of the same size."""
    printed = identical = whole = 0
    for path in containers:
        data = path.read_bytes()
        shader = unshade.loads(data)
        assert isinstance(shader, DxContainer)
        try:
            text = to_text(shader)
        except UnsupportedError:
            continue
        printed += 1
        made = unshade.from_yaml(text).to_bytes()
        if text.startswith("#"):
            assert len(made) == len(data) - len(shader.trailing), path
        else:
            whole += 1
            identical += made == data
    ratchet("llvm yaml/printed", printed, len(containers))
    ratchet("llvm yaml/identical where the text holds all", identical, whole)
    assert identical == whole
