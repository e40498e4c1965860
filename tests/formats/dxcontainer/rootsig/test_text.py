"""Root signatures as text: printed with defaults left out, read in any case and order."""

import random
from contextlib import suppress

import pytest

import unshade
from unshade import AssembleError, UsageError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.rts0 import (
    Constants,
    Descriptor,
    DescriptorRange,
    DescriptorTable,
    Parameter,
    SerializedRootSignature,
    StaticSamplerDescription,
)
from unshade.formats.dxcontainer.rootsig import from_text, to_text
from unshade.formats.dxcontainer.rootsig.reading import read_text
from unshade.wire import write
from unshade.wire.floats import NanBits

# fmt: off
TEXTS = [
    "",
    "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | SAMPLER_HEAP_DIRECTLY_INDEXED)",
    "RootFlags(DENY_MESH_SHADER_ROOT_ACCESS | 0xf000)",
    "CBV(b0)",
    "SRV(t1, space=2, visibility=SHADER_VISIBILITY_PIXEL, flags=DATA_STATIC)",
    "UAV(u4294967295, visibility=99)",
    "RootConstants(num32BitConstants=3, b10, space=1)",
    "DescriptorTable()",
    "DescriptorTable(SRV(t0, numDescriptors=unbounded), visibility=SHADER_VISIBILITY_VERTEX)",
    "DescriptorTable(CBV(b0, offset=4), UAV(u1, flags=DESCRIPTORS_VOLATILE | DATA_VOLATILE))",
    "DescriptorTable(Sampler(s0, numDescriptors=2, space=1))",
    "StaticSampler(s0)",
    "StaticSampler(s1, filter=FILTER_MIN_MAG_MIP_LINEAR, addressU=TEXTURE_ADDRESS_MIRROR_ONCE)",
    "StaticSampler(s1, filter=7, mipLODBias=0.1f, maxAnisotropy=1, minLOD=-1.0f, maxLOD=1e+10f)",
    "StaticSampler(s1, comparisonFunc=COMPARISON_NEVER)",
    "StaticSampler(s1, borderColor=STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT)",
    "StaticSampler(s1, mipLODBias=asfloat(0x7f800001), minLOD=asfloat(0xff800000))",
    "StaticSampler(s1, flags=UINT_BORDER_COLOR | NON_NORMALIZED_COORDINATES)",
    "CBV(b0),\nSRV(t0),\nStaticSampler(s0)",
]
BAD = [
    ("CBV(",                                1,  5, "expected a register such as b0"),
    ("CBV()",                               1,  5, "expected a register such as b0"),
    ("CBV(t0)",                             1,  5, "expected a register such as b0"),
    ("CBV(b0",                              1,  7, "expected ',', got the end"),
    ("CBV(b0) CBV(b1)",                     1,  9, "expected ',' or the end"),
    ("CBV(b0),\n SRW(t0)",                  2,  2, "unknown clause 'SRW'; did you mean SRV?"),
    ("CBV(b0, b1)",                         1,  9, "the register is given twice"),
    ("CBV(b0, space=1, space=1)",           1, 18, "space is given twice"),
    ("CBV(b0, spce=1)",                     1,  9, "unknown argument 'spce'; did you mean space?"),
    ("CBV(b0, space=x)",                    1, 15, "expected a number, got 'x'"),
    ("CBV(b0, space=4294967296)",           1, 15, "expected a number"),
    ("CBV(b0, space)",                      1, 14, "expected '='"),
    ("CBV(b4294967296)",                    1,  5, "expected a register such as b0"),
    ("CBV(b0, visibility=PIXEL)",           1, 20, "expected SHADER_VISIBILITY_ALL or another"),
    ("CBV(b0, flags=DATA_STATC)",           1, 15, "unknown flag 'DATA_STATC'; did you mean"),
    ("RootFlags(0), RootFlags(0)",          1, 15, "RootFlags is given twice"),
    ("RootConstants(b0)",                   1, 17, "expected num32BitConstants"),
    ("DescriptorTable(RootFlags(0))",       1, 17, "unknown clause of a descriptor table"),
    ("DescriptorTable(visibility=0, visibility=0)", 1, 31, "visibility is given twice"),
    ("StaticSampler(s0, minLOD=x)",         1, 26, "expected a float"),
    ("StaticSampler(s0, minLOD=1e99)",      1, 26, "expected a float"),
    ("CBV(b0) ;",                           1,  9, "unexpected character ';'"),
    ("CBV(b0) /* open",                     1,  9, "expected */ at the end of the comment"),
    ("DescriptorTable(SRV(t0, numDescriptors=-1))", 1, 40,
     "expected a number or unbounded (-1 is written unbounded), got '-1'"),
    ("DescriptorTable(SRV(t0, numDescriptors=-2))", 1, 40,
     "expected a number or unbounded, got '-2'"),
    ("DescriptorTable(SRV(t0, offset=-1))", 1, 32,
     "expected a number or DESCRIPTOR_RANGE_OFFSET_APPEND (-1 is written DESCRIPTOR_RANGE_OFFSET_"),
    ("CBV(b0, space=-1)",                   1, 15, "expected a number, got '-1'"),
    ('[RootSignature("CBV(b0)"',            1, 24, "expected ')', got the end"),
    ('[RootSignature("CBV(b0)")',           1, 26, "expected ']', got the end"),
    ('[numthreads("CBV(b0)")]',             1,  2, "expected RootSignature, got 'numthreads'"),
    ('#define R "CBV(b0)"\n[RootSignature(S)]', 2, 16, "expected the macro R, got 'S'"),
    ('#define R "CBV(b0)"\n#define S "CBV(b1)"', 2, 1, "expected ',' or the end, got '#define'"),
    ('#define "CBV(b0)"',                   1, 13, "unknown clause '('"),
]
# fmt: on


