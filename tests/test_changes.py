"""The fast lane goes on with tests of the sources that differ from the last commit."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from tests import changes
from tests.changes import SOURCES, TESTS, changed_sources, mirror
from tests.lanes import sample, size

pytest_plugins = ["pytester"]
OTHERS = [f"-pno:{name}" for name in ("unshade", "cacheprovider", "hypothesispytest", "xdist")]


def test_the_deepest_folder_of_tests_mirrors_a_folder() -> None:
    assert mirror(SOURCES / "ir" / "simplify") == TESTS / "ir" / "simplify"
    assert mirror(SOURCES / "programs" / "tpf" / "nowhere") == TESTS / "programs" / "tpf"
    assert mirror(SOURCES) == TESTS


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_modules_that_differ_from_the_commit_are_changed(tmp_path: Path) -> None:
    assert not changed_sources(tmp_path)  # no repository
    folder = tmp_path / "src" / "unshade"
    folder.mkdir(parents=True)
    for name in ("kept.py", "changed.py", "removed.py"):
        (folder / name).write_text("1\n", encoding="utf-8")
    named = "-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false"
    for command in (["init", "-q"], ["add", "-A"], [*named, "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    assert not changed_sources(tmp_path)
    (folder / "changed.py").write_text("2\n", encoding="utf-8")
    (folder / "removed.py").unlink()
    (folder / "ä new.py").write_text("3\n", encoding="utf-8")
    (folder / "notes.txt").write_text("4\n", encoding="utf-8")
    names = {"changed.py", "removed.py", "ä new.py"}
    assert changed_sources(tmp_path) == {folder / name for name in names}


def test_without_git_nothing_is_changed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not changed_sources(tmp_path)


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """Two modules of six tests, of which a sample is taken, beside a source that has changed."""
    pytester.makeconftest(
        """
        from tests import changes
        from tests.conftest import *
        from tests.conftest import pytest_make_collect_report
        from pathlib import Path

        HERE = Path(__file__).parent
        changes.mirror = lambda folder: folder

        def pytest_configure(config):
            config.stash[changes.CHANGED] = frozenset([HERE / "b.py"])
        """
    )
    pytester.makepyfile(
        **dict.fromkeys(
            ("test_a", "test_b"),
            dedent(
                """
                import pytest

                @pytest.mark.parametrize("x", range(5))
                def test_x(x): ...

                def test_y(): ...

                @pytest.mark.slow
                def test_slow(): ...
                """
            ),
        )
    )
    return pytester


def ran(suite: pytest.Pytester) -> list[str]:
    """Return the tests that ran, in their order."""
    result = suite.runpytest_inprocess(*OTHERS, "-v", "-m", "fast", "-W", "ignore")
    return [line.split()[0] for line in result.outlines if " PASSED" in line]


@pytest.mark.heavy
def test_tests_of_a_change_run_last_the_changed_module_first(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "mirror", mirror)  # the suite replaces it
    monkeypatch.setattr(changes, "LANE", 1e9)
    names = ran(suite)
    assert len(names) == len(set(names)) == 12
    chosen = len(sample([{"x": x} for x in range(5)], size(5))) + 1
    assert [name.partition("::")[0] for name in names] == [
        *["test_a.py"] * chosen,
        *["test_b.py"] * chosen,
        *["test_b.py"] * (6 - chosen),
        *["test_a.py"] * (6 - chosen),
    ]


@pytest.mark.heavy
def test_no_test_of_a_change_begins_when_the_time_is_over(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "mirror", mirror)
    monkeypatch.setattr(changes, "LANE", 0.0)
    monkeypatch.setattr(changes, "LEAST", 0.0)
    result = suite.runpytest_inprocess(*OTHERS, "-m", "fast", "-W", "ignore")
    result.stdout.fnmatch_lines(["no time was left for 6 tests of changed sources"])
    result.assert_outcomes(passed=6, deselected=2)
