"""Comparison of two reflections: how elements are paired."""

from __future__ import annotations

from typing import Any

import pytest

from unshade.analysis.diff import Category, ChangeKind
from unshade.analysis.diff.describe import described
from unshade.analysis.diff.tree import MOST, compare
from unshade.model import (
    ConstantBuffer,
    Member,
    Reflection,
    Resource,
    RootParameter,
    RootSignature,
    ShaderHash,
    SharedMemory,
    SignatureParameter,
    StaticSampler,
    TypeDescription,
    Variable,
)

FLOAT4 = TypeDescription(type_class="vector", scalar="float", columns=4)
FLOAT3 = TypeDescription(type_class="vector", scalar="float", columns=3)


def row(semantic: str, index: int = 0, used: str = "xyzw", **more: Any) -> SignatureParameter:
    return SignatureParameter(
        semantic=semantic, index=index, components="xyzw", used=used, component_type="float32",
        **more,
    )  # fmt: skip


def texture(name: str, register: int, **more: Any) -> Resource:
    return Resource(
        name=name, kind="texture", register_class="t", register=register, dimension="2d", **more
    )


def variable(name: str, offset: int, type: TypeDescription = FLOAT4, **more: Any) -> Variable:
    return Variable(name=name, offset=offset, size=16, type=type, **more)


def differences(before: Reflection, after: Reflection) -> list[tuple[str, str, str, str]]:
    changes, notes = compare(before, after)
    assert not notes
    return [(each.path, str(each.change), each.before_text, each.after_text) for each in changes]


def reflection(**facts: Any) -> Reflection:
    return Reflection(format="x", **facts)


def test_signatures_are_paired_by_semantic() -> None:
    before = reflection(inputs=[row("POSITION"), row("TEXCOORD", 1, register=1)])
    after = reflection(
        inputs=[row("texcoord", 1, register=2, used="xy"), row("POSITION"), row("COLOR")]
    )
    assert differences(before, after) == [
        ("inputs[TEXCOORD1].semantic", "changed", "TEXCOORD", "texcoord"),
        ("inputs[TEXCOORD1].register", "changed", "1", "2"),
        ("inputs[TEXCOORD1].used", "changed", "xyzw", "xy"),
        ("inputs[COLOR]", "added", "", "COLOR.xyzw"),
    ]


def categories(before: Reflection, after: Reflection) -> list[tuple[str, Category]]:
    changes, _ = compare(before, after)
    return [(each.path, each.category) for each in changes]


def test_a_name_of_a_register_is_not_part_of_the_interface() -> None:
    def inputs(*rows: tuple[str, int, str]) -> Reflection:
        return reflection(
            inputs=[row(name, 0, used, register=at, by_register=True) for name, at, used in rows]
        )

    named = inputs(("position", 0, "xyz"), ("normal", 1, "xyz"))
    assert categories(named, inputs(("v0", 0, "xyz"), ("v1", 1, "xyz"))) == [
        ("inputs[position].semantic", Category.REFLECTION),
        ("inputs[normal].semantic", Category.REFLECTION),
    ]
    assert categories(named, inputs(("position", 0, "xyz"), ("normal", 2, "xyz"))) == [
        ("inputs[normal].register", Category.INTERFACE)
    ]
    assert categories(named, inputs(("position", 0, "xyz"))) == [
        ("inputs[normal]", Category.INTERFACE)
    ]
    unread = inputs(("position", 0, "xyz"), ("normal", 1, "xyz"), ("more", 5, ""))
    assert categories(unread, named) == [("inputs[more]", Category.REFLECTION)]
    twice = inputs(("position", 0, "xyz"), ("normal", 1, "xyz"), ("other", 1, "xyz"))
    assert categories(named, twice) == [("inputs[other]", Category.REFLECTION)]


def test_a_name_of_a_numbered_entry_point_is_not_part_of_the_interface() -> None:
    def of(number: bool, *names: str) -> Reflection:
        inner = [
            reflection(entry_point=name, stage=stage, by_number=number)
            for name, stage in zip(names, ("vertex", "geometry"), strict=True)
        ]
        return reflection(entry_points=inner)

    before, after = of(True, "vmain", "gmain"), of(True, "main", "main1")
    assert categories(before, after) == [
        ("entry_points[vmain].entry_point", Category.DEBUG),
        ("entry_points[gmain].entry_point", Category.DEBUG),
    ]
    assert {about for _, about in categories(of(False, "a", "b"), of(False, "c", "b"))} == {
        Category.INTERFACE
    }


