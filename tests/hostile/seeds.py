"""Small shaders to mutate, among them our own of every opcode, and the mutant of a seed."""

import random
from collections.abc import Sequence
from typing import Any

import unshade
import unshade.program
from tests.corpus import REPOSITORY
from tests.hostile.module_mutants import changed_module
from tests.hostile.mutants import changed, scrambled
from tests.programs.spirv.lower.generated import Generated
from tests.programs.tpf.lower.test_coverage import CASES
from unshade import UnshadeError
from unshade.programs.spirv.program import Program as ModuleProgram
from unshade.programs.tpf import Program

SHARE = 8  # one seed in SHARE changes dwords of the stream
MODULES = 24
BASE = 300  # bytes: short files are chosen more often, by their size beyond this


def own_shaders() -> list[bytes]:
    """Return shaders of the vectors of every opcode, and the examples."""
    paths = sorted((REPOSITORY / "examples").glob("*.dxbc"))
    vectors = [unshade.assemble(each.text, "dxcontainer").to_bytes() for each in CASES]
    return runnable([*vectors, *(path.read_bytes() for path in paths)])


def own_modules() -> list[bytes]:
    """Return modules of SPIR-V: random ones."""
    return [Generated(seed).module().to_bytes() for seed in range(MODULES)]


def runnable(
    files: Sequence[bytes], largest: int = 4096, kind: type[unshade.program.Program[Any]] = Program
) -> list[bytes]:
    """Return the distinct shaders of a kind that can be run and whose program is small enough."""
    found: dict[bytes, None] = {}
    for data in files:
        held = unshade.loads(data).programs
        if not held or not isinstance(held[0], kind) or len(held[0].encode()) > largest:
            continue
        try:
            held[0].lower()
        except UnshadeError:
            continue
        found[data] = None
    return list(found)


def mutant(seed: int, files: Sequence[bytes]) -> bytes:
    """Return the file of a seed; raise EncodeError if the mutant cannot be written."""
    chance = random.Random(seed)
    weights = [1.0 / (BASE + len(each)) for each in files]
    data, other = chance.choices(files, weights, k=2)
    shader = unshade.loads(data)
    program = shader.programs[0]
    if isinstance(program, ModuleProgram):
        return changed_module(data, chance)
    assert isinstance(program, Program)
    if seed % SHARE:
        donor = unshade.loads(other).programs[0]
        assert isinstance(donor, Program)
        changed(program, chance, donor)
        return shader.to_bytes()
    code = program.encode()
    at = data.index(code)
    words = memoryview(code).cast("I").tolist()
    words[2:] = scrambled(words[2:], chance)
    made = b"".join(each.to_bytes(4, "little") for each in words)
    return data[:at] + made + data[at + len(code) :]
