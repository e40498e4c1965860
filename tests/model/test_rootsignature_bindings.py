"""A shader's bindings against a root signature."""

from typing import Any

import pytest

from unshade.formats.dxcontainer.reflect.rootsignature import root_signature
from unshade.formats.dxcontainer.rootsig import from_text
from unshade.model import ConstantBuffer, Counter, Resource, ResourceKind, Variable
from unshade.model.facts import ConstantReads, ProgramFacts, ProgramResource
from unshade.model.resources import TypeDescription
from unshade.model.rootsignature_bindings import (
    GRAPHICS,
    ShaderBinding,
    binding_of,
    bindings_of,
    check_bindings,
)
from unshade.vocab.words import BufferKind, Stage

K = ResourceKind
KINDS = {"b": K.CONSTANT_BUFFER, "t": K.TEXTURE, "u": K.TEXTURE, "s": K.SAMPLER}


def resource(where: str, count: int | None = 1, **fields: Any) -> Resource:
    """Return a resource at a register such as t3, or t3.1 in space 1."""
    register, _, space = where[1:].partition(".")
    fields.setdefault("kind", KINDS[where[0]])
    return Resource(
        name=where,
        register_class=where[0],
        register=int(register),
        space=int(space or 0),
        count=count,
        **fields,
    )


def codes(
    text: str,
    *bindings: Resource | ShaderBinding,
    stage: str = "pixel",
    features: tuple[str, ...] = (),
) -> list[str]:
    rows = [each if isinstance(each, ShaderBinding) else binding_of(each) for each in bindings]
    root = root_signature(from_text(text))
    return [each.code for each in check_bindings(root, stage, rows, features)]


@pytest.mark.parametrize(
    ("text", "where", "count", "is_bound"),
    [
        ("CBV(b0)", "b0", 1, True),
        ("CBV(b1)", "b0", 1, False),
        ("CBV(b0, space=1)", "b0", 1, False),
        ("CBV(b0, space=1)", "b0.1", 1, True),
        ("SRV(t0)", "b0", 1, False),
        ("RootConstants(num32BitConstants=4, b0)", "b0", 1, True),
        ("DescriptorTable(SRV(t2, numDescriptors=3))", "t4", 1, True),
        ("DescriptorTable(SRV(t2, numDescriptors=3))", "t5", 1, False),
        ("DescriptorTable(SRV(t2, numDescriptors=3))", "t2", 3, True),
        ("DescriptorTable(SRV(t2, numDescriptors=3))", "t1", 3, False),
        ("DescriptorTable(SRV(t2, numDescriptors=3))", "t3", 3, False),
        ("DescriptorTable(SRV(t0, numDescriptors=2), SRV(t2, numDescriptors=2))", "t0", 4, False),
        ("DescriptorTable(SRV(t0, numDescriptors=unbounded))", "t7", 100, True),
        ("DescriptorTable(SRV(t0, numDescriptors=unbounded))", "t7", None, True),
        ("DescriptorTable(SRV(t0, numDescriptors=8))", "t7", None, True),  # only the first is known
        ("DescriptorTable(SRV(t0, numDescriptors=7))", "t7", None, False),
        ("CBV(b0)", "b0", 2, False),
        ("CBV(b0)", "b0", None, False),
        ("RootConstants(num32BitConstants=4, b0)", "b0", None, False),
        ("StaticSampler(s3)", "s3", 1, True),
        ("StaticSampler(s3)", "s3", 2, False),
        ("StaticSampler(s3)", "s3", None, False),
        ("DescriptorTable(Sampler(s0, numDescriptors=4))", "s3", 1, True),
        ("DescriptorTable(SRV(t0), visibility=SHADER_VISIBILITY_PIXEL)", "t0", 1, True),
        ("DescriptorTable(SRV(t0), visibility=SHADER_VISIBILITY_VERTEX)", "t0", 1, False),
        ("StaticSampler(s0, visibility=SHADER_VISIBILITY_VERTEX)", "s0", 1, False),
    ],
)
def test_registers(text: str, where: str, count: int | None, is_bound: bool) -> None:
    assert codes(text, resource(where, count)) == ([] if is_bound else ["rts0.unbound"])


def test_ranges_that_overlap() -> None:
    text = "DescriptorTable(SRV(t0, numDescriptors=9)), DescriptorTable(SRV(t2))"
    assert codes(text, resource("t1", 6)) == codes(text, resource("t5")) == []
    assert codes(text, resource("t5", 6)) == ["rts0.unbound"]


def test_words() -> None:
    root = root_signature(from_text("CBV(b0, visibility=SHADER_VISIBILITY_VERTEX)"))
    (problem,) = check_bindings(root, "pixel", [binding_of(resource("b0"))])
    assert problem == (
        "rts0.unbound",
        "b0 in space 0 is not bound for pixel: parameters[0] is for vertex",
        "parameters[0]",
        0,
    )


@pytest.mark.parametrize("stage", GRAPHICS)
def test_stages(stage: Stage) -> None:
    own = f"CBV(b0, visibility=SHADER_VISIBILITY_{stage.upper()})"
    assert codes(own, resource("b0"), stage=stage) == []
    assert codes(own, resource("b0"), stage="compute") == ["rts0.unbound"]
    deny = f"RootFlags(DENY_{stage.upper()}_SHADER_ROOT_ACCESS)"
    assert codes(f"{deny}, CBV(b0)", resource("b0"), stage=stage) == ["rts0.denied"]
    assert codes(f"{deny}, CBV(b0)", resource("b0"), stage="compute") == []
    assert codes(deny, stage=stage) == [], "nothing is bound"


