"""A class models one thing: inheritance is for kinds of things, not for slices of one.

A chain is a class and its base classes inside the package, root first. Chains of two classes are
not judged. A longer chain has a line in KINDS, with the reason why each class models a kind of
what its base models.

A class that is cut in layers, so that each fits a file, has members that a reader must look for in
every layer. Functions of a context object (`programs/dxil/text/instructions.py`,
`programs/sksl/assembler/parser`) do the same without that, and one idea may take 600 lines.
"""

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import unshade

PACKAGE = Path(unshade.__file__).parent


class Allowed(NamedTuple):
    """The longest chain below a root, and the reason for it."""

    classes: int
    reason: str


# By root: the module in the package, and the class.
KINDS = {
    "cli.paths.PathType": Allowed(3, "paths, paths to read, and values that name such paths"),
    "decompile.resources.context.BufferRules": Allowed(
        3, "languages: rules of buffers, of what precedes a text, of a text"
    ),
    "errors.UnshadeError": Allowed(3, "errors: what users catch, from the general to the special"),
    "isa.bits.Word": Allowed(4, "words of an instruction set: tokens, opcode tokens, their kinds"),
    "model.plain.Facts": Allowed(3, "plain data: facts of an entry point, of a program"),
    "notebook.Shown": Allowed(
        4, "objects shown in notebooks: results, of patches; runners, kernels, kernels of tests"
    ),
    "parts.PartMapping": Allowed(
        5, "mappings of parts; with generated types; shaders; shaders of one record; formats"
    ),
    "programs.dxil.lower.ports.Ports": Allowed(3, "ports: of lanes, of groups, of each stage"),
    "programs.dxil.model.metadata.Metadata": Allowed(3, "metadata: nodes, specialized nodes"),
    "programs.dxil.model.values.DxilValue": Allowed(3, "values: constants, globals, instructions"),
    "programs.sksl.tree.node.FieldKind": Allowed(3, "fields: those that hold nodes, how many"),
    "programs.sksl.tree.node.TreeNode": Allowed(4, "nodes: expressions, constructors, each one"),
    "programs.spirv.lower.pointers.Root": Allowed(3, "memories: of values, of ports"),
    "tuples.NamedTuple": Allowed(3, "tuples with names: places, and what was found there"),
    "wire.types.WireType": Allowed(3, "types of fields: pointers, pointers into shared tables"),
}

ClassName = tuple[str, str]  # a module, and a class in it


class Hierarchy:
    """The classes of modules, found in their syntax trees: no module is imported."""

    def __init__(self, sources: Mapping[str, str], packages: Iterable[str] = ()) -> None:
        self.classes: dict[ClassName, ast.ClassDef] = {}
        self.imports: dict[ClassName, ClassName] = {}
        folders = frozenset(packages)
        for module, text in sources.items():
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ClassDef):
                    self.classes[module, node.name] = node
                elif isinstance(node, ast.ImportFrom):
                    source = _imported(module, node, module in folders)
                    for each in node.names:
                        self.imports[module, each.asname or each.name] = source, each.name

    def find(self, module: str, name: str) -> ClassName | None:
        """Return the class of a name in a module; None if it is not a class of these modules."""
        at = module, name
        seen = set()
        while at not in self.classes:
            if at in seen or at not in self.imports:
                return None
            seen.add(at)
            at = self.imports[at]
        return at

    def base(self, module: str, node: ast.expr) -> ClassName | None:
        """Return the class of a base: `Base`, `Base[T]` or `module.Base`."""
        if isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Name):
            return self.find(module, node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            parent = self.imports.get((module, node.value.id))
            return self.find(".".join(filter(None, parent)), node.attr) if parent else None
        return None

    def chain(self, of: ClassName) -> list[ClassName]:
        """Return the longest chain to a class, root first."""
        found = (self.base(of[0], each) for each in self.classes[of].bases)
        chains = [self.chain(each) for each in found if each is not None and each != of]
        return [*max(chains, key=len, default=[]), of]

    def longest(self) -> dict[str, list[str]]:
        """Return the longest chain of each root that has one of three or more classes."""
        longest: dict[str, list[str]] = {}
        for each in self.classes:
            names = [".".join(filter(None, at)) for at in self.chain(each)]
            if len(names) > max(2, len(longest.get(names[0], ()))):
                longest[names[0]] = names
        return longest


def _imported(module: str, node: ast.ImportFrom, is_package: bool) -> str:
    """Return the module from which a module imports."""
    if not node.level:
        return (node.module or "").removeprefix("unshade.")
    parts = module.split(".") if module else []
    kept = parts[: len(parts) - node.level + is_package]
    return ".".join([*kept, *filter(None, [node.module])])


@cache
def package() -> dict[str, list[str]]:
    """Return the longest chains of the package, whose modules are named without `unshade.`."""
    sources: dict[str, str] = {}
    packages = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
            packages.add(".".join(parts))
        sources[".".join(parts)] = path.read_text("utf-8")
    return Hierarchy(sources, packages).longest()


@pytest.mark.slow  # every module is parsed
def test_classes_of_a_chain_model_kinds_of_things() -> None:
    allowed = {root: each.classes for root, each in KINDS.items()}
    longer = [
        " < ".join(names) for root, names in package().items() if len(names) > allowed.get(root, 2)
    ]
    assert longer == []


@pytest.mark.slow  # every module is parsed
def test_lists_of_chains_are_up_to_date() -> None:
    listed = {root: each.classes for root, each in KINDS.items()}
    found = {root: len(package().get(root, ())) for root in listed}
    assert found == listed  # lower the number, or remove the line, of a chain that became shorter


def test_chains_are_followed_through_imports() -> None:
    found = Hierarchy(
        {
            "": "from .cut import Lower as Deeper",
            "cut": "from .lower import Lower",
            "cut.upper": "class Upper: ...",
            "cut.middle": "from . import upper\nclass Middle(upper.Upper): ...",
            "cut.lower": "from unshade.cut.middle import Middle\nclass Lower(Middle[int]): ...",
            "user": "from . import Deeper\nclass User(Deeper, Exception): ...",
        },
        ["", "cut"],
    )
    assert found.longest() == {
        "cut.upper.Upper": [
            "cut.upper.Upper", "cut.middle.Middle", "cut.lower.Lower", "user.User",
        ]
    }  # fmt: skip


def test_chains_of_two_classes_are_not_judged() -> None:
    source = "class Base: ...\nclass One(Base): ...\nclass Two(Base, dict[str, int]): ..."
    assert Hierarchy({"kinds": source}).longest() == {}
