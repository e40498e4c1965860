"""Which class stands behind each interface: numbers as the listing has them, names of the source.

    interfaces={0: 2}                          slot fp0, function table ft2
    interfaces={"colour": "cHalf"}             the variable, and the class
    interfaces={"lights[1]": "sun"}            an instance: it also says where its data are
    interfaces={"lights[1]": "cSpot@0,4"}      data in constant buffer 0 from row 4 on; behind those
                                               the numbers of a texture and a sampler

A program takes numbers (programs/tpf/lower); names are those of the reflection.
"""

import re
from collections.abc import Mapping
from typing import Any

from ..errors import UsageError
from ..model import BufferKind, Interfaces, InterfaceSlot, Reflection
from .layout import near
from .numbers import shown

Instance = tuple[int, int, int, int]  # constant buffer, row, texture, sampler

SLOT = re.compile(r"(?:fp)?(\d+)")
TABLE = re.compile(r"(?:ft)?(\d+)")
ELEMENT = re.compile(r"(.+)\[(\d+)\]")


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
        raise UsageError(f"{what} are a dict by slot, not {shown(given)}")
    return given or {}


def _instance(given: Any) -> Instance:
    """Up to four numbers; the others are 0."""
    try:
        found = [int(each) for each in given]
    except (TypeError, ValueError):
        found = []
    if not 1 <= len(found) <= 4 or min(found) < 0:
        told = "constant buffer, row, texture, sampler"
        raise UsageError(f"an object's data are up to four numbers ({told}), not {shown(given)}")
    first, second, third, fourth = [*found, 0, 0, 0][:4]
    return first, second, third, fourth


class _Names:
    """The names that a shader's interfaces, classes and instances have."""

    def __init__(self, reflection: Reflection | None) -> None:
        found = reflection.interfaces if reflection is not None else None
        self.facts = found or Interfaces(slot_count=0)
        self.variables = {
            each.name: range(each.offset, each.offset + each.size)
            for buffer in (reflection.constant_buffers if reflection is not None else ())
            if buffer.kind == BufferKind.INTERFACE_POINTERS
            for each in buffer.variables
        }

    def slots(self, key: Any) -> list[int]:
        """Return the slots of a number or a variable; of an array without an index all."""
        number = SLOT.fullmatch(str(key))
        if number is not None:
            return [self._checked(int(number[1]))]
        element = ELEMENT.fullmatch(str(key))
        name = element[1] if element is not None else str(key)
        found = self.variables.get(name)
        if found is None:
            raise UsageError(f"no interface is called {name!r:.40}{near(name, self.variables)}")
        if element is None:
            return [*found]
        if int(element[2]) >= len(found):
            raise UsageError(f"interface {name} has {len(found)} elements: there is no {key}")
        return [found[int(element[2])]]

    def _checked(self, slot: int) -> int:
        if slot >= self.facts.slot_count > 0:
            raise UsageError(
                f"no interface slot {slot}: there are 0 to {self.facts.slot_count - 1}"
            )
        return slot

    def bound(self, slot: int, value: Any) -> tuple[int, Instance | None]:
        """Return the function table that a slot is bound to, and where the object's data are."""
        text, at, places = str(value).partition("@")
        data = _instance(places.split(",")) if at else None
        row = self._row(slot)
        number = TABLE.fullmatch(text)
        if number is not None:
            table = int(number[1])
            if row is not None and row.tables and table not in row.tables:
                raise self._refused(slot, row, value)
            return table, data
        if row is None:
            raise UsageError(
                f"interface slot {slot} takes the number of a table, not {value!r:.40}"
            )
        known = dict(zip(row.class_ids, row.tables, strict=False))
        for each in self.facts.classes:
            if each.name == text and each.id in known:
                return known[each.id], data
        found = self._object(text)
        if found is None or found[0] not in known:
            raise self._refused(slot, row, value)
        return known[found[0]], data or found[1]

    def _row(self, slot: int) -> InterfaceSlot | None:
        rows = self.facts.slots
        return next((each for each in rows if each.start <= slot < each.start + each.span), None)

    def _object(self, text: str) -> tuple[int, Instance] | None:
        """The class of an instance `sun` or `suns[2]`, and where the instance's data are."""
        element = ELEMENT.fullmatch(text)
        name, number = (element[1], int(element[2])) if element is not None else (text, 0)
        for each in self.facts.instances:
            if each.name != name or number >= max(each.elements, 1):
                continue
            kind = next((kind for kind in self.facts.classes if kind.id == each.class_id), None)
            rows, textures, samplers = (
                (kind.constant_buffer_stride, kind.textures, kind.samplers) if kind else (0, 0, 0)
            )
            return each.class_id, (
                each.constant_buffer or 0,
                (each.constant_buffer_offset or 0) + number * rows,
                (each.texture or 0) + number * textures,
                (each.sampler or 0) + number * samplers,
            )
        return None

    def _refused(self, slot: int, row: InterfaceSlot, value: Any) -> UsageError:
        """The error for what a slot cannot be bound to; it lists what it can."""
        names = {each.id: each.name for each in self.facts.classes}
        classes = [names.get(each, "") for each in row.class_ids]
        told = [
            f"{name} (ft{table})" if name else f"ft{table}"
            for name, table in zip([*classes, *[""] * len(row.tables)], row.tables, strict=False)
        ]
        told += [each.name for each in self.facts.instances if each.class_id in row.class_ids]
        return UsageError(f"interface slot {slot} takes {', '.join(told)}, not {value!r:.40}")
