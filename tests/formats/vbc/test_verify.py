"""A file for each rule that breaks it, and nothing found where nothing is wrong."""
# ruff: noqa: E501  (the table is columns)

from collections.abc import Callable

import pytest

from tests.fixtures.vbc import FRAG, VERT, made, module, with_objects
from unshade import Severity, UsageError
from unshade.formats.vbc.older import LAYOUTS
from unshade.formats.vbc.records import (
    BaseType,
    StageVariable,
    SubpassForm,
    SubpassInput,
    TexelInfo,
    TexelRank,
)
from unshade.formats.vbc.shader import Vbc
from unshade.formats.vbc.verify import RULES
from unshade.programs.spirv import Module


def broken(change: Callable[[Vbc], object]) -> Vbc:
    shader = made()
    change(shader)
    return shader


def broken_at(number: int) -> Vbc:
    """Return the file of a row of BROKEN."""
    code, path, change = BROKEN[number]
    shader = broken(change)
    if code == "vbc.uniform-mismatch" and path == "VBC.uniform":
        shader.record.uniform.stages = 0
        shader.record.uniform.members = []
    return shader


def put(path: str, value: object) -> Callable[[Vbc], object]:
    """Return a change of one field of the record."""
    *way, last = path.split(".")

    def change(shader: Vbc) -> None:
        holder: object = shader.record
        for step in way:
            name, _, index = step.partition("[")
            holder = getattr(holder, name)
            if index:
                holder = holder[int(index[:-1])]  # type: ignore[index]
        setattr(holder, last, value)

    return change


def module_of(stage: str, old: str, new: str) -> Callable[[Vbc], object]:
    text = {"vert": VERT, "frag": FRAG}[stage]
    assert old in text
    return put(stage, module(text.replace(old, new)))


def big_endian(shader: Vbc) -> None:
    code = Module.loads(shader.record.frag)
    code.order = "big"
    shader.record.frag = code.to_bytes()


OUTPUT = StageVariable(location=1, base=BaseType.FLOAT, rows=3)
MATRICES = StageVariable(location=1, base=BaseType.FLOAT, rows=4, columns=4, count=2)
CUBE = TexelInfo(rank=TexelRank.CUBE, type=2)

