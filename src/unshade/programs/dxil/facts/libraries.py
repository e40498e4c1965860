"""Facts of the shaders of libraries: payloads of ray tracing, and nodes of work graphs.

    closesthit   !{i32 6, i32 16, i32 7, i32 8}      takes a payload of 16 bytes, attributes of 8
    raygeneration  traceRay(…, %struct.Payload* %p)  passes a payload of the size of its structure
    node         !{i32 15, !{!"sort", i32 0}, i32 20, inputs, i32 21, outputs}

Source: DXC DxilMetadataHelper.h and DxilNodeProps.h.
"""

from collections.abc import Iterable, Sequence

from ....model.facts import ProgramFacts
from ....model.reflection import NodePort, RayTracing, WorkGraphNode
from ....vocab.d3d import UNBOUNDED
from ....vocab.dxil import NODE_LAUNCHES
from ....vocab.numbers import word
from ....vocab.words import Stage
from ..model.instructions import CallInst, Instruction
from ..model.types import PointerType
from ..operation_calls import arguments_of, operation_of
from ..shaderinfo import DxilEntryPoint
from ..shaderinfo.entry import NodeRecords
from .layouts import size_of

__all__ = ["of_library"]

OF_RAYS = (
    Stage.RAYGENERATION, Stage.INTERSECTION, Stage.ANYHIT, Stage.CLOSESTHIT, Stage.MISS,
    Stage.CALLABLE,
)  # fmt: skip
TRACES = ("TraceRay", "HitObject_TraceRay", "HitObject_Invoke")
CALLS = "CallShader"
UNLIMITED = 0xFFFF_FFFF


def of_library(
    facts: ProgramFacts, entry: DxilEntryPoint, instructions: Sequence[Instruction]
) -> None:
    """Set the facts of a shader of ray tracing, or of a node."""
    found = entry.properties
    if facts.stage in OF_RAYS:
        facts.ray_tracing = RayTracing(
            payload_size=found.payload_size,
            attribute_size=found.attribute_size,
            passed_payloads=_passed(instructions, TRACES),
            passed_parameters=_passed(instructions, (CALLS,)),
        )
    if facts.stage != Stage.NODE and found.launch is None:
        return
    name, index = found.node_id or (entry.name, 0)
    shared, shared_index = found.shares_input_of or (None, 0)
    facts.node = WorkGraphNode(
        name=name,
        index=index,
        launch=None if found.launch is None else word(NODE_LAUNCHES, found.launch),
        is_entry=bool(found.is_program_entry),
        shares_input_of=shared,
        shared_index=shared_index,
        dispatch_grid=list(found.dispatch_grid) or None,
        max_dispatch_grid=list(found.max_dispatch_grid) or None,
        max_recursion=found.max_recursion,
        inputs=[_port(each) for each in found.node_inputs],
        outputs=[_port(each) for each in found.node_outputs],
    )


def _port(found: NodeRecords) -> NodePort:
    count = found.array_size
    return NodePort(
        name=found.name,
        index=found.array_index,
        record_size=found.record_size,
        max_records=found.max_records,
        array_size=-1 if count == UNBOUNDED else count,
        sparse=found.allow_sparse,
    )


def _passed(instructions: Iterable[Instruction], names: Sequence[str]) -> list[int]:
    """Return the sizes of the structures that calls of operations pass, each once."""
    sizes = set()
    for each in instructions:
        operation = operation_of(each)
        if operation is None or operation.name not in names:
            continue
        assert isinstance(each, CallInst)
        given = [*arguments_of(each, operation).values()][-1]
        if isinstance(given.type, PointerType):
            sizes.add(size_of(given.type.pointee))
    return sorted(sizes)
