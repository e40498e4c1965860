"""The branches of a listing, and which way a lane goes."""

from collections.abc import Iterator

from ....ir.kernel import If, Region, Switch, Value, regions, walk


def branches(region: Region) -> Iterator[tuple[Value, If | Switch]]:
    """The branches of the listing by what they ask; those inside of one instruction are none."""
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
    """Which way a lane goes."""
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
        if not value:  # else the exit says it
            yield "not taken"
    else:
        yield "taken" if value else "not taken"
