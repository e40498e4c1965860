"""`unshade run`: a compute shader over arrays, other stages over vertices, primitives, patches."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..files import check_output
from ..screens.text import many
from . import exits
from .inputs import Input, single
from .inputs import run as run_on
from .output import Output, note
from .results import line, plain, save

if TYPE_CHECKING:
    from ..run.kernels import Kernel
    from ..run.runner import Runner


def open_kernel(
    item: Input, program: int, engine: str, stage: str | None = None, **options: Any
) -> "Kernel":
    """The kernel of a file; UsageError where it is not of the stage that is needed.

    `options` are those of `unshade.kernel`. Of several entry points the only one of that stage is
    taken.
    """
    from ..run import kernel

    shader = item.open()
    if stage is not None and "entry" not in options and 0 <= program < len(shader.programs):
        fit = [name for name, of in shader.programs[program].entry_points if of == stage]
        if len(fit) == 1:
            options["entry"] = fit[0]
    made = kernel(shader, program, engine=engine, **options)
    made.title = item.name
    if stage is not None and made.stage != stage:
        from ..run.kernels import CALLS

        _, verb = CALLS.get(made.stage, ("", "run"))
        told = f"a {stage} shader is needed here, this is a {made.stage} one"
        raise UsageError(f"{told}: unshade {verb} is for those")
    return made


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
    """Bind, run, and write what came out."""
    single(file)
    out = Output(as_json=as_json)

    def work(item: Input) -> int:
        from . import values

        options = values.options(
            interface, samples, entry, precision, lengths, constants, group, wave_size
        )
        kernel = open_kernel(item, program, engine, **options)
        prepare(kernel, bind, sets, budget, count)
        places = _in_place(kernel, bind) if in_place else {}
        if as_json and any(text.rpartition("=")[2] == "-" for text in output):
            raise UsageError("--json and -o - both write to standard output")
        paths = [text.partition("=")[2] or text for text in output]
        for path in paths:  # before there is work that would be lost
            if paths.count(path) > 1:
                raise UsageError(f"-o {path}: one file for several results")
            if path != "-":
                check_output(path)
        given = values.bindings(kernel, bind, sets)
        results = call(kernel, given, groups, count)
        _save(results, output, places, out)
        written = dict(results)
        if as_json:
            shown = {name: plain(array) for name, array in written.items()}
            out.document(item, {"engine": kernel.engine, "results": shown, **_report(kernel)})
        elif not output:
            left = {name: each for name, each in written.items() if name not in places.values()}
            out.text("".join(f"{line(name, array)}\n" for name, array in left.items()))
        tell(kernel)
        return exits.FINE

    return run_on([file], work, out)


def prepare(
    kernel: "Runner",
    bind: Sequence[str],
    sets: Sequence[str],
    budget: int | None,
    count: int | None = None,
) -> None:
    """UsageError that says what there is to bind where nothing is."""
    if not bind and not sets and (kernel.bindings or (kernel.stage != "compute" and count is None)):
        raise UsageError(f"nothing is bound\n{wanted(kernel)}")
    if budget is not None:
        kernel.budget = budget


def call(
    kernel: "Runner", given: dict[str, Any], groups: str | None, count: int | None = None
) -> Any:
    """One call, whatever the stage."""
    from ..run.any_stage import over
    from .values import extent, split_inputs

    stage = kernel.stage
    counted = ("vertex", "geometry", "hull")
    for option, value, mine in (
        ("--groups", groups, ("compute",)), ("--count", count, counted),
    ):  # fmt: skip
        if value is not None and stage not in mine:
            told = ", ".join(mine)
            raise UsageError(f"{option} is for {told} shaders, this is a {stage} one")
    if stage == "compute":
        if groups is None:
            x, y, z = kernel.group
            raise UsageError(f"--groups is needed: how many groups of {x} x {y} x {z} threads")
        return kernel.dispatch(extent(groups, "--groups", most=65535), **given)
    inputs, given = split_inputs(kernel, given)
    if stage == "pixel" and not inputs:
        told = "(--bind SEMANTIC=…); unshade render draws with it"
        raise UsageError(f"a pixel shader needs inputs {told}")
    if inputs and count is not None:
        raise UsageError("--count is for shaders without inputs: arrays say how many there are")
    asked = any(row.asked for row in kernel.inputs)
    if stage in counted and count is None and not inputs and not asked:
        raise UsageError("--count is needed: this shader takes no inputs that say how many")
    return over(kernel, inputs if count is None else count, given)


def wanted(kernel: "Runner") -> str:
    """What a kernel wants bound, and its inputs, a line each."""
    lines = [f"  {each}" for each in kernel.bindings]
    if kernel.stage != "compute":
        rows = [row for row in kernel.inputs if row.needed]
        if kernel.stage == "domain":
            rows += [row for row in kernel.patch_constants if row.needed]
        parts = [str(row).split(" ", 2) for row in rows]
        lines += [f"  {'':5} {name:<16} input       {shape} {kind}" for name, kind, shape in parts]
    if kernel.stage == "domain":
        where = "(points, 2 or 3) float32: where, in each patch"
        lines.append(f"  {'':5} {kernel.domain_label:<16} input       {where}")
    return "\n".join([f"this {kernel.stage} shader takes", *lines])


def tell(kernel: "Runner") -> None:
    """What the call's report says, on standard error."""
    report = kernel.report
    if report is None:
        return
    for name, count in report.out_of_bounds.items():
        label = next((b.where for b in kernel.bindings if b.resource.name == name), name)
        note(f"{kernel.title}: {many(count, 'access', 'accesses')} outside of {label}")


def _report(kernel: "Runner") -> dict[str, Any]:
    report = kernel.report
    if report is None:
        return {}
    return {"lanes": report.lanes, "out_of_bounds": dict(report.out_of_bounds)}


def _in_place(kernel: "Runner", bind: Sequence[str]) -> dict[str, str]:
    """The files to write results into, and what each is called; UsageError where there is none."""
    from . import values

    written = {name: each for each in kernel.bindings if each.writable for name in each.names}
    found = {
        paths[0]: written[name].names[-1]
        for name, paths in values.files_of(bind)
        if name in written and len(paths) == 1
    }
    if not found:
        told = ", ".join(dict.fromkeys(each.where for each in written.values())) or "nothing"
        raise UsageError(f"-i writes into files that are bound, and none is to {told}")
    return found


def _save(
    results: Any,
    outputs: Sequence[str],
    in_place: Mapping[str, str],
    out: Output,
) -> None:
    wanted = []
    for text in outputs:
        name, sign, path = text.partition("=")
        if not sign:
            written = list(results)
            if len(written) != 1:
                raise UsageError(f"-o takes NAME=PATH: there is {', '.join(written) or 'nothing'}")
            name, path = written[0], text
        wanted.append((result(results, name), path))
    for array, path in wanted:
        save(array, path, out)
    for path, name in in_place.items():
        save(results[name], path, out, in_place=True)


def result(results: Any, name: str) -> Any:
    """One result by name; UsageError says which there are."""
    try:
        return results[name]
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None
