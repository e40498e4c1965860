"""`unshade check`: which shaders cost more than their budgets allow."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from . import exits
from .inputs import Input, several
from .inputs import run as run_on
from .output import Output, note

if TYPE_CHECKING:
    from ..analysis.budgets import Budget, BudgetRow


def run(
    files: Sequence[str],
    budgets: str | None = None,
    stage: Sequence[str] = (),
    everything: bool = False,
    as_json: bool = False,
    output: str | None = None,
    **limits: int | None,
) -> int:
    """Measure each shader. Exit code 1 where one is over a limit, 4 where a count is not known.

    2 where a limit is of something that no format of the files has a count of; where some of them
    have it, it does not apply to the others.

    `limits` are options such as `max_instructions`, for shaders of the stages in `stage`; they
    come after those of the file `budgets`. `everything` lists shaders within their limits, too.
    """
    from ..analysis.budgets import METRICS, check

    stated = _stated(budgets, stage, limits)
    unmatched = {n for n, budget in enumerate(stated) if budget.files}
    untold = dict.fromkeys(name for budget in stated for name in budget.limits)
    formats: dict[str, None] = {}
    out = _Table(output, as_json=as_json, fills_screen=False)
    everything = everything or not several(files)

    def measure(item: Input) -> int:
        shader = item.open()
        rows = check(shader, item.path, stated)
        if shader.format not in formats:
            formats[shader.format] = None
            for name in [name for name in untold if METRICS[name].told_of(shader.format)]:
                del untold[name]
        unmatched.difference_update([n for n in unmatched if stated[n].matches(item.path)])
        if as_json:
            out.document(item, _plain(rows))
        out.rows += [(item.name, row) for row in rows if everything or row.over or row.unknown]
        unknown = dict.fromkeys(each.metric for row in rows for each in row.unknown)
        if unknown:
            note(f"{item.name}: has a limit, but is not known: {', '.join(unknown)}")
            return exits.UNSUPPORTED
        return exits.FINDING if any(row.over for row in rows) else exits.FINE

    code = run_on(files, measure, out)
    for number in sorted(unmatched):
        note(f"{budgets}: budget[{number}] matches no shader: {', '.join(stated[number].files)}")
    if formats and untold:
        told = ", ".join(f"max-{name}" for name in untold)
        note(f"{told}: nothing of the kind is counted in files of {', '.join(formats)}")
        code = max(code, exits.USAGE)
    return code


class _Table(Output):
    """Writes one table when all files are measured."""

    def __init__(self, path: str | None, **options: Any) -> None:
        super().__init__(path, **options)
        self.rows: list[tuple[str, BudgetRow]] = []

    def __exit__(self, kind: object, *rest: object) -> None:
        if kind is None and self.rows and not self.as_json:
            from ..screens.budgets import screen

            self.blocks(screen(self.rows))
        super().__exit__(kind, *rest)


def _stated(
    file: str | None, stages: Sequence[str], limits: dict[str, int | None]
) -> "list[Budget]":
    """The budgets of the file, then that of the options."""
    from ..analysis.budgets import Budget, read

    stated: list[Budget] = []
    if file is not None:
        try:
            stated = read(Input(file).read().decode())
        except UnicodeDecodeError:
            raise UsageError(f"{file}: not UTF-8, as TOML is") from None
        except UsageError as error:
            raise UsageError(f"{file}: {error}") from None
    given = {
        name.removeprefix("max_").replace("_", "-"): limit
        for name, limit in limits.items()
        if limit is not None
    }
    if given:
        stated.append(Budget(given, stages=list(stages)))
    elif stages:
        raise UsageError("--stage is for the limits of options, such as --max-instructions")
    if not stated:
        raise UsageError("nothing to check: give --max-instructions N, another limit, or --budgets")
    return stated


def _plain(rows: "Sequence[BudgetRow]") -> dict[str, Any]:
    """The rows as plain data."""
    return {
        "over": any(row.over for row in rows),
        "measured": [
            {
                "entry_point": row.entry,
                "stage": row.stage,
                "limits": [
                    {
                        "metric": each.metric,
                        "limit": each.limit,
                        "value": each.value,
                        "over": each.over if each.value is not None else None,
                    }
                    for each in row.measured
                ],
            }
            for row in rows
        ],
    }
