"""The site of the documentation builds without a warning, works without a network, and is usable.

Each page has all links and anchors that it names, loads nothing from elsewhere, is not wider than
its window, and has no finding of axe of the weights serious and critical.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus import REPOSITORY
from tests.once import once
from tests.report.browser import need_browser, open_browser
from tests.sampling import products
from tools.site import accessible, links, navigation, staging, versions

SAMPLE = (
    "index.html", "all.html", "made/gallery.html", "api/diff.html", "api/index.html",
    "how-to/run.html", "formats/vbc.html", "cli.html", "search.html", "project/readme.html",
)  # fmt: skip
LOOKS = ((390, "light"), (820, "dark"), (1440, "light"), (1440, "dark"))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(name, reason="not installed: pip install -e '.[docs]'")
    return once(tmp_path_factory, "site", build_site)


def build_site(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.site", "-o", str(folder)],
        cwd=REPOSITORY, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_signatures_link_to_types(site: Path) -> None:
    text = (site / "api/diff.html").read_text("utf-8")
    assert 'href="files.html#Shader" title="Shader"' in text


@pytest.mark.slow
def test_pages_in_a_browser(site: Path) -> None:
    need_browser()
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="not installed: pip install -e '.[browser]'"
    )
    wrong: list[str] = []
    with open_browser("about:blank", reduced_motion="reduce") as page:
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "request",
            lambda request: (
                wrong.append(request.url)
                if not request.url.startswith(("file:", "data:"))
                else None
            ),
        )
        for name, (width, scheme) in products(SAMPLE, LOOKS):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            page.goto((site / name).as_uri())
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wrong.append(f"{name}: wider than {width}")
            for found in axe.Axe().run(page).response["violations"]:
                if found["impact"] in ("serious", "critical"):
                    html = found["nodes"][0]["html"][:200]
                    wrong.append(f"{name}, {width}, {scheme}: {found['id']}: {html}")
    assert wrong == []


@pytest.mark.slow
def test_search_without_a_network(site: Path) -> None:
    need_browser()
    with open_browser((site / "search.html").as_uri() + "?q=put_back") as page:
        page.wait_for_selector("#search-results li a", timeout=20_000)
        assert "unshade.put_back" in page.inner_text("#search-results")


@pytest.mark.slow
def test_versions_of_the_site(site: Path, tmp_path: Path) -> None:
    """A reader of an old version gets to the same page of the new one, without a script."""
    need_browser()
    for name in ("0.1.0", "0.2.0"):
        shutil.copytree(site, tmp_path / name)
    (tmp_path / "0.2.0" / "how-to" / "cost.html").unlink()
    versions.connect(tmp_path)
    address = (tmp_path / "0.1.0" / "how-to" / "run.html").as_uri()
    with open_browser(address, java_script_enabled=False) as page:
        page.click(".versions summary")
        assert page.inner_text(".versions summary") == "Version 0.1.0, newest 0.2.0"
        page.click(".versions a")
        assert page.url == (tmp_path / "0.2.0" / "how-to" / "run.html").as_uri()
        assert page.text_content(".versions summary") == "Version 0.2.0"
        page.goto((tmp_path / "0.1.0" / "how-to" / "cost.html").as_uri())
        assert page.get_attribute(".versions a", "href") == "../../0.2.0/index.html"
        page.goto((tmp_path / "index.html").as_uri())
        page.wait_for_url((tmp_path / "0.2.0" / "index.html").as_uri())


def test_a_version_is_added(tmp_path: Path) -> None:
    place = "<p><!-- versions --><!-- /versions --></p>"
    for name in ("1.9.0", "1.10.0rc1", "1.10.0", "dev"):
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "objects.inv").touch()
        (tmp_path / name / "index.html").write_text(place)
    (tmp_path / "1.9.0" / "deep" / "a.html").write_text(place)
    assert versions.found(tmp_path) == ["1.10.0", "1.10.0rc1", "1.9.0", "dev"]
    versions.connect(tmp_path)
    first = {path: path.read_text() for path in tmp_path.rglob("*.html")}
    versions.connect(tmp_path)
    assert {path: path.read_text() for path in tmp_path.rglob("*.html")} == first
    assert links.broken(tmp_path) == []
    page = first[tmp_path / "1.9.0" / "deep" / "a.html"]
    assert "<summary>Version 1.9.0, newest 1.10.0</summary>" in page
    assert re.findall(r'href="(.*?)"', page) == [
        "../../1.10.0/index.html", "../../1.10.0rc1/index.html", "../../dev/index.html",
    ]  # fmt: skip
    assert 'url=1.10.0/index.html"' in first[tmp_path / "index.html"]


def test_every_page_has_its_place_in_the_sidebar() -> None:
    listed = [page for section in navigation.SECTIONS for page in section.pages]
    assert len(listed) == len(set(listed))
    made = {place.removesuffix(".md") for place in staging.pages().values()}
    beside = {page for page in made if page.startswith("api/") and page != "api/index"}
    assert set(listed) == (made - beside) | {"made/gallery"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[a](../cli.md#run)", "[a](../cli.md#run)"),
        ("[a](../index.md)", "[a](../all.md)"),
        ("[a](../../README.md)", "[a](../project/readme.md)"),
        ("[a](../../examples/phong.hlsl)", "[a](../files/examples/phong.hlsl)"),
        ("[`a[0]`](../../src/unshade/api.py)", "`a[0]`"),
        ("[a](https://example.org/a)", "[a](https://example.org/a)"),
        ("[a](#here)", "[a](#here)"),
        ("```py\n[a](../index.md)\n```\n", "```py\n[a](../index.md)\n```\n"),
        ("![a](../images/gyroid.png)", "![a](../images/gyroid.png)"),
    ],
)
def test_links(before: str, after: str) -> None:
    wanted: set[str] = set()
    assert staging.relinked(before, "docs/how-to/run.md", staging.pages(), "", wanted) == after


def test_links_into_a_repository() -> None:
    text = "[api](../../src/unshade/api.py)"
    made = staging.relinked(text, "docs/how-to/run.md", staging.pages(), "https://a/b/", set())
    assert made == "[api](https://a/b/src/unshade/api.py)"


def test_signatures_become_directives() -> None:
    text = (
        "## Shader\n\nA shader.\n\n"
        "### Shader.of\n\n```py\n@classmethod\nof(\n    a: int,\n) -> Shader\n```\n"
    )
    assert staging.with_directives(text) == (
        "## Shader\n\n```{py:class} Shader\n```\n\nA shader.\n\n"
        "### Shader.of\n\n```{py:method} Shader.of(a: int) -> Shader\n:classmethod:\n```\n"
    )


def test_what_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="#here">1</a><a href="b.html#there">2</a><a href="c.html">3</a>'
        '<img src="https://example.org/a.png"><a href="https://example.org/">4</a></p>'
    )
    (tmp_path / "b.html").write_text("<p id='elsewhere'></p>")
    assert links.broken(tmp_path) == [
        "a.html: loads https://example.org/a.png",
        "a.html: b.html#there: no such anchor",
        "a.html: c.html leads nowhere",
    ]


def test_signatures_are_no_lists() -> None:
    text = '<dt class="sig x"><dl><dd>a</dd></dl></dt><dl><dd>b</dd></dl>'
    assert accessible.corrected(text) == (
        '<dt class="sig x"><span class="sig-lines"><span class="sig-line">a</span></span></dt>'
        "<dl><dd>b</dd></dl>"
    )
