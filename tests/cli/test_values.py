"""Values of `--bind` for textures and samplers: images, lists of images, words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.corpus import REPOSITORY
from tests.run.textures.files import dds, dx10
from unshade import UsageError
from unshade.cli import main
from unshade.cli.values import plain, sampler, value_of
from unshade.limits import Limits
from unshade.run import Sampler

PHONG = str(REPOSITORY / "examples" / "phong.dxbc")
GIVEN = ("--set", "u_n=1", "--set",
         'u_l=[{"p":[3,4,5,1],"c":[60,50,40,1]},{"p":[-4,1,2,1],"c":[8,16,40,1]},'
         '{"p":[0,9,0,1],"c":[9,9,9,1]},{"p":[0,0,0,1],"c":[0,0,0,1]}]')  # fmt: skip
SIDES = ("px", "nx", "py", "ny", "pz", "nz")


def images(folder: Path) -> tuple[str, list[str]]:
    """An image and the six faces of a cube."""
    rng = np.random.default_rng(2)
    flat = folder / "flat.png"
    Image.fromarray(rng.integers(0, 256, (8, 8, 4), np.uint8)).save(flat)
    faces = []
    for side in SIDES:
        faces.append(str(folder / f"{side}.png"))
        Image.fromarray(rng.integers(0, 256, (4, 4, 3), np.uint8)).save(faces[-1])
    return str(flat), faces


def drawn(folder: Path, *line: str) -> Any:
    out = folder / "out.npy"
    assert main(["render", PHONG, "--size", "8x8", *GIVEN, *line, "-o", str(out)]) == 0
    return np.load(out)


@pytest.mark.slow
def test_images_bind_as_textures_and_as_faces_of_a_cube(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flat, faces = images(tmp_path)
    line = ("--bind", f"t1={flat},mips,srgb", "--bind", f"t2={','.join(faces)},mips")
    plain = drawn(tmp_path, *line)
    assert "white" not in capsys.readouterr().err
    assert plain.shape == (8, 8, 4)
    assert np.ptp(plain[..., 0]) > 0
    linear = drawn(tmp_path, "--bind", f"t1={flat},mips", *line[2:])
    assert (linear != plain).any()
    turned = drawn(tmp_path, *line[:2], "--bind", f"t2={','.join(faces[::-1])},mips")
    assert (turned != plain).any()
    words = ("--bind", "s1=anisotropic,wrap,max_anisotropy=8,lod_bias=-1")
    assert np.isfinite(drawn(tmp_path, *line, *words)).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a.png,b.png", "a.png: No such file"),
        ("a.png,fast", "expected mips or srgb, got 'fast'"),
        ("x.npy,a.png", "only images take mips and srgb"),
        ("{}/px.png,{}/flat.png,{}/none.png", "none.png: No such file"),
    ],
)
def test_invalid_images(tmp_path: Path, text: str, words: str) -> None:
    images(tmp_path)
    with pytest.raises(UsageError, match=words):
        value_of(text.replace("{}", str(tmp_path)), None)


def test_images_keep_depth_and_layers(tmp_path: Path) -> None:
    path = tmp_path / "deep.png"
    deep = np.arange(16, dtype=np.uint16).reshape(4, 4) * 4000
    Image.fromarray(deep).save(path)
    assert value_of(str(path), None).data[..., 0].tolist() == deep.tolist()
    layers = value_of(f"{path},{path}", None).data
    assert [each.shape for each in layers] == [(4, 4, 4), (4, 4, 4)]


@pytest.mark.slow
def test_textures_with_levels_and_faces_are_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same texels as images and as DDS files draw the same picture."""
    rng = np.random.default_rng(4)
    texels = rng.integers(0, 256, (6, 8, 8, 4), np.uint8)
    texels[..., 3] = 255
    faces = []
    for side, face in zip(SIDES, texels, strict=True):
        faces.append(str(tmp_path / f"{side}.png"))
        Image.fromarray(face).save(faces[-1])
    cube, flat = tmp_path / "cube.dds", tmp_path / "flat.dds"
    cube.write_bytes(dx10(texels.tobytes(), (8, 8), 28, flags=4))
    flat.write_bytes(dx10(texels[0].tobytes(), (8, 8), 29))
    files = drawn(tmp_path, "--bind", f"t1={flat},mips", "--bind", f"t2={cube},mips")
    assert "white" not in capsys.readouterr().err
    images = drawn(
        tmp_path, "--bind", f"t1={faces[0]},mips,srgb", "--bind", f"t2={','.join(faces)},mips"
    )
    assert np.array_equal(files, images)
    assert np.ptp(files[..., 0]) > 0
    broken = tmp_path / "broken.dds"
    broken.write_bytes(dds(bytes(7), (4, 4), "DXT1"))
    assert (
        main(["render", PHONG, *GIVEN, "--bind", f"t1={broken}", "-o", str(tmp_path / "x.png")])
        == 3
    )
    assert "broken.dds: at 0x80, texels: expected 8 bytes" in capsys.readouterr().err