BROKEN: list[tuple[str, str, Callable[[Vbc], object]]] = [
    ("vbc.module",            "frag",                      put("frag", b"nothing.")),
    ("vbc.layout",            "VBC.version",               lambda s: setattr(s, "older", LAYOUTS["a77136f"])),
    ("vbc.name",              "VBC.uniform.members[0].name", put("uniform.members[0].name", "m" * 33)),
    ("vbc.name",              "VBC.uniform.members[0].name", put("uniform.members[0].name", "a-b")),
    ("vbc.base-type",         "VBC.inputs[0].base",        put("inputs[0].base", BaseType.BOOLEAN)),
    ("vbc.base-type",         "VBC.bindings[0].base",      put("bindings[0].base", BaseType.FLOAT)),
    ("vbc.dimensions",        "VBC.inputs[0]",             put("inputs[0].rows", 5)),
    ("vbc.dimensions",        "VBC.uniform.members[1]",    put("uniform.members[1].columns", 2)),
    ("vbc.input",             "VBC.inputs[0].location",    put("inputs[0].location", 16)),
    ("vbc.input",             "VBC.inputs[0]",             put("inputs[0].count", 17)),
    ("vbc.input",             "VBC.inputs[1]",             lambda s: s.record.inputs.append(MATRICES)),
    ("vbc.input",             "VBC.inputs[1].location",    lambda s: s.record.inputs.append(s.record.inputs[0])),
    ("vbc.output",            "VBC.outputs[1]",            lambda s: s.record.outputs.append(OUTPUT)),
    ("vbc.output",            "VBC.outputs[0].location",   put("outputs[0].location", 8)),
    ("vbc.slot",              "VBC.bindings[0].slot",      put("bindings[0].slot", 32)),
    ("vbc.slot",              "VBC.bindings[1].slot",      put("bindings[1].slot", 1)),
    ("vbc.texel",             "VBC.bindings[0].data",      put("bindings[0].data.rank", TexelRank.BUFFER)),
    ("vbc.texel",             "VBC.bindings[0].data",      put("bindings[0].data.count", 2)),
    ("vbc.texel",             "VBC.bindings[0].data",      put("bindings[0].data.type", 9)),
    ("vbc.element-size",      "VBC.bindings[1].data.size", put("bindings[1].data.size", 18)),
    ("vbc.stages",            "VBC.bindings[0].stages",    put("bindings[0].stages", 0x18)),
    ("vbc.stages",            "VBC.uniform.stages",        put("uniform.stages", 0x23)),
    ("vbc.uniform",           "VBC.uniform.size",          put("uniform.size", 1028)),
    ("vbc.uniform",           "VBC.uniform",               put("uniform.members", [])),
    ("vbc.uniform",           "VBC.uniform.members[1].offset", put("uniform.members[1].offset", 60)),
    ("vbc.uniform",           "VBC.uniform.members[1]",    put("uniform.members[1].count", 2)),
    ("vbc.uniform",           "VBC.uniform.members[1].count", put("uniform.members[1].count", 65)),
    ("vbc.subpass",           "VBC.subpasses",             put("subpasses", [SubpassInput(type=2)] * 5)),
    ("vbc.subpass",           "VBC.subpasses[0]",          put("subpasses[0].count", 2)),
    ("vbc.padding",           "VBC.inputs[0].unused",      put("inputs[0].unused", b"\1\0\0")),
    ("vbc.loader",            "VBC.vert_words",            put("vert", b"")),
    ("vbc.loader",            "VBC.tables",                put("tables.images", 512)),
    ("vbc.loader",            "VBC.uniform.members[1].base", put("uniform.members[1].base", BaseType.BOOLEAN)),
    ("vbc.loader",            "VBC.bindings[0].data.rank", lambda s: (put("bindings[0].base", BaseType.IMAGE)(s), put("bindings[0].data", CUBE)(s))),
    ("vbc.stage",             "vert",                      put("vert", module(FRAG))),
    ("vbc.stage",             "frag",                      module_of("frag", '"main"', '"start"')),
    ("vbc.byte-order",        "frag",                      big_endian),
    ("vbc.resource",          "vert",                      module_of("vert", "%uniform DescriptorSet 1", "%uniform DescriptorSet 0")),
    ("vbc.resource",          "vert",                      module_of("vert", "%uniform DescriptorSet 1", "%uniform DescriptorSet 3")),
    ("vbc.resource",          "vert",                      module_of("vert", "%uniform Binding 0", "%uniform Binding 1")),
    ("vbc.resource",          "frag",                      module_of("frag", "%textures Binding 0", "%textures Binding 1")),
    ("vbc.resource",          "frag",                      module_of("frag", "%textures Binding 0", "%textures Binding 5")),
    ("vbc.resource",          "frag",                      module_of("frag", "%textures DescriptorSet 0", "%textures DescriptorSet 2")),
    ("vbc.resource",          "frag",                      module_of("frag", "%buffers Binding 2", "%buffers Binding 4")),
    ("vbc.resource",          "frag",                      module_of("frag", "%p_table = OpTypePointer UniformConstant %table", "%p_table = OpTypePointer UniformConstant %sampled")),
    ("vbc.resource",          "frag",                      module_of("frag", "%p_buffers = OpTypePointer StorageBuffer %buffer_table\n%p_stored = OpTypePointer StorageBuffer %v4\n%buffers = OpVariable %p_buffers StorageBuffer", "%p_buffers = OpTypePointer Uniform %buffer_table\n%p_stored = OpTypePointer Uniform %v4\n%buffers = OpVariable %p_buffers Uniform")),
    ("vbc.push-constants",    "frag",                      module_of("frag", "%indices_t = OpTypeStruct %uint %uint", "%indices_t = OpTypeStruct %uint %float")),
    ("vbc.push-constants",    "frag",                      module_of("frag", "%indices_t 1 Offset 4", "%indices_t 1 Offset 64")),
    ("vbc.index",             "frag",                      module_of("frag", "%p_sampled %textures %s1", "%p_sampled %textures %zero")),
    ("vbc.input-mismatch",    "VBC.inputs[0]",             put("inputs[0].rows", 4)),
    ("vbc.input-mismatch",    "VBC.inputs",                put("inputs", [])),
    ("vbc.output-mismatch",   "VBC.outputs[0]",            put("outputs[0].base", BaseType.SIGNED)),
    ("vbc.binding-mismatch",  "VBC.bindings[1]",           put("bindings[1].data.size", 32)),
    ("vbc.binding-mismatch",  "VBC.bindings",              put("bindings[0].slot", 7)),
    ("vbc.mask-mismatch",     "VBC.bindings[0].stages",    put("bindings[0].stages", 1)),
    ("vbc.table-mismatch",    "VBC.tables.buffers",        put("tables.buffers", 256)),
    ("vbc.uniform-mismatch",  "VBC.uniform",               put("uniform.size", 0)),
    ("vbc.uniform-mismatch",  "VBC.uniform.size",          put("uniform.size", 96)),
    ("vbc.uniform-mismatch",  "VBC.uniform.stages",        put("uniform.stages", 16)),
    ("vbc.uniform-mismatch",  "VBC.uniform.members[1]",    put("uniform.members[1].base", BaseType.FLOAT)),
    ("vbc.uniform-mismatch",  "VBC.uniform.members",       put("uniform.members[1].offset", 68)),
    ("vbc.uniform-mismatch",  "VBC.uniform.members[0].name", put("uniform.members[0].name", "view")),
    ("vbc.subpass-mismatch",  "VBC.subpasses",             put("subpasses", [])),
    ("vbc.subpass-mismatch",  "VBC.subpasses[0].type",     put("subpasses[0].type", 0)),
    ("vbc.local-mismatch",    "frag",                      module_of("frag", "OpDecorate %fuv Location 0", "OpDecorate %fuv Location 1")),
]  # fmt: skip


