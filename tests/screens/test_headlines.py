"""The words for kind and version of a shader, in each family and in each place that prints them."""

import re
from typing import Any

import pytest

import unshade
from tests.cli.terminal import unshade as run
from tests.contract.samples import Sample, samples
from tests.examples import EXAMPLES
from unshade import UnsupportedError, formats
from unshade.formats import LANGUAGES, SHADER_MODEL
from unshade.model import Reflection, Stage
from unshade.overview import info
from unshade.screens import info as info_screen
from unshade.screens import reflection as reflection_screen
from unshade.screens.blocks import Title
from unshade.screens.reflection import headline

STAGES = "|".join(stage for stage in Stage if stage is not Stage.LIBRARY)
NAMES = "|".join(sorted({*LANGUAGES.values()} - {SHADER_MODEL}))
KIND = rf"(?:{STAGES}) shader"
# The only forms of a headline: a bare number is the version of a shader model.
FORMS = re.compile(
    rf"{KIND}(?: [1-6]\.[0-9x]+ \(\w+\))?"
    rf"|library 6\.[0-9x]+ \(lib_6_[0-9x]+\)"
    rf"|{KIND}, (?:{NAMES}) \d[\d.]*(?: \(\w+\))?"
    rf"|[1-9]\d* shaders? \((?:{STAGES})(?:, (?:{STAGES}))*\)"
    rf"|root signature 1\.[0-2]"
    rf"|(?:{NAMES})(?: \d[\d.]*)? without entry points"
    rf"|\w+ without code"
)


def _name(sample: Sample) -> str:
    return f"{sample.format.name} {sample.name}"


@pytest.mark.parametrize("sample", samples(), ids=_name)
def test_a_shader_has_a_headline_of_a_known_form(sample: Sample) -> None:
    shader = unshade.loads(sample.data)
    try:
        whole = shader.reflect()
    except UnsupportedError:  # a PDB without a container
        assert headline(shader.identity()) == f"{sample.format.name} without code"
        return
    for found in (whole, shader.identity(), *whole.entry_points):
        assert FORMS.fullmatch(headline(found)), headline(found)
        if found.model and not found.entry_points:
            assert f" {found.model}" in headline(found)
    what = headline(whole)
    for blocks in (
        info_screen.screen("f", info(shader)), reflection_screen.screen("f", whole),
    ):  # fmt: skip
        title = next(each for each in blocks if isinstance(each, Title))
        assert title.phrase in (what, f"{what}, {len(sample.data):,} bytes")


@pytest.mark.parametrize("each", formats.own(), ids=lambda each: each.name)
def test_the_languages_of_every_format_have_a_name(each: formats.Format) -> None:
    assert {*each.holds} <= {*LANGUAGES}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("phong.dxbc", "dxcontainer, pixel shader 5.0 (ps_5_0)"),
        ("saxpy6.dxil", "dxcontainer, compute shader 6.6 (cs_6_6)"),
        ("julia.skslb", "sksl, pixel shader, SkSL 100 (runtime_shader)"),
        ("overlay.skslb", "sksl, pixel shader, SkSL 100 (runtime_blender)"),
        ("particles.spv", "spirv, compute shader, SPIR-V 1.5"),
        ("lit.shbin", "shbin, vertex shader"),
        ("everything.vbc", "vbc, 2 shaders (vertex, pixel)"),
    ],
)
def test_identify(name: str, words: str) -> None:
    path = EXAMPLES / name
    assert run("identify", path).out == f"{path}: {words}\n"


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"code": "spirv", "model": "1.3"}, "SPIR-V 1.3 without entry points"),
        ({"code": "sksl"}, "SkSL without entry points"),
        ({"code": None}, "dxcontainer without code"),
        ({"code": "dxil", "stage": "raygeneration", "model": "6.3"}, "raygeneration shader 6.3"),
        ({"code": "dxil", "stage": "library", "model": "6.3"}, "library 6.3"),
        ({"code": "tpf", "stage": "unknown_9", "model": "5.0"}, "unknown_9 5.0"),
        ({"code": "other", "stage": "pixel", "model": "7"}, "pixel shader, other 7"),
    ],
)
def test_other_words(facts: dict[str, Any], words: str) -> None:
    assert headline(Reflection(format="dxcontainer", **facts)) == words