def test_resources_are_paired_by_name_then_by_slot() -> None:
    before = reflection(resources=[texture("albedo", 0), texture("normal", 1), texture("old", 2)])
    after = reflection(resources=[texture("normal", 0), texture("albedo", 1), texture("new", 2)])
    assert differences(before, after) == [
        ("resources[albedo].register", "changed", "0", "1"),
        ("resources[normal].register", "changed", "1", "0"),
        ("resources[old].name", "changed", "old", "new"),
    ]
    changes, _ = compare(before, after)
    assert [each.category for each in changes] == ["interface", "interface", "reflection"]


def test_one_name_for_a_texture_and_its_sampler() -> None:
    sampler = Resource(name="tex", kind="sampler", register_class="s", register=0)
    both = [texture("tex", 0), sampler]
    assert differences(reflection(resources=both), reflection(resources=both[::-1])) == []


def test_types_are_described_by_declarations() -> None:
    light = TypeDescription(
        name="Light", type_class="struct", scalar="void",
        members=[Member(name="color", offset=0, type=FLOAT4), Member(name="range", offset=16,
                 type=FLOAT4)],
    )  # fmt: skip
    other = TypeDescription(
        name="Light", type_class="struct", scalar="void",
        members=[Member(name="color", offset=0, type=FLOAT3), Member(name="range", offset=12,
                 type=FLOAT4)],
    )  # fmt: skip

    def buffer(type: TypeDescription, *more: Variable) -> Reflection:
        variables = [variable("light", 0, type), *more]
        held = ConstantBuffer(name="U", kind="constant_buffer", size=64, variables=variables)
        return reflection(constant_buffers=[held])

    assert differences(buffer(FLOAT4), buffer(FLOAT3, variable("x", 16))) == [
        ("constant_buffers[U].variables[light].type", "changed", "float4", "float3"),
        ("constant_buffers[U].variables[x]", "added", "", "float4 x at 16"),
    ]
    one, other_name = (
        TypeDescription(name=name, type_class="scalar", scalar="uint") for name in ("uint", "dword")
    )
    assert differences(buffer(one), buffer(other_name)) == [
        ("constant_buffers[U].variables[light].type.name", "changed", "uint", "dword"),
    ]
    path = "constant_buffers[U].variables[light].type.members"
    assert differences(buffer(light), buffer(other)) == [
        (f"{path}[color].type", "changed", "float4", "float3"),
        (f"{path}[range].offset", "changed", "16", "12"),
    ]


def test_lost_names_are_reported_once() -> None:
    named = reflection(
        resources=[
            Resource(name="Lights", kind="constant_buffer", register_class="b", register=2),
            texture("albedo", 3),
        ],
        constant_buffers=[
            ConstantBuffer(
                name="Lights", kind="constant_buffer", resource=0, size=64, declared_size=32,
                variables=[variable("color", 0)],
            )
        ],
    )  # fmt: skip
    nameless = reflection(
        resources=[
            texture("t3", 3, declared=True),
            Resource(
                name="cb2", kind="constant_buffer", register_class="b", register=2, declared=True
            ),
        ],
        constant_buffers=[
            ConstantBuffer(
                name="cb2", kind="constant_buffer", resource=1, size=32, declared_size=32,
                declared=True,
            )
        ],
    )  # fmt: skip
    words = "names and types of resources and constants"
    assert differences(named, nameless) == [("names", "removed", words, "")]
    assert differences(nameless, named) == [("names", "added", "", words)]
    nameless.resources[0].dimension = "cube"
    assert differences(named, nameless)[1:] == [
        ("resources[albedo].dimension", "changed", "2d", "cube")
    ]


def test_sets_and_scalars() -> None:
    before = reflection(features=["doubles", "uavs"], thread_group=[8, 8, 1], creator="fxc 9")
    after = reflection(features=["uavs", "tiled"], thread_group=[64, 1, 1], creator="fxc 10")
    assert differences(before, after) == [
        ("creator", "changed", "fxc 9", "fxc 10"),
        ("thread_group", "changed", "8, 8, 1", "64, 1, 1"),
        ("features", "removed", "doubles", ""),
        ("features", "added", "", "tiled"),
    ]
    order = reflection(features=["uavs", "doubles"], thread_group=[8, 8, 1], creator="fxc 9")
    assert differences(before, order) == []


