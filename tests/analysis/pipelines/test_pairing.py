"""Pipelines of many files: rules of names, and descriptions in JSON."""

from __future__ import annotations

from typing import Any

import pytest

from unshade.analysis.pipelines.pairing import (
    DescribedPipeline,
    DescribedStage,
    described_pipelines,
    pair_rule,
)
from unshade.errors import UsageError

FILES = [
    "vs/a.cso", "vs/b.cso", "vs/full.cso", "vs/deep/c.cso", "ps/a.cso", "ps/b.cso", "ps/x.cso",
    "gs/a.cso", "one/m.vert.spv", "one/m.frag.spv", "two/m.vert.spv", "two/m.frag.spv",
    "m.vert.spv",
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "made", "alone"),
    [
        (
            "vs/*.cso=ps/*.cso",
            [["vs/a.cso", "ps/a.cso"], ["vs/b.cso", "ps/b.cso"]],
            ["vs/full.cso", "ps/x.cso"],
        ),
        (
            "vs/full.cso=ps/*.cso",
            [["vs/full.cso", f"ps/{name}.cso"] for name in "abx"],
            [],
        ),
        ("vs/*.cso=gs/*.cso=ps/*.cso", [["vs/a.cso", "gs/a.cso", "ps/a.cso"]],
         ["vs/b.cso", "ps/b.cso", "vs/full.cso", "ps/x.cso"]),
        (
            "**/*.vert.spv=**/*.frag.spv",
            [["one/m.vert.spv", "one/m.frag.spv"], ["two/m.vert.spv", "two/m.frag.spv"]],
            ["m.vert.spv"],
        ),
        ("vs/?.cso=ps/?.cso", [["vs/a.cso", "ps/a.cso"], ["vs/b.cso", "ps/b.cso"]], ["ps/x.cso"]),
        ("vs/a.cso=ps/x.cso", [["vs/a.cso", "ps/x.cso"]], []),
        ("vs/missing.cso=ps/*.cso", [], ["ps/a.cso", "ps/b.cso", "ps/x.cso"]),
    ],
)  # fmt: skip
def test_files_whose_wildcards_stand_for_the_same(
    rule: str, made: list[list[str]], alone: list[str]
) -> None:
    found = pair_rule(rule)
    assert found.pipelines([FILES] * len(found.globs)) == (made, alone)


def test_a_rule_of_one_glob_is_a_pipeline_of_each_file() -> None:
    found = pair_rule("vs/*.cso")
    files = ["vs/a.cso", "vs/b.cso", "ps/a.cso"]
    assert found.pipelines([files]) == ([["vs/a.cso"], ["vs/b.cso"]], [])
    assert pair_rule("vs/a.cso").pipelines([files]) == ([["vs/a.cso"]], [])


def test_the_folders_that_are_searched() -> None:
    assert pair_rule("vs/a/*.cso=ps/*/b.cso=*.cso=/x/**/y").folders == ["vs/a", "ps", "", "/x"]


@pytest.mark.parametrize("rule", ["=ps/*.cso", "vs/*.cso=", "vs/*/*.cso=ps/*.cso", ""])
def test_texts_that_are_no_rules(rule: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        pair_rule(rule)


def test_described_pipelines() -> None:
    assert described_pipelines(
        {
            "pipelines": [
                {"name": "water", "stages": ["vs.cso", {"file": "a.spv", "entry": "ps"}]},
                {"stages": ["cs.cso"], "state": {"limits": {}}},
            ],
            "root_signature": "main.rootsig",
            "state": "state.json",
        }
    ) == [
        DescribedPipeline(
            "water", [DescribedStage("vs.cso"), DescribedStage("a.spv", "ps")], "main.rootsig",
            None, "state.json",
        ),
        DescribedPipeline("", [DescribedStage("cs.cso")], "main.rootsig", None, {"limits": {}}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "pipelines: expected the key 'pipelines'"),
        ({"pipelines": [{}]}, r"pipelines.pipelines\[0\].stages: expected the files"),
        ({"pipelines": [{"stages": [{}]}]}, r"stages\[0\]: expected the key 'file'"),
        ({"pipelines": [], "roots": ""}, "pipelines: unknown key 'roots'"),
        ({"pipelines": [], "layout": 3}, "pipelines.layout: expected a string, got 3"),
    ],
)
def test_data_that_describes_no_pipelines(data: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        described_pipelines(data)
