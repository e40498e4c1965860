"""The screen of `unshade reflect`: the neutral model as tables."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from ..enums import member_of
from ..formats import LANGUAGES, SHADER_MODEL
from ..model.reflection import (
    Geometry,
    MeshShading,
    NodePort,
    RayTracing,
    Reflection,
    SignatureParameter,
    WorkGraphNode,
)
from ..model.resources import (
    ConstantBuffer,
    Member,
    Resource,
    TypeDescription,
    Variable,
    shared_bindings,
)
from ..vocab.words import Stage
from .blocks import Block, Cell, TableBlock, Title
from .text import many, visible

TYPES = {
    "float32": "float", "sint32": "int", "uint32": "uint", "float16": "half", "float64": "double",
    "sint16": "int16", "uint16": "uint16", "sint64": "int64", "uint64": "uint64",
}  # fmt: skip
ENTRY_POINT = "entry point"
COUNTS = (  # what a reader of a shader asks first stands first
    ("instructions", "instruction/s"), ("float_instructions", "float"),
    ("int_instructions", "int"), ("uint_instructions", "uint"),
    ("bitwise_instructions", "bitwise"), ("moves", "mov"), ("conditional_moves", "movc"),
    ("conversions", "conversion/s"),
    ("texture_samples", "sample/s"), ("texture_loads", "load/s"),
    ("texture_comparisons", "comparison sample/s"), ("texture_bias", "bias sample/s"),
    ("texture_gradients", "gradient sample/s"), ("texture_gathers", "gather/s"), ("lods", "lod"),
    ("stores", "store/s"), ("interlocked", "atomic/s"), ("barriers", "barrier/s"),
    ("static_flow_control", "static flow control"),
    ("dynamic_flow_control", "dynamic flow control"),
    ("array_instructions", "on arrays"), ("emits", "emit/s"), ("cuts", "cut/s"),
)  # fmt: skip


def screen(name: str, found: Reflection) -> Iterator[Block]:
    """Yield the blocks for one reflection."""
    yield Title(visible(name), headline(found))
    yield from body(found)


def headline(found: Reflection) -> str:
    """Return a phrase such as `pixel shader 5.0 (ps_5_0)`; for several programs their kinds.

    A version that is not of a shader model follows the language: `pixel shader, SPIR-V 1.5`.
    """
    if found.entry_points:
        stages = ", ".join(str(each.stage) for each in found.entry_points)
        return f"{many(len(found.entry_points), 'shader')} ({stages})"
    language = LANGUAGES.get(found.code or "", found.code)
    version = f" {found.model}" if found.model else ""
    if found.stage is None:
        if found.root_signature is not None:
            return f"root signature {found.root_signature.version}"
        if language is None:
            return f"{found.format} without code"
        return f"{language}{version} without entry points"
    if version and language not in (None, SHADER_MODEL):
        version = f", {language}{version}"
    noun = _noun(found.stage)
    profile = f" ({found.profile})" if found.profile else ""
    return f"{noun}{version}{profile}"


def _noun(stage: str) -> str:
    known = stage != Stage.LIBRARY and member_of(Stage, stage) is not None
    return f"{stage} shader" if known else str(stage)


def body(found: Reflection, named: bool = False) -> Iterator[Block]:
    """Yield the tables that have rows; `named`: a title already contains the entry point."""
    facts = [fact for fact in _facts(found) if not named or fact[0] != ENTRY_POINT]
    if facts:
        yield TableBlock("Program", ("", ""), [[(label, "dim"), value] for label, value in facts])
    for title, rows in (
        ("Inputs", found.inputs),
        ("Outputs", found.outputs),
        ("Patch constants", found.patch_constants),
    ):
        if rows:
            yield signature(title, rows)
    if found.resources:
        yield resources(found.resources)
    for buffer in found.constant_buffers:
        yield constant_buffer(buffer)
    if found.functions:
        yield TableBlock("Functions", ("",), [((visible(each), ""),) for each in found.functions])
    if found.root_signature is not None or found.interfaces is not None:
        from .linkage import linkage  # few shaders have either

        yield from linkage(found)
    for each in found.entry_points:
        yield Title(visible(each.entry_point or "unnamed"), headline(each), inner=True)
        yield from body(each, named=True)
    if found.notes:
        yield TableBlock(
            "Not complete", ("",), [((visible(note), "warn"),) for note in found.notes]
        )


def _counted(count: int, word: str) -> str:
    """`branch/es` is `1 branch`, `2 branches`; a word without a stroke stays."""
    one, _, ending = word.partition("/")
    return many(count, one, one + ending)


def _facts(found: Reflection) -> Iterator[tuple[str, Cell]]:
    if found.entry_point:
        yield ENTRY_POINT, visible(found.entry_point)
    if found.thread_group:
        x, y, z = found.thread_group
        text = f"{x} x {y} x {z} = {many(x * y * z, 'thread')}"
        axes = zip("xyz", found.thread_group_constants or (), strict=False)
        set_by = [f"{axis} is constant {each}" for axis, each in axes if each is not None]
        yield "thread group", "; ".join([text, *set_by])
    if found.geometry:
        yield "geometry", ", ".join(_geometry(found.geometry))
    if found.tessellation:
        yield "tessellation", ", ".join(_tessellation(found.tessellation.to_dict()))
    if found.mesh:
        name = "mesh" if found.mesh.output_topology else "amplification"
        yield name, ", ".join(_mesh(found.mesh))
    if found.ray_tracing:
        rays = ", ".join(_rays(found.ray_tracing))
        if rays:
            yield "ray tracing", rays
    if found.node:
        yield "node", ", ".join(_node(found.node))
        for each in found.node.outputs:
            yield "sends", _port(each)
    if found.sample_frequency:
        yield "runs", "for each sample"
    if found.builtins:
        yield "reads", ", ".join(str(each) for each in found.builtins)
    if found.temp_registers is not None:
        arrays = "".join(
            f", x{each.register}[{each.count}].{'xyzw'[: each.components]}"
            for each in found.temp_arrays
        )
        yield "registers", f"{found.temp_registers} temporary{arrays}"
    defaults: dict[int, set[str]] = {}
    for constant in found.specialisation_constants:
        defaults.setdefault(constant.id, set()).add(str(constant.default))
    for constant in found.specialisation_constants:
        name = f" {visible(constant.name)}" if constant.name else ""
        others = defaults[constant.id] - {str(constant.default)}
        more = f" (others with this number: {', '.join(sorted(others))})" if others else ""
        yield "constant", f"{constant.id}: {constant.type}{name} = {constant.default}{more}"
    for memory in found.shared_memory:
        shape = f" ({memory.count} of {memory.stride})" if memory.stride else ""
        yield "shared memory", f"g{memory.register}: {many(memory.size, 'byte')}{shape}"
    if found.statistics is not None:
        counts = found.statistics
        counted = [
            _counted(value, word) for name, word in COUNTS if (value := getattr(counts, name))
        ]
        if counted:
            yield "counts", ", ".join(counted) + (" (counted here)" if counts.computed else "")
    if found.features:
        yield "needs", ", ".join(found.features)
    if found.global_flags:
        yield "global flags", ", ".join(found.global_flags)
    if found.root_signature is not None:
        flags = "".join(f", {flag}" for flag in found.root_signature.flags)
        yield "root signature", f"{found.root_signature.version}{flags}"
    if found.hash is not None:
        yield (
            "hash",
            found.hash.digest.hex() + (" (with source)" if found.hash.includes_source else ""),
        )


def _geometry(found: Geometry) -> Iterator[str]:
    if found.mode is not None:
        count = found.input_vertices
        vertices = f" of {many(count, 'vertex', 'vertices')}" if count else ""
        start = "" if found.first_uniform is None else f" from c{found.first_uniform}"
        yield f"{found.mode} mode{vertices}{start}"
    else:
        yield f"{found.input_primitive} in"
    yield f"{found.output_topology} out"
    if found.max_output_vertices is not None:
        yield f"at most {many(found.max_output_vertices, 'vertex', 'vertices')}"
        yield many(found.instances, "instance")


def _mesh(found: MeshShading) -> Iterator[str]:
    if found.output_topology is not None:
        yield f"{found.output_topology} out"
    if found.max_vertices is not None:
        yield f"at most {many(found.max_vertices, 'vertex', 'vertices')}"
    if found.max_primitives is not None:
        yield f"at most {many(found.max_primitives, 'primitive')}"
    if found.payload_size or (found.payload_size is not None and found.output_topology is None):
        yield f"payload of {many(found.payload_size, 'byte')}"


def _rays(found: RayTracing) -> Iterator[str]:
    if found.payload_size is not None:
        yield f"takes {many(found.payload_size, 'byte')}"
    if found.attribute_size is not None:
        yield f"attributes of {many(found.attribute_size, 'byte')}"
    for word, sizes in (("rays", found.passed_payloads), ("callables", found.passed_parameters)):
        if sizes:
            yield f"passes {word} {' or '.join(map(str, sizes))} bytes"


def _node(found: WorkGraphNode) -> Iterator[str]:
    yield visible(found.name) + (f"[{found.index}]" if found.index else "")
    if found.launch is not None:
        yield f"{found.launch} launch"
    if found.is_entry:
        yield "entry point"
    for word, grid in (("grid", found.dispatch_grid), ("largest grid", found.max_dispatch_grid)):
        if grid is not None:
            yield f"{word} {' x '.join(map(str, grid))}"
    if found.max_recursion:
        yield f"recursion of at most {found.max_recursion}"
    if found.shares_input_of is not None:
        index = f"[{found.shared_index}]" if found.shared_index else ""
        yield f"shares the input of {visible(found.shares_input_of)}{index}"
    for each in found.inputs:
        yield f"takes {_records(each)}"


def _records(found: NodePort) -> str:
    if not found.record_size:
        return "empty records"
    return f"records of {many(found.record_size, 'byte')}"


def _port(found: NodePort) -> str:
    count = found.array_size
    array = "" if count is None else "[]" if count < 0 else f"[{count}]"
    most = "" if found.max_records is None else f"at most {found.max_records} "
    sparse = ", sparse" if found.sparse else ""
    return f"{most}{_records(found)} to {visible(found.name)}{array}{sparse}"


def _tessellation(facts: dict[str, Any]) -> Iterator[str]:
    for name, value in facts.items():
        if value is not None:
            yield f"{name.replace('_', ' ')} {value}"


def signature(title: str, rows: Sequence[SignatureParameter]) -> TableBlock:
    """Return the table of one signature."""
    streams = any(row.stream for row in rows)
    precise = any(row.min_precision != "default" for row in rows)
    ways = any(row.interpolation is not None for row in rows)
    headings = ["semantic", "register", "mask", "used", "type", "system value"]
    headings += ["interpolation"] * ways + ["precision"] * precise + [">stream"] * streams
    cells: list[list[Cell]] = []
    for row in rows:
        value = "" if row.system_value is None else str(row.system_value)
        line: list[Cell] = [
            (visible(row.semantic) + (str(row.index) if row.index else ""), "name"),
            "-" if row.register is None else str(row.register),
            _mask(row.components),
            _mask(row.used),
            TYPES.get(row.component_type, str(row.component_type)),
            value,
        ]
        line += [str(row.interpolation or "")] * ways
        line += [str(row.min_precision)] * precise + [str(row.stream)] * streams
        cells.append(line)
    return TableBlock(title, headings, cells)


def _mask(letters: str) -> str:
    """Return `xz` as `x z `, so that components are aligned."""
    return (
        "".join(c if c in letters else " " for c in "xyzw")
        if set(letters) <= set("xyzw")
        else (letters)
    )


def resources(rows: Sequence[Resource]) -> TableBlock:
    """Return the resources."""
    cells: list[list[Cell]] = []
    shared = shared_bindings(rows)
    for at, row in enumerate(rows):
        kind = str(row.kind).replace("_", " ")
        shape = str(row.dimension or "") if row.kind == "texture" else ""
        access = "read-write" if row.writable else ""
        extra = [access, str(row.counter or ""), "comparison" if row.comparison else ""]
        extra += ["globally coherent" if row.globally_coherent else ""]
        extra += ["rasterizer ordered" if row.rasterizer_ordered else ""]
        extra += [f"stride {row.stride}" if row.stride else ""]
        extra += [many(row.samples, "sample") if row.samples else ""]
        extra += _sharing(row, [rows[other] for other in shared.get(at, ())])
        count = "" if row.count == 1 else "[]" if row.count is None else f"[{row.count}]"
        returned = "" if row.return_type is None else f"{row.return_type}{row.components or ''}"
        cells.append(
            [
                (visible(row.where) + count, "key"),
                (visible(row.name), "dim" if row.declared else "name"),
                f"{kind} {shape}".strip(),
                returned,
                ", ".join(each for each in extra if each),
            ]
        )
    return TableBlock("Resources", ("slot", "name", "kind", "returns", ""), cells)


def _sharing(row: Resource, others: Sequence[Resource]) -> Iterator[str]:
    """Yield the remark about a resource that shares its binding with others."""
    same = [each for each in others if each.descriptor == row.descriptor]
    rest = [each for each in others if each.descriptor != row.descriptor]
    if same:
        words = "overlaps" if row.register_class else "one descriptor with"
        yield f"{words} {_first(same)}"
    if rest:
        yield f"same binding as {_first(rest)}"


def _first(rows: Sequence[Resource]) -> str:
    more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
    return f"{visible(rows[0].name)}{more}"


def register_file(buffer: ConstantBuffer) -> TableBlock:
    """Return the table of a register file: its variables with their registers."""
    cells: list[list[Cell]] = []
    for variable in buffer.variables:
        first, last = variable.registers[0], variable.registers[-1]
        place = f"{buffer.name}{first}" + (f"-{buffer.name}{last}" if last > first else "")
        value = "" if variable.value is None else f"= {_uniform_value(variable.value)}"
        cells.append(
            [
                (visible(place), "dim"),
                visible(variable.type.declaration(variable.name)),
                (visible(value), "number"),
                ("" if variable.used else "unused", "dim"),
            ]
        )
    return TableBlock(f"Uniforms {visible(buffer.name)}", ("register", "", "", ""), cells)


def _uniform_value(value: Any) -> str:
    """Return a value as listings print it: a float as the shortest number with the same 24 bits."""
    if isinstance(value, list):
        return f"[{', '.join(map(_uniform_value, value))}]"
    if isinstance(value, float):
        from ..vocab.float24 import from_float, is_subnormal, source_text, text  # few need it

        bits = from_float(value, subnormal=True)
        return source_text(bits) if isfinite(value) and not is_subnormal(bits) else text(bits)
    return str(value)


def constant_buffer(buffer: ConstantBuffer) -> TableBlock:
    """Return the table of a buffer: its variables and their members with offsets."""
    if buffer.register is not None:
        return register_file(buffer)
    kind = str(buffer.kind).replace("_", " ")
    slots = buffer.kind == "interface_pointers"  # whose offsets and sizes count slots
    title = f"{kind[:1].upper()}{kind[1:]} {visible(buffer.name)}"
    title += "" if slots else f", {many(buffer.size, 'byte')}"
    title += f", {buffer.layout}" if buffer.layout is not None else ""
    cells: list[list[Cell]] = []
    for variable in buffer.variables:
        unused = "" if variable.used else "unused"
        value = "" if variable.value is None else f"= {variable.value}"
        cells.append(
            [
                *_row(variable, variable.offset, f"{variable.size:,}", 0),
                (visible(value), "number"),
                (unused, "dim"),
            ]
        )
        cells += _members(variable.type, variable.offset, 1)
    if not cells:
        cells.append(["", "", ("no variables", "dim"), "", ""])
    return TableBlock(title, (">offset", ">slots" if slots else ">bytes", "", "", ""), cells)


def _members(kind: TypeDescription, start: int, depth: int) -> Iterator[list[Cell]]:
    for member in kind.members:
        yield [*_row(member, start + member.offset, "", depth), "", ""]
        yield from _members(member.type, start + member.offset, depth + 1)


def _row(each: Variable | Member, offset: int, size: str, depth: int) -> list[Cell]:
    declared = each.type.declaration(each.name)
    return [(str(offset), "dim"), (size, "number"), "  " * depth + visible(declared)]
