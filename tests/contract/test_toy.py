"""A format that the library does not know keeps every promise once it is registered; and each
promise is one that a format can break.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.terminal import unshade
from tests.contract.installed import installed
from tests.contract.promises import PROMISES
from tests.contract.samples import Sample
from tests.contract.toy import TOY, Toy, one_of_each
from unshade.errors import Diagnostics, Severity
from unshade.model import Reflection, Stage
from unshade.rule import Rule
from unshade.wire import Span

SAMPLES = {name: Sample(TOY, name, data) for name, data in one_of_each().items()}


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with the toy is installed."""
    with installed(monkeypatch, TOY):
        yield


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", SAMPLES)
def test_the_toy_keeps_every_promise(name: str, promise: str, tmp_path: Path) -> None:
    PROMISES[promise](SAMPLES[name], tmp_path)


def test_help_names_registered_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    for verb in ("dis", "asm"):
        assert "toyc" in unshade(verb, "--help").out
    with installed(monkeypatch):
        for verb in ("dis", "asm"):
            assert "toyc" not in unshade(verb, "--help").out


# ---------------------------------------------------------------- what a format can do wrong


def loses_trailing(self: Toy) -> bytes:
    return write_of(self)[:-1]


write_of = Toy.to_bytes
data_of, spans_of, text_of = Toy.to_data, Toy.spans, Toy.disassemble


class Number(int):
    """A number that is equal to a plain one, as a member of an enumeration is."""


def without_numbers(self: Toy) -> dict[str, Any]:
    return {**data_of(self), "numbers": []}


def without_last(self: Toy) -> list[Span]:
    return spans_of(self)[:-1]


def crossing(self: Toy) -> list[Span]:
    first, second, *rest = spans_of(self)
    return [first._replace(length=first.length + 2), second._replace(length=4), *rest]


def with_tuples(self: Toy) -> dict[str, Any]:
    found = data_of(self)
    return {**found, "numbers": tuple(found["numbers"])}


def with_enumerations(self: Toy) -> dict[str, Any]:
    found = data_of(self)
    return {**found, "numbers": [Number(each) for each in found["numbers"]]}


def of_another_stage(self: Toy) -> Reflection:
    return Reflection(format="toy", stage=Stage.HULL)


def unknown_finding(self: Toy) -> Diagnostics:
    return Diagnostics([Rule("toy.made-up", Severity.NOTE, "a", "b").found("")])


def strips_nothing(self: Toy, lost: object) -> None:
    pass


def shortened(self: Toy, dialect: str | None = None, **options: Any) -> str:
    return "\n".join([*text_of(self, dialect, **options).split("\n")[:-3], ""])


def dies(self: Toy) -> Diagnostics:
    raise ZeroDivisionError


BROKEN: list[tuple[str, str, Callable[..., object]]] = [
    ("comes_back", "to_bytes", loses_trailing),
    ("is_identified", "to_bytes", loses_trailing),
    ("is_plain_data", "to_data", without_numbers),
    ("is_plain_data", "to_data", with_tuples),
    ("is_plain_data", "to_data", with_enumerations),
    ("is_plain_data_when_assembled", "to_data", with_enumerations),
    ("is_yaml", "to_data", without_numbers),
    ("has_every_byte_in_a_span", "spans", without_last),
    ("has_every_byte_in_a_span", "spans", crossing),
    ("is_reflected", "reflect", of_another_stage),
    ("is_verified", "verify", unknown_finding),
    ("is_stripped", "_strip", strips_nothing),
    ("differs_from_others_alone", "_strip", strips_nothing),
    ("is_read_from_its_text", "disassemble", shortened),
    ("survives_damage", "verify", dies),
    ("is_shown_by_every_verb", "verify", dies),
    ("is_written_by_every_verb", "to_data", without_numbers),
    ("links_its_listing", "line_paths", lambda self: [("nowhere",)]),
    ("has_its_options_on_the_command_line", "disassemble", lambda self, dialect=None: "\n"),
]


@pytest.mark.parametrize(
    ("promise", "method", "broken"), BROKEN, ids=[f"{each[0]} {each[1]}" for each in BROKEN]
)
def test_a_broken_toy_fails(
    promise: str,
    method: str,
    broken: Callable[..., object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Toy, method, broken)
    with pytest.raises((AssertionError, ZeroDivisionError)):
        PROMISES[promise](SAMPLES["vertex"], tmp_path)


def test_a_wrong_description_fails(tmp_path: Path) -> None:
    for wrong in (
        TOY._replace(suffix=""),
        TOY._replace(example="nothing"),
        TOY._replace(home="tests.contract.toy:ToyPart"),
        TOY._replace(strips=(("unheard-of", ""),)),
    ):
        with pytest.raises((AssertionError, ValueError)):
            PROMISES["describes_itself"](SAMPLES["vertex"]._replace(format=wrong), tmp_path)


def test_every_promise_can_be_broken() -> None:
    assert {each[0] for each in BROKEN} | {"describes_itself"} == set(PROMISES)
