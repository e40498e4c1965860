"""The stages of a pipeline together: which follow each other, and settings that have to agree.

    hull    4 control points out, quad, triangle_cw     domain    4 control points in, quad
                                                        geometry  takes triangles
    amplification  payload of 32 bytes                  mesh      payload of 32 bytes

Stages that are missing at the ends of a row are not reported, so that two stages alone can be
checked.

Source: d3d12sdklayers.h (names of messages); Direct3D 11.3 functional specification, sections 10
to 13; DirectX-Specs, MeshShader; Vulkan specification, VkGraphicsPipelineCreateInfo.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ...vocab.words import Domain, OutputPrimitive, Primitive, Stage, SystemValue
from .findings import PipelineFindings
from .rules import DIRECT3D, PICA
from .stages import PipelineStage

__all__ = ["check_structure"]

MESH_STAGES = frozenset({Stage.AMPLIFICATION, Stage.MESH})
VERTEX_STAGES = frozenset({Stage.VERTEX, Stage.HULL, Stage.DOMAIN, Stage.GEOMETRY})
OF_TESSELLATOR = {
    OutputPrimitive.POINT: Primitive.POINT,
    OutputPrimitive.LINE: Primitive.LINE,
    OutputPrimitive.TRIANGLE_CW: Primitive.TRIANGLE,
    OutputPrimitive.TRIANGLE_CCW: Primitive.TRIANGLE,
}
MOST_DISTANCES = 8  # components, clip and cull together


def check_structure(found: PipelineFindings, stages: Sequence[PipelineStage]) -> None:
    """Check that the stages make a pipeline."""
    by_stage = {each.stage: each for each in stages}
    _check_kinds(found, stages)
    for before, after in pairwise(stages):
        if (before.stage == Stage.HULL) != (after.stage == Stage.DOMAIN):
            missing = Stage.DOMAIN if before.stage == Stage.HULL else Stage.HULL
            message = f"{before.title} and {after.title} without a {missing} shader"
            found.add("stages.tessellation", message, after.place(), before.place())
    _check_tessellation(found, by_stage)
    _check_payload(found, by_stage)
    _check_position(found, stages)
    for each in stages:
        _check_distances(found, each)


def _check_kinds(found: PipelineFindings, stages: Sequence[PipelineStage]) -> None:
    """Check that stages of different kinds of pipelines are not mixed."""
    of_mesh = [each for each in stages if each.stage in MESH_STAGES]
    of_vertex = [each for each in stages if each.stage in VERTEX_STAGES]
    if of_mesh and of_vertex:
        message = f"{of_mesh[0].title} and {of_vertex[0].title} in one pipeline"
        found.add("stages.mesh", message, of_vertex[0].place(), of_mesh[0].place())
    elif len(stages) > 1 and of_mesh and all(each.stage != Stage.MESH for each in of_mesh):
        message = f"{of_mesh[0].title} without a {Stage.MESH} shader"
        found.add("stages.mesh", message, of_mesh[0].place())


def _check_tessellation(found: PipelineFindings, by_stage: Mapping[str, PipelineStage]) -> None:
    hull, domain = by_stage.get(Stage.HULL), by_stage.get(Stage.DOMAIN)
    geometry = by_stage.get(Stage.GEOMETRY)
    ours = None if hull is None else hull.reflection.tessellation
    theirs = None if domain is None else domain.reflection.tessellation
    if hull is not None and domain is not None and ours is not None and theirs is not None:
        count, wanted = ours.output_control_points, theirs.input_control_points
        if None not in (count, wanted) and count != wanted:
            message = f"{hull.title} outputs {count} control points, {domain.title} takes {wanted}"
            found.add("link.control-points", message, domain.place(), hull.place())
        kinds = {ours.domain, theirs.domain} - {None, Domain.UNDEFINED}
        if len(kinds) > 1:
            message = f"{hull.title} tessellates {ours.domain}, {domain.title} {theirs.domain}"
            found.add("link.domain", message, domain.place(), hull.place())
    primitive = next(
        (
            OF_TESSELLATOR[OutputPrimitive(each.output_primitive)]
            for each in (ours, theirs)
            if each is not None and each.output_primitive in OF_TESSELLATOR
        ),
        None,
    )
    settings = None if geometry is None else geometry.reflection.geometry
    if primitive is None or geometry is None or settings is None or domain is None:
        return
    if settings.input_primitive not in (primitive, Primitive.UNDEFINED):
        message = f"{geometry.title} takes a {settings.input_primitive}, the tessellator makes a"
        found.add("link.primitive", f"{message} {primitive}", geometry.place(), domain.place())


def _check_payload(found: PipelineFindings, by_stage: Mapping[str, PipelineStage]) -> None:
    before, after = by_stage.get(Stage.AMPLIFICATION), by_stage.get(Stage.MESH)
    if before is None or after is None:
        return
    ours, theirs = before.reflection.mesh, after.reflection.mesh
    size = None if ours is None else ours.payload_size
    wanted = None if theirs is None else theirs.payload_size
    # A mesh shader that does not read the payload declares none.
    if size is not None and wanted and size != wanted:
        message = f"{before.title} has a payload of {size} bytes, {after.title} of {wanted}"
        found.add("link.payload", message, after.place(), before.place())


def _check_position(found: PipelineFindings, stages: Sequence[PipelineStage]) -> None:
    """Check that the stage before rasterization outputs a position."""
    pixel = next((each for each in stages if each.stage == Stage.PIXEL), None)
    before = [each for each in stages if each.stage in (*VERTEX_STAGES, Stage.MESH)]
    if not before or before[-1].stage == Stage.HULL:
        return
    last = before[-1]
    # Rasterization follows the geometry shader of a PICA200, which has no pixel shaders.
    ends = last.api == PICA and last.stage == Stage.GEOMETRY
    if not ends and (pixel is None or last.api != DIRECT3D):
        return
    if all(each.row.system_value != SystemValue.POSITION for each in last.rows("outputs")):
        message = f"position is not provided by the last shader before it, the {last.title}"
        found.add("link.position", f"Rasterization Unit is enabled, but {message}", last.place())


def _check_distances(found: PipelineFindings, stage: PipelineStage) -> None:
    """Check the number of clip and cull distances that a stage outputs."""
    if stage.stage not in (*VERTEX_STAGES, Stage.MESH):
        return
    rows = [
        each
        for each in stage.rows("outputs")
        if each.row.system_value in (SystemValue.CLIP_DISTANCE, SystemValue.CULL_DISTANCE)
        and each.row.stream == 0
    ]
    # A SPIR-V built-in has a row for each distance, and glslang declares one that is not written.
    rows = [each for each in rows if each.row.used or not each.row.by_register]
    count = sum(len(each.row.components) for each in rows)
    if count > MOST_DISTANCES:
        message = f"expected at most {MOST_DISTANCES} clip and cull distances, got {count}"
        found.add("link.distances", f"{message}: {stage.title}", rows[0].place)
