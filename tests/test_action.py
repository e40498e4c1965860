"""The GitHub action and the pre-commit hooks: their steps, run in a repository of their own.

Also the checks before a commit, and the forms of issues.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.corpus import REPOSITORY

ACTION = yaml.safe_load((REPOSITORY / "action.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
EXAMPLES = REPOSITORY / "examples"
ODD = "odd name -x.dxbc"
needs_shell = pytest.mark.skipif(
    os.name != "posix" or not shutil.which("git") or not shutil.which("bash"),
    reason="needs git and a POSIX shell",
)


class Repository(NamedTuple):
    """A git repository with a shader in it, and a folder of what a runner provides."""

    path: Path
    runner: Path
    env: dict[str, str]

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env=self.env, check=True, capture_output=True
        )
        return done.stdout.decode().strip()

    def commit(self) -> str:
        """Commit everything; return the commit's name."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "shaders")
        return self.git("rev-parse", "HEAD")

    def output(self, name: str) -> str:
        lines = (self.runner / "output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)[name]

    def act(self, **inputs: str) -> dict[str, subprocess.CompletedProcess[str]]:
        """Run every step but the installation, as a runner does after one that failed, too."""
        known = {name: each["default"] for name, each in ACTION["inputs"].items()}
        assert inputs.keys() <= known.keys()
        (self.runner / "output").write_text("")
        (self.runner / "summary").write_text("")
        found = {}
        for step in STEPS[1:]:
            env = {
                name: self._value(text, known | inputs)
                for name, text in step.get("env", {}).items()
            }
            found[step["name"]] = subprocess.run(
                # how the service runs a step of `shell: bash`
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=self.path, env=self.env | env, capture_output=True, text=True, check=False,
            )  # fmt: skip
        return found

    def _value(self, text: str, inputs: dict[str, str]) -> str:
        """Evaluate `${{ a || b }}` of inputs and outputs; of the event there is nothing."""
        inner = re.fullmatch(r"\$\{\{ (.*) \}\}", text)
        assert inner is not None
        for term in inner[1].split(" || "):
            kind, _, name = term.rpartition(".")
            if kind == "inputs" and inputs[name]:
                return inputs[name]
            if kind == "steps.changed.outputs":
                return self.output(name)
        return ""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    path, runner = tmp_path / "repository", tmp_path / "runner"
    path.mkdir()
    runner.mkdir()
    command = runner / "unshade"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m unshade "$@"\n')
    command.chmod(0o755)
    env = {
        **{name: each for name, each in os.environ.items() if not name.startswith("GIT")},
        "PATH": f"{runner}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(REPOSITORY / "src"),
        "HOME": str(runner),
        "GIT_CONFIG_NOSYSTEM": "1",
        "RUNNER_TEMP": str(runner),
        "GITHUB_OUTPUT": str(runner / "output"),
        "GITHUB_STEP_SUMMARY": str(runner / "summary"),
    }
    made = Repository(path, runner, env)
    made.git("init", "-q", "-b", "main")
    made.git("config", "user.name", "A")
    made.git("config", "user.email", "a@example.org")
    shutil.copy(EXAMPLES / "phong.dxbc", path)
    shutil.copy(EXAMPLES / "saxpy.dxbc", path)
    (path / "notes.txt").write_text("no shader")
    return made


def codes(found: dict[str, subprocess.CompletedProcess[str]]) -> list[int]:
    return [each.returncode for each in found.values()]


@needs_shell
@pytest.mark.slow
def test_the_action_checks_changed_shaders(repository: Repository) -> None:
    base = repository.commit()
    (repository.path / "notes.txt").write_text("changed")
    shutil.copy(EXAMPLES / "mandel.dxbc", repository.path / ODD)
    data = (repository.path / "phong.dxbc").read_bytes()
    (repository.path / "phong.dxbc").write_bytes(data[:4] + bytes(16) + data[20:])
    (repository.path / "saxpy.dxbc").unlink()
    repository.commit()

    found = repository.act(base=base, check="--max-instructions 200 --max-bytes 100000")
    assert codes(found) == [0, 0, 0, 0, 0], found
    assert repository.output("count") == "2"
    _, shown, _, verified, checked = found.values()
    assert shown.stdout.startswith(f"{ODD}: only in the second")
    assert "phong.dxbc\n" in shown.stdout
    assert "saxpy" not in shown.stdout
    summary = (repository.runner / "summary").read_text()
    assert f"    {ODD}: only in the second" in summary
    assert "2 files" in verified.stderr
    assert "2 files: 2 fine" in checked.stderr

    found = repository.act(base=base, check="--max-instructions 50", diff="false", report="false")
    assert codes(found)[:4] == [0, 0, 0, 0]
    assert codes(found)[4] != 0
    annotation = "::error file=phong.dxbc,title=budget.instructions::expected at most 50"
    assert annotation in found["Hold them to their budgets"].stdout
    assert not (repository.runner / "summary").read_text()


@needs_shell
@pytest.mark.slow
def test_the_action_fails_on_a_broken_shader(repository: Repository) -> None:
    base = repository.commit()
    data = (repository.path / "phong.dxbc").read_bytes()
    (repository.path / "phong.dxbc").write_bytes(data[:2000])
    repository.commit()
    found = repository.act(base=base)
    assert [code != 0 for code in codes(found)] == [False, False, True, True, False]
    assert "::error file=phong.dxbc,title=file.malformed::at 0x" in found["Verify them"].stdout
    found = repository.act(base=base, verify="false", report="false")
    assert codes(found) == [0, 0, 0, 0, 0]


@needs_shell
@pytest.mark.slow
def test_without_a_base_all_shaders_are_checked(repository: Repository) -> None:
    head = repository.commit()
    for base in ("", "0" * 40):
        found = repository.act(base=base, files="*.dxbc\n*.cso\n")
        assert codes(found) == [0, 0, 0, 0, 0], found
        assert repository.output("count") == "2"
    found = repository.act(base=head)
    assert codes(found) == [0, 0, 0, 0, 0]
    assert repository.output("count") == "0"
    assert not Path(repository.output("report")).read_text()
    assert not any(each.stdout for each in list(found.values())[1:])


@needs_shell
@pytest.mark.slow
def test_the_action_reports_metrics(repository: Repository) -> None:
    """A changed shader, a new one with a hostile name, one that is gone, and a link."""
    base = repository.commit()
    shutil.copy(EXAMPLES / "mandel.dxbc", repository.path / "saxpy.dxbc")
    hostile = repository.path / "a" / "`@team` | [x](y)\u202e.dxbc"
    hostile.parent.mkdir()
    shutil.copy(EXAMPLES / "matmul.dxbc", hostile)
    (repository.path / "phong.dxbc").unlink()
    (repository.path / "link.dxbc").symlink_to(EXAMPLES / "gyroid.dxbc")
    repository.commit()
    found = repository.act(base=base, verify="false", diff="false", cost="true")
    assert codes(found) == [0, 0, 0, 0, 0], found
    report = Path(repository.output("report")).read_text("utf-8")
    assert report == (repository.runner / "summary").read_text("utf-8")
    assert report.startswith("**1 of 3 shaders changed**: 0 helped, 1 hurt, 1 new, 1 gone\n")
    assert "| `saxpy.dxbc` | " in report
    assert "| live-registers | " in report
    versions = Path(repository.output("versions"))
    assert {each.name for each in (versions / "before").rglob("*.dxbc")} == {
        "saxpy.dxbc", "phong.dxbc",
    }  # fmt: skip
    assert (versions / "after" / "a" / hostile.name).read_bytes() == hostile.read_bytes()
    assert not (versions / "after" / "link.dxbc").is_symlink()


@needs_shell
@pytest.mark.slow
@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_hooks_pass_and_fail_as_their_command(hook: dict[str, Any], repository: Repository) -> None:
    """As pre-commit calls them: entry, args, and the staged files that match."""
    arguments = {"unshade-verify": [], "unshade-check": ["--max-bytes", "5000"]}[hook["id"]]
    shutil.copy(EXAMPLES / "mandel.dxbc", repository.path / ODD)

    def run() -> int:
        repository.git("add", "-A")
        staged = repository.git("-c", "core.quotepath=off", "diff", "--cached", "--name-only")
        files = [name for name in staged.splitlines() if re.search(hook["files"], name)]
        assert len(files) == 3
        line = [*hook["entry"].split(), *arguments, *files]
        return subprocess.run(
            line, cwd=repository.path, env=repository.env, capture_output=True, check=False
        ).returncode

    assert run() == 0
    data = (EXAMPLES / "matmul.dxbc").read_bytes()
    (repository.path / "phong.dxbc").write_bytes(data[:6000])
    assert run() != 0


def _commenting() -> dict[str, Any]:
    """Return the step of the page that writes a comment."""
    page = (REPOSITORY / "docs" / "how-to" / "verify-in-ci.md").read_text("utf-8")
    (text,) = re.findall(r"```yaml\n(name: comment\n.*?)```", page, re.S)
    workflow = yaml.safe_load(text)
    (job,) = workflow["jobs"].values()
    assert workflow["permissions"] == {"actions": "read", "pull-requests": "write"}
    step: dict[str, Any] = job["steps"][-1]
    for each in job["steps"]:
        assert "${{" not in each.get("run", ""), "values come by env: in a script they are code"
    return step


@needs_shell
@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "changed", "commented"), [("7", True, True), ("", True, False), ("7", False, False)]
)
def test_a_comment_takes_nothing_but_shaders_from_the_artifact(
    number: str, changed: bool, commented: bool, repository: Repository
) -> None:
    """What else lies in the artifact, such as a text or a number, has no effect."""
    versions = repository.path / "versions"
    for side, name in (("before", "phong.dxbc"), ("after", "mandel.dxbc" if changed else "")):
        (versions / side).mkdir(parents=True)
        shutil.copy(EXAMPLES / (name or "phong.dxbc"), versions / side / "`@team`.dxbc")
    (versions / "report.md").write_text("@everyone")
    (versions / "number").write_text("99")
    stand_in = repository.runner / "gh"
    stand_in.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = api ]; then echo "$NUMBER"; else echo "$@" >"$RUNNER_TEMP/said"; fi\n'
    )
    stand_in.chmod(0o755)
    env = {"GH_REPO": "a/b", "HEAD": "0" * 40, "NUMBER": number}
    subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", _commenting()["run"]],
        cwd=repository.path, env=repository.env | env, check=True,
    )  # fmt: skip
    said = repository.runner / "said"
    assert said.exists() == commented
    report = (repository.path / "report.md").read_text("utf-8")
    assert bool(report) == changed
    assert "everyone" not in report
    assert "| `@team`" not in report
    if commented:
        assert said.read_text().split() == ["pr", "comment", "7", "--body-file", "report.md"]


