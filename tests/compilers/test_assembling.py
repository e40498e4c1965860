"""Texts that need no compiler: SkSL, picasso source, listings."""

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.compilers.assembling import format_of
from unshade.isa.source import Source

EFFECT = "half4 main(float2 p) { return half4(p.xyxy); }"


@pytest.mark.parametrize(
    ("path", "same"),
    [("plasma.rts", "plasma.skslb"), ("overlay.rtb", "overlay.skslb"), ("gyroid.asm", None)],
)
def test_a_text_compiles_as_it_is_assembled(path: str, same: str | None) -> None:
    made = unshade.compile(EXAMPLES / path)
    text = (EXAMPLES / path).read_text()
    expected = (
        unshade.assemble(Source(text, path)).to_bytes()
        if same is None
        else (EXAMPLES / same).read_bytes()
    )
    assert made.to_bytes() == expected
    assert made.compiled is None


def test_a_program_that_no_file_can_hold_compiles() -> None:
    made = unshade.compile(EXAMPLES / "ripple.rts")
    assert [each.name for each in made.reflect().resources] == ["image"]
    with pytest.raises(unshade.EncodeError, match="calls of children"):
        made.to_bytes()


@pytest.mark.parametrize("language", ["sksl", "SkSL", "picasso", "pica"])
def test_the_language_may_be_named(language: str) -> None:
    text = EFFECT if language.lower() == "sksl" else (EXAMPLES / "lit.v.pica").read_text()
    made = unshade.compile(Source(text, "nameless"), language=language)
    assert made.format == ("sksl" if text is EFFECT else "shbin")


@pytest.mark.parametrize(
    ("name", "text", "language", "format"),
    [
        ("a.rts", EFFECT, None, "sksl"),
        ("a.mfrag", EFFECT, None, "sksl"),
        ("a.txt", "// sksl runtime_shader", None, "sksl"),
        ("a.hlsl", "ps_5_0\nret", None, None),
        ("a.txt", "float4 main() : SV_Target { return 1; }", None, None),
        ("a.rts", EFFECT, "hlsl", None),
        ("a.rts", EFFECT, "SPIR-V assembly", None),
    ],
)
def test_compilers_read_their_languages(
    name: str, text: str, language: str | None, format: str | None
) -> None:
    found = format_of(name, text, language)
    assert (found and found.name) == format


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"defines": {"A": 1}}, "a.rts: expected no defines: unshade assembles SkSL source itself"),
        ({"compiler": "slang"}, "expected no compiler"),
        ({"optimise": 0}, "expected no optimise"),
        ({"stage": "vertex"}, r"expected a vertex shader, got the entry points main \(pixel\)"),
        ({"entry": "other"}, r"expected 'other', got the entry points main \(pixel\)"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(unshade.UsageError, match=words):
        unshade.compile(Source(EFFECT, "a.rts"), **given)  # type: ignore[arg-type]


def test_mistakes_have_their_place() -> None:
    with pytest.raises(unshade.AssembleError, match=r"a\.rts:1:37: unknown identifier 'q'"):
        unshade.compile(Source(EFFECT.replace("half4(p", "half4(q"), "a.rts"))


def test_stage_and_entry_that_fit_are_accepted() -> None:
    made = unshade.compile(Source(EFFECT, "a.rts"), stage="pixel", entry="main")
    assert made.format == "sksl"


def test_spirv_assembly_needs_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("UNSHADE_SPIRV_AS", raising=False)
    made = unshade.compile(EXAMPLES / "clay.frag.spvasm")
    text = (EXAMPLES / "clay.frag.spvasm").read_text()
    assert made.to_bytes() == unshade.assemble(text, "spirv").to_bytes()
    assert made.compiled is not None
    assert (made.compiled.compiler, made.compiled.version) == ("unshade", unshade.__version__)
    with pytest.raises(unshade.UnsupportedError, match="takes no profile"):
        unshade.compile(EXAMPLES / "clay.frag.spvasm", profile="vulkan1.0")
    with pytest.raises(unshade.AssembleError, match=r"a\.spvasm:1"):
        unshade.compile(Source("%1 = OpNothing\n", "a.spvasm"))
