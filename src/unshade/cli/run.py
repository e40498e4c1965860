"""`unshade run`: a compute shader over arrays, other stages over vertices, primitives, patches."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from . import exits
from .inputs import Input
from .inputs import run as run_on
from .output import Output, many, note

if TYPE_CHECKING:
    from ..run.kernels import Kernel

SHOWN = 8  # numbers of an array


def open_kernel(item: Input, program: int, engine: str) -> "Kernel":
    """The kernel of a file."""
    from ..run import kernel

    return kernel(item.open(), program, engine=engine)


def numbers(text: str, what: str, count: int = 3) -> tuple[int, ...]:
    """`64,1,1` or `640x480`."""
    try:
        found = tuple(int(each) for each in text.replace("x", ",").split(","))
    except ValueError:
        found = ()
    if not 1 <= len(found) <= count:
        raise UsageError(f"{what} takes up to {count} numbers, not {text!r:.40}")
    return found


def run(
    file: str,
    groups: str | None = None,
    bind: tuple[str, ...] = (),
    sets: tuple[str, ...] = (),
    output: tuple[str, ...] = (),
    in_place: bool = False,
    engine: str = "auto",
    program: int = 0,
    budget: int | None = None,
    as_json: bool = False,
) -> int:
    """Bind, run, and write what came out."""
    out = Output(as_json=as_json)

    def work(item: Input) -> int:
        from . import values

        kernel = open_kernel(item, program, engine)
        prepare(kernel, bind, sets, budget)
        results = call(kernel, values.bindings(kernel, bind, sets), groups)
        written = dict(results)
        _save(results, output, bind if in_place else ())
        if as_json:
            made = {"engine": kernel.engine, "results": _plain(written), **_report(kernel)}
            out.document(item, made)
        elif not output and not in_place:
            out.text("".join(f"{line(name, array)}\n" for name, array in written.items()))
        tell(kernel)
        return exits.FINE

    return run_on([file], work, out)


def prepare(kernel: "Kernel", bind: Sequence[str], sets: Sequence[str], budget: int | None) -> None:
    """UsageError that says what there is to bind where nothing is."""
    if not bind and not sets and (kernel.bindings or kernel.stage != "compute"):
        raise UsageError(f"nothing is bound\n{wanted(kernel)}")
    if budget is not None:
        kernel.budget = budget


def call(kernel: "Kernel", given: dict[str, Any], groups: str | None) -> Any:
    """One call, whatever the stage."""
    from ..run.stages import over
    from .values import split_inputs

    match kernel.stage:
        case "compute":
            if groups is None:
                x, y, z = kernel.group
                raise UsageError(f"--groups is needed: how many groups of {x} x {y} x {z} threads")
            return kernel.dispatch(numbers(groups, "--groups"), **given)
        case stage:
            inputs, given = split_inputs(kernel, given)
            if not inputs and stage == "pixel":
                raise UsageError("a pixel shader needs inputs (--bind SEMANTIC=…); render draws it")
            return over(kernel, inputs, given)


def wanted(kernel: "Kernel") -> str:
    """What a kernel wants bound, and its inputs, a line each."""
    lines = [f"  {each}" for each in kernel.bindings]
    if kernel.stage != "compute":
        lines += [f"  {row}" for row in kernel.inputs if row.needed]
    if kernel.stage == "domain":
        lines += [f"  {row}" for row in kernel.patch_constants if row.needed]
        lines.append("  vDomain float32 (points, 2 or 3): where, in each patch")
    return "\n".join([f"this {kernel.stage} shader takes", *lines])


def tell(kernel: "Kernel") -> None:
    """What the call's report says, on standard error."""
    report = kernel.report
    if report is None:
        return
    for name, count in report.out_of_bounds.items():
        label = next((b.where for b in kernel.bindings if b.resource.name == name), name)
        note(f"{many(count, 'access', 'accesses')} outside of {label}")


def _report(kernel: "Kernel") -> dict[str, Any]:
    report = kernel.report
    if report is None:
        return {}
    return {"lanes": report.lanes, "out_of_bounds": dict(report.out_of_bounds)}


def _plain(results: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    return {name: np.asarray(array).tolist() for name, array in results.items()}


def line(name: str, array: Any) -> str:
    """An array in a line: name, type, shape, the first numbers."""
    import numpy as np

    array = np.asarray(array)
    first = array.reshape(-1)[:SHOWN]
    told = " ".join(f"{each:.9g}" if array.dtype.kind == "f" else str(each) for each in first)
    return f"{name}  {array.dtype} {array.shape}  {told}{' …' if array.size > SHOWN else ''}"


def _save(results: Any, outputs: Sequence[str], in_place: Sequence[str]) -> None:
    from . import values

    for text in outputs:
        name, sign, path = text.partition("=")
        if not sign:
            written = list(results)
            if len(written) != 1:
                raise UsageError(f"-o takes NAME=PATH: there is {', '.join(written) or 'nothing'}")
            name, path = written[0], text
        try:
            array = results[name]
        except KeyError as error:
            raise UsageError(str(error.args[0])) from None
        values.save(array, path)
    for name, path in values.named(tuple(in_place), "--bind").items():
        if name in results and values.MAKER.fullmatch(path) is None:
            values.save(results[name], path)
