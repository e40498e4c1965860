"""What both drivers start from: our own small shaders, and the corpus where there is one."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import unshade  # noqa: E402
from tests.corpus import containers, corpus_root, shbins  # noqa: E402
from tests.fixtures import blog_vs_4_0 as blog  # noqa: E402
from tests.fixtures import shbin  # noqa: E402
from tests.fixtures.one_of_each import one_of_each  # noqa: E402
from tests.programs.tpf.lower.test_coverage import CASES  # noqa: E402
from unshade import UnshadeError  # noqa: E402
from unshade.programs.tpf import Program  # noqa: E402


def own_files() -> list[bytes]:
    """The examples, the article's shader, and one small file of each kind of part and layout."""
    paths = [*(ROOT / "examples").glob("*.dxbc"), *(ROOT / "examples").glob("*.shbin")]
    examples = [path.read_bytes() for path in sorted(paths)]
    return [*one_of_each().values(), *shbin.one_of_each().values(), blog.build(), *examples]


def corpus_files(largest: int) -> list[bytes]:
    """The corpus's files of at most that many bytes; none where there is no corpus."""
    root = corpus_root()
    paths = [*containers(root), *shbins(root)] if root.is_dir() else []
    return [path.read_bytes() for path in paths if path.stat().st_size <= largest]


def programs(largest: int) -> list[bytes]:
    """Files with a shader that can be run, its program of at most so many bytes; in a stable order.

    Our own come first: the vectors of every opcode, and the examples.
    """
    own = [unshade.assemble(each.text, "dxcontainer").to_bytes() for each in CASES]
    root = corpus_root()
    paths = sorted((ROOT / "examples").glob("*.dxbc"))
    if root.is_dir():
        paths += [*sorted((root / "execution").glob("*.dxbc")), *containers(root)]
    found = {}
    for data in [*own, *(path.read_bytes() for path in paths)]:
        held = unshade.loads(data).programs
        if not held or not isinstance(held[0], Program) or len(held[0].encode()) > largest:
            continue
        try:
            held[0].lower()
        except UnshadeError:
            continue
        found[data] = None  # some stand in several folders
    return list(found)
