"""Programs through their text: what the source language has no words for comes back, too."""

from __future__ import annotations

from typing import Any

import pytest

import unshade
from unshade import AssembleError, EncodeError, UnsupportedError
from unshade.formats.sksl import SkslShader
from unshade.isa.source import Source
from unshade.programs.sksl.tree import BlockStatement, NopStatement, SettingReference, walk


def compiled(text: str, **options: Any) -> SkslShader:
    return SkslShader.assemble([Source(text)], **options)


def returned(text: str) -> tuple[SkslShader, SkslShader]:
    """Return the program of a text, and the one of its listing."""
    first = compiled(text)
    return first, compiled(first.disassemble())


@pytest.mark.parametrize(
    "body",
    [
        ";", "{ }", "{ ; }", "{ ; ; }", "{ { ; } ; }", "if (p.x > 0) ;", "if (p.x > 0) { ; }",
        "if (p.x > 0) { ; } else ;", "if (p.x > 0) ; else { ; }", "while (p.x > 0) { ; }",
        "for (; p.y > 0;) ;", "for (int i = 0; i < 3; i++) { ; }", "do ; while (p.x > 0);",
        "do { ; } while (p.x > 0);",
        "switch (int(p.x)) { case 1: ; case 2: { ; } break; default: }",
    ],
)  # fmt: skip
@pytest.mark.parametrize("heading", ["#version 300", "// sksl runtime_shader\n#version 300"])
def test_empty_statements(body: str, heading: str) -> None:
    """Upstream makes an empty block without a scope of `;`; a listing has statements like that."""
    text = f"{heading}\nhalf4 main(float2 p) {{ {body} return half4(1); }}"
    first, again = returned(text)
    assert again.to_bytes() == first.to_bytes()


def test_an_empty_block_is_a_scope_if_there_is_a_blank_in_it() -> None:
    text = "// sksl runtime_shader\nhalf4 main(float2 p) { {} { } ; return half4(1); }"
    program = compiled(text).program
    bare, scope = [
        each
        for each in walk(program.unit)
        if isinstance(each, BlockStatement) and not each.statements
    ]
    assert bare.symbols is None
    assert scope.symbols is not None
    assert any(isinstance(each, NopStatement) for each in walk(program.unit))


SETTING = """\
// sksl fragment

out half4 c;

void main() {
    c = half4(sk_Caps.integerSupport ? 1 : 0);
}
"""


def test_properties_of_the_device_stay_in_a_listing() -> None:
    """Source is compiled for a device; a file may have been compiled for none."""
    first, again = returned(SETTING)
    assert [each.name for each in walk(first.program.unit) if isinstance(each, SettingReference)]
    assert "sk_Caps.integerSupport" in first.disassemble()
    assert unshade.loads(first.to_bytes()).to_bytes() == again.to_bytes() == first.to_bytes()
    assert unshade.from_data(first.to_data()).to_bytes() == first.to_bytes()
    source = compiled(SETTING.split("\n", 1)[1], kind="fragment")
    assert "sk_Caps" not in source.disassemble()


def test_a_property_that_no_device_has_cannot_be_run() -> None:
    shader = compiled(SETTING.replace("integerSupport", "colour"))
    with pytest.raises(
        UnsupportedError, match=r"line 6: sk_Caps\.colour: the property is not known"
    ):
        shader.program.lower()


def test_what_the_format_cannot_hold_is_shown_in_the_source() -> None:
    text = (
        "uniform shader child;\nhalf4 main(float2 p) {\n    return half4(2) * child.eval(p);\n}\n"
    )
    shader = compiled(text)
    with pytest.raises(EncodeError) as caught:
        shader.to_bytes()
    assert caught.value.path == "elements[1].body.statements[0].value.right"
    mistake = caught.value.mistake
    assert isinstance(mistake, AssembleError)
    assert (mistake.line, mistake.column) == (3, 23)
    assert str(caught.value) == str(mistake)
    assert mistake.problem == "version 11 cannot hold calls of children"


def test_what_a_file_cannot_mean_is_shown_in_its_listing() -> None:
    text = "half4 main(float2 p) {\n float x = p.x;\n p.y = x++;\n return half4(half(p.y));\n}"
    shader = compiled(text)
    data = shader.to_data()
    statements = data["program"]["elements"][0]["body"]["statements"]
    statements[0]["base"] = "half"  # not the type of the variable
    with pytest.raises(UnsupportedError, match=r"^line 4: expected float, got half$"):
        SkslShader.from_data(data).program.lower()
