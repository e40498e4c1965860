"""Which piece of the code stands in which file.

    DVLE 0   0.v.pica   procedures that its entry calls
    DVLE 1   1.g.pica   procedures that only this one calls
    none     2.v.pica   .nodvle: what neither of the two may hold

picasso joins the code of files in their order, and makes a DVLE of each in the same order. Any file
may hold any procedure, but for three things: only a vertex shader writes o7 to o15, setemit makes a
geometry shader, and labels are a file's own. So each outermost procedure goes to a DVLE that runs
it, if that keeps the order.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .....programs.pica import Program
from .....programs.pica.text.outline import CodeRange, Outline, stages_of
from ...records import Dvle, ShaderType

__all__ = ["FilePlan", "plan"]

STRANGER = 1  # a file of a DVLE that does not run the procedure
MISFIT = 1000  # one that may not hold it
EXHAUSTIVE = 8  # DVLEs up to which the best way is looked for


class ProcedureGroup(NamedTuple):
    """Procedures that jump into one another, and those between: they stand in one file."""

    tops: list[CodeRange]
    needs: set[str]
    runs: set[int]


class FilePlan(NamedTuple):
    """One file: the DVLE it makes, None for `.nodvle`, and the code in it."""

    name: str
    dvle: int | None
    tops: list[CodeRange]


def plan(
    program: Program, outline: Outline, dvles: Sequence[Dvle], first: int = 0
) -> list[FilePlan]:
    """The files, in order; one for each DVLE, and more where they are needed.

    `first` is the number of the first.
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
            files.append((None, []))  # the file of `home` is behind us
        files[-1][1].extend(group.tops)
    files += [(index, []) for index in range(made, len(dvles))]
    return [
        FilePlan(f"{number}.{'v' if dvle is None else stages[dvle][0]}.pica", dvle, tops)
        for number, (dvle, tops) in enumerate(files, first)
    ]


def _stage(dvle: Dvle) -> str:
    return "geometry" if dvle.type == ShaderType.GEOMETRY else "vertex"


def _homes(groups: Sequence[ProcedureGroup], stages: Sequence[str]) -> list[int | None]:
    """The DVLE for each group, in rising order; None where none may hold it."""
    if len(stages) > EXHAUSTIVE:
        return _simply(groups, stages)
    choices: list[list[int]] = []  # for each group and DVLE: the DVLE of the group before
    costs = [0] * len(stages)  # the least of all groups so far, the last of them in that DVLE
    for group in groups:
        row: list[int] = []
        following: list[int] = []
        best = 0
        for index, stage in enumerate(stages):
            if costs[index] < costs[best]:
                best = index
            row.append(best)
            cost = MISFIT if group.needs - {stage} else 0
            cost += STRANGER if group.runs and index not in group.runs else 0
            following.append(costs[best] + cost)
        choices.append(row)
        costs = following
    found: list[int | None] = []
    at = min(range(len(stages)), key=costs.__getitem__)
    for row, group in zip(reversed(choices), reversed(groups), strict=True):
        found.append(None if group.needs - {stages[at]} else at)
        at = row[at]
    return found[::-1]


def _simply(groups: Sequence[ProcedureGroup], stages: Sequence[str]) -> list[int | None]:
    at = 0
    found: list[int | None] = []
    for group in groups:
        at = min((index for index in group.runs if index >= at), default=at)
        found.append(None if group.needs - {stages[at]} else at)
    return found


def _groups(program: Program, outline: Outline) -> list[ProcedureGroup]:
    """The outermost procedures, those together between which a jump leads."""
    tops = outline.tops
    places = {at: n for n, top in enumerate(tops) for at in range(top.start, top.end)}
    last = list(range(len(tops)))  # the last procedure that stands in the file of each
    for at, target in outline.jumps.items():
        here, there = places[at], places.get(target, len(tops) - 1)
        if target != tops[here].end:  # else the label stands at its own end
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
    """The DVLEs that run each outermost procedure."""
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
