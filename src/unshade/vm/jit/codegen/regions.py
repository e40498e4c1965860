"""Structured control flow as masks and branches.

    divergent if       mask & condition, then the other lanes; skipped if no lane is left
    uniform if         a branch
    loop               repeats while a lane is in its mask; a uniform break or continue is a jump
    block              the body; a uniform exit is a jump, otherwise lanes also leave all loops in
                       between

Code runs with an empty mask only where that is harmless: a few operations that are cheaper than
the test. None of these operations relies on a lane being active: `liveness` finds the sets that
need no mask because waiting lanes do not read the variable. Where control flow is uniform no lane
waits, so a region that no lane takes must be skipped.
"""

from itertools import islice

from ....dataclass import dataclass
from ....ir.analysis.flow import EarlyExits
from ....ir.kernel import Block, If, Loop, Region, Statement, Switch, Value, leaves
from ....ir.ops import OPS
from ..layout import ERROR
from ..tiers import LoopWork
from .element_loads import emit_element_loads, find_element_loads
from .emitter import FunctionEmitter
from .llvm_text import LLVM, Val, literal
from .load_runs import emit_run, find_run
from .operations import emit

SMALL_REGION = 12  # operations: a smaller region runs without a test for active lanes
EXPENSIVE = frozenset(
    {OPS.store, OPS.load, OPS.udiv, OPS.urem, OPS.idiv, OPS.irem, OPS.input, OPS.output}
)


@dataclass(slots=True)
class LoweredConstruct:
    """A loop, switch or block that lanes may leave, while its body is emitted.

    left            slot of the mask of lanes that left it
    continued       of a loop: slot of the mask of lanes that left only this iteration
    exit_label      label after the construct
    continue_label  label at the end of a loop's body
    mask            mask at the start of the body
    diverged        some lanes may have left while others have not
    jumped          a uniform continue jumps to `continue_label`
    """

    statement: Loop | Switch | Block
    left: str
    continued: str
    exit_label: str
    continue_label: str
    mask: str
    diverged: bool = False
    jumped: bool = False