def test_categories_follow_the_field() -> None:
    before = reflection(code="tpf", hash=ShaderHash(digest=b"1" * 16, includes_source=False))
    after = reflection(
        code="dxil", hash=ShaderHash(digest=b"2" * 16, includes_source=False), compile_flags=["od"],
        shared_memory=[SharedMemory(register=0, size=64)], global_flags=["refactoringAllowed"],
    )  # fmt: skip
    changes, _ = compare(before, after)
    assert {each.path: each.category for each in changes} == {
        "code": Category.CODE,
        "compile_flags": Category.COMPILER,
        "global_flags": Category.CODE,
        "shared_memory[g0]": Category.STATISTICS,
        "hash.digest": Category.DIGEST,
    }


def test_root_signatures() -> None:
    def rooted(*samplers: StaticSampler, count: int = 4) -> Reflection:
        return reflection(
            root_signature=RootSignature(
                version="1.1", flags=[], samplers=list(samplers), parameters=[
                    RootParameter(kind="constants", visibility="all", register=0, space=0,
                                  count=count, cost=count)
                ],
            )
        )  # fmt: skip

    sampler = StaticSampler(
        register=1, space=0, visibility="all", filter="point", address=["wrap"] * 3,
        mip_lod_bias=0.0, max_anisotropy=1, comparison="never", border_color="black", min_lod=0.0,
        max_lod=1.0,
    )  # fmt: skip
    assert [each[:2] for each in differences(rooted(), rooted(sampler, count=8))] == [
        ("root_signature.parameters[constants 0].count", "changed"),
        ("root_signature.parameters[constants 0].cost", "changed"),
        ("root_signature.samplers[s1]", "added"),
    ]
    assert differences(rooted(sampler), rooted(sampler)) == []


def test_nan_is_equal_to_itself() -> None:
    def holding(value: Any) -> Reflection:
        held = variable("a", 0, value=value)
        buffer = ConstantBuffer(name="U", kind="constant_buffer", size=16, variables=[held])
        return reflection(constant_buffers=[buffer])

    nan = float("nan")
    assert differences(holding([nan, 1.0]), holding([float("nan"), 1.0])) == []
    assert len(differences(holding([nan, 1.0]), holding([nan, 2.0]))) == 1


def test_facts_missing_from_an_incomplete_reflection_are_not_removed() -> None:
    whole = reflection(resources=[texture("a", 0)], thread_group=[8, 8, 1], model="5.0")
    part = Reflection(format="x", complete=False, notes=["not read"], model="6.0")
    assert differences(whole, part) == [("model", "changed", "5.0", "6.0")]
    assert differences(part, whole) == [("model", "changed", "6.0", "5.0")]


def test_functions_of_a_library_are_paired_by_name() -> None:
    def library(*pairs: tuple[str, int]) -> Reflection:
        inner = [reflection(entry_point=name, temp_registers=n, model=str(n)) for name, n in pairs]
        return reflection(entry_points=inner)

    assert differences(library(("a", 1), ("b", 2)), library(("b", 3), ("a", 1))) == [
        ("entry_points[b].model", "changed", "2", "3")
    ]


@pytest.mark.slow
def test_the_number_of_changes_is_limited() -> None:
    before = reflection(inputs=[row("A", at) for at in range(MOST + 5)])
    changes, notes = compare(before, reflection())
    assert len(changes) == MOST
    assert "more than 10,000" in notes[0]
    assert all(each.change is ChangeKind.REMOVED for each in changes)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "none"),
        (True, "yes"),
        (b"\x01", "01"),
        ([], "none"),
        ({"a": 1}, "a 1"),
        (texture("x", 3, return_type="float", components=4), "t3: texture 2d, float4"),
        (texture("x", 3, count=None), "t3: texture 2d, unbounded"),
        (texture("x", 3, count=4, writable=True), "t3: read-write texture 2d, 4 of them"),
        (ConstantBuffer(name="U", kind="constant_buffer", size=16), "constant buffer, 16 bytes"),
        (SharedMemory(register=0, size=64), "register 0, size 64"),
    ],
)
def test_words(value: Any, words: str) -> None:
    assert described(value) == words
