"""Options of the verbs that run shaders: sizes, numbers, generated arrays, refused options."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.corpus import REPOSITORY
from tests.kernels import kernel_of
from tests.run.binding.test_arguments import doubling
from tests.run.stages.test_groups import kernel as strips_of
from unshade import UsageError
from unshade.cli import main
from unshade.cli.kernels import call, wanted
from unshade.cli.values import extent, plain, value_of
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Port
from unshade.ir.types import I32
from unshade.model import Member, TypeDescription
from unshade.run.binding.uniforms import zero_of
from unshade.vm.lockstep import Lockstep
from unshade.vocab.words import Stage

EXAMPLES = REPOSITORY / "examples"
SAXPY, GYROID, SKINNING, PHONG = (
    str(EXAMPLES / f"{name}.dxbc") for name in ("saxpy", "gyroid", "skinning", "phong")
)
BIND = ("--bind", "X=iota(64)", "--bind", "Y=ones(64)", "--set", "a=2")


def refused(capsys: pytest.CaptureFixture[str], *line: str) -> str:
    """Return the error message of an invalid command line."""
    assert main([*line]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    return captured.err


# ---------------------------------------------------------------- sizes


@pytest.mark.parametrize(
    ("text", "expected"),
    [("64", (64,)), ("64,2,1", (64, 2, 1)), ("640x480", (640, 480)), ("1x2,3", (1, 2, 3))],
)
def test_sizes(text: str, expected: tuple[int, ...]) -> None:
    assert extent(text, "--groups") == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0x2", "--groups: expected 1 to 65,535 along each axis, got 0x2"),
        ("0", "--groups: expected 1 to 65,535"),
        ("70000", "--groups: expected 1 to 65,535"),
        ("-1", "--groups: expected 1 to 65,535 along each axis, got -1"),
        ("1,2,3,4", "up to 3 integers"),
        ("1.5", "up to 3 integers"),
        ("", "up to 3 integers"),
    ],
)
def test_invalid_sizes(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        extent(text, "--groups", most=65535)


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1), ("0x10", 16), ("1,2.5", [1, 2.5]), ("inf", math.inf), ("-Infinity", -math.inf),
        ('["Infinity", 1]', [math.inf, 1]), ('{"a": "NaN"}', {"a": math.nan}), ("1e3,2", [1000, 2]),
    ],
)  # fmt: skip
def test_numbers_and_json(text: str, expected: Any) -> None:
    for found in (plain(text, "--set a"), value_of(text, None)):
        assert repr(found) == repr(expected) or found == expected
    assert math.isnan(plain("nan", "--set a"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("blah(4)", r"--bind t0: expected one of zeros, ones, iota, random, got blah\(…\)"),
        ("a.png,mip", "--bind t0: expected mips or srgb, got 'mip'"),
        ("x.npy,mips", "--bind t0: x.npy is not an image"),
        ("nothing.bin", "nothing.bin: No such file"),
    ],
)
def test_invalid_values(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        value_of(text, None, "--bind t0")


def test_contents_of_an_invalid_image_are_not_quoted(tmp_path: Path) -> None:
    binding = doubling("unorm").bindings[0]
    text = tmp_path / "README.md"
    text.write_text("# Examples\n" * 99)
    with pytest.raises(
        UsageError, match=r"expected an image, .npy or .json, got .*README.md; u0 takes"
    ) as raised:
        value_of(str(text), binding, "--bind u0")
    assert "# Examples" not in str(raised.value)


def test_random_integers_fill_their_range() -> None:
    found = value_of("random(1000,uint32)", None)
    assert found.dtype == np.uint32
    assert found.min() < 1 << 28
    assert found.max() > 15 << 28


def test_errors_in_set_name_the_variable(capsys: pytest.CaptureFixture[str]) -> None:
    err = refused(capsys, "run", SAXPY, "--groups", "1", *BIND[:4], "--set", "a=abc")
    assert "--set a: expected numbers or JSON, got 'abc'" in err


# ---------------------------------------------------------------- what would do nothing


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("run", SAXPY, "--groups", "0x2", *BIND), "--groups: expected 1 to 65,535 along each"),
        (("run", SAXPY, "--groups", "1", "--count", "2", *BIND), "--count: expected a vertex or"),
        (("run", SAXPY, "--groups", "1", *BIND, "--budget", "-1"), "Invalid value for '--budget'"),
        (("run", SKINNING, "--groups", "3", "--set", "u_wind=0"), "--groups: expected a compute"),
        (("run", GYROID, "--set", "time=1"), "the pixel shader has no inputs: give --bind"),
        (("debug", SAXPY, "--fov", "9", *BIND), "--fov needs a mesh: --vs and --mesh"),
        (("debug", str(EXAMPLES)), "expected a single shader, got the folder"),
        (("render", SAXPY, "-o", "a.png"), "got a compute shader: use unshade run"),
        (("render", GYROID, "--ps", GYROID, "-o", "a.png"), "expected one pixel shader, got both"),
        (("render", GYROID, "--eye", "1,2,3", "-o", "a.png"), "--eye needs a mesh"),
        (("render", GYROID, "--look-at", "1,2,3", "-o", "a.png"), "--look-at needs a mesh"),
        (("render", GYROID, "--fov", "9", "-o", "a.png"), "--fov needs a mesh"),
        (("render", GYROID, "--cull", "back", "-o", "a.png"), "--cull needs a mesh"),
        (("render", GYROID, "--columns", "-o", "a.png"), "--columns needs a mesh"),
        (("render", GYROID, "--attribute", "A=uv", "-o", "a.png"), "--attribute needs a mesh"),
        (("render", GYROID, "-o", "a.xyz"), "-o a.xyz: expected one of .png, .jpg"),
        (("render", GYROID, "-o", "a"), "-o a: expected one of .png, .jpg"),
    ],
)  # fmt: skip
def test_options_without_effect_are_refused(
    line: tuple[str, ...],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words in refused(capsys, *line)
    assert not list(tmp_path.iterdir())


def test_an_invalid_camera_position_names_its_option(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    line = ["render", "--vs", SKINNING, "--ps", PHONG, "--mesh", str(EXAMPLES / "torus.obj"),
            "--look-at", "1,2", "-o", str(tmp_path / "x.png")]  # fmt: skip
    assert "--look-at: expected x,y,z, got '1,2'" in refused(capsys, *line)


# ---------------------------------------------------------------- shaders without inputs or names


def test_count_runs_a_shader_without_inputs() -> None:
    port = Port("o0.x", I32, row="o0")
    b = Builder(Code("main", stage=Stage.VERTEX, outputs=[port]))
    b.output(port, b.i32(0x3F000000))
    kernel = kernel_of(Lowered(b.kernel), None, Lockstep())
    assert call(kernel, {}, None, count=3)["o0"].tolist() == [0.5] * 3
    with pytest.raises(UsageError, match="--count is required: no input array"):
        call(kernel, {}, None)
    with pytest.raises(
        UsageError, match=r"^this shader has no inputs: expected a number of vertices$"
    ):
        kernel.transform({})


@pytest.mark.slow
def test_unnamed_constants_are_0_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare, out = str(tmp_path / "bare.dxbc"), str(tmp_path / "x.npy")
    assert main(["strip", "--reflection", GYROID, "-o", bare]) == 0
    assert main(["render", bare, "--size", "4", "-o", out]) == 0
    message = "every pixel is (0, 0, 0, 1); not given: cb0 is 0"
    assert f"unshade: {bare}: {message}\n" in capsys.readouterr().err
    assert np.load(out).shape == (4, 4, 4)


# ---------------------------------------------------------------- mesh shaders


def test_mesh_shaders_run_over_groups() -> None:
    mesh = strips_of("lockstep")
    found = call(mesh, {"payload": np.array([3, 4], np.uint32)}, "2")
    assert found["position"].shape == (7, 4)
    with pytest.raises(UsageError, match="--groups is required: number of groups of 4 x 1 x 1"):
        call(mesh, {"payload": np.array([3, 4], np.uint32)}, None)
    assert wanted(mesh).splitlines()[1] == f"  {mesh.bindings[0]}"


# ---------------------------------------------------------------- what is not given


def test_variables_that_are_not_given_are_zero(capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, after the results, as `render` says it."""
    line = ["run", SAXPY, "--groups", "1", "--bind", "X=ones(64)", "--bind", "Y=iota(64)"]
    assert main(line) == 0
    assert capsys.readouterr() == (
        "Y  float32 (64,)  0 1 2 3 4 5 6 7 …\n", f"unshade: {SAXPY}: not given: a is 0\n",
    )  # fmt: skip
    for given in ("--set", "a=2"), ("--bind", 'P={"a": 2}'), ("--bind", "cb0=float32[2,0]"):
        assert main([*line, *given]) == 0
        assert not capsys.readouterr().err


