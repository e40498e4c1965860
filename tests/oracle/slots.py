"""A reader of the slots in the text of kernels: bindings, inputs and outputs."""

from unshade.ir.printing import ANY, EXCHANGE, POINTS, PORT_NUMBERS
from unshade.isa.source import Scanner
from unshade.vocab.slots import (
    Direction,
    Exchange,
    MemoryPart,
    MemorySlot,
    Place,
    PointsSlot,
    PortPart,
    PortSlot,
    Rate,
    ResourceClass,
    ResourceSlot,
)
from unshade.vocab.words import SystemValue

from .tokens import INTEGER, read_integer, read_name, read_one_of

__all__ = [
    "read_memory_slot",
    "read_port_slot",
    "read_resource_slot",
    "read_row",
]

MOST = 1 << 32


def read_row(scanner: Scanner) -> str:
    """Read the label of a register, if there is one."""
    return read_name(scanner, "a name") if scanner.accept("row ") else ""


def read_port_slot(scanner: Scanner) -> PortSlot | None:
    """Read the slot of an input or output, if there is one."""
    if not scanner.accept("at "):
        return None
    direction, rate = read_one_of(scanner, Direction), read_one_of(scanner, Rate)
    place = _place(scanner)
    numbers = [_number(scanner, name, 0) for name in PORT_NUMBERS]
    component, element, stream, index = numbers
    part = read_one_of(scanner, PortPart) if scanner.accept("part ") else PortPart.VALUE
    return PortSlot(direction, rate, place, component, element, stream, index, part)


def _place(scanner: Scanner) -> Place:
    if INTEGER.match(scanner.rest):
        return read_integer(scanner, 0, MOST)
    found = read_name(scanner, "a location or a built-in")
    for words in (SystemValue, Exchange):
        if found in tuple(words):
            return words(found)
    return found


def read_memory_slot(scanner: Scanner) -> MemorySlot | None:
    """Read the slot of a memory, if there is one."""
    if not scanner.accept("at "):
        return None
    if scanner.accept(f"{EXCHANGE} "):
        return read_one_of(scanner, Exchange)
    if scanner.accept(f"{POINTS} "):
        direction, rate = read_one_of(scanner, Direction), read_one_of(scanner, Rate)
        return PointsSlot(direction, rate, _number(scanner, "stream", 0), _read_part(scanner))
    return _resource(scanner)


def read_resource_slot(scanner: Scanner) -> ResourceSlot | None:
    """Read the slot of a texture or sampler, if there is one."""
    return _resource(scanner) if scanner.accept("at ") else None


def _resource(scanner: Scanner) -> ResourceSlot:
    kind, number = read_one_of(scanner, ResourceClass), read_integer(scanner, 0, MOST)
    space = _number(scanner, "space", 0)
    count: int | None = 1
    if scanner.accept("count "):
        count = None if scanner.accept(ANY) else read_integer(scanner, 0, MOST)
    element = read_integer(scanner, 0, MOST) if scanner.accept("element ") else None
    part = _read_part(scanner)
    return ResourceSlot(kind, number, space, count, element, part, _number(scanner, "view", 0))


def _number(scanner: Scanner, name: str, default: int) -> int:
    return read_integer(scanner, 0, MOST) if scanner.accept(f"{name} ") else default


def _read_part(scanner: Scanner) -> MemoryPart:
    return read_one_of(scanner, MemoryPart) if scanner.accept("part ") else MemoryPart.DATA
