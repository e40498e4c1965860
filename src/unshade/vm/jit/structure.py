"""Structured regions as masks and branches.

    lanes part         mask & condition, then the others; skipped where no lane is left
    lanes stay together   a branch
    loop               while a lane is left in its mask; a break or continue of all is a jump
    block              the body; an exit of all is a jump, else lanes have also left all in between

Code runs with an empty mask only where that does no harm: a few operations that are cheaper than
the question, none of them a set that relies on lanes being there (`liveness` says of sets that need
no mask that waiting lanes do not read them; where all lanes take the same way nobody waits, and so
a part that nobody takes has to be skipped).
"""

from dataclasses import dataclass

from ...ir.analysis.flow import EarlyExits
from ...ir.kernel import Block, If, Loop, Region, Statement, Switch, Value, leaves
from ...ir.ops import OPS
from .frame import Frame
from .layout import ERROR, statements
from .operations import emit
from .text import LLVM, Val, literal

HEAVY = 12  # operations: a body of fewer is run under its mask without asking for lanes
DEAR = frozenset(
    {OPS.store, OPS.load, OPS.udiv, OPS.urem, OPS.idiv, OPS.irem, OPS.input, OPS.output}
)


@dataclass(slots=True)
class Construct:
    """A loop, switch or block that lanes may leave.

    gone    slot of the mask of lanes that left
    slept   of a loop: of lanes that only left this iteration
    exit    label behind it;  again: label at the end of a loop's body
    mask    of the body when it began
    parted  whether some lanes may have left while others have not
    """

    statement: Loop | Switch | Block
    gone: str
    slept: str
    exit: str
    again: str
    mask: str
    parted: bool = False
    jumped: bool = False


