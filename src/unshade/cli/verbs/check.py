"""`unshade check`: check the cost of shaders against budgets, or the stages of pipelines."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from .. import exits
from ..change_tables import ChangeReport
from ..commands import CheckOptions
from ..finding_reports import COLLECTED
from ..inputs import Input, several, with_name
from ..inputs import run as run_on
from ..output import CommandOutput, effect, note
from ..sources import use_if_asked

if TYPE_CHECKING:
    from ...analysis.budgets import Budget, BudgetRow
    from ...shader import Shader


LIMIT = {"metric": "string", "limit": "integer", "value": "integer?", "over": "boolean?"}
PLACE = {"stage": "string", "file": "string?", "entry_point": "string?"}
PIPELINE = {
    "pipeline": "string", "stages?": [PLACE], "findings?": ["any"], "error?": "any",
}  # fmt: skip
WHOLE = (PIPELINE, [PIPELINE])  # of --pipeline
SHAPE = {
    "over": "boolean",
    "measured": [{"entry_point": "string?", "stage": "string?", "limits": [LIMIT]}],
}


def run(given: CheckOptions) -> int:
    """Measure each shader, or check pipelines.

    Returns:
        1 if a shader is over a limit or a pipeline breaks a rule, 2 if no format of the files
        provides a limited metric, 4 if a count of a shader is unknown that is over no other limit.
    """
    use_if_asked(given.sources, given.stage[0] if len(given.stage) == 1 else None, given.entry)
    if given.as_json and given.format not in (None, "json"):
        raise UsageError(f"--json cannot be combined with --format {given.format}")
    if given.pipeline or given.pair or given.pipelines is not None:
        from ..pipelines import run as run_pipelines

        return run_pipelines(given)
    if not given.files:
        raise UsageError("expected FILE..., --pair RULE or --pipelines FILE")
    alone = (given.root_signature, given.layout, given.state)
    if any(each is not None for each in alone):
        what = "--root-signature, --layout and --state need"
        raise UsageError(f"{what} --pipeline, --pair or --pipelines")
    from ...analysis.budgets import check
    from ...analysis.metrics import METRICS
    from ...shader import has_code

    if given.growth is not None and given.baseline is None:
        raise UsageError("--max-growth needs --baseline")
    if given.format == "markdown":
        return _reported(given)
    if given.baseline is not None and given.growth is None:
        raise UsageError("--baseline needs --max-growth or --format markdown")
    if given.cost:
        raise UsageError("--cost needs --baseline")
    stating = given.growth is None or given.budgets is not None or bool(given.limits)
    stated = _stated(given.budgets, given.stage, given.limits) if stating else []
    if given.format in COLLECTED:
        return _collected(given, given.format, stated)
    out = _BudgetTable(given.output, as_json=given.as_json, fills_screen=False)
    everything = given.everything or not several(given.files)

    def measure(item: Input) -> int:
        shader = item.open_program()
        rows = [*check(shader, item.path, stated), *_grown(given, item, shader)]
        if not has_code(shader) and not several(given.files):
            note(f"{item.name}: no code: its size alone is measured")
        out.see(shader.format, *(n for n, each in enumerate(stated) if each.matches(item.path)))
        if given.as_json:
            out.document(item, _plain(rows))
        out.add([(item.name, row) for row in rows if everything or row.over or row.unknown])
        return _code(item, rows)

    code = run_on(given.files, measure, out)
    for number, budget in enumerate(stated):
        if budget.files and number not in out.seen:
            note(f"{given.budgets}: budget[{number}] matches no shader: {', '.join(budget.files)}")
    formats = [each for each in out.seen if isinstance(each, str)]
    limited = dict.fromkeys(name for budget in stated for name in budget.limits)
    uncounted = [name for name in limited if not any(map(METRICS[name].counted_for, formats))]
    if formats and uncounted:
        names = ", ".join(f"max-{name}" for name in uncounted)
        note(f"{names}: not counted for {', '.join(formats)}")
        code = max(code, exits.USAGE)
    return code


def _code(item: Input, rows: "Sequence[BudgetRow]") -> int:
    """Return the exit code for the rows of a file, and write a note about unknown counts.

    An exceeded limit counts more than an unknown count: it stays exceeded whatever the count is.
    """
    unknown = dict.fromkeys(each.metric for row in rows for each in row.unknown)
    if unknown:
        note(f"{item.name}: unknown counts: {', '.join(unknown)}")
    if any(row.over for row in rows):
        return exits.FINDING
    return exits.UNSUPPORTED if unknown else exits.FINE


def _reported(given: CheckOptions) -> int:
    """Write a report in Markdown; return 1 if a shader is over a limit, not if it has changed."""
    from ...analysis.budgets import check
    from ...analysis.changes import changes
    from ...analysis.metrics import count_shaders

    limited = given.budgets is not None or bool(given.limits)
    if not limited and given.baseline is None:
        raise UsageError("--format markdown needs limits, or --baseline")
    if given.cost and given.baseline is None:
        raise UsageError("--cost needs --baseline")
    stated = _stated(given.budgets, given.stage, given.limits) if limited else []
    out = ChangeReport(given.output, fills_screen=False)

    def measure(item: Input) -> int:
        shader = item.open_program()
        rows = [*check(shader, item.path, stated), *_grown(given, item, shader)]
        before = None if given.baseline is None else _before(given.baseline, item)
        found = []
        if given.baseline is not None:
            same = before is not None and before.to_bytes() == shader.to_bytes()
            found = (
                [] if same else changes(item.inside or item.name, before, shader, costs=given.cost)
            )
        over = [(item.name, row) for row in rows if row.over]
        out.gather(found, over, total=count_shaders(shader))
        return _code(item, rows)

    return run_on(given.files, measure, out)


def _collected(given: CheckOptions, format: str, stated: "Sequence[Budget]") -> int:
    """Write a report of the findings of all shaders; return 1 if one is over a limit."""
    from ...analysis.budgets import check
    from ..budget_findings import budget_findings, budget_rules
    from ..finding_reports import write_findings
    from ..output import Collected

    out = Collected(given.output, lambda out: write_findings(out, format, "check", budget_rules()))

    def measure(item: Input) -> int:
        shader = item.open_program()
        rows = [*check(shader, item.path, stated), *_grown(given, item, shader)]
        out.document(item, {"findings": budget_findings(rows)})
        return _code(item, rows)

    return run_on(given.files, measure, out)


def _grown(given: CheckOptions, item: Input, shader: "Shader") -> "list[BudgetRow]":
    """Return the rows of a shader against the one of the baseline, if growth is limited."""
    from ...analysis.budgets import check, growth

    if given.growth is None or given.baseline is None:
        return []
    before = _before(given.baseline, item)
    return [] if before is None else check(shader, item.path, growth(before, given.growth))


def _before(baseline: str, item: Input) -> "Shader | None":
    """Return the shader of the baseline with the same path, or None."""
    from ...analysis.metrics import shaders_inside
    from ...formats import identify, open_nested

    place = baseline
    if os.path.isdir(baseline):
        place = os.path.join(baseline, item.inside or os.path.basename(item.path))
    if not os.path.exists(place):
        return None
    found = Input(place).open_program()
    inside = shaders_inside(found)
    if not inside or identify(item.head()) == found.format:
        return found
    # A database: the shader of the same name.
    names = (item.inside or item.path, os.path.basename(item.path))
    data = next((inside[name] for name in names if name in inside), None)
    return None if data is None else open_nested(data)


class _BudgetTable(CommandOutput):
    """An output that writes one table after all files are measured."""

    def __init__(self, path: str | None, **options: Any) -> None:
        super().__init__(path, **options)
        self.rows: list[tuple[str, BudgetRow]] = []

    @effect
    def add(self, rows: "list[tuple[str, BudgetRow]]") -> None:
        """Add rows of one file."""
        self.rows += rows

    def __exit__(self, kind: object, *rest: object) -> None:
        if kind is None and self.rows and not self.as_json:
            from ...screens.budgets import screen

            self.blocks(screen(self.rows))
        super().__exit__(kind, *rest)


def _stated(file: str | None, stages: Sequence[str], limits: Mapping[str, int]) -> "list[Budget]":
    """Return the budgets of the file, then the budget of the options, such as `max_bytes`."""
    from ...analysis.budgets import Budget, read

    stated: list[Budget] = []
    if file is not None:
        try:
            stated = read(Input(file).read().decode())
        except UnicodeDecodeError:
            raise UsageError(f"{file}: invalid TOML: not UTF-8") from None
        except UsageError as error:
            raise UsageError(with_name(file, f"{error}")) from None
    if limits:
        named = {
            name.removeprefix("max_").replace("_", "-"): limit for name, limit in limits.items()
        }
        stated.append(Budget(named, stages=list(stages)))
    elif stages:
        raise UsageError("--stage needs a limit such as --max-instructions")
    if not stated:
        raise UsageError("no limits: give --max-instructions N, another --max-..., or --budgets")
    return stated


def _plain(rows: "Sequence[BudgetRow]") -> dict[str, Any]:
    """Return the rows as JSON data."""
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
