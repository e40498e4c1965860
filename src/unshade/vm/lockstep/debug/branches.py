"""Branches of a listing, and which way a lane takes."""

from collections.abc import Iterator

from ....ir.kernel import If, Region, Switch, Value, regions


def branches(region: Region) -> Iterator[tuple[Value, If | Switch]]:
    """Yield each branch of the listing with its condition, except inside instructions."""
    for statement in region:
        if isinstance(statement, If) and statement.branch and statement.line:
            yield statement.condition, statement
        elif isinstance(statement, Switch) and statement.branch and statement.line:
            yield statement.value, statement
        for inner in regions(statement):
            yield from branches(inner)


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
