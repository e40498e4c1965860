"""Edited shaders stay valid: vkd3d's compiler takes them, and verify() finds nothing new.

For each kind of edit 50 files that vkd3d-compiler accepts as they are, drawn with a fixed seed. It
checks the digest, decodes the whole program and translates it. `-x dxbc-tpf` takes shader models 4
and 5 only.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conformance.test_verify import origin
from tests.corpus import containers
from tests.ratchet import Ratchet
from unshade.errors import UsageError
from unshade.formats.dxcontainer import DigestKind, DxContainer, DxPart
from unshade.formats.dxcontainer.parts.rdef import RdefType, ResourceDefinition
from unshade.formats.dxcontainer.parts.stat import ShaderStatistics
from unshade.programs.tpf import Instruction, Program, immediate, temp
from unshade.programs.tpf.tables.enumerations import OperandType
from unshade.rule import is_finding

COMPILER = shutil.which("vkd3d-compiler")
FILES = 50
PLAIN = ("float", "int", "uint", "bit", "tex")
READ = (OperandType.TEMP, OperandType.INPUT, OperandType.CONSTANT_BUFFER)

pytestmark = pytest.mark.skipif(
    COMPILER is None, reason="vkd3d-compiler (Debian's vkd3d-compiler) is not installed"
)


class Unfit(Exception):
    """The file has nothing that this edit could be done to."""


def accepts(data: bytes, place: Path) -> bool:
    """Return whether vkd3d's compiler translates the container."""
    assert COMPILER is not None
    place.write_bytes(data)
    command = [COMPILER, "-x", "dxbc-tpf", "-b", "spirv-binary", str(place), "-o", f"{place}.spv"]
    return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0


def findings(shader: DxContainer) -> Counter[str]:
    return Counter(each.code for each in shader.verify() if is_finding(each))


# ---------------------------------------------------------------- the edits


def strip(category: str) -> Callable[[DxContainer, random.Random], None]:
    def edit(shader: DxContainer, chance: random.Random) -> None:
        if not shader.strip(category):
            raise Unfit
        assert shader.strippable(category) == []

    return edit


def strip_debug(shader: DxContainer, chance: random.Random) -> None:
    """Strip a debug part, which is added first, of a file without debug information in Aon9."""
    if shader.strippable("debug"):
        raise Unfit
    shader["SPDB"] = chance.randbytes(64)
    assert [loss.part for loss in shader.strip()] == ["SPDB"]


def strip_private(shader: DxContainer, chance: random.Random) -> None:
    shader.private_data = chance.randbytes(13)
    assert [loss.part for loss in shader.strip("private")] == ["PRIV"]


def counted(shader: DxContainer) -> None:
    """Recount STAT, if the shader has one, after a change of the code."""
    if has_counters(shader):
        shader.recount()


def has_counters(shader: DxContainer) -> bool:
    part = shader.parts.get("STAT")
    return part is not None and isinstance(part.value, ShaderStatistics)


def change_operand(shader: DxContainer, chance: random.Random) -> None:
    """Negate a source, or double a literal."""
    places = [
        operand
        for each in shader.programs[0].instructions
        if each.op is not None and each.op.kind == "float"
        for letter, operand in zip(each.op.operands, each.operands, strict=True)
        if letter == "f" and operand.type in (*READ, OperandType.IMMEDIATE32)
    ]
    if not places:
        raise Unfit
    operand = chance.choice(places)
    if operand.type == OperandType.IMMEDIATE32:
        operand.literal_floats = [0.5 for _ in operand.literal]
    else:
        operand.negate = not operand.negate
    counted(shader)


def change_text(shader: DxContainer, chance: random.Random) -> None:
    """Replace an operation by its listing line with the sign of an operand changed."""
    program = shader.programs[0]
    texts = [
        (at, repr(each).removeprefix("<Instruction ").removesuffix(">"))
        for at, each in enumerate(program.instructions)
        if each.op is not None and each.op.kind == "float" and each.op.operands[:2] == "Df"
    ]
    places = [(at, text) for at, text in texts if ", r" in text]
    if not places:
        raise Unfit
    at, text = chance.choice(places)
    program.replace(at, text.replace(", r", ", -r", 1))
    counted(shader)


def code(program: Program) -> list[int]:
    """Return the indices of instructions that are operations."""
    return [
        at
        for at, each in enumerate(program.instructions)
        if each.op is not None and each.op.kind not in ("decl", "data", "phase")
    ]


def insert(shader: DxContainer, chance: random.Random) -> None:
    """Insert a mov into a register of its own anywhere in the code."""
    program = shader.programs[0]
    register = max(
        (each.words[0] for each in program.instructions if each.name == "dcl_temps"), default=0
    )
    mov: Instruction | str = Instruction.make("mov", temp(register), immediate(0.0, 1.0, 2.0, 3.0))
    if chance.random() < 0.5:
        mov = f"mov r{register}.xyzw, l(0.0, 1.0, 2.0, 3.0)"
    places = code(program)
    chance.shuffle(places)
    for at in places:
        before = list(program.instructions)
        try:
            program.insert(at, mov)
        except UsageError:
            assert program.instructions == before
            continue
        counted(shader)
        return
    raise Unfit


