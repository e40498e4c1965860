"""Reading of what is left of a damaged VBC file."""

import unshade
from tests.fixtures.vbc import made


def test_modules_before_the_damage_are_read() -> None:
    data = made().to_bytes()
    shader = unshade.loads(data[:-8], strict=False)
    assert [each.name for each in shader.parts] == ["VBC", "vert", "frag"]
    assert [each.error is None for each in shader.parts] == [True, True, False]
    assert len(shader.programs) == 1
    assert shader.to_bytes() == data[:-8]
    assert "frag.damaged" in shader.extract()


def test_all_is_intact_but_the_size() -> None:
    shader = unshade.loads(made().to_bytes() + b"more", strict=False)
    assert len(shader.programs) == 2
    assert shader.damage is not None
    assert shader.damage.path == "trailing"  # type: ignore[union-attr]
    assert "inputs[0]" in shader.disassemble()


def test_fields_before_the_damage_are_named() -> None:
    shader = unshade.loads(made().to_bytes()[:40], strict=False)
    paths = [each.path for each in shader.spans()]
    assert "VBC.inputs[0].location" in paths
    assert not shader.programs
    assert unshade.formats.format_named("vbc").shader().claim(made().to_bytes()[:-4]) > 100
