"""Verbs that run something take sources; the others do not compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from unshade.cli import main
from unshade.compilers.registry import OWN

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(OWN[0].missing()), reason=OWN[0].install),
]

SAXPY = """\
RWStructuredBuffer<float> Y : register(u0);
StructuredBuffer<float> X : register(t0);
cbuffer C : register(b0) { float a; };
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    Y[id.x] += a * X[id.x];
}
"""
SKY = """\
#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = vec4(uv, 0.5, 1.0); }
"""
BIND = ("--groups", "1", "--bind", "X=iota(64)", "--bind", "Y=ones(64)", "--set", "a=2")


@pytest.fixture
def saxpy(tmp_path: Path) -> Path:
    path = tmp_path / "saxpy.hlsl"
    path.write_text(SAXPY)
    return path


def test_run(saxpy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(saxpy), *BIND]) == 0
    assert capsys.readouterr().out == "Y  float32 (64,)  1 3 5 7 9 11 13 15 …\n"


def test_debug_shows_lines_of_the_source(saxpy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["debug", str(saxpy), *BIND, "--thread", "3"]) == 0
    assert f"{saxpy}:7  Y[id.x] += a * X[id.x];" in capsys.readouterr().out


def test_render(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    path, picture = tmp_path / "sky.frag", tmp_path / "sky.png"
    path.write_text(SKY)
    assert main(["render", str(path), "--size", "8", "-o", str(picture)]) == 0
    with image.open(picture) as found:
        assert found.getpixel((7, 0))[2] in (127, 128)


def test_errors_name_file_line_and_column(saxpy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saxpy.write_text(SAXPY.replace("a * X", "b * X"))
    assert main(["run", str(saxpy), *BIND]) == 3
    assert capsys.readouterr().err == (
        f"{saxpy}:7:16: undefined identifier: undefined identifier 'b'. (E30015)\n"
        "        Y[id.x] += b * X[id.x];\n"
        "                   ^\n"
    )


@pytest.mark.parametrize("verb", ["info", "verify", "dis"])
def test_other_verbs_do_not_compile(verb: str, saxpy: Path) -> None:
    assert main([verb, str(saxpy)]) == 3


def test_a_folder_is_not_compiled(saxpy: Path, tmp_path: Path) -> None:
    assert main(["check", str(tmp_path), "--max-instructions", "1000"]) == 2
