"""Checks of root signatures: of RTS0 and of RDAT's subobjects, alone and against the program.

RTS0  descriptor table (pixel): srv t0..t3, space 0       SHEX  dcl_resource_texture2d … T2[2:2]

The model contains the rules and the checks (`rootsignature_rules`, `rootsignature_bindings`).
For a tokenized program, its declarations are checked; for DXIL, the resources in PSV0, as the
runtime does, or without PSV0 the resources in the metadata.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress

from ....errors import FormatError, LimitError, UnshadeError
from ....model import ConstantBuffer, Counter, Resource, ResourceKind
from ....model.facts import ProgramFacts
from ....model.rootsignature import RootSignature
from ....model.rootsignature_bindings import (
    ShaderBinding,
    bindings_of,
    check_bindings,
    layouts_of,
)
from ....model.rootsignature_rules import check_root_signature as check_alone
from ....program import Program
from ....vocab.d3d import STAGES, UNBOUNDED
from ....vocab.dxil import DxilResourceKind
from ....vocab.numbers import word
from ....vocab.slots import ResourceSlot
from ....wire import read
from ..part import DxPart
from ..parts.psv0 import SIZES, PipelineStateValidation, PsvResource, PsvResourceType
from ..parts.rdat import RdatTableType, RuntimeData
from ..parts.rts0 import SerializedRootSignature
from ..parts.runtime.subobjects import RootSignatureBytes, SubobjectKind
from ..reflect.rootsignature import path_in_part, root_signature
from .places import ContainerFindings

P, K, R = PsvResourceType, DxilResourceKind, ResourceKind
IN_PSV0: dict[int, tuple[str, ResourceKind]] = {  # register class, and kind of buffer
    P.SAMPLER: ("s", R.SAMPLER),
    P.CBV: ("b", R.CONSTANT_BUFFER),
    P.SRV_TYPED: ("t", R.TEXTURE),
    P.SRV_RAW: ("t", R.RAW_BUFFER),
    P.SRV_STRUCTURED: ("t", R.STRUCTURED_BUFFER),
    P.UAV_TYPED: ("u", R.TEXTURE),
    P.UAV_RAW: ("u", R.RAW_BUFFER),
    P.UAV_STRUCTURED: ("u", R.STRUCTURED_BUFFER),
    P.UAV_STRUCTURED_WITH_COUNTER: ("u", R.STRUCTURED_BUFFER),
}
OF_SHAPE: dict[int, ResourceKind] = {  # kinds of typed resources that are not textures
    K.TYPED_BUFFER: R.TYPED_BUFFER,
    K.TBUFFER: R.TEXTURE_BUFFER,
    K.ACCELERATION_STRUCTURE: R.ACCELERATION_STRUCTURE,
}
IS_LOCAL: dict[int, bool] = {
    SubobjectKind.GLOBAL_ROOT_SIGNATURE: False,
    SubobjectKind.LOCAL_ROOT_SIGNATURE: True,
}


def check_root_signatures(found: ContainerFindings) -> None:
    """Check the root signatures of a container."""
    for each in found.all("RDAT"):
        _check_subobjects(found, each)
    part = found.first("RTS0")
    record = None if part is None else part.reading.value
    if part is None or not isinstance(record, SerializedRootSignature):
        return
    root = root_signature(record)
    for problem in check_alone(root):
        found.part(problem.code, part, problem.message, path_in_part(problem.path))
    if found.declared is not None:
        _check_declared(found, part, root, found.declared)
    else:
        _check_bitcode(found, part, root)


def _check_subobjects(found: ContainerFindings, part: DxPart) -> None:
    """Check the root signatures that a library defines for its functions."""
    data = part.reading.value
    if not isinstance(data, RuntimeData):
        return
    for number, table in enumerate(data.tables):
        if table.type != RdatTableType.SUBOBJECTS:
            continue
        for at, each in enumerate(table.records):
            content, path = each.content, f"tables[{number}].records[{at}].content"
            if not isinstance(content, RootSignatureBytes):
                continue
            try:
                record = read(SerializedRootSignature, content.data)
            except (FormatError, LimitError) as error:
                found.part("rdat.root-signature", part, str(error), f"{path}.data")
                continue
            for problem in check_alone(root_signature(record), IS_LOCAL[each.kind]):
                place = path_in_part(problem.path)
                message = f"{each.name or 'root signature'}: {problem.message} ({place})"
                found.part(problem.code, part, message, f"{path}.data")


# -- tokenized programs --------------------------------------------------------------------------


def _check_declared(
    found: ContainerFindings, part: DxPart, root: RootSignature, declared: ProgramFacts
) -> None:
    """Check the declarations of a tokenized program."""
    assert found.program is not None
    bindings = list(_sized(found, root, declared, found.program.value))
    for problem in check_bindings(root, declared.stage, bindings, declared.features):
        if problem.binding is None:
            found.part(problem.code, part, problem.message, path_in_part(problem.path))
        else:
            path = declared.resources[problem.binding].path
            found.declaration(problem.code, problem.message, path)


def _sized(
    found: ContainerFindings, root: RootSignature, facts: ProgramFacts, program: Program
) -> Iterator[ShaderBinding]:
    """Return the bindings of a program, with the container's layouts of buffers."""
    return bindings_of(root, facts, program.constant_reads, lambda: _layouts(found))


