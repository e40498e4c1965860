"""Outputs of a stage against the inputs of the next one.

    Direct3D   by semantic and index:  o2.xyz TEXCOORD1  ->  v2.xy TEXCOORD1   same register, mask
                                                                               within, same type
    PICA200    by order:                v0 v1 are o0 o1 of the first vertex, v2 v3 of the second
    Vulkan     by location and component:  location 2 xyz  ->  location 2 xy   same type, and with
                                                                               maintenance4 smaller

Values that the pipeline generates need no output. A pixel shader reads 0 from the array index of a
render target or a viewport that no stage writes.

Source: Direct3D 11.3 functional specification, sections 4.3 and 4.4; DirectX-Specs; Vulkan,
"Interface Matching"; the validation layers, cc_shader_interface.cpp.
"""

from collections.abc import Sequence

from ...errors import Severity
from ...model.reflection import SignatureParameter
from ...vocab.slots import Direction
from ...vocab.words import Stage, SystemValue
from .findings import PipelineFindings
from .rules import PICA
from .stages import BY_LOCATION, PipelineStage, StageRow

__all__ = ["check_interface"]

S = SystemValue
DISTANCES = (S.CLIP_DISTANCE, S.CULL_DISTANCE)
# System values that a stage may read although the stage before does not write them.
GENERATED: dict[str, frozenset[str]] = {
    Stage.HULL: frozenset({S.PRIMITIVE_ID, S.OUTPUT_CONTROL_POINT_ID}),
    Stage.DOMAIN: frozenset({S.PRIMITIVE_ID, S.DOMAIN_LOCATION}),
    Stage.GEOMETRY: frozenset({S.PRIMITIVE_ID, S.GS_INSTANCE_ID}),
    Stage.PIXEL: frozenset(
        {
            S.PRIMITIVE_ID, S.IS_FRONT_FACE, S.SAMPLE_INDEX, S.COVERAGE, S.INNER_COVERAGE,
            S.BARYCENTRICS, S.SHADINGRATE, S.VIEW_INDEX, S.RENDER_TARGET_ARRAY_INDEX,
            S.VIEWPORT_ARRAY_INDEX,
        }
    ),
}  # fmt: skip


def check_interface(
    found: PipelineFindings,
    before: PipelineStage,
    after: PipelineStage,
    *,
    stream: int = 0,
    small_vectors: Severity | None = Severity.WARNING,
) -> None:
    """Check the outputs of a stage against the inputs of the next one.

    Args:
        found: Where findings go.
        before: The stage that writes.
        after: The stage that reads.
        stream: The stream of a geometry shader that goes on in the pipeline.
        small_vectors: Severity of an input that is a smaller vector than its output; None if
            maintenance4 is enabled.
    """
    outputs = [each for each in before.interface(Direction.OUTPUT) if each.row.stream == stream]
    inputs = after.interface(Direction.INPUT)
    if after.api == PICA:
        _by_order(found, before, outputs, inputs)
    elif after.api in BY_LOCATION:
        _by_location(found, before, outputs, inputs, small_vectors)
    else:
        _by_semantic(found, before, outputs, inputs)


# -- Direct3D ------------------------------------------------------------------------------------


def _key(row: SignatureParameter) -> tuple[str, int]:
    return row.semantic.lower(), row.index


def _by_semantic(
    found: PipelineFindings,
    before: PipelineStage,
    outputs: Sequence[StageRow],
    inputs: Sequence[StageRow],
) -> None:
    # Patch constants are apart: a semantic may occur in both signatures of a hull shader.
    apart = before.stage == Stage.HULL
    written = {(apart and each.is_of_patch, *_key(each.row)): each for each in outputs}
    for each in inputs:
        output = written.get((apart and each.is_of_patch, *_key(each.row)))
        if output is None:
            if each.row.system_value not in GENERATED.get(each.stage.stage, ()):
                here = ", ".join(f"{one.name} {one.where}" for one in outputs) or "nothing"
                message = f"{each.name} is {each.where}; {before.title.lower()} writes {here}"
                found.link("link.missing", before, each, message)
            continue
        _matched(found, output, each)


