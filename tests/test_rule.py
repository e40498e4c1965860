"""Rules: tables of them, and the findings that are collected."""

from __future__ import annotations

import re

import pytest

from unshade.errors import Severity
from unshade.formats import own
from unshade.rule import AT_MOST, Findings, Rule, is_finding, table

FIRST = Rule("toy.first", Severity.ERROR, "what was found", "Why it matters.")
SECOND = Rule("toy.second", Severity.NOTE, "another thing", "Why it matters.")


def test_rules_of_every_format_are_explained() -> None:
    for each in own():
        for code, rule in each.shader().rules().items():
            assert rule.code == code
            assert re.fullmatch(r"[a-z0-9]+(\.[a-z0-9]+(-[a-z0-9]+)*)", code)
            assert rule.summary, code
            assert not rule.summary.endswith("."), code
            assert rule.explanation.endswith("."), code


def test_codes_are_unique() -> None:
    assert list(table((FIRST, SECOND))) == ["toy.first", "toy.second"]
    with pytest.raises(ValueError):
        table((FIRST, FIRST))


def test_findings_are_sorted_by_offset_and_counted() -> None:
    findings = Findings(table((FIRST, SECOND)))
    findings.add("toy.second")
    for at in range(AT_MOST + 3, 0, -1):
        findings.add("toy.first", f"at {at}", offset=at, path=f"words[{at}]")
    found = findings.diagnostics()
    assert len(found) == AT_MOST + 1
    assert found[0].message == f"at 4 (and {3} more)"
    assert found[-1].message == "another thing"
    assert [is_finding(each) for each in (found[0], found[-1])] == [True, False]
    assert findings.diagnostics() == found
