"""Declared resources of a program.

    dcl_constantbuffer CB0[3], immediateIndexed                     cb0, 48 bytes
    dcl_resource_texture2d (float,float,float,float) T0[2:6], space=1   t2_space1, five of them

The names are generated. Shader Model 5.1 declares ranges: the number that operands use, first and
last register, and the space. Source: the public header d3d12TokenizedProgramFormat.hpp, checked
against RDEF in compiled files.
"""

from collections.abc import Callable
from typing import Any

from ....model import BufferKind, ConstantBuffer, Counter, Dimension, Resource, ResourceKind
from ....model.facts import ProgramResource
from ....tuples import NamedTuple
from ....vocab import d3d
from ....vocab.numbers import word
from ....vocab.words import MULTISAMPLED
from ..instruction import Instruction
from ..kept import Kept
from ..tables import vocabulary
from ..tables.enumerations import SamplerMode
from ..tables.ops import OPS
from ..tables.tokens import ConstantBufferDcl, ResourceDcl, ReturnTypes, SamplerDcl, UavDcl
from .gathering import Gathering, dword, index

ALLOC = OPS["imm_atomic_alloc"].code
VECTOR = 16  # bytes

Fields = dict[str, Any]


class ResourceDeclaration(NamedTuple):
    """The values that follow from a declaration alone; no value is a list."""

    label: str
    resource: Fields
    buffer: Fields | None  # of a constant buffer, but for the index of its resource
    view: int | None  # the number in operands of a view that may have a counter


def _bound(instruction: Instruction, letter: str, kind: ResourceKind, space: int) -> Fields:
    """Return the resource of the operand; the space is dword number `space` (5.1)."""
    operand = instruction.operands[0]
    prefix = "cb" if letter == "b" else letter
    found: Fields
    if len(operand.indices) < 3:
        register = index(operand, 0)
        found = {"name": f"{prefix}{register}", "kind": kind}
        return found | {"register_class": letter, "register": register, "declared": True}
    first, last, where = index(operand, 1), index(operand, 2), dword(instruction, space)
    found = {"name": f"{prefix}{first}_space{where}" if where else f"{prefix}{first}", "kind": kind}
    return found | {
        "register_class": letter,
        "register": first,
        "space": where,
        "count": None if last == d3d.UNBOUNDED else max(last - first + 1, 0),
        "id": index(operand, 0),
        "declared": True,
    }


def _constant_buffer(instruction: Instruction) -> Fields:
    found = _bound(instruction, "b", ResourceKind.CONSTANT_BUFFER, 1)
    found["dynamically_indexed"] = bool(ConstantBufferDcl(instruction.token).access)
    return found


def _buffer(instruction: Instruction, name: str) -> Fields:
    """Return the constant buffer that an instruction declares."""
    ranged = len(instruction.operands[0].indices) == 3
    vectors = dword(instruction, 0) if ranged else index(instruction.operands[0], 1)
    return {
        "name": name,
        "kind": BufferKind.CONSTANT_BUFFER,
        "size": vectors * VECTOR,
        "declared_size": vectors * VECTOR,
        "declared": True,
    }


def _sampler(instruction: Instruction) -> Fields:
    found = _bound(instruction, "s", ResourceKind.SAMPLER, 0)
    found["comparison"] = SamplerDcl(instruction.token).mode == SamplerMode.COMPARISON
    return found


def _typed(instruction: Instruction, letter: str) -> Fields:
    found = _bound(instruction, letter, ResourceKind.TEXTURE, 1)
    found["dimension"] = word(vocabulary.DIMENSIONS, ResourceDcl(instruction.token).dimension)
    found["return_type"] = word(d3d.RETURN_TYPES, ReturnTypes(dword(instruction, 0)).x)
    if found["dimension"] == "buffer":
        found["kind"] = ResourceKind.TYPED_BUFFER
    return found


def _resource(instruction: Instruction) -> Fields:
    found = _typed(instruction, "t")
    if found["dimension"] in MULTISAMPLED:
        found["samples"] = ResourceDcl(instruction.token).sample_count or None
    return found


