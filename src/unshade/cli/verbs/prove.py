"""`unshade prove`: run two shaders, or one on both engines, on seeded arguments and compare."""

from typing import TYPE_CHECKING, Any

from ...errors import UsageError, with_origin
from .. import exits
from ..commands import ProveOptions
from ..debug_lines import coloured
from ..inputs import Input, run_over, single
from ..kernels import open_kernel
from ..output import CommandOutput
from ..pairs import Pair
from ..progress import bar
from ..shapes import AMPLIFIES, STEP_THAT_DIFFERS, Shape
from ..sources import use

if TYPE_CHECKING:
    from ...run.kernels import Kernel

ENGINES = ("lockstep", "jit")  # of one shader
CODES = {"equal": exits.FINE, "different": exits.FINDING, "unknown": exits.LIMIT}
DIFFERENCE: dict[str, Shape] = {
    "round": "integer", "name": "string", "lane": "any", "first": "any", "second": "any",
    "ulp": "any", "lanes": "integer",
}  # fmt: skip
EXPLANATION: dict[str, Shape] = {
    "step": ("null", STEP_THAT_DIFFERS), "apart": "any", "moved_apart": "any",
    "lines": [AMPLIFIES], "of_both": "boolean",
}  # fmt: skip
SHAPE: dict[str, Shape] = {
    "equal": "boolean", "verdict": "string", "rounds": "integer", "compared_rounds": "integer",
    "lanes": "integer", "seed": "integer", "compared": "any", "uncovered": "any",
    "assumed": "any",
    "difference": ("null", DIFFERENCE),
    "explanation": ("null", EXPLANATION),
}  # fmt: skip


def run(given: ProveOptions) -> int:
    """Compare; return 1 if a lane differs, and 5 if nothing could be compared."""
    for file in given.files:
        single(file)
    if len(given.files) > len(ENGINES):
        raise UsageError(f"expected one or two shaders, got {len(given.files)}")
    use(given.sources)
    first, second = Input(given.files[0]), Input(given.files[-1])
    out = CommandOutput(given.output, as_json=given.as_json)

    def opened(item: Input, engine: str) -> "Kernel":
        from .. import values

        options: dict[str, Any] = values.options(given)
        with with_origin(item.name):
            kernel = open_kernel(item, given.program, engine, **options)
        return kernel

    def compare(pair: Pair) -> int:
        from ...run.proving import loop_budget, prove

        engines = ENGINES if len(given.files) == 1 else (given.engine, given.engine)
        kernels = [
            opened(each, engine) for each, engine in zip((first, second), engines, strict=True)
        ]
        allowed = loop_budget(*kernels) if given.budget is None else given.budget
        for kernel in kernels:
            kernel.budget = allowed
        with bar(1, "rounds") as advance:
            proof = prove(
                *kernels, rounds=given.rounds, lanes=given.lanes, seed=given.seed, ulp=given.ulp,
                progress=advance,
            )  # fmt: skip
        found = None
        if proof.difference is not None:
            found = proof.explain(second.open_program(compiling=True).programs[0].step)
        if given.as_json:
            explanation = None if found is None else found.to_dict()
            out.document(pair, {**proof.to_dict(), "explanation": explanation})
        else:
            for line in f"{proof}".splitlines():
                out.line(line)
            if found is not None:
                coloured(out, found.shown())
        return CODES[proof.verdict]

    counts = run_over([Pair(first, second)], compare, out)
    return max(counts)
