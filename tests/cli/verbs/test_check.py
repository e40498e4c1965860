"""`unshade check`: the table, JSON, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unshade as unshade_api
from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.cli.test_shbin import REVERSE
from tests.examples import EXAMPLES
from tests.fixtures import one_of_each, pdbs
from unshade.analysis.metrics import METRICS, Metric

MATMUL = EXAMPLES / "matmul.dxbc"


def test_one_file_shows_every_limit() -> None:
    ended = unshade("check", PHONG, "--max-instructions", "80", "--max-samples", "2")
    assert ended == (
        0,
        (
            f"{'shader':{len(str(PHONG))}}  stage  instructions  samples\n"
            f"{PHONG}  pixel      77 of 80   2 of 2\n"
        ).encode(),
        "",
    )
    ended = unshade("check", PHONG, "--max-instructions", "76")
    assert ended.code == 1
    assert ended.out.endswith("  pixel       77 > 76\n")


def test_several_files_show_those_over_a_limit_worst_first() -> None:
    files = [PHONG, SAXPY, MATMUL]
    ended = unshade("check", *files, "--max-instructions", "50")
    assert ended.code == 1
    assert [line.split()[0] for line in ended.out.splitlines()[1:]] == [str(MATMUL), str(PHONG)]
    assert ended.err == "unshade: 3 files: 1 fine, 2 with findings\n"
    ended = unshade("check", *files, "--max-instructions", "50", "--all")
    assert len(ended.out.splitlines()) == 4
    ended = unshade("check", *files, "--max-instructions", "900")
    assert (ended.code, ended.out) == (0, "")


def test_limits_apply_to_the_named_stage() -> None:
    ended = unshade("check", PHONG, MATMUL, "--max-instructions", "50", "--stage", "pixel", "--all")
    assert [line.split()[0] for line in ended.out.splitlines()[1:]] == [str(PHONG)]
    assert unshade("check", PHONG, "--stage", "pixel").code == 2
    assert unshade("check", PHONG, "--stage", "pixl", "--max-temps", "1").code == 2


def test_entry_points_have_separate_lines() -> None:
    ended = unshade("check", REVERSE, "--max-instructions", "20", "--max-bytes", "1000")
    assert ended.code == 1
    assert [line.split()[:2] for line in ended.out.splitlines()[1:]] == [
        [str(REVERSE), "main1"], [str(REVERSE), "448"], [str(REVERSE), "main"],
    ]  # fmt: skip


def test_costs_have_limits(tmp_path: Path) -> None:
    peak = unshade_api.cost(unshade_api.open(PHONG)).peak.registers
    assert unshade("check", PHONG, "--max-live-registers", f"{peak}").code == 0
    assert unshade("check", PHONG, "--max-live-registers", f"{peak - 1}").code == 1
    ended = unshade("check", PHONG, "--max-operations", "9999")
    assert (ended.code, ended.err) == (4, f"unshade: {PHONG}: unknown counts: operations\n")
    for line in (("--max-bytes", "9", "--cost"), ("--format", "markdown", "--cost")):
        ended = unshade("check", PHONG, "--max-bytes", "9", *line)
        assert (ended.code, ended.err) == (2, "unshade: --cost needs --baseline\n")
    changed = tmp_path / PHONG.name
    changed.write_bytes(SAXPY.read_bytes())
    report = ("check", PHONG, "--baseline", changed, "--format", "markdown")
    assert "live-registers" not in unshade(*report).out
    assert "| live-registers |" in unshade(*report, "--cost").out


@pytest.mark.parametrize("format", ["table", "junit", "sarif", "markdown"])
def test_an_exceeded_limit_counts_more_than_an_unknown_count(format: str) -> None:
    """PHONG has a loop without a bound."""
    options = () if format == "table" else ("--format", format)
    unknown = unshade("check", PHONG, "--max-operations", "9999", *options)
    assert (unknown.code, unknown.err) == (4, f"unshade: {PHONG}: unknown counts: operations\n")
    both = unshade("check", PHONG, "--max-operations", "9999", "--max-bytes", "9", *options)
    assert (both.code, both.err) == (1, unknown.err)
    over = unshade("check", PHONG, "--max-bytes", "9", *options)
    assert (over.code, over.err) == (1, "")


def test_unknown_count_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if SHBIN counted samples, and this file lacked the count."""
    monkeypatch.setattr(Metric, "counted_for", lambda metric, format: True)
    ended = unshade("check", REVERSE, "--max-samples", "1")
    assert ended.code == 4
    assert "? of 1" in ended.out
    assert ended.err == f"unshade: {REVERSE}: unknown counts: samples\n"
    [row, _] = json.loads(unshade("check", "--json", REVERSE, "--max-samples", "1").out)["measured"]
    assert row["limits"] == [{"metric": "samples", "limit": 1, "value": None, "over": None}]


