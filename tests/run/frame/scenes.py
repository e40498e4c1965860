"""A folder with shaders and a mesh, and frames that use them, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import unshade
from unshade.run import Frame
from unshade.run.frame import FrameDescription
from unshade.run.frame.filling import filled_from
from unshade.run.frame.result import FrameResult

PLACED = """
vs_5_0
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
mov o0.xyzw, v0.xyzw
ret
"""
RED = """
ps_5_0
dcl_output o0.xyzw
mov o0.xyzw, l(1.0, 0, 0, 1.0)
ret
"""
# The corners (-1, 1), (3, 1), (-1, -3) for the vertices 0, 1, 2: all of the target.
FULL = """
vs_5_0
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_temps 1
ieq r0.xy, v0.xxxx, l(1, 2, 0, 0)
and r0.xy, r0.xyxx, l(4.0, -4.0, 0, 0)
add o0.xy, r0.xyxx, l(-1.0, 1.0, 0, 0)
mov o0.zw, l(0, 0, 0, 1.0)
ret
"""
SQUARE = "v -1 1 0.25\nv 1 1 0.25\nv -1 -1 0.25\nv 1 -1 0.25\nf 1 2 3\nf 3 2 4\n"
HALF = "v -1 1 0\nv 1 1 0\nv -1 -1 0\nf 1 2 3\n"  # the corners above the diagonal


def filled(folder: Path) -> Path:
    """Write the shaders and meshes."""
    for name, text in (("placed", PLACED), ("red", RED), ("full", FULL)):
        (folder / f"{name}.dxbc").write_bytes(unshade.assemble(text).to_bytes())
    (folder / "square.obj").write_text(SQUARE)
    (folder / "half.obj").write_text(HALF)
    return folder


def frame(folder: Path, data: dict[str, Any]) -> Frame:
    """The frame of a description, whose pipelines, meshes and passes are completed."""
    complete = {
        "pipelines": {
            "placed": {"vertex": "placed.dxbc", "pixel": "red.dxbc"},
            "full": {"vertex": "full.dxbc", "pixel": "red.dxbc"},
        },
        "meshes": {"square": "square.obj", "half": "half.obj"},
        **data,
    }  # fmt: skip
    return Frame(filled_from(FrameDescription, complete), str(folder))


def drawn(folder: Path, **data: Any) -> FrameResult:
    """The result of a frame."""
    return frame(folder, data).run()


def commands(*given: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """A pass with commands for the target `a`."""
    return [{"targets": ["a"], **more, "commands": list(given)}]