def _matched(found: PipelineFindings, output: StageRow, each: StageRow) -> None:
    """Check an output and the input of its semantic; report the first violation."""
    o, i = output.row, each.row
    if o.register != i.register and None not in (o.register, i.register):
        found.pair("link.register", output, each)
    elif not set(i.components) <= set(o.components):
        found.pair("link.mask", output, each)
    elif o.component_type != i.component_type:
        found.pair("link.type", output, each, f"{o.component_type} and {i.component_type}")
    elif o.system_value != i.system_value:
        values = f"{o.system_value or 'none'} and {i.system_value or 'none'}"
        found.pair("link.system-value", output, each, values)
    elif o.min_precision != i.min_precision:
        found.pair("link.min-precision", output, each, f"{o.min_precision} and {i.min_precision}")
    else:
        never = set(o.components) - set(o.used)
        lost = "".join(letter for letter in i.used if letter in never)
        if lost:
            found.pair("link.never-written", output, each, f"{lost} is never written")


# -- PICA200 -------------------------------------------------------------------------------------


def _by_order(
    found: PipelineFindings,
    before: PipelineStage,
    outputs: Sequence[StageRow],
    inputs: Sequence[StageRow],
) -> None:
    """Check the registers of a geometry shader, which take the outputs of one vertex after another.

    The application sets how many vertices the shader takes.
    """
    ordered = sorted(outputs, key=lambda each: each.row.register or 0)
    for each in inputs:
        register = each.row.register or 0
        if not ordered:
            message = f"{each.where} is read, but the {before.title} outputs nothing"
            found.add("link.missing", message, each.place, before.place())
            continue
        output = ordered[register % len(ordered)]
        lost = [letter for letter in each.row.components if letter not in output.row.components]
        if lost:
            message = f"{each.where} is {output.where} of vertex {register // len(ordered)}"
            message += f", which has no {''.join(lost)}"
            found.add(
                "link.never-written", message, each.place, output.place, severity=Severity.NOTE
            )


# -- Vulkan --------------------------------------------------------------------------------------


def _slots(rows: Sequence[StageRow]) -> dict[tuple[int, str], StageRow]:
    """Return the rows by location and component."""
    return {
        (each.row.register, letter): each
        for each in rows
        if each.row.register is not None and each.row.system_value is None
        for letter in each.row.components
    }


def _by_location(
    found: PipelineFindings,
    before: PipelineStage,
    outputs: Sequence[StageRow],
    inputs: Sequence[StageRow],
    small_vectors: Severity | None,
) -> None:
    written, read = _slots(outputs), _slots(inputs)
    reported: set[str] = set()  # one finding for each variable
    for (location, letter), each in read.items():
        output = written.get((location, letter))
        if each.path + each.name in reported:
            continue
        if output is None:
            message = f"{each.name} reads location {location} {letter}"
            found.link(
                "link.missing", before, each,
                f"{message}, which {before.title} does not write",
            )  # fmt: skip
        elif output.row.component_type != each.row.component_type:
            types = f"{output.row.component_type} and {each.row.component_type}"
            found.pair("link.type", output, each, types)
        elif _in_block(output, each) and len(output.row.components) != len(each.row.components):
            found.pair("link.type", output, each, "members of blocks have the same type")
        elif output.is_of_patch != each.is_of_patch and before.stage != Stage.MESH:
            words = ("patch", "vertex") if output.is_of_patch else ("vertex", "patch")
            found.pair("link.patch", output, each, f"per {words[0]} and per {words[1]}")
        elif (
            small_vectors is not None
            and len(each.row.components) < len(output.row.components)
            and len(each.row.components) > 1
        ):
            message = f"{each.name} has {len(each.row.components)} components"
            message += f", {output.name} in {output.stage.title} {len(output.row.components)}"
            found.add("link.vector-size", message, each.place, output.place, severity=small_vectors)
        else:
            continue
        reported.add(each.path + each.name)
    _check_distances(found, outputs, inputs)
    unused: dict[str, StageRow] = {}
    for place, output in written.items():
        if place not in read:
            unused.setdefault(output.name, output)
    for output in unused.values():
        if not any(place in read for place in _slots([output])):
            message = f"{output.name} at {output.where} is not read"
            found.add("link.unused", message, output.place)


def _check_distances(
    found: PipelineFindings, outputs: Sequence[StageRow], inputs: Sequence[StageRow]
) -> None:
    """Check that the stage before writes the distances that a stage reads."""
    written = {
        (each.row.system_value, each.row.index)
        for each in outputs
        if each.row.system_value in DISTANCES and each.row.used
    }
    for each in inputs:
        key = each.row.system_value, each.row.index
        if each.row.system_value in DISTANCES and each.row.used and key not in written:
            message = f"{each.name} is read, but the stage before does not write it"
            found.add("link.never-written", message, each.place, severity=Severity.WARNING)


def _in_block(output: StageRow, each: StageRow) -> bool:
    """Return True if both are members of blocks, whose types have to be identical."""
    ports = output.port, each.port
    return all(port is not None and port.member is not None for port in ports)
