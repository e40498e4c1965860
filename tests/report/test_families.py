"""Pages of every family in a browser: filled, accessible, and unmoved by what files contain."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.pdbs import pdb
from unshade import assemble
from unshade import open as open_shader
from unshade.report.page import page
from unshade.shader import Shader

from .browser import need_browser, open_browser, opened

EXAMPLES = Path(__file__).parents[2] / "examples"
MARKUP = "</script><!--<script>alert(1)</script>\u202e\u2028'\"&lt;<img src=x onerror=alert(1)>"
LONG = "n" * 60_000  # formats take less than 64 KiB
MODULE = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main"
OpExecutionMode %main OriginUpperLeft
OpName %main "NAME"
OpName %block "NAME"
OpMemberName %block 0 "NAME"
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %frame DescriptorSet 0
OpDecorate %frame Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%block = OpTypeStruct %float
%pointer = OpTypePointer Uniform %block
%frame = OpVariable %pointer Uniform
%main = OpFunction %void None %function
%label = OpLabel
OpReturn
OpFunctionEnd
"""


def replaced(data: Any, old: str, new: str) -> Any:
    """Return plain data with another text for each text `old`."""
    if isinstance(data, dict):
        return {key: replaced(value, old, new) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [replaced(each, old, new) for each in data]
    return new if data == old else data


def example(name: str) -> Callable[[], Shader]:
    return lambda: open_shader(EXAMPLES / name)


FAMILIES: dict[str, Callable[[], Shader]] = {
    "dxbc": example("phong.dxbc"),
    "dxil": example("saxpy6.dxil"),
    "spirv": example("clay.frag.spv"),
    "shbin": example("lit.shbin"),
    "sksl": example("plasma.skslb"),
    "vbc": example("everything.vbc"),
    "pdb": pdb,
}
NAMES = {  # a name that the file of a family contains
    "dxbc": "u_eye", "dxil": "P", "shbin": "lamp", "sksl": "size", "pdb": "main.hlsl",
}  # fmt: skip


def with_name(family: str, name: str) -> Shader:
    """Return a file of a family that contains a name."""
    if family == "spirv":
        return assemble(MODULE.replace("NAME", name.replace('"', '\\"')), "spirv")
    shader = FAMILIES[family]()
    data = shader.to_data()
    if family == "vbc":  # its modules have no names of their own
        code = data["frag"]["code"]
        at = next(at for at, line in enumerate(code) if line.startswith("OpDecorate"))
        quoted = name.replace('"', '\\"')
        code.insert(at, f'OpName %4 "{quoted}"')
        return type(shader).from_data(data)
    changed = replaced(data, NAMES[family], name)
    assert changed != data
    return type(shader).from_data(changed)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_page_is_filled_and_accessible(family: str, scheme: str, tmp_path: Path) -> None:
    need_browser()
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    file = tmp_path / "page.html"
    file.write_text(page(FAMILIES[family](), family), encoding="utf-8")
    with opened(file, color_scheme=scheme) as shown:
        for pane in ("tree", "hex"):
            assert shown.locator(f"#{pane} .row:visible").count() > 3
        if family != "pdb":  # a container of sources alone has no listing
            assert shown.locator("#listing .row:visible").count() > 3
        assert shown.locator("#values dd").count() > 3
        assert shown.locator("#overview details").count() > 0
        found = axe.Axe().run(shown).response["violations"]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        assert serious == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [MARKUP, LONG], ids=["markup", "long"])
@pytest.mark.parametrize("family", FAMILIES)
def test_names_run_nothing_and_move_nothing(family: str, name: str, tmp_path: Path) -> None:
    need_browser()
    if family == "sksl":
        name = name[:250]  # of at most 255 bytes
    file = tmp_path / "page.html"
    text = page(with_name(family, name), name)
    assert "\u202e" not in text
    file.write_text(text, encoding="utf-8")
    with opened(file, viewport={"width": 390, "height": 844}) as shown:
        assert shown.locator("img").count() == 0
        shown.fill("#search input", name[:20])
        assert shown.locator("#found li").count() > 0
        assert shown.evaluate("document.documentElement.scrollWidth") == 390
        assert shown.evaluate("document.getElementsByTagName('*').length") < 3000
        pane = shown.locator("#listing").bounding_box()
        assert (pane["width"], pane["height"] > 200) == (390, True)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_without_javascript_the_facts_are_there(family: str, tmp_path: Path) -> None:
    need_browser()
    shader = FAMILIES[family]()
    file = tmp_path / "page.html"
    file.write_text(page(shader, family), encoding="utf-8")
    with open_browser(file.as_uri(), java_script_enabled=False) as shown:
        text = shown.inner_text("main")
    assert shader.to_bytes()[:16].hex(" ") in text
    if family != "pdb":
        last = shader.disassemble().rstrip().rsplit("\n", 1)[-1]
        assert last.strip() in text
    assert "Parts" in text or "Program" in text
