"""Vertex shaders of the 3DS that output a quaternion draw a torus in light, on both engines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.conformance.test_camera import vertex_shaders
from tests.conformance.test_execution import has_jit
from tests.examples import EXAMPLES
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.cli import main

STAGE = """
lighting:
  ambient: [10, 10, 20]
  luts: {d0: {input: nh, table: {phong: 30}}}
  lights: [{position: [2, 3, 4], diffuse: [200, 120, 60], specular0: [180, 180, 180]}]
stages: [{both: {function: add, sources: [fragment_primary_color, fragment_secondary_color]}}]
"""


@pytest.mark.slow
def test_lit_shaders(corpus: Path, tmp_path: Path, ratchet: Ratchet) -> None:
    (tmp_path / "tev.yaml").write_text(STAGE)
    drawn = lit = 0
    for path, shader in some(vertex_shaders(corpus / "shbin", ".shbin")):
        outputs = {row.system_value for row in shader.reflect().outputs}
        if not {"normalquat", "view"} <= outputs:
            continue
        found = []
        for engine in ("lockstep", *(("jit",) if has_jit() else ())):
            out = tmp_path / f"{engine}.npy"
            line = ["render", str(path), "--mesh", str(EXAMPLES / "torus.obj"), "--size", "64"]
            line += ["--fragment", str(tmp_path / "tev.yaml"), "-o", str(out), "--engine", engine]
            assert main(line) == 0, path
            found.append(np.load(out))
        assert found[0].tobytes() == found[-1].tobytes(), path
        drawn += 1
        shades = np.unique((found[0][..., :3] * 255).round().reshape(-1, 3), axis=0)
        lit += len(shades) > 100
    ratchet("camera/3DS shaders with a quaternion: lit", lit, drawn)