@pytest.mark.parametrize("text", TEXTS)
def test_round_trip(text: str) -> None:
    record = from_text(text)
    assert to_text(record) == text
    assert write(from_text(to_text(record))) == write(record)


def test_everything() -> None:
    made = from_text(
        "RootFlags(ALLOW_STREAM_OUTPUT), CBV(b1, space=2, flags=DATA_STATIC),"
        "RootConstants(b3, num32BitConstants=4, visibility=SHADER_VISIBILITY_HULL),"
        "DescriptorTable(UAV(u5, offset=6, numDescriptors=7), visibility=SHADER_VISIBILITY_MESH),"
        "StaticSampler(s8, maxLOD=2.5)"
    )
    rows = [DescriptorRange(kind=1, count=7, base_register=5, table_offset=6)]
    sampler = StaticSamplerDescription(
        register=8,
        filter=0x55,
        address_u=1,
        address_v=1,
        address_w=1,
        max_anisotropy=16,
        comparison=4,
        border_color=2,
        max_lod=2.5,
    )
    assert made == SerializedRootSignature(
        version=2,
        flags=0x40,
        parameters=[
            Parameter(kind=2, visibility=0, payload=Descriptor(register=1, space=2, flags=8)),
            Parameter(kind=1, visibility=2, payload=Constants(register=3, space=0, count=4)),
            Parameter(kind=0, visibility=7, payload=DescriptorTable(ranges=rows)),
        ],
        samplers=[sampler],
    )


def test_text_as_it_is_in_hlsl() -> None:
    text = (
        '"rootflags( allow_stream_output | " \\\n   "0), " // comment\n "cbv ( B0 , SPACE = 0x1 )"'
    )
    assert to_text(from_text(text)) == "RootFlags(ALLOW_STREAM_OUTPUT),\nCBV(b0, space=1)"


def test_versions() -> None:
    assert [from_text("CBV(b0)", each).version for each in ("1.0", "1.1", "1.2")] == [1, 2, 3]
    assert from_text("CBV(b0)").version == 2
    flagged = "StaticSampler(s0, flags=UINT_BORDER_COLOR)"
    assert from_text(flagged).version == 3
    with pytest.raises(AssembleError, match=r"need version 1\.2"):
        from_text(flagged, "1.1")
    assert from_text("CBV(b0, flags=0)", "1.0").version == 1
    with pytest.raises(UsageError, match=r"expected a version of 1\.0, 1\.1, 1\.2, got '9'"):
        from_text("", "9")