def test_a_good_file_has_no_findings() -> None:
    assert made().verify() == []


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_every_rule_finds_its_mistake(number: int) -> None:
    code, path, _ = BROKEN[number]
    shader = broken_at(number)
    found = [each for each in shader.verify() if (each.code, each.path) == (code, path)]
    assert found, [str(each) for each in shader.verify()]
    assert all(each.offset is not None for each in found)
    assert all(each.severity is RULES[code].severity for each in found)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Set 1", "Set 0", "expected an array of combined image samplers at set 0, binding 0, got a uniform buffer"),
        ("Set 1", "Set 2", "expected a subpass input at set 2, binding 0, got a uniform buffer"),
        ("Set 1", "Set 7", "expected set 0 with bindings 0 to 4, set 1 with binding 0, or set 2, got a uniform buffer at set 7, binding 0"),
    ],
)  # fmt: skip
def test_words_about_resources(old: str, new: str, message: str) -> None:
    shader = broken(module_of("vert", f"%uniform Descriptor{old}", f"%uniform Descriptor{new}"))
    (found,) = [each for each in shader.verify() if each.code == "vbc.resource"]
    assert found.message.partition(": ")[2] == message


def test_what_no_function_uses_is_not_bound() -> None:
    unused = VERT.replace("%uniform DescriptorSet 1", "%uniform DescriptorSet 0")
    unused = unused.replace("%p = OpAccessChain %p_uint_u %uniform %zero %one\n", "")
    unused = unused.replace("%mode = OpLoad %uint %p\n", "")
    shader = broken(put("vert", module(unused)))
    assert "vbc.resource" not in {each.code for each in shader.verify()}


def test_a_buffer_block_is_a_storage_buffer() -> None:
    lines = "%p_buffers = OpTypePointer {0} %buffer_table\n%p_stored = OpTypePointer {0} %v4\n%buffers = OpVariable %p_buffers {0}"
    older = FRAG.replace(lines.format("StorageBuffer"), lines.format("Uniform"))
    older = older.replace("OpDecorate %buffer Block", "OpDecorate %buffer BufferBlock")
    shader = broken(put("frag", module(older)))
    assert [each for each in shader.verify("spv1.3") if each.code.startswith("vbc")] == []


def test_every_rule_has_a_file() -> None:
    assert RULES.keys() - {code for code, _, _ in BROKEN} == {"vbc.subpass-form"}


def test_objects_are_noted_and_their_indices_checked() -> None:
    shader = with_objects(SubpassForm.LIBSTDCXX)
    (note,) = shader.verify()
    assert (note.code, note.severity) == ("vbc.subpass-form", Severity.NOTE)
    shader.record.subpasses[0].index = 3  # type: ignore[union-attr]
    assert [each.code for each in shader.verify()] == ["vbc.subpass-form", "vbc.subpass"]


def test_findings_of_modules_have_the_place_in_the_file() -> None:
    shader = made()
    code = Module.loads(shader.record.frag)
    code.bound = 5
    shader.record.frag = code.to_bytes()
    found = next(each for each in shader.verify() if each.code == "spirv.bound")
    assert found.path.startswith("frag.instructions[")
    assert (found.offset or 0) > shader.parts["frag"].offset


def test_modules_are_verified_for_a_target() -> None:
    assert not made().verify()
    (found,) = {each.code for each in made().verify("vulkan1.1")}
    assert found == "spirv.environment-version"
    assert not made().verify(target="spv1.6")
    with pytest.raises(UsageError, match="unknown target 'vulkan1'"):
        made().verify("vulkan1")