def delete(shader: DxContainer, chance: random.Random) -> None:
    """Remove an arithmetic operation."""
    program = shader.programs[0]
    rows = ((at, program.instructions[at].op) for at in code(program))
    places = [at for at, row in rows if row is not None and row.kind in PLAIN]
    if not places:
        raise Unfit
    program.remove(chance.choice(places))
    counted(shader)


def names(definition: ResourceDefinition) -> Iterator[str]:
    """Return all paths of a name."""
    for buffer in definition.buffers:
        yield buffer.name
        for variable in buffer.variables:
            yield f"{buffer.name}.{variable.name}"
            yield from members(variable.type, f"{buffer.name}.{variable.name}")
    yield from (binding.name for binding in definition.bindings)


def members(given: RdefType, path: str) -> Iterator[str]:
    for member in given.members:
        yield f"{path}.{member.name}"
        yield from members(member.type, f"{path}.{member.name}")


def rename(shader: DxContainer, chance: random.Random) -> None:
    """Rename a constant or resource; all other names stay."""
    before = list(names(shader["RDEF"])) if "RDEF" in shader else []
    if not before:
        raise Unfit
    path = chance.choice(before)
    shader.rename(path, "another")
    after = list(names(DxContainer.loads(shader.to_bytes())["RDEF"]))
    head, dot, _ = path.rpartition(".")
    new = f"{head}{dot}another"
    assert after == [
        new + each[len(path) :] if each == path or each.startswith(f"{path}.") else each
        for each in before
    ]


def add_part(shader: DxContainer, chance: random.Random) -> None:
    shader.parts.insert(chance.randint(0, len(shader.parts)), DxPart("XNAP", chance.randbytes(24)))


def remove_part(shader: DxContainer, chance: random.Random) -> None:
    known = [name for name in ("STAT", "RDEF", "Aon9") if name in shader]
    if not known:
        raise Unfit
    del shader[chance.choice(known)]


def reorder(shader: DxContainer, chance: random.Random) -> None:
    before = [part.name for part in shader.parts]
    at, to = chance.sample(range(len(before)), 2)
    shader.parts.move(at, to)
    before.insert(to, before.pop(at))
    assert [part.name for part in DxContainer.loads(shader.to_bytes()).parts] == before


def private(shader: DxContainer, chance: random.Random) -> None:
    shader.private_data = b"an odd number"


def recount(shader: DxContainer, chance: random.Random) -> None:
    if not has_counters(shader):
        raise Unfit
    shader["STAT"].instruction_count = 999
    assert "instruction_count" in shader.recount()


def sign(shader: DxContainer, chance: random.Random) -> None:
    shader.digest = bytes(16)
    shader.sign()


EDITS: dict[str, Callable[[DxContainer, random.Random], None]] = {
    "strip debug": strip_debug,
    "strip reflection": strip("reflection"),
    "strip statistics": strip("statistics"),
    "strip private": strip_private,
    "strip root-signature": strip("root-signature"),
    "strip all": strip("all"),
    "operand changed": change_operand,
    "operand changed as text": change_text,
    "instruction inserted": insert,
    "instruction deleted": delete,
    "member renamed": rename,
    "part added": add_part,
    "part removed": remove_part,
    "parts reordered": reorder,
    "private data": private,
    "recounted": recount,
    "signed": sign,
}
# Edits that take back what they did: the bytes are those of the file.
RESTORED = ("strip debug", "strip private", "recounted", "signed")


@pytest.mark.parametrize("kind", EDITS)
def test_edited_files_are_accepted(
    kind: str, corpus: Path, tmp_path: Path, ratchet: Ratchet
) -> None:
    chance = random.Random(kind)
    paths = [path for path in containers(corpus) if path.suffix == ".dxbc"]
    chance.shuffle(paths)
    place = tmp_path / "shader.dxbc"
    failed = []
    done = 0
    for path in paths:
        if done == FILES:
            break
        data = path.read_bytes()
        shader = DxContainer.loads(data)
        if not shader.programs or origin(path) != "compiler":
            continue
        before = findings(shader)
        try:
            EDITS[kind](shader, chance)
        except Unfit:
            continue
        if not accepts(data, place):
            continue
        done += 1
        made = shader.to_bytes()
        edited = DxContainer.loads(made)
        right = edited.digest_kind in (DigestKind.RETAIL, DigestKind.DEBUG)
        new = findings(edited) - before
        if (made == data) != (kind in RESTORED):
            failed.append(f"{path.name}: the same bytes: {made == data}")
        elif not right or new or not accepts(made, place):
            failed.append(f"{path.name}: digest right: {right}, new findings: {dict(new)}")
    ratchet(f"dxcontainer/edit: {kind}", done - len(failed), done)
    assert failed == []
    assert done == FILES or kind == "strip root-signature"


def test_broken_edits_are_rejected(corpus: Path, tmp_path: Path) -> None:
    """The digest is looked at, and the program."""
    path = next(path for path in containers(corpus) if path.name.startswith("angle"))
    data = path.read_bytes()
    place = tmp_path / "shader.dxbc"
    assert accepts(data, place)
    assert not accepts(data[:4] + bytes(16) + data[20:], place)
    shader = DxContainer.loads(data)
    shader.programs[0].instructions[-2].operands[0].token |= 0xFF << 12
    assert not accepts(shader.to_bytes(), place)
