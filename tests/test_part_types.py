"""Type checkers see the types of the parts: `shader["RDEF"]` is a `ResourceDefinition`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import get_overloads

import pytest

from tests.corpus import REPOSITORY
from tools import part_types
from unshade import part_types as made_module
from unshade.formats import own
from unshade.part_types import TypedParts
from unshade.shader import Shader
from unshade.wire import Record


def test_the_module_is_fresh() -> None:
    made = part_types.made([each.shader() for each in own()])
    stands = (REPOSITORY / "src" / "unshade" / "part_types.py").read_text("utf-8")
    assert stands == made, "run: python tools/part_types.py"


@pytest.mark.parametrize("method", ["__getitem__", "get"])
def test_every_part_has_its_type(method: str) -> None:
    declared = {}
    for each in ast.walk(ast.parse(Path(made_module.__file__).read_text("utf-8"))):
        match each:
            case ast.FunctionDef(
                name=name,
                args=ast.arguments(args=[_, ast.arg(annotation=ast.Subscript(slice=parts)), *_]),
                returns=ast.Constant(value=str(result)),
            ) if name == method:
                for part in parts.elts if isinstance(parts, ast.Tuple) else [parts]:
                    declared[ast.literal_eval(part)] = result.partition(" | ")[0]
    wanted = {
        name: (cls.__module__.split(".")[2].title() if cls.__name__ == "Program" else "")
        + cls.__name__
        for each in own()
        for name, cls in each.shader().part_types().items()
    }
    assert declared == wanted


@pytest.mark.parametrize("method", ["__getitem__", "get"])
def test_only_type_checkers_read_the_overloads(method: str) -> None:
    assert get_overloads(getattr(TypedParts, method)) == []


class Left(Record):
    """A part of one format."""


class Right(Record):
    """The part of that name of another."""


def test_parts_of_one_name_have_a_union_type() -> None:
    def format_with(**types: type) -> type[Shader]:
        class Toy(Shader):
            format = "toy"

            @classmethod
            def part_types(cls) -> Mapping[str, type]:
                return types

        return Toy

    text = part_types.made([format_with(ABCD=Left, BBBB=Left), format_with(ABCD=Right)])
    assert 'def __getitem__(self, name: Literal["ABCD"]) -> "Left | Right | Any": ...' in text
    assert 'def get(self, name: Literal["BBBB"]) -> "Left | Any | None": ...' in text
