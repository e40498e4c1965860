"""Which sources each installed compiler takes, and whether what it makes computes what it should.

    python benchmarks/compiling.py golden [--compiler NAME]
    python benchmarks/compiling.py corpus [--compiler NAME] [--count 200] [--part 1/4]

`golden`: the GLSL and HLSL sources of the corpus's `execution` folder, compiled, run on both
engines and compared with the recorded results. `corpus`: HLSL of the corpus beside its compiled
form, drawn by a seed: compiled, run on both engines on the arguments of `unshade.prove`, which have
to return equal bits, and compared with the container. Refusals are counted by reason.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import unshade
from tests.conformance.test_execution import Environment
from tests.conformance.test_spirv_execution import golden_verdict
from tests.corpus import corpus_root
from unshade.compilers import SourceLanguage
from unshade.compilers.registry import OWN
from unshade.errors import BudgetError, CompileError
from unshade.ir.lowered import Form
from unshade.run import Texture
from unshade.run.kernels import Kernel
from unshade.run.proving import prove

SHIFT = 100  # between the classes of registers of HLSL
REASON = re.compile(r"['\"`][^'\"`]*['\"`]|\b\d+\b|%\w+")
STAGES = {"vs": "vertex", "ps": "pixel", "cs": "compute", "gs": "geometry", "hs": "hull",
          "ds": "domain"}  # fmt: skip
BUDGET = 4_000
ENGINES = {"equal": "engines agree", "different": "engines differ", "unknown": "no round ends"}


def compilers(name: str | None) -> list[Any]:
    """Return the installed compilers."""
    return [each for each in OWN if not each.missing() and name in (None, each.name)]


def reason(error: Exception) -> str:
    """Return the reason of a refusal without names and numbers."""
    text = error.problem if isinstance(error, CompileError) else str(error)
    return f"{type(error).__name__}: {REASON.sub('…', text)[:110]}"


def golden(compiler: Any) -> None:
    """Count the sources with recorded results."""
    folder = corpus_root() / "execution"
    manifest = json.loads((folder / "golden" / "manifest.json").read_text())
    counts: Counter[str] = Counter()
    for path in sorted([*folder.glob("c*.comp"), *folder.glob("c*.hlsl")]):
        language = SourceLanguage.HLSL if path.suffix == ".hlsl" else SourceLanguage.GLSL
        if language not in compiler.languages:
            continue
        base = re.match(r"c\d+_\w+\.comp", path.name)
        assert base is not None
        counts["sources"] += 1
        try:
            shader = unshade.compile(
                path, language=str(language), stage="compute", entry="main", compiler=compiler.name
            )
            known = {each.id for each in shader.reflect().specialisation_constants}
            options: dict[str, Any] = {"constants": {10: 64}} if 10 in known else {}
            kernels = [
                unshade.kernel(shader, engine=each, **options) for each in ("lockstep", "jit")
            ]
        except unshade.UnshadeError as error:
            counts[reason(error)] += 1
            print(f"  {path.name}: {error.__class__.__name__}: {str(error)[:150]}")
            continue
        counts["compiled"] += 1
        words = np.fromfile(folder / "golden" / f"{base[0]}.out", "<u4")
        groups = manifest[base[0]]["groups"]
        name = path.name[:3]
        if name == "c25" and language is SourceLanguage.HLSL:
            groups = [128, 1, 1]
        results = []
        for kernel in kernels:
            try:
                result = kernel.dispatch(tuple(groups), **bound(kernel, name))
            except unshade.UnshadeError as error:
                counts[f"run: {reason(error)}"] += 1
                break
            written = next(each for each in kernel.bindings if number(each.name) == 1)
            memory = np.ascontiguousarray(result[written.name]).reshape(-1).view("<u4")
            results.append(memory[: len(words)])
        else:
            counts["engines agree" if (results[0] == results[1]).all() else "engines differ"] += 1
            found = golden_verdict(name, words, results[0])
            counts[found] += 1
            if found == "outside":
                print(f"  outside: {path.name}")
    told(compiler, counts)


def number(name: str) -> int:
    """Return the number of a binding: registers of one class may follow those of another."""
    digits = re.findall(r"\d+", name)
    return int(digits[-1]) % SHIFT if digits else 0


def bound(kernel: Kernel, name: str) -> dict[str, Any]:
    """Return the bindings of the environment."""
    environment = Environment()
    found: dict[str, Any] = {}
    for each in kernel.bindings:
        at = number(each.name)
        if each.form is Form.CONSTANTS:
            values = environment.constants
            if each.resource.size > 32:  # the columns of the matrix are 16 bytes apart
                values = [*values[:6], 0.0, 0.0, *values[6:], 0.0, 0.0]
            data = np.array(values, "<f4")
            data.view("<u4")[0] = 9
            found[each.name] = data
        elif each.form is Form.SAMPLER:
            found[each.name] = environment.sampler
        elif each.form is Form.TEXTURE:
            sampler = environment.sampler if each.combined else None
            found[each.name] = Texture(environment.textures[at].copy(), sampler=sampler)
        else:
            found[each.name] = environment.buffers[at].copy().view(np.uint8)
    return found


def corpus(compiler: Any, count: int, part: str) -> None:
    """Count HLSL of the corpus."""
    if SourceLanguage.HLSL not in compiler.languages:
        return
    folder = corpus_root() / "dxcontainer"
    paths = [
        path
        for path in sorted(folder.rglob("*.hlsl"))
        if any(path.with_suffix(each).exists() for each in (".dxbc", ".dxil"))
    ]
    random.Random(31).shuffle(paths)
    first, of = map(int, part.split("/"))
    counts: Counter[str] = Counter()
    for path in paths[:count][first - 1 :: of]:
        beside = next(
            path.with_suffix(each) for each in (".dxbc", ".dxil") if path.with_suffix(each).exists()
        )
        counts["sources"] += 1
        profile, entry = called(path)
        stage = STAGES.get(profile[:2])
        try:
            shader = unshade.compile(path, stage=stage, entry=entry, compiler=compiler.name)
        except unshade.UnshadeError as error:
            counts[f"compile: {reason(error)}"] += 1
            continue
        counts["compiled"] += 1
        try:
            one, two = (kernel(shader, each) for each in ("lockstep", "jit"))
            engines = prove(one, two, rounds=2, lanes=32)
        except unshade.UnshadeError as error:
            counts[f"run: {reason(error)}"] += 1
            continue
        counts[ENGINES[engines.verdict]] += 1
        if engines.difference is not None:
            print(f"  engines: {path.name}: {engines.difference}")
        try:
            other = kernel(unshade.open(beside), "lockstep")
            found = prove(one, other, rounds=2, lanes=32, ulp=64)
        except (unshade.UnshadeError, BudgetError) as error:
            counts[f"beside: {reason(error)}"] += 1
            continue
        outputs = [each for each in found.compared if each != "covered"]
        word = "differs" if found.verdict == "different" else found.verdict
        counts[f"beside: {word if outputs else 'no common output'}"] += 1
        if found.difference is not None:
            print(f"  beside: {path.name}: {str(found.difference)[:160]}")
    told(compiler, counts)


def kernel(shader: Any, engine: str) -> Kernel:
    """Return a kernel with few turns of loops."""
    made = unshade.kernel(shader, entry=shader.programs[0].entry_points[0].name, engine=engine)
    made.budget = BUDGET
    return made


def called(path: Path) -> tuple[str, str | None]:
    """Return the profile and entry point that a source was compiled with."""
    arguments = path.with_suffix(".args.txt")
    if arguments.exists():
        words = arguments.read_text().split()
        entry = words[words.index("-E") + 1] if "-E" in words else "main"
        return words[words.index("-T") + 1] if "-T" in words else "", entry
    profile = path.with_suffix(".profile.txt")
    return profile.read_text().strip() if profile.exists() else "", None


def told(compiler: Any, counts: Counter[str]) -> None:
    """Print counts."""
    print(f"{compiler.name} {compiler.version()}")
    for words, amount in counts.most_common():
        print(f"{amount:>6}  {words}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("golden", "corpus"))
    parser.add_argument("--compiler")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--part", default="1/1", help="of the sources: 2/4 is every fourth")
    given = parser.parse_args()
    for compiler in compilers(given.compiler):
        if given.what == "golden":
            golden(compiler)
        else:
            corpus(compiler, given.count, given.part)
    return 0


if __name__ == "__main__":
    sys.exit(main())
