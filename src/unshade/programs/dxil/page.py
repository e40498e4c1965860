"""Documentation page about DXIL."""

from collections.abc import Iterator
from pkgutil import get_data

from ...isa.markdown import filled, indented
from . import bitstream, code, data, exact, instruction, operands, shaderinfo, text
from .editing import instructions, stripping
from .lower.coverage import reason, runs
from .tables.blocks import BLOCKS
from .tables.dxops import Op, operations

__all__ = ["page"]


def page() -> str:
    """Return page.md with its tables filled in."""
    source = (get_data(__package__, "page.md") or b"").decode()
    return filled(
        source,
        {
            "header": indented(code).partition("\n\nSTAT")[0],
            "bits": indented(bitstream).partition("\n\n`read`")[0],
            "blocks": "\n\n".join(_blocks()),
            "data": indented(data).partition("\n\nNames")[0],
            "metadata": indented(shaderinfo).partition("\n\n`read_shader`")[0],
            "text": indented(text),
            "exact": indented(exact),
            "instructions": indented(instruction),
            "operands": indented(operands),
            "edits": indented(instructions),
            "debug": indented(stripping),
            "count": f"{len(operations().rows)}",
            "operations": "\n".join(map(_row, operations())),
        },
    )


def _blocks() -> Iterator[str]:
    for block in BLOCKS.values():
        records = (f"{each.code} `{each.name}`" for each in block.records.values())
        yield f"**{block.name}** ({block.id}): {', '.join(records)}."


def _row(op: Op) -> str:
    names = ", ".join(each.name for each in op.operands)
    major, minor = op.shader_model
    run = "yes" if runs(op) else f"no: {reason(op)}"
    start = f"| {op.code} | {op.name} | `dx.op.{op.function}` | {names} |"
    return f"{start} {major}.{minor} | {run} |"
