"""Root signatures against the stages of a pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.analysis.pipelines import root_signature_of, stages_of
from unshade.errors import AssembleError, FormatError, UsageError
from unshade.formats.dxcontainer import DxContainer

SKINNING, PHONG, SAXPY = (EXAMPLES / f"{each}.dxbc" for each in ("skinning", "phong", "saxpy"))
FLAG = "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT)"
TEXTURES, SAMPLERS = (
    f"DescriptorTable({kind}({letter}1, numDescriptors=2))"
    for kind, letter in (("SRV", "t"), ("Sampler", "s"))
)
STATIC = "StaticSampler(s1), StaticSampler(s2)"


def check(text: str) -> list[tuple[str, str]]:
    """Return the code and the stage of each finding about skinning and phong."""
    pipeline = unshade.Pipeline(SKINNING, PHONG, root_signature=unshade.assemble(text))
    return [(each.code, each.places[0].stage) for each in pipeline.check()]


@pytest.mark.parametrize(
    "text",
    [
        f"{FLAG}, CBV(b0), {TEXTURES}, {SAMPLERS}",
        f"{FLAG}, CBV(b0), {TEXTURES}, {STATIC}",
        f"{FLAG}, CBV(b0, visibility=SHADER_VISIBILITY_VERTEX),"
        f" CBV(b0, visibility=SHADER_VISIBILITY_PIXEL), {TEXTURES}, {SAMPLERS}",
        f"{FLAG}, DescriptorTable(CBV(b0), SRV(t0, numDescriptors=unbounded)), {STATIC}",
    ],
)
def test_a_root_signature_that_binds_everything(text: str) -> None:
    assert check(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            f"{FLAG}, {TEXTURES}, {SAMPLERS}",
            {("rts0.unbound", "vertex"), ("rts0.unbound", "pixel")},
        ),
        (
            f"{FLAG}, CBV(b0, visibility=SHADER_VISIBILITY_VERTEX), {TEXTURES}, {SAMPLERS}",
            {("rts0.unbound", "pixel")},
        ),
        (f"{FLAG}, CBV(b0), SRV(t1), SRV(t2), {SAMPLERS}", {("rts0.descriptor", "pixel")}),
        (
            "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | DENY_PIXEL_SHADER_ROOT_ACCESS),"
            f" CBV(b0), {TEXTURES}, {SAMPLERS}",
            {("rts0.denied", "pixel")},
        ),
        (f"{FLAG}, CBV(b0), CBV(b0), {TEXTURES}, {SAMPLERS}", {("rts0.overlap", "")}),
        (f"{FLAG}, CBV(b0, space=1), {TEXTURES}, {SAMPLERS}",
         {("rts0.unbound", "vertex"), ("rts0.unbound", "pixel")}),
        (f"{FLAG}, CBV(b0), {TEXTURES}, StaticSampler(s1)", {("rts0.unbound", "pixel")}),
        (
            f"{FLAG}, CBV(b0), RootConstants(b1, num32BitConstants=61), {TEXTURES}, {SAMPLERS}",
            {("rts0.size", "")},
        ),
        (
            f"{FLAG}, RootConstants(b0, num32BitConstants=8), {TEXTURES}, {SAMPLERS}",
            {
                (code, stage)
                for code in ("rts0.constants", "rts0.constants-indexed")
                for stage in ("vertex", "pixel")
            },
        ),
        (f"CBV(b0), {TEXTURES}, {SAMPLERS}", {("root.input-layout", "")}),
    ],
)  # fmt: skip
def test_each_rule_is_broken_by_a_root_signature(text: str, found: set[tuple[str, str]]) -> None:
    assert set(check(text)) == found


def test_a_finding_has_the_words_of_the_runtime_and_both_places() -> None:
    root = unshade.assemble(
        f"{FLAG}, CBV(b0, visibility=SHADER_VISIBILITY_VERTEX), {TEXTURES}, {SAMPLERS}"
    )
    [found] = unshade.Pipeline(SKINNING, PHONG, root_signature=root).check()
    assert found.message == (
        "Root Signature doesn't match Pixel Shader: Shader CBV descriptor range"
        " (BaseShaderRegister=0, NumDescriptors=1, RegisterSpace=0) is not fully bound in root"
        " signature. b0 in space 0 is not bound for pixel: parameters[0] is for vertex"
    )
    assert found.reference == (
        "STATE_CREATION ERROR #690: CREATEGRAPHICSPIPELINESTATE_PS_ROOT_SIGNATURE_MISMATCH"
    )
    declaration, parameter = found.places
    assert declaration.path == "SHDR.instructions[0].operands[0]"
    assert parameter.path == "RTS0.parameters[0]"
    spans = {each.path: each.offset for each in root.spans()}
    assert parameter.offset == spans["RTS0.parameters[0].kind"]


def test_compute_pipelines_have_messages_of_their_own() -> None:
    found = unshade.Pipeline(SAXPY, root_signature=unshade.assemble("CBV(b9)")).check()
    assert {each.reference for each in found} == {
        "STATE_CREATION ERROR #882: CREATECOMPUTEPIPELINESTATE_CS_ROOT_SIGNATURE_MISMATCH"
    }


def test_dxil_is_checked_alike() -> None:
    shader = EXAMPLES / "saxpy6.dxil"
    [stage] = stages_of(unshade.open(shader))
    declared = {each.resource.where for each in stage.facts.resources}
    found = unshade.Pipeline(shader, root_signature=unshade.assemble("CBV(b9)")).check()
    assert {each.code for each in found} == {"rts0.unbound"}
    assert {each.message.split(". ")[1].split(" ")[0] for each in found} == declared
    assert all(each.offset for each in found)


def test_embedded_root_signatures_are_used() -> None:
    vs, ps = DxContainer.open(SKINNING), DxContainer.open(PHONG)
    vs.root_signature = f"{FLAG}, CBV(b0), {TEXTURES}, {SAMPLERS}"
    assert unshade.Pipeline(vs, ps).check() == []
    assert unshade.Pipeline(vs, ps).runtime == "d3d12"
    ps.root_signature = vs.root_signature
    assert unshade.Pipeline(vs, ps).check() == []
    ps.root_signature = f"{FLAG}, CBV(b0), {SAMPLERS}, {TEXTURES}"
    vs.root_signature = f"{FLAG}, CBV(b0)"  # enough for its own stage
    [found] = unshade.Pipeline(vs, ps).check()
    assert (found.code, str(found.severity)) == ("root.several", "note")
    ps.root_signature = f"{FLAG}, CBV(b0), {SAMPLERS}"
    found, *others = unshade.Pipeline(vs, ps).check()
    assert found.code == "root.several"
    assert {(each.code, each.places[0].stage) for each in others} == {("rts0.unbound", "pixel")}
    ps.root_signature = f"{FLAG}, CBV(b0), {SAMPLERS}, {TEXTURES}"
    assert unshade.Pipeline(vs, ps, root_signature=ps).check() == []  # the given one counts


def test_a_root_signature_is_read_from_what_has_one(tmp_path: Path) -> None:
    text = f"// main\n{FLAG}, CBV(b0), {TEXTURES}, {SAMPLERS}\n"
    shader = unshade.assemble(text)
    (tmp_path / "a.rootsig").write_text(text)
    shader.save(tmp_path / "a.cso")
    root = shader.reflect().root_signature
    assert root is not None
    [part] = shader.parts.all("RTS0")
    every = (shader, root, bytes(part.data), shader.to_bytes(), text.encode(),
             tmp_path / "a.rootsig", str(tmp_path / "a.cso"))  # fmt: skip
    for given in every:
        assert root_signature_of(given).root == root
        assert unshade.Pipeline(SKINNING, PHONG, root_signature=given).check() == []
    with pytest.raises(UsageError, match="expected a root signature"):
        root_signature_of(PHONG)
    with pytest.raises(AssembleError):
        root_signature_of(b"CBV(x0)")
    with pytest.raises(FormatError):
        root_signature_of(b"\x04" + bytes(part.data)[1:])  # of an unknown version
    with pytest.raises(UsageError, match="expected stages of Direct3D, got vulkan"):
        unshade.Pipeline(EXAMPLES / "clay.vert.spv", root_signature=root)
