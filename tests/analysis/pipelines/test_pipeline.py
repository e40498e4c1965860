"""Pipelines: which shaders make one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import unshade
from tests.analysis.pipelines.modules import fragment, vertex
from tests.cli.terminal import unshade as command
from tests.examples import EXAMPLES
from tests.fixtures import shbin
from unshade.analysis.pipelines import stages_of
from unshade.errors import UnsupportedError, UsageError

PHONG, SKINNING = EXAMPLES / "phong.dxbc", EXAMPLES / "skinning.dxbc"


def test_stages_are_in_the_order_of_the_pipeline() -> None:
    made = unshade.Pipeline(PHONG, SKINNING)
    assert [each.stage for each in made.stages] == ["vertex", "pixel"]
    assert [each.name for each in made.stages] == [str(SKINNING), str(PHONG)]
    assert (made.api, made.runtime) == ("direct3d", "d3d11")


def test_a_file_may_have_all_stages() -> None:
    made = unshade.Pipeline(EXAMPLES / "everything.vbc")
    assert len(made.stages) >= 1
    assert made.api == "vulkan"
    assert [each for each in made.check() if str(each.severity) != "note"] == []


def test_shaders_that_make_no_pipeline() -> None:
    with pytest.raises(UsageError, match="expected the stages of a pipeline"):
        unshade.Pipeline()
    with pytest.raises(UsageError, match=r"two pixel shaders: .* and "):
        unshade.Pipeline(PHONG, PHONG)
    with pytest.raises(UsageError, match="expected stages of one API, got direct3d and vulkan"):
        unshade.Pipeline(PHONG, vertex({}))
    with pytest.raises(UnsupportedError, match="dvoj programs are not linked"):
        unshade.Pipeline(shbin.object_file())
    with pytest.raises(UsageError, match="expected a shader with code"):
        unshade.Pipeline(unshade.assemble("CBV(b0)"))


def test_texts_are_assembled() -> None:
    made = unshade.Pipeline(EXAMPLES / "clay.vert.spvasm", EXAMPLES / "clay.frag.spv")
    assert [each.stage for each in made.stages] == ["vertex", "pixel"]
    assert made.check() == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="no glslangValidator here")
def test_sources_are_compiled(tmp_path: Path) -> None:
    vert, frag = tmp_path / "a.vert", tmp_path / "a.frag"
    head = "#version 450\nlayout(location=0) "
    vert.write_text(f"{head}out vec2 uv; void main() {{ uv = vec2(1); gl_Position = vec4(1); }}")
    frag.write_text(
        f"{head}in vec3 uv; layout(location=0) out vec4 c; void main() {{ c = uv.xyzz; }}"
    )
    [found] = unshade.Pipeline(vert, frag).check()
    assert (found.code, found.places[0].file) == ("link.missing", str(frag))
    assert command("check", "--pipeline", vert, frag).code == 1


def test_an_entry_point_is_chosen_by_name() -> None:
    module = fragment({})
    [stage] = stages_of(module, "a.spv", "main")
    assert (stage.stage, stage.title) == ("pixel", "fragment shader")
    with pytest.raises(UsageError, match=r"a.spv: no entry point 'other': main"):
        stages_of(module, "a.spv", "other")
