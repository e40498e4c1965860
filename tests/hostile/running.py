"""Programs as text on each engine that is installed, through the public names: one answer."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import unshade
from unshade.errors import UnshadeError
from unshade.run.kernels import Kernel

ENGINES = ("lockstep", "jit") if find_spec("llvmlite") else ("lockstep",)
ALL = 0xFFFF_FFFF


def kernels(text: str, budget: int = 1000) -> list[Kernel]:
    """Return the program as a kernel of each engine."""
    data = unshade.assemble(text, "dxcontainer").to_bytes()
    made = [unshade.kernel(unshade.loads(data), engine=engine) for engine in ENGINES]
    for each in made:
        each.budget = budget
    return made


def compute(
    body: str, declared: str = "", group: str = "1, 1, 1", after_ret: str = "", temps: int = 8
) -> str:
    """Return the text of a compute shader that leaves its results in u0."""
    return "\n".join((
        "cs_5_0", "dcl_uav_raw u0", declared, "dcl_input vThreadID.xyz",
        "dcl_input vThreadIDInGroupFlattened", f"dcl_temps {temps}", f"dcl_thread_group {group}",
        body, "ret", after_ret, "",
    ))  # fmt: skip


def words(text: str, count: int = 4, groups: Any = 1, **given: Any) -> list[int]:
    """Run a program on all engines; return the first words of u0."""
    found = []
    for kernel in kernels(text):
        own = {name: np.copy(each) for name, each in given.items()}
        u0 = np.full(max(count, 1), 0xAAAA_AAAA, np.uint32)
        kernel.dispatch(groups, u0=u0, **own)
        assert kernel.report is not None
        found.append(
            (u0.tolist(), kernel.report.out_of_bounds, [x.tobytes() for x in own.values()])
        )
    assert all(each == found[0] for each in found)
    return found[0][0][:count]


def refusal(kind: type[UnshadeError], text: str, groups: Any = 1, **given: Any) -> str:
    """Return the one message with which all engines refuse to run a program."""
    messages = set()
    for kernel in kernels(text):
        with pytest.raises(kind) as caught:
            kernel.dispatch(groups, u0=np.zeros(4, np.uint32), **given)
        messages.add(
            re.sub(r" for thread [^;]* after", " after", str(caught.value))
        )  # jit: no thread
    assert len(messages) == 1
    return messages.pop()
