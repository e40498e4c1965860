"""The smallest real file of each kind of part and program, with every simple mutation.

Damage goes into the part that the file was chosen for, its eight bytes of header included; the rest
of a container has files of its own in tests/hostile.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import unshade
from tests.corpus import containers
from tests.hostile.exercise import check, mutations
from tests.sampling import some
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.formats.dxcontainer.parts import kind_of
from unshade.formats.dxcontainer.parts.dxil import Program as DxilProgram

pytestmark = pytest.mark.slow
SLICES = 8  # for two cores
LARGEST = 2048  # bytes of a part; what is larger in every file is left to fuzz/


def kind_name(part: DxPart) -> str | None:
    """RDEF of 5.0, SHEX 5.1 stage 3, STAT of 116 bytes: what has rules of its own."""
    if kind_of(part.name) is None or isinstance(part.value, bytes):
        return None
    if part.name in ("SHDR", "SHEX"):
        major, minor = part.value.model
        return f"{part.name} {major}.{minor} stage {part.value.kind:d}"
    if part.name == "RDEF":
        model = (part.value.major, part.value.minor)
        return f"RDEF {max(model, (4, 1))}"  # 4.0 and 4.1 are one
    if part.name == "RTS0":
        return f"RTS0 {part.value.version}"
    if part.name == "STAT":
        program = isinstance(part.value, DxilProgram)
        return "STAT, a program" if program else f"STAT of {len(part.data)} bytes"
    return part.name


@pytest.fixture(scope="module")
def smallest(corpus: Path) -> dict[str, tuple[bytes, int, int]]:
    """Return, by kind of part, the smallest file that has one and the place of the part."""
    found: dict[str, tuple[bytes, int, int]] = {}
    for path in containers(corpus):
        data = path.read_bytes()
        shader = unshade.loads(data)
        assert isinstance(shader, DxContainer)
        for part in shader.parts:
            name = kind_name(part) if len(part.data) <= LARGEST else None
            if name is not None and (name not in found or len(data) < len(found[name][0])):
                found[name] = data, part.offset, part.offset + 8 + len(part.data)
    return found


def damaged(data: bytes, start: int, end: int) -> Iterator[bytes]:
    """Iterate over the file with the part cut off, and with every mutation of the part."""
    for piece in mutations(data[start:end]):
        if len(piece) == end - start:
            yield data[:start] + piece + data[end:]
        else:
            yield data[:start] + piece


@pytest.mark.parametrize("slice_", range(SLICES))
def test_every_mutation(smallest: dict[str, tuple[bytes, int, int]], slice_: int) -> None:
    for name in sorted(smallest)[slice_::SLICES]:
        check(some(damaged(*smallest[name])))
