"""Write `src/unshade/programs/spirv/tables/numbers.py`, the numbers of SPIR-V by name.

The module gives code names for opcodes and enumerants, so that it can match them without loading
the whole grammar. It is made from grammar.json of the same folder; a test says if it is stale.
"""

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "src/unshade/programs/spirv/tables"
MODULE = FOLDER / "numbers.py"

# Kinds whose enumerants code refers to by name.
KINDS = (
    "AddressingModel", "BuiltIn", "Capability", "Decoration", "Dim", "ExecutionMode",
    "ExecutionModel", "GroupOperation", "ImageFormat", "ImageOperands", "MemoryAccess",
    "MemoryModel", "MemorySemantics", "Scope", "StorageClass",
)  # fmt: skip
HEAD = '''"""Numbers of opcodes and enumerants by name; made by tools/spirv_numbers.py.

Opcodes are named without Op; enumerants keep their names, but names that begin with a digit are
preceded by their kind (Dim2D).

Source: grammar.json of this folder, which names the revision and carries the notice.
"""

'''


def rows(name: str, doc: str, values: dict[str, int]) -> str:
    """Return a class of constants."""
    width = max(map(len, values))
    lines = [f"    {key:{width}} = {value}" for key, value in values.items()]
    return f'class {name}:\n    """{doc}"""\n\n' + "\n".join(lines) + "\n"


def label(kind: str, name: str) -> str:
    """Return the name of an enumerant as a Python name."""
    if name[0].isdigit():
        return kind + name
    return f"{name}_" if name == "None" else name


def text(table: dict[str, Any]) -> str:
    """Return the module."""
    opcodes = {row[0].removeprefix("Op"): row[1] for row in table["instructions"]}
    classes = [rows("Opcode", "Opcodes, without Op.", opcodes)]
    for kind in KINDS:
        values = {label(kind, row[0]): row[1] for row in table["kinds"][kind][1]}
        classes.append(rows(kind, f"Enumerants of {kind}.", values))
    glsl = {row[0]: row[1] for row in table["sets"]["GLSL.std.450"]["instructions"]}
    classes.append(rows("GlslStd450", "Instructions of GLSL.std.450.", glsl))
    names = sorted(["Opcode", "GlslStd450", *KINDS])
    exported = "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    return f"{HEAD}# fmt: off\n{exported}\n\n" + "\n\n".join(classes)


def main() -> int:
    made = text(json.loads((FOLDER / "grammar.json").read_text(encoding="utf-8")))
    if "--check" in sys.argv[1:]:
        return 0 if MODULE.read_text(encoding="utf-8") == made else 1
    MODULE.write_text(made, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
