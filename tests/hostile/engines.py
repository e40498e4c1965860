"""A shader on both engines with random bindings: equal bits, or equal errors.

    compared(data, chance) -> "ran"                        both gave the same bits
                              "UnsupportedError: lowering"  refused, and where
                              "budget"                      both met a loop that does not end
    Differs                                                 what the two do not agree on

Buffers and textures are small, so that many accesses lie outside of them; numbers are often odd
ones (NaN, infinities, the ends of the integers). Programs whose lanes race have no one result: what
differs then is counted, as "races", and nothing more.
"""

import random
from copy import deepcopy
from typing import Any

import numpy as np

import unshade
from tests.hostile.arguments import Call, bindings, random_call
from tests.hostile.tiers import continued, like, optimised, stored
from tests.kernels import kernel_of
from unshade import Shader
from unshade.errors import LimitError, UnshadeError, UnsupportedError
from unshade.run import Sampler, Texture, engines
from unshade.run.runner import Runner
from unshade.vm.lockstep.debug.order import WatchedLockstep

BUDGET = 60  # iterations of loops
CHUNKS = 64  # of a call, at most; lockstep runs all lanes together and may count CHUNKS times more
LOOKED_AT = 4  # one case in LOOKED_AT also runs in the debugger, as it was lowered
OPTIMISED = 12  # one case in OPTIMISED also runs as optimised code, one continues with it
STORED = 48  # one case in STORED also runs as code from the cache


class Differs(AssertionError):
    """The engines have different results."""


# ---------------------------------------------------------------- comparing


def _left(
    call: Call, kernel: Runner, given: dict[str, Any], *, counts: bool = True
) -> dict[str, bytes] | UnshadeError:
    """Return the bytes of all results, and of the report if it `counts`, or the error."""
    own = deepcopy(given)
    try:
        results = call(kernel, own)
    except UnshadeError as error:
        str(error)
        return error
    arrays = {f"result {name}": each for name, each in results.items()}
    arrays |= {f"given {name}": each for name, each in own.items()}
    found = {
        name: np.asarray(each).tobytes()
        for name, each in arrays.items()
        if not isinstance(each, Sampler | Texture)
    }
    report = kernel.report
    if counts and report is not None:
        outside = sorted(report.out_of_bounds.items())
        found["report"] = repr((report.lanes, report.discarded, outside)).encode()
    return found


def _is_budget(found: object) -> bool:
    return isinstance(found, LimitError) and found.limit == "budget"


def difference(one: Any, two: Any) -> str:
    """Describe the first difference between the outcomes of lockstep and jit, or return ''."""
    if isinstance(one, UnshadeError) or isinstance(two, UnshadeError):
        if _is_budget(one) and _is_budget(two):  # lockstep says where
            return ""
        if type(one) is type(two) and str(one) == str(two):
            return ""
        outcomes = [
            f"{type(x).__name__}: {x}" if isinstance(x, UnshadeError) else "ran" for x in (one, two)
        ]
        return " against ".join(outcomes)
    for name, data in two.items():
        if name == "report" and data != one[name]:
            return f"{one[name].decode()} against {data.decode()}"
        if len(data) != len(one[name]):
            return f"{name}: {len(one[name])} against {len(data)} bytes"
        if data != one[name]:
            pairs = enumerate(zip(one[name], data, strict=True))
            at = next(at for at, (a, b) in pairs if a != b) & ~3
            return f"{name} at byte {at}: {one[name][at:][:4].hex()} against {data[at:][:4].hex()}"
    return ""


def compared(data: bytes, chance: random.Random, options: dict[str, Any] | None = None) -> str:
    """Run a shader on both engines and return its outcome; raise `Differs` if they disagree."""
    try:
        shader = unshade.loads(data)
        if not shader.programs:
            return "no program"
        given_options = {"entry": _entry(shader, chance), **(options or {})}
    except UnshadeError as error:
        return f"{type(error).__name__} while reading"
    try:
        lockstep = unshade.kernel(shader, engine="lockstep", **given_options)
    except UnshadeError as error:
        str(error)
        return f"{type(error).__name__} while lowering"
    # The second kernel shares what was lowered, as `unshade.kernel` would lower it again.
    jit = like(lockstep, engines.choose("jit", False))
    given = bindings(lockstep, chance)
    call = random_call(lockstep, chance)
    lockstep.budget = jit.budget = BUDGET
    one, two = _left(call, lockstep, given), _left(call, jit, given)
    if isinstance(two, UnsupportedError) and not isinstance(one, UnsupportedError):
        if _is_budget(one):
            return "budget, left to lockstep"
        return (
            f"{type(one).__name__} while running"
            if isinstance(one, UnshadeError)
            else "left to lockstep"
        )
    if _is_budget(one) and not _is_budget(two):
        # Lockstep counts what all lanes do together, the jit what those of a chunk do.
        lockstep.budget = BUDGET * CHUNKS
        one = _left(call, lockstep, given)
    differs = difference(one, two)
    if isinstance(one, dict) and not differs and chance.randrange(LOOKED_AT) == 0:
        debugger = lockstep.debug(0)
        three = _left(call, debugger, given, counts=False)  # unused reads are counted
        if not _is_budget(three):  # unused loops are not removed
            differs = difference(one, three) and f"looked at: {difference(one, three)}"
    if isinstance(two, dict) and not differs:
        for name, runner in (("optimised", optimised), ("continued", continued)):
            if not differs and chance.randrange(OPTIMISED) == 0:
                differs = _other_tier(name, runner(lockstep), call, given, two)
        if not differs and chance.randrange(STORED) == 0:

            def fill(kernel: Runner) -> None:
                kernel.budget = BUDGET
                _left(call, kernel, given)

            with stored(shader, given_options, fill) as kernel:
                differs = _other_tier("stored", kernel, call, given, two)
    if not differs:
        if _is_budget(one):
            return "budget"
        return f"{type(one).__name__} while running" if isinstance(one, UnshadeError) else "ran"
    engine = WatchedLockstep()
    watched = kernel_of(lockstep.lowered, lockstep.reflection, engine)
    watched.budget = BUDGET * CHUNKS
    _left(call, watched, given)
    if engine.matters:
        return "races"
    raise Differs(differs)


def _entry(shader: Shader, chance: random.Random) -> str | None:
    """Return the name of a random entry point or exported function, if there are several."""
    program = shader.programs[0]
    names = [*(name for name, _ in program.entry_points), *program.exports]
    return chance.choice(names) if len(names) > 1 else None


def _other_tier(
    name: str, kernel: Runner, call: Call, given: dict[str, Any], known: dict[str, bytes]
) -> str:
    """Return how the results of other code differ from those that are known."""
    kernel.budget = BUDGET * CHUNKS  # chunks have other sizes
    found = _left(call, kernel, given)
    if isinstance(found, UnsupportedError):  # code that is optimised has other limits
        return ""
    differs = difference(known, found)
    return differs and f"{name}: {differs}"
