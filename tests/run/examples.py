"""Kernels of the examples."""

from __future__ import annotations

from copy import copy
from functools import cache
from typing import Any

import numpy as np

import unshade
from tests.corpus import REPOSITORY
from unshade.run.kernels import Kernel

EXAMPLES = REPOSITORY / "examples"


@cache
def opened(name: str, engine: str) -> Kernel:
    return unshade.kernel(unshade.open(EXAMPLES / name), engine=engine)


def kernel(name: str, engine: str = "lockstep") -> Kernel:
    """Return a kernel of an example: its code, which takes longest, is made once for all tests."""
    return copy(opened(name, engine))


def vectors() -> tuple[Any, Any]:
    return np.arange(64, dtype=np.float32), np.ones(64, np.float32)
