"""Budgets: metrics, precedence, and errors in a budgets file."""

from __future__ import annotations

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.analysis.budgets import Budget, Measured, check, read
from unshade.analysis.metrics import COST_METRICS, METRICS, MeasuredEntry
from unshade.errors import UsageError
from unshade.model import Statistics

PHONG = unshade.open(EXAMPLES / "phong.dxbc")
REVERSE = unshade.open(EXAMPLES / "reverse.shbin")
EVERY = Budget(dict.fromkeys(METRICS, 100))


def test_metrics_equal_the_reflection() -> None:
    [row] = check(PHONG, "phong.dxbc", [EVERY])
    found = PHONG.reflect()
    assert (row.entry, row.stage) == (None, "pixel")
    values = {each.metric: each.value for each in row.measured}
    assert found.statistics is not None
    assert values == {
        **{
            name.replace("_", "-"): getattr(found.statistics, name)
            for name in Statistics.FIELDS
            if name not in ("computed", "temp_registers")
        },
        "bytes": len(PHONG.to_bytes()),
        "temps": 6,
        "samples": 2,
        "inputs": 3,
        "outputs": 2,
        "constant-bytes": 160,
        "shared-bytes": 0,
        **{name: METRICS[name].of(MeasuredEntry(found, count=lambda: unshade.cost(PHONG)))
           for name in COST_METRICS},
    }  # fmt: skip
    assert [each.metric for each in row.over] == ["bytes", "constant-bytes"]


def test_costs_are_counted_only_if_they_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("counted")

    monkeypatch.setattr("unshade.analysis.cost.cost", refuse)
    [row] = check(PHONG, "phong.dxbc", [Budget(dict.fromkeys(set(METRICS) - set(COST_METRICS), 1))])
    assert len(row.measured) == len(METRICS) - len(COST_METRICS)
    with pytest.raises(AssertionError, match="counted"):
        check(PHONG, "phong.dxbc", [Budget({"live-registers": 1})])


def test_shaders_of_a_database_are_measured_by_name() -> None:
    file = unshade.open(EXAMPLES / "pipelines.sodb")
    rows = check(file, "game.sodb", [Budget({"instructions": 40})])
    assert {row.entry: bool(row.over) for row in rows} == {
        "saxpy.dxbc": False, "skinning.dxbc": True, "phong.dxbc": True,
        "saxpy6.dxil.dxbc": False,
    }  # fmt: skip
    rows = check(file, "game.sodb", [Budget({"instructions": 40}, files=["game.sodb/phong*"])])
    assert [row.entry for row in rows] == ["phong.dxbc"]


def test_a_budget_of_a_family() -> None:
    [budget] = read("[[budget]]\nformat = ['shbin', 'spirv']\nmax-instructions = 1\n")
    assert budget.formats == ["shbin", "spirv"]
    assert check(PHONG, "phong.dxbc", [budget]) == []
    assert all(row.over for row in check(REVERSE, "reverse.shbin", [budget]))
    with pytest.raises(
        UsageError, match=r"budget\[0\]: unknown format 'shbim'; did you mean shbin"
    ):
        read("[[budget]]\nformat = 'shbim'\nmax-instructions = 1\n")


def test_entry_points_are_measured_separately() -> None:
    budget = Budget({"instructions": 20, "bytes": 400})
    rows = check(REVERSE, "x.shbin", [budget])
    assert [(row.entry, row.stage, row.measured) for row in rows] == [
        (None, None, [Measured("bytes", 400, 448)]),
        ("main", "vertex", [Measured("instructions", 20, 7)]),
        ("main1", "geometry", [Measured("instructions", 20, 25)]),
    ]
    assert [bool(row.over) for row in rows] == [True, False, True]
    [row] = check(REVERSE, "x.shbin", [budget._replace(stages=["vertex"])])
    assert row.entry == "main"


