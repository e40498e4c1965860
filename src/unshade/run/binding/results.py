"""Results of a call, by name."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ...errors import ResultError
from ...notebook import Shown
from ...vm.launch import Array
from .suggestions import suggestion

__all__ = ["Results", "shapes_of"]


class Results(Shown, Mapping[str, Any]):
    """Results of a call by register, name or slot, and by semantic in any case."""

    drawn_by = "results"

    def __init__(self) -> None:
        self._arrays: dict[str, Any] = {}
        self._names: dict[str, str] = {}
        self._semantics: dict[str, str] = {}  # casefolded
        self._joined: dict[str, list[str]] = {}
        self._slots: dict[Hashable, str] = {}
        self._shared: set[Hashable] = set()
        self._alone: set[str] = set()

    def components(self, name: Any) -> Array:
        """Return an array with an axis of components, which arrays of a single component lack."""
        array = np.asarray(self[name])
        return array[..., np.newaxis] if self.is_single(name) else array

    def is_single(self, name: Any) -> bool:
        """Return True if an array has a single component, whose axis is left out."""
        return self._label(name) in self._alone

    def slots_of(self, name: str) -> list[Hashable]:
        """Return the slots of an array."""
        return [slot for slot, label in self._slots.items() if label == name]

    def add(
        self,
        names: tuple[str, ...],
        array: Any,
        *,
        semantic: bool = False,
        slots: Iterable[Hashable] = (),
        shared: Iterable[Hashable] = (),
        alone: bool = False,
    ) -> None:
        """Add an array; `repr` shows the last of its names.

        `slots` are the array's alone; it takes `shared` slots that no other array has alone.
        `alone` is true if the array has a single component, whose axis is left out.
        """
        *others, label = names
        self._arrays[label] = array
        if alone:
            self._alone.add(label)
        for slot in slots:
            if slot in self._shared:
                self._shared.remove(slot)
                self._slots[slot] = label
            self._slots.setdefault(slot, label)
        for slot in shared:
            if slot not in self._slots:
                self._shared.add(slot)
                self._slots[slot] = label
        self._names[label] = label
        for each in others:  # never in place of an array that is called so
            self._names.setdefault(each, label)
        if semantic:
            self._semantics[label.casefold()] = label
            for each in others:
                self._semantics.setdefault(each.casefold(), label)

    def join(self, name: str, elements: list[str]) -> None:
        """Add an array of registers by the names of its written elements."""
        self._joined[name] = elements

    def named(self) -> Iterator[tuple[tuple[str, ...], Any]]:
        """Yield each array with all of its names, the name in the listing last."""
        for name, array in self._arrays.items():
            others = [alias for alias, of in self._names.items() if of == name and alias != name]
            yield (*others, name), array

    def _label(self, name: Any) -> str | None:
        """Return the label of an array by any of its names."""
        return (
            self._slots.get(name)
            or self._names.get(name)
            or self._semantics.get(str(name).casefold())
        )

    def __getitem__(self, name: Any) -> Any:
        found = self._label(name)
        if found is None and name in self._joined:
            return [self[each] for each in self._joined[name]]
        if found is None:
            problem = f"{name!r} was not written{suggestion(str(name), self._names)}"
            raise ResultError(problem, str(name))
        return self._arrays[found]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"<Results {shapes_of(self._arrays)}>"


def shapes_of(arrays: Mapping[str, Any]) -> str:
    """Return names, types and shapes of arrays in a line; the names of other values."""
    return ", ".join(
        f"{name}: {array.dtype} {array.shape}" if isinstance(array, np.ndarray) else name
        for name, array in arrays.items()
    )
