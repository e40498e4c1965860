"""The verifier of kernels.

    values      defined once, before their use, in the same region or one around it
    operands    of the types in the table; attributes of the kind in the table, and declared
    regions     break, continue and exit inside the construct they leave; no statement after one
                that ends its region
    memories    accesses that can be valid; writes only to writable memories
    names       unique

A finding's path is the position in the tree: `body[2].then[0]`. Unreachable statements are
warnings; all other findings are errors.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import product

from unshade.errors import Diagnostic, Severity, UsageError
from unshade.ir.barriers import BarrierOrder, barrier_words
from unshade.ir.kernel import DEEPEST, Block, If, KernelIR, Loop, Region, Switch, Value
from unshade.ir.memory import Memory, Port, Space, Var
from unshade.ir.ops import OPERAND_KINDS, OPERAND_NAMES, OPERAND_TYPES, OPS, Op
from unshade.ir.sources import SOURCES, has_quads
from unshade.ir.textures import Action, Level, Sample, TextureDeclaration
from unshade.ir.types import BOOL, F32, F64, FLOATS, I32, I64, INTEGERS, TEXEL, VOID, Type
from unshade.ir.waves import COMBINES, MOST, NEUTRAL, QUAD, WORD, Wave

__all__ = ["check", "verify"]

BARRIERS = frozenset(
    barrier_words(waits, BarrierOrder(*given))
    for waits, *given in product((False, True), repeat=1 + len(BarrierOrder._fields))
)


def verify(kernel: KernelIR) -> list[Diagnostic]:
    """Return the findings of a kernel; none if it is well-formed."""
    verifier = Verifier(kernel)
    verifier.declarations()
    verifier.region(kernel.body, "body", 0, (False, False))
    return verifier.findings


def check(kernel: KernelIR) -> KernelIR:
    """Return the kernel; raise UsageError if it is not well-formed."""
    wrong = [str(each) for each in verify(kernel) if each.severity is Severity.ERROR]
    if wrong:
        raise UsageError(f"kernel {kernel.name} is not well-formed:\n" + "\n".join(wrong))
    return kernel


class Verifier:
    """A verifier of one kernel."""

    def __init__(self, kernel: KernelIR) -> None:
        self.kernel = kernel
        self.findings: list[Diagnostic] = []
        self.defined: set[Value] = set()
        self.visible: set[Value] = set()
        self.blocks: set[Block] = set()
        self.around: set[object] = set()  # the enclosing blocks
        self.declared: set[object] = {
            *kernel.memories,
            *kernel.textures,
            *kernel.samplers,
            *kernel.inputs,
            *kernel.outputs,
            *kernel.variables,
        }

    def wrong(self, code: str, path: str, problem: str) -> None:
        self.findings.append(Diagnostic(code, Severity.ERROR, problem, path=path))

    # ------------------------------------------------------------ declarations

    def declarations(self) -> None:
        """Check names, sizes and types of the declarations."""
        kernel = self.kernel
        ports = (*kernel.inputs, *kernel.outputs)
        names = [each.name for each in kernel.memories] + [each.name for each in ports]
        names += [each.name for each in kernel.textures] + [each.name for each in kernel.samplers]
        for group in (names, [each.name for each in kernel.variables]):
            for name, times in Counter(group).items():
                if times > 1:
                    self.wrong("ir-name", name, f"expected a unique name, got {times} declarations")
        for memory in kernel.memories:
            self._memory(memory)
        typed: list[Port | Var] = [*ports, *kernel.variables]
        for each in typed:
            if each.type in (TEXEL, VOID):
                self.wrong("ir-type", each.name, f"a port or variable cannot be a {each.type.name}")
        for texture in kernel.textures:
            if texture.type not in (F32, I32):
                self.wrong(
                    "ir-type",
                    texture.name,
                    f"expected components of f32 or i32, got {texture.type.name}",
                )
        if not 1 <= kernel.wave <= MOST or kernel.wave & kernel.wave - 1:
            problem = f"expected a power of two up to {MOST}, got {kernel.wave}"
            self.wrong("ir-wave", "wave", problem)
        if not {*kernel.flush, *kernel.written} <= set(FLOATS):
            self.wrong("ir-flush", "flush", "expected widths of 16, 32 or 64")
        if min(kernel.group) < 1:
            self.wrong("ir-group", "group", "expected at least one thread")
        if kernel.quads and not (kernel.dispatched and has_quads(kernel.group)):
            self.wrong("ir-group", "group", "expected an even x and y for quads")

    def _memory(self, memory: Memory) -> None:
        private = memory.space in (Space.SHARED, Space.LOCAL, Space.TABLE)
        if memory.stride < 1:
            self.wrong("ir-memory", memory.name, "expected a stride of at least one byte")
        if private and memory.count is None:
            self.wrong("ir-memory", memory.name, f"expected a count for {memory.space} memory")
        if memory.writable and memory.space in (Space.CONSTANT, Space.TABLE):
            self.wrong("ir-memory", memory.name, f"{memory.space} memory cannot be writable")
        size = memory.stride * (memory.count or 0)
        if memory.space is Space.TABLE and len(memory.data) != size:
            problem = f"expected {size} bytes of data, got {len(memory.data)}"
            self.wrong("ir-memory", memory.name, problem)

    # ------------------------------------------------------------ structure

    def region(
        self,
        region: Region,
        path: str,
        depth: int,
        inside: tuple[bool, bool],
    ) -> None:
        """Check the statements of a region; `inside`: whether break, and continue, are allowed."""
        if depth > DEEPEST:
            self.wrong("ir-depth", path, f"regions are nested more than {DEEPEST} deep")
            return
        mine: list[Value] = []
        ended = False
        for number, statement in enumerate(region):
            place = f"{path}[{number}]"
            if ended:
                message = "unreachable: the region has ended"
                self.findings.append(
                    Diagnostic("ir-unreachable", Severity.WARNING, message, path=place)
                )
            ended = False
            match statement:
                case Value():
                    self._value(statement, place, inside)
                    if statement in self.defined:
                        self.wrong("ir-scope", place, f"{statement!r} appears more than once")
                    self.defined.add(statement)
                    self.visible.add(statement)
                    mine.append(statement)
                    ended = statement.op.ends
                case If():
                    self._use(statement.condition, place)
                    if statement.condition.type != BOOL:
                        self.wrong("ir-type", place, "expected a bool as condition")
                    self.region(statement.then, f"{place}.then", depth + 1, inside)
                    self.region(statement.otherwise, f"{place}.otherwise", depth + 1, inside)
                case Loop():
                    self.region(statement.body, f"{place}.body", depth + 1, (True, True))
                case Switch():
                    self._switch(statement, place, depth, inside)
                case Block():
                    if statement in self.blocks:
                        self.wrong("ir-scope", place, "a block appears more than once")
                    self.blocks.add(statement)
                    self.around.add(statement)
                    self.region(statement.body, f"{place}.body", depth + 1, inside)
                    self.around.discard(statement)
        self.visible.difference_update(mine)

    def _switch(
        self,
        statement: Switch,
        place: str,
        depth: int,
        inside: tuple[bool, bool],
    ) -> None:
        self._use(statement.value, place)
        type = statement.value.type
        if type.kind != "i":
            self.wrong("ir-type", place, "expected an integer to switch on")
        seen: set[int] = set()
        for number, case in enumerate(statement.cases):
            for label in case.labels:
                if label & type.mask in seen:
                    self.wrong("ir-label", f"{place}.cases[{number}]", f"duplicate case {label}")
                seen.add(label & type.mask)
            body = f"{place}.cases[{number}].body"
            self.region(case.body, body, depth + 1, (True, inside[1]))
        if sum(case.default for case in statement.cases) > 1:
            self.wrong("ir-label", place, "more than one default case")

    def _use(self, value: Value, place: str) -> None:
        if value.op is OPS.const:
            if not isinstance(value.attr, int) or not 0 <= value.attr <= value.type.mask:
                self.wrong("ir-constant", place, f"{value.attr!r:.40} is not a {value.type.name}")
        elif value not in self.visible:
            problem = "not visible here" if value in self.defined else "not defined before its use"
            self.wrong("ir-scope", place, f"{value!r} is {problem}")

    # ------------------------------------------------------------ operations

    def _value(self, value: Value, place: str, inside: tuple[bool, bool]) -> None:
        op = value.op
        if op not in OPS or op is OPS.const:
            self.wrong("ir-operation", place, f"{op.name} is not a statement")
            return
        for arg in value.args:
            self._use(arg, place)
        for problem in self._problems(value):
            self.wrong("ir-type", place, f"{op.name}: {problem}")
        for problem in self._attribute(value):
            self.wrong("ir-attribute", place, f"{op.name}: {problem}")
        if (op is OPS.break_ and not inside[0]) or (op is OPS.continue_ and not inside[1]):
            self.wrong("ir-leave", place, f"{op.name} outside of a loop or switch")

    def _problems(self, value: Value) -> Iterator[str]:
        op, args = value.op, value.args
        if op.operands == "*":
            if any(arg.type in (TEXEL, VOID) for arg in args):
                yield "expected scalar operands"
        elif len(args) != len(op.operands):
            yield f"expected {len(op.operands)} operands, got {len(args)}"
            return
        bound = dict(OPERAND_TYPES)
        for letter, arg in zip(op.operands, args, strict=False) if op.operands != "*" else ():
            if letter not in bound and arg.type.kind in OPERAND_KINDS[letter]:
                bound[letter] = arg.type
            elif bound.get(letter) != arg.type:
                expected = bound[letter].name if letter in bound else OPERAND_NAMES[letter]
                yield f"expected {expected}, got {arg.type.name}"
        if not fits(op, value, bound):
            yield f"the result cannot be {value.type.name}"

    def _attribute(self, value: Value) -> Iterator[str]:
        op, attr = value.op, value.attr
        match op.attribute:
            case "":
                if attr is not None:
                    yield "unexpected attribute"
            case "number":
                if not isinstance(attr, int) or not 0 <= attr < 4:
                    yield f"expected a number from 0 to 3, got {attr!r:.20}"
                elif op is OPS.quad_swap and self.kernel.wave < QUAD:
                    yield f"expected waves of at least {QUAD} lanes, got {self.kernel.wave}"
            case "word":
                words = {OPS.source: SOURCES, OPS.barrier: BARRIERS}.get(op)
                if not isinstance(attr, str) or (words is not None and attr not in words):
                    yield f"unknown word {attr!r:.40}"
            case "var":
                yield from self._declared(attr, Var)
            case "port":
                ports = self.kernel.inputs if op is OPS.input else self.kernel.outputs
                yield from self._declared(attr, Port, ports)
            case "memory":
                yield from self._declared(attr, Memory)
                if isinstance(attr, Memory):
                    yield from _access(value, attr)
            case "texture":
                yield from self._sample(value)
            case "wave":
                yield from _wave(value, self.kernel.wave)
            case "block":
                if not isinstance(attr, Block):
                    yield f"expected a block, got {attr!r:.40}"
                elif attr not in self.around:
                    yield "the block does not enclose it"

    def _declared(
        self, attr: object, kind: type, where: Collection[object] | None = None
    ) -> Iterator[str]:
        if not isinstance(attr, kind):
            name = "variable" if kind is Var else kind.__name__.lower()
            yield f"expected a {name}, got {attr!r:.40}"
        elif attr not in (self.declared if where is None else where):
            yield f"{attr!r:.40} is not declared by the kernel"

    def _sample(self, value: Value) -> Iterator[str]:
        sample = value.attr
        if not isinstance(sample, Sample):
            yield f"expected a Sample, got {sample!r:.40}"
            return
        yield from self._declared(sample.texture, TextureDeclaration)
        if sample.sampler is not None and sample.sampler not in self.declared:
            yield f"{sample.sampler!r} is not declared by the kernel"
        found = "".join(arg.type.kind for arg in value.args)
        if sample.action is Action.EVALUATE:
            if set(found) - {"f"}:
                yield f"expected operands of kind f, got {found}"
            return
        many = sample.texture.samples != 1
        # The number of samples may be unknown until the texture is bound.
        if found not in (operands(sample, many), operands(sample, sample.level is Level.ZERO)):
            wanted = operands(sample, many)
            yield f"expected operands of kinds {wanted}, got {found}"


def fits(op: Op, value: Value, bound: dict[str, Type]) -> bool:
    """Return True if the stated type of an operation is a possible result."""
    type, attr = value.type, value.attr
    of = value.args[0].type if value.args else VOID
    if op in (OPS.get, OPS.input):
        return attr is None or type == getattr(attr, "type", type)
    if op in (OPS.set, OPS.output):
        return type == VOID and of == getattr(attr, "type", of)
    match op.result:
        case "v":
            return type == VOID
        case "b":
            return type == BOOL
        case "I":
            return type == I32
        case "t":
            return type == TEXEL
        case "~i":
            return type == INTEGERS.get(of.bits)
        case "~f":
            return type == FLOATS.get(of.bits)
        case "=i" | "=f":
            same = op in (OPS.iconv, OPS.uconv, OPS.fconv) and type == of
            return type.kind == op.result[1] and not same
        case "=":
            return type == I32 if op is OPS.source else type.kind in "if"
        case letter:
            return type == bound.get(letter)


def _wave(value: Value, size: int) -> Iterator[str]:
    wave = value.attr
    if not isinstance(wave, Wave):
        yield f"expected a Wave, got {wave!r:.40}"
        return
    combines = value.op in COMBINES
    if combines != (wave.op is not None):
        yield "expected a combining operation" if combines else "unexpected combining operation"
    elif wave.op is not None and wave.op not in NEUTRAL:
        yield f"{wave.op.name} is not a combining operation"
    elif wave.op is not None and value.type.kind not in OPERAND_KINDS[wave.op.operands[0]]:
        yield f"{wave.op.name} does not combine {value.type.name}"
    cluster = wave.cluster
    if cluster and (not combines or cluster & cluster - 1 or not 0 < cluster <= size):
        yield f"invalid cluster of {cluster} lanes in a wave of {size}"
    if wave.word and (value.op is not OPS.wave_ballot or not 0 < wave.word * WORD < MOST):
        yield f"a ballot has no word {wave.word}"


def _access(value: Value, memory: Memory) -> Iterator[str]:
    op = value.op
    if op is OPS.count:
        return
    type = value.args[2].type if op is OPS.store and len(value.args) > 2 else value.type
    if type.kind not in "if":
        yield f"a {type.name} cannot be stored in memory"
    elif type.size > memory.stride:
        yield f"a {type.name} of {type.size} bytes exceeds the stride of {memory.stride}"
    if op is not OPS.load and not memory.writable:
        yield f"{memory!r} is not writable"
    if op.atomic and type not in (I32, I64, F32, F64):
        yield f"atomics do not support {type.name}"


def operands(sample: Sample, many: bool) -> str:
    """Return the kinds of the operands of a sample, in order; `many`: several samples a texel."""
    texture, action = sample.texture, sample.action
    if action is Action.SAMPLES:
        return ""
    if action is Action.SIZE:
        return "i"
    fetch = action is Action.FETCH
    count = texture.shape.coordinates
    kinds = ("i" if fetch else "f") * (count + (texture.layered and action is not Action.LOD))
    kinds += "f" if sample.compare else ""
    match sample.level:
        case Level.BIAS:
            kinds += "f"
        case Level.EXPLICIT:
            kinds += "i" if fetch else "f"
        case Level.GRADIENT:
            kinds += "f" * 2 * count
    if fetch and many:
        kinds += "i"
    if sample.moving:
        kinds += "i" * count
    return kinds + ("f" if sample.clamped else "")