def test_textures_by_suffix(tmp_path: Path) -> None:
    path = tmp_path / "a.DDS"
    path.write_bytes(dds(bytes(8), (4, 4), "DXT1"))
    found = value_of(f"{path},srgb", None)
    assert (found.srgb, found.data.format) == (True, "BC1_UNORM")
    with pytest.raises(UsageError, match="one file with all layers or faces, or images only"):
        value_of(f"{path},{path}", None)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("point", Sampler("point")),
        ("linear,wrap", Sampler("linear", "wrap")),
        ("linear,wrap,mirror,border,border=1/0/0.5/1",
         Sampler("linear", ("wrap", "mirror", "border"), border=(1, 0, 0.5, 1))),
        ("anisotropic,max_anisotropy=4", Sampler("anisotropic", max_anisotropy=4)),
        ("D3D11_FILTER_MIN_MAG_MIP_POINT,lod_bias=1,min_lod=0,max_lod=2",
         Sampler("point", lod_bias=1, min_lod=0, max_lod=2)),
        ("comparison=less", Sampler(comparison="less")),
    ],
)  # fmt: skip
def test_samplers_in_words(text: str, wanted: Sampler) -> None:
    assert sampler(text).state == wanted.state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("linear,bias=1", "sampler: expected lod_bias, min_lod, .*, got 'bias'"),
        ("linear,lod_bias=x", "sampler lod_bias: expected a number, got 'x'"),
        ("linear,border=1,0", "unknown sampler address '0'"),
        ("linear,border=a/b/c/d", "border: expected numbers separated by /"),
        ("liner", "did you mean linear"),
    ],
)
def test_invalid_samplers(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        sampler(text)


def test_the_place_of_an_error_in_json_is_named() -> None:
    with pytest.raises(UsageError, match=r"at character 5, expecting value"):
        plain("[[0,.5]]", "--bind x")
    with pytest.raises(UsageError, match=r"got 'a b'$"):
        plain("a b", "--bind x")


@pytest.mark.slow
def test_pictures_of_floats_and_of_sixteen_bits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read_exr = pytest.importorskip("unshade.run.textures.exr").read_exr
    numbers = drawn(tmp_path)
    line = ["render", PHONG, "--size", "8x8", *GIVEN, "-o"]
    assert main([*line, str(tmp_path / "out.exr")]) == 0
    found = read_exr((tmp_path / "out.exr").read_bytes(), Limits())
    assert np.array_equal(found, numbers)
    assert main([*line, str(tmp_path / "deep.png"), "--bits", "16"]) == 0
    assert (tmp_path / "deep.png").read_bytes()[24] == 16  # the depth in IHDR
    for more, words in ((["x.jpg", "--bits", "16"], "a .png"), (["x.png", "--bits", "9"], "8 or")):
        assert main([*line, *more]) == 2
        assert f"--bits: expected {words}" in capsys.readouterr().err
    assert list(tmp_path.glob("x.*")) == []