class Structure:
    """Emits regions."""

    def __init__(self, frame: Frame) -> None:
        self.f = frame
        self.t = frame.t
        self.leaves = EarlyExits()
        self.constructs: list[Construct] = []
        self.finish = ""  # label where the chunk ends, for a return of all lanes

    def region(self, region: Region, body: bool = False) -> None:
        """The statements; those behind an end are never reached. Of a loop's body the loop itself
        asks if anyone is left: in it that is only asked before what might not end.
        """
        worth = _holds_loop if body else _heavy
        t = self.t
        done = ""
        for number, statement in enumerate(region):
            self.statement(statement)
            if not t.open or (isinstance(statement, Value) and statement.op.ends):
                break
            if (
                not isinstance(statement, Value)
                and self._parted(statement)
                and worth(region[number + 1 :])
            ):
                done, on = done or t.label("none"), t.label("some")
                t.branch(t.any(self.f.mask), on, done)
                t.begin(on)
        if done:
            t.begin(done)

    def _parted(self, statement: Statement) -> bool:
        """Whether lanes may leave the region inside this statement, and others stay."""
        divergent = self.f.facts.divergent
        return any(
            each.op is OPS.return_ or each in divergent for each in self.leaves.out_of(statement)
        )

    def statement(self, statement: Statement) -> None:
        """One statement."""
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

    def _left_over(self, before: str, statement: Statement) -> str:
        """The lanes of a mask that have not left meanwhile."""
        kinds = self.leaves.kinds(statement)
        if not kinds:
            return before
        gone: list[str] = []
        if OPS.return_ in kinds and self.f.returned:
            gone.append(self.f.returned)
        for construct in reversed(self.constructs):
            gone.append(construct.gone)
            if isinstance(construct.statement, Loop):
                gone.append(construct.slept)
                break
        return self.f.without(before, gone)

    # ------------------------------------------------------------ if and switch

    def _under(self, region: Region, mask: str) -> None:
        """A region for the lanes of a mask, if there are any."""
        t, f = self.t, self.f
        if not region:
            return
        outer, f.mask = f.mask, mask
        if _heavy(region):
            some, done = t.label("some"), t.label("none")
            t.branch(t.any(mask), some, done)
            t.begin(some)
            self.region(region)
            t.begin(done)
        else:
            self.region(region)
            if not t.open:
                t.begin(t.label("after"))
        f.mask = outer

    def _ways(self, choice: str, ways: list[tuple[str, Region]], done: str) -> None:
        """Regions of which all lanes take one: `choice` is the branch."""
        t, f = self.t, self.f
        before = f.mask
        t.put(choice)
        t.open = False
        for label, region in ways:
            f.mask = before
            t.begin(label)
            self.region(region)
            if t.open:
                t.jump(done)
        f.mask = before

    def _if(self, statement: If) -> None:
        t, f = self.t, self.f
        condition = f.value(statement.condition)
        before = f.mask
        if condition.wide and statement in f.facts.divergent:
            here = t.make(f"and {t.mask} {before}, {condition.text}")
            opposite = t.make(f"xor {t.mask} {condition.text}, splat (i1 true)")
            self._under(statement.then, here)
            if statement.otherwise:
                self._under(statement.otherwise, t.make(f"and {t.mask} {before}, {opposite}"))
        else:
            known = condition.text
            if condition.wide:
                known = t.any(t.make(f"and {t.mask} {before}, {condition.text}"))
            then, otherwise, done = t.label("then"), t.label("else"), t.label("end")
            ways = [(then, statement.then)]
            if statement.otherwise:
                ways.append((otherwise, statement.otherwise))
            else:
                otherwise = done
            self._ways(f"br i1 {known}, label %{then}, label %{otherwise}", ways, done)
            t.begin(done)
        f.mask = self._left_over(before, statement)

    def _switch(self, statement: Switch) -> None:
        t, f = self.t, self.f
        before = f.mask
        value = f.value(statement.value)
        done = t.label("end")
        if statement in f.facts.divergent and value.wide:
            for body, mask in self._masks(statement, value):
                behind = t.label("behind")  # a break of all lanes of the case ends in the next one
                f.mask = t.make(f"and {t.mask} {before}, {mask}")
                self._open(statement, behind, "")
                self._under(body, f.mask)
                self.constructs.pop()
                t.begin(behind)
        else:
            choice, ways = self.choice(statement, f.first(value), done)
            self._open(statement, done, "")
            self._ways(choice, ways, done)
            self.constructs.pop()
        t.begin(done)
        f.mask = self._left_over(before, statement)

    def _masks(self, statement: Switch, value: Val) -> list[tuple[Region, str]]:
        """Each case with the lanes whose value it names."""
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
                equal = t.make(f"icmp eq {vector} {value.text}, {same}")
                here = t.make(f"or {t.mask} {here}, {equal}")
            if case.default:
                default = case.body
            else:
                chosen.append((case.body, here))
                matched = t.make(f"or {t.mask} {matched}, {here}") if matched else here
        if default is not None:
            rest = t.make(f"xor {t.mask} {matched or 'zeroinitializer'}, splat (i1 true)")
            chosen.append((default, rest))
        return chosen

    def choice(
        self, statement: Switch, value: str, done: str
    ) -> tuple[str, list[tuple[str, Region]]]:
        """A switch on one number: the branch, and a label for each case."""
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

    def _open(self, statement: Loop | Switch | Block, exit: str, again: str) -> Construct:
        """A construct begins; its body has the present mask."""
        f = self.f
        slept = f.t.slot(f.t.mask, "slept") if isinstance(statement, Loop) else ""
        made = Construct(statement, f.empty("gone"), slept, exit, again, f.mask)
        self.constructs.append(made)
        return made

    def _loop(self, statement: Loop) -> None:
        t, f = self.t, self.f
        before = f.mask
        head, again, exit = t.label("loop"), t.label("again"), t.label("left")
        construct = self._open(statement, exit, again)
        self.hide_budget()
        t.begin(head)
        t.put(f"store {t.mask} zeroinitializer, ptr {construct.slept}, align 8")
        out = [construct.gone, f.returned] if f.returned else [construct.gone]
        f.mask = construct.mask = f.without(before, out)  # those that only slept are back
        self.spend(statement.line)
        self.region(statement.body, True)
        self.constructs.pop()
        if t.open or construct.jumped:
            t.begin(again)
            if construct.parted:
                t.branch(t.any(f.without(before, out)), head, exit)
            else:
                t.jump(head)
        t.begin(exit)
        f.mask = before
        f.mask = self._left_over(before, statement)

    def _block(self, statement: Block) -> None:
        t, f = self.t, self.f
        before = f.mask
        done = t.label("end")
        self._open(statement, done, "")
        self.region(statement.body)
        self.constructs.pop()
        t.begin(done)
        f.mask = self._left_over(before, statement)

    def hide_budget(self) -> None:
        """LLVM would count through all loops that come one after the other, in cubic time."""
        t = self.t
        left = t.make("load i64, ptr %budget, align 8")
        t.put(f"store volatile i64 {left}, ptr %hidden, align 8")
        left = t.make("load volatile i64, ptr %hidden, align 8")
        t.put(f"store i64 {left}, ptr %budget, align 8")

    def spend(self, line: int) -> None:
        """One iteration of the budget; without any left the function ends, and tells the line."""
        t = self.t
        left = t.make("load i64, ptr %budget, align 8")
        rest = t.make(f"sub i64 {left}, 1")
        t.put(f"store i64 {rest}, ptr %budget, align 8")
        on, spent = t.label("on"), t.label("spent")
        t.branch(t.make(f"icmp sge i64 {rest}, 0"), on, spent, likely=True)
        t.begin(spent)
        t.put(f"store atomic i64 {line + 1}, ptr {self.f.pointer(ERROR)} monotonic, align 8")
        t.jump("end")
        t.begin(on)

    def _leave(self, value: Value) -> None:
        """Lanes leave a loop, a switch or the kernel."""
        t, f = self.t, self.f
        op = value.op
        if op is OPS.return_:
            f.mark(f.returned, f.mask)
            if f.mask == f.start:
                t.jump(self.finish)
                return
            for construct in self.constructs:
                construct.parted = True
            return
        at = len(self.constructs) - 1
        while not leaves(value, self.constructs[at].statement):
            at -= 1
        construct = self.constructs[at]
        if f.mask == construct.mask or value not in f.facts.divergent:  # all that are here
            construct.jumped |= op is OPS.continue_
            t.jump(construct.again if op is OPS.continue_ else construct.exit)
        elif op is OPS.continue_:
            f.mark(construct.slept, f.mask)
        else:
            for each in self.constructs[at:] if op is OPS.exit else [construct]:
                each.parted = True
                f.mark(each.gone, f.mask)


def _heavy(region: Region) -> bool:
    """Whether a region is worth asking if anyone needs it."""
    return len(region) > HEAVY or any(
        not isinstance(each, Value) or each.op in DEAR or each.op.atomic for each in region
    )


def _holds_loop(region: Region) -> bool:
    return any(isinstance(each, Loop) for each in statements(region))
