"""Instructions on sparse images: the same as on others, with a residency code.

    %pair = OpImageSparseSampleImplicitLod %struct %image %coordinate
            (0, texel): all texels are resident

Source: SPIR-V specification, section 3.49.10; Vulkan specification, Sparse Resources.
"""

from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.builder import constant
from ..module import Instruction
from ..tables.numbers import Opcode
from . import sampling, storage_images
from .operations import Components, Handler, Handlers

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS"]

ORDINARY: dict[int, int] = {
    Opcode.ImageSparseSampleImplicitLod: Opcode.ImageSampleImplicitLod,
    Opcode.ImageSparseSampleExplicitLod: Opcode.ImageSampleExplicitLod,
    Opcode.ImageSparseSampleDrefImplicitLod: Opcode.ImageSampleDrefImplicitLod,
    Opcode.ImageSparseSampleDrefExplicitLod: Opcode.ImageSampleDrefExplicitLod,
    Opcode.ImageSparseFetch: Opcode.ImageFetch,
    Opcode.ImageSparseGather: Opcode.ImageGather,
    Opcode.ImageSparseDrefGather: Opcode.ImageDrefGather,
    Opcode.ImageSparseRead: Opcode.ImageRead,
}


def _sparse(ordinary: Handler) -> Handler:
    def lower(lowering: "Lowering", instruction: Instruction) -> Components:
        words = instruction.words
        members = lowering.types.of(words[1]).members
        if len(members) != 2:
            raise UnsupportedError("expected a structure of a residency code and a texel")
        code, texel = members
        assert code.scalar is not None
        inner = Instruction((words[0], texel.id, *words[2:]))
        return constant(0, code.scalar), *ordinary(lowering, inner)

    return lower


def _resident(lowering: "Lowering", instruction: Instruction) -> Components:
    return (lowering.b.bool(True),)


READING = {**sampling.HANDLERS, **storage_images.HANDLERS}
HANDLERS: Handlers = {
    **{sparse: _sparse(READING[each]) for sparse, each in ORDINARY.items()},
    Opcode.ImageSparseTexelsResident: _resident,
}
