"""Kernels of the files that a command line names, and their calls."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..screens.text import many, visible
from ..vocab.words import DISPATCHED, a_shader
from .commands import SceneOptions
from .declarations import flags
from .inputs import Input
from .output import note
from .output import tell as write_error

if TYPE_CHECKING:
    from ..run.kernels import Kernel
    from ..run.runner import Runner
    from ..shader import Shader

OPTIONAL = ("sampler", "counter", "constants", "child")  # bindings that have a default


def open_kernel(
    item: Input,
    program: int,
    engine: str,
    stage: str | None = None,
    spread: "dict[int | str, bool] | None" = None,
    **options: Any,
) -> "Kernel":
    """Return the kernel of a file; raise UsageError if it is not of the stage.

    `options` are as in `unshade.kernel`. `spread` are specialisation constants for every stage that
    has them, and whether one had. If a single entry point has the stage, it is the default; if
    program 0 does not contain one, the default is the only program that does.
    """
    from ..run import kernel

    shader = item.open_program(True, stage, options.get("entry"))
    if stage is not None and "entry" not in options:
        fit = stages_of(shader)
        mine = [each for each in fit if each[0] == program and each[2] == stage]
        if not mine and program == 0:
            mine = [each for each in fit if each[2] == stage]
        if len(mine) == 1:
            program, options["entry"], _ = mine[0]
    _refuse(shader, program, options)
    if spread and "constants" in options:
        constants = options.pop("constants")
        found = kernel(shader, program, engine="lockstep", **options).reflection
        rows = found.specialisation_constants if found is not None else []
        known = {name for each in rows for name in (each.id, each.name)}
        spread.update(dict.fromkeys(spread.keys() & known, True))
        kept = {key: each for key, each in constants.items() if key in known or key not in spread}
        options |= {"constants": kept} if kept else {}
    made = kernel(shader, program, engine=engine, **options)
    made.title = item.name
    if stage is not None and made.stage != stage:
        from ..run.kernels import CALLS

        _, verb = CALLS.get(made.stage, ("", "run"))
        expected = f"expected a {stage} shader, got {a_shader(made.stage)}"
        raise UsageError(f"{expected}: use unshade {verb}")
    return made


def _refuse(shader: "Shader", program: int, options: Mapping[str, Any]) -> None:
    """Raise UsageError for the first option that does not apply to a program."""
    there = 0 <= program < len(shader.programs)
    takes = shader.programs[program].takes if there else None
    if takes is None:  # the library says why it cannot be run
        return
    flag = flags(SceneOptions)  # an attribute has the name of the value that its option sets
    for name in options:
        if name == "entry" or name in takes:
            continue
        if name == "group":
            raise UsageError(
                f"{flag[name]}: programs of {shader.format} fix the size of their groups"
            )
        known = [flag[each] for each in sorted(takes) if each in flag]
        hint = f"; they take {', '.join(known)}" if known else ""
        raise UsageError(f"{flag[name]} does not apply to programs of {shader.format}{hint}")


def stages_of(shader: "Shader") -> list[tuple[int, str, str]]:
    """Return the program, name and stage of each entry point."""
    return [
        (number, name, str(stage))
        for number, each in enumerate(shader.programs)
        for name, stage in each.entry_points
    ]


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
    """Return the bindings; raise UsageError, naming the option, if one is missing.

    `shader` is the prefix of that option, `skip` a class of bindings that may be missing.
    """
    for each in kernel.bindings:
        if each.slot is not None and each.slot.kind == skip:
            continue
        members = each.buffer.variables if each.buffer is not None else []
        names = {*each.keys, each.label.partition("[")[0], *(member.name for member in members)}
        if each.form in OPTIONAL or names & set(given):
            continue
        option = f"--bind {shader}{each.names[-1]}=…"
        raise UsageError(f"{each.where} is not bound: give {option}, {each.words}")
    return given


def zeros(kernel: "Runner", given: dict[str, Any], left: list[str]) -> dict[str, Any]:
    """Return the bindings with 0 for variables of constant buffers that are not given.

    `render` follows the same rule, but guesses some by their names. The names are added to `left`,
    for `not_given`.
    """
    from ..run.binding.uniforms import missing, zero_of

    found = dict(given)
    for each in kernel.bindings:
        names = [name for name in each.called if name in found]
        if each.form != "constants":
            continue
        if each.members is None:
            if not names:
                found[each.name] = bytes(max(each.resource.size, 16))
                left.append(each.where)
            continue
        whole = found.get(names[0]) if names else {}
        if isinstance(whole, Mapping):
            alone = [variable.name for variable in each.members.variables if variable.name in found]
            absent = missing(each.members, (*whole, *alone))
            values = {variable.name: zero_of(variable.type) for variable in absent}
            if values:
                found[names[0] if names else each.name] = {**whole, **values}
                left += values
    return found


def not_given(kernel: "Runner", left: Sequence[str]) -> None:
    """Report on standard error the bindings that `zeros` added."""
    if left:
        note(f"{kernel.title}: not given: {', '.join(f'{name} is 0' for name in left)}")


def call(
    kernel: "Runner", given: dict[str, Any], groups: str | None, count: int | None = None
) -> Any:
    """Call a kernel according to its stage."""
    from ..run.any_stage import over
    from .lane_inputs import split_inputs
    from .values import extent

    stage = kernel.stage
    counted = ("vertex", "geometry", "hull")
    grouped = ("compute", "mesh", "amplification")
    for option, value, mine in (("--groups", groups, grouped), ("--count", count, counted)):
        if value is not None and stage not in mine:
            expected = " or ".join(mine)
            raise UsageError(f"{option}: expected a {expected} shader, got {a_shader(stage)}")
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


WIDTHS = ((0, 5), (1, 16))  # columns of `wanted` and their least widths


def wanted(kernel: "Runner") -> str:
    """Return a list of a kernel's bindings and inputs, one per line."""
    from ..run.stages.functions import parameter_words

    lines = [
        (each.name, each.label, str(each.form), each.words + ", written" * each.writable)
        for each in kernel.bindings
    ]
    if kernel.stage not in DISPATCHED:
        rows = [row for row in kernel.inputs if row.needed]
        if kernel.stage == "domain":
            rows += [row for row in kernel.patch_constants if row.needed]
        parts = [tuple(str(row).split(" ", 2)) for row in rows]
        parts += [parameter_words(each) for each in kernel.lowered.parameters if each.read]
        lines += [("", name, "input", f"{shape} {kind}") for name, kind, shape in parts]
    if kernel.stage == "domain":
        where = "(points, 2 or 3) float32: locations in each patch"
        lines.append(("", kernel.program.domain_label, "input", where))
    constants = kernel.reflection.specialisation_constants if kernel.reflection else []
    for constant in constants:
        name = constant.name or str(constant.id)
        value = str(constant.default).lower()
        lines.append((str(constant.id), name, "--constant", f"{constant.type}, {value}"))
    first, second = (max(least, *(len(each[at]) for each in lines), 0) for at, least in WIDTHS)
    shown = [f"  {a:<{first}} {b:<{second}} {c:<11} {d}" for a, b, c, d in lines]
    if any(each.form == "raw" and each.buffer is None for each in kernel.bindings):
        shown.append(
            "in a raw buffer [1, 2] is int32, [1, 2.5] float32; float32[1, 2] names the type"
        )
    return "\n".join([f"this {a_shader(kernel.stage).partition(' ')[2]} takes", *shown])


