"""Entries of the cache: names that differ if anything does, and values that this code made."""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from unshade.ir.library.states import SamplerState, TextureState
from unshade.ir.memory import Bounds
from unshade.ir.specialisation import Specialisation
from unshade.vm.jit.cache import entries, module_digests
from unshade.vm.jit.cache.entries import NoIdentityError, name_of
from unshade.vm.jit.cache.values import Codec
from unshade.vm.jit.layout import LaneLayout
from unshade.vocab.slots import ResourceClass, ResourceSlot


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNSHADE_CACHE", str(tmp_path))
    monkeypatch.setattr(
        module_digests, "HERE", module_digests.ModuleDigests(started=time.time_ns() + 10**12)
    )
    return tmp_path


# Other values of fields whose type does not say which there are.
OTHERS: dict[str, Any] = {
    "bounds": Bounds.CLAMP, "group": (8, 8, 1), "color_space": "srgb", "precision": "float24",
    "comparison": "less", "range": (0.0, 1.0), "wave_size": 64, "assumed": 16,
    "flush": frozenset({32}),
}  # fmt: skip


def other(name: str, value: Any) -> Any:
    """Return another value of a field."""
    if name in OTHERS:
        return OTHERS[name]
    match value:
        case bool():
            return not value
        case Enum():
            return next(each for each in type(value) if each is not value)
        case int() | float():
            return value + 1
        case tuple():
            return (*value[:-1], other("", value[-1]))
        case MappingProxyType():
            return {0: 1, **value}
    raise AssertionError(f"what else may {name} be?")


@pytest.mark.parametrize(
    "state",
    [
        Specialisation(), SamplerState(), TextureState(),
        LaneLayout(8, True, False, True, True, 64, 8),
    ],
    ids=lambda state: type(state).__name__,
)  # fmt: skip
def test_every_field_is_part_of_the_name(state: Any) -> None:
    """Of whatever code is specialised for, also of what a later version adds."""
    names = {name_of(state)}
    for each in fields(state):
        names.add(
            name_of(replace(state, **{each.name: other(each.name, getattr(state, each.name))}))
        )
    assert len(names) == 1 + len(fields(state))


def different() -> Iterator[Any]:
    """Yield values no two of which are the same."""
    yield from (None, True, False, 0, 1, -1, 10, 0.0, -0.0, 1.0, float("inf"), "", "1", b"", b"1")
    yield from (struct.unpack("<d", struct.pack("<Q", 0x7FF8 << 48 | bits))[0] for bits in (0, 1))
    yield from ((), (1,), ((1,),), (1, 1), ("1", "1"), ("11",), ((), 1), [], [1], {}, {1: 1})
    yield from ({1: 2}, {2: 1}, {1: 1, 2: 2}, {2: 2, 1: 1}, frozenset(), frozenset({1}))
    yield from (Bounds.ZERO, Bounds.CLAMP, "zero", ResourceClass.READ)
    yield ("Bounds", Bounds.ZERO.value)
    yield ResourceSlot(ResourceClass.READ, 0)
    yield ResourceSlot(ResourceClass.READ, 1)
    yield tuple(ResourceSlot(ResourceClass.READ, 1))
    yield SamplerState()
    yield TextureState()


def test_different_values_have_different_names() -> None:
    values = [*different()]
    assert len({name_of(each) for each in values}) == len(values)
    assert len({name_of(each, None) for each in values}) == len(values)


def test_equal_values_have_the_same_name() -> None:
    assert name_of(frozenset("abcdef")) == name_of(frozenset("fedcba"))
    assert name_of({"a": 1}) == name_of(MappingProxyType({"a": 1}))


@pytest.mark.parametrize("value", [object(), [object()], {1: object()}, range(3)])
def test_unknown_objects_have_no_name(value: object) -> None:
    with pytest.raises(NoIdentityError):
        name_of(value)


def test_entries_are_read_back(folder: Path) -> None:
    name = name_of("entry")
    assert entries.read(name) is None
    codec = Codec()
    entries.write(name, codec, ({"a": 1}, 2), (b"raw",))
    found = entries.read(name)
    assert found is not None
    assert [codec.unpacked(each) for each in found] == [({"a": 1}, 2), (b"raw",)]


def test_objects_of_unknown_classes_are_not_stored(folder: Path) -> None:
    name = name_of("entry")
    entries.write(name, Codec(), (Specialisation(),))
    assert entries.read(name) is None


def test_entries_of_other_code_are_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = name_of("entry")
    entries.write(name, Codec(), ("value",))
    assert entries.read(name) is not None
    monkeypatch.setattr(module_digests.HERE, "digest_of_set", lambda _: "ab" * 32)
    assert entries.read(name) is None
    monkeypatch.setattr(module_digests.HERE, "digest_of_set", lambda _: "")
    assert entries.read(name) is None


def test_nothing_is_stored_if_a_module_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module_digests, "HERE", module_digests.ModuleDigests(started=1))
    name = name_of("entry")
    entries.write(name, Codec(), ("value",))
    assert entries.read(name) is None
    assert not [*folder.glob("*/*")]