class RegionEmitter:
    """An emitter of regions."""

    def __init__(self, emitter: FunctionEmitter) -> None:
        self.f = emitter
        self.t = emitter.t
        self.leaves = EarlyExits()
        self.work = LoopWork(emitter.kernel.body)
        self.constructs: list[LoweredConstruct] = []
        self.return_label = ""  # label at the end of the chunk, for a uniform return

    def region(self, region: Region, body: bool = False) -> None:
        """Emit the statements up to the first that ends the region.

        After a statement that lanes may leave, later statements are skipped if no lane is active.
        The body of a loop (`body`) tests for active lanes itself, so there only a rest that
        contains another loop is skipped.
        """
        t = self.t
        done = ""
        loops = [number for number, each in enumerate(region) if each in self.work.around]
        last_loop = loops[-1] if body and loops else -1
        for number, statement in enumerate(region):
            if isinstance(statement, Value) and statement not in self.f.placed:
                run = find_run(self.f, region, number)
                if run is not None:
                    emit_run(self.f, run)
            if isinstance(statement, Value) and statement not in self.f.loaded:
                loads = find_element_loads(self.f, region, number)
                if loads:
                    emit_element_loads(self.f, loads)
            self.statement(statement)
            if not t.open or (isinstance(statement, Value) and statement.op.ends):
                break
            if (
                not isinstance(statement, Value)
                and self._may_diverge(statement)
                and (number < last_loop if body else _worth_skipping(region, number + 1))
            ):
                done, on = done or t.label("none"), t.label("some")
                t.branch(t.any(self.f.control), on, done)
                t.begin(on)
        if done:
            t.begin(done)

    def _may_diverge(self, statement: Statement) -> bool:
        """Return True if some lanes may leave the region in this statement while others stay."""
        divergent = self.f.facts.divergent
        return any(
            each.op is OPS.return_ or each in divergent for each in self.leaves.out_of(statement)
        )

    def statement(self, statement: Statement) -> None:
        """Emit one statement."""
        if isinstance(statement, Value):
            if statement.op.ends:
                self._leave(statement)
            else:
                emit(self.f, statement)
        elif isinstance(statement, If):
            self._if(statement)
        elif isinstance(statement, Loop):
            self._loop(statement)
        elif isinstance(statement, Switch):
            self._switch(statement)
        else:
            self._block(statement)

    def _remaining(self, before: str, statement: Statement) -> str:
        """Return the lanes of the mask `before` that have not left during a statement."""
        ways = {(each.op, each.attr): each for each in self.leaves.out_of(statement)}
        left: dict[str, None] = {}
        for (op, _), value in ways.items():
            if op is not OPS.return_:
                construct = self.constructs[self._target(value)]
                left[construct.continued if op is OPS.continue_ else construct.left] = None
            elif self.f.returned:
                left[self.f.returned] = None
        return self.f.without(before, list(left))

    def _target(self, value: Value) -> int:
        """Return the number of the construct that a break, continue or exit leaves."""
        at = len(self.constructs) - 1
        while not leaves(value, self.constructs[at].statement):
            at -= 1
        return at

    # ------------------------------------------------------------ if and switch

    def _masked_region(self, region: Region, mask: str) -> None:
        """Emit a region for the lanes of a mask, skipped if there are none."""
        t, f = self.t, self.f
        if not region:
            return
        outer, f.control = f.control, mask
        if _worth_skipping(region):
            some, done = t.label("some"), t.label("none")
            t.branch(t.any(mask), some, done)
            t.begin(some)
            self.region(region)
            t.begin(done)
        else:
            self.region(region)
            if not t.open:
                t.begin(t.label("after"))
        f.control = outer

    def _branch(self, switch_instruction: str, ways: list[tuple[str, Region]], done: str) -> None:
        """Emit a uniform branch; `choice` is the instruction, `ways` are labels and regions."""
        t, f = self.t, self.f
        before = f.control
        t.put(switch_instruction)
        t.open = False
        for label, region in ways:
            f.control = before
            t.begin(label)
            self.region(region)
            if t.open:
                t.jump(done)
        f.control = before

    def _if(self, statement: If) -> None:
        t, f = self.t, self.f
        condition = f.value(statement.condition)
        before = f.control
        if condition.wide and statement in f.facts.divergent:
            taken = t.controlled(condition.text)
            here = t.make(f"and {t.control} {before}, {taken}")
            opposite = t.others(taken)
            self._masked_region(statement.then, here)
            if statement.otherwise:
                self._masked_region(
                    statement.otherwise, t.make(f"and {t.control} {before}, {opposite}")
                )
        else:
            known = condition.text
            if condition.wide:
                taken = t.controlled(condition.text)
                known = t.any(t.make(f"and {t.control} {before}, {taken}"))
            then, otherwise, done = t.label("then"), t.label("else"), t.label("end")
            ways = [(then, statement.then)]
            if statement.otherwise:
                ways.append((otherwise, statement.otherwise))
            else:
                otherwise = done
            self._branch(f"br i1 {known}, label %{then}, label %{otherwise}", ways, done)
            t.begin(done)
        f.control = self._remaining(before, statement)

    def _switch(self, statement: Switch) -> None:
        t, f = self.t, self.f
        before = f.control
        value = f.value(statement.value)
        done = t.label("end")
        if statement in f.facts.divergent and value.wide:
            for body, mask in self._case_masks(statement, value):
                after = t.label("behind")  # a uniform break of the case continues with the next one
                f.control = t.make(f"and {t.control} {before}, {mask}")
                self._enter(statement, after, "")
                self._masked_region(body, f.control)
                self.constructs.pop()
                t.begin(after)
        else:
            switch_instruction, ways = self.switch_instruction(statement, f.first(value), done)
            self._enter(statement, done, "")
            self._branch(switch_instruction, ways, done)
            self.constructs.pop()
        t.begin(done)
        f.control = self._remaining(before, statement)

    def _case_masks(self, statement: Switch, value: Val) -> list[tuple[Region, str]]:
        """Return each case with the mask of lanes that select it."""
        t = self.t
        vector = t.wide(value.type)
        matched = ""
        chosen: list[tuple[Region, str]] = []
        default: Region | None = None
        seen: set[int] = set()
        for case in statement.cases:
            here = "zeroinitializer"
            for label in case.labels:
                number = label & value.type.mask
                if number in seen:
                    continue
                seen.add(number)
                same = f"splat ({LLVM[value.type.name]} {literal(number, value.type)})"
                equal = t.controlled(t.make(f"icmp eq {vector} {value.text}, {same}"))
                here = t.make(f"or {t.control} {here}, {equal}")
            if case.default:
                default = case.body
            else:
                chosen.append((case.body, here))
                matched = t.make(f"or {t.control} {matched}, {here}") if matched else here
        if default is not None:
            rest = t.others(matched) if matched else t.every
            chosen.append((default, rest))
        return chosen

    def switch_instruction(
        self, statement: Switch, value: str, done: str
    ) -> tuple[str, list[tuple[str, Region]]]:
        """Return the instruction of a uniform switch, and a label for each case."""
        type = statement.value.type
        kind = LLVM[type.name]
        ways, targets, default = [], [], done
        seen: set[int] = set()
        for case in statement.cases:
            label = self.t.label("case")
            ways.append((label, case.body))
            if case.default:
                default = label
            for each in case.labels:
                number = each & type.mask
                if number not in seen:
                    seen.add(number)
                    targets.append(f"{kind} {literal(number, type)}, label %{label}")
        return f"switch {kind} {value}, label %{default} [{' '.join(targets)}]", ways

    # ------------------------------------------------------------ loops

    def _enter(self, statement: Loop | Switch | Block, exit: str, again: str) -> LoweredConstruct:
        """Begin a construct whose body has the current mask."""
        f = self.f
        continued = f.t.slot(f.t.control, "slept") if isinstance(statement, Loop) else ""
        made = LoweredConstruct(statement, f.empty("gone"), continued, exit, again, f.control)
        self.constructs.append(made)
        return made

    def _loop(self, statement: Loop) -> None:
        t, f = self.t, self.f
        before = f.control
        head, again, exit = t.label("loop"), t.label("again"), t.label("left")
        construct = self._enter(statement, exit, again)
        self.hide_budget()
        t.begin(head)
        f.clear_mask(construct.continued)
        out = [construct.left, f.returned] if f.returned else [construct.left]
        f.control = construct.mask = f.without(before, out)  # lanes that continued are back
        self.spend(statement)
        self.region(statement.body, True)
        self.constructs.pop()
        if t.open or construct.jumped:
            t.begin(again)
            if construct.diverged:
                t.branch(t.any(f.without(before, out)), head, exit)
            else:
                t.jump(head)
        t.begin(exit)
        f.control = before
        f.control = self._remaining(before, statement)

    def _block(self, statement: Block) -> None:
        t, f = self.t, self.f
        before = f.control
        done = t.label("end")
        self._enter(statement, done, "")
        self.region(statement.body)
        self.constructs.pop()
        t.begin(done)
        f.control = self._remaining(before, statement)

    def hide_budget(self) -> None:
        """Hide the budget's value from LLVM.

        LLVM would otherwise count iterations through all consecutive loops, in cubic time.
        """
        t = self.t
        left = t.make("load i64, ptr %budget, align 8")
        t.put(f"store volatile i64 {left}, ptr %hidden, align 8")
        left = t.make("load volatile i64, ptr %hidden, align 8")
        t.put(f"store i64 {left}, ptr %budget, align 8")

    def spend(self, loop: Loop, times: int = 1) -> None:
        """Spend one iteration of the budget; if it is used up, store the line and return.

        `times`: the number of chunks that run the iteration.
        """
        t = self.t
        self.f.count_work(self.work.of[loop] * times)
        left = t.make("load i64, ptr %budget, align 8")
        rest = t.make(f"sub i64 {left}, 1")
        t.put(f"store i64 {rest}, ptr %budget, align 8")
        on, spent = t.label("on"), t.label("spent")
        t.branch(t.make(f"icmp sge i64 {rest}, 0"), on, spent, likely=True)
        t.begin(spent)
        t.put(f"store atomic i64 {loop.line + 1}, ptr {self.f.pointer(ERROR)} monotonic, align 8")
        t.jump("end")
        t.begin(on)

    def _leave(self, value: Value) -> None:
        """Emit a break, continue, exit or return."""
        t, f = self.t, self.f
        op = value.op
        if op is OPS.return_:
            f.mark(f.returned, f.control)
            if f.control == f.start:
                t.jump(self.return_label)
                return
            for construct in self.constructs:
                construct.diverged = True
            return
        at = self._target(value)
        construct = self.constructs[at]
        if f.control == construct.mask or value not in f.facts.divergent:  # uniform
            construct.jumped |= op is OPS.continue_
            t.jump(construct.continue_label if op is OPS.continue_ else construct.exit_label)
        elif op is OPS.continue_:
            f.mark(construct.continued, f.control)
        else:
            construct.diverged = True
            f.mark(construct.left, f.control)
            for each in self.constructs[at + 1 :] if op is OPS.exit else ():
                if isinstance(each.statement, Loop):  # its next iteration runs without them
                    each.diverged = True
                    f.mark(each.left, f.control)


def _worth_skipping(region: Region, start: int = 0) -> bool:
    """Return True if a region, from a statement on, is worth a test for active lanes."""
    size = 0
    for each in islice(region, start, None):
        if not isinstance(each, Value) or each.op in EXPENSIVE or each.op.atomic:
            return True
        size += 2 if each.type.bits == 64 else 1
        if size > SMALL_REGION:
            return True
    return False
