"""PSV0 that is derived from a program is the one that its compiler wrote, field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.corpus import containers
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.dxc.psv0 import MASKS, psv0_of
from unshade.formats.dxcontainer.part import DxPart
from unshade.formats.dxcontainer.parts.dxil import is_dxil
from unshade.formats.dxcontainer.parts.psv0 import PipelineStateValidation
from unshade.programs.dxil import Program

GROUPS = {
    "size": ("info_size",),
    "stage": ("stage", "stage_info", "max_vertex_count", "mesh_topology"),
    "waves and threads": (
        *("min_wave_lanes", "max_wave_lanes", "threads_x", "threads_y", "threads_z"),
        "group_shared_bytes",
    ),
    "entry point": ("entry_point",),
    "resources": ("resources",),
    "elements": ("inputs", "outputs", "patch"),
    "registers": (
        *("input_vectors", "patch_vectors"),
        *(f"output_vectors_{stream}" for stream in range(4)),
    ),
    "masks": ("uses_view_id", *MASKS),
}


def states(corpus: Path) -> Iterator[tuple[PipelineStateValidation, bytes, Program]]:
    """Yield PSV0, its bytes and the program of each file whose program can be read."""
    execution = sorted((corpus / "execution").rglob("*.dxil"))
    paths = [*containers(corpus), *some(execution), *sorted((corpus / "bench").glob("*.dxil"))]
    for path in paths:
        shader = DxContainer.loads(path.read_bytes())
        part = shader.parts.get("PSV0")
        program = shader.parts.get("DXIL") or shader.parts.get("ILDB")
        if part is None or program is None or not isinstance(part.value, PipelineStateValidation):
            continue
        if is_dxil(program.value) and program.value.is_readable:
            yield part.value, part.data, program.value


def test_the_derived_fields_are_those_of_the_files(corpus: Path, ratchet: Ratchet) -> None:
    counts: Counter[str] = Counter()
    total = same = 0
    for state, data, program in states(corpus):
        derived = psv0_of(program)
        assert derived is not None
        total += 1
        same += DxPart("PSV0", derived).data == data
        for group, names in GROUPS.items():
            counts[group] += all(getattr(state, name) == getattr(derived, name) for name in names)
    for group in GROUPS:
        ratchet(f"dxcontainer/psv0: {group}, derived as in the file", counts[group], total)
    ratchet("dxcontainer/psv0: parts derived as in the file, in every byte", same, total)
