"""Control flow of a program: a step for each statement, in the order of the text.

for (int i = 0; i < 4; ++i) {     true to the body, false behind the loop; the region
    if (i > 2) { break; }         true, false; the region
    x += 1.0;                     back to the loop
}
"""

from ...isa.flow import NEXT, FlowStep, ProgramFlow
from ...tuples import NamedTuple
from .tables.enumerations import BlockForm
from .tree import (
    BlockStatement,
    BreakStatement,
    ContinueStatement,
    DiscardStatement,
    DoStatement,
    ForStatement,
    FunctionDefinition,
    IfStatement,
    NopStatement,
    ReturnStatement,
    Statement,
    SwitchStatement,
    TranslationUnit,
)

__all__ = ["control_flow"]

Way = tuple[int, str]


class _Targets(NamedTuple):
    """The targets of a statement: the next, of break and of continue; None leaves the function."""

    behind: Way | None
    broken: int | None = None
    continued: int | None = None


class _Flow:
    """The steps and regions so far."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.ways: list[list[Way]] = []
        self.regions: list[tuple[int, int]] = []

    def step(self, path: str, *ways: Way | None) -> int:
        self.paths.append(path)
        self.ways.append([each for each in ways if each is not None])
        return len(self.paths) - 1

    def region(self, first: int) -> None:
        """Add the region from a step to the last one so far."""
        if len(self.paths) - 1 > first:
            self.regions.append((first, len(self.paths) - 1))


def control_flow(unit: TranslationUnit) -> ProgramFlow:
    """Return the flow of the functions of a program."""
    made = _Flow()
    starts = []
    for at, element in enumerate(unit.elements):
        if isinstance(element, FunctionDefinition):
            start = len(made.paths)
            _add(made, element.body, f"elements[{at}].body", _Targets(None))
            if len(made.paths) > start:
                starts.append(start)
                made.region(start)
    steps = [
        FlowStep(path, tuple((to, NEXT if kind == "jump" and to == at + 1 else kind)
                             for to, kind in ways))
        for at, (path, ways) in enumerate(zip(made.paths, made.ways, strict=True))
    ]  # fmt: skip
    return ProgramFlow(steps, sorted(made.regions), starts)


def _size(given: Statement | None) -> int:
    """Return the number of steps of a statement."""
    match given:
        case None | NopStatement():
            return 0
        case BlockStatement(statements=inner):
            if given.form == BlockForm.COMPOUND:
                return min(1, len(inner))
            return sum(map(_size, inner))
        case IfStatement():
            return 1 + _size(given.if_true) + _size(given.if_false)
        case ForStatement() | DoStatement():
            return 1 + _size(given.body)
        case SwitchStatement():
            return 1 + sum(1 + _size(each.body) for each in given.cases)
    return 1


def _add(made: _Flow, given: Statement, path: str, exits: _Targets) -> None:
    here = len(made.paths)
    match given:
        case NopStatement():
            pass
        case BlockStatement():
            _add_block(made, given, path, exits)
        case IfStatement():
            _add_if(made, given, path, exits)
        case ForStatement():
            body = (here + 1 if _size(given.body) else here, "true")
            made.step(path, body, _as(exits.behind, "false") if given.test is not None else None)
            _add_body(made, given.body, path, exits, here)
        case DoStatement():
            made.step(path, (here + 1, NEXT) if _size(given.body) else exits.behind)
            _add_body(made, given.body, path, exits, here)
            if exits.behind is not None and (here, "back") in made.ways[-1]:
                made.ways[-1].append((exits.behind[0], "jump"))
        case SwitchStatement():
            _add_switch(made, given, path, exits)
        case ReturnStatement() | DiscardStatement():
            made.step(path)
        case BreakStatement():
            made.step(path, _to(exits.broken, "break"))
        case ContinueStatement():
            made.step(path, _to(exits.continued, "continue"))
        case _:
            made.step(path, exits.behind)


def _add_block(made: _Flow, given: BlockStatement, path: str, exits: _Targets) -> None:
    if given.form == BlockForm.COMPOUND:  # declarations in one line
        if given.statements:
            made.step(f"{path}.statements[0]", exits.behind)
        return
    left = sum(map(_size, given.statements))
    for at, each in enumerate(given.statements):
        size = _size(each)
        left -= size
        behind = (len(made.paths) + size, "jump") if left else exits.behind
        _add(made, each, f"{path}.statements[{at}]", exits._replace(behind=behind))


def _add_if(made: _Flow, given: IfStatement, path: str, exits: _Targets) -> None:
    here, size = len(made.paths), _size(given.if_true)
    true = (here + 1, "true") if size else _as(exits.behind, "true")
    other = (here + 1 + size, "false") if _size(given.if_false) else _as(exits.behind, "false")
    made.step(path, true, other)
    _add(made, given.if_true, f"{path}.if_true", exits)
    made.region(here)
    if given.if_false is not None:
        start = len(made.paths)
        _add(made, given.if_false, f"{path}.if_false", exits)
        end = len(made.paths) - 1
        if end >= start and not isinstance(given.if_false, IfStatement):  # that has its own region
            made.regions.append((start, end))


def _add_body(made: _Flow, body: Statement, path: str, exits: _Targets, head: int) -> None:
    broken = exits.behind[0] if exits.behind is not None else None
    _add(made, body, f"{path}.body", _Targets((head, "back"), broken, head))
    made.region(head)


def _add_switch(made: _Flow, given: SwitchStatement, path: str, exits: _Targets) -> None:
    head = made.step(path)
    broken = exits.behind[0] if exits.behind is not None else None
    for at, case in enumerate(given.cases):
        here, size = len(made.paths), _size(case.body)
        made.ways[head].append((here, "default" if case.value is None else "case"))
        behind = (here + 1 + size, "jump") if at + 1 < len(given.cases) else exits.behind
        made.step(f"{path}.cases[{at}]", (here + 1, NEXT) if size else behind)
        inner = exits._replace(behind=behind, broken=broken)
        _add(made, case.body, f"{path}.cases[{at}].body", inner)
    if all(case.value is not None for case in given.cases):
        made.ways[head] += [exits.behind] if exits.behind is not None else []
    made.region(head)


def _as(way: Way | None, kind: str) -> Way | None:
    return None if way is None else (way[0], kind)


def _to(step: int | None, kind: str) -> Way | None:
    return None if step is None else (step, kind)
