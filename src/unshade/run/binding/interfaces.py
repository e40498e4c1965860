"""Classes bound to interfaces, by number, by label of the program or by name of the source.

    interfaces={0: 2}                          slot 0, function table 2
    interfaces={"fp0": "ft2"}                  the same, as the program calls them
    interfaces={"colour": "cHalf"}             the variable, and the class
    interfaces={"lights[1]": "sun"}            an instance: it also names the place of its data
    interfaces={"lights[1]": "cSpot@0,4"}      data in constant buffer 0 from row 4 on; behind those
                                               the numbers of a texture and a sampler

A program takes numbers (programs/tpf/lower); names and labels come from the reflection.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import UsageError
from ...model import BufferKind, InterfaceInstance, Interfaces, InterfaceSlot, Reflection
from .numbers import shown
from .suggestions import suggestion

Instance = tuple[int, int, int, int]  # constant buffer, row, texture, sampler

MOST = 1024  # elements of an array that are called by their index


def linked(options: Mapping[str, Any], reflection: Reflection | None) -> dict[str, Any]:
    """Return the options of a kernel with numbers in place of all names."""
    made = dict(options)
    given = _mapping(options.get("interfaces"), "interfaces")
    data = _mapping(options.get("instances"), "instances")
    if not given and not data:
        return made
    names = _Names(reflection)
    tables: dict[int, int] = {}
    instances: dict[int, Instance] = {}
    for key, value in given.items():
        for slot in names.slots(key):
            tables[slot], instance = names.bound(slot, value)
            if instance is not None:
                instances[slot] = instance
    for key, value in data.items():
        instances.update(dict.fromkeys(names.slots(key), _instance(value)))
    if given:
        made["interfaces"] = tables
    if instances:
        made["instances"] = instances
    return made


def _mapping(given: Any, what: str) -> Mapping[Any, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise UsageError(f"{what}: expected a dict by slot, got {shown(given)}")
    return given or {}


def _instance(given: Any) -> Instance:
    """Return one to four numbers as four; missing numbers are 0."""
    try:
        found = [int(each) for each in given]
    except (TypeError, ValueError):
        found = []
    if not 1 <= len(found) <= 4 or min(found) < 0:
        raise UsageError(
            "expected an object's data as one to four numbers (constant buffer, row, texture,"
            f" sampler), got {shown(given)}"
        )
    first, second, third, fourth = [*found, 0, 0, 0][:4]
    return first, second, third, fourth


class _Names:
    """Names of a shader's interfaces, classes and instances; labels of the program."""

    def __init__(self, reflection: Reflection | None) -> None:
        found = reflection.interfaces if reflection is not None else None
        self.facts = found or Interfaces(slot_count=0)
        self.variables: dict[str, list[int]] = {}  # and each element of an array
        for buffer in reflection.constant_buffers if reflection is not None else ():
            if buffer.kind == BufferKind.INTERFACE_POINTERS:
                for each in buffer.variables:
                    self._add(each.name, range(each.offset, each.offset + min(each.size, MOST)))
        self.labels: dict[str, int] = {}
        self.tables: dict[str, int] = {}
        for row in self.facts.slots:
            self.labels.update(zip(row.labels, range(row.start, row.start + MOST), strict=False))
            self.tables.update(zip(row.table_labels, row.tables, strict=False))
        self.objects: dict[str, tuple[int, Instance]] = {}
        for instance in self.facts.instances:
            for name, number in _elements(instance.name, max(instance.elements, 1)):
                self.objects.setdefault(name, self._object(instance, number))

    def _add(self, name: str, slots: range) -> None:
        self.variables.setdefault(name, [*slots])
        if len(slots) > 1:
            for at, slot in enumerate(slots):
                self.variables.setdefault(f"{name}[{at}]", [slot])

    def slots(self, key: Any) -> list[int]:
        """Return the slots of a number, label or variable; all slots of an array without index."""
        number = _number(key, self.labels)
        if number is not None:
            return [self._checked(number)]
        found = self.variables.get(str(key))
        if found is None:
            raise UsageError(f"unknown interface {key!r:.40}{suggestion(str(key), self.variables)}")
        return found

    def _checked(self, slot: int) -> int:
        if slot >= self.facts.slot_count > 0:
            raise UsageError(
                f"no such interface slot: {slot}; expected 0 to {self.facts.slot_count - 1}"
            )
        return slot

    def bound(self, slot: int, value: Any) -> tuple[int, Instance | None]:
        """Return the function table that a slot is bound to, and where the object's data are."""
        text, at, places = str(value).partition("@")
        data = _instance(places.split(",")) if at else None
        row = self._row(slot)
        table = _number(text, self.tables)
        if table is not None:
            if row is not None and row.tables and table not in row.tables:
                raise self._refused(slot, row, value)
            return table, data
        if row is None:
            raise UsageError(
                f"interface slot {slot}: expected the number of a table, got {value!r:.40}"
            )
        known = dict(zip(row.class_ids, row.tables, strict=False))
        for each in self.facts.classes:
            if each.name == text and each.id in known:
                return known[each.id], data
        found = self.objects.get(text)
        if found is None or found[0] not in known:
            raise self._refused(slot, row, value)
        return known[found[0]], data or found[1]

    def _row(self, slot: int) -> InterfaceSlot | None:
        rows = self.facts.slots
        return next((each for each in rows if each.start <= slot < each.start + each.span), None)

    def _object(self, given: InterfaceInstance, number: int) -> tuple[int, Instance]:
        """Return the class of an instance, and the location of its data."""
        kind = next((each for each in self.facts.classes if each.id == given.class_id), None)
        rows, textures, samplers = (
            (kind.constant_buffer_stride, kind.textures, kind.samplers) if kind else (0, 0, 0)
        )
        return given.class_id, (
            given.constant_buffer or 0,
            (given.constant_buffer_offset or 0) + number * rows,
            (given.texture or 0) + number * textures,
            (given.sampler or 0) + number * samplers,
        )

    def _refused(self, slot: int, row: InterfaceSlot, value: Any) -> UsageError:
        """Return the error for an unsuitable value of a slot, listing the suitable values."""
        names = {each.id: each.name for each in self.facts.classes}
        classes = [names.get(each, "") for each in row.class_ids]
        labels = row.table_labels or [str(each) for each in row.tables]
        accepted = [
            f"{name} ({table})" if name else table
            for name, table in zip([*classes, *[""] * len(labels)], labels, strict=False)
        ]
        accepted += [each.name for each in self.facts.instances if each.class_id in row.class_ids]
        return UsageError(
            f"interface slot {slot}: expected one of {', '.join(accepted)}, got {value!r:.40}"
        )


def _number(given: Any, labels: Mapping[str, int]) -> int | None:
    """Return a number, or the number of a label of the program."""
    text = str(given)
    return int(text) if text.isascii() and text.isdecimal() else labels.get(text)


def _elements(name: str, count: int) -> Iterator[tuple[str, int]]:
    """Yield the names of an array and of its elements; the array alone is its first."""
    yield name, 0
    for number in range(min(count, MOST)):
        yield f"{name}[{number}]", number
