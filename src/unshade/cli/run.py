"""`unshade run`: run a shader on arrays, per thread, vertex, primitive or patch."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..files import check_output
from ..screens.text import many
from ..vocab.words import DISPATCHED
from . import exits
from .inputs import Input, single
from .inputs import run as run_on
from .output import CommandOutput, note
from .results import line, plain, save

if TYPE_CHECKING:
    from ..run.kernels import Kernel
    from ..run.runner import Runner
    from ..shader import Shader


OPTIONAL = ("sampler", "counter", "constants", "child")  # bindings that have a default


def open_kernel(
    item: Input, program: int, engine: str, stage: str | None = None, **options: Any
) -> "Kernel":
    """Return the kernel of a file; raise UsageError if it is not of the stage.

    `options` are those of `unshade.kernel`. If one of several entry points has the stage, that is
    the default; if program 0 has none, so is the only program that has one.
    """
    from ..run import kernel

    shader = item.open_program()
    if stage is not None and "entry" not in options:
        fit = stages_of(shader)
        mine = [each for each in fit if each[0] == program and each[2] == stage]
        if not mine and program == 0:
            mine = [each for each in fit if each[2] == stage]
        if len(mine) == 1:
            program, options["entry"], _ = mine[0]
    made = kernel(shader, program, engine=engine, **options)
    made.title = item.name
    if stage is not None and made.stage != stage:
        from ..run.kernels import CALLS

        _, verb = CALLS.get(made.stage, ("", "run"))
        expected = f"expected a {stage} shader, got a {made.stage} shader"
        raise UsageError(f"{expected}: use unshade {verb}")
    return made


def stages_of(shader: "Shader") -> list[tuple[int, str, str]]:
    """Return the program, name and stage of each entry point."""
    return [
        (number, name, str(stage))
        for number, each in enumerate(shader.programs)
        for name, stage in each.entry_points
    ]


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
        from . import values

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
                check_output(path)
        given = values.bindings(kernel, bind, sets, children(engine, options))
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


def children(engine: str, options: Mapping[str, Any]) -> "Callable[[str], Kernel]":
    """Return a function that opens the programs that are bound as children."""
    mine = {name: value for name, value in options.items() if name == "color_space"}
    return lambda path: open_kernel(Input(path), 0, engine, **mine)


def prepare(
    kernel: "Runner",
    bind: Sequence[str],
    sets: Sequence[str],
    budget: int | None,
    count: int | None = None,
) -> None:
    """Set the budget; raise UsageError with the list of bindings if nothing is bound."""
    grouped = kernel.stage in DISPATCHED
    if not bind and not sets and (kernel.bindings or not (grouped or count is not None)):
        raise UsageError(f"nothing is bound\n{wanted(kernel)}")
    if budget is not None:
        kernel.budget = budget


def complete(
    kernel: "Runner", given: dict[str, Any], shader: str = "", skip: str = ""
) -> dict[str, Any]:
    """Return the bindings; raise UsageError with the option for one that is missing.

    `shader` is the prefix of that option, `skip` a class of bindings that may be missing.
    """
    for each in kernel.bindings:
        if each.slot is not None and each.slot.kind == skip:
            continue
        names = {*each.names, each.label.partition("[")[0]}
        if each.form in OPTIONAL or names & set(given):
            continue
        option = f"--bind {shader}{each.names[-1]}=…"
        raise UsageError(f"{each.where} is not bound: give {option}, {each.words}")
    return given


def call(
    kernel: "Runner", given: dict[str, Any], groups: str | None, count: int | None = None
) -> Any:
    """Call a kernel according to its stage."""
    from ..run.stages.any_stage import over
    from .values import extent, split_inputs

    stage = kernel.stage
    counted = ("vertex", "geometry", "hull")
    grouped = ("compute", "mesh", "amplification")
    for option, value, mine in (("--groups", groups, grouped), ("--count", count, counted)):
        if value is not None and stage not in mine:
            expected = " or ".join(mine)
            raise UsageError(f"{option}: expected a {expected} shader, got a {stage} shader")
    if stage in DISPATCHED:
        if groups is None:
            x, y, z = kernel.group
            raise UsageError(f"--groups is required: number of groups of {x} x {y} x {z} threads")
        return kernel.dispatch(extent(groups, "--groups", most=65535), **given)
    inputs, given = split_inputs(kernel, given)
    if stage == "pixel" and not inputs:
        hint = "give --bind SEMANTIC=…, or use unshade render"
        raise UsageError(f"the pixel shader has no inputs: {hint}")
    if inputs and count is not None:
        raise UsageError("--count cannot be combined with inputs: their arrays determine it")
    asked = any(row.asked for row in kernel.inputs)
    if stage in counted and count is None and not inputs and not asked:
        raise UsageError("--count is required: no input array determines it")
    return over(kernel, inputs if count is None else count, given)


def wanted(kernel: "Runner") -> str:
    """Return a list of a kernel's bindings and inputs, one per line."""
    from ..run.stages.functions import parameter_text

    lines = [f"  {each}" for each in kernel.bindings]
    if kernel.stage not in DISPATCHED:
        rows: list[object] = [row for row in kernel.inputs if row.needed]
        rows += [parameter_text(each) for each in kernel.lowered.parameters if each.read]
        if kernel.stage == "domain":
            rows += [row for row in kernel.patch_constants if row.needed]
        parts = [str(row).split(" ", 2) for row in rows]
        lines += [f"  {'':5} {name:<16} input       {shape} {kind}" for name, kind, shape in parts]
    if kernel.stage == "domain":
        where = "(points, 2 or 3) float32: locations in each patch"
        lines.append(f"  {'':5} {kernel.domain_label:<16} input       {where}")
    return "\n".join([f"this {kernel.stage} shader takes", *lines])


def tell(kernel: "Runner") -> None:
    """Report out-of-bounds accesses of the last call on standard error."""
    report = kernel.report
    if report is None:
        return
    for name, count in report.out_of_bounds.items():
        label = next((b.where for b in kernel.bindings if b.resource.name == name), name)
        accesses = many(count, "out-of-bounds access", "out-of-bounds accesses")
        note(f"{kernel.title}: {accesses} to {label}")
    if report.undefined:
        results = many(report.undefined, "undefined integer result", "undefined integer results")
        note(f"{kernel.title}: {results}, computed as in Direct3D")


def _report(kernel: "Runner") -> dict[str, Any]:
    report = kernel.report
    if report is None:
        return {}
    found = {"lanes": report.lanes, "out_of_bounds": dict(report.out_of_bounds)}
    return found | ({"undefined": report.undefined} if report.undefined else {})


def _in_place(kernel: "Runner", bind: Sequence[str]) -> dict[str, str]:
    """Return the result name for each bound file to write back; UsageError if there is none."""
    from . import values

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


def result(results: Any, name: str) -> Any:
    """Return a result by name; raise UsageError with the names there are."""
    try:
        return results[name]
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None
