"""Distribution of the code to source files.

    DVLE 0   0.v.pica   procedures that its entry calls
    DVLE 1   1.g.pica   procedures that only this executable calls
    none     2.v.pica   .nodvle: code that neither of the two may contain

picasso concatenates the code of the files and makes a DVLE of each, in their order. A file may
contain any procedure, with three exceptions: only a vertex shader writes o7 to o15, setemit makes
the file a geometry shader, and labels are local to their file. So each outermost procedure is
placed in a DVLE that runs it, if that preserves the order.
"""

from collections.abc import Sequence

from .....programs.pica import Program
from .....programs.pica.text.outline import CodeRange, Outline, stages_of
from .....tuples import NamedTuple
from ...records import Dvle, ShaderType

__all__ = ["FilePlan", "plan"]

UNUSED_COST = 1  # cost of a DVLE that does not run the procedure
FORBIDDEN_COST = 1000  # cost of one that may not contain it
EXHAUSTIVE = 8  # number of DVLEs up to which the best distribution is searched


class ProcedureGroup(NamedTuple):
    """Procedures of one file: they jump into each other, or lie between two that do."""

    tops: list[CodeRange]
    needs: set[str]
    runs: set[int]


class FilePlan(NamedTuple):
    """One file: its DVLE (None for `.nodvle`), and its code."""

    name: str
    dvle: int | None
    tops: list[CodeRange]


def plan(
    program: Program, outline: Outline, dvles: Sequence[Dvle], first: int = 0
) -> list[FilePlan]:
    """Return the files in order: one for each DVLE, and others where needed.

    `first` is the number of the first file.
    """
    stages = [_stage(dvle) for dvle in dvles]
    groups = _groups(program, outline)
    homes = _homes(groups, stages) if dvles else [None] * len(groups)
    files: list[tuple[int | None, list[CodeRange]]] = []
    made = 0  # DVLEs that have a file
    for group, home in zip(groups, homes, strict=True):
        if home is not None and home >= made:
            files += [(index, []) for index in range(made, home + 1)]
            made = home + 1
        if not files or files[-1][0] != home:
            files.append((None, []))  # the file of `home` is already complete
        files[-1][1].extend(group.tops)
    files += [(index, []) for index in range(made, len(dvles))]
    return [
        FilePlan(f"{number}.{'v' if dvle is None else stages[dvle][0]}.pica", dvle, tops)
        for number, (dvle, tops) in enumerate(files, first)
    ]


def _stage(dvle: Dvle) -> str:
    return "geometry" if dvle.type == ShaderType.GEOMETRY else "vertex"


def _homes(groups: Sequence[ProcedureGroup], stages: Sequence[str]) -> list[int | None]:
    """Return the DVLE of each group, in ascending order; None if none may contain it."""
    if len(stages) > EXHAUSTIVE:
        return _greedy(groups, stages)
    choices: list[list[int]] = []  # by group and DVLE: the DVLE of the previous group
    costs = [0] * len(stages)  # by DVLE: the least cost so far, with the last group in it
    for group in groups:
        row: list[int] = []
        following: list[int] = []
        best = 0
        for index, stage in enumerate(stages):
            if costs[index] < costs[best]:
                best = index
            row.append(best)
            cost = FORBIDDEN_COST if group.needs - {stage} else 0
            cost += UNUSED_COST if group.runs and index not in group.runs else 0
            following.append(costs[best] + cost)
        choices.append(row)
        costs = following
    found: list[int | None] = []
    at = min(range(len(stages)), key=costs.__getitem__)
    for row, group in zip(reversed(choices), reversed(groups), strict=True):
        found.append(None if group.needs - {stages[at]} else at)
        at = row[at]
    return found[::-1]


def _greedy(groups: Sequence[ProcedureGroup], stages: Sequence[str]) -> list[int | None]:
    at = 0
    found: list[int | None] = []
    for group in groups:
        at = min((index for index in group.runs if index >= at), default=at)
        found.append(None if group.needs - {stages[at]} else at)
    return found


def _groups(program: Program, outline: Outline) -> list[ProcedureGroup]:
    """Group the outermost procedures; a jump joins all procedures from its place to its target."""
    tops = outline.tops
    places = {at: n for n, top in enumerate(tops) for at in range(top.start, top.end)}
    last = list(range(len(tops)))  # the last procedure in the same file, by procedure
    for at, target in outline.jumps.items():
        here, there = places[at], places.get(target, len(tops) - 1)
        if target != tops[here].end:  # otherwise the label is at its own end
            last[min(here, there)] = max(last[min(here, there)], here, there)
    runs = _runs(program, outline, places)
    groups: list[ProcedureGroup] = []
    until = -1
    for number, top in enumerate(tops):
        if number > until:
            groups.append(ProcedureGroup([], set(), set()))
        until = max(until, last[number])
        group = groups[-1]
        group.tops.append(top)
        for each in program.instructions[top.start : top.end]:
            group.needs.update(stages_of(each))
        group.runs.update(runs[number])
    return groups


def _runs(program: Program, outline: Outline, places: dict[int, int]) -> list[set[int]]:
    """Return the DVLEs that run each outermost procedure."""
    leads: list[set[int]] = [set() for _ in outline.tops]
    for at, each in enumerate(program.instructions):
        op = each.op
        if op is not None and op.kind in ("call", "jump") and each.target in places:
            leads[places[at]].add(places[each.target])
    runs: list[set[int]] = [set() for _ in outline.tops]
    for index, entry in enumerate(program.entries[:EXHAUSTIVE]):
        todo = [places[entry.main]] if entry.main in places else []
        while todo:
            number = todo.pop()
            if index not in runs[number]:
                runs[number].add(index)
                todo += leads[number]
    return runs
