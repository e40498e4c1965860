"""Documentation page about DXIL."""

from collections.abc import Iterator, Mapping
from enum import IntEnum

from tools.pages.markdown import filled, indented
from unshade.programs.dxil import (
    bitstream,
    code,
    data,
    exact,
    listed_instructions,
    shaderinfo,
    text,
)
from unshade.programs.dxil.editing import instructions, stripping
from unshade.programs.dxil.facts.words import FLAGS, NATIVE
from unshade.programs.dxil.lower.coverage import reason, runs
from unshade.programs.dxil.model.instructions import BY_CODE
from unshade.programs.dxil.tables import llvm_enumerations as numbers
from unshade.programs.dxil.tables.blocks import BLOCKS, FUNCTION, METADATA, BlockRow, RecordRow
from unshade.programs.dxil.tables.debuginfo import DEBUG_ROWS, DebugRow
from unshade.programs.dxil.tables.dxil_operations import Op, operations
from unshade.vocab import dxil as vocab
from unshade.vocab.d3d import ShaderKind
from unshade.vocab.features import FEATURES

__all__ = ["page"]

# Records of functions that are no instructions.
OTHERS = {1: "number of basic blocks", 33: "", 35: "line, column, scope + 1, inlined_at + 1"}
# Forms of operands that are not their name and kind.
FORMS = {
    "absolute": "type of the {0}, {0} absolute",
    "arguments": "{0}",
    "attributes": "{0} + 1",
    "blocks": "{0} block*",
    "cases": "then for each case absolute, block",
    "clauses": "number of clauses, then for each clause: kind, value pair",
    "condition": "{0} same?",
    "function_type": "{0}",
    "incoming": "then for each predecessor: value signed, block",
    "maybe": "{0} pair?",
    "more": "{0}?",
    "number": "{0}",
    "numbers": "{0}*",
    "otherwise": "{0} block?",
    "pairs": "{0} pair*",
    "stated": "type of the {0}, {0} same",
    "type": "{0}",
}
OLD = "not in LLVM 3.7"


def page() -> str:
    """Return the page with its tables filled in."""
    return filled(
        __file__,
        {
            "header": indented(code).partition("\n\nSTAT")[0],
            "bits": indented(bitstream).partition("\n\n`read`")[0],
            "blocks": "\n\n".join(map(_block, BLOCKS.values())),
            "linkages": _numbered(numbers.LINKAGES, "external"),
            "attributes": _numbered(numbers.ATTRIBUTES),
            "binary": _numbered(numbers.BINARY_OPERATIONS),
            "float": _numbered(numbers.FLOAT_OPERATIONS),
            "fast": ", ".join(
                f"bit {bit.bit_length() - 1} {name}" for bit, name in numbers.FAST_MATH.items()
            ),
            "casts": _numbered(numbers.CASTS),
            "predicates": _numbered(numbers.PREDICATES),
            "atomics": _numbered(numbers.ATOMIC_OPERATIONS),
            "orderings": _numbered(numbers.ORDERINGS),
            "kinds": _numbered({each.value: each.profile for each in ShaderKind}),
            "enumerations": "\n\n".join(_enumerations()),
            "flags": ", ".join(f"{bit} {name}" for bit, name in sorted(_flags().items())),
            "data": indented(data).partition("\n\nNames")[0],
            "metadata": indented(shaderinfo).partition("\n\n`read_shader`")[0],
            "text": indented(text),
            "exact": indented(exact),
            "instructions": indented(listed_instructions),
            "edits": indented(instructions),
            "debug": indented(stripping),
            "count": f"{len(operations().rows)}",
            "operations": "\n".join(map(_row, operations())),
        },
    )


def _block(block: BlockRow) -> str:
    """Return the table of the records of a block."""
    lines = [f"**{block.name}** ({block.id})", "", "| code | record | operands |", "|---|---|---|"]
    for each in block.records.values():
        if block.id == FUNCTION:
            operands = _instruction(each)
        elif block.id == METADATA and each.code in DEBUG_ROWS:
            operands = _fields(DEBUG_ROWS[each.code])
        else:
            operands = ", ".join(each.operands)
        lines.append(f"| {each.code} | {each.name} | {operands} |")
    return "\n".join(lines)


def _instruction(row: RecordRow) -> str:
    """Return the operands of a record of a function, each with its form."""
    layout = BY_CODE.get(row.code)
    if layout is None:
        return OTHERS.get(row.code, OLD)
    return ", ".join(
        FORMS.get(kind, f"{{0}} {kind}").format(name) for name, kind in layout.operands
    )


def _fields(row: DebugRow) -> str:
    """Return the operands of a record of debug information, each with its form."""
    fields = [f"{name} *{kind}*" for name, kind in zip(row.names, row.kinds, strict=True)]
    return ", ".join(["distinct", *fields, *([f"any number of *{row.rest}*"] if row.rest else ())])


def _numbered(names: Mapping[int, str], empty: str = "") -> str:
    return ", ".join(f"{number} {name or empty}" for number, name in names.items())


def _flags() -> dict[int, str]:
    """Return the names of the flags of a shader by bit: those of dxc, then those of features."""
    found = {
        each.flag: each.name
        for each in FEATURES
        if each.flag is not None and each.flag not in dict(FLAGS)
    }
    return {**dict(FLAGS), **found, NATIVE.bit_length() - 1: "NativeLowPrecision"}


def _enumerations() -> Iterator[str]:
    """Iterate over the enumerations of metadata."""
    for name in vocab.__all__:
        each = getattr(vocab, name)
        if isinstance(each, type) and issubclass(each, IntEnum):
            yield f"**{name}**: {_numbered({one.value: one.name for one in each})}."


def _row(op: Op) -> str:
    names = ", ".join(each.name for each in op.operands)
    major, minor = op.shader_model
    run = "yes" if runs(op) else f"no: {reason(op)}"
    start = f"| {op.code} | {op.name} | `dx.op.{op.function}` | {names} |"
    return f"{start} {major}.{minor} | {run} |"