def _layouts(found: ContainerFindings) -> Mapping[ResourceSlot, ConstantBuffer]:
    """Return the layouts of constant buffers, by the slot of their resource."""
    from ..reflect import reflect

    with suppress(UnshadeError):  # findings of the parts
        return layouts_of(reflect(found.container))
    return {}


# -- DXIL ----------------------------------------------------------------------------------------


def _check_bitcode(found: ContainerFindings, part: DxPart, root: RootSignature) -> None:
    """Check the resources of a DXIL program, from PSV0 or else from metadata."""
    program = found.first("DXIL") or found.first("ILDB")
    facts: ProgramFacts | None = None
    if program is not None and isinstance(program.value, Program):
        with suppress(UnshadeError):  # a finding of the program
            facts = program.value.facts()
    known: dict[ResourceSlot, ShaderBinding] = {}
    if facts is not None and program is not None:
        known = {each.resource.slot: each for each in _sized(found, root, facts, program.value)}
    listed = found.first("PSV0")
    state = None if listed is None else listed.reading.value
    if listed is not None and isinstance(state, PipelineStateValidation):
        rows = [resource_of_row(each) for each in state.resources]
        bindings = [
            known.get(each.slot, ShaderBinding(each))._replace(resource=each) for each in rows
        ]
        paths, place = [f"resources[{i}]" for i in range(len(rows))], listed
    elif facts is not None and program is not None:
        bindings = [known[each.slot] for each in facts.resources]
        paths, place = [each.path for each in facts.resources], program
    else:
        return
    stage = _stage(facts, state)
    if stage is None or stage == "library":
        return
    for problem in check_bindings(root, stage, bindings, facts.features if facts else ()):
        if problem.binding is None:
            found.part(problem.code, part, problem.message, path_in_part(problem.path))
        else:
            found.part(problem.code, place, problem.message, paths[problem.binding])


def _stage(facts: ProgramFacts | None, state: object) -> str | None:
    if facts is not None:
        return str(facts.stage)
    if isinstance(state, PipelineStateValidation) and state.info_size >= SIZES[1]:
        return str(word(STAGES, state.stage))
    return None


def resource_of_row(each: PsvResource) -> Resource:
    """Return the resource that a row of PSV0 describes."""
    letter, kind = IN_PSV0.get(each.type, ("", R.TEXTURE))
    last = each.upper_bound
    return Resource(
        name=f"{letter}{each.lower_bound}",
        kind=OF_SHAPE.get(each.kind, kind) if kind == R.TEXTURE else kind,
        writable=letter == "u",
        register_class=letter,
        register=each.lower_bound,
        space=each.space,
        count=None if last == UNBOUNDED else max(last - each.lower_bound + 1, 1),
        counter=Counter.COUNTER if each.type == P.UAV_STRUCTURED_WITH_COUNTER else None,
    )