def test_the_action_is_composite_and_uses_its_inputs() -> None:
    assert ACTION["runs"]["using"] == "composite"
    for step in STEPS:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "values come by env: in a script they would be code"
    used = set(re.findall(r"inputs\.(\w+)", str(STEPS)))
    assert used == set(ACTION["inputs"])


def test_the_workflow_tests_supported_versions() -> None:
    text = (REPOSITORY / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    (job,) = yaml.safe_load(text)["jobs"].values()
    promised = re.findall(
        r'"Programming Language :: Python :: (3\.\d+)"',
        (REPOSITORY / "pyproject.toml").read_text("utf-8"),
    )
    assert job["strategy"]["matrix"]["python"] == promised
    script = (REPOSITORY / ".ci" / "run").read_text("utf-8")
    readme = (REPOSITORY / "README.md").read_text("utf-8")
    for line in job["steps"][-1]["run"].splitlines():
        command = line.replace("--sample", "$sample")
        assert command.strip() in script or line.strip() in readme, line


def test_checks_before_a_commit_are_those_of_the_script() -> None:
    config = yaml.safe_load((REPOSITORY / ".pre-commit-config.yaml").read_text("utf-8"))
    (local,) = config["repos"]
    assert local["repo"] == "local"  # nothing is downloaded
    script = (REPOSITORY / ".ci" / "run").read_text("utf-8")
    for hook in local["hooks"]:
        assert hook["language"] == "system"
        command = hook["entry"].replace("python -m pytest -q", "pytest")
        assert re.search(command.replace("pytest", "pytest.*"), script), command


@pytest.mark.parametrize("name", ["bug_report", "feature_request"])
def test_forms_of_issues(name: str) -> None:
    text = (REPOSITORY / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml").read_text("utf-8")
    form = yaml.safe_load(text)
    assert form.keys() == {"name", "description", "body"}
    fields = [each for each in form["body"] if each["type"] != "markdown"]
    assert len({each["id"] for each in fields}) == len(fields)
    assert len({each["attributes"]["label"] for each in fields}) == len(fields)
    assert any(each.get("validations", {}).get("required") for each in fields)
