"""Count parts, compilers and operations in the corpus: `python tools/census.py`.

This writes pages/census.py, a module of numbers with their date. The format pages are made from it,
without the corpus; a test compares it with the corpus if there is one.
"""

import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from pprint import pformat

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import unshade  # noqa: E402
from tests.corpus import containers, corpus_root  # noqa: E402
from tests.ratchet import corpus_name  # noqa: E402
from unshade.formats.dxcontainer import DxContainer  # noqa: E402

CENSUS = ROOT / "tools" / "pages" / "census.py"
PROGRAM_PARTS = ("SHDR", "SHEX")
HEAD = '''"""Parts, compilers, profiles and operations of the corpus, with the number of each.

`PARTS` has the number of files, and the minimum and maximum size in bytes, of each part.
Recorded by tools/census.py; not to be edited.
"""

# fmt: off
DATE = "{date}"
CORPUS = "{corpus}"
'''


def counted(root: Path) -> dict[str, object]:
    """Return the numbers of the module by their names."""
    parts: Counter[str] = Counter()
    sizes: dict[str, tuple[int, int]] = {}
    orders: set[tuple[str, ...]] = set()
    writers: dict[str, Counter[str]] = {}
    operations: Counter[str] = Counter()
    profiles: Counter[str] = Counter()
    files = containers(root)
    for path in files:
        shader = unshade.open(path)
        assert isinstance(shader, DxContainer)
        names = {part.name for part in shader.parts}
        parts.update(names)
        orders.add(tuple(part.name for part in shader.parts))
        for part in shader.parts:
            low, high = sizes.get(part.name, (len(part.data), len(part.data)))
            sizes[part.name] = min(low, len(part.data)), max(high, len(part.data))
        for name in names & set(PROGRAM_PARTS):
            program = shader[name]
            profiles[program.profile] += 1
            operations.update(each.name for each in program.instructions)
            creator = str(shader["RDEF"].creator) if "RDEF" in names else "no RDEF"
            version = f"{name} {program.version.major}.{program.version.minor}"
            writers.setdefault(creator, Counter())[version] += 1
    return {
        "FILES": len(files),
        "ORDERS": len(orders),
        "PARTS": {name: (parts[name], *sizes[name]) for name in sorted(parts)},
        "WRITERS": {name: dict(sorted(writers[name].items())) for name in sorted(writers)},
        "PROFILES": dict(sorted(profiles.items())),
        "OPERATIONS": dict(sorted(operations.items())),
    }


def main() -> None:
    root = corpus_root()
    date, corpus = datetime.now(UTC).date().isoformat(), corpus_name(root)
    values = "".join(
        f"{name} = {pformat(value, width=85)}\n" for name, value in counted(root).items()
    )
    CENSUS.write_text(HEAD.format(date=date, corpus=corpus) + values)


if __name__ == "__main__":
    main()
