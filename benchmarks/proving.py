"""Which faults `unshade.prove` sees, and whether it is silent about shaders that are equal.

    python benchmarks/proving.py [--family NAME] [--shaders 20] [--mutants 100] [--equals 170]
    python benchmarks/proving.py --options

Of each family, mutants of shaders of the corpus, drawn by a seed (tests/run/proving/mutants.py).
What `prove` calls equal is run again on many more arguments, of other distributions: random bits,
all exponents, small whole numbers, and the numbers of the code with their neighbours. A mutant that
these tell apart was not seen. Equal pairs are shaders written otherwise; every difference is wrong.
With --options, they are the sources of the corpus's `execution` folder, compiled by Slang without
debug information and optimised more. (Not optimised at all, four of 58 differ by a rounding:
spirv-opt multiplies by the reciprocals of constants.)
"""

import argparse
import functools
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import unshade
from tests.corpus import corpus_root
from tests.run.proving.mutants import NUMBER, Rewritten
from unshade.run.kernels import Kernel
from unshade.run.proving import Proof, numbers, prove
from unshade.run.proving.numbers import NumberSource

print = functools.partial(print, flush=True)
Array = npt.NDArray[Any]
FOLDERS = {
    "dxbc": ("dxcontainer/**/*.dxbc", "execution/*.dxbc"),
    "dxil": ("dxcontainer/**/*.dxil", "execution/*.dxil"),
    "shbin": ("shbin/**/*.shbin",),
    "sksl": ("sksl/programs/**/*.skslb",),
    "spirv": ("execution/*.spv", "execution/vulkan/**/*.spv"),
    "vbc": ("vbc/head/*.vbc", "vbc/patched/*.vbc"),
}
SLOWEST = 0.4  # seconds of two rounds: a shader that takes longer is left out
BUDGET = 4_000  # turns of loops
LANES, ROUNDS = 1_024, 60  # of the search in what is called equal
LARGEST = 40_000  # bytes of a file


def kernel(made: Rewritten, shader: unshade.Shader) -> Kernel:
    """Return a kernel in lockstep, which needs no compilation."""
    found = made.kernel(shader)
    found.budget = BUDGET
    return found


def shaders(root: Path, family: str, count: int, seed: int) -> Iterator[tuple[Path, Rewritten]]:
    """Yield shaders of the corpus that run in little time."""
    chance = random.Random(f"{family} {seed}")
    paths = sorted({path for glob in FOLDERS[family] for path in root.glob(glob)})
    chance.shuffle(paths)
    given = 0
    for path in paths:
        if "malformed" in str(path) or path.stat().st_size > LARGEST:
            continue
        try:
            made = Rewritten.of(unshade.open(path), chance)
            start = time.perf_counter()
            proof = prove(
                kernel(made, made.shader), kernel(made, made.assembled(made.text)), rounds=2
            )
        except (unshade.UnshadeError, IndexError, ValueError, KeyError):
            continue
        if len(made.code) < 4 or not proof.compared or time.perf_counter() - start > SLOWEST:
            continue
        if any("round" in each for each in proof.uncovered):
            continue
        yield path, made
        given += 1
        if given == count:
            return


