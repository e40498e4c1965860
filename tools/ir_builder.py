"""Write src/unshade/ir/operators.py: a method with types for each operation of `ir.ops`.

    python tools/ir_builder.py

Operands are named by their place, the keywords follow from the columns of the table. A test
compares the module with what this returns.
"""

from pathlib import Path

from unshade.ir.ops import OPS, Op

TARGET = Path(__file__).parent.parent / "src" / "unshade" / "ir" / "operators.py"
HEAD = '''"""The operations of `ops` as methods of the builder.

Made by tools/ir_builder.py from the table; not to be edited.

An operand that is a plain number becomes a constant of the type that the others have.
"""
# fmt: off

from typing import Any, TypeAlias

from .kernel import Value
from .memory import Memory
from .ops import OPS, Op
from .textures import Sample
from .types import Type
from .waves import WHOLE, Wave

Operand: TypeAlias = Value | int | float


class Operators:
    """Methods that append one operation each."""

    def make(self, op: Op, *args: Operand, type: Type | None = None, attr: Any = None) -> Value:
        """Append one operation of the table."""
        raise NotImplementedError
'''
# Types of attributes, by the column of the table; the builder's own methods have the others.
ATTRIBUTES = {
    "number": "int",
    "word": "str",
    "memory": "Memory",
    "texture": "Sample",
    "wave": "Wave = WHOLE",
}
# The builder has these with operands of their own.
OWN = (
    OPS.const,
    OPS.source,
    OPS.input,
    OPS.output,
    OPS.get,
    OPS.set,
    OPS.load,
    OPS.store,
    OPS.count,
    OPS.exit,
)


def method(attribute: str, op: Op) -> str:
    """Return the text of one method."""
    several = op.operands == "*"
    names = [] if several else list("abcdefgh"[: len(op.operands)])
    parameters = ["self", *(f"{name}: Operand" for name in names)]
    given = [f"OPS.{attribute}", *names]
    if several:
        parameters.append("*args: Operand")
        given.append("*args")
    keywords = []
    if op.result.startswith("="):
        keywords.append("type: Type")
        given.append("type=type")
    if op.attribute:
        keywords.append(f"attr: {ATTRIBUTES[op.attribute]}")
        given.append("attr=attr")
    if keywords and not several:
        parameters.append("*")
    text = f"    def {attribute}({', '.join(parameters + keywords)}) -> Value:\n"
    return text + f'        """{op.doc}"""\n        return self.make({", ".join(given)})\n'


def made() -> str:
    """Return the text of the module."""
    rows = [each for each in vars(type(OPS)).items() if isinstance(each[1], Op)]
    return "\n".join([HEAD, *(method(*row) for row in rows if row[1] not in OWN)])


if __name__ == "__main__":
    TARGET.write_text(made(), "utf-8")
