"""Notebooks show shaders, differences, findings, results and pictures."""

from __future__ import annotations

import re
import subprocess
import sys
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from typing import Protocol
from unittest import mock

import numpy as np
import pytest
from PIL import Image

import unshade
from tests.corpus import REPOSITORY
from tests.examples import EXAMPLES, each_container
from tests.screens.test_html import EVIL, words
from unshade.errors import Diagnostic, Diagnostics, Severity
from unshade.run.binding.results import Results
from unshade.run.raster import Picture
from unshade.screens import notebook
from unshade.shader import Shader

PHONG = EXAMPLES / "phong.dxbc"


class Shown(Protocol):
    def _repr_html_(self) -> str: ...


def shown(thing: Shown) -> list[str]:
    """Return the words that a thing shows; a shader as where Jinja2 is not installed."""
    return words(notebook.shader(thing) if isinstance(thing, Shader) else thing._repr_html_())


def images(thing: Shown) -> list[Image.Image]:
    found = re.findall(r"base64,([^\"]+)", thing._repr_html_())
    return [Image.open(BytesIO(b64decode(each))) for each in found]


@each_container
def test_a_shader_shows_its_summary_and_listing(path: Path) -> None:
    text = shown(unshade.open(path))
    assert "Listing," in text
    assert {"Parts", "Program", "dcl_temps"} <= set(text)


def test_a_shader_of_another_format() -> None:
    text = " ".join(shown(unshade.open(EXAMPLES / "reverse.shbin")))
    assert "2 shaders (vertex, geometry)" in text
    assert ".proc main" in text


def test_a_shader_with_a_malformed_part_is_shown_with_its_findings() -> None:
    data = PHONG.read_bytes()
    shader = unshade.loads(data[:0x3C] + b"\xff\xff\xff\xff" + data[0x40:])
    text = shown(shader)
    assert {"Findings", "(malformed)"} <= set(text)


def test_a_damaged_shader_is_shown_with_its_findings() -> None:
    shader = unshade.loads(PHONG.read_bytes()[:2000], strict=False)
    text = " ".join(shown(shader))
    assert "expected 1724 bytes for SHDR, got 1100" in text
    assert "parts[3].size" in shown(shader.verify())


def test_a_shader_without_a_listing_is_shown_without_one() -> None:
    shader = unshade.open(PHONG)
    with mock.patch.object(type(shader), "disassemble", side_effect=unshade.UnsupportedError("no")):
        text = shown(shader)
    assert "Parts" in text
    assert "Listing," not in text


def test_a_difference() -> None:
    before, after = unshade.open(PHONG), unshade.open(PHONG)
    assert " ".join(shown(unshade.diff(before, after))) == "no difference the same, byte for byte"
    program = after.programs[0]
    at = [each.name for each in program.instructions].index("lt")
    program.replace(at, "lt r0.w, r3.w, l(0.5)")
    text = " ".join(shown(unshade.diff(before, after)))
    assert "the code differs: 1 of 78 lines changed" in text
    assert "- lt r0.w, r3.wwww , l ( 0.100000 ) + lt r0.w, r3.w , l ( 0.500000 )" in text


def test_information_and_reflection() -> None:
    shader = unshade.open(PHONG)
    assert "TEXCOORD2" in shown(unshade.info(shader))
    assert "u_eye" in shown(shader.reflect())


def test_findings() -> None:
    found = unshade.open(PHONG).verify()
    assert "container.program-part" in shown(found)
    assert "0x384" in shown(found)
    assert shown(Diagnostics()) == ["no", "findings"]
    evil = Diagnostics([Diagnostic("a.b", Severity.ERROR, EVIL, path=EVIL)])
    assert "<script" not in evil._repr_html_()
    assert "".join(shown(evil)).count(EVIL) == 2
    assert isinstance(unshade.open(EXAMPLES / "reverse.shbin").diagnostics, Diagnostics)


def test_text_from_the_file_is_escaped() -> None:
    data = PHONG.read_bytes().replace(b"vkd3d-shader 2.1 (Debian", b"<script>\x1b[2J</script>   ")
    assert b"<script>" in data
    assert "<script" not in unshade.loads(data)._repr_html_()
    text = notebook.shader(unshade.loads(data))
    words(text)
    assert "<script" not in text
    assert "&lt;script&gt;\\x1b[2J" in text


@pytest.mark.slow
def test_results_of_a_compute_shader() -> None:
    kernel = unshade.kernel(unshade.open(EXAMPLES / "saxpy.dxbc"))
    x = np.arange(64, dtype=np.float32)
    found = kernel.dispatch(1, a=2.0, X=x, Y=np.ones(64, np.float32))
    text = " ".join(shown(found))
    assert text.endswith("Y float32 64 1 127 1 3 5 7 9 11 13 15 … Y: 64 numbers in order")
    assert images(found) == []


def test_results_count_numbers_that_are_not_finite() -> None:
    found = Results()
    found.add(("a",), np.array([1, np.nan, np.inf], np.float32))
    found.add(("b",), np.full(2, np.nan))
    found.add(("c",), np.zeros(2, [("p", "f4"), ("v", "u4", 3)]))
    found.add((EVIL,), np.zeros(0, np.int32))
    text = " ".join(shown(found))
    assert "a float32 3 1 1 2 1 nan inf" in text
    assert "b float64 2 2 nan nan" in text
    assert "c {p, v} 2" in text
    assert f"{EVIL} int32 0" in text