def drawn(literals: Array) -> Callable[..., Array]:
    """Return a source of numbers of other distributions than those of `prove`."""

    def numbers_of(source: NumberSource, dtype: Any, shape: Any) -> Any:
        chance, round, kind = source.chance, source.round, np.dtype(dtype)
        if kind.kind == "b":
            return chance.integers(0, 2, shape).astype(kind)
        bits = chance.integers(0, 256, (*shape, kind.itemsize), np.uint8).view(kind)[..., 0]
        small = chance.integers(-4, 20, shape).astype(np.int64).astype(kind)
        edges = chance.choice(numbers.edge_values(kind), shape)
        with np.errstate(all="ignore"):
            near = chance.choice(literals, shape) * chance.choice(
                [1, 1, 1 + 1e-6, 1 - 1e-6, -1, 2], shape
            )
            if kind.kind == "f":
                wide = (chance.normal(0, 1, shape) * 10.0 ** chance.integers(-6, 7, shape)).astype(
                    kind
                )
                plain = chance.uniform(-3, 3, shape).astype(kind)
            else:
                wide = (1 << chance.integers(0, 31, shape)).astype(kind)
                plain = chance.integers(0, 300, shape).astype(kind)
            near = np.nan_to_num(near, posinf=0, neginf=0).clip(-2e9, 2e9).astype(kind)
        which = chance.integers(0, 6, shape) if round % 2 else np.full(shape, round // 2 % 6)
        return np.choose(which, [plain, small, near, wide, bits, edges]).astype(kind)

    return numbers_of


def told_apart(one: Any, two: Any, made: Rewritten) -> Proof:
    """Return a search over many more arguments."""
    code = "\n".join(filter(made.family.code, made.text.splitlines()))
    literals = np.array([0.0, 1.0, *(float(each) for each in re.findall(NUMBER, code))])
    with patch.object(NumberSource, "numbers", drawn(literals)):
        return prove(one, two, rounds=ROUNDS, lanes=LANES, seed=99)


OPTIONS: tuple[dict[str, Any], ...] = (
    {"debug": False}, {"optimise": 2}, {"debug": False, "optimise": 3},
)  # fmt: skip


def other_options() -> None:
    """Count the pairs of one source with other options of the compiler."""
    pairs = differ = 0
    folder = corpus_root() / "execution"
    for path in sorted([*folder.glob("*.comp"), *folder.glob("*.sm50.hlsl")]):
        if not path.name.startswith("c"):
            continue
        given: dict[str, Any] = {"stage": "compute", "entry": "main", "compiler": "slang"}
        if path.suffix == ".comp":
            given["language"] = "glsl"
        try:
            made = [unshade.compile(path, **given, **each) for each in ({}, *OPTIONS)]
            first, *others = (unshade.kernel(each, engine="lockstep") for each in made)
        except unshade.UnshadeError:
            continue
        for each, options in zip(others, OPTIONS, strict=True):
            first.budget = each.budget = BUDGET
            proof = prove(first, each, rounds=6, lanes=64)
            pairs += 1
            if proof.difference is not None:
                differ += 1
                print(f"  differ: {path.name} with {options}: {proof.difference}")
    print(f"{pairs} pairs, {differ} differ")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", choices=FOLDERS, action="append")
    parser.add_argument("--shaders", type=int, default=20)
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--equals", type=int, default=170)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true", help="also list equal mutants")
    parser.add_argument("--options", action="store_true")
    given = parser.parse_args()
    if given.options:
        other_options()
        return 0
    print(
        f"{'family':8}{'shaders':>8}{'mutants':>9}{'told apart':>12}{'seen':>6}"
        f"{'equal pairs':>13}{'differ':>8}"
    )
    for family in given.family or FOLDERS:
        started = time.perf_counter()
        chosen = list(shaders(corpus_root(), family, given.shaders, given.seed))
        chance = random.Random(f"{family} {given.seed}")
        seen = missed = mutants = equals = differ = 0
        for at in range(len(chosen)):
            path, made = chosen[at]
            wanted = given.mutants * (at + 1) // len(chosen) - given.mutants * at // len(chosen)
            done: set[str] = set()
            for words, mutant in made.mutants(chance):
                if wanted <= 0 or len(done) > 50:
                    break
                if words in done:
                    done.add(str(len(done)))
                    continue
                done.add(words)
                try:
                    one, two = kernel(made, made.shader), kernel(made, mutant)
                    found = prove(one, two)
                except unshade.UnshadeError:
                    continue
                wanted -= 1
                mutants += 1
                if found.difference is not None:
                    seen += 1
                    continue
                more = told_apart(one, two, made)
                if more.difference is not None:
                    missed += 1
                    print(f"  not seen: {path.name}: {words}\n    {more.difference}")
                elif given.verbose:
                    print(f"  equal: {path.name}: {words}")
            wanted = given.equals * (at + 1) // len(chosen) - given.equals * at // len(chosen)
            for other in made.equals(chance):
                if wanted <= 0:
                    break
                wanted -= 1
                found = prove(kernel(made, made.shader), kernel(made, other))
                equals += 1
                if found.difference is not None:
                    differ += 1
                    print(f"  differ: {path.name}: {found.difference}")
        print(
            f"{family:8}{len(chosen):>8}{mutants:>9}{seen + missed:>12}{seen:>6}{equals:>13}"
            f"{differ:>8}   {time.perf_counter() - started:.0f} s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
