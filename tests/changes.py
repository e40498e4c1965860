"""The tests of what has changed since the last commit, which the fast lane runs after its choice.

A fault is most likely where somebody works: in files that differ from the last commit. In the
folders of tests that mirror the folders of such files, the fast lane goes on with the tests that it
would leave to the slow lane (but for those that are marked slow), until it has taken LANE seconds
of processor time, and at least LEAST seconds. Tests of the changed module come first, and one case
of each function before a second one of any. A commit, a checkout without git, and workers of xdist
have no changes.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from time import process_time

import pytest

from tests.corpus import REPOSITORY
from tests.lanes import GOLDEN

SOURCES = REPOSITORY / "src" / "unshade"
TESTS = REPOSITORY / "tests"
LANE, LEAST = 10.0, 2.0  # seconds
LATER = pytest.StashKey[bool]()  # of a test that only a change brings into the lane
CHANGED = pytest.StashKey[frozenset[Path]]()  # of the configuration
END = pytest.StashKey[float]()  # of the session: when no more of them begin
LEFT = pytest.StashKey[int]()  # of the configuration: how many did not


@cache
def mirror(folder: Path) -> Path:
    """Return the deepest folder of tests that mirrors a folder of sources."""
    inside = folder.relative_to(SOURCES)
    tests = (TESTS / each for each in (inside, *inside.parents))
    return next((each for each in tests if next(each.glob("test_*.py"), None)), TESTS)


def changed_sources(root: Path = REPOSITORY) -> frozenset[Path]:
    """Return the modules of the package that differ from the last commit; none without git."""
    command = ["git", "-C", str(root), "status", "--porcelain", "-z", "--untracked-files=all"]
    try:
        done = subprocess.run(
            [*command, "--no-renames", "--", "src"], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return frozenset()
    names = (os.fsdecode(entry[3:]) for entry in done.stdout.split(b"\0"))
    return frozenset(root / name for name in names if name.endswith(".py"))


def is_of_change(config: pytest.Config, module: Path) -> bool:
    """Return whether a module stands in a folder of tests whose sources have changed."""
    changed = config.stash.get(CHANGED, frozenset())
    return bool(changed) and module.parent in {mirror(each.parent) for each in changed}


def in_order(items: list[pytest.Item], changed: frozenset[Path]) -> list[pytest.Item]:
    """Return tests with those that only a change brings at the end, most promising first."""
    modules = {f"test_{each.stem}.py" for each in changed}
    later = [item for item in items if LATER in item.stash]
    count: Counter[str] = Counter()
    rank = {}
    for item in later:
        function = item.nodeid.partition("[")[0]
        rank[item] = item.path.name not in modules, count[function] * GOLDEN % 1, count[function]
        count[function] += 1
    first = [item for item in items if LATER not in item.stash]
    # The first case has the place 0.0, and the others lie evenly in any beginning of the rest.
    return first + sorted(later, key=rank.__getitem__)


def has_time(item: pytest.Item) -> bool:
    """Return whether a test may begin."""
    if LATER not in item.stash:
        return True
    end = item.session.stash.setdefault(END, max(LANE, process_time() + LEAST))
    if process_time() < end:
        return True
    item.config.stash[LEFT] = item.config.stash.get(LEFT, 0) + 1
    return False
