"""Categories of parts, and of the bytes of a container around them."""

from __future__ import annotations

import unshade
from tests.cli.terminal import PHONG
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.part import DxPart
from unshade.formats.dxcontainer.parts import described
from unshade.formats.dxcontainer.parts.description import ROOT_SIGNATURE, losses
from unshade.parts import Category
from unshade.stripping import STRIPPABLE


def test_categories_of_parts() -> None:
    assert described().keys() >= {"SHEX", "ISG1", "SDGB", "PRIV", "LIBF", "Aon9"}
    for name, each in described().items():
        part = DxPart(name)
        assert each.title
        assert (part.title, part.category) == (each.title, each.category)
        assert part.purpose == (*each[:2], each.loss)
    assert (DxPart("WHAT").title, DxPart("WHAT").category) == ("", Category.CONTAINER)


def test_strip_knows_every_category() -> None:
    everything = [*map(DxPart, described()), DxPart("STAT", bytes(8) + b"DXIL")]
    found = losses(everything)
    assert {loss.category for loss in found} == set(STRIPPABLE)
    assert [loss.part for loss in found if loss.category == ROOT_SIGNATURE] == ["RTS0"]
    assert losses(part for part in everything if part.category is not Category.CODE) == []


def test_a_field_may_have_another_category() -> None:
    assert DxPart("RDEF").category_of("creator") is Category.COMPILER
    assert DxPart("RDEF").category_of("bindings[0].name") is Category.REFLECTION
    assert DxPart("STAT").category_of("creator") is Category.STATISTICS


def test_stat_beside_dxil_is_reflection() -> None:
    assert DxPart("STAT", bytes(8) + b"DXIL" + bytes(8)).category is Category.REFLECTION
    assert DxPart("STAT", bytes(148)).category is Category.STATISTICS


def test_categories_of_bytes_between_parts() -> None:
    shader = unshade.open(PHONG)
    assert isinstance(shader, DxContainer)
    assert shader.frame() == {"digest": "retail"}
    shader.tail, shader.trailing, shader.digest = b"ab", b"c", bytes(16)
    shader.parts[1].gap = b"g"
    assert DxContainer.loads(shader.to_bytes()).frame() == {
        "digest": "none",
        "OSGN.gap": "67",
        "tail": "6162",
        "trailing": "63",
    }
