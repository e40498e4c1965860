"""Proof of a decompiled source: Slang compiles it, and both programs run on the same arguments.

    Direct3D bytecode ── decompile ── HLSL ── Slang ── SPIR-V
            │                                             │
            └────────── every output equal, bit by bit ───┘       NaN equals NaN

The compiler is asked for the rules of HLSL that SPIR-V leaves open: constant buffers are laid out
as in Direct3D, subnormal numbers count as zero, and `SV_Position.w` of a pixel is w, computed from
the 1/w of Vulkan, so that w is a power of two here. The inputs of SPIR-V have no semantics, so rows
are joined by the name of the parameter.

Loops may have no effect, and compilers leave such loops out: a round in which the program exceeds
the budget of its loops, and the compiled source does not, shows nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from typing import Any
from zlib import crc32

import numpy as np

import unshade
from tests.decompile.compiler_faults import compiler_fault
from unshade.errors import BudgetError, UnshadeError, UnsupportedError
from unshade.ir.kernel import WAVE
from unshade.ir.lowered import Form
from unshade.ir.ops import OPS
from unshade.isa.source import Source
from unshade.limits import Limits
from unshade.run.any_stage import over
from unshade.run.binding.bindings import Binding
from unshade.run.engines import Engine
from unshade.run.kernels import Kernel
from unshade.run.proving import arguments
from unshade.run.proving.numbers import NumberSource, seeded
from unshade.run.signature import SignatureRow
from unshade.vm.jit import Jit
from unshade.vm.launch import Array
from unshade.vm.lockstep import Lockstep
from unshade.vocab.slots import COUNTER_BINDINGS, MemoryPart, Rate, ResourceClass
from unshade.vocab.words import DISPATCHED, Interpolation, SystemValue

ENGINES = ("lockstep", "jit")
OPTIONS = (
    "-fvk-use-dx-layout", "-fvk-use-dx-position-w",
    "-capability", "spvDemoteToHelperInvocation",  # a discarded lane serves its quad
)  # fmt: skip
SHIFTS: dict[str, int] = {
    ResourceClass.CONSTANTS: 0, ResourceClass.READ: 100, ResourceClass.WRITE: 200,
    ResourceClass.SAMPLER: 300, ResourceClass.PUSH: 0,
}  # fmt: skip
READ_BUFFERS = 50  # more than the shift of buffers to write
BECOMES = {
    ResourceClass.REGISTER_BANK: ResourceClass.CONSTANTS,
    ResourceClass.COMBINED_SAMPLER: ResourceClass.READ,
}
DEPTHS = (
    SystemValue.DEPTH, SystemValue.DEPTH_GREATER_EQUAL, SystemValue.DEPTH_LESS_EQUAL,
)  # fmt: skip
DISTANCES = (SystemValue.CLIP_DISTANCE, SystemValue.CULL_DISTANCE)
STRAIGHT = (
    Interpolation.LINEAR_NOPERSPECTIVE, Interpolation.LINEAR_NOPERSPECTIVE_CENTROID,
    Interpolation.LINEAR_NOPERSPECTIVE_SAMPLE,
)  # fmt: skip
Semantics = Mapping[str, set[str]]  # of names of parameters and members
PATIENT = Limits(compile_seconds=600)  # of the clock: other processes take their time
STATES = 2  # of a sampler: code is prepared anew for each, and only passes samplers on
SAMPLES = 4  # of programs that have two states; more take most of the time of a proof
MOST_BYTES = 1 << 24  # of a buffer
TURNS = 1 << 14  # iterations of the loops of a program
MOST = {"lockstep": 1 << 10, "jit": TURNS}  # an iteration in lockstep takes the time of a call
FEW = 1 << 8  # of our own examples: the loops of round 4 end in a few turns, others go on for ever


def recompiled(text: str, stage: str, language: str = "hlsl", flush: bool = True) -> Any:
    """Return the shader that Slang, or glslang of GLSL, makes of a source.

    What Slang refuses of HLSL, such as a counter of a buffer in a pixel shader, glslang compiles.
    With `flush` subnormal numbers are zero; GLSL declares that itself.
    """
    if language == "glsl":
        return unshade.compile(
            Source(text, "decompiled.glsl"), language=language, stage=stage, debug=False,
            compiler="glslangValidator", limits=PATIENT,
        )  # fmt: skip
    try:
        return by_slang(for_slang(text, stage), stage, flush)
    except UnshadeError as refusal:
        try:
            return completed(by_glslang(text, stage), text, flush)
        except UnshadeError:
            raise refusal from None


def for_slang(text: str, stage: str) -> str:
    """Return HLSL without an attribute that Direct3D allows and Slang refuses."""
    if stage != "vertex":
        return text
    head, body = text.split("\n{\n", 1)
    head = re.sub(r"^(    (?!out ).*): SV_(Position)\b", r"\1: \2", head, flags=re.M | re.I)
    return f"{head}\n{{\n{body}"


def by_slang(text: str, stage: str, flush: bool = True) -> Any:
    """Return the shader that Slang makes of HLSL."""
    options = ("-denorm-mode-fp32", "ftz" if flush else "preserve", *OPTIONS)
    made = unshade.compile(
        Source(text, "decompiled.hlsl"), language="hlsl", stage=stage, entry="main", debug=False,
        compiler="slang", options=options, limits=PATIENT,
    )  # fmt: skip
    return with_patches(made) if stage in ("domain", "hull") else made


def by_glslang(text: str, stage: str) -> Any:
    """Return the shader that glslang makes of HLSL; see `completed`."""
    return unshade.compile(
        Source(apart(text), "decompiled.hlsl"), language="hlsl", stage=stage, entry="main",
        debug=False, compiler="glslangValidator", limits=PATIENT,
    )  # fmt: skip


def completed(made: Any, text: str, flush: bool) -> Any:
    """Return a module of glslang with what it has no option to say."""
    return with_counters(text, flushing(made) if flush else made)


def apart(text: str) -> str:
    """Return HLSL in which buffers to read have other numbers than buffers to write.

    glslang has one shift for both.
    """
    return re.sub(
        r"^((?:Structured|ByteAddress)Buffer\b.* : register\(t)(\d+)",
        lambda found: f"{found[1]}{int(found[2]) + READ_BUFFERS}", text, flags=re.M,
    )  # fmt: skip


def flushing(made: Any) -> Any:
    """Return a module that flushes subnormal numbers, as glslang has no option to say."""
    text = made.disassemble()
    entry = re.search(r"^ *OpEntryPoint \w+ (%\w+) ", text, flags=re.M)
    assert entry is not None
    mode = f"OpExecutionMode {entry[1]} DenormFlushToZero 32"
    text = re.sub(r"^( *)OpMemoryModel", r'\1OpExtension "SPV_KHR_float_controls"\n\g<0>', text,
                  flags=re.M)  # fmt: skip
    text = re.sub(r"^ *OpCapability", r"OpCapability DenormFlushToZero\n\g<0>", text, count=1,
                  flags=re.M)  # fmt: skip
    found = list(re.finditer(r"^ *OpEntryPoint.*$", text, flags=re.M))[-1]
    return unshade.assemble(f"{text[: found.end()]}\n{mode}{text[found.end() :]}", "spirv")


def with_counters(text: str, made: Any) -> Any:
    """Return a module whose hidden counters have bindings of their own; glslang gives all 0."""
    counted = made.disassemble()
    for buffer, number in re.findall(r"^\w+<.*> (\w+) : register\(u(\d+)", text, flags=re.M):
        names = re.findall(rf'OpName (%\w+) "{buffer}@count"', counted)
        for each in names:
            counted = re.sub(
                rf"(OpDecorate {each} Binding) 0$", rf"\1 {int(number) + COUNTER_BINDINGS}",
                counted, flags=re.M,
            )  # fmt: skip
    return unshade.assemble(counted, "spirv")


def with_patches(made: Any) -> Any:
    """Return a module whose patch constants are decorated so, which Slang forgets.

    It also gives all those of a hull shader the same location.
    """
    text = re.sub(
        r"^( *OpDecorate (%constants_\w+) Location .*)$", r"\1\n OpDecorate \2 Patch",
        made.disassemble(), flags=re.M,
    )  # fmt: skip
    numbers = count(16)
    text = re.sub(
        r"^( *OpDecorate (%entryPointParam_patch_constants_\w+) Location) .*$",
        lambda found: f"{found[1]} {next(numbers)}\n OpDecorate {found[2]} Patch",
        text, flags=re.M,
    )  # fmt: skip
    return unshade.assemble(text, "spirv")


@dataclass(slots=True)
class Compared:
    """The rounds of a proof: all, those that both programs ended, and the first difference.

    A difference that a fault of the compiler explains (compiler_faults.py) has its name.
    """

    rounds: int = 0
    ended: Counter[str] = field(default_factory=Counter)  # by engine
    difference: str = ""
    fault: str = ""
    problem: str = ""

    @property
    def outcome(self) -> str:
        """Return `equal`, or a sentence on the difference, or that no round ended."""
        if self.problem:
            return f"not run: {self.problem}"
        if self.fault:
            return f"fault of the compiler: {self.fault}"
        if self.difference:
            return f"differs: {self.difference}"
        return "equal" if self.ended.total() else f"unknown: none of {self.rounds} rounds ends"


@cache
def engine_of(name: str) -> Engine:
    """Return an engine; the machine code is what is made most quickly."""
    return Lockstep() if name == "lockstep" else Jit(width=4, quick=True)


def kernel_of(shader: Any, entry: str | None = None, **options: Any) -> Kernel:
    """Return the kernel of a shader for a proof, which prepares it once for all engines."""
    return unshade.kernel(shader, entry=entry, engine=ENGINES[0], **options)


def compared(
    first: Kernel,
    other: Any,
    text: str,
    lanes: int = 64,
    seeds: int = 8,
    engines: Sequence[str] = ENGINES,
    turns: int = TURNS,
    endless: set[tuple[str, int]] | None = None,
) -> Compared:
    """Run a kernel and what was made of its text on each of these engines.

    Without a text, the other shader is a translation. The first difference ends that. `endless`
    are engines and seeds with which the kernel does not end, which are left out and added.
    """
    done = Compared()
    try:
        second = kernel_of(other, **_wave(first))
        semantics = _semantics(text) if text else _locations(first, second)
        for engine in engines:
            first.budget = second.budget = min(turns, MOST[engine])
            first.execution.engine = second.execution.engine = engine_of(engine)
            for seed in range(seeds):
                done.rounds += 1
                if endless is not None and (engine, seed) in endless:
                    continue
                ended, found = _round(first, second, semantics, lanes, seed)
                done.ended[engine] += ended
                if endless is not None and not ended:
                    endless.add((engine, seed))
                if found:
                    done.difference = f"{engine}, seed {seed}: {found}"
                    done.fault = compiler_fault(text, other.disassemble()) if text else ""
                    return done
    except UnshadeError as error:
        done.problem = str(error)
    return done


def _wave(kernel: Kernel) -> dict[str, Any]:
    """Return the size of waves that a program asks for, which SPIR-V leaves to the pipeline."""
    wave = kernel.lowered.kernel.wave
    return {"wave_size": wave} if wave != WAVE else {}


def _round(
    first: Kernel, second: Kernel, semantics: Semantics, lanes: int, seed: int
) -> tuple[bool, str]:
    """Return whether both programs end, and the first difference of their results."""
    chance = np.random.default_rng(seed)
    one, two = _rows(first, second, semantics, chance, seed, lanes)
    mine, theirs = _bound(first, second, chance, seed)
    results = []
    for kernel, rows, bound in ((first, one, mine), (second, two, theirs)):
        results.append(_called(kernel, rows, bound, lanes))
        if results[-1] is None:
            return False, "the compiled source does not end" if kernel is second else ""
    return True, next(_unequal(first, second, semantics, results, mine, theirs), "")


def _called(kernel: Kernel, rows: dict[str, Array], bound: dict[str, Any], lanes: int) -> Any:
    """Return the results of a kernel; None if a loop exceeds its budget."""
    try:
        if kernel.stage in DISPATCHED:
            x, y, z = kernel.group
            return kernel.dispatch((max(1, -(-lanes // (x * y * z))), 1, 1), **bound)
        given: Any = rows or (8, lanes // 8) if kernel.stage == "pixel" else rows or lanes
        return over(kernel, given, bound)
    except BudgetError:
        return None


LOCATION = re.compile(
    r"^layout\(location = (\d+)(?:, component = (\d))?(?:, index = \d)?\)"
    r"(.*) (in|out) .*?(\w+)(?:\[\d*\])?;$",
    re.M,
)
PARAMETER = re.compile(r"(\w+)(?:\[\d+\])? : (\w+)[,;)]")


def _semantics(text: str) -> Semantics:
    """Return the semantics or location of parameters and members, by their names."""
    if text.startswith("#version"):
        listed = LOCATION.findall(text)
        after = {  # locations of patch constants follow those of the control points
            way: max((int(number) for number, _, words, to, _ in listed
                      if to == way and "patch" not in words), default=-1) + 1
            for way in ("in", "out")
        }  # fmt: skip
        return {
            name: {
                f"constant {int(number) - after[way]} component {component or 0}"
                if "patch" in words else f"location {number} component {component or 0}"
            }
            for number, component, words, way, name in listed
        }  # fmt: skip
    found: dict[str, set[str]] = {}
    for name, semantic in PARAMETER.findall(text):
        found.setdefault(name, set()).add(semantic.casefold())
    return found


def _locations(first: Kernel, kernel: Kernel) -> Semantics:
    """Return the locations of the inputs and outputs of a translated program, by their names.

    The locations of patch constants follow those of the control points, built-ins included.
    """
    is_hull = kernel.stage == "hull"
    listed = first.outputs if is_hull else first.inputs
    points = [each.location for each in listed if each.points and each.location is not None]
    after = max(points, default=-1) + 1
    constants = kernel.patch_constants if is_hull else _constants(kernel)
    found: dict[str, set[str]] = {}
    for rows, base, word in (
        ((*kernel.inputs, *kernel.outputs), 0, "location"),
        (constants, after, "constant" if is_hull else "location"),
    ):
        for row in rows:
            if row.location is not None:
                place = f"{word} {row.location - base} component {row.components[0]}"
                for name in row.names:
                    found[name.rsplit(".", 1)[-1]] = {place}
    return found


def _is_constant(row: SignatureRow) -> bool:
    """Return True for a constant of the patch.

    The axis of points does not tell: a control point that is passed through has none as an output.
    """
    return any(each.rate is Rate.PATCH for each in row.places)


FACTOR = re.compile(r"sv_(?:final(?:quad|tri))?(?:edge)?(inside)?tessfactor(\d)", re.I)
LEVELS: dict[object, str] = {
    SystemValue.TESS_LEVEL_OUTER: "", SystemValue.TESS_LEVEL_INNER: "inside",
}  # fmt: skip


def _same_factor(a: SignatureRow, b: SignatureRow) -> bool:
    """Return True for the same factor of the tessellator, by the number in its name."""
    found = [each for name in a.names for each in [FACTOR.fullmatch(name)] if each is not None]
    number = re.search(r"\d*$", b.label)
    assert number is not None
    return any(
        (each[1] or "").casefold() == LEVELS[b.meaning] and each[2] == (number[0] or "0")
        for each in found
    )


def _source(row: SignatureRow) -> int:
    """Return which source of a blend an output is; in Direct3D the location says it."""
    return row.places[0].index if row.by_register and row.places else 0


def _same_row(a: SignatureRow, b: SignatureRow, semantics: Semantics) -> bool:
    is_system = b.meaning is not None and b.meaning is a.meaning
    if a.vertex != b.vertex or _source(a) != _source(b):
        return False
    if _is_constant(a) != _is_constant(b) and b.meaning not in LEVELS:
        return False
    if b.meaning in LEVELS:
        same = a.meaning is b.meaning and _number(a.label) == _number(b.label)
        return same or _same_factor(a, b)
    names = {each.rsplit(".", 1)[-1].partition("[")[0] for each in b.names}  # v_uv[0]: of vertex 0
    found = {each for name in names for each in semantics.get(name, ())}
    if not found or any(
        each.startswith(("location", "constant ")) for each in found
    ):  # of GLSL, which has no semantics
        found |= {
            re.sub("^(out|constants|vertices|points)_", "", each).casefold() for each in names
        }
    if a.meaning in DEPTHS and b.meaning in DEPTHS:
        return True
    if a.meaning is SystemValue.BARYCENTRICS:
        straight = a.interpolation in STRAIGHT
        return b.meaning is (
            SystemValue.BARYCENTRICS_NOPERSPECTIVE if straight else SystemValue.BARYCENTRICS
        )
    if is_system and a.meaning is not SystemValue.TARGET:
        return a.meaning not in DISTANCES or len(a.ports) == len(b.ports)
    if a.by_register and a.meaning is None and any(each.startswith("texcoord") for each in found):
        place = f"location {a.location} component {a.components[0]}"
        return bool({f"texcoord{a.location}", place} & found)  # whatever the source calls it
    wanted = {each.casefold() for each in a.names}
    wanted |= {re.sub(r"\W+", "_", each) for each in wanted}  # in.var.COLOR
    wanted.add(f"location {a.location} component {a.components[0]}")
    if _is_constant(a):
        wanted.add(f"constant {a.location} component {a.components[0]}")
    if b.meaning is SystemValue.POSITION and "sv_position" in wanted:  # of control points
        return True
    if a.meaning is SystemValue.TARGET:
        wanted.add(f"sv_target{(a.location or 0) + _source(a)}")
    elif a.by_register or not a.listed:
        wanted |= {f"texcoord{a.location}", str(a.meaning)}
    return bool(found & wanted)


def _constants(kernel: Kernel) -> Iterable[SignatureRow]:
    """Return the patch constants that a domain shader reads."""
    return kernel.patch_constants if kernel.stage == "domain" else ()


def _partners(
    rows: Iterable[SignatureRow], others: Iterable[SignatureRow], semantics: Semantics
) -> dict[str, SignatureRow]:
    """Return the row of the other program for each row, by its label."""
    found: dict[str, SignatureRow] = {}
    for row in rows:
        same = [each for each in others if _same_row(row, each, semantics)]
        here = [each for each in same if each.location == row.location and not _is_constant(row)]
        if same:  # a name may be that of another register: TEXCOORD1 at location 2
            found[row.label] = (here or same)[-1]
    left = [row for row in rows if row.label not in found]
    taken = {each.label for each in found.values()}
    free = [each for each in others if each.label not in taken]
    if len(left) == len(free) == 1:  # Slang names what has no built-in in a stage by its location
        found[left[0].label] = free[0]
    return found


def _rows(
    first: Kernel,
    second: Kernel,
    semantics: Semantics,
    chance: np.random.Generator,
    seed: int,
    lanes: int,
) -> tuple[dict[str, Array], dict[str, Array]]:
    one: dict[str, Array] = {}
    two: dict[str, Array] = {}
    rows, others = (
        [row for row in (*each.inputs, *_constants(each)) if row.needed] for each in (first, second)
    )
    partners = _partners(rows, others, semantics)
    for row in rows:
        partner = partners.get(row.label)
        places = [each - min(row.components) for each in row.components]
        last = 0 if partner is None else max(partner.components) - min(partner.components) + 1
        width = max(*places, last - 1) + 1
        dtype = row.dtype
        points = (row.points,) if row.points else ()
        array = seeded(chance, seed, dtype, (lanes, *points, width))
        if row.meaning is SystemValue.IS_FRONT_FACE:
            array = np.where(array.view("<u4") & 1, 0xFFFFFFFF, 0).astype("<u4").view(dtype)
        if row.meaning is SystemValue.INNER_COVERAGE:
            array &= 1
        if row.meaning is SystemValue.POSITION and first.stage == "pixel":
            array[:, 3:] = 2.0 ** chance.integers(-3, 4, (lanes, 1))[:, : width - 3]
        one[row.label] = array[..., places]
        if partner is not None:
            theirs = array.view(partner.dtype)
            theirs_at = [each - min(partner.components) for each in partner.components]
            two[partner.label] = theirs[..., theirs_at]
    for row in others:
        if row.label not in two and row.meaning is not SystemValue.OUTPUT_CONTROL_POINT_ID:
            points = (row.points,) if row.points else ()
            two[row.label] = np.zeros((lanes, *points, len(row.ports)), row.dtype)
    pairs = [(row, partners[row.label]) for row in rows if row.label in partners]
    arguments.count_from_first(pairs, one, two)
    if first.stage == "domain":
        tessellation = first.reflection.tessellation if first.reflection is not None else None
        of_triangle = tessellation is not None and tessellation.domain == "tri"
        places_ = np.linspace(0, 1, 4 * (2 + of_triangle), dtype=np.float32).reshape(4, -1)
        for each, given in ((first, one), (second, two)):
            given.pop("gl_TessCoord", None)
            given[each.program.domain_label] = places_
    return one, two


def _bound(
    first: Kernel, second: Kernel, chance: np.random.Generator, seed: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    mine: dict[str, Any] = {}
    theirs: dict[str, Any] = {}
    samples = sum(each.op is OPS.sample for each in first.lowered.kernel.values())
    state = seed % STATES if samples <= SAMPLES else 0
    for binding in first.bindings:
        partners = [each for each in second.bindings if _partner(binding, each)]
        made = _value(binding, partners, chance, seed, state)
        mine[binding.name] = made
        for other in partners:
            theirs[other.name] = made.copy() if isinstance(made, np.ndarray) else made
            if binding.form is Form.COUNTER and other.form is not Form.COUNTER:
                theirs[other.name] = np.frombuffer(np.uint32(made).tobytes(), np.uint8).copy()
            if binding.form is Form.CONSTANTS:
                size = max(other.resource.size, 16)
                theirs[other.name] = (made + bytes(size))[:size]
    arrays = {_place(each) for each in second.bindings if each.name in theirs}
    for other in second.bindings:  # elements of an array that the program does not use
        if other.name not in theirs and _place(other) in arrays:
            theirs[other.name] = _value(other, [], chance, seed, state)
    return mine, theirs


def _place(binding: Binding) -> tuple[Any, ...]:
    """Return the place of a binding, which the elements of an array share."""
    slot = binding.slot
    if slot is None or slot.element is None:
        return (binding.name,)
    return slot.kind, slot.space, slot.number, slot.part


def _partner(a: Binding, b: Binding) -> bool:
    one, two = a.slot, b.slot
    if one is None or two is None:
        return False
    if one.part is MemoryPart.COUNTER:
        wanted = {each.removesuffix("_counter") + "@count" for each in a.names}
        if two.part is MemoryPart.COUNTER:
            return True
        place = one.space, one.number + COUNTER_BINDINGS  # of a translated program
        return bool(wanted & {*b.names}) or (two.space, two.number) == place
    if one.part is not two.part or any(each.endswith("@count") for each in b.names):
        return False
    kind = BECOMES.get(one.kind, one.kind) if one.kind is not two.kind else one.kind
    if kind is not two.kind or (one.space != two.space and kind is not ResourceClass.PUSH):
        return False
    numbers = [each.number + (each.element or 0) for each in (one, two)]
    if one.element is not None:  # an element of an array of a module remains that element
        numbers = [one.number, two.number]
    same = one.element is None or one.element == two.element
    shifts = [SHIFTS.get(kind, 0), 0]  # 0: bindings of a module
    if kind is ResourceClass.READ:
        shifts.append(SHIFTS[ResourceClass.WRITE] + READ_BUFFERS)
    return same and numbers[1] - numbers[0] in shifts


def _value(
    binding: Binding, partners: Sequence[Binding], chance: np.random.Generator, seed: int,
    state: int,
) -> Any:  # fmt: skip
    match binding.form:
        case Form.SAMPLER:
            number = crc32(binding.name.encode())
            states = np.random.default_rng((number, state))
            return arguments._sampler(NumberSource(states, seed))
        case Form.CONSTANTS:
            size = max(binding.resource.size, 16)
            _check_size(binding, size)
            words = seeded(chance, seed, np.dtype("<f4"), (-(-size // 4),))
            whole = seeded(chance, seed, np.dtype("<u4"), words.shape)
            chosen = np.where(chance.random(words.shape) < 0.2, whole, words.view("<u4"))
            return chosen.astype("<u4").tobytes()[:size]
        case Form.RAW | Form.STRUCTURED:
            stride = max(binding.resource.stride, 4)
            _check_size(binding, 64 * stride)
            words = seeded(chance, seed, np.dtype("<f4"), (64 * -(-stride // 4),))
            return words.view(np.uint8)[: 64 * stride].copy()
    partner = min([binding, *partners], key=lambda each: each.channels)
    return arguments._values(binding, partner, NumberSource(chance, seed))[0]


def _check_size(binding: Binding, size: int) -> None:
    """Refuse a buffer that a mutant declares with more bytes than a proof fills."""
    if size > MOST_BYTES:
        expected = f"expected at most {MOST_BYTES:,} bytes in a proof, got {size:,}"
        raise UnsupportedError(f"{binding.name}: {expected}")


def _unequal(
    first: Kernel, second: Kernel, semantics: Semantics, results: list[Any],
    mine: Mapping[str, Any], theirs: Mapping[str, Any],
) -> Iterator[str]:  # fmt: skip
    one, two = results
    kept = None
    if "covered" in one and "covered" in two:
        yield from _compare("covered", one["covered"], two["covered"])
        kept = np.asarray(one["covered"]).reshape(-1) != 0
    given, others = (
        [*each.outputs, *(each.patch_constants if each.stage == "hull" else ())]
        for each in (first, second)
    )
    partners = _partners(given, others, semantics)
    tessellation = first.reflection.tessellation if first.reflection is not None else None
    domain = str(tessellation.domain) if tessellation is not None else ""
    for meaning in DISTANCES:
        yield from _compare_distances(meaning, first, second, one, two)
    for name in one:
        if name.rpartition(":")[2] == "primitives" and name in two:  # of a stream
            yield from _compare(name, one[name], two[name])
    for row in given:
        if row.meaning in DISTANCES or is_unused_level(row.meaning, row.label, domain):
            continue
        partner = partners.get(row.label)
        if partner is None or row.label not in one:
            if row.label in one and np.any(np.asarray(one[row.label])):
                yield f"{row.label} is missing"
            continue
        mine_, theirs_ = np.asarray(one[row.label]), np.asarray(two[partner.label])
        if len(partner.ports) > row.components[-1] >= len(row.ports):
            theirs_ = theirs_[..., row.components]
        if kept is not None:  # what a discarded pixel wrote before is of no effect
            mine_, theirs_ = (
                each.reshape(len(kept), -1)[kept] if each.size % len(kept) == 0 else each
                for each in (mine_, theirs_)
            )
        yield from _compare(row.label, mine_, theirs_)
    for binding in first.bindings:
        if not binding.writable or binding.name not in mine:
            continue
        other = next((each for each in second.bindings if _partner(binding, each)), None)
        written = (
            _written(one, binding, mine),
            mine[binding.name] if other is None else _written(two, other, theirs),
        )
        if binding.form is Form.COUNTER:
            written = tuple(_number_in(each) for each in written)
        yield from _compare(binding.name, *written)


FACTORS = {"tri": (3, 1), "quad": (4, 2), "isoline": (2, 0)}  # outer and inner


def is_unused_level(meaning: SystemValue | None, label: str, domain: str) -> bool:
    """Return True for a level of Vulkan's arrays that the tessellator ignores in this domain."""
    if meaning not in LEVELS or domain not in FACTORS:
        return False
    return _number(label) >= FACTORS[domain][meaning is SystemValue.TESS_LEVEL_INNER]


