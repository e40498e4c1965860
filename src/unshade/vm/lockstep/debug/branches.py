"""Branches of a listing, and which way a lane takes."""

from collections.abc import Iterator

from ....ir.kernel import If, Region, Switch, Value, regions, walk


def branches(region: Region) -> Iterator[tuple[Value, If | Switch]]:
    """Yield each branch of the listing with its condition.

    Branches inside the code of a single instruction are left out.
    """
    for statement in region:
        for inner in regions(statement):
            yield from branches(inner)
        if isinstance(statement, If) and statement.condition.line == statement.line:
            inside = [*walk(statement.then), *walk(statement.otherwise)]
            if any(each.line not in (0, statement.line) or each.op.ends for each in inside):
                yield statement.condition, statement
        elif isinstance(statement, Switch) and statement.value.line == statement.line:
            yield statement.value, statement


def way(statement: If | Switch, value: int) -> Iterator[str]:
    """Yield a note on the way that a lane takes."""
    if isinstance(statement, Switch):
        mask = statement.value.type.mask
        for case in statement.cases:
            if value in [label & mask for label in case.labels]:
                yield f"case {value}"
                return
        yield "default" if any(case.default for case in statement.cases) else "no case"
        return
    own = next(iter(statement.then), None)
    if isinstance(own, Value) and own.op.ends and own.line == statement.line:
        if not value:  # if it is taken, the exit is noted instead
            yield "not taken"
    else:
        yield "taken" if value else "not taken"
