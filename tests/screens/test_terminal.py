"""Screens on a terminal: where long names and sentences are broken."""

from __future__ import annotations

import re
from unittest import mock

import pytest

from unshade.screens.blocks import (
    PATH,
    Block,
    ByteMap,
    Cell,
    FactsBlock,
    Prose,
    TableBlock,
    Title,
    render_plain,
)
from unshade.screens.terminal import render

STYLES = re.compile(r"\x1b\[[0-9;]*m")
LONG = "constant_buffers[Frame].variables[eye_position].type.rows"


def drawn(block: Block, columns: int | None) -> list[str]:
    with mock.patch.dict("os.environ", TERM="xterm-256color"):
        return [line.rstrip() for line in STYLES.sub("", render([block], columns)).splitlines()]


def test_a_name_is_broken_before_points_and_brackets() -> None:
    table = TableBlock("", ("", ""), [[(LONG, "name"), "3 → 4"]])
    lines = drawn(table, 42)
    assert [line.split("  3 → 4")[0].strip() for line in lines] == [
        "constant_buffers[Frame].variables",
        "[eye_position].type.rows",
    ]
    assert max(map(len, lines)) <= 42
    assert [line.strip() for line in drawn(table, 120)] == [f"{LONG}  3 → 4"]


@pytest.mark.parametrize("name", ["x" * 50, "..[[a", "", "日本語" * 10 + ".b", "a." + "b" * 40])
@pytest.mark.parametrize("columns", [12, 30])
def test_nothing_of_a_name_is_lost(name: str, columns: int) -> None:
    lines = drawn(TableBlock("", ("",), [[(name, "name")]]), columns)
    assert "".join(line.strip() for line in lines) == name


def test_a_sentence_is_broken_between_words_on_a_terminal_only() -> None:
    sentence = "the code differs; the interface is the same"
    assert render_plain([Prose(sentence)]) == f"{sentence}\n"
    lines = drawn(Prose(sentence), 20)
    assert len(lines) > 2
    assert " ".join(lines) == sentence


def test_a_path_is_never_broken() -> None:
    path = "/home/me/a folder/" * 12 + "skin.pso"
    for columns in (20, 80):
        assert drawn(Title(path, "pixel shader"), columns) == [path, "    pixel shader"]
    assert drawn(Title(path, "pixel shader"), None) == [f"{path}  pixel shader"]


def test_two_paths_are_a_line_each_where_a_line_is_too_short() -> None:
    assert drawn(Title("a/b.dxbc → a/c.dxbc", "the same"), 18) == [
        "a/b.dxbc →", "a/c.dxbc", "    the same",
    ]  # fmt: skip


def test_a_table_that_is_too_wide_has_a_record_for_each_row() -> None:
    rows = [["first", "1", "one word"], ["second", "", "another"]]
    table = TableBlock("", ("name", ">number", "description"), rows)
    assert [each.rstrip() for each in drawn(table, 40)] == [
        "  name    number  description",
        "  first        1  one word",
        "  second          another",
    ]
    assert [each.rstrip() for each in drawn(table, 20)] == [
        "  first",
        "    number 1,",
        "    description one",
        "    word",
        "  second",
        "    description",
        "    another",
    ]


def test_columns_stand_closer_before_they_become_records() -> None:
    table = TableBlock("", ("a", "b"), [["left", "right"]])
    assert drawn(table, 13) == ["  a     b", "  left  right"]
    assert drawn(table, 12) == ["  a    b", "  left right"]
    assert drawn(table, 11) == ["  left", "    b right"]


def test_a_table_with_paths_does_not_break_them() -> None:
    path = "/home/me/a folder/" * 12 + "skin.pso"
    rows: list[list[Cell]] = [[(path, PATH), "pixel", ("1,000 > 10", "bad")]]
    table = TableBlock("", ("shader", "stage", ">bytes"), rows)
    assert drawn(table, 40) == [f"  {path}", "    stage pixel, bytes 1,000 > 10"]
    assert f"{path}  pixel  1,000 > 10" in drawn(table, None)[1]


def test_lines_are_not_wrapped_without_a_terminal() -> None:
    words = " ".join(["word"] * 60)
    assert drawn(Prose(words), None) == [words]
    assert [line.strip() for line in drawn(FactsBlock([("", words)]), None)] == [words]
    assert drawn(TableBlock("", ("",), [(words,), ((LONG * 4, "name"),)]), None) == [
        f"  {words}", f"  {LONG * 4}",
    ]  # fmt: skip
    plain = render_plain([ByteMap([("RDEF", 10), ("SHDR", 90)])])
    (_, strip) = drawn(ByteMap([("RDEF", 10), ("SHDR", 90)]), None)
    assert len(strip) <= len(plain.strip("\n"))
