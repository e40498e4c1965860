"""`unshade diff`: compare two shaders, or the shaders of two folders or packs.

    unshade diff A B
    unshade diff PATH OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE [NEW-PATH INFO]

The second is how git calls an external diff driver, which must exit with 0 whatever differs.
"""

from typing import TYPE_CHECKING

from ...errors import UnshadeError, UsageError
from ...screens.text import visible
from .. import exits
from ..change_tables import ChangeReport
from ..commands import DiffOptions
from ..inputs import Skipped, run_over, summary
from ..output import CommandOutput, note
from ..pairs import FROM_GIT, MOVED, WORDS, Pair, categories, pairs_of
from ..sources import use_if_asked

if TYPE_CHECKING:
    from ...analysis.diff import Diff
    from ...shader import Shader

CONTEXT = 3  # lines of context


def run(given: DiffOptions) -> int:
    """Compare two files or folders; return 1 if they differ in more than is ignored."""
    from ...analysis.diff import diff, selected

    use_if_asked(given.sources, given.stage, given.entry)
    if given.as_json and given.format not in (None, "json"):
        raise UsageError(f"--json cannot be combined with --format {given.format}")
    as_json = given.as_json or given.format == "json"
    if given.format == "markdown":
        return _reported(given)
    if given.reproducible:
        return _reproduced(given, as_json)
    if given.brief and (given.unified is not None or given.side_by_side):
        raise UsageError("--summary cannot be combined with --unified or --side-by-side")
    chosen, left_out = categories(given.only), categories(given.ignore)
    selected(chosen, left_out)  # an unknown category is a usage error, not one of each file
    from_git = len(given.files) in FROM_GIT
    skipped = Skipped("shader")
    pairs, several = pairs_of(given.files, skipped)
    brief = given.brief or (several and given.unified is None and not given.side_by_side)
    context = CONTEXT if given.unified is None else given.unified
    out = CommandOutput(given.output, as_json=as_json, fills_screen=False)
    out.several = several

    def compare(pair: Pair) -> int:
        if not from_git:
            return reported(pair)
        try:
            reported(pair)
        except UnshadeError as error:  # git aborts if a driver fails
            out.line(f"{visible(pair.label)}: not compared: {visible(str(error))}")
        return exits.FINE

    def reported(pair: Pair) -> int:
        if pair.moved:
            return _moved(pair, out)
        shaders = pair.open()
        if len(shaders) < 2:
            return _one_sided(pair, shaders, out)
        found = diff(shaders[0], shaders[1], only=chosen, ignore=left_out, costs=given.cost)
        if as_json:
            out.document(pair, found.to_dict())
        elif found or not several:
            _show(pair, found, out, brief, context, given.side_by_side)
            if given.cost and not found.costs and not brief:
                out.line("Cost: no count changed")
        return exits.FINDING if found else exits.FINE

    counts = run_over(pairs, compare, out)
    if not counts:
        note(f"no shaders found in {' and '.join(given.files)}")
        return exits.USAGE
    if several:
        note(summary(counts, "shader", WORDS) + str(skipped))
    return max(counts)


def _reported(given: DiffOptions) -> int:
    """Write a report of the metrics that changed, in Markdown; nothing if none did."""
    from ...analysis.changes import changes
    from ...analysis.metrics import count_shaders

    skipped = Skipped("shader")
    pairs, _ = pairs_of(given.files, skipped)
    out = ChangeReport(given.output, fills_screen=False)

    def compare(pair: Pair) -> int:
        shaders = pair.open()
        after = None if pair.after is None else shaders[-1]
        before = None if pair.before is None else shaders[0]
        same = before is not None and after is not None and before.to_bytes() == after.to_bytes()
        found = [] if same else changes(pair.name, before, after, costs=given.cost)
        out.gather(found, total=max(map(count_shaders, shaders)))
        return exits.FINDING if found else exits.FINE

    return max(run_over(pairs, compare, out), default=exits.USAGE)


def _reproduced(given: DiffOptions, as_json: bool) -> int:
    """Report the bytes that differ between two builds and the reasons; return 1 if any do."""
    from ...analysis.reproducible import reproducible
    from ...screens.reproducible import screen

    skipped = Skipped("shader")
    pairs, several = pairs_of(given.files, skipped)
    out = CommandOutput(given.output, as_json=as_json, fills_screen=False)
    out.several = several

    def compare(pair: Pair) -> int:
        if pair.moved:
            return _moved(pair, out)
        shaders = pair.open()
        if len(shaders) < 2:
            return _one_sided(pair, shaders, out)
        found = reproducible(shaders[0], shaders[1])
        if as_json:
            out.document(pair, found.to_dict())
        elif not found.equal or not several:
            out.blocks(screen(pair.name, found))
        return exits.FINE if found.equal else exits.FINDING

    counts = run_over(pairs, compare, out)
    if several and counts:
        note(summary(counts, "shader", WORDS) + str(skipped))
    return max(counts, default=exits.USAGE)


def _show(
    pair: Pair, found: "Diff", out: CommandOutput, brief: bool, context: int, side_by_side: bool
) -> None:
    if brief:
        out.line(f"{visible(pair.name)}: {found.verdict}")
        return
    from ...screens.diff import screen

    width = (out.columns or 0) if side_by_side else None
    out.blocks(screen(pair.name, found, context, width))


def _moved(pair: Pair, out: CommandOutput) -> int:
    """Report a shader that has another name in the second folder."""
    if out.as_json:
        out.document(pair, {"verdict": MOVED, "different": True})
    else:
        out.line(f"{visible(pair.name)}: {MOVED}")
    return exits.FINDING


def _one_sided(pair: Pair, shaders: "list[Shader]", out: CommandOutput) -> int:
    """Report a shader that exists on only one side."""
    if not shaders:
        raise UsageError("neither file exists")
    from ...overview import info
    from ...screens.reflection import headline

    found = info(shaders[0])
    what = headline(found.reflection) if found.reflection is not None else found.format
    side = "first" if pair.after is None else "second"
    verdict = f"only in the {side}: {what}, {found.size:,} bytes"
    if out.as_json:
        out.document(pair, {"verdict": verdict, "different": True})
    else:
        out.line(f"{visible(pair.name)}: {visible(verdict)}")
    return exits.FINDING
