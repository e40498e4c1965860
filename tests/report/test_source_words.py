"""Words of sources in a page, and their kinds, in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.report.browser import need_browser, opened
from unshade.report.page import page

pytestmark = pytest.mark.slow

EXAMPLES = REPOSITORY / "examples"
LINES = {
    "float3 t = normalize(n) * 1.5e-3f; // half": [
        ("word", "float3"), ("operation", "normalize"), ("literal", "1.5e-3f"),
        ("comment", "// half"),
    ],
    "    for (int i = 0; i < x.y; ++i) discard;": [
        ("flow", "for"), ("word", "int"), ("literal", "0"), ("flow", "discard"),
    ],
    "#pragma pack_matrix(row_major)": [("declaration", "#pragma pack_matrix(row_major)")],
    "layout(set = 0) uniform sampler2D forest_2;": [
        ("declaration", "layout"), ("literal", "0"), ("declaration", "uniform"),
        ("word", "sampler2D"),
    ],
    "fn main(a: vec4<f32>) -> f32 { return 0x1Fu; }": [
        ("declaration", "fn"), ("operation", "main"), ("word", "vec4"), ("word", "f32"),
        ("word", "f32"), ("flow", "return"), ("literal", "0x1Fu"),
    ],
    "RWStructuredBuffer<int2x3> b; float interval; half4x4 m2;": [
        ("word", "RWStructuredBuffer"), ("word", "int2x3"), ("word", "float"), ("word", "half4x4"),
    ],
    'printf("// %d", /* one */ a/b, true)': [
        ("operation", "printf"), ("literal", '"// %d"'), ("comment", "/* one */"),
        ("literal", "true"),
    ],
}  # fmt: skip


def test_kinds_of_words(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "phong.html"
    file.write_text(page(unshade.open(EXAMPLES / "phong.dxbc"), "phong"), encoding="utf-8")
    with opened(file) as shown:
        for text, expected in LINES.items():
            words = shown.evaluate("(text) => sourceWords(text, false)", text)
            assert "".join(word for _, word in words) == text
            assert [(kind, word) for kind, word in words if kind] == expected
        lines = ["a /* b", "c", "d */ if /**/", "/* e */ f", "// /*", "g"]
        found = shown.evaluate("(lines) => commentsGoOn(lines)", lines)
        assert found == [False, True, True, False, False, False]
        words = shown.evaluate("(text) => sourceWords(text, true)", "d */ if")
        assert words == [["comment", "d */"], ["", " "], ["flow", "if"]]
        row = shown.locator("#sources .row", has_text="for (int i")
        assert row.locator(".u-flow").all_inner_texts() == ["for"]
        assert "for (int i = 0; i < u_n; i++) {" in row.inner_text()
