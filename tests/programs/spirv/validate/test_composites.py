"""Composites: each kind of type taken apart, put together, chosen from and copied."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import FINE, differing

HEAD = """{shader} {types}
    %float3 = OpTypeVector %float 3
    %mat3x2 = OpTypeMatrix %float2 3
    %array = OpTypeArray %float2 %two
    %other = OpTypeArray %float2 %two
    %struct = OpTypeStruct %uint %array
    %same = OpTypeStruct %uint %other
    %unlike = OpTypeStruct %uint %float2
    %n = OpSpecConstant %uint 2
    %sized = OpTypeArray %float2 %n
    %pair = OpConstantComposite %float2 %fone %fone
    %whole = OpConstantComposite %uint2 %one %two
    %m = OpUndef %mat3x2
    %a = OpUndef %array
    %s = OpUndef %struct
    %d = OpUndef %sized
    """
REACHED = "expected the type that is reached as result"
PUT = "expected an object of the type that is reached"


def below(count: int, got: int) -> str:
    return f"expected an index below {count}, got {got}"


def test_parts_are_taken_by_indices_of_their_type() -> None:
    rows = [
        ("%x{} = OpCompositeExtract %float %pair 1", FINE),
        ("%x{} = OpCompositeExtract %float %pair 2", below(2, 2)),
        ("%x{} = OpCompositeExtract %uint %pair 1", REACHED),
        ("%x{} = OpCompositeExtract %float2 %m 2", FINE),
        ("%x{} = OpCompositeExtract %float2 %m 3", below(3, 3)),
        ("%x{} = OpCompositeExtract %float %m 2 1", FINE),
        ("%x{} = OpCompositeExtract %float %m 2 2", below(2, 2)),
        ("%x{} = OpCompositeExtract %float2 %a 1", FINE),
        ("%x{} = OpCompositeExtract %float2 %a 2", below(2, 2)),
        ("%x{} = OpCompositeExtract %float2 %d 7", FINE),
        ("%x{} = OpCompositeExtract %uint %s 0", FINE),
        ("%x{} = OpCompositeExtract %array %s 1", FINE),
        ("%x{} = OpCompositeExtract %float %s 1 1 0", FINE),
        ("%x{} = OpCompositeExtract %array %s 2", below(2, 2)),
        ("%x{} = OpCompositeExtract %array %s 0", REACHED),
        ("%x{} = OpCompositeExtract %uint %one 0", "an index into a type that is not a composite"),
        ("%x{} = OpCompositeExtract %uint %s 0 0", "an index into a type that is not a composite"),
        ("%x{} = OpCompositeExtract %struct %s", "expected an index"),
        ("%x{} = OpCompositeInsert %float2 %fone %pair 1", FINE),
        ("%x{} = OpCompositeInsert %float2 %fone %pair 2", below(2, 2)),
        ("%x{} = OpCompositeInsert %float2 %one %pair 1", PUT),
        (
            "%x{} = OpCompositeInsert %uint2 %one %pair 1",
            "expected the result type of the composite",
        ),
        ("%x{} = OpCompositeInsert %struct %pair %s 1 1", FINE),
        ("%x{} = OpCompositeInsert %struct %fone %s 1 1", PUT),
    ]
    assert differing(HEAD, rows) == []


def test_composites_are_made_of_parts_of_their_types() -> None:
    components = "expected scalars and vectors of the components' type"
    number = "expected as many components as the result has"
    parts = "expected constituents of another type"
    rows = [
        ("%x{} = OpCompositeConstruct %float3 %fone %pair", FINE),
        ("%x{} = OpCompositeConstruct %float3 %pair %fone", FINE),
        ("%x{} = OpCompositeConstruct %float3 %pair %pair", number),
        ("%x{} = OpCompositeConstruct %float3 %fone %fone", number),
        ("%x{} = OpCompositeConstruct %float2 %pair", "expected at least two constituents"),
        ("%x{} = OpCompositeConstruct %float3 %one %pair", components),
        ("%x{} = OpCompositeConstruct %float3 %fone %whole", components),
        ("%x{} = OpCompositeConstruct %mat3x2 %pair %pair %pair", FINE),
        ("%x{} = OpCompositeConstruct %mat3x2 %pair %pair", "expected 3 constituents, got 2"),
        ("%x{} = OpCompositeConstruct %mat3x2 %pair %pair %whole", parts),
        ("%x{} = OpCompositeConstruct %array %pair %pair", FINE),
        ("%x{} = OpCompositeConstruct %array %pair", "expected 2 constituents, got 1"),
        ("%x{} = OpCompositeConstruct %array %whole %pair", parts),
        ("%x{} = OpCompositeConstruct %sized %pair", FINE),
        ("%x{} = OpCompositeConstruct %struct %one %a", FINE),
        ("%x{} = OpCompositeConstruct %struct %one", "expected 2 constituents, got 1"),
        ("%x{} = OpCompositeConstruct %struct %a %one",
         "expected constituents of the members' types"),
        ("%x{} = OpCompositeConstruct %uint %one", "expected a composite type"),
    ]  # fmt: skip
    assert differing(HEAD, rows) == []


def test_shuffles_choose_components_of_two_vectors() -> None:
    rows = [
        ("%x{} = OpVectorShuffle %float3 %pair %pair 0 3 1", FINE),
        ("%x{} = OpVectorShuffle %float3 %pair %pair 0 0xFFFFFFFF 1", FINE),
        ("%x{} = OpVectorShuffle %float3 %pair %pair 0 4 1", "expected a choice below 4, got 4"),
        ("%x{} = OpVectorShuffle %float3 %pair %pair 0 1",
         "expected as many choices as components"),
        ("%x{} = OpVectorShuffle %float2 %pair %whole 0 1",
         "expected vectors of the result's components"),
        ("%x{} = OpVectorShuffle %uint2 %pair %pair 0 1",
         "expected vectors of the result's components"),
        ("%x{} = OpVectorShuffle %float %pair %pair 0", "expected a vector as result"),
        ("%x{} = OpVectorShuffle %float2 %fone %pair 0 1", "expected vectors"),
        ("%x{} = OpVectorShuffle %float2 %pair %fone 0 1", "expected vectors"),
    ]  # fmt: skip
    assert differing(HEAD, rows) == []


def test_copies_keep_the_type_or_its_values() -> None:
    rows = [
        ("%x{} = OpCopyObject %struct %s", FINE),
        ("%x{} = OpCopyObject %same %s", "expected an operand of the result type"),
        ("%x{} = OpCopyLogical %same %s", FINE),
        ("%x{} = OpCopyLogical %other %a", FINE),
        ("%x{} = OpCopyLogical %struct %s", "expected another type; OpCopyObject copies"),
        ("%x{} = OpCopyLogical %unlike %s", "expected types that match logically"),
        ("%x{} = OpCopyLogical %uint2 %pair", "expected types that match logically"),
    ]
    assert differing(HEAD, rows) == []
    replicated = HEAD.replace(
        "{shader}",
        """OpCapability Shader
        OpCapability Linkage
        OpCapability ReplicatedCompositesEXT
        OpExtension "SPV_EXT_replicated_composites"
        OpMemoryModel Logical GLSL450""",
    )
    rows = [
        ("%x{} = OpCompositeConstructReplicateEXT %float2 %fone", FINE),
        ("%x{} = OpCompositeConstructReplicateEXT %mat3x2 %pair", FINE),
        ("%x{} = OpCompositeConstructReplicateEXT %array %pair", FINE),
        ("%x{} = OpCompositeConstructReplicateEXT %struct %one",
         "expected a constituent of the parts' type"),
        ("%x{} = OpCompositeConstructReplicateEXT %float2 %one",
         "expected a constituent of the parts' type"),
        ("%x{} = OpCompositeConstructReplicateEXT %float %fone", "expected a composite type"),
    ]  # fmt: skip
    assert differing(replicated, rows) == []
