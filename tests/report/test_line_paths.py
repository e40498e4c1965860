"""Lines and fields are linked both ways, for each format that links them."""

from pathlib import Path

import pytest

from unshade import open as open_shader
from unshade.report.listing import CodeListing
from unshade.report.tree import FieldTree

EXAMPLES = Path(__file__).parents[2] / "examples"
LINKED = (
    "gyroid.dxbc",
    "sheet.h.dxbc",
    "clay.frag.spv",
    "particles.spv",
    "everything.vbc",
    "lit.shbin",
    "reverse.shbin",
)


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
    assert [path for each in paths for path in each if path not in tree.paths] == []


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


def lines_of(name: str) -> dict[str, tuple[str, ...]]:
    """Return the paths of each line of an example, by its text."""
    shader = open_shader(EXAMPLES / name)
    lines = shader.disassemble().split("\n")
    return dict(zip((line.strip() for line in lines), shader.line_paths(), strict=False))


def test_declarations_of_picasso_show_the_rows_of_tables() -> None:
    found = lines_of("lit.shbin")
    assert found[".in normal v1"] == ("DVLE.uniforms[1]",)
    assert found[".out - color o1"] == ("DVLE.outputs[1]",)
    assert found[".setf c92(0.0, 0.0, 0.0, 0.0)"] == ("DVLE.constants[3]",)
    assert found[".proc main"] == ()
    assert lines_of("reverse.shbin")[".entry main1"] == ("DVLE[1].main", "DVLE[1].end")


def test_an_instruction_of_pica_shows_its_word_and_its_descriptor() -> None:
    found = lines_of("lit.shbin")
    assert found["mul r1.xyz, c93, r1"] == ("DVLP.code[10]", "DVLP.descriptors[5]")
    assert found["ifu showNormals"] == ("DVLP.code[9]",)


def test_a_descriptor_leads_to_its_first_line() -> None:
    tree, listing = linked("lit.shbin")
    node = tree.paths["DVLP.descriptors[5]"]
    before, lines = 0, []
    for line, count in enumerate(listing.counts_also):
        if node in listing.also[before : before + count]:
            lines.append(listing.lines[line].strip())
        before += count
    assert lines == ["mul r1.xyz, r2, r1", "mul r1.xyz, c93, r1", "add o1.xyz, c93, r1"]
