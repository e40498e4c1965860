"""Settings that a source asks for."""

import pytest

import unshade
from unshade.errors import AssembleError
from unshade.isa.source import Source
from unshade.programs.sksl.assembler.settings import Settings, settings_of
from unshade.programs.sksl.tables.enumerations import SkslProgramKind

Kind = SkslProgramKind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.rts", Kind.RUNTIME_SHADER),
        ("a.rtcf", Kind.RUNTIME_COLOR_FILTER),
        ("a.rtb", Kind.RUNTIME_BLENDER),
        ("a.SKSL", Kind.FRAGMENT),
        ("a.vert", Kind.VERTEX),
        ("a.txt", Kind.RUNTIME_SHADER),
        ("", Kind.RUNTIME_SHADER),
    ],
)
def test_the_extension_says_the_kind(name: str, kind: Kind) -> None:
    assert settings_of(Source("", name)).kind is kind
    assert settings_of(Source("", name), Kind.GENERIC).kind is Kind.GENERIC


def test_a_comment_changes_settings() -> None:
    text = "half4 c;\n/*#pragma settings NoOptimize NoRTFlip Default*/"
    found = settings_of(Source(text))
    assert not found.optimize
    assert not found.flip
    assert found.capabilities["integerSupport"]
    assert settings_of(Source("")) == Settings()


def test_an_unknown_setting_is_an_error() -> None:
    with pytest.raises(AssembleError) as raised:
        settings_of(Source("\n/*#pragma settings NoInlin*/"))
    error = raised.value
    assert error.problem == "unknown setting 'NoInlin'; did you mean NoInline?"
    assert (error.line, error.column) == (2, 20)


def test_the_first_line_of_a_disassembled_program() -> None:
    found = settings_of(Source("// unshade sksl exact 1\n// sksl mesh_vertex flip\n", "a.rts"))
    assert found.kind is Kind.MESH_VERTEX
    assert found.native
    assert not found.optimize
    assert not settings_of(Source("uniform half4 c;\n\n// sksl generic")).native


@pytest.mark.parametrize(
    ("word", "problem"),
    [
        ("module", "modules cannot be compiled"),
        ("runtime_shadr", "unknown kind 'runtime_shadr'; did you mean runtime_shader?"),
    ],
)
def test_other_first_lines(word: str, problem: str) -> None:
    with pytest.raises(AssembleError) as raised:
        settings_of(Source(f"// sksl {word}\n"))
    assert raised.value.problem == problem
    assert raised.value.column == 9


def test_runtime_effects_convert_to_lower_precision() -> None:
    assert Settings(kind=Kind.MESH_FRAGMENT).resolved.narrowing
    assert not Settings(kind=Kind.FRAGMENT).resolved.narrowing
    assert Settings(optimize=False).resolved.inline_threshold == 0


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.agsl", "half4 main(float2 p) {", Kind.RUNTIME_SHADER),
        ("a.agsl", "vec4 main(in vec2 p) {", Kind.RUNTIME_SHADER),
        ("a.agsl", "half4 main(half4 c) {", Kind.RUNTIME_COLOR_FILTER),
        ("a.agsl", "vec4 main(vec4 c) {", Kind.RUNTIME_COLOR_FILTER),
        ("a.agsl", "half4 main(half4 s, half4 d) {", Kind.RUNTIME_BLENDER),
        ("a.sksl", "half4 main(float2 p) {", Kind.FRAGMENT),
        ("a.sksl", "uniform shader s;\nhalf4 main(float2 p) {", Kind.RUNTIME_SHADER),
        (
            "a.sksl",
            "uniform colorFilter f;\nhalf4 main(half4 c) {",
            Kind.RUNTIME_COLOR_FILTER,
        ),
        (
            "A.SKSL",
            "uniform blender b;\nhalf4 main(half4 s, half4 d) {",
            Kind.RUNTIME_BLENDER,
        ),
        ("a.rts", "uniform blender b;\nhalf4 main(half4 c) {", Kind.RUNTIME_SHADER),
    ],
)
def test_effects_of_shared_suffixes_are_told_apart(name: str, text: str, kind: Kind) -> None:
    assert settings_of(Source(text, name)).kind is kind
    assert settings_of(Source(text, name), Kind.VERTEX).kind is Kind.VERTEX


def test_an_effect_with_a_child_compiles_under_the_usual_suffix() -> None:
    text = "uniform shader s;\nhalf4 main(float2 p) { return s.eval(p); }"
    for name in ("a.sksl", "a.agsl"):
        assert [each.name for each in unshade.compile(Source(text, name)).reflect().resources]
