"""Lines and fields are linked both ways, for each format that links them."""

from pathlib import Path

import pytest

from unshade import open as open_shader
from unshade.report.listing import CodeListing
from unshade.report.tree import FieldTree

EXAMPLES = Path(__file__).parents[2] / "examples"
LINKED = ("gyroid.dxbc", "sheet.h.dxbc", "clay.frag.spv", "particles.spv", "everything.vbc")


def linked(name: str) -> tuple[FieldTree, CodeListing]:
    shader = open_shader(EXAMPLES / name)
    tree = FieldTree.of(shader.spans())
    return tree, CodeListing.of(shader, tree)


@pytest.mark.parametrize("name", LINKED)
def test_a_path_names_a_field(name: str) -> None:
    shader = open_shader(EXAMPLES / name)
    tree = FieldTree.of(shader.spans())
    paths = shader.line_paths()
    assert len(paths) <= shader.disassemble().count("\n")
    assert [path for path in paths if path and path not in tree.paths] == []


@pytest.mark.parametrize("name", LINKED)
def test_a_field_of_the_code_is_in_one_line_and_back(name: str) -> None:
    shader = open_shader(EXAMPLES / name)
    tree, listing = linked(name)
    first: dict[int, int] = {}
    for line, node in enumerate(listing.nodes):
        first.setdefault(node, line)
    seen = 0
    for span in shader.spans():
        _, index, _ = span.path.partition(".instructions[")
        if not index and not span.path.startswith("instructions["):
            continue
        node = tree.paths[span.path]
        while node not in first:
            assert tree.up[node], span.path
            node -= tree.up[node]
        line = first[node]
        low, width = span.bits or (0, 8 * span.length)
        assert tree.start[node] <= 8 * span.offset + low
        assert 8 * span.offset + low + width <= tree.end[node]
        assert first[listing.nodes[line]] == line
        seen += 1
    assert seen > 100
