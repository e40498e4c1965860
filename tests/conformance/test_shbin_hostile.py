"""The smallest real SHBIN of each writer and kind, with every simple mutation."""

import json
from pathlib import Path

import pytest

import unshade
from tests.hostile.exercise import check, mutations
from tests.sampling import some
from unshade.formats.shbin import Shbin

pytestmark = pytest.mark.slow
SLICES = 4
LARGEST = 600


@pytest.fixture(scope="module")
def smallest(corpus: Path) -> dict[str, bytes]:
    """By writer and stages."""
    folder = corpus / "shbin"
    found: dict[str, bytes] = {}
    for each in json.loads((folder / "MANIFEST.json").read_text()):
        data = (folder / each["file"]).read_bytes()
        shader = unshade.loads(data)
        assert isinstance(shader, Shbin)
        stages = "".join(str(dvle.type) for dvle in shader.dvles)
        kind = f"{each['writer']} {stages[:2]}"
        if len(data) <= LARGEST and (kind not in found or len(data) < len(found[kind])):
            found[kind] = data
    return found


@pytest.mark.parametrize("slice_", range(SLICES))
def test_every_mutation(smallest: dict[str, bytes], slice_: int) -> None:
    assert smallest
    for name in sorted(smallest)[slice_::SLICES]:
        check(some(mutations(smallest[name])))
