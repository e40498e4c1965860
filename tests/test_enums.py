"""Enumerations that are made directly behave like those that `enum` makes."""

from __future__ import annotations

import copy
import enum
import pickle
import re
from enum import Enum, auto
from importlib import import_module
from pathlib import Path
from types import new_class
from typing import Any

import pytest

from unshade.enums import IntEnum, StrEnum, member_of

SOURCE = Path(__file__).parents[1] / "src"
BASES = {IntEnum: enum.IntEnum, StrEnum: enum.StrEnum}


class Number(IntEnum):
    """Integers."""

    ONE = 1
    TWO = 2
    DEUX = 2

    @property
    def twice(self) -> int:
        return 2 * self

    @classmethod
    def first(cls) -> Number:
        return cls.ONE


class SlowNumber(enum.IntEnum):
    """Integers."""

    ONE = 1
    TWO = 2
    DEUX = 2

    @property
    def twice(self) -> int:
        return 2 * self

    @classmethod
    def first(cls) -> SlowNumber:
        return cls.ONE


class Word(StrEnum):
    """Texts."""

    RED = auto()
    DARK_RED = "dark red"
    ROUGE = "red"


class SlowWord(enum.StrEnum):
    """Texts."""

    RED = auto()
    DARK_RED = "dark red"
    ROUGE = "red"


PAIRS = [(Number, SlowNumber), (Word, SlowWord)]
pairs = pytest.mark.parametrize(("quick", "slow"), PAIRS, ids=["numbers", "texts"])


def observed(cls: Any, name: str) -> dict[str, object]:
    """Return what can be seen of an enumeration, with its name replaced."""
    told = {
        "length": len(cls),
        "members": list(cls.__members__),
        "doc": cls.__doc__,
        "type": cls._member_type_,
        "first": next(iter(cls)),
        "reversed": list(reversed(cls)),
        "dir": sorted(set(dir(cls)) - {"__qualname__"}),
        "own": sorted(key for key, value in vars(cls).items() if isinstance(value, dict | list)),
        "bool": bool(cls),
        "class": repr(cls),
    }
    for key, each in cls.__members__.items():
        told[key] = (
            *(
                each.name,
                each.value,
                repr(each),
                str(each),
                f"{each}",
                f"{each:>12}",
                format(each, "s") if isinstance(each, str) else f"{each:d}",
            ),
            *(hash(each), each == each.value, cls(each.value) is each, cls[key] is each),
            *(each in cls, getattr(cls, key) is each, type(each).__name__, each.__objclass__),
            *(sorted(vars(each)), sorted(dir(each)), each._sort_order_),
        )
    return {key: str(value).replace(name, "X") for key, value in told.items()}


@pairs
def test_behaves_like_enum(quick: Any, slow: Any) -> None:
    assert observed(quick, quick.__name__) == observed(slow, slow.__name__)


@pairs
def test_errors_are_those_of_enum(quick: Any, slow: Any) -> None:
    def error(run: Any, cls: Any) -> str:
        with pytest.raises((ValueError, KeyError, AttributeError, TypeError)) as caught:
            run(cls)
        text = f"{caught.type.__name__} {caught.value}"
        return re.sub(r"0x[0-9a-f]+", "", text).replace(cls.__name__, "X")

    for run in (
        lambda cls: cls(77),
        lambda cls: cls["NONE"],
        lambda cls: cls.NONE,
        lambda cls: setattr(cls, next(iter(cls)).name, 3),
        lambda cls: delattr(cls, next(iter(cls)).name),
        lambda cls: new_class("Sub", (cls,)),
    ):
        assert error(run, quick) == error(run, slow)


@pairs
def test_members_are_unique_objects(quick: Any, slow: Any) -> None:
    for each in quick:
        assert pickle.loads(pickle.dumps(each)) is each
        assert copy.deepcopy(each) is each
        assert isinstance(each, type(slow).__mro__[0]) is False
        assert isinstance(each, BASES[quick.__mro__[1]])
    assert isinstance(quick, enum.EnumType)


def test_methods_and_aliases() -> None:
    assert Number.TWO.twice == 4
    assert Number.first() is Number.ONE
    assert Number["DEUX"] is Number.TWO
    assert Word["ROUGE"] is Word.RED
    assert [each.name for each in Word] == ["RED", "DARK_RED"]


def test_unusual_enumerations_are_made_by_enum() -> None:
    class Shifted(IntEnum):
        def __new__(cls, value: int) -> Shifted:
            made = int.__new__(cls, value + 100)
            made._value_ = value + 100
            return made

        A = 1

    class Counted(IntEnum):
        A = auto()
        B = auto()

    class Named(StrEnum):
        title = "a title"  # type: ignore[assignment]  # a method of str
        OTHER = "other"

        @classmethod
        def _missing_(cls, value: object) -> Named:
            return cls.OTHER

    assert list(Shifted) == [101]
    assert [*Counted] == [1, 2]
    assert Named("?") is Named.OTHER
    assert [str(each) for each in Named] == ["a title", "other"]
    with pytest.raises(ValueError, match="one and a half"):
        new_class("Wrong", (IntEnum,), {}, lambda body: body.update(A="one and a half"))


def enumerations() -> list[type[Enum]]:
    """Return all enumerations of our modules."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text("utf-8")
        if names := re.findall(r"^class (\w+)\((?:Int|Str)Enum\):", text, re.M):
            parts = path.relative_to(SOURCE).with_suffix("").parts
            module = import_module(".".join(parts).removesuffix(".__init__"))
            found += [vars(module)[name] for name in names if name in vars(module)]
    return found


@pytest.mark.slow
def test_all_our_enumerations_equal_those_that_enum_makes() -> None:
    ours = enumerations()
    assert len(ours) > 150
    for cls in ours:
        base: Any = BASES[cls.__mro__[1]]  # type: ignore[index]
        slow = base(cls.__name__, {key: each.value for key, each in cls.__members__.items()})
        told = [(key, m.name, m.value, repr(m), str(m)) for key, m in slow.__members__.items()]
        assert [
            (key, m.name, m.value, repr(m), str(m)) for key, m in cls.__members__.items()
        ] == told
        assert list(cls) == list(slow)
        for value in cls._value2member_map_:
            assert cls(value).name == slow(value).name


@pytest.mark.slow
def test_no_module_asks_enum_for_plain_enumerations() -> None:
    asking = re.compile(r"^from enum import .*\b(Int|Str)Enum\b", re.M)
    paths = [p for p in SOURCE.rglob("*.py") if p.name != "enums.py"]
    assert [p for p in paths if asking.search(p.read_text("utf-8"))] == []


def test_members_are_found_by_value() -> None:
    assert member_of(Number, 2) is Number.TWO
    assert member_of(Word, "red") is Word.RED
    assert member_of(Number, 3) is None