def _compare_distances(
    meaning: SystemValue, first: Kernel, second: Kernel, one: Any, two: Any
) -> Iterator[str]:
    """Compare the distances of two programs, which divide them into other rows."""
    both = []
    for kernel, found in ((first, one), (second, two)):
        rows = [
            np.asarray(found[row.label]).reshape(-1, len(row.ports))
            for row in sorted(kernel.outputs, key=lambda row: _number(row.label))
            if row.meaning is meaning and row.label in found and len(row.ports)
        ]  # fmt: skip
        both.append(np.concatenate(rows, axis=1) if rows else np.zeros((1, 0), "<f4"))
    # glslang declares a distance in any case; those of a block that a module never writes are 0,
    # which cuts nothing, and are left out.
    if both[0].size and (both[1].size or both[0].any()):
        yield from _compare(str(meaning), *both)


def _number(label: str) -> int:
    found = re.search(r"\d+$", label)
    return int(found[0]) if found else 0


def _number_in(counter: Any) -> Any:
    """Return a counter as a word, whether it is a number or the bytes of a buffer."""
    found = np.asarray(counter).reshape(-1)
    return found[:4].view("<u4") if found.dtype.itemsize == 1 else found.astype("<u4")


def _written(results: Any, binding: Binding, given: Mapping[str, Any]) -> Any:
    for each in binding.names:
        if each in results:
            return results[each]
    return given[binding.name]


