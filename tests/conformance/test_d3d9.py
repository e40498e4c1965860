"""The code for feature level 9 of every container: written back, as text and data, checked, run."""

from __future__ import annotations

from pathlib import Path

from tests.corpus import containers
from tests.ratchet import Ratchet
from unshade.errors import UnsupportedError
from unshade.formats.dxcontainer import DxContainer
from unshade.isa.source import Source
from unshade.programs.d3d9 import Program


def programs(corpus: Path) -> dict[bytes, Program]:
    """Return each different program, by its tokens."""
    found = {}
    for path in containers(corpus):
        shader = DxContainer.loads(path.read_bytes())
        if "Aon9" in shader:
            tokens = shader["Aon9"].tokens
            found[tokens] = Program.decode(tokens)
    return found


def test_programs(corpus: Path, ratchet: Ratchet) -> None:
    everything = programs(corpus)
    same = exact = text = data = sound = lowered = 0
    for tokens, program in everything.items():
        same += program.encode() == tokens
        exact += Program.assemble(program.disassemble("exact")).encode() == tokens
        made = Program.assemble(program.disassemble())
        text += made.instructions == program.instructions
        data += Program.from_data(program.to_data()).encode() == tokens
        sound += not program.verify()
        try:
            lowered += bool(program.lower().kernel.outputs)
        except UnsupportedError:
            continue
    total = len(everything)
    for name, count in (
        ("written back", same), ("exact text", exact), ("native text", text),
        ("plain data", data), ("without a finding", sound), ("lowered", lowered),
    ):  # fmt: skip
        ratchet(f"d3d9/{name}", count, total)
        assert count == total, name


def test_a_listing_alone_makes_the_part(corpus: Path, ratchet: Ratchet) -> None:
    """Tables and code are those of the file; debug information of the code is not in a listing."""
    same = total = 0
    for path in containers(corpus):
        shader = DxContainer.loads(path.read_bytes())
        if "Aon9" not in shader:
            continue
        texts = [shader.disassemble(dialect) for dialect in ("native", "exact")]
        shader.strip("debug")
        for text in texts:
            total += 1
            same += DxContainer.assemble([Source(text)]).parts[0].data == shader.parts[0].data
    ratchet("d3d9/Aon9 of a listing alone, same bytes", same, total)
    assert same == total
