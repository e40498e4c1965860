"""Lines of a module, including globals and metadata."""

from collections.abc import Iterable
from typing import TypeAlias

from ....limits import DEFAULT, Limits
from ..model.constants import ConstantExpression
from ..model.metadata import MetadataNode, NamedMetadata
from ..model.module import DxilModule
from ..model.types import DxilType
from ..model.values import AttributeList, Comdat, DxilValue, GlobalAlias, GlobalVariable
from .attributes import attributes_text
from .conventions import EXTERNAL, linkage_text
from .functions import comdat_text, function_lines
from .spelling import escaped, identifier, metadata_identifier
from .writer import TextWriter

# What a line may define.
Place: TypeAlias = DxilValue | DxilType | NamedMetadata | MetadataNode | AttributeList

__all__ = ["Place", "module_lines", "variable_text"]

SELECTIONS = {1: "any", 2: "exactmatch", 3: "largest", 4: "noduplicates", 5: "samesize"}
THREAD_LOCAL = {
    1: "thread_local ",
    2: "thread_local(localdynamic) ",
    3: "thread_local(initialexec) ",
    4: "thread_local(localexec) ",
}


def module_lines(
    module: DxilModule,
    limits: Limits = DEFAULT,
    *,
    exact: bool = False,
    use_lists: bool = True,
    places: dict[Place, int] | None = None,
) -> list[str]:
    """Return the lines of a module; lines of some instructions contain line ends.

    Args:
        module: The module.
        limits: The limits of the text.
        exact: Whether fast-math flags that LLVM's text does not distinguish are printed as numbers.
        use_lists: Whether comments list predecessors in the orders of uses that the module has.
        places: Is filled with the index in the lines of each type, global, instruction, list of
            attributes, named metadata and node that a line defines.

    Raises:
        LimitError: The text is longer than `limits` allow.
    """
    writer = TextWriter(module, limits, exact=exact, use_lists=use_lists)
    lines: list[str] = []
    if module.data_layout:
        lines.append(f'target datalayout = "{module.data_layout}"')
    if module.triple:
        lines.append(f'target triple = "{module.triple}"')
    if module.assembly:
        rows = module.assembly.split("\n")
        if not rows[-1]:
            rows.pop()
        lines += ("", *(f'module asm "{escaped(each)}"' for each in rows))
    _section(lines, writer.types.definitions(), writer.types.defined, places)
    _comdats(lines, module)
    variables = [variable_text(each, writer) for each in module.variables]
    _section(lines, variables, module.variables, places)
    _section(lines, [_alias(each, writer) for each in module.aliases], module.aliases, places)
    for function in module.functions:
        first = len(lines)
        inside: dict[DxilValue, int] | None = None if places is None else {}
        lines += function_lines(function, writer, inside)
        if places is not None and inside is not None:
            places.update((each, first + at) for each, at in inside.items())
    _section(
        lines,
        [
            f"attributes #{number} = {{ {attributes_text(key, in_group=True)} }}"
            for key, number in writer.numbers.attributes.items()
        ],
        writer.numbers.attribute_lists,
        places,
    )
    _section(
        lines,
        [
            f"!{metadata_identifier(each.name)} = {writer.tuple(each.nodes)}"
            for each in module.named_metadata
        ],
        module.named_metadata,
        places,
    )
    nodes = []
    for node, number in writer.numbers.nodes.items():
        text = f"!{number} = {writer.node(node)}"
        writer.budget.spend(len(text))
        nodes.append(text)
    _section(lines, nodes, writer.numbers.nodes, places)
    return lines


def _section(
    lines: list[str],
    more: list[str],
    defined: Iterable[Place] = (),
    places: dict[Place, int] | None = None,
) -> None:
    """Add lines after an empty one, if there are any; `defined` are the objects that they define.

    Their indices are added to `places`.
    """
    if more:
        lines.append("")
        if places is not None:
            places.update((each, len(lines) + at) for at, each in enumerate(defined))
        lines += more


def _comdats(lines: list[str], module: DxilModule) -> None:
    """Add the groups of definitions that globals are in, functions first."""
    found: dict[Comdat, None] = {}
    for each in (*module.functions, *module.variables):
        if each.comdat is not None:
            found[each.comdat] = None
    for comdat in found:
        selection = SELECTIONS.get(comdat.selection, "any")
        lines += ("", f"{identifier('$', comdat.name)} = comdat {selection}")


def variable_text(variable: GlobalVariable, writer: TextWriter) -> str:
    """Return the line of a global variable."""
    external = variable.initializer is None and variable.linkage in EXTERNAL
    space = getattr(variable.type, "space", 0)
    text = (
        f"{writer.operand(variable)} = {'external ' if external else ''}{linkage_text(variable)}"
        f"{THREAD_LOCAL.get(variable.thread_local, '')}"
        f"{'unnamed_addr ' if variable.unnamed_addr else ''}"
        f"{f'addrspace({space}) ' if space else ''}"
        f"{'externally_initialized ' if variable.externally_initialized else ''}"
        f"{'constant' if variable.constant else 'global'} {writer.type(variable.value_type)}"
    )
    if variable.initializer is not None:
        text += f" {writer.operand(variable.initializer)}"
    if variable.section:
        text += f', section "{escaped(variable.section)}"'
    if variable.comdat is not None:
        text += f", {comdat_text(variable)}"
    if variable.alignment:
        text += f", align {variable.alignment}"
    return text


def _alias(alias: GlobalAlias, writer: TextWriter) -> str:
    aliasee = alias.aliasee
    plain = isinstance(aliasee, ConstantExpression)
    return (
        f"{writer.operand(alias)} = {linkage_text(alias)}"
        f"{THREAD_LOCAL.get(alias.thread_local, '')}"
        f"{'unnamed_addr ' if alias.unnamed_addr else ''}"
        f"alias {writer.operand(aliasee) if plain else writer.typed(aliasee)}"
    )
