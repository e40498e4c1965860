"""Frames: passes over targets, textures, buffers and meshes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.run.textures.files import dx10
from unshade.errors import FormatError, LimitError, UsageError
from unshade.limits import Limits
from unshade.run import Frame
from unshade.run.binding.texels import linear_of
from unshade.run.frame import FrameDescription
from unshade.run.frame.filling import filled_from

VERTEX = """
vs_5_0
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
mov o0.xyzw, v0.xyzw
mov o1.xyzw, v0.xyzw
ret
"""
PIXEL = """
ps_5_0
dcl_constantbuffer cb0[1], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
mad r0.xy, v1.xyxx, l(0.5, -0.5, 0, 0), l(0.5, 0.5, 0, 0)
sample_l r0.xyzw, r0.xyxx, t0.xyzw, s0, cb0[0].x
mov o0.xyzw, r0.xyzw
ret
"""
SQUARE = "v -1 1 0.25\nv 1 1 0.25\nv -1 -1 0.25\nv 1 -1 0.25\nf 1 2 3\nf 3 2 4\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("v.dxbc", VERTEX), ("p.dxbc", PIXEL)):
        (tmp_path / name).write_bytes(unshade.assemble(text).to_bytes())
    (tmp_path / "square.obj").write_text(SQUARE)
    texels = np.zeros((4, 4, 4), np.uint8)
    texels[..., 3] = 255
    texels[:2, :2, 0] = 200
    texels[2:, 2:, 1] = 100
    (tmp_path / "a.dds").write_bytes(dx10(texels.tobytes(), (4, 4), 28))
    return tmp_path


def described(**more: Any) -> dict[str, Any]:
    """A frame that draws the texture into one target, and that into another."""
    bindings = {"t0": "a", "s0": "point", "cb0": [0, 0, 0, 0]}
    again = {**bindings, "t0": "first"}
    return {
        "targets": {
            "first": {"size": [4, 4], "clear": [0, 0, 1, 1]},
            "second": {"size": [4, 4], "format": "R32G32B32A32_FLOAT"},
            "depth": {"size": [4, 4], "format": "D16_UNORM", "clear": 1},
        },
        "textures": {"a": "a.dds"}, "meshes": {"square": {"file": "square.obj"}},
        "pipelines": {"copying": {"vertex": "v.dxbc", "pixel": {"file": "p.dxbc"}}},
        "passes": [
            {"targets": ["first"], "depth": "depth", "clear": True, "commands": [
                {"draw": {"pipeline": "copying", "mesh": "square", "bindings": bindings}}]},
            {"targets": ["second"], "clear": True, "commands": [
                {"draw": {"pipeline": "copying", "mesh": "square", "bindings": again}}]},
        ],
        "output": "second", **more,
    }  # fmt: skip


def frame(folder: Path, data: dict[str, Any], limits: Limits | None = None) -> Frame:
    return Frame(filled_from(FrameDescription, data), str(folder), limits or Limits())


def test_a_pass_reads_what_a_pass_before_has_drawn(folder: Path) -> None:
    found = frame(folder, described()).run()
    picture = found.picture()
    assert picture.shape == (4, 4, 4)
    assert picture.dtype == np.float32
    assert picture[0, 0].tolist() == pytest.approx([200 / 255, 0, 0, 1])
    assert picture[3, 3].tolist() == pytest.approx([0, 100 / 255, 0, 1])
    assert found.targets["first"].array[0, 3].tolist() == [0, 0, 0, 255]
    assert found.picture("depth").tolist() == [[pytest.approx(0.25, abs=1e-4)] * 4] * 4
    assert found.notes == []


def test_both_engines_draw_the_same(folder: Path) -> None:
    pytest.importorskip("llvmlite")
    one, two = (frame(folder, described()).run(engine) for engine in ("lockstep", "jit"))
    for name, target in one.targets.items():
        assert np.array_equal(target.array, two.targets[name].array)


def test_mip_levels_are_made_of_a_target_and_rounded(folder: Path) -> None:
    """The smallest level of a square with 4 of 16 texels of 200 and of 100: 50 and 25."""
    data = described()
    first, second = data["passes"]
    first["commands"].append({"mips": "first"})
    second["commands"][0]["draw"]["bindings"]["cb0"] = [2.0, 0, 0, 0]
    found = frame(folder, data).run()
    assert [each.shape for each in found.targets["first"].smaller] == [(2, 2, 4), (1, 1, 4)]
    assert found.targets["first"].smaller[0][0, 0].tolist() == [200, 0, 0, 255]
    assert found.picture()[1, 2].tolist() == pytest.approx([50 / 255, 25 / 255, 0, 1])


def test_targets_of_srgb_are_encoded_in_pictures(folder: Path) -> None:
    data = described()
    data["targets"]["second"] = {"size": [4, 4], "format": "R8G8B8A8_UNORM_SRGB"}
    found = frame(folder, data).run()
    stored = found.picture()[0, 0, 0]
    assert float(linear_of(np.array([stored]))[0]) == pytest.approx(200 / 255, abs=3e-3)
    assert found.targets["second"].decoded()[0, 0, 0] == pytest.approx(200 / 255, abs=3e-3)


def test_clear_values_copies_and_blending(folder: Path) -> None:
    data = described(output="first")
    data["pipelines"]["copying"]["blend"] = "additive"
    data["targets"]["third"] = {"size": [4, 4], "clear": 0.5}
    data["passes"] = [
        data["passes"][0],
        {"commands": [{"copy": {"source": "first", "destination": "third"}}]},
        {"targets": ["first"], "clear": True},
    ]
    found = frame(folder, data).run()
    assert found.targets["third"].array[0, 0].tolist() == [200, 0, 255, 255]
    assert found.targets["first"].array[0, 0].tolist() == [0, 0, 255, 255]
    data["passes"][1]["commands"][0]["copy"]["source"] = "depth"
    with pytest.raises(UsageError, match="copy: expected resources of one size and format"):
        frame(folder, data).run()


def test_a_dispatch_writes_a_buffer(folder: Path) -> None:
    (folder / "saxpy.dxbc").write_bytes((REPOSITORY / "examples" / "saxpy.dxbc").read_bytes())
    np.save(folder / "x.npy", np.arange(64, dtype=np.float32))
    bindings = {"X": "x", "Y": "y", "a": 2.0, "n": 64}
    data = described(
        buffers={"x": "x.npy", "y": {"zeros": 64}},
        pipelines={"saxpy": {"compute": "saxpy.dxbc"}},
        passes=[{"commands": [
            {"dispatch": {"pipeline": "saxpy", "groups": [1], "bindings": bindings}}] * 2}],
    )  # fmt: skip
    assert frame(folder, data).run().buffers["y"].tolist() == [4.0 * n for n in range(64)]


def test_a_file_in_its_folder(folder: Path) -> None:
    import yaml

    (folder / "frame.yaml").write_text(yaml.safe_dump(described()))
    assert np.array_equal(
        Frame.open(folder / "frame.yaml").run().picture(),
        frame(folder, described()).run().picture(),
    )


@pytest.mark.parametrize(
    "name", ["../a.dds", "/etc/passwd", "http://127.0.0.1/a.dds", "file:///a.dds", "out/a.dds"]
)
@pytest.mark.parametrize("kind", ["textures", "meshes", "buffers", "pipelines"])
def test_paths_stay_below_the_folder(folder: Path, tmp_path: Path, name: str, kind: str) -> None:
    inside = folder / "inside"
    inside.mkdir()
    (inside / "out").symlink_to(folder)
    for each in ("a.dds", "square.obj", "v.dxbc", "p.dxbc"):
        (inside / each).write_bytes((folder / each).read_bytes())
    data = described()
    if kind == "pipelines":
        data["pipelines"]["copying"]["pixel"] = name
    else:
        data[kind] = {**data.get(kind, {}), "evil": name}
    with pytest.raises(UsageError, match="expected a file below the folder"):
        frame(inside, data).run()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"target": {}},
            "expected a field of FrameDescription, got 'target'; did you mean targets",
        ),
        ({"targets": []}, "targets: expected a mapping"),
        ({"targets": {"a": {}}}, "targets.a: expected the field size"),
        ({"targets": {"a": {"size": "4x4"}}}, "targets.a.size: expected a list, got '4x4'"),
        ({"targets": {"a": {"size": [4, True]}}}, r"targets.a.size\[1\]: expected an integer"),
        ({"passes": [{"clear": 1}]}, r"passes\[0\].clear: expected true or false, got 1"),
        ({"passes": [{"commands": [{"draw": 3}]}]}, r"commands\[0\].draw: expected a mapping"),
        ({"textures": {"a": 3}}, "textures.a: expected a mapping, got 3"),
        ({"time": "x"}, "time: expected a number, got 'x'"),
    ],
)
def test_fields_that_do_not_fit(change: dict[str, Any], words: str) -> None:
    with pytest.raises(FormatError, match=words):
        filled_from(FrameDescription, {**described(), **change})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"output": "secnd"}, "no target 'secnd'; did you mean second"),
        ({"targets": {"b": {"size": [0, 4]}}}, "targets.b.size: expected width and height from 1"),
        ({"targets": {"b": {"size": [4, 4], "format": "D24"}}}, "unknown pixel format"),
        ({"passes": [{"targets": ["x"]}]}, "no target 'x'"),
        ({"passes": [{"commands": [{}]}]}, "expected one of draw, dispatch, copy, mips, resolve"),
        ({"passes": [{"commands": [{"mips": "depth"}]}]}, "mips: expected a target of colours"),
        ({"textures": {"a": "a.dds", "first": "a.dds"}}, "one resource of each name, got first"),
        ({"targets": {}}, "expected a frame with a target"),
        ({"buffers": {"b": {}}}, "with one of file, data and zeros"),
        ({"buffers": {"b": {"zeros": 1, "dtype": "object"}}}, "dtype: expected one of float32"),
    ],
)
def test_mistakes(folder: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        frame(folder, {**described(), **change}).run()


def drawing(**more: Any) -> dict[str, Any]:
    data = described()
    given = data["passes"][0]["commands"][0]["draw"]
    given.update(more)
    return data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (drawing(pipeline="copyin"), "no pipeline 'copyin'; did you mean copying"),
        (drawing(mesh="sq"), "no mesh 'sq'"),
        (drawing(count=3), "expected one of mesh, count and groups"),
        (drawing(bindings={"t9": "a"}), "no binding 't9'"),
        (drawing(bindings={"t0": "wood"}), "t0: no resource 'wood'"),
        (drawing(bindings={"s0": 3}), "s0: expected a sampler"),
        (drawing(bindings={"s0": {"filtre": "point"}}), "expected the fields of a sampler"),
    ],
)
def test_mistakes_of_draws(folder: Path, data: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        frame(folder, data).run()


def test_sizes_have_limits(folder: Path) -> None:
    for change in ({"targets": {"b": {"size": [64, 64]}}}, {"buffers": {"b": {"zeros": 10**15}}}):
        with pytest.raises(LimitError, match="texels"):
            frame(folder, {**described(), **change}, Limits(texels=4095)).run()
