"""The cost of a format with a program that runs: its folder, and one line in the registry.

A fresh interpreter adds that line, runs the program on each engine, and says which modules it has
loaded: none of another format's code, none of another program's.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.corpus import REPOSITORY

RUN = """
import json, sys
from unshade import formats
formats.FORMATS = (*formats.FORMATS, ("sksl_by_hand", "tests.families.sksl:ABOUT"))
import numpy as np
import unshade
from tests.families import sksl
shader = unshade.loads(sksl.SkSL(sksl.GREY).to_bytes())
found = []
for engine in sys.argv[1:]:
    kernel = unshade.kernel(shader, engine=engine)
    more = dict(tint=[1, 1, 1, 1], turn=np.eye(2), gain=0.5, src=np.ones((4, 4, 4), "f4"))
    found.append(kernel.shade((4, 4), **more)["color"].tolist())
loaded = [name for name in sys.modules if name.startswith(("unshade.", "tests."))]
print(json.dumps([found, loaded, shader.format]))
"""
OWN = ("unshade.formats.", "unshade.programs.", "tests.")
# The descriptions by which files are recognised, and the packages that these lie in.
DESCRIPTIONS = (
    "dxcontainer", "dxcontainer.about", "shbin", "shbin.about", "spirv", "spirv.about", "sksl",
    "sksl.about", "vbc", "vbc.about", "msf", "msf.about", "dxil", "dxil.about",
)  # fmt: skip


@pytest.mark.slow
def test_one_registry_line_suffices() -> None:
    engines = ["lockstep", *(["jit"] if find_spec("llvmlite") else [])]
    ended = subprocess.run(
        [sys.executable, "-c", RUN, *engines], cwd=REPOSITORY, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    results, loaded, name = json.loads(ended.stdout)
    assert name == "sksl_by_hand"
    assert all(each == results[0] for each in results)
    strange = {each for each in loaded if each.startswith(OWN)}
    strange -= {f"unshade.formats.{each}" for each in DESCRIPTIONS}
    assert strange == {f"tests.families{each}" for each in ("", ".facts", ".handmade", ".sksl")}
