"""Which cases of a parametrised test the fast lane takes."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from tests.lanes import folder_lane, sample, size

pytest_plugins = ["pytester"]
OTHERS = [f"-pno:{name}" for name in ("unshade", "cacheprovider", "hypothesispytest", "xdist")]


def test_a_sample_is_the_root_of_a_table() -> None:
    assert [size(cases) for cases in (0, 1, 2, 4, 5, 24, 231)] == [0, 1, 2, 2, 3, 5, 16]


def test_a_sample_has_every_value_that_fits_in_it() -> None:
    cases = [{"a": a, "b": b} for a, b in product(range(5), range(4))]
    taken = [cases[at] for at in sample(cases, 5)]
    assert {case["a"] for case in taken} == set(range(5))
    assert {case["b"] for case in taken} == set(range(4))


@pytest.mark.parametrize("period", [2, 3, 4, 5, 7, 8, 10])
def test_a_sample_of_one_list_is_in_step_with_no_factor(period: int) -> None:
    cases = [{"row": row} for row in range(32 * period)]
    taken = sample(cases, size(len(cases)))
    assert taken[0] == 0
    assert max(b - a for a, b in pairwise(taken)) <= 4 * len(cases) // len(taken)
    assert len({at % period for at in taken}) >= min(period, len(taken)) // 2 + 1


def test_folders_have_lanes() -> None:
    assert folder_lane("tests/conformance/test_x.py::test_y[1]") == "conformance"
    assert folder_lane("tests/hostile/test_x.py::test_y") == "slow"
    assert folder_lane("tests/wire/test_conformance.py::test_y") is None


def test_every_function_keeps_a_case_unless_it_is_marked(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        from tests.conftest import pytest_collection_modifyitems
        from tests.lanes import CONFORMANCE, FAST, SLOW

        def pytest_collection_finish(session):
            for item in session.items:
                marks = {mark.name for mark in item.iter_markers()}
                print("lane", *marks & {CONFORMANCE, FAST, SLOW}, item.name)
        """
    )
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.parametrize("a", range(6))
        @pytest.mark.parametrize("b", range(4))
        def test_product(a, b): ...

        @pytest.mark.heavy
        @pytest.mark.parametrize("a", range(6))
        def test_heavy(a): ...

        @pytest.mark.parametrize("a", [pytest.param(1, marks=pytest.mark.slow), 2])
        def test_partly_slow(a): ...

        @pytest.mark.slow
        def test_slow(): ...

        @pytest.mark.conformance
        def test_conformance(): ...

        def test_one(): ...
        """
    )
    result = pytester.runpytest_inprocess(*OTHERS, "--collect-only", "-q", "-W", "ignore")
    lines = [line.split()[1:] for line in result.outlines if line.startswith("lane ")]
    assert len(lines) == 24 + 6 + 2 + 3
    assert all(len(line) == 2 for line in lines), "one lane each"
    fast = [name for lane, name in lines if lane == "fast"]
    functions = [name.partition("[")[0] for name in fast]
    assert functions == ["test_product"] * 5 + ["test_heavy", "test_partly_slow", "test_one"]
    assert "test_partly_slow[2]" in fast
    assert ["slow", "test_slow"] in lines
    assert ["conformance", "test_conformance"] in lines


def test_a_run_says_what_it_cost_and_which_fast_test_is_slow(
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