def test_later_budgets_override_earlier_ones() -> None:
    budgets = [
        Budget({"instructions": 1, "temps": 2}),
        Budget({"instructions": 99}, files=["*.dxbc"], stages=["pixel"]),
        Budget({"temps": 3}, stages=["vertex"]),
        Budget({"temps": 4}, files=["other/**"]),
    ]
    [row] = check(PHONG, "a/phong.dxbc", budgets)
    assert {each.metric: each.limit for each in row.measured} == {"instructions": 99, "temps": 2}
    assert check(PHONG, "a/phong.dxbc", budgets[2:]) == []


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("phong.dxbc", "phong.dxbc", True),
        ("phong.dxbc", "/build/ui/phong.dxbc", True),
        ("phong.dxbc", "phong.dxbc/other", False),
        ("*.dxbc", "a/b.dxbc", True),
        ("*.dxbc", "a/b.cso", False),
        ("ui/*.dxbc", "build/ui/a.dxbc", True),
        ("ui/*.dxbc", "build/ui/deep/a.dxbc", False),
        ("ui/*.dxbc", "gui/a.dxbc", False),
        ("ui/**", "build/ui/deep/a.dxbc", True),
        ("ui/**", "build/ui", False),
        ("ui/**/a.dxbc", "ui/a.dxbc", True),
        ("ui/**/a.dxbc", "ui/b/c/a.dxbc", True),
        ("ui/**/a.dxbc", "b/c/a.dxbc", False),
        ("**", "a", True),
        ("/build/*", "/build/a", True),
        ("/build/*", "/x/build/a", False),
        ("[ab].dxbc", "b.dxbc", True),
        ("ui/*", "build\\ui\\a.dxbc", True),
    ],
)
def test_globs_match_from_the_right(glob: str, path: str, matches: bool) -> None:
    assert Budget({}, files=[glob]).matches(path) == matches
    assert Budget({}, files=["nothing", glob]).matches(path) == matches


def test_budgets_file() -> None:
    assert read(
        """
        [[budget]]
        max-instructions = 500
        [[budget]]
        files = ["ui/**", "hud.dxbc"]
        stage = "pixel"
        max-samples = 2
        max-constant-bytes = 0
        """
    ) == [
        Budget({"instructions": 500}, [], [], []),
        Budget({"samples": 2, "constant-bytes": 0}, ["ui/**", "hud.dxbc"], ["pixel"], []),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[budget]", "invalid TOML: "),
        ("", r"expected \[\[budget\]\] tables"),
        ("[budget]\nmax-bytes = 1", r"expected \[\[budget\]\] tables"),
        ("[[budgets]]", "unknown table 'budgets'; did you mean budget?"),
        ("[[budget]]", r"budget\[0\]: expected a limit such as max-instructions"),
        (
            "[[budget]]\nmax-byte = 1",
            r"budget\[0\]: unknown key 'max-byte'; did you mean max-bytes?",
        ),
        ("[[budget]]\nmax-bytes = -1", r"max-bytes: expected an integer of at least 0, got -1"),
        ("[[budget]]\nmax-bytes = true", "expected an integer of at least 0, got True"),
        ("[[budget]]\nmax-bytes = '1'", "expected an integer of at least 0, got '1'"),
        ("[[budget]]\nmax-bytes = 1\nfiles = [1]", r"budget\[0\].files: expected a string or"),
        ("[[budget]]\nmax-bytes = 1\nstage = 'pixl'", "'pixl'; did you mean pixel?"),
    ],
)
def test_errors_in_a_budgets_file(text: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        read(text)


def test_registers_of_dxil_are_unknown_rather_than_few() -> None:
    shader = unshade.open(EXAMPLES / "saxpy6.dxil")
    [row] = check(shader, "saxpy6.dxil", [Budget({"temps": 1, "texture-loads": 1})])
    assert [(each.metric, each.value, each.over) for each in row.measured] == [
        ("temps", None, False),
        ("texture-loads", 2, True),
    ]
