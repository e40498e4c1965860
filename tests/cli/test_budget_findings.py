"""Budgets in JUnit XML and SARIF: a case for each shader, a result for each limit."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from tests.cli.terminal import unshade
from tests.examples import EXAMPLES
from unshade.cli.budget_findings import budget_rules

LIMITS = ("--max-instructions", "60", "--max-samples", "1")


def test_junit_has_a_case_for_each_shader() -> None:
    ended = unshade("check", "--format", "junit", *LIMITS, EXAMPLES / "phong.dxbc",
                    EXAMPLES / "mandel.dxbc", EXAMPLES / "pipelines.sodb")  # fmt: skip
    assert ended.code == 1
    [suite] = ElementTree.fromstring(ended.out)
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == (
        "unshade check", "3", "2",
    )  # fmt: skip
    phong, mandel, database = suite
    assert phong[0].get("type") == "budget.instructions"
    assert "expected at most 60 instructions, got 77" in (phong[0].text or "")
    assert "expected at most 1 samples, got 2" in (phong[0].text or "")
    assert not list(mandel)
    assert "skinning.dxbc: expected at most 60 instructions, got 348" in (database[0].text or "")


def test_sarif_has_a_result_for_each_limit(tmp_path: Path) -> None:
    out = tmp_path / "a.sarif"
    ended = unshade("check", "--format", "sarif", *LIMITS, EXAMPLES / "phong.dxbc", "-o", out)
    assert ended.code == 1
    [run] = json.loads(out.read_text())["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["budget.instructions", "budget.samples"]
    known = {each["id"] for each in run["tool"]["driver"]["rules"]}
    assert known == {each.code for each in budget_rules()}


def test_a_limit_that_cannot_be_checked_is_a_finding() -> None:
    file = EXAMPLES / "everything.vbc"
    ended = unshade("check", "--format", "junit", "--max-live-registers", "1", file)
    assert ended.code in (1, 4)
    assert "budget.live-registers" in ended.out
