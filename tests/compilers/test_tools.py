"""Compilers that are programs, with a stand-in that is a script."""

import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import unshade
from unshade import CompileError, LimitError, UnsupportedError, UsageError
from unshade.compilers import registry, results
from unshade.compilers.processes import found_program
from unshade.compilers.registry import chosen
from unshade.compilers.tools import PROGRAMS
from unshade.vocab.languages import SourceLanguage

MODULE = (0x07230203).to_bytes(4, "little") + bytes.fromhex("00000100 00000000 01000000 00000000")
WGSL = "@compute @workgroup_size(1) fn main() {}\n"

pytestmark = pytest.mark.slow  # each starts processes

StandIn = Callable[[str], str]


@pytest.fixture
def naga(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """Make a script with the given body the compiler of WGSL; `args` are its arguments."""

    def make(body: str) -> str:
        path = tmp_path / "naga"
        path.write_text(
            f"#!{sys.executable}\nimport os, sys, time\nargs = sys.argv[1:]\n"
            "if args == ['--version']:\n    print('naga 30.1.2')\n    sys.exit()\n" + body
        )
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("UNSHADE_NAGA", str(path))
        results.clear()
        return str(path)

    return make


def test_the_output_becomes_a_shader(naga: StandIn) -> None:
    naga(f"open('output', 'wb').write({MODULE!r})\nprint('warning: slow')\n")
    shader = unshade.compile(WGSL, language="wgsl", options=["--keep"])
    assert shader.format == "spirv"
    made = shader.compiled
    assert made is not None
    assert repr(made) == f"<Compiled by naga 30.1.2: {len(MODULE)} bytes>"
    assert (made.compiler, made.version, made.warnings) == ("naga", "30.1.2", "warning: slow\n")
    assert made.arguments == (
        "--input-kind", "wgsl", "--output-kind", "spv", "source.wgsl", "output", "--keep",
    )  # fmt: skip


def test_the_version_is_asked_once_for_a_file(naga: StandIn) -> None:
    log = "open({log!r}, 'a').write('v')\n"
    path = naga(f"open('output', 'wb').write({MODULE!r})\n")
    asked = f"{path}.asked"
    text = Path(path).read_text()
    body = "    print('naga 30.1.2')\n"
    Path(path).write_text(text.replace(body, f"    {log.format(log=asked)}{body}"))
    for count in (1, 2):
        source = f"// {count}\n{WGSL}"
        made = unshade.compile(source, language="wgsl").compiled
        assert made is not None
        assert made.version == "30.1.2"
    assert Path(asked).read_text() == "v"
    Path(path).write_text(text.replace("30.1.2", "30.1.30"))  # another file
    made = unshade.compile(f"// 3\n{WGSL}", language="wgsl").compiled
    assert made is not None
    assert made.version == "30.1.30"


def test_the_source_and_a_folder_of_its_own(naga: StandIn, tmp_path: Path) -> None:
    record = tmp_path / "record"
    naga(
        f"open({str(record)!r}, 'w').write(os.getcwd() + open('source.wgsl').read())\n"
        f"open('output', 'wb').write({MODULE!r})\n"
    )
    unshade.compile(WGSL, language="wgsl")
    folder = record.read_text().removesuffix(WGSL)
    assert os.path.basename(folder).startswith("unshade-")
    assert not os.path.exists(folder)


def test_its_errors(naga: StandIn) -> None:
    naga("print('error: expected expression\\n  ┌─ source.wgsl:1:3')\nsys.exit(1)\n")
    with pytest.raises(CompileError) as caught:
        unshade.compile(WGSL, language="wgsl")
    assert str(caught.value) == (
        "source.wgsl:1:3: expected expression\n    @compute @workgroup_size(1) fn main() {}\n"
        "      ^"
    )


def test_no_output_is_an_error(naga: StandIn) -> None:
    naga("")
    with pytest.raises(CompileError, match="the compiler failed without a message"):
        unshade.compile(WGSL, language="wgsl")


def test_a_crash_names_the_signal(naga: StandIn) -> None:
    naga("os.kill(os.getpid(), 11)\n")
    with pytest.raises(UnsupportedError, match=r"^naga was ended by signal 11 while it compiled"):
        unshade.compile(WGSL, language="wgsl")


def test_it_and_its_children_end_after_the_time(naga: StandIn, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    naga(
        "if os.fork() == 0:\n    time.sleep(3)\n"
        f"    open({str(mark)!r}, 'w')\nelse:\n    time.sleep(60)\n"
    )
    with pytest.raises(LimitError, match="limit compile_seconds = 1 exceeded"):
        unshade.compile(WGSL, language="wgsl", limits=unshade.Limits(compile_seconds=1))
    time.sleep(2.5)
    assert not mark.exists()


def test_endless_messages_end_it(naga: StandIn) -> None:
    naga("while True:\n    print('x' * 4096)\n")
    with pytest.raises(LimitError, match="messages of the compiler"):
        unshade.compile(WGSL, language="wgsl")


def test_a_large_output_is_refused(naga: StandIn) -> None:
    naga("open('output', 'wb').write(bytes(1 << 20))\n")
    with pytest.raises((LimitError, CompileError)):
        unshade.compile(WGSL, language="wgsl", limits=unshade.Limits(file_size=1 << 16))


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux")
def test_memory_is_limited(naga: StandIn) -> None:
    naga("x = bytearray(1 << 30)\n")
    with pytest.raises(CompileError, match="MemoryError"):
        unshade.compile(WGSL, language="wgsl", limits=unshade.Limits(compile_memory=256 << 20))


def test_results_are_kept_by_content(naga: StandIn, tmp_path: Path) -> None:
    count = tmp_path / "count"
    naga(f"open({str(count)!r}, 'a').write('x')\nopen('output', 'wb').write({MODULE!r})\n")
    for options in ((), (), ("--other",), ()):
        unshade.compile(WGSL, language="wgsl", options=options)
    assert count.read_text() == "xx"


# ---------------------------------------------------------------- finding


def test_relative_entries_of_the_path_are_not_searched(
    naga: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    naga("")
    monkeypatch.chdir(tmp_path)
    for path in ("", ".", f".{os.pathsep}", os.path.relpath(tmp_path)):
        monkeypatch.setenv("PATH", path)
        assert found_program(("naga",), "UNSHADE_NOTHING") is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert found_program(("naga",), "UNSHADE_NOTHING") == str(tmp_path / "naga")
    monkeypatch.setenv("UNSHADE_NAGA", "naga")
    assert found_program(("naga",), "UNSHADE_NAGA") is None


def test_a_missing_compiler_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    for name in ("UNSHADE_NAGA", "UNSHADE_TINT", "UNSHADE_DXC"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UnsupportedError) as caught:
        unshade.compile(WGSL, language="wgsl")
    assert str(caught.value) == (
        "no compiler for WGSL is installed, such as naga; naga is installed by cargo install"
        " naga-cli;"
        " others that unshade can call: tint"
    )
    with pytest.raises(UnsupportedError, match="dxc is not installed: no dxc on the search path"):
        unshade.compile("[numthreads(1,1,1)] void f() {}", language="hlsl", compiler="dxc")


def test_a_source_with_an_extension_is_left_to_a_compiler_that_reads_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Slang reads no GL_EXT_spirv_intrinsics, which exact GLSL declares flushing with."""
    text = "#version 460\n#extension GL_EXT_spirv_intrinsics : require\nvoid main() {}"
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UnsupportedError) as caught:
        chosen(SourceLanguage.GLSL, None, text=text)
    assert str(caught.value).startswith(
        "no compiler for GLSL with GL_EXT_spirv_intrinsics is installed, such as glslangValidator;"
    )


def test_a_profile_of_direct3d_prefers_a_compiler_of_such_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "vkd3d-compiler"
    for name in ("UNSHADE_FXC", "UNSHADE_VKD3D"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    first = chosen(SourceLanguage.HLSL, None, "tpf")  # Slang, if it is installed
    for version, found in (("1.2", first.name), ("1.10", "vkd3d-compiler")):
        program.write_text(
            f"#!{sys.executable}\nprint('vkd3d shader compiler version {version}')\n"
        )
        program.chmod(0o755)
        assert chosen(SourceLanguage.HLSL, None, "tpf").name == found
        assert chosen(SourceLanguage.HLSL, None).name == first.name
        assert chosen(SourceLanguage.HLSL, None, "dxil").name == first.name


def test_a_compiler_that_is_too_old_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "vkd3d-compiler"
    program.write_text(f"#!{sys.executable}\nprint('vkd3d shader compiler version 1.2')\n")
    program.chmod(0o755)
    monkeypatch.delenv("UNSHADE_VKD3D", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = next(each for each in PROGRAMS if each.name == "vkd3d-compiler")
    monkeypatch.setattr(registry, "OWN", (found,))
    monkeypatch.setattr(registry, "_others", tuple)
    with pytest.raises(
        UnsupportedError, match=r"; vkd3d-compiler 1\.2 does not read HLSL: version 1\.3 does$"
    ):
        chosen(SourceLanguage.HLSL, None)
    program.unlink()
    with pytest.raises(UnsupportedError, match=r"HLSL needs version 1\.3$"):
        chosen(SourceLanguage.HLSL, None)


def test_names_of_compilers() -> None:
    assert chosen(SourceLanguage.GLSL, "glslang").name == "glslangValidator"
    assert chosen(SourceLanguage.HLSL, "vkd3d").name == "vkd3d-compiler"
    with pytest.raises(UsageError, match="unknown compiler 'dcx'; did you mean dxc"):
        chosen(SourceLanguage.HLSL, "dcx")
    with pytest.raises(UsageError, match="naga reads WGSL, got a source of HLSL"):
        chosen(SourceLanguage.HLSL, "naga")
    variables = [each.variable for each in PROGRAMS]
    assert variables == [
        "UNSHADE_DXC", "UNSHADE_FXC", "UNSHADE_VKD3D", "UNSHADE_GLSLANG", "UNSHADE_GLSLC",
        "UNSHADE_NAGA", "UNSHADE_TINT", "UNSHADE_SPIRV_AS",
    ]  # fmt: skip


# ---------------------------------------------------------------- includes of programs


@pytest.mark.parametrize(
    "directive",
    [
        '#include "../secret.txt"', "#include </etc/passwd>", "# include /**/ \"../secret.txt\"",
        '#inc\\\nlude "../secret.txt"', '%:include "../secret.txt"', '??=include "../secret.txt"',
        '#include_next "../secret.txt"', '#import "../secret.txt"',
        "#/**/include \"../secret.txt\"",
        '#define F "../secret.txt"\n#include F', '#include "inner.hlsli"', '#include "link"',
    ],
)  # fmt: skip
def test_includes_from_outside_are_refused(
    directive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shaders"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "inner.hlsli").write_text('#include "../secret.txt"\n')
    os.symlink(tmp_path / "secret.txt", folder / "link")
    ran = tmp_path / "ran"
    program = tmp_path / "dxc"
    program.write_text(f"#!/bin/sh\n[ $# = 1 ] && echo 1.0 || echo > {ran}\n")
    program.chmod(0o755)
    monkeypatch.setenv("UNSHADE_DXC", str(program))
    source = folder / "x.hlsl"
    source.write_text(f"{directive}\n[numthreads(1,1,1)] void f() {{}}\n")
    with pytest.raises(UsageError, match=r"is outside of the folders|that a macro names"):
        unshade.compile(source, compiler="dxc")
    assert not ran.exists()


@pytest.fixture
def dxc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a script the compiler of HLSL that keeps the source it gets; return where."""
    kept, program = tmp_path / "kept", tmp_path / "dxc"
    program.write_text(
        f"#!/bin/sh\n[ $# = 1 ] && echo 1.0 && exit\ncp source.hlsl {kept}\nexit 1\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("UNSHADE_DXC", str(program))
    return kept


@pytest.mark.parametrize("path", ["../../etc/passwd", "../../../nothing", "/nothing", "a/../../b"])
@pytest.mark.parametrize("nested", [False, True])
def test_includes_relative_to_the_compilers_folder_are_refused(
    path: str, nested: bool, dxc: Path, tmp_path: Path
) -> None:
    """They lead nowhere from the folder of the source, but may from that of the copy."""
    folder = tmp_path / "a" / "b" / "c" / "d"
    folder.mkdir(parents=True)
    source = folder / "x.hlsl"
    body = f'#include "{path}"\n[numthreads(1,1,1)] void f() {{}}\n'
    if nested:
        (folder / "inner.hlsli").write_text(body)
        body = '#include "inner.hlsli"\n[numthreads(1,1,1)] void f() {}\n'
    source.write_text(body)
    with pytest.raises(UsageError, match="outside of the folders"):
        unshade.compile(source, compiler="dxc")
    if not nested:
        with pytest.raises(UsageError, match="outside of the folders"):
            unshade.compile(body, language="hlsl", compiler="dxc")
    assert not dxc.exists()


def test_an_include_that_climbs_to_an_allowed_folder_is_named_by_its_place(
    dxc: Path, tmp_path: Path
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "k.hlsli").write_text("\n")
    (tmp_path / "shaders").mkdir()
    source = tmp_path / "shaders" / "x.hlsl"
    source.write_text('#include "../lib/k.hlsli"\n#include "absent.hlsli"\nvoid f() {}\n')
    with pytest.raises(CompileError):
        unshade.compile(source, compiler="dxc", stage="pixel", include=[tmp_path])
    place = os.path.realpath(tmp_path / "lib" / "k.hlsli")
    lines = dxc.read_text().splitlines()
    assert lines[:2] == [f'#include "{place}"', '#include "absent.hlsli"']


EFFECT = """#version 460 core
#extension GL_GOOGLE_include_directive : enable
#include <flutter/runtime_effect.glsl>
uniform vec2 size;
uniform sampler2D image;
out vec4 colour;
void main() { colour = texture(image, FlutterFragCoord() / size); }
"""


@pytest.mark.parametrize("compiler", ["slang", "glslangValidator"])
def test_a_fragment_shader_of_flutter_compiles(compiler: str, tmp_path: Path) -> None:
    """With its header, and with uniforms, textures and outputs as OpenGL has them."""
    found = chosen(SourceLanguage.GLSL, compiler)
    if found.missing():
        pytest.skip(found.missing())
    path = tmp_path / "effect.frag"
    path.write_text(EFFECT)
    shader = unshade.compile(path, compiler=compiler)
    texels = np.arange(48, dtype=np.float32).reshape(3, 4, 4) / 48
    image = unshade.run.Texture(texels, sampler=unshade.run.Sampler("point"))
    drawn = unshade.kernel(shader).shade((4, 3), size=[4, 3], image=image)
    assert np.array_equal(next(iter(drawn.values())), texels)


@pytest.mark.parametrize("loose", [True, False])
def test_glslang_runs_again_for_sources_of_opengl(
    loose: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "non-opaque uniforms outside a block" if loose else "syntax error"
    program, kept = tmp_path / "glslang", tmp_path / "kept"
    program.write_text(
        f'#!/bin/sh\n[ $# = 1 ] && echo 1.0 && exit\necho "$1" >> {kept}\n'
        f"echo \"ERROR: source.glsl:1: 'x' : {said}\"\nexit 1\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("UNSHADE_GLSLANG", str(program))
    with pytest.raises(CompileError, match=said):
        unshade.compile("void main() {}", language="glsl", stage="pixel", compiler="glslang")
    assert kept.read_text().split() == (["-V", "-R"] if loose else ["-V"])
