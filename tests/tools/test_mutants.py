"""Faults of one token: what a run may take before it counts as noticed."""

import os
import sys
import time
from pathlib import Path

import pytest

from tools.mutants import ROOT, at_line, drawn, faults, modules_of, run_limited

BUSY = "import time\nwhile time.process_time() < {}: pass"


def _code(script: str, seconds: int) -> int:
    return run_limited([sys.executable, "-c", script], Path.cwd(), dict(os.environ), seconds)


@pytest.mark.slow
def test_a_run_ends_after_its_processor_time() -> None:
    assert _code(BUSY.format(5), seconds=1) != 0
    assert _code(BUSY.format(0.2), seconds=1) == 0


@pytest.mark.slow
def test_a_run_that_waits_longer_than_its_processor_time_goes_on() -> None:
    start = time.monotonic()
    assert _code("import time; time.sleep(1.5)", seconds=1) == 0
    assert time.monotonic() - start >= 1.5


@pytest.mark.slow
def test_the_code_of_a_run_is_its_own() -> None:
    assert _code("raise SystemExit(5)", seconds=1) == 5


@pytest.mark.slow
def test_a_seed_draws_the_same_faults_on_different_lines() -> None:
    faults = drawn(3, 6, "wire")
    assert faults == drawn(3, 6, "wire") != drawn(4, 6, "wire")
    assert len({(each.path, each.line) for each in faults}) == 6
    for each in faults:
        before = each.path.read_text(encoding="utf-8").splitlines()
        after = each.applied().splitlines()
        changed = [
            at for at, pair in enumerate(zip(before, after, strict=True), 1) if len({*pair}) > 1
        ]
        assert changed == [each.line]
        assert before[each.line - 1][each.column :].startswith(each.old)
        assert after[each.line - 1][each.column :].startswith(each.new)
        assert str(each).startswith(each.path.relative_to(ROOT).as_posix())


@pytest.mark.slow
def test_a_module_is_tested_by_its_own_tests_first() -> None:
    path = ROOT / "src" / "unshade" / "wire" / "placement.py"
    line = next(line for line in sorted(faults(path)) if at_line(f"wire/placement.py:{line}"))
    (fault, *_) = at_line(f"wire/placement.py:{line}")
    names = modules_of(ROOT, fault)
    assert names[0].startswith("tests/wire/test_placement")
    assert sorted(names) == sorted({*names})
    assert {*names} == {
        each.relative_to(ROOT).as_posix() for each in (ROOT / "tests" / "wire").rglob("test_*.py")
    }
