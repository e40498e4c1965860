"""Constant buffers that several stages share: their variables have to agree.

    vs.cso  b0 Camera   view 0, eye 64          ps.cso  b0 Camera   view 0, fog 64, eye 80

An application fills a buffer once. Stages that name it alike at the same binding and place a
variable of the same name elsewhere were compiled from different versions of the declaration. No API
reports such a mismatch. Buffers of different names may share a binding: each stage then has its own
buffer.
"""

from collections.abc import Iterator, Sequence

from ...model.resources import ConstantBuffer, TypeDescription, Variable
from ...tuples import NamedTuple
from ...vocab.words import BufferKind
from .findings import PipelineFindings
from .stages import PipelineStage

__all__ = ["check_shared_buffers"]


OF_COMPILER = "$"  # $Globals and $Params have what a shader uses of its own


class _Shared(NamedTuple):
    stage: PipelineStage
    buffer: ConstantBuffer
    where: str


def check_shared_buffers(found: PipelineFindings, stages: Sequence[PipelineStage]) -> None:
    """Check the buffers that stages have in common; report the first difference of each."""
    known: dict[tuple[str, str], _Shared] = {}
    for stage in stages:
        for each in _buffers(stage):
            first = known.setdefault((each.buffer.name, each.where), each)
            if first is not each and first.stage is not stage:
                _check(found, first, each)


def _buffers(stage: PipelineStage) -> Iterator[_Shared]:
    reflection = stage.reflection
    for each in reflection.constant_buffers:
        if each.declared or not each.name or each.name.startswith(OF_COMPILER):
            continue
        if each.kind == BufferKind.PUSH_CONSTANTS:
            yield _Shared(stage, each, "push constants")
        elif each.kind == BufferKind.CONSTANT_BUFFER and each.resource is not None:
            yield _Shared(stage, each, reflection.resources[each.resource].where)


def _check(found: PipelineFindings, ours: _Shared, theirs: _Shared) -> None:
    variables = {each.name: each for each in ours.buffer.variables if each.name}
    for each in theirs.buffer.variables:
        other = variables.get(each.name)
        problem = None if other is None else _difference(other, each)
        if problem is not None:
            message = f"{each.name} of {theirs.buffer.name} ({theirs.where}) {problem[0]} in"
            message += f" {ours.stage.title.lower()}, {problem[1]} in {theirs.stage.title.lower()}"
            found.add("link.buffer", message, theirs.stage.place(), ours.stage.place())
            return


def _difference(ours: Variable, theirs: Variable) -> tuple[str, str] | None:
    if ours.offset != theirs.offset:
        return f"is at byte {ours.offset}", f"at byte {theirs.offset}"
    before, after = _shape(ours.type), _shape(theirs.type)
    return None if before == after else (f"is {before}", after)


def _shape(kind: TypeDescription) -> str:
    """Return the type without the name of a structure."""
    if not kind.members:
        return kind.declaration("").strip()
    inner = "; ".join(f"{each.offset}: {_shape(each.type)}" for each in kind.members)
    return f"struct {{{inner}}}" + "".join(f"[{each or ''}]" for each in kind.elements)
