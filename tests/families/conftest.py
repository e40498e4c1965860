"""Fixtures: the families as installed packages, and the available engines."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from tests.contract.installed import installed
from tests.families import d3d9, dxil, sksl, spirv

ABOUT = d3d9.ABOUT, dxil.ABOUT, sksl.ABOUT, spirv.ABOUT


@pytest.fixture(autouse=True)
def families(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All four are installed."""
    with installed(monkeypatch, *ABOUT):
        yield


@pytest.fixture(params=["lockstep", "jit"])
def engine(request: pytest.FixtureRequest) -> str:
    """Each engine that is here."""
    if request.param == "jit" and find_spec("llvmlite") is None:
        pytest.skip("needs llvmlite")
    return str(request.param)
