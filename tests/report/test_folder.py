"""The index of a folder: rows that are sorted, filtered and linked."""

from html import unescape
from pathlib import Path

import pytest

from unshade import loads
from unshade import open as open_shader
from unshade.report.folder import FolderRow, folder_page

from .browser import need_browser, opened

EXAMPLES = Path(__file__).parents[2] / "examples"


def rows(count: int) -> list[FolderRow]:
    """Return rows whose sizes descend while their names ascend."""
    return [
        FolderRow(
            f"sub/skin{at}.dxbc", f"./sub/skin{at}.html", "dxcontainer", "pixel", "ps_5_0",
            size=10 * (count - at), instructions=at, resources=1, findings=at % 2,
        )
        for at in range(count)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gyroid.dxbc", ("dxcontainer", "pixel", "ps_5_0", "unshade", "retail", 4860, 146, 1)),
        ("lit.shbin", ("shbin", "vertex", "PICA200", "", "", 428, 18, 0)),
        ("everything.vbc", ("vbc", "vertex, pixel", "SPIR-V", "", "", 4974, 66, 16)),
    ],
)
def test_the_row_of_a_shader(name: str, expected: tuple[object, ...]) -> None:
    row = FolderRow.of(open_shader(EXAMPLES / name), name)
    found = (
        row.format, row.stage, row.target, row.compiler, row.digest, row.size, row.instructions,
        row.resources,
    )  # fmt: skip
    assert found == expected
    assert (row.findings, row.error) == (0, "")


def test_equal_files_have_equal_hashes() -> None:
    data = (EXAMPLES / "gyroid.dxbc").read_bytes()
    one, other = (FolderRow.of(loads(data), name) for name in ("a", "b"))
    assert one.hash == other.hash == "64fb1b29caee65d4"


def test_a_damaged_file_has_numbers_and_its_damage() -> None:
    data = (EXAMPLES / "gyroid.dxbc").read_bytes()[:300]
    row = FolderRow.of(loads(data, strict=False), "cut.dxbc", "./cut.html")
    assert row.size == 300
    assert "expected 316 bytes for RDEF, got 240" in row.error


def test_without_a_script_the_first_rows_are_links() -> None:
    failed = FolderRow("bad\u202e<b>", error="not a shader")
    text = folder_page([*rows(400), failed], "shaders <1>")
    assert text.count('<a href="./sub/skin') == 300
    assert "… 100 more" in text
    assert "<b>" not in text
    assert "\u202e" not in text
    assert "400 shaders, 802,000 bytes, 200 findings; 1 file could not be opened" in text
    assert "<title>shaders <1>" in unescape(text)


@pytest.mark.slow
def test_columns_sort_and_the_filter_selects(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "index.html"
    failed = FolderRow("zz.bin", error="not a shader")
    file.write_text(folder_page([*rows(10_000), failed], "shaders"), encoding="utf-8")
    assert file.stat().st_size < 60_000 + 40 * 10_000
    with opened(file) as shown:
        first = shown.locator("#table .row a").first
        assert first.inner_text() == "sub/skin0.dxbc"
        shown.click("#table button:has-text('Bytes')")
        assert first.inner_text() == "sub/skin0.dxbc", "the largest comes first"
        shown.click("#table button:has-text('Bytes')")
        assert first.inner_text() == "sub/skin9999.dxbc"
        assert shown.locator("#table [aria-sort=ascending]").inner_text() == "Bytes"
        assert shown.evaluate("document.getElementsByTagName('*').length") < 3000
        shown.keyboard.press("/")
        shown.keyboard.type("skin12 instructions<=121 findings>0")
        assert shown.locator("#table .row:visible a").all_inner_texts() == ["sub/skin121.dxbc"]
        shown.fill("#filter input", "")
        shown.click("#facets button:has-text('not opened')")
        assert shown.locator("#table .row:visible").all_inner_texts()[0].startswith("zz.bin")
        assert shown.locator("#table .row:visible .why").inner_text() == "not a shader"
        assert "q=size%3D-1&sort=size" in shown.url


@pytest.mark.slow
def test_the_keyboard_reaches_a_page(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "index.html"
    file.write_text(folder_page(rows(500), "shaders"), encoding="utf-8")
    with opened(file, "#q=skin42&sort=-instructions") as shown:
        shown.keyboard.press("/")
        shown.keyboard.press("ArrowDown")
        shown.keyboard.press("ArrowDown")
        chosen = shown.locator("#table .row.chosen a")
        assert chosen.inner_text() == "sub/skin428.dxbc"
        assert chosen.get_attribute("href") == "./sub/skin428.html"


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_no_serious_finding_of_accessibility(tmp_path: Path, width: int, scheme: str) -> None:
    need_browser()
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    file = tmp_path / "index.html"
    file.write_text(folder_page(rows(100), "shaders"), encoding="utf-8")
    view = {"width": width, "height": 800}
    with opened(file, viewport=view, color_scheme=scheme, bypass_csp=True) as shown:
        found = axe.Axe().run(shown).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
