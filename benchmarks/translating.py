"""A compiled program as both sides get it: SPIR-V by vkd3d-compiler, and what we take instead.

Names of registers are made the same, and what Direct3D lets an implementation choose is chosen as
lavapipe does.
"""

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from environment import Skipped
from interface import Variable

import unshade
from unshade.programs.tpf.tables.enumerations import OperandType
from unshade.programs.tpf.tables.ops import OPS

PREFIXES = {
    OperandType.CONSTANT_BUFFER: "cb", OperandType.RESOURCE: "t", OperandType.SAMPLER: "s",
    OperandType.UNORDERED_ACCESS_VIEW: "u",
}  # fmt: skip

QUIETLY: dict[str, Any] = {"capture_output": True, "text": True}


def opened(path: Path) -> Any:
    """The shader of a file, or of a listing."""
    if path.suffix in (".asm", ".txt"):
        return unshade.assemble(path.read_text(errors="replace"), "dxcontainer")
    return unshade.open(path)


def translated(data: bytes) -> bytes:
    """The SPIR-V of a container."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "a.dxbc"), Path(folder, "a.spv")
        source.write_bytes(data)
        command = ["vkd3d-compiler", "-x", "dxbc-tpf", "-b", "spirv-binary", "-o"]
        done = subprocess.run([*command, target, source], check=False, **QUIETLY)
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or [str(done.returncode)]
            raise Skipped(f"vkd3d-compiler: {last[0].partition('libs/')[2] or last[0]}")
        return target.read_bytes()


def finely(program: Any) -> None:
    """Coarse derivatives may be taken of either row or column: lavapipe takes fine ones."""
    for instruction in program.instructions:
        if instruction.name in ("deriv_rtx_coarse", "deriv_rty_coarse"):
            fine = OPS.by_name[instruction.name.replace("coarse", "fine")].code
            instruction.token = instruction.token & ~0x7FF | fine


def renamed(program: Any, outside: list[Variable]) -> None:
    """Shader Model 5.1 gives registers a number besides their place: the module has the former."""
    names: dict[str, str] = {}
    for instruction in program.instructions:
        row = instruction.op
        if row is None or row.kind != "decl" or not instruction.operands:
            continue
        operand = instruction.operands[0]
        if len(operand.indices) != 3 or operand.type not in PREFIXES:
            continue
        prefix = PREFIXES[operand.type]
        number, first, last = (index.immediate for index in operand.indices)
        if first != last:
            raise Skipped("vkd3d 1.2 has no arrays of descriptors")
        space = instruction.words[-1] if instruction.words else 0
        place = f"{prefix}{first}" + (f"_space{space}" if space else "")
        names[f"{prefix}{number}"] = place
        names[f"{prefix}{number}_counter"] = f"{place}_counter"
    for each in outside:
        if each.binding >= 0:
            each.name = names.get(each.name, each.name)


def integers(program: Any) -> set[tuple[str, int]]:
    """Constants that instructions take for integers: (register, number of the word)."""
    found = set()
    for instruction in program.instructions:
        row = instruction.op
        if row is None or row.kind == "decl":
            continue
        for letter, operand in zip(row.operands, instruction.operands, strict=False):
            if operand.type != OperandType.CONSTANT_BUFFER or letter not in "iu":
                continue
            place = operand.indices[-1]
            if place.relative is None:
                name = f"cb{operand.indices[-2].immediate}"
                found |= {(name, 4 * place.immediate + at) for at in range(4)}
    return found
