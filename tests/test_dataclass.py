"""Data classes whose methods are generated when used behave like those of `dataclasses`."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
import sys
import weakref
from pathlib import Path
from typing import Any, ClassVar

import pytest

from unshade.dataclass import dataclass, field, replace
from unshade.lazy import Generated

SOURCE = Path(__file__).parents[1] / "src"


@dataclass(slots=True)
class Plain:
    """Usual fields."""

    LIMIT: ClassVar[int] = 5
    first: int
    second: str = "two"
    third: list[int] = field(default_factory=list)
    length: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.length = len(self.third)


@dataclasses.dataclass(slots=True)
class SlowPlain:
    """Usual fields."""

    LIMIT: ClassVar[int] = 5
    first: int
    second: str = "two"
    third: list[int] = dataclasses.field(default_factory=list)
    length: int = dataclasses.field(init=False, default=0)

    def __post_init__(self) -> None:
        self.length = len(self.third)


@dataclass(slots=True, frozen=True)
class Frozen:
    first: int
    second: str = "two"
    third: object = field(default=None, compare=False, repr=False)


@dataclasses.dataclass(slots=True, frozen=True)
class SlowFrozen:
    first: int
    second: str = "two"
    third: object = dataclasses.field(default=None, compare=False, repr=False)


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class Base:
    first: int
    second: str = "two"


@dataclasses.dataclass(slots=True, eq=False, kw_only=True, repr=False)
class SlowBase:
    first: int
    second: str = "two"


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class Derived(Base):
    third: list[int] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"{self.first} {self.second} {self.third}"


@dataclasses.dataclass(slots=True, eq=False, kw_only=True, repr=False)
class SlowDerived(SlowBase):
    third: list[int] = dataclasses.field(default_factory=list)

    def __repr__(self) -> str:
        return f"{self.first} {self.second} {self.third}"


@dataclass(slots=True)
class Compared:  # noqa: PLW1641
    first: int

    def __eq__(self, other: object) -> bool:
        return True

    def __init__(self, first: int = 3) -> None:
        self.first = first


@dataclasses.dataclass(slots=True)
class SlowCompared:  # noqa: PLW1641
    first: int

    def __eq__(self, other: object) -> bool:
        return True

    def __init__(self, first: int = 3) -> None:
        self.first = first


EVERY: list[tuple[Any, Any]] = [
    (Plain, SlowPlain),
    (Frozen, SlowFrozen),
    (Base, SlowBase),
    (Derived, SlowDerived),
    (Compared, SlowCompared),
]


def _outcome(call: Any) -> str:
    """Return the result of a call or its error, without the names of the classes and places."""
    try:
        found = call()
    except (TypeError, ValueError, AttributeError) as error:
        found = (type(error), *error.args)
    return re.sub(r" at 0x\w+|Slow", "", repr(found))


def _changed(made: Any, name: str) -> Any:
    setattr(made, name, 9)
    return made


@pytest.mark.parametrize(("quick", "slow"), EVERY)
def test_the_classes_have_the_same_attributes(quick: Any, slow: Any) -> None:
    # Before 3.11.3 Python keeps a descriptor that its classes with slots have no use for.
    kept = {"__weakref__"} if sys.version_info < (3, 11, 3) and "__slots__" in vars(slow) else set()
    assert set(dir(slow)) - set(dir(quick)) - kept == set()
    for name in ("__slots__", "__match_args__", "__qualname__", "__doc__", "__annotations__"):
        if name != "__doc__" or slow.__doc__ == SlowPlain.__doc__:
            assert _outcome(lambda name=name: getattr(quick, name)) == _outcome(
                lambda name=name: getattr(slow, name)
            )
    assert (quick.__hash__ is None) == (slow.__hash__ is None)
    kinds = [(each.name, each.kind) for each in inspect.signature(slow).parameters.values()]
    assert kinds == [
        (each.name, each.kind) for each in inspect.signature(quick).parameters.values()
    ]


@pytest.mark.parametrize(("quick", "slow"), EVERY)
@pytest.mark.parametrize(
    "call",
    [
        lambda cls: cls(first=1),
        lambda cls: cls(1),
        lambda cls: cls(),
        lambda cls: cls(first=1, second="b", third=[4]),
        lambda cls: cls(1, "b", [1, 2]),
        lambda cls: cls(first=1, fourth=1),
        lambda cls: (cls(first=1) == cls(first=1), cls(first=1) == cls(first=2)),
        lambda cls: cls(first=1) == 1,
        lambda cls: cls(first=1, second="b") == cls(first=1, second="b", third=[]),
        lambda cls: hash(cls(first=1)) == hash(cls(first=1)),
        lambda cls: _changed(cls(first=1), "first"),
        lambda cls: delattr(cls(first=1), "first"),
        lambda cls: copy.copy(cls(first=1)),
        lambda cls: copy.deepcopy(cls(first=1, third=[2])),
        lambda cls: pickle.loads(pickle.dumps(cls(first=1))),
        lambda cls: cls.first,
        lambda cls: dataclasses.replace(cls(first=1), first=2),
        lambda cls: dataclasses.replace(cls(first=1), nothing=2),
        lambda cls: [each.name for each in dataclasses.fields(cls)],
        lambda cls: dataclasses.asdict(cls(first=1)),
        lambda cls: dataclasses.is_dataclass(cls(first=1)),
        lambda cls: [(each.compare, each.repr, each.init) for each in dataclasses.fields(cls)],
    ],
)
def test_objects_behave_alike(call: Any, quick: Any, slow: Any) -> None:
    assert _outcome(lambda: call(quick)) == _outcome(lambda: call(slow))


@pytest.mark.parametrize(("cls", "slow"), EVERY)
def test_replacing_is_that_of_dataclasses(cls: Any, slow: Any) -> None:
    for changes in ({"first": 5}, {"nothing": 5}, {"length": 1}, {}):
        found = _outcome(lambda changes=changes: replace(cls(first=1), **changes))
        expected = _outcome(lambda changes=changes: dataclasses.replace(slow(first=1), **changes))
        if "length" in changes and cls is Plain:  # the words are ours
            assert "init=False" in found
            assert "init=False" in expected
        else:
            assert found == expected
    assert replace(SlowPlain(1), first=2) == SlowPlain(2)


@pytest.mark.parametrize("name", ["first", "other"])
def test_a_frozen_object_takes_no_value(name: str) -> None:
    made = Frozen(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot assign to field '{name}'"):
        setattr(made, name, 2)
    with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot delete field '{name}'"):
        delattr(made, name)
    assert made == Frozen(1)


def test_lists_are_made_for_each_object() -> None:
    assert Plain(1).third is not Plain(1).third
    with pytest.raises(ValueError, match="third needs a default_factory"):
        dataclass(slots=True)(type("Wrong", (), {"__annotations__": {"third": list}, "third": []}))


def test_an_object_that_holds_itself_is_shown() -> None:
    made = Plain(1)
    made.third.append(made)  # type: ignore[arg-type]
    assert repr(made) == "Plain(first=1, second='two', third=[...], length=0)"


def test_weak_references_need_a_slot() -> None:
    @dataclass(slots=True, eq=False, weakref_slot=True)
    class Watched:
        first: int

    made = Watched(1)
    assert weakref.ref(made)() is made
    with pytest.raises(TypeError):
        weakref.ref(Plain(1))


def test_slots_are_asked_for() -> None:
    with pytest.raises(TypeError, match="without slots"):
        dataclass(slots=False)


def test_nothing_is_compiled_before_it_is_used() -> None:
    @dataclass(slots=True)
    class Unused:
        first: int

    assert type(vars(Unused)["__init__"]) is Generated
    assert Unused(1).first == 1
    assert inspect.isfunction(vars(Unused)["__init__"])
    assert vars(Unused)["__init__"].__qualname__.endswith("Unused.__init__")
    assert type(vars(Unused)["__eq__"]) is Generated


@pytest.mark.slow
def test_no_module_asks_dataclasses_for_classes_with_slots() -> None:
    asking = re.compile(r"^from dataclasses import .*\bdataclass\b", re.M)
    texts = [p.read_text("utf-8") for p in SOURCE.rglob("*.py") if p.name != "dataclass.py"]
    assert [
        text[:100]
        for text in texts
        if asking.search(text) and re.search(r"^@dataclass.*slots", text)
    ] == []
