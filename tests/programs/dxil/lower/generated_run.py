"""Generated shaders on both engines, against their programs in Python, and read and written.

disagreement(Generated(7))     what differs; "" if nothing does
"""

from __future__ import annotations

import numpy as np

import unshade
from unshade.errors import LimitError, UnsupportedError
from unshade.programs.dxil.program import Program
from unshade.vm.launch import Array

from .generated import WRITTEN, Generated
from .support import ENGINES

__all__ = ["container", "disagreement", "resources", "round_trip"]

SHAPES = {"t2": (3, 5, 4), "t3": (10, 4)}
KINDS = {"t3": "<f4"}


def container(made: Generated) -> bytes:
    """Return the shader as a file."""
    return unshade.assemble(made.text, "dxcontainer").to_bytes()


def resources(made: Generated) -> dict[str, Array]:
    """Return the resources as arrays, without the table that the shader itself has."""
    return {
        name: np.frombuffer(data, KINDS.get(name, "<u4")).reshape(SHAPES.get(name, (-1,))).copy()
        for name, data in made.data.items()
        if name != "tab"
    }


def disagreement(made: Generated) -> str:
    """Return how the results of an engine differ from those of the program in Python."""
    shader = unshade.loads(container(made))
    expected = made.expected()
    for engine in ENGINES:
        kernel = unshade.kernel(shader, engine=engine, wave_size=made.wave)
        names = {each.name for each in kernel.bindings}
        given = {name: each for name, each in resources(made).items() if name in names}
        try:
            results = kernel.dispatch(made.groups, **given)
        except UnsupportedError as error:
            if engine == "lockstep" or "share a barrier" not in str(error):
                raise
            continue
        for name in WRITTEN:
            if name not in names:
                continue
            found, wanted = results[name].tobytes(), expected[name]
            if found != wanted:
                at = next(n for n, (x, y) in enumerate(zip(found, wanted, strict=True)) if x != y)
                at &= ~3
                one, other = found[at:][:4][::-1].hex(), wanted[at:][:4][::-1].hex()
                return f"{engine}: {name} at byte {at}: 0x{one}, expected 0x{other}"
    return ""


def round_trip(made: Generated) -> str:
    """Return what is lost when a shader is written, read, listed and assembled again."""
    data = container(made)
    shader = unshade.loads(data)
    program = shader.programs[0]
    assert isinstance(program, Program)
    if shader.to_bytes() != data:
        return "other bytes after reading"
    findings = [str(each) for each in program.verify()]
    if findings:
        return f"verify: {findings[0]}"
    again = unshade.assemble(shader.disassemble(), "dxcontainer")
    if again.programs[0].encode() != program.encode():
        return "other bytes after the listing is assembled"
    try:
        if unshade.from_data(shader.to_data()).to_bytes() != data:
            return "other bytes from plain data"
    except LimitError:
        return "plain data over a limit"
    return ""