def test_options_override_the_budgets_file(tmp_path: Path) -> None:
    budgets = tmp_path / "budgets.toml"
    budgets.write_text(
        "[[budget]]\nmax-instructions = 50\n"
        "[[budget]]\nfiles = 'phong.*'\nmax-instructions = 100\n"
        "[[budget]]\nfiles = ['nowhere/*', '*.cso']\nmax-temps = 1\n"
    )
    ended = unshade("check", PHONG, SAXPY, "--budgets", budgets)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == (
        "unshade: 2 files: 2 fine\n"
        f"unshade: {budgets}: budget[2] matches no shader: nowhere/*, *.cso\n"
    )
    ended = unshade("check", PHONG, SAXPY, "--budgets", budgets, "--max-instructions", "20")
    assert [line.split()[0] for line in ended.out.splitlines()[1:]] == [str(PHONG)]


def test_json_has_every_file() -> None:
    found = json.loads(unshade("check", "--json", PHONG, SAXPY, "--max-instructions", "50").out)
    assert [(each["file"], each["over"]) for each in found] == [
        (str(PHONG), True),
        (str(SAXPY), False),
    ]
    assert found[0]["measured"] == [
        {
            "entry_point": None,
            "stage": "pixel",
            "limits": [{"metric": "instructions", "limit": 50, "value": 77, "over": True}],
        }
    ]


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_an_option(name: str) -> None:
    found = json.loads(unshade("check", "--json", PHONG, f"--max-{name}", "0").out)
    assert [each["metric"] for each in found["measured"][0]["limits"]] == [name]


def test_wrong_usage(tmp_path: Path) -> None:
    ended = unshade("check", PHONG)
    assert ended.code == 2
    assert ended.err == (
        "unshade: no limits: give --max-instructions N, another --max-..., or --budgets\n"
    )
    ended = unshade("check", PHONG, "--max-bytes", "-1")
    assert ended.code == 2
    assert "expected a non-negative integer, got '-1'" in ended.err
    bad = tmp_path / "bad.toml"
    bad.write_text("[[budget]]\nmax-bites = 3\n")
    ended = unshade("check", PHONG, "--budgets", bad)
    assert ended.code == 2
    assert ended.err == (
        f"unshade: {bad}: budget[0]: unknown key 'max-bites'; did you mean max-bytes?\n"
    )
    bad.write_bytes(b"\xff")
    assert (
        unshade("check", PHONG, "--budgets", bad).err
        == f"unshade: {bad}: invalid TOML: not UTF-8\n"
    )
    assert unshade("check", PHONG, "--budgets", tmp_path / "missing.toml").err == (
        f"unshade: {tmp_path / 'missing.toml'}: No such file or directory\n"
    )


def test_a_bad_file_does_not_stop_the_others() -> None:
    ended = unshade("check", "missing", PHONG, "--max-instructions", "50")
    assert ended.code == 2
    assert str(PHONG) in ended.out


@pytest.mark.parametrize("name", ["clay.frag.spv", "everything.vbc"])
def test_spirv_has_no_registers(name: str) -> None:
    ended = unshade("check", EXAMPLES / name, "--max-temps", "4")
    format = name.rpartition(".")[2].replace("spv", "spirv")
    assert (ended.code, ended.err) == (2, f"unshade: max-temps: not counted for {format}\n")


