"""Reports in Markdown, for comments on changes: what differs between two builds, and budgets.

    **2 of 4,000 shaders changed**: 1 helped, 1 hurt

    | metric | before | after | change | helped | hurt |
    |:--|--:|--:|--:|--:|--:|
    | instructions | 220 | 205 | −6.8 % | 1 | 1 |

Names come from files: each is a code span, in which nothing is a link, a mention or markup.
"""

from collections.abc import Iterable, Iterator, Sequence

from ..analysis.budgets import BudgetRow
from ..analysis.changes import MetricChange, MetricTotal, totals
from .text import many, visible

__all__ = ["code_span", "report"]

MOST_ROWS = 12  # shaders that are listed
MOST_METRICS = 6
# Of metrics that changed in as many shaders, these come first.
FIRST = ("bytes", "instructions", "operations", "live-registers", "sample-chain", "temps")
LONGEST = 80  # characters of a name


def code_span(name: str) -> str:
    """Return a name as a code span that may stand in a table."""
    shown = name if len(name) <= LONGEST else f"…{name[1 - LONGEST :]}"
    safe = visible(shown).replace("|", "\\|")
    fence = "`"
    while fence in safe:
        fence += "`"
    edge = " " if safe.startswith("`") or safe.endswith("`") or not safe.strip() else ""
    return f"{fence}{edge}{safe}{edge}{fence}"


def report(
    found: Sequence[MetricChange], total: int, over: Sequence[tuple[str, BudgetRow]] = ()
) -> Iterator[str]:
    """Yield the lines of a report; none if nothing changed and no budget is exceeded."""
    yield from _budgets(over)
    both = [each for each in found if each.names]
    added = len({each.shader for each in found if not each.before})
    gone = len({each.shader for each in found if not each.after})
    if not found:
        return
    if over:
        yield ""
    yield _headline(both, total, added, gone)
    if not both:
        return
    metrics = list(totals(both))
    yield ""
    yield "| metric | before | after | change | helped | hurt |"
    yield "|:--|--:|--:|--:|--:|--:|"
    kept = sorted(metrics, key=_importance)[:MOST_METRICS]
    for each in kept:
        share = _percent(each.before, each.after)
        cells = f"{each.before:,} | {each.after:,} | {share} | {each.helped:,} | {each.hurt:,}"
        yield f"| {each.metric} | {cells} |"
    yield ""
    names = [each.metric for each in kept]
    yield f"| shader | {' | '.join(names)} |"
    yield f"|:--|{'--:|' * len(names)}"
    ordered = sorted(both, key=lambda each: (-each.share, each.name))
    for change in ordered[:MOST_ROWS]:
        entry = f" {code_span(change.entry)}" if change.entry else ""
        cells = " | ".join(_cell(change, name) for name in names)
        yield f"| {code_span(change.name)}{entry} | {cells} |"
    if len(ordered) > MOST_ROWS:
        yield ""
        yield f"… and {len(ordered) - MOST_ROWS:,} more"


def _importance(each: MetricTotal) -> tuple[int, int]:
    """Return a sort key: the metrics that changed in most shaders come first."""
    rank = FIRST.index(each.metric) if each.metric in FIRST else len(FIRST)
    return -(each.helped + each.hurt), rank


def _headline(both: Sequence[MetricChange], total: int, added: int, gone: int) -> str:
    sums = [(sum(_worse(each)), each) for each in both]
    helped = len({each.shader for worse, each in sums if worse < 0})
    hurt = len({each.shader for worse, each in sums if worse > 0})
    count = len({each.shader for each in both})
    words = [f"{helped:,} helped", f"{hurt:,} hurt"] if both else []
    words += [f"{added:,} new"] * bool(added) + [f"{gone:,} gone"] * bool(gone)
    return f"**{count:,} of {many(total, 'shader')} changed**: {', '.join(words)}"


def _worse(each: MetricChange) -> Iterable[int]:
    """Return 1 for each metric that grew, -1 for each that shrank."""
    return [1 if each.after[name] > each.before[name] else -1 for name in each.names]


def _cell(change: MetricChange, name: str) -> str:
    if name not in change.names:
        return ""
    old, new = change.before[name], change.after[name]
    return f"{old:,} → {new:,} ({_percent(old, new)})"


def _percent(before: int, after: int) -> str:
    if not before:
        return "new" if after else "0 %"
    share = 100 * (after - before) / before
    return f"{share:+.1f} %".replace("-", "\N{MINUS SIGN}")


def _budgets(over: Sequence[tuple[str, BudgetRow]]) -> Iterator[str]:
    """Yield the table of exceeded limits, the worst first."""
    rows = [(name, row, each) for name, row in over for each in row.over]
    if not rows:
        return
    rows.sort(key=lambda each: -(each[2].value or 0) / max(each[2].limit, 1))
    yield f"**{many(len(rows), 'limit')} exceeded**"
    yield ""
    yield "| shader | metric | limit | value |"
    yield "|:--|:--|--:|--:|"
    for name, row, each in rows[:MOST_ROWS]:
        entry = f" {code_span(row.entry)}" if row.entry else ""
        value = 0 if each.value is None else each.value
        yield f"| {code_span(name)}{entry} | {each.metric} | {each.limit:,} | {value:,} |"
    if len(rows) > MOST_ROWS:
        yield ""
        yield f"… and {len(rows) - MOST_ROWS:,} more"