def _compare(label: str, one: Any, two: Any) -> Iterator[str]:
    a, b = (np.ascontiguousarray(np.asarray(each)) for each in (one, two))
    if a.nbytes != b.nbytes:
        common = min(a.shape[-1], b.shape[-1]) if a.ndim == b.ndim == 2 else 0
        if not common:
            yield f"{label}: sizes {a.shape} and {b.shape}"
            return
        a, b = (np.ascontiguousarray(each[:, :common]) for each in (a, b))
        if a.nbytes != b.nbytes:
            yield f"{label}: sizes {a.shape} and {b.shape}"
            return
    x, y = (each.reshape(-1).view(np.uint8) for each in (a, b))
    if len(x) % 4 == 0:
        x, y = x.view("<u4"), y.view("<u4")
        nan = [(each & 0x7FFFFFFF) > 0x7F800000 for each in (x, y)]
        wrong = (x != y) & ~(nan[0] & nan[1])
    else:
        wrong = x != y
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        pair = [
            each.reshape(-1)[at : at + 1].view("<f4" if len(each) else each.dtype)
            if each.dtype.itemsize == 4
            else each[at : at + 1]
            for each in (x, y)
        ]
        yield f"{label}: word {at} is {pair[0][0]} and {pair[1][0]} ({int(wrong.sum())} differ)"


def translated_outcome(
    shader: Any,
    made: Any,
    lanes: int = 64,
    seeds: int = 8,
    entry: str | None = None,
    engines: Sequence[str] = ENGINES,
    turns: int = TURNS,
) -> str:
    """Return `equal` for a translated shader, or a sentence on the first problem."""
    try:
        kernel = kernel_of(shader, entry)
    except UnshadeError as error:
        return f"not run: {error}"
    return compared(kernel, made, "", lanes, seeds, engines, turns).outcome


def outcome(
    shader: Any,
    text: str,
    stage: str,
    lanes: int = 64,
    seeds: int = 8,
    entry: str | None = None,
    language: str = "hlsl",
    engines: Sequence[str] = ENGINES,
    turns: int = TURNS,
) -> str:
    """Return `equal`, or a sentence on the first problem."""
    try:
        kernel = kernel_of(shader, entry)
        made = recompiled(text, stage, language, flush=flushes(kernel))
    except UnshadeError as error:
        return f"refused: {error}"
    return compared(kernel, made, text, lanes, seeds, engines, turns).outcome


def flushes(kernel: Kernel) -> bool:
    """Return True if subnormal numbers of 32 bits are zero."""
    return 32 in kernel.lowered.kernel.flush
