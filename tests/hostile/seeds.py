"""Small shaders to mutate, among them our own of every opcode, and the mutant of a seed."""

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import unshade
import unshade.program
from tests.corpus import REPOSITORY
from tests.hostile.bitcode_mutants import changed_bitcode
from tests.hostile.module_mutants import changed_module
from tests.hostile.mutants import changed, scrambled
from tests.hostile.pica_mutants import changed_code
from tests.hostile.sksl_mutants import changed_bytes, changed_tree
from tests.programs.dxil.lower.generated import Generated as GeneratedBitcode
from tests.programs.dxil.lower.generated_run import container
from tests.programs.dxil.lower.test_exported import LIBRARY
from tests.programs.spirv.lower import test_images
from tests.programs.spirv.lower.generated import Generated
from tests.programs.tpf.lower.test_coverage import CASES
from unshade import UnshadeError
from unshade.formats.shbin.tables import TableFile
from unshade.formats.sksl import SkslShader
from unshade.formats.vbc.shader import Vbc
from unshade.programs.dxil.program import Program as BitcodeProgram
from unshade.programs.spirv.module import byte_order
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
    """Return modules of SPIR-V: random ones, examples, and some that use images."""
    paths = sorted((REPOSITORY / "examples").glob("*.spv"))
    with_images = [
        test_images.sampling(test_images.SPARSE, test_images.SPARSE_PLACE),
        test_images.storing(test_images.WIDE_CODE, test_images.WIDE_KIND, test_images.WIDE),
    ]
    return [
        *(Generated(seed).module().to_bytes() for seed in range(MODULES)),
        *(each.to_bytes() for each in with_images),
        *(path.read_bytes() for path in paths),
    ]


def own_bitcode() -> list[bytes]:
    """Return shaders and libraries of DXIL: examples, functions of a library, and random ones."""
    paths = sorted((REPOSITORY / "examples").glob("*.dxil"))
    library = unshade.assemble(LIBRARY, "dxcontainer")
    return [
        *(path.read_bytes() for path in paths),
        library.to_bytes(),
        *(container(GeneratedBitcode(seed)) for seed in range(MODULES)),
    ]


def runnable(
    files: Sequence[bytes], largest: int = 4096, kind: type[unshade.program.Program[Any]] = Program
) -> list[bytes]:
    """Return the distinct shaders of a kind that can be run and whose program is small enough."""
    found: dict[bytes, None] = {}
    for data in files:
        held = unshade.loads(data).programs
        if not held or not isinstance(held[0], kind) or len(held[0].encode()) > largest:
            continue
        if any(_can_be_run(held[0], name) for name in _entries(held[0])):
            found[data] = None
    return list(found)


def _entries(program: unshade.program.Program[Any]) -> list[str | None]:
    names = [name for name, _ in program.entry_points]
    return [*(names if len(names) > 1 else [None]), *program.exports]


def _can_be_run(program: unshade.program.Program[Any], entry: str | None) -> bool:
    try:
        program.lower(entry)
    except UnshadeError:
        return False
    return True


def mutant(seed: int, files: Sequence[bytes]) -> bytes:
    """Return the file of a seed; raise EncodeError if the mutant cannot be written."""
    chance = random.Random(seed)
    data, other = _chosen(files, chance), _chosen(files, chance)
    if byte_order(data) is not None:
        return changed_module(data, chance)
    shader = unshade.loads(data)
    if isinstance(shader, TableFile):
        donor_of_words = unshade.loads(other)
        assert isinstance(donor_of_words, TableFile)
        return changed_code(shader, donor_of_words, chance)
    if isinstance(shader, SkslShader):
        return changed_tree(shader, chance) if seed % SHARE else changed_bytes(data, chance)
    if isinstance(shader, Vbc):
        modules = [each.encode() for each in shader.programs]
        at = chance.randrange(len(modules))
        modules[at] = changed_module(modules[at], chance)
        return unshade.pack(modules, "vbc").to_bytes()
    program = shader.programs[0]
    if isinstance(program, BitcodeProgram):
        return changed_bitcode(data, other, chance)
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


def _chosen(files: Sequence[bytes], chance: random.Random) -> bytes:
    """Return a file: one in two of any stage, the others of each stage as often."""
    stages = _stages(tuple(files))
    if stages and chance.randrange(2):
        files = stages[chance.randrange(len(stages))]
    return chance.choices(files, [1.0 / (BASE + len(each)) for each in files])[0]


@lru_cache(4)
def _stages(files: tuple[bytes, ...]) -> list[list[bytes]]:
    """Return the files by the stage of their first entry point; of Shader Model 4 and 5, none."""
    found: dict[str, list[bytes]] = {}
    for each in files:
        program = unshade.loads(each).programs[0]
        if isinstance(program, Program):
            return []
        entries = program.entry_points
        found.setdefault(entries[0][1] if entries else "", []).append(each)
    return [*found.values()]