def test_limit_on_a_count_that_the_format_lacks(tmp_path: Path) -> None:
    """The 3DS has no textures in these stages: refused by name, or not applicable in a folder."""
    lit = EXAMPLES / "lit.shbin"
    ended = unshade("check", lit, "--max-samples", "2", "--max-barriers", "3")
    message = "max-samples, max-barriers: not counted for shbin"
    assert (ended.code, ended.err) == (2, f"unshade: {message}\n")
    ended = unshade("check", lit, PHONG, "--max-samples", "2", "--max-bytes", "9000", "--all")
    assert (ended.code, ended.err) == (0, "unshade: 2 files: 2 fine\n")
    assert "?" not in ended.out
    assert unshade("check", lit, "--max-temps", "16", "--max-instructions", "512").code == 0


def test_files_without_code_are_measured_by_size_alone(tmp_path: Path) -> None:
    """Root signatures in the folder of a build are no error."""
    signature = tmp_path / "root.dxbc"
    signature.write_bytes(unshade_api.assemble('"CBV(b0), SRV(t1)"', "dxcontainer").to_bytes())
    (tmp_path / "fxc.pdb").write_bytes(pdbs.one_of_each()["PDB of fxc"])
    ended = unshade("check", tmp_path, "--max-instructions", "1", "--max-samples", "1")
    assert (ended.code, ended.out) == (0, "")
    assert "unknown" not in ended.err
    (tmp_path / "phong.dxbc").write_bytes(PHONG.read_bytes())
    ended = unshade("check", tmp_path, "--max-instructions", "1")
    assert ended.code == 1
    assert [line.split()[0] for line in ended.out.splitlines()[1:]] == [
        str(tmp_path / "phong.dxbc")
    ]
    ended = unshade("check", signature, "--max-instructions", "1", "--max-bytes", "10")
    assert ended.code == 1
    assert ended.out.splitlines()[1].split()[1:] == ["116", ">", "10"]
    assert ended.err == f"unshade: {signature}: no code: its size alone is measured\n"


def test_code_that_cannot_be_read_is_not_taken_for_none(tmp_path: Path) -> None:
    path = tmp_path / "level9.dxbc"
    path.write_bytes(one_of_each.one_of_each()["Aon9"])
    ended = unshade("check", path, "--max-instructions", "1")
    assert (ended.code, ended.err) == (4, f"unshade: {path}: unknown counts: instructions\n")
    assert ended.out.endswith(" ? of 1\n")


def test_growth_is_limited_by_another_build(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "phong.dxbc").write_bytes(PHONG.read_bytes())
    shader = unshade_api.open(PHONG)
    shader.programs[0].insert(-1, "mul r3.x, r3.x, r3.x")
    shader.save(new / "phong.dxbc")
    (new / "added.dxbc").write_bytes(SAXPY.read_bytes())
    words = ("check", new, "--baseline", old, "--max-growth")
    ended = unshade(*words, "0")
    assert ended.code == 1
    assert "2,808 > 2,780" in ended.out
    assert "added" not in ended.out
    assert unshade(*words, "2").code == 0
    found = json.loads(unshade(*words, "0", "--json").out)
    rows = {Path(each["file"]).name: each["measured"] for each in found}
    assert rows["added.dxbc"] == []
    assert [each["metric"] for each in rows["phong.dxbc"][0]["limits"]] == ["bytes", "instructions"]
    both = unshade(*words, "2", "--max-instructions", "10")
    assert both.code == 1
    assert "77 > 10" in both.out
    for given, said in (
        (("check", new, "--max-growth", "3"), "--max-growth needs --baseline"),
        (("check", new, "--baseline", old), "--baseline needs --max-growth or --format markdown"),
    ):
        ended = unshade(*given)
        assert (ended.code, ended.err) == (2, f"unshade: {said}\n")
