"""Verbs that run something take sources; the others do not compile."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.examples import EXAMPLES
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
TORUS = str(REPOSITORY / "examples" / "torus.obj")
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


TWO = """\
#include "k.hlsli"
struct V { float4 p : SV_Position; float3 n : NORMAL; };
cbuffer C { float4x4 mvp; };
V vertex(float3 p : POSITION, float3 n : NORMAL)
{
    V v;
    v.p = mul(mvp, float4(p, 1));
    v.n = n;
    return v;
}
float4 pixel(V v) : SV_Target { return float4(abs(v.n), 1) * K; }
"""


def test_one_file_for_two_stages_with_macros_and_includes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = pytest.importorskip("PIL.Image")
    path, picture = tmp_path / "two.hlsl", tmp_path / "two.png"
    path.write_text(TWO)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "k.hlsli").write_text("#ifndef K\n#define K 1\n#endif\n")
    line = ["render", "--vs", str(path), "--ps", str(path), "--mesh", TORUS, "--size", "32"]
    line += ["-o", str(picture)]
    assert main(line) == 3
    assert "two.hlsl:1:10: include file not found" in capsys.readouterr().err
    line += ["-I", str(tmp_path / "lib")]
    assert main([*line, "-D", "K=0"]) == 0
    with image.open(picture) as found:
        assert found.getbbox() is None
    assert main(line) == 0
    with image.open(picture) as found:
        assert found.getbbox() is not None


def test_an_included_file_is_not_overwritten(saxpy: Path, tmp_path: Path) -> None:
    included = tmp_path / "k.npy"
    included.write_text("// nothing\n")
    saxpy.write_text('#include "k.npy"\n' + SAXPY)
    assert main(["run", str(saxpy), *BIND, "-o", str(included)]) == 2
    assert included.read_text() == "// nothing\n"


def test_options_of_compilers_are_checked(saxpy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(saxpy), *BIND, "-D", "1=2"]) == 2
    assert main(["run", str(saxpy), *BIND, "--compiler", "foo"]) == 2
    assert main(["run", str(saxpy), *BIND, "--language", "glsl"]) == 2
    err = capsys.readouterr().err
    assert "--define: expected NAME or NAME=VALUE, got '1=2'" in err
    assert "unknown compiler 'foo'; expected one of slang, dxc" in err
    assert "the stage of the GLSL source is unknown; name it: vert" in err


def test_a_page_of_a_source(saxpy: Path, tmp_path: Path) -> None:
    page = tmp_path / "saxpy.html"
    assert main(["debug", str(saxpy), *BIND, "--thread", "3", "--html", str(page)]) == 0
    assert page.stat().st_size > 1000


@pytest.mark.parametrize("verb", ["info", "verify", "dis"])
def test_other_verbs_do_not_compile(verb: str, saxpy: Path) -> None:
    assert main([verb, str(saxpy)]) == 3


def test_a_folder_is_not_compiled(saxpy: Path, tmp_path: Path) -> None:
    assert main(["check", str(tmp_path), "--max-instructions", "1000"]) == 2


READING = (
    "info", "parts", "dis", "decompile", "reflect", "hexdump", "headers", "verify", "audit",
    "cost", "to-yaml", "strip --dry-run", "check --max-bytes 100000",
)  # fmt: skip


@pytest.mark.parametrize("verb", READING)
def test_other_verbs_compile_if_they_are_asked_to(
    saxpy: Path, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*verb.split(), str(saxpy)]
    assert main(words) == 3
    assert capsys.readouterr().err.endswith("HLSL source, for dxc; compile it with --compile\n")
    assert main([*words, "--compile"]) == 0
    assert main([*words, "--define", "N=1"]) == 2
    assert "--define needs --compile" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "noun"),
    [
        ("plasma.rts", "SkSL source, for `unshade asm --format sksl`"),
        ("lit.v.pica", "picasso source, for `unshade asm`"),
        ("gyroid.asm", "a listing, for `unshade asm`"),
    ],
)
def test_texts_are_assembled_with_the_same_option(
    path: str, noun: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["info", str(EXAMPLES / path)]
    assert main(words) == 3
    refused = capsys.readouterr().err
    assert refused.endswith(f"{noun}; compile it with --compile\n")
    assert main([*words, "--compile"]) == 0


def test_asm_writes_what_a_compiler_makes(
    saxpy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "saxpy.spv"
    assert main(["asm", str(saxpy), "-o", str(made)]) == 3
    assert capsys.readouterr().err.endswith("; compile it with --compile\n")
    assert not made.exists()
    assert main(["asm", str(saxpy), "--compile", "-o", str(made)]) == 0
    assert unshade.open(made).reflect().stage == "compute"
    assert main(["asm", str(saxpy), "--compile", "--donor", str(made), "-o", "-"]) == 2
    assert "--donor is for texts to assemble" in capsys.readouterr().err
    assert main(["asm", str(saxpy), "-D", "N=1", "-o", "-"]) == 2
    assert "--define needs --compile" in capsys.readouterr().err


def test_asm_writes_no_module_under_a_profile_of_direct3d(
    saxpy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "saxpy.cso"
    words = ["asm", str(saxpy), "--compile", "--compiler", "slang", "-o", str(made)]
    assert main([*words, "--profile", "cs_5_0"]) == 4
    err = capsys.readouterr().err
    assert "--profile cs_5_0: expected Direct3D bytecode, got SPIR-V from slang" in err
    assert "fxc is part of the Windows SDK" in err
    assert not made.exists()
    assert main([*words, "--profile", "spirv_1_3"]) == 0


@pytest.mark.parametrize("verb", ["asm", "info"])
def test_a_source_whose_suffix_says_nothing(
    verb: str, saxpy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A decompiler's `_replace.txt`: --compile was given, and its language is missing."""
    text = tmp_path / "saxpy_replace.txt"
    text.write_bytes(saxpy.read_bytes())
    words = [verb, str(text), "--compile", "-o", str(tmp_path / "made")]
    assert main(words) == 3
    err = capsys.readouterr().err
    assert err.endswith("HLSL source, for dxc; name its language with --language\n")
    assert main([*words, "--language", "hlsl", "--stage", "compute"]) == 0


