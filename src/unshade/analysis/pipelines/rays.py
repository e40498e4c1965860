"""Ray tracing in a state object: hit groups, configurations, payloads and attributes.

    shader config   payloads of at most 16 bytes        sky  takes a payload of 20 bytes
    hit group       closest-hit shader `shade`          shade is a miss shader

Which shaders a ray reaches is decided by tables that the application fills. A payload that no hit
or miss shader takes is wrong whatever the tables contain.
"""

from collections.abc import Sequence

from ...model.stateobjects import StoredHitGroup, StoredRayConfig
from ...vocab.words import Stage, a_shader
from .exports import ExportedShader, ObjectExports
from .findings import PipelineFindings

__all__ = ["OF_RAYS", "check_rays"]

PIPELINE = "raytracing_pipeline"
TRIANGLES, PROCEDURAL = "triangles", "procedural_primitive"
KINDS = {TRIANGLES: "triangles", PROCEDURAL: "procedural primitives"}
IMPORTS = (
    ("any_hit", Stage.ANYHIT), ("closest_hit", Stage.CLOSESTHIT),
    ("intersection", Stage.INTERSECTION),
)  # fmt: skip
OF_RAYS = (
    Stage.RAYGENERATION, Stage.INTERSECTION, Stage.ANYHIT, Stage.CLOSESTHIT, Stage.MISS,
    Stage.CALLABLE,
)  # fmt: skip
TAKERS = (Stage.ANYHIT, Stage.CLOSESTHIT, Stage.MISS)
BUILT_IN = 8  # bytes of the attributes of triangles


def check_rays(found: PipelineFindings, object: ObjectExports) -> None:
    """Check the hit groups, configurations and payloads of a state object."""
    for group in object.described.hit_groups:
        _check_group(found, object, group)
    rays = [each for each in object.exports if each.stage.stage in OF_RAYS]
    _check_configs(found, object, rays)
    for each in rays:
        _check_sizes(found, object, each)
    if object.is_whole:
        _check_passed(found, object, rays)


def _check_group(found: PipelineFindings, object: ObjectExports, group: StoredHitGroup) -> None:
    for field, stage in IMPORTS:
        name = getattr(group, field)
        if name is None:
            continue
        export = object.named(name)
        title = f"the hit group {group.name!r:.80}"
        if export is None:
            if object.is_whole:
                message = f"{title} imports {name!r:.80}, which is no export"
                found.add("object.export", message, object.place())
        elif export.stage.stage != stage:
            got = a_shader(Stage(export.stage.stage))
            message = f"{title}: expected {a_shader(stage)} as {field.replace('_', '-')} shader"
            found.add("object.hit-group", f"{message}, got {got}", export.stage.place())
    has = group.intersection is not None
    if has != (group.type == PROCEDURAL):
        message = f"the hit group {group.name!r:.80} of {KINDS.get(group.type, group.type)}"
        problem = "has an intersection shader" if has else "has no intersection shader"
        found.add("object.hit-group", f"{message} {problem}", object.place())


def _check_configs(
    found: PipelineFindings, object: ObjectExports, rays: Sequence[ExportedShader]
) -> None:
    if object.described.type != PIPELINE:
        return
    pipelines = object.described.pipeline_configs
    if len({(each.max_recursion, each.flags) for each in pipelines}) != 1:
        count = len(pipelines) or "none"
        message = f"expected one ray-tracing pipeline configuration, got {count}"
        found.add("object.config", message, object.place())
    keys = [each.key for each in object.described.shader_configs]
    for each in rays:
        configs = _configs(object, each)
        if len({(one.max_payload_size, one.max_attribute_size) for one in configs}) != 1:
            message = f"expected one ray-tracing shader configuration of {each.shown!r:.80}"
            got = f"{len(configs)} of {len(keys)}" if keys else "none"
            found.add("object.config", f"{message}, got {got}", each.stage.place())
            return


def _configs(object: ObjectExports, export: ExportedShader) -> list[StoredRayConfig]:
    """Return the shader configurations that are associated with a shader."""
    known = {each.key: each for each in object.described.shader_configs}
    return [known[key] for key in object.associated(export, list(known))]


def _check_sizes(found: PipelineFindings, object: ObjectExports, export: ExportedShader) -> None:
    """Check the payload and attributes that a shader takes or passes against its configuration."""
    rays = export.stage.facts.ray_tracing
    configs = _configs(object, export)
    if rays is None or not configs:
        return
    most = configs[0]
    payload = rays.payload_size if export.stage.stage in TAKERS else None
    sizes = [each for each in (payload, *rays.passed_payloads) if each is not None]
    if most.max_payload_size is not None and max(sizes, default=0) > most.max_payload_size:
        found.add(
            "object.payload",
            f"Raytracing shader config specifies MaxPayloadSizeInBytes of {most.max_payload_size}"
            f' but function this config is associated with, "{export.shown}", has a larger payload'
            f" size: {max(sizes)} bytes",
            export.stage.place(),
        )
    attributes = rays.attribute_size or 0
    if most.max_attribute_size is not None and attributes > most.max_attribute_size:
        found.add(
            "object.attributes",
            "Raytracing shader config specifies MaxAttributeSizeInBytes of"
            f" {most.max_attribute_size} but function this config is associated with,"
            f' "{export.shown}", has a larger attribute size: {attributes} bytes',
            export.stage.place(),
        )
    for group in object.group_of(export):
        if group.type == TRIANGLES and attributes > BUILT_IN:
            message = f"{export.shown!r:.80} takes attributes of {attributes} bytes, triangles have"
            found.add("object.attributes", f"{message} {BUILT_IN}", export.stage.place())


def _check_passed(
    found: PipelineFindings, object: ObjectExports, rays: Sequence[ExportedShader]
) -> None:
    """Check that each passed payload or parameter has a size that some shader takes."""
    takers = [
        (each.stage.stage, each.stage.facts.ray_tracing.payload_size)
        for each in rays
        if each.stage.facts.ray_tracing is not None
    ]
    payloads = {size for stage, size in takers if stage in TAKERS and size is not None}
    parameters = {size for stage, size in takers if stage == Stage.CALLABLE and size is not None}
    for each in rays:
        facts = each.stage.facts.ray_tracing
        if facts is None:
            continue
        for passed, taken, what, by in (
            (facts.passed_payloads, payloads, "a payload", "hit or miss shader"),
            (facts.passed_parameters, parameters, "a parameter", "callable shader"),
        ):
            for size in passed:
                if taken and size not in taken:
                    known = ", ".join(map(str, sorted(taken)))
                    message = f"{each.shown!r:.80} passes {what} of {size} bytes"
                    found.add(
                        "object.passed", f"{message}, no {by} takes one of that size: {known}",
                        each.stage.place(),
                    )  # fmt: skip