@pytest.mark.parametrize(
    ("fields", "accepted"),
    [
        ({"kind": K.RAW_BUFFER}, True),
        ({"kind": K.STRUCTURED_BUFFER}, True),
        ({"kind": K.STRUCTURED_BUFFER, "counter": Counter.COUNTER}, False),
        ({"kind": K.STRUCTURED_BUFFER, "counter": Counter.APPEND}, False),
        ({"kind": K.TYPED_BUFFER}, False),
        ({"kind": K.TEXTURE_BUFFER}, False),
        ({"kind": K.TEXTURE}, False),
        ({"kind": K.FEEDBACK_TEXTURE}, False),
        ({"kind": K.ACCELERATION_STRUCTURE}, True),
    ],
)
def test_root_descriptors(fields: dict[str, Any], accepted: bool) -> None:
    for text, where in (("SRV(t0)", "t0"), ("UAV(u0)", "u0")):
        expected = [] if accepted else ["rts0.descriptor"]
        assert codes(text, resource(where, writable=where[0] == "u", **fields)) == expected
    assert codes("DescriptorTable(SRV(t0))", resource("t0", **fields)) == []


def buffer(size: int, *variables: tuple[int, int], declared: int | None = None) -> ConstantBuffer:
    kind = TypeDescription(type_class="vector", scalar="float")
    return ConstantBuffer(
        name="cb",
        kind=BufferKind.CONSTANT_BUFFER,
        size=size,
        declared_size=declared,
        variables=[
            Variable(name=f"v{offset}", offset=offset, size=length, type=kind)
            for offset, length in variables
        ],
    )


def constants(number: int, binding: ShaderBinding) -> list[str]:
    return codes(f"RootConstants(num32BitConstants={number}, b0)", binding)


def test_root_constants_by_what_is_read() -> None:
    twenty = buffer(32, (0, 16), (16, 4))
    reads = binding_of(resource("b0"), twenty, ConstantReads(list(range(20))))
    assert constants(5, reads) == []
    assert constants(4, reads) == ["rts0.constants"]
    assert constants(4, binding_of(resource("b0"), twenty, ConstantReads(list(range(16))))) == [
        "rts0.constants-size"
    ]
    assert constants(1, binding_of(resource("b0"), twenty, ConstantReads([]))) == [
        "rts0.constants-size"
    ]


def test_root_constants_by_what_is_declared() -> None:
    fixed = resource("b0", dynamically_indexed=False)
    declared = binding_of(fixed, buffer(32, declared=32))
    assert constants(5, declared) == [], "the last vector may be read in part"
    assert constants(4, declared) == ["rts0.constants"]
    named = binding_of(fixed, buffer(160, (0, 160), declared=32))
    assert constants(39, named) == ["rts0.constants-size"]
    assert constants(40, named) == []
    indexed = binding_of(resource("b0", dynamically_indexed=True), buffer(64, declared=64))
    assert constants(16, indexed) == ["rts0.constants-indexed"]
    both = binding_of(resource("b0"), buffer(64, (0, 64)), ConstantReads([0, 1, 2, 3], True))
    assert constants(0, both) == ["rts0.constants-indexed", "rts0.constants"]
    assert constants(16, both) == ["rts0.constants-indexed"]
    assert codes("CBV(b0)", indexed) == codes("CBV(b0)", named) == []


def facts_of(*places: str) -> ProgramFacts:
    rows = [ProgramResource(label=each, resource=resource(each)) for each in places]
    return ProgramFacts(code="tpf", entry_point="main", stage=Stage.PIXEL, resources=rows)


@pytest.mark.parametrize("in_file", [None, 160])
@pytest.mark.parametrize("in_code", [None, 64])
def test_the_size_of_a_buffer_is_that_of_the_file_or_else_of_the_code(
    in_file: int | None, in_code: int | None
) -> None:
    """The code's buffers are numbered by the resources that they belong to."""
    facts = facts_of("t0", "b1")
    if in_code is not None:
        facts.constant_buffers.append(buffer(in_code))
        facts.constant_buffers[0].resource = 1
    slot = facts.resources[1].slot
    layouts = {} if in_file is None else {slot: buffer(in_file, (0, in_file))}
    text = "DescriptorTable(SRV(t0)), RootConstants(num32BitConstants=4, b1)"
    root = root_signature(from_text(text))
    reads = {"b1": ConstantReads([0, 4], indexed=True)}
    texture, constant = bindings_of(root, facts, lambda: reads, lambda: layouts)
    assert (texture.size, texture.reads, texture.indexed) == (0, 0, False)
    wanted = in_file or (in_code and in_code - 12) or 0  # the last vector may be padded
    assert constant.size == wanted
    assert (constant.reads, constant.indexed) == ((5, True) if wanted else (0, False))


def test_layouts_are_only_asked_for_if_there_are_root_constants() -> None:
    facts = facts_of("b0")

    def asked() -> Any:
        raise AssertionError

    (found,) = bindings_of(root_signature(from_text("CBV(b0)")), facts, asked, asked)
    assert found == ShaderBinding(facts.resources[0].resource)


def test_heaps() -> None:
    for heap, flag in (
        ("ResourceDescriptorHeapIndexing", "CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED"),
        ("SamplerDescriptorHeapIndexing", "SAMPLER_HEAP_DIRECTLY_INDEXED"),
    ):
        assert codes("RootFlags(0)", features=(heap,)) == ["rts0.heap"]
        assert codes(f"RootFlags({flag})", features=(heap,)) == []


def test_a_local_root_signature_is_for_ray_tracing() -> None:
    assert codes("RootFlags(LOCAL_ROOT_SIGNATURE)", stage="compute") == ["rts0.local"]
    assert codes("RootFlags(LOCAL_ROOT_SIGNATURE)", stage=Stage.CLOSESTHIT) == []
