"""Named tuples that are made directly behave like those that `typing` makes."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import typing
from pathlib import Path
from typing import Any, Generic, TypeVar, get_type_hints

import pytest

from unshade import tuples
from unshade.tuples import NamedTuple

SOURCE = Path(__file__).parents[1] / "src"
T = TypeVar("T")


class Place(NamedTuple):
    """A run of bytes."""

    offset: int
    length: int = 2
    name: str | None = None

    @property
    def end(self) -> int:
        return self.offset + self.length

    def __repr__(self) -> str:
        return f"{self.offset}+{self.length}"


class SlowPlace(typing.NamedTuple):
    """A run of bytes."""

    offset: int
    length: int = 2
    name: str | None = None

    @property
    def end(self) -> int:
        return self.offset + self.length

    def __repr__(self) -> str:
        return f"{self.offset}+{self.length}"


class Bare(NamedTuple):
    first: int
    second: str


class SlowBare(typing.NamedTuple):
    first: int
    second: str


class Pair(NamedTuple, Generic[T]):
    """A class that `typing` makes, which has another base."""

    one: T
    other: T


def made_of(*fields: str, **body: object) -> Any:
    """Return the class that a class statement with these annotations makes."""
    annotations = dict.fromkeys(fields, int)
    body |= {"__module__": __name__, "__annotations__": annotations}
    return tuples.NamedTupleType("Made", (NamedTuple,), body)


EVERY: list[tuple[Any, Any]] = [(Place, SlowPlace), (Bare, SlowBare)]


def _outcome(call: Any) -> str:
    """Return the result of a call or its error, without the names of the classes."""
    try:
        found = call()
    except (TypeError, ValueError, AttributeError) as error:
        found = error
    return repr(found).replace("Slow", "")


@pytest.mark.parametrize(("quick", "slow"), EVERY)
def test_the_classes_have_the_same_attributes(quick: Any, slow: Any) -> None:
    missing = set(dir(slow)) - set(dir(quick))
    assert missing <= {"__orig_bases__"}
    for name in ("_fields", "_field_defaults", "__match_args__", "__slots__", "__mro__"):
        assert _outcome(lambda name=name: getattr(quick, name)) == _outcome(
            lambda name=name: getattr(slow, name)
        )
    assert (quick.__doc__ or "") == (slow.__doc__ or "").replace("Slow", "")
    assert get_type_hints(quick) == get_type_hints(slow)
    assert [*inspect.signature(quick).parameters] == [*inspect.signature(slow).parameters]
    assert type(quick) is type(slow) is type


@pytest.mark.parametrize(("quick", "slow"), EVERY)
@pytest.mark.parametrize(
    "call",
    [
        lambda cls: cls(1, "two"),
        lambda cls: cls(*cls(1, "two")),
        lambda cls: cls(**cls(1, "two")._asdict()),
        lambda cls: cls(),
        lambda cls: cls(1, 2, 3, 4),
        lambda cls: cls(1, 2, other=3),
        lambda cls: cls._make("ab"),
        lambda cls: cls._make("abc"),
        lambda cls: cls._make([]),
        lambda cls: cls(1, "two")._replace(**{cls._fields[0]: 5}),
        lambda cls: cls(1, "two")._replace(nothing=5),
        lambda cls: copy.copy(cls(1, "two")),
        lambda cls: cls(1, "two").__getnewargs__(),
        lambda cls: pickle.loads(pickle.dumps(cls(1, "two"))),
        lambda cls: (cls(1, "two") == (1, "two"), hash(cls(1, "two")), [*cls(1, "two")]),
        lambda cls: (cls(7, "two")[0], getattr(cls(7, "two"), cls._fields[0])),
        lambda cls: setattr(cls(1, "two"), cls._fields[1], 3),
        lambda cls: cls(1, 2).end,
    ],
)
def test_objects_behave_alike(call: Any, quick: Any, slow: Any) -> None:
    assert _outcome(lambda: call(quick)) == _outcome(lambda: call(slow))


def test_subclasses_keep_the_class_that_made_them() -> None:
    class Named(Place):
        __slots__ = ()

    made = Named(1)._replace(length=5)
    assert type(made) is Named
    assert (made.end, type(Named._make([1, 2, None]))) == (6, Named)


def test_typing_makes_what_is_unusual() -> None:
    assert Pair[int](1, 2)._fields == ("one", "other")
    assert Generic in Pair.__mro__
    wide = made_of(*(f"field{at}" for at in range(30)))
    assert len(wide(*range(30))) == len(wide._fields) > len(tuples.MAKERS)
    with pytest.raises(ValueError, match="_hidden"):
        made_of("_hidden")
    with pytest.raises(TypeError, match=r"[Nn]on-default .*two"):
        made_of("one", "two", one=1)
    with pytest.raises(AttributeError, match="_make"):
        made_of("one", _make=1)


@pytest.mark.parametrize("count", range(len(tuples.MAKERS)))
def test_each_number_of_fields_has_its_constructor(count: int) -> None:
    names = [f"field{at}" for at in range(count)]
    made = made_of(*names)
    assert made(*range(count)) == tuple(range(count))
    assert made(**{name: name for name in names}) == tuple(names)
    assert made.__new__.__qualname__ == "Made.__new__"


@pytest.mark.slow
def test_no_module_asks_typing_for_named_tuples() -> None:
    asking = re.compile(r"^from typing import [^\n(]*\bNamedTuple\b", re.M)
    paths = [p for p in SOURCE.rglob("*.py") if p.name != "tuples.py"]
    assert [p for p in paths if asking.search(p.read_text("utf-8"))] == []