def tell(kernel: "Runner") -> None:
    """Report lines of printf and out-of-bounds accesses of the last call on standard error."""
    report = kernel.report
    if report is None:
        return
    for line in printed(kernel):
        write_error(line)
    for name, count in report.out_of_bounds.items():
        label = next((b.where for b in kernel.bindings if b.resource.name == name), name)
        accesses = many(count, "out-of-bounds access", "out-of-bounds accesses")
        note(f"{kernel.title}: {accesses} to {label}")
    if report.undefined:
        results = many(report.undefined, "undefined integer result", "undefined integer results")
        note(f"{kernel.title}: {results}, computed as in Direct3D")
    if report.unrepeatable:
        note(f"{kernel.title}: {report.unrepeatable}")


def printed(kernel: "Runner") -> Iterator[str]:
    """Yield the lines that threads printed in the last call, and why others are missing."""
    from ..run.lanes import thread_title

    for each in kernel.report.printed:
        yield visible(f"{thread_title(kernel.stage, each.thread)}: {each.text}", keep="\n\t")
    for format in kernel.program.declared.printed:
        if format.problem:
            yield f"line {format.line}: printf {visible(repr(format.text))}: {format.problem}"
    if kernel.report.unprinted:
        yield f"{kernel.title}: {kernel.report.unprinted}"


def printed_document(kernel: "Runner") -> dict[str, Any]:
    """Return the lines that threads printed as plain data; nothing if the shader prints none."""
    if not kernel.program.declared.printed:
        return {}
    lines = [
        {"thread": list(each.thread), "text": each.text, "line": each.line}
        for each in kernel.report.printed
    ]
    return {"printed": lines, "unprinted": kernel.report.unprinted or None}


def result(results: Any, name: str) -> Any:
    """Return a result by name; raise UsageError with the existing names."""
    try:
        return results[name]
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None


def first_colour(pixel: "Runner | None") -> str:
    """Return the name of the first colour output."""
    if pixel is None:
        return "SV_Target0"
    rows = [row for row in pixel.outputs if row.location is not None or row.meaning == "target"]
    if not rows:
        raise UsageError("the pixel shader has no colour output")
    return min(rows, key=lambda row: row.location or 0).label
