"""PICA200 code as text, run by every engine that is installed, compared bit for bit.

    run("add o0, v0, v1", v0=(1, 2, 3, 4), v1=1.0)["o0"]

Lockstep runs a program twice: as it was lowered, as a debugger sees it, and simplified; jit runs it
simplified. All must agree in every bit. Expected values are written in the tests and come from no
engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from tests.kernels import kernel_of
from tests.oracle.verify import check
from tests.programs.pica.assembling import code
from unshade.ir.lowered import Lowered
from unshade.ir.specialisation import Specialisation
from unshade.programs.pica.program import Entry, Program, Stage
from unshade.run import engines
from unshade.run.runner import Runner
from unshade.run.signature import SignatureRow

Value = float | Sequence[float]
BANKS = {"c": (96, "<f4"), "i": (4, "<u4"), "b": (16, "<u4")}


def program(body: str, before: str = "", *, nops: bool = True) -> Program:
    """Return the program of the body of `main`; `end` is appended."""
    made = code(f"{body}\nend", before, nops=nops)
    found = Program.of_words(made.words, [each.encode() for each in made.descriptors])
    stage: Stage = "geometry" if ".gsh" in before else "vertex"
    main = made.procedures["main"]
    found.entries = [Entry("main", stage, main.start)]
    return found


def lowered(found: Program, precision: str = "float32") -> Lowered:
    """Return the checked kernel."""
    made = found.lower(None, Specialisation(precision=precision))
    check(made.kernel)
    return made


def kernels(made: Lowered) -> list[Runner]:
    """Return kernels of the same code, one for each way to run it."""
    names = ["lockstep", "jit"] if find_spec("llvmlite") else ["lockstep"]
    found = [kernel_of(made, None, engines.choose(name, False)) for name in names]
    return [found[0].debug(checks=False), *found]


def vector(value: Value) -> np.ndarray[Any, Any]:
    """Return four components; a single number is repeated."""
    return np.broadcast_to(np.array(value, "<f4"), (4,))


def bank(name: str, registers: Mapping[int, Any]) -> np.ndarray[Any, Any]:
    """Return a register file as bytes."""
    count, kind = BANKS[name]
    made = np.zeros((count, 4), kind)
    for number, value in registers.items():
        made[number, : np.size(value)] = value
    if name == "c":
        for number, value in registers.items():
            made[number] = vector(value)
    return made.view(np.uint8).reshape(-1)


def run(
    text: str | Program,
    *,
    before: str = "",
    precision: str = "float32",
    c: Mapping[int, Value] | None = None,
    i: Mapping[int, Sequence[int]] | None = None,
    b: Mapping[int, bool] | None = None,
    **inputs: Value,
) -> dict[str, np.ndarray[Any, Any]]:
    """Run one lane of a vertex or geometry shader; return its outputs by register."""
    made = lowered(program(text, before) if isinstance(text, str) else text, precision)
    banks = {"c": c or {}, "i": i or {}, "b": b or {}}
    results = []
    for kernel in kernels(made):
        given = {
            row.label: vector(inputs.get(row.label, 0.0))[np.newaxis][:, _places(row)]
            for row in kernel.inputs
        }
        bound = {each.name: bank(each.name, banks[each.name]) for each in kernel.bindings}
        call = kernel.transform if kernel.stage == "vertex" else kernel.expand
        found = call(given or 1, **bound)
        results.append({name: _whole(kernel, name, array) for name, array in found.items()})
    first = results[0]
    for other in results[1:]:
        assert first.keys() == other.keys()
        for name in first:
            assert first[name].tobytes() == other[name].tobytes(), name
    return first


def _places(row: SignatureRow) -> list[int]:
    """Return the components of a row."""
    return ["xyzw".index(letter) for letter in row.letters]


def _whole(kernel: Runner, name: str, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a register with four components, or its only row for a vertex shader."""
    row = next((each for each in kernel.outputs if each.label == name), None)
    if row is None:
        return array
    made = np.zeros((len(array), 4), "<f4")
    made[:, _places(row)] = array.reshape(len(array), len(row.letters))
    return made[0] if kernel.stage == "vertex" else made
