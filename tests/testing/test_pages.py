"""Pages of failing tests: written for the thread that failed, linked, and in the folder alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.report.test_columns import read
from tests.testing.test_plugin import SAXPY, imported, place, run_pytest
from unshade import UsageError
from unshade.testing import pages

__all__ = ["imported", "place"]

pytest_plugins = ["pytester"]
WRONG = 'assert result["Y"] == approx_ulp(want)'
HOSTILE = [
    "../../x", "/etc/passwd", "a\\b", "", "..", "CON", "<script>", "\ud800", "é" * 400, "a/" * 400,
]  # fmt: skip


def written(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.html"))


def columns(page: Path) -> dict[str, Any]:
    """Return the values of a page, and its columns by name."""
    [packed] = re.findall(r'id="block">([^<]*)<', page.read_text("utf-8"))
    header, _ = read(packed)
    return {"columns": header["columns"], **header["values"]}


@pytest.mark.slow
def test_a_failure_has_a_page_that_is_linked(place: pytest.Pytester) -> None:
    place.makepyfile(SAXPY.format(check=WRONG))
    result = run_pytest(place, "--shader-report=pages", "--junitxml=junit.xml")
    result.assert_outcomes(failed=1)
    [page] = written(place.path / "pages")
    assert page.name.startswith("test_a_failure_has_a_page_that_is_linked.py-test_saxpy-")
    result.stdout.fnmatch_lines(
        [f"page: {page}", "*= shader pages =*", f"*::test_saxpy: pages/{page.name}"]
    )
    text = page.read_text("utf-8")
    assert "::test_saxpy: saxpy.dxbc</h1>" in text
    found = columns(page)
    assert found["traces"]["all"][0]["thread"] == "thread (170, 0, 0)"
    assert "count.lanes" not in found["columns"]
    root = ElementTree.parse(place.path / "junit.xml").getroot()
    [linked] = root.iter("property")
    assert (linked.get("name"), linked.get("value")) == ("shader-report", f"pages/{page.name}")


@pytest.mark.slow
def test_a_failure_without_a_thread_has_that_of_the_first_finding_or_the_first(
    place: pytest.Pytester,
) -> None:
    place.makepyfile("""
        def test_finding(shader):
            shader("saxpy.dxbc").dispatch(1, a=2.0, X=[1.0, 2.0], Y=[1.0] * 64)
            assert False

        def test_no_finding(shader):
            shader("saxpy.dxbc").dispatch(1, a=2.0, X=[1.0] * 64, Y=[1.0] * 64)
            assert False

        def test_no_call(shader):
            shader("mandel.dxbc")
            assert False

        def test_passes(shader):
            shader("saxpy.dxbc").dispatch(1, a=2.0, X=[1.0] * 64, Y=[1.0] * 64)
    """)
    result = run_pytest(place, "--shader-report=pages", "--shader-coverage=out.info")
    result.assert_outcomes(failed=3, passed=1)
    found = {each.name.split("-")[-2]: columns(each) for each in written(place.path / "pages")}
    assert {name: each["traces"]["all"][0]["thread"] for name, each in found.items()} == {
        "test_finding": "thread (2, 0, 0)",
        "test_no_finding": "thread (0, 0, 0)",
    }
    assert all("count.lanes" in each["columns"] for each in found.values())


@pytest.mark.slow
def test_pages_of_a_run_before_are_replaced_and_nothing_else(
    place: pytest.Pytester,
) -> None:
    place.makepyfile(SAXPY.format(check=WRONG))
    folder = place.path / "pages"
    run_pytest(place, "--shader-report=pages")
    [page] = written(folder)
    first = page.read_bytes()
    page.write_bytes(b"old" + first)
    run_pytest(place, "--shader-report=pages")
    assert page.read_bytes() == first
    page.write_text("mine")
    result = run_pytest(place, "--shader-report=pages")
    assert page.read_text() == "mine"
    result.stdout.fnmatch_lines(["*expected a page of an earlier run, got another file"])


@pytest.mark.slow
def test_processes_of_xdist_write_to_one_folder(place: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    place.makepyfile(SAXPY.format(check=WRONG), test_other=SAXPY.format(check=WRONG))
    place.plugins.clear()  # those of runs in this process
    result = place.runpytest_subprocess(
        "-p", "unshade.testing.plugin", "-pno:unshade", "-n2", "--shader-report=pages"
    )
    result.assert_outcomes(failed=2)
    assert len(written(place.path / "pages")) == 2
    result.stdout.fnmatch_lines(["*= shader pages =*", "*::test_saxpy: pages/*.html"])


def test_a_folder_that_cannot_be_made_is_one_error(place: pytest.Pytester) -> None:
    (place.path / "pages").write_text("a file")
    place.makepyfile(SAXPY.format(check=WRONG))
    result = run_pytest(place, "--shader-report=pages")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "--shader-report: " in result.stderr.str()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stays_in_the_folder(name: str, tmp_path: Path) -> None:
    found = pages.file_name(name, 0)
    assert re.fullmatch(r"[0-9A-Za-z_][0-9A-Za-z_.-]*-[0-9a-f]{12}\.html", found), found
    assert len(found) < 128
    assert pages.write(tmp_path, name, 0, "<p>").parent == tmp_path
    assert [each.name for each in tmp_path.iterdir()] == [found]


def test_the_last_80_characters_of_a_name_are_kept() -> None:
    for given, shown in (
        ("a" * 80, "a" * 80),
        ("x" + "a" * 80, "a" * 80),
        ("xyz" + "b" * 79, "z" + "b" * 79),
        ("test_a.py::test_b[1, 2]", "test_a.py-test_b-1-2"),
        ("..a..", "a"),
        ("::", "test"),
    ):
        assert re.fullmatch(rf"{re.escape(shown)}-[0-9a-f]{{12}}\.html", pages.file_name(given, 0))


def test_names_differ_by_test_and_kernel() -> None:
    names = [pages.file_name(test, at) for test in [*HOSTILE, "a-b", "a/b", "A/b"] for at in (0, 1)]
    assert len({each.lower() for each in names}) == len(names)


def test_what_is_no_page_is_kept(tmp_path: Path) -> None:
    path = pages.write(tmp_path, "a", 0, "<p>one")
    assert pages.write(tmp_path, "a", 0, "<p>two") == path
    assert path.read_bytes() == b"<p>two" + pages.MARK
    outside = tmp_path / "outside"
    path.unlink()
    path.symlink_to(outside)
    with pytest.raises(UsageError, match="expected a page of an earlier run"):
        pages.write(tmp_path, "a", 0, "<p>")
    assert not outside.exists()
    path.unlink()
    for make in (path.touch, path.mkdir):
        make()
        with pytest.raises(UsageError, match="got another file"):
            pages.write(tmp_path, "a", 0, "<p>")
        path.rmdir() if path.is_dir() else path.unlink()
