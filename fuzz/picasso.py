"""Generated sources, assembled by picasso and by us; and the texts of what came out.

    UNSHADE_PICASSO=/usr/bin/picasso python fuzz/picasso.py --first 0 --count 10000

Of each program either both make the same file or both refuse it. The file comes back from its exact
text and from its native one, and picasso -n makes it of the native files too. Prints one line of
JSON with the counts; a seed that breaks one of these is named, and the run ends with status 1.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import inputs  # noqa: F401  # puts the repository on the path

import unshade
from tests.programs.pica.generated_sources import sources
from unshade import UnshadeError
from unshade.isa.source import Source

PICASSO = os.environ.get("UNSHADE_PICASSO") or shutil.which("picasso") or "picasso"


def by_picasso(texts: Mapping[str, str], folder: Path, *options: str) -> bytes | None:
    names = []
    for name, text in texts.items():
        path = folder / name.lstrip(".")
        path.write_text(text)
        names.append(str(path))
    out = folder / "out"
    command = [PICASSO, *options, "-o", str(out), *names]
    done = subprocess.run(command, capture_output=True, check=False)
    return out.read_bytes() if done.returncode == 0 else None


def assembled(texts: Mapping[str, str], nops: bool | None) -> bytes | None:
    given = [Source(text, name) for name, text in texts.items()]
    try:
        return unshade.assemble(given, "shbin", nops=nops).to_bytes()
    except UnshadeError:
        return None


def outcome(seed: int, folder: Path) -> str:
    """Return the outcome of a seed; a word with a capital is a broken promise."""
    texts, nops = dict(sources(seed)), seed % 3 != 0
    data = assembled(texts, nops)
    if data != by_picasso(texts, folder, *([] if nops else ["-n"])):
        return "Differs"
    if data is None:
        return "refused by both"
    shader = unshade.loads(data)
    for dialect in ("exact", "native"):
        if assembled(shader.listings(dialect), None) != data:
            return f"Lost by {dialect} text"
    if by_picasso(shader.listings(), folder, "-n") != data:
        return "Lost by picasso"
    return "the same file"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            what = outcome(seed, Path(folder))
            seen[what] += 1
            if what[0].isupper():
                print(f"seed {seed}: {what}")
    print(json.dumps({"seeds": options.count, "first": options.first, **seen}))
    return int(any(what[0].isupper() for what in seen))


if __name__ == "__main__":
    raise SystemExit(main())
