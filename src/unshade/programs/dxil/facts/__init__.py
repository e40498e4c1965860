"""Facts of a DXIL program, in the terms of `model`.

    ports      inputs, outputs and patch constants, from signatures; built-in inputs, from calls
    resources  bound resources; usage: those that the code refers to
    layouts    constant buffers, from annotations of types
    statistics counts over the instructions
    libraries  shaders of ray tracing, nodes of work graphs
    words      numbers of DXIL as words of the vocabulary

Names of resources and the variables of buffers are in the module for reflection (part STAT), and in
others unless dxc removed them.
"""

from __future__ import annotations

import struct
from contextlib import suppress

from ....enums import member_of
from ....errors import FormatError
from ....model.facts import ProgramFacts
from ....model.reflection import Geometry, MeshShading, SharedMemory, Statistics, Tessellation
from ....program import EntryPoint
from ....vocab import d3d
from ....vocab.dxil import MESH_TOPOLOGIES
from ....vocab.numbers import word
from ....vocab.words import Stage
from ..calls import functions_of
from ..code import Code
from ..model.instructions import Instruction
from ..model.module import DxilModule
from ..shaderinfo import DxilEntryPoint, DxilShader, read_shader
from ..shaderinfo.fields import named_nodes
from .layouts import size_of
from .libraries import of_library
from .ports import builtins, ports
from .resources import resources
from .statistics import counts
from .words import FLAGS, features

__all__ = ["entry_points", "facts_of", "statistics"]

SHARED_SPACE = 3  # address space of memory of a thread group


def entry_points(code: Code) -> list[EntryPoint]:
    """Return the entry points; a library may have none."""
    entries = _entries(read_shader(code.read_module()))
    return [EntryPoint(each.name, stage_of(code, each)) for each in entries]


def _entries(shader: DxilShader) -> list[DxilEntryPoint]:
    return [each for each in shader.entry_points if each.name or shader.stage != "lib"]


def stage_of(code: Code, entry: DxilEntryPoint) -> str:
    """Return the stage of an entry point."""
    kind = entry.properties.shader_kind
    return str(word(d3d.STAGES, code.kind if kind is None else kind))


def facts_of(code: Code, entry: str | None = None) -> ProgramFacts:
    """Return the facts of an entry point; None means the first, or a library without any."""
    module = code.read_module()
    shader = read_shader(module)
    chosen = _chosen(shader, entry)
    major, minor = code.shader_model
    facts = ProgramFacts(
        code="dxil",
        entry_point=chosen.name,
        stage=stage_of(code, chosen),
        model=f"{major}.{minor}",
        profile=code.profile,
        creator=_creator(module),
    )
    instructions = _instructions(chosen)
    path = f"dx.entryPoints[{shader.entry_points.index(chosen)}]"
    ports(facts, chosen, path)
    builtins(facts, instructions)
    resources(facts, shader, chosen, path, instructions)
    _stage(facts, chosen)
    of_library(facts, chosen, instructions)
    flags = chosen.properties.flags
    facts.features = features(flags)
    facts.global_flags = [name for bit, name in FLAGS if flags >> bit & 1]
    facts.shared_memory = [
        SharedMemory(register=number, size=size_of(each.value_type))
        for number, each in enumerate(
            each for each in module.variables if getattr(each.type, "space", 0) == SHARED_SPACE
        )
    ]
    facts.statistics = counts(instructions)
    return facts


def _creator(module: DxilModule) -> str | None:
    """Return the compiler that the module names: `dxcoob 1.7.2308.7 (69e54e290)`."""
    with suppress(FormatError):  # nothing depends on it
        for node in named_nodes(module, "llvm.ident")[:1]:
            return node.text(0) or None
    return None


def _chosen(shader: DxilShader, entry: str | None) -> DxilEntryPoint:
    """Return the entry point of a name, or the first."""
    entries = _entries(shader) or shader.entry_points
    if not entries:
        raise FormatError("expected at least one entry point, got none", path="dx.entryPoints")
    return next((each for each in entries if entry is None or each.name == entry), entries[0])


def _instructions(entry: DxilEntryPoint) -> list[Instruction]:
    """Return the instructions of an entry point and of the functions that it calls."""
    return [each for function in functions_of(entry) for each in function.instructions]


def _stage(facts: ProgramFacts, entry: DxilEntryPoint) -> None:
    """Set the stage-specific facts."""
    found = entry.properties
    group = found.threads
    for mesh in (found.mesh, found.amplification):
        if mesh is not None:
            group = mesh.threads
            facts.mesh = MeshShading(payload_size=mesh.payload_size)
    if found.mesh is not None:
        facts.mesh = MeshShading(
            output_topology=word(MESH_TOPOLOGIES, found.mesh.topology),
            max_vertices=found.mesh.max_vertices,
            max_primitives=found.mesh.max_primitives,
            payload_size=found.mesh.payload_size,
        )
    if group:
        facts.thread_group = list(group)
    facts.wave_size = list(found.wave_size) or None
    if found.geometry is not None:
        each = found.geometry
        topology = word(d3d.TOPOLOGIES, each.topology)
        last = max(each.streams.bit_length(), 1)
        streams = [topology if each.streams >> at & 1 else "undefined" for at in range(last)]
        vertices = None if not 8 <= each.input_primitive < 40 else each.input_primitive - 7
        primitive = member_of(d3d.D3DPrimitive, each.input_primitive)
        facts.geometry = Geometry(
            input_primitive="patch" if vertices else getattr(primitive, "name", "").lower(),
            input_vertices=vertices,
            output_topology=topology,
            streams=streams,
            max_output_vertices=each.max_vertices,
            instances=each.instances,
        )
    if found.domain is not None:
        facts.tessellation = Tessellation(
            domain=word(d3d.DOMAINS, found.domain.domain),
            input_control_points=found.domain.input_control_points,
        )
    if found.hull is not None:
        hull = found.hull
        facts.tessellation = Tessellation(
            domain=word(d3d.DOMAINS, hull.domain),
            partitioning=word(d3d.PARTITIONINGS, hull.partitioning),
            output_primitive=word(d3d.OUTPUT_PRIMITIVES, hull.output_primitive),
            input_control_points=hull.input_control_points,
            output_control_points=hull.output_control_points,
            max_factor=struct.unpack("<f", struct.pack("<I", hull.max_tess_factor))[0],
        )
    if facts.stage == Stage.PIXEL:
        facts.sample_frequency = any(
            "sample" in str(each.interpolation) or each.system_value == "sample_index"
            for each in (*facts.inputs, *facts.builtins)
        )


def statistics(code: Code, entry: str | None = None) -> Statistics:
    """Return counts over the instructions of an entry point."""
    return counts(_instructions(_chosen(read_shader(code.read_module()), entry)))
