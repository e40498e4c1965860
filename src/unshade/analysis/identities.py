"""Keys by which shaders are the same: their code, the shape of their code, their interface.

    program      the bytes of the programs: the same code in two files, with or without debug data
    shape        operations and what uses what; registers, literals and the order are left out
    interface    stage, inputs, outputs, resources, constants, thread group

A key is 32 hexadecimal digits. The shape is computed from `ir`, so it does not depend on the
instruction set. Each operation has a label: its name and type, refined `ROUNDS` times by the labels
of its operands and of its users. The key of a shape is the hash of all labels, sorted.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from ..errors import UnshadeError
from ..unchanged import once

if TYPE_CHECKING:
    from ..ir.kernel import KernelIR, Value
    from ..model import Reflection
    from ..shader import Shader

__all__ = [
    "KEYS",
    "interface_key",
    "kernels_of",
    "key_of_interface",
    "key_of_shape",
    "program_key",
    "shape_key",
]

ROUNDS = 2
PLACES = [bytes([number]) for number in range(256)]
LABEL, KEY = 8, 16  # bytes of a label and of a key
INTERFACE = (
    "stage", "inputs", "outputs", "patch_constants", "resources", "constant_buffers",
    "thread_group", "entry_points",
)  # fmt: skip
NESTED = frozenset({dict, list})
OF_CODE = ("used", "statistics", "notes")  # of an interface, what follows from the code


def _key(pieces: Iterable[bytes]) -> str:
    made = blake2b(digest_size=KEY)
    for each in pieces:
        made.update(len(each).to_bytes(8, "little") + each)
    return made.hexdigest()


def program_key(shader: "Shader") -> str | None:
    """Return the key of the bytes of the programs; None if there are none."""
    pieces = [each.language.encode() + b"\0" + each.encode() for each in shader.programs]
    return _key(pieces) if pieces else None


def shape_key(shader: "Shader") -> str | None:
    """Return the key of the shape of the programs; None if they cannot be translated."""
    return key_of_shape(kernels_of(shader))


def kernels_of(shader: "Shader") -> "list[tuple[str, KernelIR]]":
    """Return the stage and the kernel of each entry point; none if one cannot be translated."""
    from ..ir.specialisation import Specialisation

    bare = Specialisation(labelled=False)
    try:
        return [
            (stage, program.lower(name, bare).kernel)
            for program in shader.programs
            for name, stage in program.entry_points
        ]
    except UnshadeError:
        return []


def key_of_shape(kernels: "Iterable[tuple[str, KernelIR]]") -> str | None:
    """Return the key of the shape of kernels with their stages; None if there are none."""
    shapes = [f"{stage}\0".encode() + b"".join(sorted(labels(kernel))) for stage, kernel in kernels]
    return _key(sorted(shapes)) if shapes else None


@once
def labels(kernel: "KernelIR") -> list[bytes]:
    """Return the refined label of each operation of a kernel."""
    values = values_of(kernel)
    number_of = {each: number for number, each in enumerate(values)}.get
    args: list[list[int]] = []
    users: list[list[tuple[bytes, int]]] = [[] for _ in values]  # place among its operands, user
    for number, each in enumerate(values):
        inside = []
        for place, operand in enumerate(each.args):
            used = number_of(operand)
            if used is not None:
                inside.append(used)
                users[used].append((PLACES[place & 255], number))
        args.append(inside)
    found = [_first(each.op.name, each.type.name) for each in values]
    for _ in range(ROUNDS):
        data = []
        for label, operands, by in zip(found, args, users, strict=True):
            known = label
            for used in operands:
                known += found[used]
            if not by:
                data.append(known + b"<")
            elif len(by) == 1:
                ((at, user),) = by
                data.append(known + b"<" + at + found[user])
            else:
                uses = sorted([at + found[user] for at, user in by])
                data.append(known + b"<" + b"".join(uses))
        found = [*map(_refined, data)]
    return found


@lru_cache(1 << 14)  # nine of ten labels occur in other shaders, too
def _refined(data: bytes) -> bytes:
    return blake2b(data, digest_size=LABEL).digest()


@once
def values_of(kernel: "KernelIR") -> "list[Value]":
    """Return every operation of a kernel, in program order."""
    return [*kernel.values()]


@cache
def _first(op: str, type: str) -> bytes:
    """Return the label of an operation by itself."""
    return blake2b(f"{op} {type}".encode(), digest_size=LABEL).digest()


def interface_key(shader: "Shader") -> str | None:
    """Return the key of the interface; None if it cannot be read."""
    try:
        return key_of_interface(shader.reflect())
    except UnshadeError:
        return None


def key_of_interface(reflection: "Reflection") -> str | None:
    """Return the key of the interface that a reflection describes."""
    from json import dumps

    facts = _interface(reflection.to_dict())
    return _key([dumps(facts, sort_keys=True).encode()]) if facts else None


def _interface(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that describe the interface."""
    return {
        name: [_interface(each) for each in facts[name]]
        if name == "entry_points"
        else _without_code(facts[name])
        for name in INTERFACE
        if name in facts
    }


def _without_code(data: Any) -> Any:
    """Return a copy of plain data without what follows from the code."""
    if isinstance(data, dict):
        return {
            name: _without_code(each) if type(each) in NESTED else each
            for name, each in data.items()
            if name not in OF_CODE
        }
    if isinstance(data, list):
        return [_without_code(each) for each in data]
    return data


KEYS: dict[str, "Callable[[Shader], str | None]"] = {
    "program": program_key,
    "shape": shape_key,
    "interface": interface_key,
}
