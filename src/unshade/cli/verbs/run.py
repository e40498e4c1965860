"""`unshade run`: run a shader on arrays, per thread, vertex, primitive or patch."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...files import check_output
from .. import exits
from ..inputs import Input, single
from ..inputs import run as run_on
from ..kernels import call, children, not_given, open_kernel, prepare, result, tell, zeros
from ..output import CommandOutput
from ..results import check_suffix, line, plain, save

if TYPE_CHECKING:
    from ...run.runner import Runner


def run(
    file: str,
    groups: str | None = None,
    count: int | None = None,
    bind: tuple[str, ...] = (),
    sets: tuple[str, ...] = (),
    output: tuple[str, ...] = (),
    in_place: bool = False,
    engine: str = "auto",
    program: int = 0,
    interface: tuple[str, ...] = (),
    lengths: tuple[str, ...] = (),
    constants: tuple[str, ...] = (),
    group: str | None = None,
    wave_size: int | None = None,
    samples: int = 1,
    entry: str | None = None,
    precision: str = "float32",
    budget: int | None = None,
    as_json: bool = False,
) -> int:
    """Bind arguments, run the shader and write the results."""
    single(file)
    out = CommandOutput(as_json=as_json)

    def work(item: Input) -> int:
        from .. import values

        options = values.options(
            interface, samples, entry, precision, lengths, constants, group, wave_size
        )
        kernel = open_kernel(item, program, engine, **options)
        prepare(kernel, bind, sets, budget, count)
        places = _in_place(kernel, bind) if in_place else {}
        if as_json and any(text.rpartition("=")[2] == "-" for text in output):
            raise UsageError("--json and -o - cannot both write to standard output")
        paths = [text.partition("=")[2] or text for text in output]
        for path in paths:  # before work that would be lost
            if paths.count(path) > 1:
                raise UsageError(f"-o {path}: given for several results")
            if path != "-":
                check_suffix(path)
                check_output(path)
        absent: list[str] = []
        fill = partial(zeros, left=absent)
        given = values.bindings(kernel, bind, sets, children(engine, options), fill)
        results = call(kernel, fill(kernel, given), groups, count)
        _save(results, output, places, out)
        written = dict(results)
        if as_json:
            shown = {name: plain(array) for name, array in written.items()}
            out.document(item, {"engine": kernel.engine, "results": shown, **_report(kernel)})
        elif not output:
            left = {name: each for name, each in written.items() if name not in places.values()}
            out.text("".join(f"{line(name, array)}\n" for name, array in left.items()))
        not_given(kernel, absent)
        tell(kernel)
        return exits.FINE

    return run_on([file], work, out)


def _report(kernel: "Runner") -> dict[str, Any]:
    report = kernel.report
    if report is None:
        return {}
    found = {"lanes": report.lanes, "out_of_bounds": dict(report.out_of_bounds)}
    return found | ({"undefined": report.undefined} if report.undefined else {})


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
