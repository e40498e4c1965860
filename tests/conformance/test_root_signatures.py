"""Root signatures through their text in HLSL, and the HLSL that compilers made them from."""

import re
from collections.abc import Iterator
from pathlib import Path

import unshade
from tests.ratchet import Ratchet
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.rts0 import SerializedRootSignature
from unshade.formats.dxcontainer.rootsig import from_text, to_text
from unshade.wire import write

STRINGS = r'((?:"[^"]*"[\s\\]*)+)'
STATED = re.compile(
    rf"^(?:\[RootSignature\(\s*{STRINGS}|[ \t]*#define\s+\w+\s+{STRINGS})", re.MULTILINE
)


def signatures(corpus: Path) -> Iterator[tuple[Path, bytes, SerializedRootSignature]]:
    for path in sorted((corpus / "dxcontainer").rglob("*")):
        if path.suffix not in (".dxbc", ".dxil") or b"RTS0" not in (data := path.read_bytes()):
            continue
        shader = unshade.loads(data)
        assert isinstance(shader, DxContainer)
        for part in shader.parts.all("RTS0"):
            yield path, part.data, part.value


def test_round_trip(corpus: Path, ratchet: Ratchet) -> None:
    same = total = 0
    for _, data, record in signatures(corpus):
        total += 1
        made = from_text(to_text(record), f"1.{record.version - 1}")
        same += write(made) == data
    ratchet("root signatures/text and back, byte for byte", same, total)
    assert same == total > 0


def test_as_compilers_made_them(corpus: Path, ratchet: Ratchet) -> None:
    same = total = 0
    for path, data, record in signatures(corpus):
        source = path.with_suffix(".hlsl")
        found = STATED.search(source.read_text(errors="replace")) if source.exists() else None
        if found is not None:
            total += 1
            made = from_text(found[1] or found[2], f"1.{record.version - 1}")
            same += write(made) == data
    ratchet("root signatures/made from HLSL as compilers do", same, total)
    assert same == total > 0
