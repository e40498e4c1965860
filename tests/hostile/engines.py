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
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np

import unshade
from tests.hostile.order import Order
from tests.hostile.pieces import word
from unshade.errors import LimitError, UnshadeError, UnsupportedError
from unshade.ir.kernel import KernelIR as Code
from unshade.ir.library.sampling import COMPARISONS
from unshade.ir.lowered import Form
from unshade.ir.textures import Shape
from unshade.run import Sampler, Texture, engines
from unshade.run.bindings import Binding
from unshade.run.kernels import Kernel
from unshade.run.lanes import Lanes
from unshade.run.runner import Runner
from unshade.run.signature import KernelSignature
from unshade.run.texels import accepted
from unshade.vm.launch import Array, Launch, Report
from unshade.vm.lockstep import Lockstep

BUDGET = 60  # iterations of loops
CHUNKS = 64  # of a call, at most; lockstep runs all lanes together and may count CHUNKS times more
LOOKED_AT = 4  # one case in LOOKED_AT also runs in the debugger, as it was lowered
LARGEST = 1 << 16  # bytes of what is bound
GROUPS = ((1, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 1, 2))
ADDRESSES = ("wrap", "mirror", "clamp", "border", "mirror_once")


class Differs(AssertionError):
    """The engines have different results."""


class Watched(Kernel):
    """A kernel in lockstep that records conflicts between its lanes."""

    order: Order

    def _run(self, code: Code, launch: Launch, lanes: Lanes) -> Report:
        self.order = Order()
        return Lockstep().run(code, launch, self.order)


# ---------------------------------------------------------------- arguments


def numbers(chance: random.Random, count: int) -> Array:
    """Return dwords: small floats and integers, and troublesome numbers."""
    made = np.empty(count, "<u4")
    for at in range(count):
        match chance.randrange(6):
            case 0:
                made[at] = word(chance)
            case 1:
                made[at] = chance.randrange(8)
            case 2:
                made[at] = chance.randrange(-8, 8) & 0xFFFF_FFFF
            case _:
                made[at] = np.float32(chance.uniform(-2.0, 2.0)).view("<u4")
    return made


def _texture(binding: Binding, chance: random.Random) -> Any:
    resource = binding.resource

    def side() -> int:
        return chance.randrange(1, 6)

    shape: tuple[int, ...] = {
        Shape.BUFFER: (chance.randrange(1, 20),), Shape.D1: (side(),), Shape.D2: (side(), side()),
        Shape.D3: (side(), side(), side()), Shape.CUBE: (6, *(2 * (side(),))),
    }[resource.shape or Shape.BUFFER]  # fmt: skip
    if resource.layered:
        layers = chance.randrange(1, 4)
        shape = (6 * layers, *shape[1:]) if resource.shape is Shape.CUBE else (layers, *shape)
    if resource.multisampled:
        shape = (*shape, chance.choice((1, 2, 4)))
    kind = np.dtype(chance.choice(accepted(resource.returns)))
    components = chance.choice((1, 2, 3, 4, 4, 4))
    count = components * int(np.prod(shape))
    if kind.kind == "f":
        with np.errstate(all="ignore"):
            data = numbers(chance, count).view("<f4").astype(kind)
    else:
        data = numbers(chance, count).astype(kind)
    data = data.reshape(*shape, components)
    mips = kind.kind == "f" and not resource.multisampled and not binding.writable
    if mips and resource.shape is not Shape.BUFFER and chance.random() < 0.5:
        return Texture(data, mips=True)
    return data


def _sampler(chance: random.Random) -> Sampler:
    words = ("linear", "point")
    return Sampler(
        [chance.choice(words) for _ in range(3)],
        [chance.choice(ADDRESSES) for _ in range(3)],
        lod_bias=chance.choice((0.0, 0.5, -20.0)),
        min_lod=chance.choice((-1000.0, 0.0, 1.5)),
        max_lod=chance.choice((1000.0, 0.0, 1.25)),
        comparison=chance.choice(("never", "always", *COMPARISONS)),
    )


