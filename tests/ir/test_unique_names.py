"""Unique names, among declarations that grow."""

from unshade.ir.memory import Var
from unshade.ir.types import I32
from unshade.ir.unique_names import UniqueNames


def test_numbers_make_names_unique() -> None:
    declared = [Var("a", I32)]
    names = UniqueNames(declared)
    assert [names.unique(stem) for stem in ("a", "b", "a", "b")] == ["a.1", "b", "a.2", "b.1"]
    declared.append(Var("a.3", I32))
    declared.append(Var("c", I32))
    assert [names.unique(stem) for stem in ("a", "c")] == ["a.4", "c.1"]


def test_numbered_names() -> None:
    declared = [Var("kept1", I32)]
    names = UniqueNames(declared)
    assert [names.numbered("kept") for _ in range(2)] == ["kept0", "kept2"]
    declared.append(Var("kept3", I32))
    assert names.numbered("kept") == "kept4"
