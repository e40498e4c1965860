"""Descriptions of state objects that a file contains: ray-tracing pipelines, work graphs.

StoredStateObject ── libraries, collections      shaders, by key; renamed exports
                  ├─ hit_groups, configs         subobjects of ray tracing
                  ├─ root signatures             global, local with their exports
                  ├─ programs                    pipelines of exported shaders
                  └─ work_graphs ── nodes        overrides of what the shaders declare
"""

from typing import Any

from .plain import Facts, fact

__all__ = [
    "ExportedName",
    "StoredAssociation",
    "StoredHitGroup",
    "StoredLibrary",
    "StoredNode",
    "StoredNodeId",
    "StoredNodeOutput",
    "StoredProgramDescription",
    "StoredRayConfig",
    "StoredStateObject",
    "StoredWorkGraph",
]


class ExportedName(Facts):
    """An export of a library or collection."""

    name: str = fact("name by which the state object knows it")
    renamed_from: str | None = fact("name in the library, if it is another one", default=None)


class StoredLibrary(Facts):
    """A library of shaders, or another state object whose shaders are used."""

    key: str = fact("key in the file; of a library that describes itself, empty")
    exports: list[ExportedName] = fact("exports; empty if all are used", factory=list)


class StoredHitGroup(Facts):
    """A hit group: the shaders that run where a ray hits a kind of geometry."""

    name: str = fact("name of the group")
    type: str = fact("`triangles` or `procedural_primitive`")
    any_hit: str | None = fact("export of the any-hit shader", default=None)
    closest_hit: str | None = fact("export of the closest-hit shader", default=None)
    intersection: str | None = fact("export of the intersection shader", default=None)


class StoredRayConfig(Facts):
    """A configuration of ray tracing: of shaders, or of the whole pipeline."""

    key: str = fact("key or name of the configuration")
    max_payload_size: int | None = fact("maximum bytes of a payload", default=None)
    max_attribute_size: int | None = fact("maximum bytes of attributes", default=None)
    max_recursion: int | None = fact("maximum depth of traced rays", default=None)
    flags: int = fact("flags of the pipeline", default=0)


class StoredAssociation(Facts):
    """An association of a subobject with exports; without exports the default."""

    subobject: str = fact("key or name of the subobject")
    type: str | None = fact("type of the subobject; None if it is named in a library", default=None)
    exports: list[str] = fact("names of exports; empty for a default", factory=list)


class StoredProgramDescription(Facts):
    """A generic program: a pipeline of shaders that the state object exports."""

    name: str = fact("name of the program")
    exports: list[str] = fact("names of its shaders", factory=list)
    state: dict[str, Any] = fact("fixed-function state, as of `StoredPipeline`", factory=dict)


class StoredNodeId(Facts):
    """The name of a node, and its index in an array of nodes."""

    name: str = fact("name")
    index: int = fact("index in the array", default=0)


class StoredNodeOutput(Facts):
    """Overrides of an output of a node; None where the shader's declaration holds."""

    output: int = fact("number of the output in the shader")
    target: StoredNodeId | None = fact("node that records are sent to instead", default=None)
    sparse: bool | None = fact("True if nodes of the array may be missing", default=None)
    max_records: int | None = fact("maximum number of records", default=None)
    shares_with: int | None = fact("output whose maximum it shares", default=None)


class StoredNode(Facts):
    """A node of a work graph, and overrides of what its shader declares."""

    shader: str = fact("export of its shader, or name of its program")
    is_program: bool = fact("True if it is a program", default=False)
    overrides: str = fact("launch mode that the overrides are for; `none` without", default="none")
    id: StoredNodeId | None = fact("another name", default=None)
    shares_input_of: StoredNodeId | None = fact("another node whose input it shares", default=None)
    is_entry: bool | None = fact("True if the application may send records to it", default=None)
    root_arguments: int | None = fact("index in the table of local root arguments", default=None)
    dispatch_grid: list[int] | None = fact("fixed grid of groups", default=None)
    max_dispatch_grid: list[int] | None = fact("maximum grid of groups", default=None)
    outputs: list[StoredNodeOutput] = fact("overrides of outputs", factory=list)


class StoredWorkGraph(Facts):
    """A work graph."""

    name: str = fact("name of the graph")
    flags: list[str] = fact("flags: `include_all_available_nodes`, …", factory=list)
    entry_points: list[StoredNodeId] = fact("nodes that the application starts", factory=list)
    nodes: list[StoredNode] = fact("nodes that the graph lists", factory=list)


class StoredStateObject(Facts):
    """A state object: a collection, a ray-tracing pipeline, or programs and work graphs."""

    key: str = fact("key in the file, spelled as text; empty if a library describes itself")
    group: str = fact("key by which the application asks for it; empty if none", default="")
    version: int | None = fact("version of that group", default=None)
    type: str = fact("`collection`, `raytracing_pipeline` or `executable`")
    flags: int = fact("flags of its configuration", default=0)
    parent: str | None = fact("key of the state object that it adds to", default=None)
    libraries: list[StoredLibrary] = fact("libraries with code", factory=list)
    collections: list[StoredLibrary] = fact("state objects whose exports it has", factory=list)
    global_root_signatures: list[str] = fact("keys or names", factory=list)
    local_root_signatures: list[str] = fact("keys or names", factory=list)
    hit_groups: list[StoredHitGroup] = fact("hit groups", factory=list)
    shader_configs: list[StoredRayConfig] = fact("sizes of payloads and attributes", factory=list)
    pipeline_configs: list[StoredRayConfig] = fact("recursion and flags", factory=list)
    associations: list[StoredAssociation] = fact("of subobjects with exports", factory=list)
    programs: list[StoredProgramDescription] = fact("generic programs", factory=list)
    work_graphs: list[StoredWorkGraph] = fact("work graphs", factory=list)