def bindings(kernel: Runner, chance: random.Random) -> dict[str, Any]:
    """Return a random value for each binding of the kernel."""
    found: dict[str, Any] = {}
    for binding in kernel.bindings:
        resource = binding.resource
        match binding.form:
            case Form.SAMPLER:
                found[binding.name] = _sampler(chance)
            case Form.COUNTER:
                found[binding.name] = chance.randrange(4)
            case Form.CONSTANTS:
                size = binding.buffer.size if binding.buffer is not None else resource.size
                rows = min(-(-max(size, 16) // 16), LARGEST // 16)
                few = numbers(chance, 4 * min(rows, 64))
                found[binding.name] = np.resize(few, 4 * rows).view("u1")
            case Form.STRUCTURED:
                words = resource.stride // 4
                count = chance.randrange(9) if 0 < words <= 256 else 0
                found[binding.name] = numbers(chance, words * count if count else 0)
                if resource.stride % 4 or binding.dtype is not None:
                    found[binding.name] = np.resize(
                        found[binding.name].view("u1"), count * resource.stride
                    )
            case Form.RAW:
                found[binding.name] = numbers(chance, chance.randrange(24))
            case _:
                found[binding.name] = _texture(binding, chance)
    return found


def _rows(
    signature: KernelSignature, chance: random.Random, lanes: tuple[int, ...]
) -> dict[str, Array]:
    """Return random inputs for each lane."""
    found: dict[str, Array] = {}
    for row in signature:
        if row.needed:
            shape = (*lanes, row.points, len(row.ports)) if row.points else (*lanes, len(row.ports))
            few = numbers(chance, min(int(np.prod(shape)), 96))
            found[row.name] = np.resize(few, shape).view(row.dtype)
    return found


Call = Callable[[Runner, dict[str, Any]], Any]


def _call(kernel: Runner, chance: random.Random) -> Call:
    """Return a random call of the kernel that can be repeated."""
    count = chance.randrange(1, 20)
    match kernel.stage:
        case "compute":
            groups = chance.choice(GROUPS)
            return lambda kernel, given: kernel.dispatch(groups, **given)
        case "vertex":
            vertices = _rows(kernel.inputs, chance, (count,))
            return lambda kernel, given: kernel.transform(vertices or count, **given)
        case "geometry":
            primitives = _rows(kernel.inputs, chance, (count,))
            return lambda kernel, given: kernel.expand(primitives or count, **given)
        case "hull":
            patches = _rows(kernel.inputs, chance, (count,))
            return lambda kernel, given: kernel.tessellate(patches or count, **given)
        case "domain":
            points = numbers(chance, 3 * count * 4).view("<f4").reshape(count, 4, 3)
            corners = _rows(kernel.inputs, chance, (count,))
            of_patch = _rows(kernel.patch_constants, chance, (count,))
            return lambda kernel, given: kernel.evaluate(points, corners, of_patch, **given)
    width, height = chance.randrange(1, 8), chance.randrange(1, 5)
    if chance.random() < 0.2:
        pixels = _rows(kernel.inputs, chance, (width,))
        if pixels:
            return lambda kernel, given: kernel.shade(pixels, **given)
    grid = _rows(kernel.inputs, chance, (height, width)) if chance.random() < 0.7 else {}
    return lambda kernel, given: kernel.shade((width, height), grid, **given)


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


def _difference(one: Any, two: Any) -> str:
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
    except UnshadeError as error:
        return f"{type(error).__name__} while reading"
    try:
        lockstep = unshade.kernel(shader, engine="lockstep", **(options or {}))
    except UnshadeError as error:
        str(error)
        return f"{type(error).__name__} while lowering"
    # The second kernel shares what was lowered, as `unshade.kernel` would lower it again.
    jit = Kernel(lockstep.lowered, lockstep.reflection, engines.choose("jit", False))
    given = bindings(lockstep, chance)
    call = _call(lockstep, chance)
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
    difference = _difference(one, two)
    if isinstance(one, dict) and not difference and chance.randrange(LOOKED_AT) == 0:
        debugger = lockstep.debug(0)
        three = _left(call, debugger, given, counts=False)  # unused reads are counted
        if not _is_budget(three):  # unused loops are not removed
            difference = _difference(one, three) and f"looked at: {_difference(one, three)}"
    if not difference:
        if _is_budget(one):
            return "budget"
        return f"{type(one).__name__} while running" if isinstance(one, UnshadeError) else "ran"
    watched = Watched(lockstep.lowered, lockstep.reflection, Lockstep())
    watched.budget = BUDGET * CHUNKS
    _left(call, watched, given)
    if watched.order.matters:
        return "races"
    raise Differs(difference)
