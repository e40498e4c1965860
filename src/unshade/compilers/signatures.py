"""The functions of a source, as a compiler describes them.

    float2 ns::g(float2x3 m, inout int c, float k = 1)

    DeclaredFunction("ns::g", parameters m, c, k, result (2,) of float32)

Values are plain data between processes: `to_dict` and `from_dict`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..tuples import NamedTuple

VECTOR = re.compile(r"\bvector<(\w+),(\d)>")
LAYOUT = ", DefaultDataLayout"  # of a buffer, which Slang adds
MATRIX = re.compile(r"\bmatrix<(\w+),(\d),(\d)>")


class DeclaredType(NamedTuple):
    """The type of a parameter or result.

    Attributes:
        name: The type as the language spells it.
        scalar: NumPy's name of the scalars, `float32`, `bool`; "" of a structure and of a type
            that no array holds, such as a texture.
        shape: The length of each dimension: of arrays from the outermost, of a matrix rows and
            columns, of a vector.
        matrix: True if the last two dimensions are rows and columns of a matrix.
        members: Names and types of the members of a structure.
    """

    name: str
    scalar: str = ""
    shape: tuple[int, ...] = ()
    matrix: bool = False
    members: "tuple[tuple[str, DeclaredType], ...]" = ()

    @property
    def is_value(self) -> bool:
        """True if arrays can hold values of the type."""
        return bool(self.scalar) or (
            bool(self.members) and all(each.is_value for _, each in self.members)
        )

    def __str__(self) -> str:
        """The type in HLSL's short form: `float2x3` for `matrix<float,2,3>`."""
        name = self.name.replace(LAYOUT, "")
        return VECTOR.sub(r"\1\2", MATRIX.sub(r"\1\2x\3", name))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        members = [[name, each.to_dict()] for name, each in self.members]
        return {**self._asdict(), "shape": list(self.shape), "members": members}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "DeclaredType":
        """Return the type that plain data describes."""
        members = tuple((name, cls.from_dict(each)) for name, each in data["members"])
        return cls(data["name"], data["scalar"], tuple(data["shape"]), data["matrix"], members)


class DeclaredParameter(NamedTuple):
    """A parameter; `read` and `written` are both True of `inout`."""

    name: str
    type: DeclaredType
    read: bool = True
    written: bool = False
    has_default: bool = False

    def __str__(self) -> str:
        mode = ("out " if not self.read else "inout ") if self.written else ""
        return f"{mode}{self.type} {self.name}{' = …' if self.has_default else ''}"


class DeclaredFunction(NamedTuple):
    """A function; `result` is None if it returns nothing."""

    name: str
    parameters: tuple[DeclaredParameter, ...]
    result: DeclaredType | None

    def __str__(self) -> str:
        result = "void" if self.result is None else str(self.result)
        return f"{result} {self.name}({', '.join(map(str, self.parameters))})"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        parameters = [{**each._asdict(), "type": each.type.to_dict()} for each in self.parameters]
        result = None if self.result is None else self.result.to_dict()
        return {"name": self.name, "parameters": parameters, "result": result}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "DeclaredFunction":
        """Return the function that plain data describes."""
        parameters: Sequence[dict[str, Any]] = data["parameters"]
        result = data["result"]
        return cls(
            data["name"],
            tuple(
                DeclaredParameter(**each)._replace(type=DeclaredType.from_dict(each["type"]))
                for each in parameters
            ),
            None if result is None else DeclaredType.from_dict(result),
        )
