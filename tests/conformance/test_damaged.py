"""Real files, damaged: every intact part is recovered, and every byte is kept."""

from __future__ import annotations

from pathlib import Path

import unshade
from tests.corpus import containers, shbins
from tests.ratchet import Ratchet
from unshade import Shader


def whole(shader: Shader) -> list[tuple[str, int]]:
    """Return name and offset of each part that can be read."""
    return [
        (part.name, part.offset) for part in shader.parts if (part.value, part.error)[1] is None
    ]


def inside(shader: Shader, size: int) -> list[tuple[str, int]]:
    """Those of an intact file that end within the first `size` bytes."""
    return [
        (part.name, part.offset)
        for part in shader.parts
        if (part.value, part.error)[1] is None and max(end for _, end in part.extents) <= size
    ]


def kept(path: Path) -> bool:
    """Return whether a file cut at three quarters keeps exactly the parts before the cut."""
    data = path.read_bytes()
    cut = data[: len(data) * 3 // 4]
    shader = unshade.loads(cut, strict=False)
    ends = [span.offset + span.length for span in shader.spans()]
    return (
        whole(shader) == inside(unshade.loads(data), len(cut))
        and max(ends) == len(cut)
        and shader.to_bytes() == cut
        and shader.damage is not None
    )


def test_truncated_containers(corpus: Path, ratchet: Ratchet) -> None:
    paths = containers(corpus)
    ratchet("dxcontainer/damaged: cut files, whole parts intact", sum(map(kept, paths)), len(paths))


def test_truncated_shbins(corpus: Path, ratchet: Ratchet) -> None:
    paths = shbins(corpus)
    ratchet("shbin/damaged: cut files, whole parts intact", sum(map(kept, paths)), len(paths))


def test_malformed_files_report_damage(corpus: Path, ratchet: Ratchet) -> None:
    """Those of the corpus declare more bytes than they have; their parts are whole."""
    folder = corpus / "dxcontainer" / "malformed"
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in (".dxbc", ".dxil")]
    damaged = 0
    for path in paths:
        shader = unshade.loads(path.read_bytes(), strict=False)
        assert shader.to_bytes() == path.read_bytes()
        damaged += shader.damage is not None and bool(whole(shader))
    ratchet("dxcontainer/damaged: malformed files told apart", damaged, len(paths))