def test_a_picture_is_shown_as_one() -> None:
    colours = np.zeros((2, 3, 4), np.float32)
    colours[0, 0] = 1, 0.5, 0, 0  # alpha hides nothing
    found = Results()
    found.add(("SV_Target0",), colours)
    [image] = images(found)
    assert (image.size, image.mode) == ((3, 2), "RGB")
    assert image.getpixel((0, 0)) == (255, 128, 0)
    assert "SV_Target0, 3 x 2" in " ".join(shown(found))


def test_a_large_picture_is_made_smaller() -> None:
    found = Results()
    found.add(("SV_Target0",), np.zeros((600, 1100, 3), np.uint8))
    [image] = images(found)
    assert image.size == (367, 200)
    assert "SV_Target0, 1100 x 600" in " ".join(shown(found))


def test_a_picture_is_summarised() -> None:
    targets = Results()
    targets.add(("SV_Target0",), np.ones((2, 4, 4), np.float32))
    covered = np.array([[True] * 4, [False] * 4])
    drawn = Picture(targets, np.zeros((2, 4)), covered, np.zeros((2, 4), np.int32))
    assert repr(drawn) == (
        "<Picture SV_Target0: float32 (2, 4, 4), depth: float64 (2, 4), covered: bool (2, 4),"
        " triangle: int32 (2, 4)>"
    )
    text = " ".join(shown(drawn))
    assert text.startswith("picture 4 x 2, 50.0% of its pixels covered")
    [image] = images(drawn)
    assert image.getpixel((0, 0)) == (255, 255, 255)


def test_depth_layers_and_single_components_are_pictures() -> None:
    depth = np.full((8, 16), np.inf, "f4")
    depth[0, 0] = 0.5
    targets = Results()
    targets.add(("SV_Target0",), np.zeros((8, 16), "f4"))
    drawn = Picture(targets, depth, depth < 1, np.zeros((8, 16), np.int32))
    text = " ".join(shown(drawn))
    assert "SV_Target0, 16 x 8" in text
    assert "depth, 16 x 8" in text
    last = images(drawn)[-1]
    assert (last.mode, last.getpixel((0, 0)), last.getpixel((1, 0))) == ("L", 128, 255)
    layered = Results()
    layered.add(("SV_Target0",), np.ones((2, 8, 16, 4), "f4"))
    assert "SV_Target0[1], 16 x 8" in " ".join(shown(layered))
    vectors = Results()
    vectors.add(("POSITION",), np.zeros((64, 4), "f4"))
    vectors.add(("lengths",), np.zeros((64, 2), "f4"))
    assert images(vectors) == []


def test_a_single_component_beyond_one_is_scaled() -> None:
    found = Results()
    found.add(("Y",), np.linspace(-2, 2, 64, dtype="f4").reshape(8, 8))
    [image] = images(found)
    assert (image.getpixel((0, 0)), image.getpixel((7, 7))) == (0, 255)


def test_arrays_of_numbers_are_drawn() -> None:
    found = Results()
    found.add(("line",), np.array([3, 1, 2, 8, 9, 2, 0, 7], "i4"))
    found.add(("vectors",), np.arange(30, dtype="f4").reshape(10, 3))
    found.add(("few",), np.zeros(7))
    found.add(("picture",), np.zeros((8, 8), "f4"))
    text = " ".join(shown(found))
    assert "line: 8 numbers in order" in text
    assert "vectors: 10 vectors in order" in text
    html = found._repr_html_()
    assert (html.count("<svg"), html.count('class="u-line')) == (2, 4)


def test_many_numbers_are_a_histogram() -> None:
    found = Results()
    numbers = np.full(100_000, 2.0)
    numbers[:3] = np.nan, np.inf, -1.0
    found.add(("many",), numbers)
    found.add(("large",), np.array([-1.7e308, 1.7e308] * 10_000))
    found.add(("nothing",), np.full(100_000, np.nan))
    text = " ".join(shown(found))
    assert "many: 99,998 numbers from -1 to 2" in text
    assert "large: 20,000 numbers from -1.7e+308 to 1.7e+308" in text
    html = found._repr_html_()
    assert (html.count("<rect"), len(html) < 20_000) == (4, True)


@pytest.mark.slow
def test_the_core_is_shown_without_any_other_package() -> None:
    script = (
        "import unshade, sys; shader = unshade.open(sys.argv[1]);"
        " shader._repr_html_(), shader.verify()._repr_html_(), shader.reflect()._repr_html_(),"
        " unshade.info(shader)._repr_html_(), unshade.diff(shader, shader)._repr_html_();"
        " assert not {'numpy', 'rich', 'click', 'yaml', 'PIL'} & set(sys.modules)"
    )
    subprocess.run(
        [sys.executable, "-S", "-c", script, str(PHONG)],
        env={"PYTHONPATH": str(REPOSITORY / "src")},
        check=True,
    )


@pytest.mark.slow
def test_nothing_is_imported_to_draw_before_a_notebook_asks() -> None:
    script = (
        "import unshade, sys; shader = unshade.open(sys.argv[1]); shader.verify();"
        " unshade.diff(shader, shader);"
        " assert not [each for each in sys.modules if each.startswith('unshade.screens')]"
    )
    subprocess.run(
        [sys.executable, "-S", "-c", script, str(PHONG)],
        env={"PYTHONPATH": str(REPOSITORY / "src")},
        check=True,
    )
