"""The choice of tests, and of cases of a parametrised test, for each lane."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise, product
from pathlib import Path

import pytest

from tests import sampling
from tests.conftest import pytest_ignore_collect
from tests.corpus import REPOSITORY
from tests.lanes import chosen, folder_mark, sample, size

pytest_plugins = ["pytester"]
OTHERS = [f"-pno:{name}" for name in ("unshade", "cacheprovider", "hypothesispytest", "xdist")]


def test_sample_size_grows_with_the_square_root() -> None:
    assert [size(cases) for cases in (0, 1, 2, 4, 5, 24, 231)] == [0, 1, 1, 1, 2, 3, 8]


def test_a_sample_covers_as_many_values_as_possible() -> None:
    cases = [{"a": a, "b": b} for a, b in product(range(5), range(4))]
    taken = [cases[at] for at in sample(cases, 5)]
    assert {case["a"] for case in taken} == set(range(5))
    assert {case["b"] for case in taken} == set(range(4))


@pytest.mark.parametrize("period", [2, 3, 4, 5, 7, 8, 10])
def test_a_sample_of_one_list_is_not_periodic(period: int) -> None:
    cases = [{"row": row} for row in range(32 * period)]
    taken = sample(cases, size(len(cases)))
    assert taken[0] == 0
    assert max(b - a for a, b in pairwise(taken)) <= 4 * len(cases) // len(taken)
    assert len({at % period for at in taken}) >= min(period, len(taken)) // 2 + 1


def test_folders_have_marks() -> None:
    assert folder_mark("tests/conformance/test_x.py") == "conformance"
    assert folder_mark("tests/hostile/test_x.py") == "slow"
    assert folder_mark("tests/programs/other/lower/test_x.py") == "heavy"
    assert folder_mark("tests/wire/test_conformance.py") is None
    assert folder_mark("tests/test_run.py") is None


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Tests of every kind, which tell their lanes when they are collected."""
    monkeypatch.setattr(sampling, "_sampled", False)  # a sampled run would take some of them
    pytester.makeconftest(
        """
        from tests.conftest import pytest_make_collect_report
        from tests.lanes import LANES

        def pytest_collection_finish(session):
            for item in session.items:
                marks = {mark.name for mark in item.iter_markers()}
                print("lane", *marks & {*LANES}, item.name)
        """
    )
    folder = pytester.mkdir("run")
    folder.joinpath("test_heavy.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('a', range(3))\n"
        "def test_0(a): ...\n"
        + "".join(f"def test_{number}(): ...\n" for number in range(1, 9))
        + "@pytest.mark.fast\n"
        "def test_always(): ...\n"
    )
    pytester.makepyfile(
        """
        import subprocess
        from functools import cache

        import pytest

        @pytest.mark.parametrize("a", range(6))
        @pytest.mark.parametrize("b", range(4))
        def test_product(a, b): ...

        @pytest.mark.heavy
        @pytest.mark.parametrize("a", range(60))
        def test_heavy(a): ...

        @pytest.mark.parametrize("a", [pytest.param(1, marks=pytest.mark.slow), 2])
        def test_partly_slow(a): ...

        @pytest.mark.slow
        def test_slow(): ...

        @pytest.mark.conformance
        def test_conformance(): ...

        def test_one(): ...

        def run():
            subprocess.run(["python"])

        def test_process():
            run()

        @cache
        def device():
            import wgpu

        def test_driver():
            device()

        @pytest.mark.fast
        def test_fast_process():
            subprocess.run(["python"])
        """
    )
    return pytester


def lanes(suite: pytest.Pytester, *line: str) -> list[list[str]]:
    """Return lane and name of each test that is collected."""
    result = suite.runpytest_inprocess(*OTHERS, "--collect-only", "-q", "-W", "ignore", *line)
    return [line.split()[1:] for line in result.outlines if line.startswith("lane ")]


@pytest.mark.heavy
def test_a_test_has_one_lane(suite: pytest.Pytester) -> None:
    every = lanes(suite)
    assert len(every) == 12 + 24 + 60 + 2 + 6
    assert all(len(line) == 2 for line in every)
    fast = [name for lane, name in every if lane == "fast"]
    assert fast == [
        *("test_0[0]", "test_5", "test_always"),
        *(name for name in fast if name.startswith("test_product")),
        *("test_heavy[0]", "test_partly_slow[2]", "test_one", "test_fast_process"),
    ]
    assert len(fast) == 3 + 3 + 4
    assert ["conformance", "test_conformance"] in every
    assert ["slow", "test_process"] in every
    assert ["slow", "test_driver"] in every


@pytest.mark.heavy
@pytest.mark.parametrize("lane", ["fast", "slow"])
def test_lanes_select_by_mark(suite: pytest.Pytester, lane: str) -> None:
    """The fast lane does not even carry the others along."""
    assert lanes(suite, "-m", lane) == [line for line in lanes(suite) if line[0] == lane]


@pytest.mark.heavy
def test_a_test_of_another_lane_can_be_named(suite: pytest.Pytester) -> None:
    result = suite.runpytest_inprocess(
        *OTHERS, "-W", "ignore", "-m", "fast", "run/test_heavy.py::test_1"
    )
    result.assert_outcomes(deselected=1)


@pytest.mark.parametrize("mark", ["@pytest.mark.fast", "pytestmark = pytest.mark.fast"])
def test_a_marked_test_of_a_module_without_chosen_ones_is_collected(
    mark: str, tmp_path: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.conftest.is_fast", lambda _: True)
    monkeypatch.setattr("tests.conftest.module_of", str)
    monkeypatch.setattr("tests.conftest.chosen_functions", lambda _: frozenset())
    module = tmp_path / "test_x.py"
    for text, ignored in ((f"import pytest\n{mark}\n", None), ("import pytest\n", True)):
        module.write_text(text + "def test_one(): ...\n", encoding="utf-8")
        assert pytest_ignore_collect(module, pytestconfig) is ignored


@pytest.mark.heavy
def test_a_run_reports_its_cost_and_slow_fast_tests(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.conftest.LONG", 0.0)
    pytester.makeconftest(
        """
        from tests.conftest import *

        del pytest_configure  # which would decide for the outer run, too, what is sampled
        """
    )
    pytester.makepyfile("def test_one(): ...\ndef test_two(): ...")
    result = pytester.runpytest_inprocess(*OTHERS, "-q", "-m", "fast", "-W", "ignore")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "*::test_one takes 0.0 s: a test for the slow lane?",
            "2 tests took * s of processor time*",
        ]
    )


def test_the_chosen_tests_exist() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    found = subprocess.run(
        [*command, *chosen()], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert not found.returncode, found.stdout[-2000:] + found.stderr[-2000:]
    known = {*found.stdout.splitlines()}
    listed = {f"{module}::{name}" for module, names in chosen().items() for name in names}
    assert listed
    assert listed - known == set(), "run tools/fast_lane.py --record"