def test_buffers_still_have_to_be_bound(capsys: pytest.CaptureFixture[str]) -> None:
    found = refused(capsys, "run", SAXPY, "--groups", "1", "--bind", "X=ones(4)")
    assert "Y (u1) is not bound" in found
    assert "not given" not in found


@pytest.mark.parametrize(
    ("declared", "zero"),
    [
        ("float a", 0), ("float3 a", [0, 0, 0]), ("float2x3 a", [[0] * 3] * 2),
        ("uint a[3]", [0] * 3), ("float4 a[2][1]", [[[0] * 4]] * 2),
    ],
)  # fmt: skip
def test_zeros_have_the_shape_of_the_type(declared: str, zero: Any) -> None:
    kind, _, rest = declared.partition(" ")
    columns = int(kind[-1]) if kind[-1].isdigit() else 1
    rows = int(kind[-3]) if kind[-2] == "x" else 1
    type = TypeDescription(
        name="", type_class="matrix_rows" if rows > 1 else "vector", scalar="float", rows=rows,
        columns=columns, elements=[int(each) for each in re.findall(r"\[(\d+)\]", rest)],
    )  # fmt: skip
    assert zero_of(type) == zero
    member = Member(name="m", offset=0, type=type)
    whole = TypeDescription(
        name="S", type_class="struct", scalar="", rows=1, columns=1, members=[member], elements=[2]
    )
    assert zero_of(whole) == [{"m": zero}] * 2


@pytest.mark.parametrize(
    ("thread", "groups"), [("9999", "157 x 1 x 1"), ("63", ""), ("64", "2 x 1 x 1")]
)
def test_debug_says_which_groups_it_ran(
    thread: str, groups: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The thread may be far outside of the arrays."""
    line = ["debug", SAXPY, *BIND, "--thread", thread]
    main(line)
    expected = (
        f"unshade: {SAXPY}: {groups} groups of 64 x 1 x 1 threads were run,"
        f" to include thread {thread}\n"
    )
    assert (expected in capsys.readouterr().err) == bool(groups)
    main([*line, "--groups", "200"])
    assert "were run" not in capsys.readouterr().err
