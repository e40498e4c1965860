"""Specialisations."""

from __future__ import annotations

from typing import Any

import pytest

from unshade.errors import UnsupportedError, UsageError
from unshade.ir.specialisation import NAMES, Specialisation, refuse
from unshade.vocab.slots import ResourceClass, ResourceSlot

GIVEN: dict[str, Any] = {
    "constants": {1: 2.0}, "group": (8, 8, 1), "wave_size": 64, "precision": "float24",
    "bounds": "clamp", "interfaces": {0: 1}, "instances": {0: (0, 1, 2, 3)}, "lengths": {"t0": 4},
    "assumed": 1,
    "color_space": "srgb", "samples": 4, "flush": frozenset({32}),
    "for_source": True, "labelled": False,
}  # fmt: skip


def test_equal_specialisations_are_one_key() -> None:
    assert GIVEN.keys() == set(NAMES)
    one, two = Specialisation(**GIVEN), Specialisation(**GIVEN)
    assert one == two
    assert {one: "found"}[two] == "found"


@pytest.mark.parametrize("name", NAMES)
def test_every_field_is_part_of_the_key(name: str) -> None:
    assert Specialisation(**{name: GIVEN[name]}).key != Specialisation().key


def test_it_copies_its_arguments() -> None:
    given = {"t0": 4}
    made = Specialisation(lengths=given)
    given["t0"] = 5
    assert dict(made.lengths) == {"t0": 4}


@pytest.mark.parametrize(
    ("given", "declared", "most", "count"),
    [
        ({"lengths": {"t0": 4}}, None, 8, 4),
        ({"lengths": {"t0": 4}}, 3, 8, 3),
        ({"lengths": {"t0": 100}}, None, 8, 100),
        ({"lengths": {"t0": 4}, "assumed": 1}, None, 8, 4),
        ({}, 8, 8, 8),
        ({"assumed": 1}, 8, 8, 8),
        ({"assumed": 1}, 9, 8, 1),
        ({"assumed": 1}, None, 8, 1),
    ],
)
def test_the_length_of_an_array(
    given: dict[str, Any], declared: int | None, most: int, count: int
) -> None:
    slot = ResourceSlot(ResourceClass.READ, 0)
    assert Specialisation(**given).array_length(slot, "t0", declared, most) == count


@pytest.mark.parametrize(
    ("given", "declared", "got"),
    [
        ({}, None, "8 resources in t0, which is indexed, got an unbounded array: use --length t0"),
        ({}, 9, "8 resources in t0, which is indexed, got 9"),
        ({}, 0, "got 0"),
        ({"lengths": {"t0": 0}}, None, "got 0"),
        ({"lengths": {"t0": 2000}}, None, "1024 resources in t0, which is indexed, got 2000"),
    ],
)
def test_lengths_that_do_not_fit(given: dict[str, Any], declared: int | None, got: str) -> None:
    slot = ResourceSlot(ResourceClass.READ, 0)
    with pytest.raises(UnsupportedError, match=f"expected 1 to .*{got}"):
        Specialisation(**given).array_length(slot, "t0", declared, 8)


def test_lengths_by_slot_or_label() -> None:
    slot = ResourceSlot(ResourceClass.READ, 3, space=1, count=None)
    assert Specialisation(lengths={slot: 4}).length(slot, "t3_space1") == 4
    assert Specialisation(lengths={"t3_space1": 5}).length(slot, "t3_space1") == 5
    assert Specialisation(lengths={"t3": 5}).length(slot, "t3_space1") is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"lengths": 4}, "lengths: expected a dict, got 4"),
        ({"precision": "half"}, "precision: expected float32 or float24, got 'half'"),
        ({"bounds": "trap"}, "bounds: expected zero or clamp, got 'trap'"),
        ({"bounds": []}, r"bounds: expected zero or clamp, got \[\]"),
        ({"wave_size": 3}, "wave_size: expected a power of two up to 128, got 3"),
        ({"wave_size": 256}, "wave_size: expected a power of two up to 128, got 256"),
        ({"wave_size": "32"}, "wave_size: expected a power of two up to 128, got '32'"),
    ],
)
def test_invalid_values(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Specialisation(**given)


def test_unsupported_options_are_named() -> None:
    refuse(["lengths"], {"lengths"}, "programs")
    with pytest.raises(UsageError, match=r"^programs of x take no option group; options are leng"):
        refuse(["lengths", "group"], {"lengths"}, "programs of x")
    with pytest.raises(UsageError, match=r"no option lenght; did you mean lengths\?"):
        refuse(["lenght"], {"lengths"}, "programs")
