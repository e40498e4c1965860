"""Sources in the place of programs."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade import DxContainer, UnsupportedError, UsageError
from unshade.compilers import compilers_for, results
from unshade.compilers.recompiling import declared_reflection

GLSL = """#version 460
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 colour;
void main() { gl_Position = position; colour = vec4(0.25); }
"""


def script(path: Path, body: str) -> str:
    path.write_text(f"#!{sys.executable}\nimport sys\nif '--version' in sys.argv:\n"
                    f"    print('dxc 1.8.1'); sys.exit()\n{body}")  # fmt: skip
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    results.clear()
    return str(path)


@pytest.mark.parametrize(
    ("made", "language", "names"),
    [
        ("tpf", "hlsl", ["fxc", "vkd3d-compiler"]),
        ("dxil", "hlsl", ["dxc"]),
        ("spirv", "glsl", ["glslangValidator", "glslc", "slang"]),
        ("spirv", "wgsl", ["naga", "tint"]),
        ("pica", "hlsl", []),
    ],
)
def test_compilers_by_program(made: str, language: str, names: list[str]) -> None:
    assert [each.name for each in compilers_for(made, language)] == names


@pytest.mark.slow
def test_the_program_of_a_dxil_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash and state for validation follow; the other parts keep their bytes."""
    shader = unshade.open(EXAMPLES / "saxpy6.dxil")
    assert isinstance(shader, DxContainer)
    text = shader.programs[0].disassemble().replace("fmul fast float", "fmul float")
    edited = unshade.assemble(text, donor=shader)
    (tmp_path / "made").write_bytes(edited.to_bytes())
    body = f"open('output', 'wb').write(open({str(tmp_path / 'made')!r}, 'rb').read())\n"
    monkeypatch.setenv("UNSHADE_DXC", script(tmp_path / "dxc", body))
    made = unshade.recompile(shader, "[numthreads(1, 1, 1)] void main() {}")
    assert isinstance(made, DxContainer)
    assert made.programs[0].disassemble() == edited.programs[0].disassemble()
    assert made.to_bytes() != shader.to_bytes()
    for part in shader.parts:
        if part.name in ("ISG1", "OSG1", "PSV0", "SFI0", "RTS0"):
            assert made.parts[part.name].data == part.data
    assert [each for each in made.verify() if each.severity == "error"] == []
    assert made.compiled is not None
    assert "cs_6_" in " ".join(made.compiled.arguments)


@pytest.mark.slow
def test_a_compiler_that_makes_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = EXAMPLES / "saxpy.dxbc"
    body = f"open('output', 'wb').write(open({str(other)!r}, 'rb').read())\n"
    monkeypatch.setenv("UNSHADE_DXC", script(tmp_path / "dxc", body))
    shader = unshade.open(EXAMPLES / "saxpy6.dxil")
    with pytest.raises(UsageError, match=r"^expected dxil from dxc, got tpf$"):
        unshade.recompile(shader, "[numthreads(64, 1, 1)] void main() {}")


@pytest.mark.slow
def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSHADE_DXC", "none")
    shader = unshade.open(EXAMPLES / "saxpy6.dxil")
    with pytest.raises(
        UnsupportedError, match="no compiler from HLSL to dxil is installed; dxc: UNSHADE_DXC"
    ):
        unshade.recompile(shader, "void main() {}")


@pytest.mark.slow
def test_several_entry_points_would_be_lost() -> None:
    text = unshade.open(EXAMPLES / "particles.spv").disassemble()
    entry = next(line for line in text.splitlines() if "OpEntryPoint" in line)
    second = entry.replace('"main"', '"other"')
    shader = unshade.assemble(text.replace(entry, f"{entry}\n{second}"), "spirv")
    with pytest.raises(UnsupportedError, match="expected a program with one entry point, got 2"):
        unshade.recompile(shader, GLSL)


def test_programs_of_other_languages_are_refused() -> None:
    tpf = unshade.open(EXAMPLES / "saxpy.dxbc")
    dxil = unshade.open(EXAMPLES / "saxpy6.dxil")
    spirv = unshade.open(EXAMPLES / "particles.spv")
    bare = unshade.loads(dxil.programs[0].encode())
    for shader, other in ((tpf, dxil), (dxil, tpf), (spirv, tpf), (bare, tpf)):
        with pytest.raises(UsageError, match=r"got a program of (tpf|dxil)"):
            shader.put_program(0, other.programs[0])
    with pytest.raises(UnsupportedError, match="programs of sksl files cannot be replaced"):
        unshade.open(EXAMPLES / "noise.skslb").put_program(0, tpf.programs[0])


def test_statistics_of_another_language_stay() -> None:
    """STAT of DXIL is a module without code, not counters."""
    shader = unshade.open(EXAMPLES / "saxpy6.dxil")
    before = shader["STAT"]
    shader.put_program(0, unshade.open(EXAMPLES / "saxpy6.dxil").programs[0])
    assert shader["STAT"] == before


def test_a_module_takes_the_name_of_the_entry_point() -> None:
    text = unshade.open(EXAMPLES / "particles.spv").disassemble()
    other = unshade.assemble(text.replace('"main"', '"begin"'), "spirv")
    shader = unshade.open(EXAMPLES / "particles.spv")
    shader.put_program(0, other.programs[0], "a much longer name")
    assert shader.programs[0].entry_points == [("a much longer name", "compute")]
    assert other.programs[0].entry_points == [("begin", "compute")]
    assert unshade.loads(shader.to_bytes()).programs[0].entry_points == [
        ("a much longer name", "compute")
    ]


def test_a_module_of_vbc() -> None:
    shader = unshade.open(EXAMPLES / "everything.vbc")
    (name, _), *_ = shader.programs[1].entry_points
    other = unshade.loads(shader.programs[1].encode())
    text = other.disassemble().replace(f'"{name}"', '"x"', 1)
    shader.put_program(1, unshade.assemble(text, "spirv").programs[0], name)
    again = unshade.loads(shader.to_bytes())
    assert again.programs[1].entry_points[0].name == name
    assert again.programs[0].encode() == shader.programs[0].encode()


def test_debug_information_of_the_old_program_goes() -> None:
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    assert isinstance(shader, DxContainer)
    shader["SDBG"] = b"lines of the old program"
    shader.private_data = b"mine"
    edited = unshade.assemble(shader.disassemble().replace("l(0.100000)", "l(0.500000)"))
    shader.put_program(0, edited.programs[0])
    assert "SDBG" not in [part.name for part in shader.parts]
    assert shader.private_data == b"mine"
    assert "l(0.500000)" in shader.disassemble()


def test_kinds_of_resources_are_those_of_the_code() -> None:
    """RDEF of some compilers differs, and is not put back; names are in RDEF alone."""
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    assert isinstance(shader, DxContainer)
    right = [(each.name, each.dimension) for each in shader.reflect().resources]
    bindings = shader.parts["RDEF"].value.bindings
    tex, env = (each for each in bindings if each.name in ("tex", "env"))
    env.dimension = tex.dimension
    wrong = [(each.name, each.dimension) for each in shader.reflect().resources]
    assert wrong != right
    assert [(each.name, each.dimension) for each in declared_reflection(shader).resources] == right
