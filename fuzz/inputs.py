"""Inputs of both drivers: our own small shaders, and the corpus if there is one."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT), str(ROOT / "benchmarks")]

import seeded_patches  # noqa: E402
import seeded_stages  # noqa: E402

import unshade  # noqa: E402
from tests.corpus import containers, corpus_root, pdbs, shbins  # noqa: E402
from tests.fixtures import blog_vs_4_0 as blog  # noqa: E402
from tests.fixtures import pdbs as pdb_files  # noqa: E402
from tests.fixtures import shbin  # noqa: E402
from tests.fixtures.one_of_each import one_of_each  # noqa: E402
from tests.hostile.seeds import own_bitcode, own_modules, own_shaders, runnable  # noqa: E402
from unshade.programs.dxil.program import Program as Bitcode  # noqa: E402
from unshade.programs.spirv.program import Program as ModuleProgram  # noqa: E402

DOMAINS = (
    "Triangles SpacingEqual VertexOrderCw", "Quads SpacingFractionalEven VertexOrderCcw",
    "Isolines SpacingFractionalOdd VertexOrderCw",
)  # fmt: skip


def own_files() -> list[bytes]:
    """The examples, the article's shader, and one small file of each kind of part and layout."""
    paths = [each for kind in ("dxbc", "dxil", "shbin") for each in ROOT.glob(f"examples/*.{kind}")]
    examples = [path.read_bytes() for path in sorted(paths)]
    made = [
        *one_of_each().values(),
        *shbin.one_of_each().values(),
        *pdb_files.one_of_each().values(),
    ]
    return [*made, blog.build(), *examples]


def corpus_files(largest: int) -> list[bytes]:
    """The corpus's files of at most that many bytes; none where there is no corpus."""
    root = corpus_root()
    paths = [*containers(root), *shbins(root), *pdbs(root)] if root.is_dir() else []
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
