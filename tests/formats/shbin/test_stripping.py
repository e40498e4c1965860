"""Stripping names: losses are announced, and the stripped file still works."""

import pytest

import unshade
from tests.fixtures import shbin
from unshade.formats.shbin import Shbin
from unshade.formats.shbin.records import Uniform
from unshade.formats.shbin.stripping import losses, strip


def strippable(shader: Shbin) -> list[tuple[str, int, str]]:
    return [each[:3] for each in losses(shader)]


def test_losses() -> None:
    assert strippable(shbin.named()) == [
        ("DVLP lines", 3 * 8 + 9, "debug"),
        ("DVLE labels", 2 * 16 + 5 + 8, "debug"),
        ("DVLE uniforms", 8 + 11, "reflection"),
    ]


def test_strip_debug_names() -> None:
    shader = Shbin.loads(shbin.named().to_bytes())
    before = len(shader.to_bytes())
    strip(shader, [each for each in losses(shader) if each.category == "debug"])
    assert strippable(shader) == [("DVLE uniforms", 8 + 11, "reflection")]
    again = Shbin.loads(shader.to_bytes())
    assert before - len(shader.to_bytes()) >= 3 * 8 + 9 + 2 * 16 + 5
    assert again.dvles[0].uniforms[0].symbol == "projection"
    assert again.dvlp.code == shbin.named().dvlp.code
    assert "layout" not in again.to_data()


def test_strip_uniform_names() -> None:
    shader = Shbin.loads(shbin.short().to_bytes())
    strip(shader, [each for each in losses(shader) if each.category == "reflection"])
    again = Shbin.loads(shader.to_bytes())
    assert again.dvles[0].uniforms == []
    assert [label.symbol for label in again.dvles[0].labels] == ["main", "endmain"]
    assert again.dvles[0].constants == shbin.constants()


@pytest.mark.parametrize("category", ["debug", "reflection"])
def test_diff_finds_the_stripped_category(category: str) -> None:
    shader = shbin.named()
    shader.dvles[0].labels[0].symbol = "vmain"
    shader.dvles[0].uniforms = [Uniform(symbol="normal", start=0, end=0)]
    before = Shbin.loads(shader.to_bytes())
    assert before.reflect().inputs[0].semantic == "normal"
    assert shader.strip(category)
    assert unshade.diff(before, shader).categories == [category]
