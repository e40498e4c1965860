"""An edited reflection written back to its module.

    found = shader.reflect()
    found.resources[0].space = 2                  set, binding and name of a resource
    found.inputs[1].register = 4                  location and name of an input or output
    found.specialisation_constants[0].default = 8
    found.constant_buffers[0].variables[1].name = "tint"
    shader.write_back(found)

Everything else in a reflection follows from the code, and cannot be changed in this way.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...model.plain import Facts
from ...programs.spirv.editing.decorations import decorate
from ...programs.spirv.editing.names import rename_id, rename_member, structure_of
from ...programs.spirv.editing.specialisation import set_default
from ...programs.spirv.index import ModuleIndex
from ...programs.spirv.tables.numbers import Decoration
from ...tuples import NamedTuple

if TYPE_CHECKING:
    from ...model import ConstantBuffer, Reflection, SignatureParameter
    from ...model.facts import ProgramFacts, ProgramPort
    from .shader import SpirvModule

__all__ = ["write_back"]


class WrittenChange(NamedTuple):
    """An edit: the kind of object, its id or number, and the index of a structure member."""

    what: str
    id: int
    member: int
    value: Any


def write_back(shader: "SpirvModule", changed: "Reflection") -> None:
    """Apply the differences between the reflection of a module and an edited reflection.

    Raises:
        UsageError: A difference cannot be written back, or two contradict each other.
    """
    facts = shader.program.all_facts()
    found = shader.reflect()
    if found.FIELDS.keys() != changed.FIELDS.keys() or len(found.entry_points) != len(
        changed.entry_points
    ):
        raise UsageError("expected the reflection of this module, got another")
    before = found.entry_points or [found]
    after = changed.entry_points or [changed]
    wanted: dict[tuple[str, int, int], Any] = {}
    for entry, old, new in zip(facts, before, after, strict=True):
        for each in _changes(shader, entry, old, new):
            key = each[:3]
            if wanted.setdefault(key, each.value) != each.value:
                raise UsageError(f"two entry points give different values to a {each.what}")
    for (what, number, member), value in wanted.items():
        _apply(shader, what, number, member, value)


def _apply(shader: "SpirvModule", what: str, number: int, member: int, value: Any) -> None:
    module = shader.program.module
    match what:
        case "set":
            decorate(module, number, Decoration.DescriptorSet, value)
        case "binding":
            decorate(module, number, Decoration.Binding, value)
        case "location":
            decorate(module, number, Decoration.Location, value)
        case "name":
            rename_id(module, number, value)
        case "member":
            rename_member(module, number, member, value)
        case "default":
            set_default(module, number, value)


def _changes(
    shader: "SpirvModule", facts: "ProgramFacts", old: "Reflection", new: "Reflection"
) -> Iterator[WrittenChange]:
    _only(old, new, (
        "resources", "constant_buffers", "inputs", "outputs", "patch_constants",
        "specialisation_constants",
    ))  # fmt: skip
    index = shader.program.index
    definitions = index.definitions
    by_position = {each.position: number for number, each in definitions.items()}

    def id_of(path: str) -> int:
        return by_position[int(path[len("instructions[") : -1])]

    for known, x, y in _rows(facts.resources, old.resources, new.resources):
        _only(x, y, ("name", "space", "register"))
        number = id_of(known.path)
        for field, what in (("space", "set"), ("register", "binding"), ("name", "name")):
            if getattr(x, field) != getattr(y, field):
                yield WrittenChange(what, number, -1, getattr(y, field))
    for ports, rows, others in (
        (facts.inputs, old.inputs, new.inputs),
        (facts.outputs, old.outputs, new.outputs),
        (facts.patch_constants, old.patch_constants, new.patch_constants),
    ):
        for port, row, other in _rows(ports, rows, others):
            yield from _of_port(port, row, other, id_of(port.path))
    for constant, other in _pairs(old.specialisation_constants, new.specialisation_constants):
        _only(constant, other, ("default", "name"))
        if constant.default != other.default:
            yield WrittenChange("default", constant.id, -1, other.default)
        if constant.name != other.name:
            for number in definitions:
                if index.specialisation(number) == constant.id:
                    yield WrittenChange("name", number, -1, other.name or "")
    for buffer, other in _pairs(old.constant_buffers, new.constant_buffers):
        yield from _of_buffer(index, buffer, other)


def _of_port(
    port: "ProgramPort", old: "SignatureParameter", new: "SignatureParameter", number: int
) -> Iterator[WrittenChange]:
    _only(old, new, ("register", "semantic"))
    if old.register == new.register and old.semantic == new.semantic:
        return
    if port.index or "." in port.name or old.register is None or new.register is None:
        raise UsageError(f"{port.label}: only a whole variable that has a location can be changed")
    if old.register != new.register:
        yield WrittenChange("location", number, -1, new.register)
    if old.semantic != new.semantic:
        yield WrittenChange("name", number, -1, new.semantic)


def _of_buffer(
    index: ModuleIndex, old: "ConstantBuffer", new: "ConstantBuffer"
) -> Iterator[WrittenChange]:
    _only(old, new, ("name", "variables"))
    named = [number for number, name in index.names.items() if name == old.name]
    kinds = {structure_of(index, number) for number in named}
    for at, (variable, other) in enumerate(_pairs(old.variables, new.variables)):
        _only(variable, other, ("name",))
        if variable.name != other.name:
            members = index.member_names
            found = [
                (kind, place)
                for kind in kinds
                for place, name in members.get(kind, {}).items()
                if name == variable.name
            ]
            if len(found) != 1:
                raise UsageError(f"{old.name}: member {at} cannot be renamed by its name")
            yield WrittenChange("member", *found[0], other.name)
    if old.name != new.name:
        if len(named) != 1:
            raise UsageError(f"{len(named)} ids are called {old.name!r:.60}")
        yield WrittenChange("name", named[0], -1, new.name)


def _pairs(old: Sequence[Any], new: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    if len(old) != len(new):
        raise UsageError(f"expected {len(old)} rows, got {len(new)}: rows cannot be added")
    yield from zip(old, new, strict=True)


def _rows(
    facts: Sequence[Any], old: Sequence[Any], new: Sequence[Any]
) -> Iterator[tuple[Any, Any, Any]]:
    for known, (x, y) in zip(facts, _pairs(old, new), strict=True):
        yield known, x, y


def _only(old: Facts, new: Facts, fields: Sequence[str]) -> None:
    """Raise UsageError if other fields differ."""
    for name in old.FIELDS:
        if name not in fields and getattr(old, name) != getattr(new, name):
            raise UsageError(f"{name} of {type(old).__name__} cannot be written back")
