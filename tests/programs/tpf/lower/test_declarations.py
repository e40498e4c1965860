"""Memories, textures and resources of each declaration."""

from __future__ import annotations

from tests.programs.tpf.lower.support import program
from unshade.ir.lowered import Lowered
from unshade.ir.specialisation import Specialisation

FLOATS = "(float,float,float,float)"
# What is declared, and the memory: scope, stride, written, addressed by bytes.
MEMORIES = [
    ("dcl_constantbuffer CB1[3], immediateIndexed", "cb1", ("constant", 16, False, False)),
    ("dcl_resource_raw t1", "t1", ("buffer", 4, False, True)),
    ("dcl_resource_structured t2, 12", "t2", ("buffer", 12, False, False)),
    ("dcl_uav_raw u1", "u1", ("buffer", 4, True, True)),
    ("dcl_uav_structured u2, 8", "u2", ("buffer", 8, True, False)),
    (f"dcl_resource_buffer {FLOATS} t3", "t3", ("buffer", 16, False, False)),
    (f"dcl_uav_typed_buffer {FLOATS} u3", "u3", ("buffer", 16, True, False)),
    (f"dcl_uav_typed_texture2d {FLOATS} u4", "u4", ("buffer", 16, True, False)),
    ("dcl_tgsm_raw g1, 20", "g1", ("shared", 4, False, True)),
    ("dcl_tgsm_structured g2, 12, 5", "g2", ("shared", 12, False, False)),
    ("dcl_indexableTemp x3[7], 4", "x3", ("local", 16, False, False)),
]  # fmt: skip
# Shape, layers, samples of a texel.
TEXTURES = [
    ("texture1d", "1d", False, 1), ("texture1darray", "1d", True, 1),
    ("texture2d", "2d", False, 1), ("texture2darray", "2d", True, 1),
    ("texture2dms(4)", "2d", False, 4), ("texture2dmsarray(8)", "2d", True, 8),
    ("texture3d", "3d", False, 1), ("texturecube", "cube", False, 1),
    ("texturecubearray", "cube", True, 1),
]  # fmt: skip


def lowered(*declared: str) -> Lowered:
    lines = ["cs_5_0", "dcl_globalFlags refactoringAllowed", *declared, "dcl_thread_group 4, 2, 1"]
    return program("\n".join([*lines, "ret", ""])).lower(None, Specialisation())


def test_memories() -> None:
    found = lowered(*[line for line, _, _ in MEMORIES])
    memories = {each.name: each for each in found.kernel.memories}
    assert [
        (name, (str(each.space), each.stride, each.writable and each.space == "buffer", each.raw))
        for name, each in ((name, memories[name]) for _, name, _ in MEMORIES)
    ] == [(name, facts) for _, name, facts in MEMORIES]
    assert set(memories) - {name for _, name, _ in MEMORIES} == {"u4.shape"}
    assert (memories["g1"].count, memories["g2"].count, memories["x3"].count) == (5, 5, 7)
    assert found.kernel.group == (4, 2, 1)
    written = {each.name for each in found.resources if each.writable}
    assert written == {"u1", "u2", "u3", "u4", "g1", "g2"}
    sizes = {each.name: each.size for each in found.resources if each.size}
    assert sizes == {"cb1": 48}


def test_a_counter_is_written_by_the_program() -> None:
    found = lowered("dcl_uav_structured_opc u2, 8", "dcl_uav_structured u3, 8")
    counters = [each for each in found.kernel.memories if each.name.endswith("_counter")]
    assert [(each.name, each.writable, each.stride) for each in counters] == [
        ("u2_counter", True, 4)
    ]
    (resource,) = [each for each in found.resources if each.name == "u2_counter"]
    assert (resource.writable, resource.stride, str(resource.form)) == (True, 4, "counter")


def test_textures() -> None:
    declared = [
        f"dcl_resource_{name} {FLOATS} t{at}" for at, (name, _, _, _) in enumerate(TEXTURES)
    ]
    found = lowered(*declared, "dcl_resource_texture2d (sint,sint,sint,sint) t20")
    *textures, integers = found.kernel.textures
    assert [(str(each.shape), each.layered, each.samples, each.type.name) for each in textures] == [
        (shape, layered, samples, "f32") for _, shape, layered, samples in TEXTURES
    ]
    assert integers.type.name == "i32"
    rows = {each.name: each for each in found.resources}
    for at, (name, _, layered, samples) in enumerate(TEXTURES):
        each = rows[f"t{at}"]
        assert (each.layered, each.multisampled, each.writable) == (layered, samples > 1, False)
        assert each.returns == ("float",) * 4, name
    assert rows["t20"].returns == ("sint",) * 4


def test_return_types() -> None:
    names = ("unorm", "snorm", "sint", "uint", "float")
    declared = [
        f"dcl_resource_texture2d ({name},float,{name},mixed) t{at}" for at, name in enumerate(names)
    ]
    found = lowered(*declared)
    assert [each.returns for each in found.resources] == [
        (name, "float", name, "mixed") for name in names
    ]
    kinds = [each.type.name for each in found.kernel.textures]
    assert kinds == ["f32", "f32", "i32", "i32", "f32"]


def test_samplers() -> None:
    found = lowered("dcl_sampler s3, mode_default", "dcl_sampler s5, mode_comparison")
    assert [each.name for each in found.kernel.samplers] == ["s3", "s5"]
    assert [(each.name, str(each.form)) for each in found.resources] == [
        ("s3", "sampler"), ("s5", "sampler"),
    ]  # fmt: skip
