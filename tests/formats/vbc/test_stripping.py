"""Names of the uniform block's members are replaced by short ones."""

import unshade
from tests.examples import EXAMPLES


def names(shader: unshade.Vbc) -> list[str]:
    return [each.name for each in shader.record.uniform.members]


def test_names_become_short_and_stay_different() -> None:
    shader = unshade.Vbc.open(EXAMPLES / "everything.vbc")
    before = names(shader)
    (lost,) = (each for each in shader.strip(*("reflection",)) if "names" in each.part)
    assert names(shader) == ["a", "b", "c"]
    assert lost.size == sum(map(len, before)) - 3
    again = unshade.loads(shader.to_bytes())
    assert [each.code for each in again.verify() if each.code == "vbc.name"] == []
    assert again.strip(*("all",)) == []


def test_a_short_name_is_kept_and_given_to_no_other() -> None:
    shader = unshade.Vbc.open(EXAMPLES / "everything.vbc")
    shader.record.uniform.members[1].name = "a"
    shader.strip(*("reflection",))
    assert names(shader) == ["b", "a", "c"]
