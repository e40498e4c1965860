"""`unshade run`: run a shader on arrays, per thread, vertex, primitive or patch."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...files import check_output
from .. import exits
from ..commands import RunOptions
from ..inputs import Input, single
from ..inputs import run as run_on
from ..kernels import (
    call,
    children,
    not_given,
    open_kernel,
    prepare,
    printed_document,
    result,
    tell,
    zeros,
)
from ..output import CommandOutput
from ..results import check_suffix, line, plain, save
from ..shapes import PRINTED, Shape
from ..sources import use

if TYPE_CHECKING:
    from ...run.runner import Runner


SHAPE: Shape = {
    "engine": "string", "results": {"*": "any"}, "lanes?": "integer",
    "out_of_bounds?": {"*": "integer"}, "undefined?": "any", "unrepeatable?": "string",
    **PRINTED,
}  # fmt: skip


def run(given: RunOptions) -> int:
    """Bind arguments, run the shader and write the results."""
    single(given.file)
    out = CommandOutput(as_json=given.as_json)
    use(given.sources)

    def work(item: Input) -> int:
        from .. import values

        options = values.options(given)
        kernel = open_kernel(item, given.program, given.engine, **options)
        prepare(kernel, given.bind, given.sets, given.budget, given.count)
        places = _in_place(kernel, given.bind) if given.in_place else {}
        if given.as_json and any(text.rpartition("=")[2] == "-" for text in given.output):
            raise UsageError("--json and -o - cannot both write to standard output")
        paths = [text.partition("=")[2] or text for text in given.output]
        for path in paths:  # before work that would be lost
            if paths.count(path) > 1:
                raise UsageError(f"-o {path}: given for several results")
            if path != "-":
                check_suffix(path)
                check_output(path)
        absent: list[str] = []
        fill = partial(zeros, left=absent)
        child = children(given.engine, options)
        bound = values.bindings(kernel, given.bind, given.sets, child, fill)
        results = call(kernel, fill(kernel, bound), given.groups, given.count)
        _save(results, given.output, places, out)
        written = dict(results)
        if given.as_json:
            shown = {name: plain(array) for name, array in written.items()}
            out.document(item, {"engine": kernel.engine, "results": shown, **_report(kernel)})
        elif not given.output:
            left = {name: each for name, each in written.items() if name not in places.values()}
            out.text("".join(f"{line(name, array)}\n" for name, array in left.items()))
        not_given(kernel, absent)
        tell(kernel)
        return exits.FINE

    return run_on([given.file], work, out)


def _report(kernel: "Runner") -> dict[str, Any]:
    report = kernel.report
    if report is None:
        return {}
    found = {"lanes": report.lanes, "out_of_bounds": dict(report.out_of_bounds)}
    found |= {"undefined": report.undefined} if report.undefined else {}
    found |= {"unrepeatable": report.unrepeatable} if report.unrepeatable else {}
    return found | printed_document(kernel)


def _in_place(kernel: "Runner", bind: Sequence[str]) -> dict[str, str]:
    """Return the result name for each bound file to write back; UsageError if there is none."""
    from .. import values

    written = {name: each for each in kernel.bindings if each.writable for name in each.names}
    found = {
        paths[0]: written[name].names[-1]
        for name, paths in values.files_of(bind)
        if name in written and len(paths) == 1
    }
    if not found:
        names = ", ".join(dict.fromkeys(each.where for each in written.values()))
        missing = f"no file is bound to {names}" if names else "the shader writes no resource"
        raise UsageError(f"-i: {missing}")
    return found


def _save(
    results: Any,
    outputs: Sequence[str],
    in_place: Mapping[str, str],
    out: CommandOutput,
) -> None:
    wanted = []
    for text in outputs:
        name, sign, path = text.partition("=")
        if not sign:
            written = list(results)
            if len(written) != 1:
                names = ", ".join(written) or "none"
                raise UsageError(f"-o: expected NAME=PATH for {len(written)} results: {names}")
            name, path = written[0], text
        wanted.append((result(results, name), path))
    for array, path in wanted:
        save(array, path, out)
    for path, name in in_place.items():
        save(results[name], path, out, in_place=True)