def _resource_raw(instruction: Instruction) -> Fields:
    return _bound(instruction, "t", ResourceKind.RAW_BUFFER, 0) | {"dimension": Dimension.BUFFER}


def _resource_structured(instruction: Instruction) -> Fields:
    found = _bound(instruction, "t", ResourceKind.STRUCTURED_BUFFER, 1)
    return found | {"dimension": Dimension.BUFFER, "stride": dword(instruction, 0)}


def _view(found: Fields, instruction: Instruction) -> Fields:
    token = UavDcl(instruction.token)
    return (
        {"dimension": Dimension.BUFFER}
        | found
        | {
            "writable": True,
            "globally_coherent": bool(token.globally_coherent),
            "rasterizer_ordered": bool(token.rasterizer_ordered),
        }
    )


def _uav_typed(instruction: Instruction) -> Fields:
    return _view(_typed(instruction, "u"), instruction)


def _uav_raw(instruction: Instruction) -> Fields:
    return _view(_bound(instruction, "u", ResourceKind.RAW_BUFFER, 0), instruction)


def _uav_structured(instruction: Instruction) -> Fields:
    found = _bound(instruction, "u", ResourceKind.STRUCTURED_BUFFER, 1)
    found["stride"] = dword(instruction, 0)
    if UavDcl(instruction.token).has_counter:
        found["counter"] = Counter.COUNTER
    return _view(found, instruction)


DECLARED: dict[int, Callable[[Instruction], Fields]] = {
    OPS[name].code: read
    for name, read in (
        ("dcl_constantbuffer", _constant_buffer),
        ("dcl_sampler", _sampler),
        ("dcl_resource", _resource),
        ("dcl_resource_raw", _resource_raw),
        ("dcl_resource_structured", _resource_structured),
        ("dcl_uav_typed", _uav_typed),
        ("dcl_uav_raw", _uav_raw),
        ("dcl_uav_structured", _uav_structured),
    )
}
BUFFER, STRUCTURED = OPS["dcl_constantbuffer"].code, OPS["dcl_uav_structured"].code


def _declaration(instruction: Instruction) -> ResourceDeclaration:
    code = instruction.token & 0x7FF
    resource = DECLARED[code](instruction)
    letter = resource["register_class"]
    number = index(instruction.operands[0], 0)
    return ResourceDeclaration(
        label=f"{'cb' if letter == 'b' else letter}{number}",
        resource=resource,
        buffer=_buffer(instruction, resource["name"]) if code == BUFFER else None,
        view=number if code == STRUCTURED else None,
    )


_DECLARATIONS = Kept(_declaration)


def _read(gathering: Gathering, instruction: Instruction) -> None:
    """Add a declared resource."""
    label, fields, buffer, view = _DECLARATIONS.of(instruction)
    facts = gathering.facts
    found = Resource.of_values(fields)
    if buffer is not None:
        number = len(facts.resources)
        facts.constant_buffers.append(ConstantBuffer.of_values(buffer, resource=number))
    elif view is not None:
        gathering.views[view] = found
    declared = {"label": label, "resource": found, "path": gathering.path}
    facts.resources.append(ProgramResource.of_values(declared))


def _append_or_consume(gathering: Gathering, instruction: Instruction) -> None:
    """Set the kind of counter by its use, unless the declaration allows both."""
    found = gathering.views.get(index(instruction.operands[1], 0))
    if found is not None and found.counter != Counter.COUNTER:
        appends = instruction.token & 0x7FF == ALLOC
        kind = Counter.APPEND if appends else Counter.CONSUME
        found.counter = kind if found.counter in (None, kind) else Counter.COUNTER


READERS: tuple[tuple[str, Callable[[Gathering, Instruction], None]], ...] = (
    *((OPS[code].name, _read) for code in DECLARED),
    ("imm_atomic_alloc", _append_or_consume),
    ("imm_atomic_consume", _append_or_consume),
)
