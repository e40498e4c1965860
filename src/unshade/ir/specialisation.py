"""Specialisations: values that a program is lowered for.

    Specialisation(interfaces={0: 2}, lengths={"t0": 4})

A program lists the fields that it takes (`Program.takes`); `refuse` rejects others. Lowering is
deterministic, so cache keys contain the specialisation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, TypeAlias

from ..dataclass import dataclass, field
from ..errors import UnsupportedError, UsageError, did_you_mean
from ..vocab.slots import ResourceSlot
from .memory import Bounds

__all__ = ["Instance", "Precision", "Specialisation", "refuse"]

Instance: TypeAlias = tuple[int, int, int, int]  # constant buffer, row, texture, sampler
PRECISIONS = ("float32", "float24")
Precision: TypeAlias = str
Number: TypeAlias = int | float | bool
MOST_RESOURCES = 1024  # of an array that one index may select among


def _nothing() -> Mapping[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Specialisation:
    """Values that a program is lowered for; by default the program's own.

    constants     values of specialisation constants, by id or name
    group         threads of a thread group (x, y, z)
    wave_size     lanes of a wave
    precision     "float32", or "float24" to round every result as the PICA200 does
    bounds        effect of accesses outside of a buffer; None: as the API defines
    interfaces    function table of each interface slot
    instances     locations of the data of each interface slot's object
    lengths       sizes of unbounded resource arrays, by slot or label of the first resource
    assumed       size of the arrays that have none; None: such a program is refused
    color_space   colour space of the destination
    samples       samples of a pixel of the render target
    flush         widths of floats whose subnormal numbers are zero where the program leaves it open
    for_source    the kernel becomes a source: the two functions of a hull shader stay apart, and
                  specialisation constants are inputs
    labelled      False if lines, names of values and places in the sources are not needed
    """

    constants: Mapping[int, Number] | Mapping[str, Number] = field(default_factory=_nothing)
    group: tuple[int, int, int] | None = None
    wave_size: int = 32
    precision: Precision = "float32"
    bounds: Bounds | None = None
    interfaces: Mapping[int, int] = field(default_factory=_nothing)
    instances: Mapping[int, Instance] = field(default_factory=_nothing)
    lengths: Mapping[str, int] | Mapping[ResourceSlot, int] = field(default_factory=_nothing)
    assumed: int | None = None
    color_space: str | None = None
    samples: int = 1
    flush: frozenset[int] = frozenset()
    for_source: bool = False
    labelled: bool = True

    def __post_init__(self) -> None:
        for name in MAPPINGS:
            given = getattr(self, name)
            if not isinstance(given, Mapping):
                raise UsageError(f"{name}: expected a dict, got {given!r:.40}")
            object.__setattr__(self, name, MappingProxyType(dict(given)))
        if self.precision not in PRECISIONS:
            expected = " or ".join(PRECISIONS)
            raise UsageError(f"precision: expected {expected}, got {self.precision!r:.40}")
        if self.bounds is not None:
            try:
                object.__setattr__(self, "bounds", Bounds(self.bounds))
            except ValueError:
                expected = " or ".join(Bounds)
                raise UsageError(f"bounds: expected {expected}, got {self.bounds!r:.40}") from None
        size: object = self.wave_size
        if not isinstance(size, int) or not 1 <= size <= 128 or size & (size - 1):
            raise UsageError(f"wave_size: expected a power of two up to 128, got {size!r:.40}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Mappings that cannot be written to cannot be pickled either."""
        values = (getattr(self, each.name) for each in fields(self))
        return type(self), tuple(dict(v) if isinstance(v, Mapping) else v for v in values)

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> tuple[Any, ...]:
        """All values, as the key of a cache."""
        return tuple(
            frozenset(value.items()) if type(value) is MappingProxyType else value
            for value in (getattr(self, each.name) for each in fields(self))
        )

    def resolved(self, known: Mapping[int, tuple[str, Number]]) -> dict[int, Number]:
        """Return all specialisation constants of a program, by id.

        Args:
            known: the name, or "", and default of each constant, by id.

        Raises:
            UsageError: if a constant is unknown, given twice, or of another type.
        """
        ids = {name: number for number, (name, _) in known.items() if name}
        found: dict[int, Number] = {}
        for key, value in self.constants.items():
            number = ids.get(key, key) if isinstance(key, str) else key
            if not isinstance(number, int) or number not in known:
                names = ", ".join(f"{at} {name}".strip() for at, (name, _) in known.items())
                raise UsageError(
                    f"no such specialisation constant: {key!r:.40}; constants are {names or 'none'}"
                )
            if number in found:
                raise UsageError(f"specialisation constant {key!r} is given twice")
            default = known[number][1]
            kinds = (int, float) if isinstance(default, float) else (int,)
            given: object = value
            if not isinstance(given, kinds) or (isinstance(default, bool) and value not in (0, 1)):
                wanted = {bool: "True or False", int: "an integer"}.get(type(default), "a number")
                raise UsageError(
                    f"specialisation constant {key!r}: expected {wanted}, got {value!r:.40}"
                )
            found[number] = type(default)(value)
        return {**{number: default for number, (_, default) in known.items()}, **found}

    def length(self, slot: ResourceSlot, label: str) -> int | None:
        """Return the size of the array that begins at a slot; None if not given."""
        first = slot.at(0)
        for key, value in self.lengths.items():
            if key == label or (isinstance(key, ResourceSlot) and key.at(0) == first):
                return value
        return None

    def array_length(
        self, slot: ResourceSlot, label: str, declared: int | None, most: int = MOST_RESOURCES
    ) -> int:
        """Return the number of resources of an array that is indexed.

        Args:
            slot: The slot of the first resource.
            label: The name of the array in `lengths` and in errors.
            declared: The size that the program declares; None if it is unbounded.
            most: The largest size that is taken unless `lengths` gives one.

        Raises:
            UnsupportedError: No size is known, or it is not from 1 to `most`.
        """
        given = self.length(slot, label)
        if given is None and (declared is None or declared > most):
            given = self.assumed
        if given is not None:
            most = MOST_RESOURCES
        count = given if declared is None else declared if given is None else min(given, declared)
        if count is None or not 0 < count <= most:
            got = "an unbounded array" if count is None else f"{count}"
            raise UnsupportedError(
                f"expected 1 to {most} resources in {label}, which is indexed, got {got}: use"
                f" --length {label}=… (in Python lengths={{{label!r}: …}})"
            )
        return count


MAPPINGS = ("constants", "interfaces", "instances", "lengths")
NAMES = tuple(each.name for each in fields(Specialisation))


def refuse(given: Iterable[str], taken: Iterable[str], whose: str) -> None:
    """Raise UsageError for the first name in `given` that is not in `taken`."""
    known = [each for each in NAMES if each in frozenset(taken)]
    for name in given:
        if name in known:
            continue
        hint = f"; options are {', '.join(known)}" if known else ""
        if name not in NAMES:
            hint = did_you_mean(name, known) or hint
        raise UsageError(f"{whose} take no option {name}{hint}")
