"""Write src/unshade/part_types.py: for type checkers, the class of each part by its name.

    python tools/part_types.py

The names and classes are those of `part_types()` of every format, so a part is declared only once.
A test compares the module with the output of this script.
"""

from pathlib import Path

from unshade.formats import own
from unshade.shader import Shader

TARGET = Path(__file__).parent.parent / "src" / "unshade" / "part_types.py"
HEAD = '''"""Signatures of `[]` and `get` of a shader, with the type of each part.

Made by tools/part_types.py from the descriptions of the formats; do not edit.

The value of a malformed part is bytes; `| Any` spares callers a check for that. Type checkers alone
read the overloads.
"""
# ruff: noqa: E501, I001
# fmt: off

from typing import TYPE_CHECKING, Any, Literal, overload

from .parts import PartMapping

if TYPE_CHECKING:
{imports}


class TypedParts(PartMapping):
    """The parts of a shader by name."""

    if TYPE_CHECKING:
'''
GET = """        @overload
        def {method}(self, name: Literal[{names}]) -> "{type}": ...
"""
TAIL = '''        @overload
        def __getitem__(self, name: str) -> Any: ...
    def __getitem__(self, name: str) -> Any:
        """Return the typed record of the first part of that name, or its bytes."""
        return self.part_value(name)

    if TYPE_CHECKING:
{gets}        @overload
        def get(self, name: str, default: Any = None) -> Any: ...
    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a part, or `default` if the shader does not contain the part."""
        return self.part_value(name) if name in self else default
'''


def made(shaders: list[type[Shader]]) -> str:
    """Return the text of the module for these formats."""
    names: dict[str, list[type]] = {}
    for shader in shaders:
        for name, cls in shader.part_types().items():
            if cls not in names.setdefault(name, []):
                names[name].append(cls)
    called = {cls: cls.__name__ for several in names.values() for cls in several}
    for cls, name in called.items():
        if sum(name == other for other in called.values()) > 1 or name == "Program":
            called[cls] = f"{_folder(cls).title().replace('_', '')}{cls.__name__}"
    groups: dict[str, list[str]] = {}
    for name, several in sorted(names.items()):
        groups.setdefault(" | ".join(called[cls] for cls in several), []).append(name)
    imports = sorted(
        f"    from {cls.__module__.removeprefix('unshade')} import {cls.__name__}"
        + (f" as {name}" if name != cls.__name__ else "")
        for cls, name in called.items()
    )
    rows = [(", ".join(f'"{name}"' for name in some), types) for types, some in groups.items()]
    items = "".join(
        GET.format(method="__getitem__", names=some, type=f"{types} | Any") for some, types in rows
    )
    gets = "".join(
        GET.format(method="get", names=some, type=f"{types} | Any | None") for some, types in rows
    )
    return HEAD.format(imports="\n".join(imports)) + items + TAIL.format(gets=gets)


def _folder(cls: type) -> str:
    """Return `tpf` for unshade.programs.tpf.program."""
    return cls.__module__.split(".")[2]


if __name__ == "__main__":
    TARGET.write_text(made([each.shader() for each in own()]), "utf-8")
