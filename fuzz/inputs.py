"""Inputs of both drivers: our own small shaders, and the corpus if there is one."""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT), str(ROOT / "benchmarks")]

import seeded_patches  # noqa: E402
import seeded_stages  # noqa: E402

import unshade  # noqa: E402
from tests.corpus import (  # noqa: E402
    containers,
    corpus_root,
    pdbs,
    shbins,
    sksl_modules,
    sksl_programs,
)
from tests.fixtures import blog_vs_4_0 as blog  # noqa: E402
from tests.fixtures import pdbs as pdb_files  # noqa: E402
from tests.fixtures import (  # noqa: E402
    shbin,
    vbc,
)
from tests.fixtures.one_of_each import one_of_each  # noqa: E402
from tests.hostile.seeds import own_bitcode, own_modules, own_shaders, runnable  # noqa: E402
from tests.programs.sksl import samples as sksl  # noqa: E402
from unshade import UnshadeError  # noqa: E402
from unshade.program import Program as AnyProgram  # noqa: E402
from unshade.programs.dxil.program import Program as Bitcode  # noqa: E402
from unshade.programs.spirv.program import Program as ModuleProgram  # noqa: E402

DOMAINS = (
    "Triangles SpacingEqual VertexOrderCw", "Quads SpacingFractionalEven VertexOrderCcw",
    "Isolines SpacingFractionalOdd VertexOrderCw",
)  # fmt: skip


# The suffixes of each kind of file.
SUFFIXES = {
    "dxcontainer": (".dxbc", ".dxil"), "shbin": (".shbin",), "pdb": (".pdb",), "spirv": (".spv",),
    "vbc": (".vbc",), "sksl": (".skslb", ".bin"),
}  # fmt: skip
KINDS = tuple(SUFFIXES)
USUAL = KINDS[:3]


def own_files(kinds: Sequence[str] = USUAL) -> list[bytes]:
    """The examples, the article's shader, and one small file of each kind of part and layout."""
    suffixes = [each for kind in kinds for each in SUFFIXES[kind]]
    paths = [path for path in sorted(ROOT.glob("examples/*")) if path.suffix in suffixes]
    made: dict[str, Iterable[bytes]] = {
        "dxcontainer": [*one_of_each().values(), blog.build()],
        "shbin": shbin.one_of_each().values(),
        "pdb": pdb_files.one_of_each().values(),
        "spirv": own_modules(),
        "vbc": vbc.one_of_each().values(),
        "sksl": sksl.one_of_each().values(),
    }
    return [*(each for kind in kinds for each in made[kind]), *(one.read_bytes() for one in paths)]


def corpus_files(largest: int, kinds: Sequence[str] = USUAL) -> list[bytes]:
    """The corpus's files of at most that many bytes; none where there is no corpus."""
    root = corpus_root()
    if not root.is_dir():
        return []
    of_kind: dict[str, Callable[[], list[Path]]] = {
        "dxcontainer": lambda: containers(root),
        "shbin": lambda: shbins(root),
        "pdb": lambda: pdbs(root),
        "spirv": lambda: sorted(root.rglob("*.spv")),
        "vbc": lambda: sorted((root / "vbc").rglob("*.vbc")),
        "sksl": lambda: [*sksl_programs(root), *sksl_modules(root)],
    }
    paths = [path for kind in kinds for path in of_kind[kind]()]
    return [path.read_bytes() for path in paths if path.stat().st_size <= largest]


def modules(largest: int) -> list[bytes]:
    """Modules of SPIR-V that can be run, of at most so many bytes; our own first."""
    root = corpus_root() / "execution"
    paths = [*sorted(root.glob("*.spv")), *sorted((root / "vulkan" / "spv").glob("*.spv"))]
    corpus = [path.read_bytes() for path in paths if path.stat().st_size <= largest]
    return runnable([*own_modules(), *stages(), *corpus], largest, ModuleProgram)


def stages() -> list[bytes]:
    """Vertex, geometry and tessellation shaders of SPIR-V, generated."""
    texts = [seeded_stages.vertex()]
    kinds, streams = [*seeded_stages.INPUTS], [*seeded_stages.STREAMS]
    for seed in range(30):
        stream = streams[seed // len(kinds) % len(streams)]
        texts.append(seeded_stages.geometry(seed, kinds[seed % len(kinds)], stream))
    for seed, domain in enumerate(DOMAINS * 4):
        points = 1 + seed % 5
        texts.append(seeded_patches.control(seed, 1 + seed % 6, points))
        texts.append(seeded_patches.evaluation(seed, points, domain))
    return [unshade.assemble(text, "spirv", target="vulkan1.1").to_bytes() for text in texts]


def programs(largest: int) -> list[bytes]:
    """Shaders that can be run, their programs of at most so many bytes; in a stable order, our own
    first.
    """
    root = corpus_root()
    paths = [*sorted((root / "execution").glob("*.dxbc")), *containers(root)]
    corpus = [path.read_bytes() for path in paths] if root.is_dir() else []
    return runnable([*own_shaders(), *corpus], largest)


def bitcode(largest: int) -> list[bytes]:
    """Shaders of DXIL that can be run, their programs of at most so many bytes; our own first."""
    root = corpus_root()
    paths = [each for each in sorted(root.rglob("*.dxil")) if "malformed" not in each.parts]
    return runnable([*own_bitcode(), *(path.read_bytes() for path in paths)], largest, Bitcode)


def containers_of(kind: str, largest: int) -> list[bytes]:
    """SHBIN, SkSL or VBC files whose first program can be run, of at most so many bytes."""
    files = [*own_files([kind]), *corpus_files(largest, [kind])]
    return runnable([each for each in files if _can_be_read(each)], largest, AnyProgram)


def _can_be_read(data: bytes) -> bool:
    try:
        return bool(unshade.loads(data).programs)
    except UnshadeError:
        return False
