"""The scripts of pages: types by tsc, rules by eslint."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.corpus import REPOSITORY

ASSETS = REPOSITORY / "src" / "unshade" / "report" / "assets"
SCRIPTS = sorted(ASSETS.glob("*.js"))

pytestmark = pytest.mark.slow


def test_types() -> None:
    tsc = shutil.which("tsc")
    if tsc is None:
        pytest.skip("not installed: npm install typescript, on the PATH")
    options = "--allowJs --checkJs --noEmit --strict --target es2022 --lib es2022,dom,dom.iterable"
    done = subprocess.run(
        [tsc, *options.split(), *SCRIPTS], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.stdout + done.stderr == ""


def test_rules() -> None:
    eslint = shutil.which("eslint")
    if eslint is None:
        pytest.skip("not installed: npm install eslint, on the PATH")
    done = subprocess.run(
        [eslint, "-c", REPOSITORY / ".ci" / "eslint.config.mjs", *SCRIPTS],
        cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.stdout + done.stderr == ""
