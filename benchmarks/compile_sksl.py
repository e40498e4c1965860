"""Compiling SkSL, against Skia's own compiler in skia-python.

    python benchmarks/compile_sksl.py [FOLDER]

Every runtime shader (.rts) of the folder, by default the corpus, that both compile: here from the
source to the bytes of a program, there by `RuntimeEffect.MakeForShader`, which also generates code
for Skia's raster pipeline. Processor time of one process, the best of several rounds.
"""

import argparse
import sys
from pathlib import Path

from peers import best_of

import unshade
from tests.corpus import corpus_root


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="default: the corpus")
    folder = parser.parse_args().folder or corpus_root() / "sksl" / "source"
    try:
        import skia
    except ImportError:
        print("skia-python is not installed, so there is nothing to compare with", file=sys.stderr)
        return 2
    texts = []
    for path in sorted(folder.rglob("*.rts")):
        text = path.read_text(encoding="utf-8")
        try:
            unshade.assemble(text, "sksl", kind="runtime_shader").to_bytes()
            skia.RuntimeEffect.MakeForShader(text)
        except (unshade.UnshadeError, RuntimeError, ValueError):
            continue
        texts.append(text)
    if not texts:
        print("no shader that both compile: UNSHADE_CORPUS names the corpus", file=sys.stderr)
        return 2

    def ours() -> None:
        for text in texts:
            unshade.assemble(text, "sksl", kind="runtime_shader").to_bytes()

    def theirs() -> None:
        for text in texts:
            skia.RuntimeEffect.MakeForShader(text)

    times = best_of({"unshade": ours, "skia-python": theirs}, rounds=5)
    print(f"{len(texts)} shaders")
    for name, seconds in times.items():
        print(f"    {name:12} {1e3 * seconds / len(texts):8.3f} ms a shader"
              f"   {seconds / times['skia-python']:6.1f} x")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
