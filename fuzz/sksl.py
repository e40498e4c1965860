"""SkSL programs on both engines: the same bits everywhere, and never another error than ours.

    python fuzz/sksl.py --first 0 --count 1000
    python fuzz/sksl.py --mutated --first 0 --count 100000

Seed n is a shader, a colour filter or a blender by turns (tests/programs/sksl/generate.py). Each is
run from source in lockstep, as it was lowered and simplified, and in the jit, with code that was
made quickly, that was optimised, and that was changed during the call (tests/hostile/tiers.py);
every other one also from the binary. With `--mutated` its typed tree is changed
(tests/hostile/sksl_mutants.py), or for one seed in eight up to four bytes of its binary, and what
can still be read runs on both engines, with a budget of 60 iterations. Prints one line of JSON: how
many programs were run, the seeds that differ, exceptions. Ends with status 1 if there is any.
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / each) for each in ("src", "")]

import unshade  # noqa: E402
from tests.conformance.effects import Effect, generated_effect, inputs_of  # noqa: E402
from tests.hostile.sksl_mutants import changed_bytes, changed_tree  # noqa: E402
from tests.hostile.tiers import continued, optimised  # noqa: E402
from unshade.formats.sksl import SkslShader  # noqa: E402
from unshade.run.runner import Runner  # noqa: E402

KINDS = ("shader", "filter", "blender")
PIXELS = 64
BUDGET = 60
CHUNKS = 64  # of a call, at most: lockstep runs all lanes together and may count CHUNKS times more
OPTIMISED = 12  # one mutant in OPTIMISED also runs as optimised code, one continues with it
BYTES = 8  # one mutant in BYTES has bytes changed, not the tree


def effect_of(seed: int) -> Effect:
    """Return the effect of a seed."""
    return generated_effect(KINDS[seed % len(KINDS)], seed)


def compared(effect: Effect, shader: unshade.Shader, seed: int, *, whole: bool = True) -> str:
    """Return what differs between the engines; empty if nothing does."""
    plain = unshade.kernel(shader, engine="lockstep")
    kernels: list[Runner] = [plain, unshade.kernel(shader, engine="jit")]
    if whole:
        kernels.append(plain.debug(checks=False))
    if whole or seed % OPTIMISED == 0:
        kernels.append(optimised(plain))
    if whole or seed % OPTIMISED == 1:
        kernels.append(continued(plain))
    given = [each.reshape(-1, each.shape[-1]) for each in inputs_of(effect.kind)]
    rows = {
        row.label: each[:: len(each) // PIXELS, : len(row.ports)]
        for row, each in zip(plain.inputs, given, strict=False)
    }
    bound = effect.uniforms
    if not whole:
        bound = {
            binding.name: bytes(range(256)) * (1 + binding.resource.size // 256)
            for binding in plain.bindings
            if binding.form == "constants"
        }

    def left(kernel: Runner, budget: int) -> object:
        kernel.budget = kernel.budget if whole else budget
        try:
            found = kernel.shade(rows or (8, 8), **bound)
        except unshade.UnshadeError as error:
            return type(error).__name__
        return b"".join(found[name].tobytes() for name in found)

    results = [left(each, BUDGET) for each in kernels]
    if OVER in results and results != [OVER] * len(results):
        results = [left(each, BUDGET * CHUNKS) for each in kernels]
    return "" if all(each == results[0] for each in results) else "the engines differ"


def generated(seed: int) -> str:
    """Compare an effect from source and, of every other seed, from the binary."""
    effect = effect_of(seed)
    found = compared(effect, effect.shader, seed)
    if not found and seed % 2:
        found = compared(effect, unshade.loads(effect.shader.to_bytes()), seed)
    return found or "same"


def tree(data: bytes, chance: Random) -> bytes:
    """Return a file with another tree."""
    shader = unshade.loads(data)
    assert isinstance(shader, SkslShader)
    return changed_tree(shader, chance)


def mutated(seed: int) -> str:
    """Compare what is left of an effect with another tree, or with some other bytes."""
    number = seed // 50  # 50 changes of each, since compiling takes longest
    if number not in KNOWN:
        KNOWN[number] = effect_of(number)
    effect = KNOWN[number]
    chance = Random(seed)
    data = effect.shader.to_bytes()
    try:
        shader = unshade.loads(
            changed_bytes(data, chance) if seed % BYTES == 0 else tree(data, chance)
        )
    except unshade.EncodeError:
        return "not written"
    except unshade.UnshadeError:
        return "not read"
    try:
        return compared(effect, shader, seed, whole=False) or "same"
    except unshade.UnshadeError:
        return "refused"


KNOWN: dict[int, Effect] = {}
EXPECTED = ("same", "refused", "not read", "not written")
OVER = "LimitError"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--mutated", action="store_true")
    given = parser.parse_args()
    found: dict[int, str] = {}
    counts: Counter[str] = Counter()
    start = time.process_time()
    for seed in range(given.first, given.first + given.count):
        try:
            result = mutated(seed) if given.mutated else generated(seed)
        except Exception as error:  # a finding, whatever it is
            result = f"{type(error).__name__}: {error}"[:200]
        counts[result if result in EXPECTED else "found"] += 1
        if result not in EXPECTED:
            found[seed] = result
            print(seed, result, file=sys.stderr, flush=True)
    seconds = round(time.process_time() - start)
    print(json.dumps({**counts, "first": given.first, "found": found, "cpu seconds": seconds}))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
