"""The tree of fields: each span is a node, each group encloses what is below it."""

from pathlib import Path
from typing import Any

import pytest

from unshade import open as open_shader
from unshade.report.columns import Columns
from unshade.report.page import page
from unshade.report.tree import KINDS, FieldTree
from unshade.wire.spans import Span

from .browser import need_browser, opened
from .test_columns import read

EXAMPLES = Path(__file__).parents[2] / "examples"


def span(offset: int, length: int, path: str, value: object = 0, **more: Any) -> Span:
    return Span(offset, length, path, value, "")._replace(**more)


def path_of(tree: FieldTree, node: int) -> str:
    names = list(tree.strings.numbers)
    number = tree.name[node]
    step = f"[{-1 - number}]" if number < 0 else names[number]
    if not tree.up[node]:
        return step
    dot = "" if number < 0 else "."
    return path_of(tree, node - tree.up[node]) + dot + step


def test_groups_enclose_their_fields() -> None:
    spans = [
        span(0, 4, "head.size", 12),
        span(4, 2, "head.rows[0].flag", "ON", bits=(3, 2)),
        span(8, 4, "tail"),
        span(12, 3, "head.name", "abc", kind="raw"),
    ]
    tree = FieldTree.of(spans)
    assert [path_of(tree, at) for at in range(len(tree.up))] == [
        "head", "head.size", "head.rows", "head.rows[0]", "head.rows[0].flag", "head.name", "tail",
    ]  # fmt: skip
    assert tree.start == [0, 0, 35, 35, 35, 96, 64]
    assert tree.end == [120, 32, 37, 37, 37, 120, 96]
    assert [KINDS[each] for each in tree.kind] == [
        "group", "field", "group", "group", "field", "raw", "field",
    ]  # fmt: skip
    names = list(tree.strings.numbers)
    assert [names[each] for each in tree.value] == ["", "12", "", "", "ON", '"abc"', "0"]
    assert tree.paths["head.rows[0].flag"] == 4


def test_fields_with_one_path_are_two_nodes() -> None:
    tree = FieldTree.of([span(0, 1, "a.b"), span(1, 1, "a.b"), span(2, 1, "a")])
    assert [path_of(tree, at) for at in range(len(tree.up))] == ["a", "a.b", "a.b"]
    assert tree.start == [0, 0, 8]  # a group that is a field, too
    assert tree.paths == {"a": 0, "a.b": 1}


def test_a_long_value_is_cut() -> None:
    tree = FieldTree.of([span(0, 9, "text", "x" * 5000)])
    value = list(tree.strings.numbers)[tree.value[0]]
    assert len(value) < 300
    assert value.endswith("…")


@pytest.mark.parametrize("name", ["gyroid.dxbc", "saxpy6.dxil", "clay.frag.spv", "lit.shbin",
                                  "plasma.skslb", "everything.vbc"])  # fmt: skip
def test_every_span_of_a_file_is_a_node(name: str) -> None:
    spans = open_shader(EXAMPLES / name).spans()
    tree = FieldTree.of(spans)
    nodes: dict[str, list[int]] = {}
    for at in range(len(tree.up)):
        nodes.setdefault(path_of(tree, at), []).append(at)
    for each in spans:
        low, width = each.bits or (0, 8 * each.length)
        start = 8 * each.offset + low
        assert any(
            tree.start[at] <= start and start + width <= tree.end[at] for at in nodes[each.path]
        ), each
    assert sum(1 for kind in tree.kind if kind) == len(spans)


def test_indices_in_order_are_not_stored() -> None:
    spans = [span(at, 1, path) for at, path in enumerate(("a[0]", "a[1]", "b[3]", "b[4].x"))]
    tree = FieldTree.of(spans)
    columns = Columns()
    tree.write(columns)
    _, found = read(columns.packed())
    a, b, x = (tree.strings.numbers[each] for each in "abx")
    assert found["node.depth"] == [0, 1, 1, 0, 1, 1, 2]
    assert found["node.name"] == [a, -1, -1, b, -5, -1, x]


def test_places_are_those_after_the_field_before() -> None:
    spans = [span(0, 4, "a.x"), span(4, 2, "a.y"), span(8, 1, "b[0].z"), span(2, 1, "c")]
    columns = Columns()
    FieldTree.of(spans).write(columns)
    _, found = read(columns.packed())
    assert found["node.start"] == [0, 0, 0, 0, 0, 16, -56]
    assert found["node.size"] == [0, 32, 16, 0, 0, 8, 8]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["saxpy6.dxil", "reverse.shbin", "everything.vbc"])
def test_the_script_reads_every_path(name: str, tmp_path: Path) -> None:
    need_browser()
    shader = open_shader(EXAMPLES / name)
    tree = FieldTree.of(shader.spans())
    text = page(shader, name)
    block = text.partition('id="block">')[2].partition("</script>")[0]
    file = tmp_path / "page.html"
    file.write_text(text, encoding="utf-8")
    with opened(file) as shown:
        paths = shown.evaluate(
            """async (text) => {
                const index = new Index(await Block.of(text), []);
                return Array.from(index.up, (_, node) => index.path(node));
            }""",
            block,
        )
    assert len(paths) == len(tree.up)
    assert {path: paths[node] for path, node in tree.paths.items()} == {
        path: path for path in tree.paths
    }


@pytest.mark.slow
def test_elements_of_arrays_say_what_they_are(tmp_path: Path) -> None:
    need_browser()
    file = tmp_path / "page.html"
    file.write_text(page(open_shader(EXAMPLES / "clay.frag.spv"), "clay"), encoding="utf-8")
    with opened(file) as shown:
        row = shown.locator("#tree .row.chosen")
        assert row.locator(".gist").inner_text() == "OpLabel"
