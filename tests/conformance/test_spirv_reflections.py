"""Reflection of SPIR-V against the results that other reflection libraries record in their tests.

UNSHADE_SPIRV_REFLECT names a checkout of SPIRV-Reflect, whose tests have a YAML file beside each
module; UNSHADE_SPIRV_CROSS one of SPIRV-Cross, with JSON files for shaders in assembly and GLSL.
The latter need glslangValidator (Debian: glslang-tools).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

import unshade
from tests.ratchet import Ratchet
from unshade.model import Member, Reflection, Resource, SignatureParameter, Variable

pytestmark = pytest.mark.conformance

Fact = tuple[str, object, object]  # its kind, theirs, ours
STAGES = {
    0: "vertex", 1: "hull", 2: "domain", 3: "geometry", 4: "pixel", 5: "compute",
    5267: "amplification", 5268: "mesh", 5364: "amplification", 5365: "mesh",
    5313: "raygeneration", 5314: "intersection", 5315: "anyhit", 5316: "closesthit",
    5317: "miss", 5318: "callable",
}  # fmt: skip
# VkDescriptorType, by our kinds and access.
DESCRIPTORS = {
    0: "sampler", 1: "combined_image_sampler", 2: "sampled_image", 3: "storage_image",
    4: "uniform_texel_buffer", 5: "storage_texel_buffer", 6: "uniform_buffer",
    7: "storage_buffer", 10: "input_attachment", 1000150000: "acceleration_structure",
}  # fmt: skip
DIMENSIONS = {0: "1d", 1: "2d", 2: "3d", 3: "cube", 4: "2d", 5: "buffer", 6: "2d"}
# VkFormat of one component, by our type: R16 to R64, and the step to the next number of components.
FORMATS = {
    "uint16": (74, 7), "sint16": (75, 7), "float16": (76, 7), "uint32": (98, 3),
    "sint32": (99, 3), "float32": (100, 3), "uint64": (110, 3), "sint64": (111, 3),
    "float64": (112, 3),
}  # fmt: skip
ARRAY, SPECIALISED = 28, range(48, 53)  # opcodes: OpTypeArray, specialisation constants


def checkout(variable: str) -> Path:
    place = os.environ.get(variable)
    if not place:
        pytest.skip(f"{variable} names no checkout")
    return Path(place)


def tell(facts: list[tuple[str, Fact]], ratchet: Ratchet, name: str) -> None:
    """Record the counts, and print the facts that differ."""
    total, equal = Counter[str](), Counter[str]()
    for where, (kind, theirs, ours) in facts:
        total[kind] += 1
        equal[kind] += theirs == ours
        if theirs != ours:
            print(f"{where}: {kind}: expected {theirs}, got {ours}")
    for kind in total:
        print(f"{kind}: {equal[kind]} of {total[kind]}")
    ratchet(name, equal.total(), total.total())


# ---------------------------------------------------------------- SPIRV-Reflect


def test_spirv_reflect(ratchet: Ratchet) -> None:
    facts: list[tuple[str, Fact]] = []
    for path in sorted((checkout("UNSHADE_SPIRV_REFLECT") / "tests").rglob("*.yaml")):
        data = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)["module"]
        module = path.with_suffix("") if path.with_suffix("").exists() else None
        shader = unshade.SpirvModule.open(module or path.with_suffix(".spv"))
        found = shader.reflect()
        code = shader.program.module.instructions
        changing = {each.words[2] for each in code if each.opcode in SPECIALISED}
        computed = any(each.opcode == ARRAY and each.words[3] in changing for each in code)
        facts += [(path.name, fact) for fact in of_module(data, found, computed)]
    tell(facts, ratchet, "spirv/facts of SPIRV-Reflect")


def of_module(data: dict[str, Any], found: Reflection, computed: bool) -> Iterator[Fact]:
    first = next(
        (each for each in found.entry_points if each.entry_point == data["entry_point_name"]), found
    )
    yield "entry point", data["entry_point_name"], first.entry_point
    yield "stage", STAGES.get(data["spirv_execution_model"]), first.stage
    entries = found.entry_points or [found]
    ours: dict[tuple[int, int], list[tuple[Reflection, Resource]]] = {}
    for entry in entries:
        for each in entry.resources:
            ours.setdefault((each.space, each.register), []).append((entry, each))
    theirs = data["descriptor_bindings"] or []
    yield "places", {(each["set"], each["binding"]) for each in theirs}, set(ours)
    for each in theirs:
        same = ours.get((each["set"], each["binding"]), [])
        chosen = [one for one in same if one[1].name == each["name"]] or same
        if chosen:
            yield from of_binding(each, *chosen[0], computed)
    yield from of_variables(data["input_variables"] or [], first, True)
    yield from of_variables(data["output_variables"] or [], first, False)
    pushed = [each for each in first.constant_buffers if each.kind == "push_constants"]
    blocks = data["push_constants"] or []
    for theirs_, ours_ in zip(blocks, pushed, strict=False):
        yield from of_members(theirs_["members"] or [], ours_.variables, computed)
    constants = data["specialization_constants"] or []
    ids = {each.id for each in first.specialisation_constants}
    yield "specialisation constants", {each["constant_id"] for each in constants}, ids


def of_binding(
    data: dict[str, Any], entry: Reflection, found: Resource, computed: bool
) -> Iterator[Fact]:
    yield "descriptor", DESCRIPTORS[data["descriptor_type"]], found.descriptor
    if data["name"]:
        yield "name of a resource", data["name"], found.name
    lengths = data["array"]["dims"]
    count = 1
    for length in lengths:
        count *= length
    yield "count", count or None, found.count
    yield "used", bool(data["accessed"]), found.used
    if data["descriptor_type"] in (1, 2, 3, 4, 5, 10):
        image = data["image"]
        name = DIMENSIONS[image["dim"]]
        name += ("ms" if image["ms"] else "") + ("array" if image["arrayed"] else "")
        yield "dimension", name, str(found.dimension)
    if found.kind == "input_attachment":
        yield "attachment", data["input_attachment_index"], found.attachment
    block = data["block"]
    if block and block["members"]:
        at = entry.resources.index(found)
        (layout,) = (each for each in entry.constant_buffers if each.resource == at)
        if found.kind != "structured_buffer":
            yield from of_members(block["members"], layout.variables, computed)
            size = block["size"]
            if found.kind == "constant_buffer" and size:
                yield "size", size, -(-layout.size // 16) * 16


def of_members(
    theirs: list[Any], ours: Sequence[Variable | Member], computed: bool
) -> Iterator[Fact]:
    yield "members", len(theirs), len(ours)
    places = {each.offset: each for each in ours}
    for data in theirs:
        if not isinstance(data, dict):  # recursive
            continue
        found = places.get(data["offset"])
        yield "offset", True, found is not None
        if found is None:
            continue
        if data["name"]:
            yield "name of a member", data["name"], found.name
        type = found.type
        lengths = list(data["array"]["dims"])
        # They do not follow pointers, count no elements of unbounded arrays, and have another
        # number for a length that is computed from constants of specialisation.
        plain = type.scalar != "pointer" and 0 not in type.elements
        if plain and not computed:
            yield "array", lengths, type.elements
            if lengths:
                yield "array stride", data["array"]["stride"], type.strides[-1]
        matrix = data["numeric"]["matrix"]
        if matrix["column_count"] and not type.members:
            shape = matrix["row_count"], matrix["column_count"], matrix["stride"]
            yield "matrix", shape, (type.rows, type.columns, type.matrix_stride)
        if isinstance(data["members"], list) and type.members:
            yield from of_members(data["members"], type.members, computed)


def of_variables(theirs: list[dict[str, Any]], found: Reflection, inputs: bool) -> Iterator[Fact]:
    rows = [*(found.inputs if inputs else found.outputs), *found.patch_constants]
    ours: dict[int, list[SignatureParameter]] = {}
    for row in rows:
        if row.register is not None:
            ours.setdefault(row.register, []).append(row)
    for data in flattened(theirs):
        if data["built_in"] != -1 or data["location"] > 0xFFFF or data["members"]:
            continue
        same = ours.get(data["location"], [])
        yield "location", True, bool(same)
        chosen = [row for row in same if data["name"] in names_of(row)] or same
        if not chosen:
            continue
        row = chosen[0]
        if data["name"]:
            yield "name of a variable", True, data["name"] in names_of(row)
        first, step = FORMATS.get(str(row.component_type), (0, 0))
        if data["format"] and first:
            count = len(row.components)
            yield "format", data["format"], first + step * (count - 1)


def flattened(theirs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in theirs:
        yield each
        if isinstance(each["members"], list):
            yield from flattened(each["members"])


def names_of(row: SignatureParameter) -> tuple[str, str]:
    """Return the name of a row, with and without that of the block around it."""
    return row.semantic, row.semantic.split(".")[-1]


# ---------------------------------------------------------------- SPIRV-Cross

MODES = {
    "vert": "vertex", "tesc": "hull", "tese": "domain", "geom": "geometry", "frag": "pixel",
    "comp": "compute", "rgen": "raygeneration",
}  # fmt: skip
RESOURCES = {
    "ubos": {"uniform_buffer"},
    "ssbos": {"storage_buffer"},
    "textures": {"combined_image_sampler", "uniform_texel_buffer"},
    "images": {"storage_image", "storage_texel_buffer"},
    "separate_images": {"sampled_image", "uniform_texel_buffer"},
    "separate_samplers": {"sampler"},
    "subpass_inputs": {"input_attachment"},
    "acceleration_structures": {"acceleration_structure"},
}
SCALARS = {"float": "float", "int": "int", "uint": "uint", "bool": "bool", "double": "double"}
VECTORS = {"vec": "float", "ivec": "int", "uvec": "uint", "bvec": "bool", "dvec": "double"}
PORTS = {"float": "float32", "int": "sint32", "uint": "uint32"}


def test_spirv_cross(ratchet: Ratchet, tmp_path: Path) -> None:
    folder = checkout("UNSHADE_SPIRV_CROSS")
    compiler = shutil.which("glslangValidator")
    if compiler is None:
        pytest.skip("glslangValidator is not installed")
    facts: list[tuple[str, Fact]] = []
    references = folder / "reference" / "shaders-reflection"
    for path in sorted(references.rglob("*.json")):
        source = folder / "shaders-reflection" / path.relative_to(references).with_suffix("")
        module = tmp_path / "a.spv"
        if ".asm" in source.name:
            text = source.read_text("utf-8")
            made = unshade.assemble(
                text, format="spirv", target="vulkan1.1", preserve_numeric_ids=True
            )
            made.save(module)
        else:
            options = ("--amb", "--target-env", "vulkan1.1", "-V", "-o", module)
            subprocess.run([compiler, *options, source], check=True, stdout=subprocess.DEVNULL)
        found = unshade.SpirvModule.open(module).reflect()
        data = json.loads(path.read_text("utf-8"))
        facts += [(path.name, fact) for fact in of_document(data, found)]
    tell(facts, ratchet, "spirv/facts of SPIRV-Cross")


def of_document(data: dict[str, Any], found: Reflection) -> Iterator[Fact]:
    entries = found.entry_points or [found]
    theirs = data["entryPoints"]
    yield "entry points", sorted(
        (each["name"], MODES[each["mode"]]) for each in theirs
    ), sorted((str(each.entry_point), str(each.stage)) for each in entries)  # fmt: skip
    if len(theirs) > 1:  # they say nothing of which entry point uses what
        return
    first = entries[0]
    if "workgroup_size" in theirs[0]:
        ids = first.thread_group_constants or [None, None, None]
        flags = [each is not None for each in ids]
        yield "workgroup constants", theirs[0]["workgroup_size_is_spec_constant_id"], flags
        sizes = zip(ids, first.thread_group or (), strict=False)
        ours = [size if each is None else each for each, size in sizes]
        yield "workgroup size", theirs[0]["workgroup_size"], ours
    types = data.get("types", {})
    places: set[tuple[int, int]] = set()
    for section, kinds in RESOURCES.items():
        rows = data.get(section, [])
        same = {
            (each.space, each.register): each
            for each in first.resources
            if str(each.descriptor) in kinds
        }
        listed = {(each["set"], each["binding"]) for each in rows}
        places |= listed
        yield section, listed, listed & set(same)
        for row in rows:
            one = same.get((row["set"], row["binding"]))
            if one is not None:
                yield from of_resource(row, one, first, types)
    yield "places", places, {(each.space, each.register) for each in first.resources}
    yield from of_interface(data.get("inputs", []), first.inputs)
    yield from of_interface(data.get("outputs", []), first.outputs)
    pushed = [each for each in first.constant_buffers if each.kind == "push_constants"]
    yield "push constants", len(data.get("push_constants", [])), len(pushed)
    for row, block in zip(data.get("push_constants", []), pushed, strict=False):
        yield from of_structure(types[row["type"]], block.variables, types)
    constants = {each.id: each for each in first.specialisation_constants}
    rows = data.get("specialization_constants", [])
    yield "specialisation constants", {each["id"] for each in rows}, set(constants)
    for row in rows:
        constant = constants.get(row["id"])
        if constant is not None:
            known = (constant.name or "", constant.type, constant.default)
            yield "constant", (row["name"], row["type"], row["default_value"]), known


def of_resource(
    row: dict[str, Any], found: Resource, entry: Reflection, types: dict[str, Any]
) -> Iterator[Fact]:
    count = 1
    for length in row.get("array", []):
        count *= length
    yield "count", count or None, found.count
    if "input_attachment_index" in row:
        yield "attachment", row["input_attachment_index"], found.attachment
    if row.get("readonly") and found.kind != "texture":
        yield "read only", False, found.writable
    at = entry.resources.index(found)
    blocks = [each for each in entry.constant_buffers if each.resource == at]
    names = [found.name, *(each.name for each in blocks)]  # of the variable, of its type
    yield "name of a resource", True, row["name"] in names
    if row["type"] in types and blocks and found.kind != "structured_buffer":
        yield from of_structure(types[row["type"]], blocks[0].variables, types)


def of_structure(
    data: dict[str, Any], ours: Sequence[Variable | Member], types: dict[str, Any]
) -> Iterator[Fact]:
    rows = data.get("members", [])
    yield "members", len(rows), len(ours)
    places = {each.offset: each for each in ours}
    for row in rows:
        found = places.get(row["offset"])
        yield "offset", True, found is not None
        if found is None:
            continue
        yield "name of a member", row["name"], found.name
        type = found.type
        if row.get("physical_pointer"):
            yield "pointer", True, type.scalar == "pointer"
            continue
        lengths = row.get("array", [])[::-1]
        if all(row.get("array_size_is_literal", [])):
            yield "array", lengths, type.elements
        if "array_stride" in row:
            yield "array stride", row["array_stride"], type.strides[0] if type.strides else None
        if "matrix_stride" in row:
            yield "matrix stride", row["matrix_stride"], type.matrix_stride
            yield "row major", row.get("row_major", False), type.type_class == "matrix_rows"
        if row["type"] in types:
            inner = types[row["type"]]
            if "members" in inner and type.members:
                yield from of_structure(inner, type.members, types)
        else:
            yield "type", shape(row["type"]), (type.scalar, type.rows, type.columns)


def shape(name: str) -> tuple[str, int, int]:
    """Return scalar, rows and columns of a type of GLSL."""
    if name in SCALARS:
        return SCALARS[name], 1, 1
    if name.startswith("mat"):
        columns, _, rows = name[3:].partition("x")
        return "float", int(rows or columns), int(columns)
    return VECTORS[name[:-1]], 1, int(name[-1])


def of_interface(rows: list[dict[str, Any]], found: list[SignatureParameter]) -> Iterator[Fact]:
    ours = {each.register: each for each in found if each.register is not None}
    for row in rows:
        one = ours.get(row["location"])
        yield "location", True, one is not None
        if one is not None:
            yield "name of a variable", row["name"], one.semantic
            scalar, _, columns = shape(row["type"])
            yield "format", (PORTS[scalar], columns), (one.component_type, len(one.components))
