"""Lines of sources by the numbers of debug information: `#line` in all its forms."""

from __future__ import annotations

import pytest

from unshade.ir.source_text import NumberedLine, SourceTexts, has_line_directives

GLSLANG = """\
// OpModuleProcessed client vulkan100
// OpModuleProcessed entry-point main
#line 1
#version {version}
void main() {{
    a = 1;
}}
"""


@pytest.mark.parametrize("version", ["140", "450", "310 es"])
def test_lines_that_glslang_adds_before_the_version_are_not_counted(version: str) -> None:
    texts = SourceTexts({"a.frag": GLSLANG.format(version=version)})
    assert texts.line("a.frag", 1) == f"#version {version}"
    assert texts.line("a.frag", 3) == "    a = 1;"
    assert texts.around("a.frag", 3, 1) == [
        NumberedLine(2, "void main() {"), NumberedLine(3, "    a = 1;"), NumberedLine(4, "}"),
    ]  # fmt: skip


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\n\r"])
def test_every_newline_of_glsl_counts_once(newline: str) -> None:
    text = newline.join(["one;", "", "three;", "#line 20", "twenty;"])
    texts = SourceTexts({"a.hlsl": text})
    assert [texts.line("a.hlsl", at) for at in (1, 3, 20)] == ["one;", "three;", "twenty;"]
    assert texts.line("a.hlsl", 5) == ""


@pytest.mark.parametrize(
    ("version", "first"),
    [("#version 450", 20), ("#version 330 core", 20), ("#version 150", 21), ("#version 100 es", 20),
     ("", 20)],
)  # fmt: skip
def test_the_next_line_has_the_number_since_glsl_330(version: str, first: int) -> None:
    texts = SourceTexts({"a": f"{version}\n#line 20\nhere;\n", "inc": "#line 7\nthere;\n"})
    assert texts.line("a", first) == "here;"
    assert texts.line("inc", 7 + first - 20) == "there;"  # a file without #version follows it


@pytest.mark.parametrize(
    ("directive", "file", "number"),
    [
        ("#line 7", "a", 7),
        ("  #  line 7 // note", "a", 7),
        ("#line 7 3", "a", 7),
        ('#line 7 "b.hlsl"', "b.hlsl", 7),
        ('# 7 "b.hlsl" 1 3', "b.hlsl", 7),
        ('#line/* */7 "lib/b.hlsl"', "lib/b.hlsl", 7),
        (r'#line 7 "C:\\dir\\b.hlsl"', r"C:\dir\b.hlsl", 7),
        (r'#line 7 "C:\dir\b.hlsl"', r"C:\dir\b.hlsl", 7),
        ('#line 7 "./b.hlsl"', "b.hlsl", 7),
        ('#line 7 "b.hlsl"', "/home/me/b.hlsl", 7),
        ('#line 7 "/home/me/b.hlsl"', "b.hlsl", 7),
        ('#line 4294967295 "b.hlsl"', "b.hlsl", 4294967295),
    ],
)
def test_forms_of_the_directive(directive: str, file: str, number: int) -> None:
    texts = SourceTexts({"a": f"{directive}\nhere;\n"})
    assert texts.line(file, number) == "here;"
    assert texts.line("a", 2) == ("" if file == "a" or number != 2 else "here;")
    assert texts.line("c.hlsl", number) == ""


def test_line_zero_is_followed_by_line_one() -> None:
    texts = SourceTexts({"a": "#line 0\nzero;\none;\n"})
    assert (texts.line("a", 0), texts.line("a", 1)) == ("", "one;")


@pytest.mark.parametrize("directive", ["#line N", "#line 2 + 3", "#line", "#line 010"])
def test_lines_after_a_number_that_is_not_known_are_not_guessed(directive: str) -> None:
    texts = SourceTexts({"a": f"one;\n{directive}\nthree;\n#line 9\nnine;\n"})
    assert [texts.line("a", at) for at in (1, 3, 9)] == ["one;", "", "nine;"]


def test_directives_in_comments_and_strings_and_excluded_code_are_ignored() -> None:
    lines = [
        "/* #line 50", "#line 60", "*/ #line 70 // a directive after a comment",
        'seventy; "/*"; #line 80', "#line 90 // \\", "ninety; // /*", "#if 0", "#line 5", "#if 1",
        "#line 6", "#endif", "#line 7", "#else", "else;", "#endif", "end;",
    ]  # fmt: skip
    texts = SourceTexts({"a": "\n".join(lines)})
    assert texts.line("a", 70) == lines[3]
    assert texts.line("a", 90) == lines[5]
    assert texts.line("a", 98) == "else;"
    assert texts.line("a", 100) == "end;"
    assert texts.line("a", 71) == lines[4]


def test_a_number_of_several_lines_is_not_guessed() -> None:
    chunks = "#line 1 0\na;\nsame;\n#line 1 1\nb;\n  same;\n// no code\n"
    texts = SourceTexts({"m": chunks})
    assert [texts.line("m", at) for at in (1, 2, 3)] == ["", "same;", "// no code"]
    assert texts.around("m", 1, 3) == []
    assert texts.around("m", 3, 1)[1] == NumberedLine(3, "// no code")


def test_a_string_number_keeps_the_name_before_it_or_that_of_the_text() -> None:
    texts = SourceTexts({"m": 'a;\n#line 1 "lib"\nb;\n#line 50 0\nc;\n'})
    assert [texts.line("m", 50), texts.line("lib", 50)] == ["c;", "c;"]
    assert texts.line("m", 1) == "a;"


def test_ends_of_paths_are_taken_only_if_one_file_has_them() -> None:
    texts = SourceTexts({"x/a.h": "one;", "y/a.h": "two;", "b.h": "three;"})
    assert texts.line("a.h", 1) == ""
    assert texts.line("z/x/a.h", 1) == "one;"
    assert texts.line("xb.h", 1) == ""
    assert "z/b.h" in texts
    assert "c.h" not in texts


def test_a_whole_file_has_its_lines_where_debug_information_counts_them() -> None:
    texts = SourceTexts({"a": 'one;\n#line 4 "b"\nfour;\n#line 4000000000 "c"\nfar;\n'})
    assert texts.whole("b") == '\n\n\nfour;\n#line 4000000000 "c"\n'
    assert texts.whole("c") is None
    assert texts.whole("d") is None


def test_texts_without_directives_are_told_from_others() -> None:
    assert has_line_directives("a;\n#line 3\n")
    assert not has_line_directives("a; // #line 3\n#lines 3\n#pragma line 3\n")


@pytest.mark.slow
def test_time_is_linear_in_hostile_texts() -> None:
    for text in ('\\"' * 200_000, '"' * 200_000, "/**/" * 100_000, "#line 1\n" * 50_000):
        texts = SourceTexts({"a": text})
        assert texts.line("a", 1_000_000) == ""


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("layout(x) in;", "void main() {\nb;\n}", ["void main() {", "b;", "}"]),
        ("layout(x) in;\nint k;", "void main() {\nb;\n}", ["void main() {", "b;", "}"]),
        ("int f() {\na;\n}", "int k;\nvoid main() {\nb;", ["int f() {", "", ""]),
        ("}\nint k;", "void main() {\nb;\n}", ["", "", "}"]),  # unbalanced
    ],
)
def test_of_lines_with_one_number_that_in_braces_counts(
    first: str, second: str, found: list[str]
) -> None:
    texts = SourceTexts({"m": f"{first}\n#line 1 1\n{second}\n"})
    assert [texts.line("m", at) for at in (1, 2, 3)] == found
