"""The shaders of examples/, as tests take them."""

from __future__ import annotations

import pytest

from tests.corpus import REPOSITORY

EXAMPLES = REPOSITORY / "examples"
CONTAINERS = sorted(EXAMPLES.glob("*.dxbc"))
LARGE = 4000  # bytes: what is larger says little that is new, and takes long

each_container = pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.slow] if path.stat().st_size > LARGE else [])
        for path in CONTAINERS
    ],
    ids=[path.stem for path in CONTAINERS],
)
