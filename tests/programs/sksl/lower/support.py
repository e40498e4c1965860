"""SkSL as text, run by every engine that is installed, compared bit for bit.

    pixel("return half4(p.x);")           the colour of the pixel (0, 0), whose centre is 0.5
    value("dot(float2(3, 4), float2(1))")    the components of an expression

Lockstep runs a program twice: as it was lowered, as a debugger sees it, and simplified; jit runs it
simplified. Expected values are written in the tests and come from no engine.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

import unshade
from tests.oracle.verify import check
from unshade.formats.sksl import SkslShader
from unshade.isa.source import Source
from unshade.programs.sksl import Program
from unshade.programs.sksl.assembler import compile, settings_of

Floats = np.ndarray[Any, Any]
ENGINES = ["lockstep", *(["jit"] if find_spec("llvmlite") else [])]
SCALARS = {"float": 1, "half": 1, "int": 1, "uint": 1, "bool": 1}
ES3 = "#version 300\n"


def shader(text: str, name: str = "", **settings: Any) -> SkslShader:
    """Return a compiled program; the suffix of a name says its kind."""
    source = Source(text, name)
    return SkslShader(Program(compile(source, settings_of(source)._replace(**settings))))


def kernels(found: unshade.Shader, **options: Any) -> list[Any]:
    """Return a kernel for each way to run a program."""
    made = [unshade.kernel(found, engine=each, **options) for each in ENGINES]
    check(made[0].lowered.kernel)
    return [made[0].debug(checks=False), *made]


def shaded(found: unshade.Shader, where: Any, options: Any = None, **bound: Any) -> Floats:
    """Return the colours of a program, which all engines agree on."""
    results = [each.shade(where, **bound)["main"] for each in kernels(found, **(options or {}))]
    assert all(each.tobytes() == results[0].tobytes() for each in results)
    return np.asarray(results[0])


def pixel(body: str, before: str = "", **bound: Any) -> list[float]:
    """Return the colour of the pixel (0, 0) that the body of `main(float2 p)` returns."""
    text = f"{ES3}{before}\nhalf4 main(float2 p) {{ {body} }}"
    return [float(each) for each in shaded(shader(text), (1, 1), **bound)[0, 0]]


def value(expression: str, components: int = 1, before: str = "", **bound: Any) -> list[float]:
    """Return the components of a float expression; `p` is (0.5, 0.5), not known when compiled."""
    kind = "float" if components == 1 else f"float{components}"
    rest = ", 0" * (4 - components)
    colour = "half4(v)" if components == 4 else f"half4(v{rest})"
    return pixel(f"{kind} v = {expression}; return {colour};", before, **bound)[:components]