def test_asm_assembles_and_compiles_in_one_call(saxpy: Path, tmp_path: Path) -> None:
    plasma = str(EXAMPLES / "plasma.rts")
    out = tmp_path / "out"
    assert main(["asm", str(saxpy), plasma, "--compile", "-o", f"{out}/"]) == 0
    assert (out / "plasma.skslb").read_bytes() == (EXAMPLES / "plasma.skslb").read_bytes()
    assert sorted(each.name for each in out.iterdir()) == ["plasma.skslb", "saxpy.spv"]


def test_a_program_that_no_file_can_hold_has_no_size(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "ripple.rts")
    assert main(["info", path, "--compile"]) == 0
    shown = capsys.readouterr().out
    assert "bytes" not in shown.splitlines()[0]
    assert "no file: version 11 cannot hold calls of children" in shown
    assert main(["check", path, "--compile", "--max-instructions", "9"]) == 1
    assert "> 9" in capsys.readouterr().out


def test_options_of_the_compiler_count(saxpy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saxpy.write_text(SAXPY.replace("a *", "FACTOR * a *"))
    assert main(["dis", str(saxpy), "--compile"]) == 3
    assert "saxpy.hlsl:7:" in capsys.readouterr().err
    assert main(["dis", str(saxpy), "--compile", "-D", "FACTOR=2.5"]) == 0
    assert "2.5" in capsys.readouterr().out


def test_stage_and_entry_of_a_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.hlsl"
    path.write_text(
        "float4 one() : SV_Target { return 1; }\nfloat4 two() : SV_Target { return 0.25; }\n"
    )
    assert main(["dis", str(path), "--compile", "--stage", "pixel", "--entry", "two"]) == 0
    assert "0.25" in capsys.readouterr().out


def test_two_sources_are_compared(saxpy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = saxpy.with_name("other.hlsl")
    other.write_text(SAXPY.replace("+=", "="))
    assert main(["diff", str(saxpy), str(other), "--compile", "--summary"]) == 1
    assert main(["diff", str(saxpy), str(saxpy), "--compile", "--summary"]) == 0


def test_folders_are_not_compiled(saxpy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", str(saxpy.parent), "--compile"]) == 2
    assert "no shaders found" in capsys.readouterr().err


def test_a_source_is_not_replaced(saxpy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strip", str(saxpy), "--compile", "--in-place"]) == 2
    assert saxpy.read_text() == SAXPY


WRONG = {
    "a.hlsl": ("float4 main() : SV_Target\n{\n    return radus;\n}\n", "3:12"),
    "a.slang": (
        '[shader("fragment")]\nfloat4 main() : SV_Target\n{\n    return radus;\n}\n', "4:12"
    ),
    "a.frag": (
        "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() {\n    c = radus;\n}\n", "4:9"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("verb", ["info", "dis", "verify"])
def test_an_error_has_a_place_and_the_compilers_words(
    tmp_path: Path, name: str, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(WRONG[name][0])
    assert main([verb, str(path), "--compile"]) == 3
    assert f"{path}:{WRONG[name][1]}: undefined identifier" in capsys.readouterr().err
