"""Declared resources of a program.

    dcl_constantbuffer CB0[3], immediateIndexed                     cb0, 48 bytes
    dcl_resource_texture2d (float,float,float,float) T0[2:6], space=1   t2_space1, five of them

The names are generated. Shader Model 5.1 declares ranges: the number that operands use, first and
last register, and the space. Source: the public header d3d12TokenizedProgramFormat.hpp, checked
against RDEF in compiled files.
"""

from collections.abc import Callable

from ....model import BufferKind, ConstantBuffer, Counter, Dimension, Resource, ResourceKind
from ....model.facts import ProgramResource
from ....vocab import d3d
from ....vocab.numbers import word
from ....vocab.words import MULTISAMPLED
from ..instruction import Instruction
from ..tables import vocabulary
from ..tables.enumerations import SamplerMode
from ..tables.ops import OPS
from ..tables.tokens import ConstantBufferDcl, ResourceDcl, ReturnTypes, SamplerDcl, UavDcl
from .gathering import Gathering, dword, index

UNBOUNDED = 0xFFFF_FFFF
ALLOC = OPS["imm_atomic_alloc"].code


def _bound(
    gathering: Gathering, instruction: Instruction, letter: str, kind: ResourceKind, space: int
) -> Resource:
    """Add the resource of the operand; `space` is the index of the dword with the space (5.1)."""
    operand = instruction.operands[0]
    prefix = "cb" if letter == "b" else letter
    if len(operand.indices) < 3:
        register = index(operand, 0)
        found = Resource(
            name=f"{prefix}{register}",
            kind=kind,
            register_class=letter,
            register=register,
            declared=True,
        )
    else:
        first, last, where = index(operand, 1), index(operand, 2), dword(instruction, space)
        found = Resource(
            name=f"{prefix}{first}_space{where}" if where else f"{prefix}{first}",
            kind=kind,
            register_class=letter,
            register=first,
            space=where,
            count=None if last == UNBOUNDED else max(last - first + 1, 0),
            id=index(operand, 0),
            declared=True,
        )
    label = f"{prefix}{index(operand, 0)}"
    gathering.facts.resources.append(
        ProgramResource(label=label, resource=found, path=gathering.path)
    )
    return found


def _constant_buffer(gathering: Gathering, instruction: Instruction) -> None:
    found = _bound(gathering, instruction, "b", ResourceKind.CONSTANT_BUFFER, 1)
    found.dynamically_indexed = bool(ConstantBufferDcl(instruction.token).access)
    ranged = len(instruction.operands[0].indices) == 3
    vectors = dword(instruction, 0) if ranged else index(instruction.operands[0], 1)
    gathering.facts.constant_buffers.append(
        ConstantBuffer(
            name=found.name,
            kind=BufferKind.CONSTANT_BUFFER,
            resource=len(gathering.facts.resources) - 1,
            size=vectors * 16,
            declared_size=vectors * 16,
            declared=True,
        )
    )


def _sampler(gathering: Gathering, instruction: Instruction) -> None:
    found = _bound(gathering, instruction, "s", ResourceKind.SAMPLER, 0)
    found.comparison = SamplerDcl(instruction.token).mode == SamplerMode.COMPARISON


def _typed(gathering: Gathering, instruction: Instruction, letter: str) -> Resource:
    found = _bound(gathering, instruction, letter, ResourceKind.TEXTURE, 1)
    found.dimension = word(vocabulary.DIMENSIONS, ResourceDcl(instruction.token).dimension)
    found.return_type = word(d3d.RETURN_TYPES, ReturnTypes(dword(instruction, 0)).x)
    if found.dimension == "buffer":
        found.kind = ResourceKind.TYPED_BUFFER
    return found


def _resource(gathering: Gathering, instruction: Instruction) -> None:
    found = _typed(gathering, instruction, "t")
    if found.dimension in MULTISAMPLED:
        found.samples = ResourceDcl(instruction.token).sample_count or None


def _resource_raw(gathering: Gathering, instruction: Instruction) -> None:
    _bound(gathering, instruction, "t", ResourceKind.RAW_BUFFER, 0).dimension = Dimension.BUFFER


def _resource_structured(gathering: Gathering, instruction: Instruction) -> None:
    found = _bound(gathering, instruction, "t", ResourceKind.STRUCTURED_BUFFER, 1)
    found.dimension = Dimension.BUFFER
    found.stride = dword(instruction, 0)


def _view(found: Resource, instruction: Instruction) -> None:
    token = UavDcl(instruction.token)
    found.writable = True
    found.globally_coherent = bool(token.globally_coherent)
    found.rasterizer_ordered = bool(token.rasterizer_ordered)
    found.dimension = found.dimension or Dimension.BUFFER


def _uav_typed(gathering: Gathering, instruction: Instruction) -> None:
    _view(_typed(gathering, instruction, "u"), instruction)


def _uav_raw(gathering: Gathering, instruction: Instruction) -> None:
    _view(_bound(gathering, instruction, "u", ResourceKind.RAW_BUFFER, 0), instruction)


def _uav_structured(gathering: Gathering, instruction: Instruction) -> None:
    found = _bound(gathering, instruction, "u", ResourceKind.STRUCTURED_BUFFER, 1)
    _view(found, instruction)
    found.stride = dword(instruction, 0)
    if UavDcl(instruction.token).has_counter:
        found.counter = Counter.COUNTER
    gathering.views[index(instruction.operands[0], 0)] = found


def _append_or_consume(gathering: Gathering, instruction: Instruction) -> None:
    """Set the kind of counter by its use, unless the declaration says that it may do both."""
    found = gathering.views.get(index(instruction.operands[1], 0))
    if found is not None and found.counter != Counter.COUNTER:
        appends = instruction.token & 0x7FF == ALLOC
        kind = Counter.APPEND if appends else Counter.CONSUME
        found.counter = kind if found.counter in (None, kind) else Counter.COUNTER


READERS: tuple[tuple[str, Callable[[Gathering, Instruction], None]], ...] = (
    ("dcl_constantbuffer", _constant_buffer),
    ("dcl_sampler", _sampler),
    ("dcl_resource", _resource),
    ("dcl_resource_raw", _resource_raw),
    ("dcl_resource_structured", _resource_structured),
    ("dcl_uav_typed", _uav_typed),
    ("dcl_uav_raw", _uav_raw),
    ("dcl_uav_structured", _uav_structured),
    ("imm_atomic_alloc", _append_or_consume),
    ("imm_atomic_consume", _append_or_consume),
)