@pytest.mark.parametrize(
    ("text", "column", "noun"),
    [
        ("CBV(b0, flags=DATA_VOLATILE)", 15, "a root descriptor"),
        ("CBV(b1), UAV(u0, space=1, flags=0x8)", 33, "a root descriptor"),
        ("DescriptorTable(SRV(t0, flags = DATA_STATIC))", 33, "a descriptor range"),
        ("DescriptorTable(Sampler(s0, flags=DESCRIPTORS_VOLATILE))", 35, "a descriptor range"),
    ],
)
def test_flags_need_a_version(text: str, column: int, noun: str) -> None:
    assert from_text(text).version == 2
    with pytest.raises(AssembleError, match=f"flags of {noun} need version 1.1") as caught:
        from_text(text, "1.0")
    assert (caught.value.line, caught.value.column) == (1, column)


def test_the_offset_that_means_append_as_a_number() -> None:
    text = "CBV(b3),\nDescriptorTable(CBV(b0), CBV(b1, offset={}))"
    for number in ("4294967295", "0xFFFFFFFF"):
        record, (remark,) = read_text(text.format(number))
        assert record == from_text(text.format("DESCRIPTOR_RANGE_OFFSET_APPEND"))
        assert remark.code == "rts0.offset-text"
        assert remark.path == "RTS0.parameters[1].payload.ranges[1].table_offset"
        assert f"line 2, column 41: {number} is DESCRIPTOR_RANGE_OFFSET_APPEND" in remark.message
    for offset in ("DESCRIPTOR_RANGE_OFFSET_APPEND", "4294967294", "0"):
        assert read_text(text.format(offset))[1] == []


def test_not_a_number_keeps_its_bits() -> None:
    (sampler,) = from_text("StaticSampler(s0, minLOD=asfloat(0x7f800001))").samplers
    assert isinstance(sampler.min_lod, NanBits)


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD)
def test_errors_are_located(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(AssembleError) as caught:
        from_text(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert message in str(caught.value)


def test_hostile_text() -> None:
    chance = random.Random(14)
    pieces = [*'(),=|"\\\n ', "CBV", "b0", "DescriptorTable(", "space", "1e", "flags", "asfloat("]
    for _ in range(300):
        text = "".join(chance.choices(pieces, k=chance.randrange(40)))
        with suppress(AssembleError):
            from_text(text)
    with pytest.raises(AssembleError):
        from_text("DescriptorTable(" * 10_000)
    with pytest.raises(AssembleError):
        from_text("CBV(b0, space=" + "9" * 10_000 + ")")


@pytest.mark.parametrize(
    "text",
    [
        '[RootSignature("CBV(b0), SRV(t0)")]',
        '[ rootsignature ( "CBV(b0)," "SRV(t0)" ) ] // the end\n',
        '#define R "CBV(b0), SRV(t0)"',
        '// one\n/* two\nthree */ #define R \\\n    "CBV(b0)," \\\n    "SRV(t0)"\n\n',
        '#define R "CBV(b0)," \\\r\n "SRV(t0)"\r\n[RootSignature(R)]\r\n',
        "/* * / */ CBV(b0) /**/, /* , */ SRV(t0)",
    ],
)
def test_the_text_is_taken_out_of_hlsl(text: str) -> None:
    assert to_text(from_text(text)) == "CBV(b0),\nSRV(t0)"
    made = unshade.assemble(text)
    assert isinstance(made, DxContainer)
    assert made.root_signature == "CBV(b0),\nSRV(t0)"


def test_hlsl_with_code_is_no_root_signature() -> None:
    for text in ('[RootSignature("CBV(b0)")]', '#define R "CBV(b0)"\n[RootSignature(R)]'):
        with pytest.raises(AssembleError, match="unknown format"):
            unshade.assemble(f"{text}\nfloat4 main() : SV_Target {{ return 0; }}")
