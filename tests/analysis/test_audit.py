"""Planted paths, names, sources and times of each kind and family: found, and gone after strip."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import unshade
from tests.cli.terminal import unshade as command
from tests.examples import EXAMPLES
from tests.fixtures import shbin
from tests.fixtures.one_of_each import typed
from unshade.analysis.audit import Reveals, audit
from unshade.analysis.audit.kinds import details_in, form_of, is_vocabulary
from unshade.analysis.audit.texts import _joined, texts_of
from unshade.formats.dxcontainer.parts.level9 import Level9Program
from unshade.formats.dxcontainer.parts.srci import (
    SourceArguments,
    SourceCompression,
    SourceContents,
    SourceInfo,
    SourceName,
    SourceNameList,
    SourceSection,
    SourceSectionType,
)
from unshade.formats.msf.blocks import NamedStream, PdbStream
from unshade.formats.msf.file import MsfFile
from unshade.limits import Limits
from unshade.programs.tpf.instruction import Instruction
from unshade.shader import Shader
from unshade.stripping import STRIPPABLE
from unshade.wire.spans import Span

PATH = r"C:\Users\mallory\engine\qlight.hlsl"
SOURCE = "// qsecret tax rate\nfloat4 qsource() { return 1; }\n"
ALL = ("all",)
PLANTED = re.compile(r"mallory|q[a-z]{4,}")  # every planted word begins with q, or is the user


def text_words(text: str) -> tuple[int, ...]:
    raw = text.encode() + b"\0"
    raw += bytes(-len(raw) % 4)
    return tuple(int.from_bytes(raw[at : at + 4], "little") for at in range(0, len(raw), 4))


def pdb(inner: Shader | bytes = b"") -> MsfFile:
    names = b"/src/files/C:\\Users\\mallory\\qlight.hlsl\0"
    identity = PdbStream(
        version=20000404, signature=1_600_000_000, age=1, guid=bytes(range(16)), names=names,
        present=[1], named=[NamedStream(name=0, stream=3)], rest=bytes(8),
    )  # fmt: skip
    wide = "cl /Zi qwidename.c".encode("utf-16-le")
    return MsfFile([b"", identity, b"", SOURCE.encode(), wide, inner])


def sources() -> SourceInfo:
    texts = SourceContents(compression=SourceCompression.ZLIB, stored=zlib.compress(b""))
    texts.replace([SOURCE.encode()])
    names = SourceNameList(names=[SourceName(text_length=len(SOURCE) + 1, name=PATH)])
    arguments = SourceArguments(texts=["D", "qfeature=1", "Zi", ""])
    kinds = SourceSectionType
    return SourceInfo(
        sections=[
            SourceSection(type=kinds.CONTENTS, content=texts),
            SourceSection(type=kinds.NAMES, content=names),
            SourceSection(type=kinds.ARGUMENTS, content=arguments),
        ]
    )


def level9(comments: dict[bytes, str]) -> Level9Program:
    """Return a program of Direct3D 9 with comments before its only instruction."""
    tokens = b"\0\2\xff\xff"
    for kind, text in comments.items():
        data = kind + b"".join(each.to_bytes(4, "little") for each in text_words(text))
        tokens += (0xFFFE | len(data) // 4 << 16).to_bytes(4, "little") + data
    tokens += bytes.fromhex("0100000200000f800000e4b0 ffff0000")
    return Level9Program(size=36 + len(tokens), major=2, kind=0xFFFF, tokens=tokens)


def dxbc() -> Shader:
    shader = unshade.DxContainer.open(EXAMPLES / "phong.dxbc")
    shader["RDEF"].bindings[2].name = "qtexture"
    shader["RDEF"].buffers[0].variables[1].name = "qeyeball"
    shader["RDEF"].creator = "qcompiler 9.9"
    comment = Instruction(53, payload=text_words(f"qcomment of {PATH}"))
    shader["SHDR"].instructions.insert(0, comment)
    shader["Aon9"] = level9({b"DBUG": f"{PATH}\0qlevel nine", b"CTAB": "qconstants"})
    shader["SPDB"] = pdb().to_bytes()
    shader.private_data = "qprivate data".encode("utf-16-le")
    data = shader.to_bytes() + b"built on qmachine, Nov 29 2026 01:49:11"
    return unshade.loads(data)


LLVM = """
!dx.source.contents = !{!90}
!dx.source.mainFileName = !{!91}
!dx.source.args = !{!92}
!90 = !{!"NAMED", !"// qsecret tax rate\\0Afloat4 qsource() { return 1; }\\0A"}
!91 = !{!"NAMED"}
!92 = !{!"-D", !"qfeature=1"}
""".replace("NAMED", PATH.replace("\\", r"\5C"))


def dxil() -> Shader:
    plain = unshade.open(EXAMPLES / "saxpy6.dxil").disassemble()
    text = plain.replace('%P* undef, !""', '%P* undef, !"qbuffer"').replace("%P", "%qstructure")
    made = unshade.assemble(text + LLVM, format="dxcontainer")
    assert isinstance(made, unshade.DxContainer)
    made["SRCI"] = sources()
    return unshade.loads(made.to_bytes())


def bare_dxil() -> Shader:
    part = dxil().parts["DXIL"]
    return unshade.loads(part.data)


SPIRV = """OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
OpExtension "SPV_GOOGLE_decorate_string"
OpExtension "SPV_GOOGLE_hlsl_functionality1"
%printf = OpExtInstImport "NonSemantic.DebugPrintf"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "C:/Users/mallory/engine/qlight.comp"
%said = OpString "qprinted value"
OpSource GLSL 450 %file "// qsecret tax rate\nvoid qsource() { }\n"
OpModuleProcessed "qprocessed client"
OpName %main "qentrance"
OpName %block "qstructure"
OpMemberName %block 0 "qmember"
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorateString %thing UserSemantic "qsemantic"
OpDecorate %thing DescriptorSet 0
OpDecorate %thing Binding 0
%void = OpTypeVoid
%float = OpTypeFloat 32
%block = OpTypeStruct %float
%pointer = OpTypePointer Uniform %block
%thing = OpVariable %pointer Uniform
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%label = OpLabel
OpLine %file 3 1
%none = OpExtInst %void %printf 1 %said
OpReturn
OpFunctionEnd
"""


def spirv() -> Shader:
    return unshade.assemble(SPIRV, format="spirv")


def vbc() -> Shader:
    shader = unshade.Vbc.open(EXAMPLES / "everything.vbc")
    shader.record.uniform.members[0].name = "qmatrix"
    source = shader.modules()["frag"]
    text = source.disassemble().replace(
        "OpMemoryModel", 'OpModuleProcessed "qprocessed"\nOpMemoryModel'
    )
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if "OpModuleProcessed" in line)
    moved = lines.pop(at)
    first = next(i for i, line in enumerate(lines) if "OpDecorate" in line)
    lines.insert(first, moved)
    module = type(source).assemble("\n".join(lines))
    shader.record.frag = module.encode()
    return unshade.loads(shader.to_bytes())


def homebrew() -> Shader:
    shader = shbin.named()
    shader.dvles[0].uniforms[0].symbol = "quniform"
    return unshade.loads(shader.to_bytes())


SKSL = """
uniform shader qchild;
uniform float qscale;
struct qholder { float qinside; };
float qhelper(float qargument) {
    float qlocal = qargument * qscale;
    return qlocal + qlocal * qlocal;
}
half4 main(float2 qplace) {
    qholder qheld;
    qheld.qinside = qhelper(qplace.x);
    for (int qindex = 0; qindex < 3; ++qindex) { qheld.qinside += qhelper(qheld.qinside); }
    return half4(half(qheld.qinside));
}
"""


def sksl() -> Shader:
    return unshade.assemble(SKSL, format="sksl", optimize=False)


# By kind of file: how it is made, and the least that is found in it, as (category, text).
FILES: dict[str, tuple[Callable[[], Shader], set[tuple[str, str]]]] = {
    "dxbc": (dxbc, {
        ("name", "qtexture"), ("name", "qeyeball"), ("compiler", "qcompiler 9.9"),
        ("user", "mallory"), ("path", PATH), ("source", SOURCE), ("time", "Nov 29 2026 01:49:11"),
        ("time", "2020-09-13 12:26:40 UTC"), ("comment", "// qsecret tax rate"),
        ("text", "qprivate data"),
    }),
    "dxil": (dxil, {
        ("source", SOURCE), ("comment", "// qsecret tax rate"), ("path", PATH), ("user", "mallory"),
        ("options", "qfeature=1"), ("name", "qbuffer"), ("name", "qstructure"),
    }),
    "bare dxil": (bare_dxil, {("source", SOURCE), ("path", PATH), ("options", "qfeature=1")}),
    "pdb": (pdb, {
        ("source", SOURCE), ("user", "mallory"), ("time", "2020-09-13 12:26:40 UTC"),
        ("path", r"C:\Users\mallory\qlight.hlsl"), ("options", "cl /Zi qwidename.c"),
    }),
    "dxc's pdb": (lambda: pdb(unshade.loads(typed("SRCI", sources()))), {
        ("path", PATH), ("options", "qfeature=1"), ("source", SOURCE),
    }),
    "spirv": (spirv, {
        ("path", "C:/Users/mallory/engine/qlight.comp"), ("user", "mallory"),
        ("comment", "// qsecret tax rate"), ("name", "qentrance"), ("name", "qmember"),
        ("name", "qsemantic"), ("name", "qprinted value"),
    }),
    "vbc": (vbc, {("name", "qmatrix"), ("name", "qprocessed")}),
    "shbin": (homebrew, {("name", "quniform")}),
    "sksl": (sksl, {(str(Reveals.NAME), each) for each in (
        "qchild", "qscale", "qholder", "qinside", "qhelper", "qargument", "qlocal", "qheld",
        "qindex", "qplace",
    )}),
}  # fmt: skip


def bytes_of(data: bytes) -> str:
    """Return all text in bytes: in UTF-8, in UTF-16 at either parity, and in zlib streams."""
    found = [data.decode("latin-1")]
    found += [data[start:].decode("utf-16-le", "replace") for start in (0, 1)]
    for at in range(len(data) - 1):
        if data[at] == 0x78 and int.from_bytes(data[at : at + 2], "big") % 31 == 0:
            try:
                found.append(bytes_of(zlib.decompressobj().decompress(data[at:])))
            except zlib.error:
                continue
    return "\n".join(found)


def packed(shader: Shader) -> str:
    """Return the texts of fields that do not begin at whole bytes."""
    return "\n".join(str(span.value) for span in shader.spans() if type(span.value) is str)


@pytest.mark.parametrize("kind", FILES)
def test_planted_words_are_found_and_stripped(kind: str) -> None:
    make, expected = FILES[kind]
    shader = make()
    before = shader.to_bytes()
    found = audit(shader)
    assert shader.to_bytes() == before
    assert {(str(each.category), each.text) for each in found} >= expected
    planted = [each for each in found if PLANTED.search(each.text)]
    assert [each for each in planted if each.removed_by not in STRIPPABLE] == []
    for each in found:
        assert 0 <= each.offset < len(before)
        if each.stored in ("utf-8", "utf-16") and each.category != "unused":
            raw = each.text.encode("utf-8" if each.stored == "utf-8" else "utf-16-le")
            assert before[each.offset : each.offset + each.length] == raw
    shader.strip(*ALL)
    left = unshade.loads(shader.to_bytes())
    assert PLANTED.findall(bytes_of(left.to_bytes()) + packed(left)) == []
    assert [each for each in audit(left) if each.removed_by] == []


def test_each_category_of_strip_removes_what_it_is_said_to_remove() -> None:
    found = audit(dxbc())
    by = {each.text: each.removed_by for each in found}
    assert by["qtexture"] == "reflection"
    assert by["qprivate data"] == "private"
    assert by["Nov 29 2026 01:49:11"] == "private"
    assert by[SOURCE] == "debug"


def test_comments_of_level_9_are_stripped_and_instructions_are_kept() -> None:
    shader = unshade.loads(dxbc().to_bytes())
    assert isinstance(shader, unshade.DxContainer)
    before = shader["Aon9"]
    lost = [each for each in shader.strippable() if each.part.startswith("Aon9 ")]
    assert [(each.part, each.category) for each in lost] == [
        ("Aon9 debug information", "debug"), ("Aon9 names", "reflection"),
    ]  # fmt: skip
    shader.strip("debug")
    assert b"CTAB" in shader["Aon9"].tokens
    shader.strip(*ALL)
    after = shader["Aon9"]
    assert after.tokens.hex() == "0002ffff0100000200000f800000e4b0ffff0000"
    assert before.size - after.size == len(before.tokens) - len(after.tokens)
    # a comment that does not end is left alone
    odd = Level9Program(size=44, major=2, kind=0xFFFF, tokens=b"\0\2\xff\xff\xfe\xff\x09\0")
    assert odd.stripped("debug") is None


def test_stripped_sksl_computes_the_same() -> None:
    before, after = unshade.open(EXAMPLES / "noise.skslb"), unshade.open(EXAMPLES / "noise.skslb")
    after.strip(*ALL)
    assert "octave" not in after.disassemble()
    assert [each.offset for each in after.reflect().constant_buffers[0].variables] == [
        each.offset for each in before.reflect().constant_buffers[0].variables
    ]


def test_what_is_not_used() -> None:
    found = audit(unshade.open(EXAMPLES / "saxpy6.dxil"))
    assert [each.text for each in found if each.category == "unused"] == ["variable of P _26_n"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"C:\Program Files\Studio\a b.hlsl", "path"),
        ("/home/ada/ui.frag", "path"),
        ("../include/common.hlsli", "path"),
        ("ui.hlsl", "path"),
        ("d41d8cd98f00b204e9800998ecf8427e.pdb", "pdb"),
        ("Microsoft (R) HLSL Shader Compiler 10.1", "compiler"),
        ("clang version 3.7 (tags/RELEASE_370/final)", "compiler"),
        ("-Zi", "options"),
        ("/Od", "options"),
        ("LIGHTS=4", "options"),
        ("float f() { return 1; }", "source"),
        ("2026-11-29T01:49:11Z", "time"),
        ("lightColour", None),
        ("struct.C", None),
        ("vector<float, 4>", None),
    ],
)
def test_forms(text: str, expected: str | None) -> None:
    assert form_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\\build07\share\x.hlsl", [("machine", "build07")]),
        ("//build07/share/x.hlsl", [("machine", "build07")]),
        (r"C:\Users\mia\x.hlsl", [("user", "mia")]),
        ("/home/mia/x.hlsl", [("user", "mia")]),
        ("/Users/mia/x.hlsl", [("user", "mia")]),
        ("by mia@host.example", [("user", "mia"), ("machine", "host.example")]),
        ('#include "../a/b.hlsli"', [("path", "../a/b.hlsli")]),
        ("see /opt/studio/x now", [("path", "/opt/studio/x")]),
        ("\x01?f@@YAMV?$vector@M$03@@@Z", []),
        ("a / b // c", []),
        ("https://example.org/x", []),
    ],
)
def test_details(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(str(kind), word) for kind, word, _ in details_in(text)] == expected


def test_letters_in_a_digest_are_chance() -> None:
    data = bytearray((EXAMPLES / "phong.dxbc").read_bytes())
    data[4:20] = b"mallory@qmachine"
    assert not [each for each in audit(unshade.loads(bytes(data))) if each.path == "digest"]


def test_words_of_specifications_are_no_names() -> None:
    assert all(
        map(
            is_vocabulary,
            ("SV_Position", "main", "float4x4", "dx.op.sample.f32", "vs", "mix", "atan"),
        )
    )
    assert not any(map(is_vocabulary, ("lights", "mainLight", "MATERIAL")))


def test_compressed_data_is_bounded() -> None:
    data = unshade.open(EXAMPLES / "phong.dxbc").to_bytes() + zlib.compress(bytes(1 << 20))
    shader = unshade.loads(data, limits=Limits(inflated=1000))
    with pytest.raises(unshade.LimitError, match="inflated"):
        audit(shader)


class Counted:
    """A decoder that counts the bytes it is fed."""

    fed = 0

    def __init__(self, decoder: Any) -> None:
        self.decoder = decoder

    def __getattr__(self, name: str) -> Any:
        return getattr(self.decoder, name)

    def decompress(self, data: bytes, most: int) -> bytes:
        Counted.fed += len(data)
        made: bytes = self.decoder.decompress(data, most)
        return made


def test_many_starts_of_streams_are_tried_with_few_bytes_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make = zlib.decompressobj
    monkeypatch.setattr(zlib, "decompressobj", lambda *args: Counted(make(*args)))
    monkeypatch.setattr(Counted, "fed", 0)
    shader = unshade.open(EXAMPLES / "phong.dxbc")
    starts = 2000
    shader = unshade.loads(shader.to_bytes() + b"\x78\x9c" * starts)
    assert list(texts_of(shader))
    assert 64 * (starts - 32) <= Counted.fed <= 64 * starts
    packed = zlib.compress(b"a planted word", 0)
    shader = unshade.loads(shader.to_bytes() + packed)
    (found,) = (each for each in texts_of(shader) if each.stored == "zlib")
    assert (found.text, found.length) == ("a planted word", len(packed))


def test_starts_of_streams_that_lead_to_the_end_are_bounded() -> None:
    """Each start is a stored block, which the next start continues, and no stream ends."""
    data = unshade.open(EXAMPLES / "phong.dxbc").to_bytes()
    shader = unshade.loads(data + b"\x78\x01\0\2\0\xfd\xff" * 300, limits=Limits(inflated=100_000))
    with pytest.raises(unshade.LimitError, match="inflated"):
        audit(shader)


def test_runs_of_bytes_in_neighbouring_blocks_are_one_text() -> None:
    blocks = [
        ("a", 0, b"se"), ("a", 2, b"cre"), ("a", 5, b"t"), ("b", 6, b"x"), ("b", 9, b"y"),
    ]  # fmt: skip
    spans = [Span(at, len(data), path, data, "") for path, at, data in blocks]
    number = Span(10, 1, "b", 7, "")
    joined = [(each.path, each.offset, each.value) for each in _joined([*spans, number])]
    assert joined == [("a", 0, b"secret"), ("b", 6, b"x"), ("b", 9, b"y"), ("b", 10, 7)]
    assert [each.length for each in _joined(spans)] == [6, 1, 1]


@pytest.mark.slow
def test_command(tmp_path: Path) -> None:
    path = tmp_path / "a.dxbc"
    path.write_bytes(dxbc().to_bytes())
    assert command("audit", path).code == 0
    denied = command("audit", path, "--deny", "user,path")
    assert denied.code == 1
    assert "mallory" in denied.out
    assert "qtexture" not in denied.out
    assert command("strip", "--all", "-i", path).code == 0
    assert command("audit", path, "--deny", "user,path,source,time").code == 0
    wrong = command("audit", path, "--deny", "users")
    assert (wrong.code, "did you mean user" in wrong.err) == (2, True)
