"""Messages of compilers as errors with file, line and column."""

import re
from pathlib import Path

import pytest

from unshade.compilers import messages
from unshade.compilers.jobs import Job
from unshade.vocab.languages import SourceLanguage
from unshade.vocab.words import Stage

TEXT = "float4 main() : SV_Target\n{\n    return foo;\n}\n"


def _job(name: str = "x.hlsl", folders: tuple[str, ...] = ()) -> Job:
    return Job(TEXT, name, SourceLanguage.HLSL, (("main", Stage.PIXEL),), folders)


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        (messages.TABBED, "E30015\terror\tx.hlsl\t3\t12\t3\t15\tundefined identifier\n"
         "E30015\tspan\tx.hlsl\t3\t12\t3\t15\tundefined identifier 'foo'.\n",
         "x.hlsl:3:12: undefined identifier: undefined identifier 'foo'. (E30015)\n"
         "        return foo;\n               ^~~"),
        (messages.TABBED, "E2\terror\tx.hlsl\t3\t12\t3\t13\tsyntax error\n"
         "E2\tspan\tx.hlsl\t3\t12\t3\t13\tsyntax error.\n",
         "x.hlsl:3:12: syntax error (E2)\n        return foo;\n               ^"),
        (messages.CLANG, "x.hlsl:3:12: error: undeclared identifier 'foo'\n    return foo;\n",
         "x.hlsl:3:12: undeclared identifier 'foo'\n        return foo;\n               ^"),
        (messages.GLSLANG, "ERROR: x.hlsl:3: 'foo' : undeclared identifier \n",
         "x.hlsl:3:12: 'foo' : undeclared identifier\n        return foo;\n               ^~~"),
        (messages.GLSLANG, "ERROR: x.hlsl:3: 'return' : type does not match\n",
         "x.hlsl:3:5: 'return' : type does not match\n        return foo;\n        ^~~~~~"),
        (messages.GLSLANG, "ERROR: x.hlsl:3: 'oo' : unexpected\n",
         "x.hlsl:3:5: 'oo' : unexpected\n        return foo;\n        ^"),
        (messages.SHADERC, "x.hlsl:3: error: 'foo' : undeclared identifier\n",
         "x.hlsl:3:12: 'foo' : undeclared identifier\n        return foo;\n               ^~~"),
        (messages.FXC, "x.hlsl(3,12-14): error X3004: undeclared identifier 'foo'\n",
         "x.hlsl:3:12: undeclared identifier 'foo' (X3004)\n        return foo;\n"
         "               ^~"),
        (messages.VKD3D, "x.hlsl:3:12: E5005: Variable \"foo\" is not defined.\n",
         'x.hlsl:3:12: Variable "foo" is not defined. (E5005)\n        return foo;\n'
         "               ^"),
        (messages.NAGA, "error: no definition in scope for identifier: `foo`\n  ┌─ x.hlsl:3:12\n",
         "x.hlsl:3:12: no definition in scope for identifier: `foo`\n        return foo;\n"
         "               ^"),
        (messages.TINT, "x.hlsl:3:12 error: unresolved value 'foo'\n",
         "x.hlsl:3:12: unresolved value 'foo'\n        return foo;\n               ^"),
        (messages.SPIRV_AS, "error: 3: Invalid Opcode name 'OpFoo'\n",
         "x.hlsl:3:5: Invalid Opcode name 'OpFoo'\n        return foo;\n        ^"),
        (messages.SPIRV_AS, "error: 3: 12: Invalid Opcode name 'foo'\n",
         "x.hlsl:3:12: Invalid Opcode name 'foo'\n        return foo;\n               ^"),
    ],
)  # fmt: skip
def test_each_compiler(form: re.Pattern[str], text: str, expected: str) -> None:
    found = messages.compile_error("c", form, text, _job())
    assert str(found) == expected
    assert found.compiler == "c"


def test_all_errors_and_no_warnings() -> None:
    text = "x.hlsl:1:1: warning: w\nx.hlsl:1:2: error: a\nx.hlsl:2:1: fatal error: b\n"
    found = messages.compile_error("dxc", messages.CLANG, text, _job())
    assert [(each.line, each.column, each.problem) for each in found.errors] == [
        (1, 2, "a"),
        (2, 1, "b"),
    ]


def test_an_error_in_an_include_shows_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.hlsli").write_text("int x = ;\n")
    path = f"{tmp_path}/a.hlsli"
    job = _job(folders=(str(tmp_path),))
    found = messages.compile_error("dxc", messages.CLANG, f"{path}:1:9: error: expected\n", job)
    assert str(found) == f"{path}:1:9: expected\n    int x = ;\n            ^"


def test_text_without_a_known_form_is_kept() -> None:
    found = messages.compile_error("dxc", messages.CLANG, "Internal error 7\n", _job())
    assert str(found) == "x.hlsl:1:1: Internal error 7"
    found = messages.compile_error("dxc", messages.CLANG, "", _job(""))
    assert str(found) == "source.hlsl:1:1: the compiler failed without a message"
