"""The documentation's page about the instruction set of shader models 4 to 5.1."""

from ...isa import Word
from ...isa.markdown import drawing, word_table
from .tables import tokens
from .tables.ops import OPS, Op


def page() -> str:
    """Return the page."""
    found = ["# Shader Model 4 to 5.1: the tokenized program format", ""]
    found += [drawing(tokens.__doc__), "## Operations", ""]
    found += [
        "| number | name | operands | model | stages | what it does |",
        "|---|---|---|---|---|---|",
    ]
    found += [operation(op) for op in OPS]
    found += ["", "## Words", ""]
    for word in vars(tokens).values():
        if isinstance(word, type) and issubclass(word, Word) and word.FIELDS:
            found += word_table(word)
    return "\n".join(found)


def operation(op: Op) -> str:
    """One row."""
    stages = "all" if len(op.stages) == 6 else " ".join(sorted(s.profile for s in op.stages))
    operands = " ".join([*op.operands, *(f"`{name}`" for name in op.dwords)])
    model = f"{op.since[0]}.{op.since[1]}"
    return f"| {op.code} | `{op.name}` | {operands} | {model} | {stages} | {op.doc} |"
