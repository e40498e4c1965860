"""Draws and dispatches with arguments in buffers, and queries, in frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.corpus import REPOSITORY
from tests.run.frame.scenes import commands, drawn, filled
from unshade.errors import UsageError

TARGET = {"a": {"size": [2, 2]}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return filled(tmp_path)


def red(folder: Path, words: list[int], draw: dict[str, Any], **more: Any) -> list[list[bool]]:
    """The pixels that a draw with arguments in the buffer `words` covers."""
    buffers = {"words": {"data": words, "dtype": "uint32"}, **more}
    found = drawn(folder, targets=TARGET, buffers=buffers, passes=commands({"draw": draw}))
    covered: list[list[bool]] = (found.targets["a"].array[..., 0] > 0).tolist()
    return covered


def test_vertices_and_indices_of_a_buffer(folder: Path) -> None:
    plain = {"pipeline": "full", "indirect": "words"}
    assert red(folder, [3, 1, 0, 0], plain) == [[True] * 2] * 2
    assert red(folder, [3, 0, 0, 0], plain) == [[False] * 2] * 2
    square = {"pipeline": "placed", "mesh": "square", "indirect": {"buffer": "words", "offset": 4}}
    assert red(folder, [9, 3, 1, 3, 0, 0], square) == [[False, True], [True, True]]
    assert red(folder, [9, 6, 1, 0, 0, 0], square) == [[True, True], [True, True]]


def test_several_draws_and_their_count(folder: Path) -> None:
    """Two draws of the halves of the square, 24 bytes apart."""
    both = [3, 1, 0, 0, 0, 77, 3, 1, 3, 0, 0]
    indirect = {"buffer": "words", "draws": 2, "stride": 24}
    draw = {"pipeline": "placed", "mesh": "square", "indirect": indirect}
    count = {"data": [7, 1], "dtype": "uint32"}
    assert red(folder, both, draw) == [[True, True], [True, True]]
    indirect |= {"count": "count", "count_offset": 4}
    assert red(folder, both, draw, count=count) == [[True, False], [False, False]]
    indirect["count_offset"] = 0
    assert red(folder, both, draw, count=count) == [[True, True], [True, True]]


def test_groups_of_a_buffer(folder: Path) -> None:
    (folder / "saxpy.dxbc").write_bytes((REPOSITORY / "examples" / "saxpy.dxbc").read_bytes())
    dispatch = {
        "pipeline": "saxpy", "indirect": "words", "query": "work",
        "bindings": {"X": "x", "Y": "y", "a": 2.0, "n": 128},
    }  # fmt: skip
    found = drawn(
        folder, targets=TARGET, pipelines={"saxpy": {"compute": "saxpy.dxbc"}},
        buffers={"x": {"data": [1.0] * 128}, "y": {"zeros": 128},
                 "words": {"data": [1, 1, 1], "dtype": "uint32"}},
        passes=[{"commands": [{"dispatch": dispatch}]}],
    )  # fmt: skip
    assert found.buffers["y"].tolist() == [2.0] * 64 + [0.0] * 64
    assert found.queries["work"].cs_invocations == 64


def test_queries_count_and_are_written_to_buffers(folder: Path) -> None:
    """The number of visible samples of the first draw decides how much the second draws."""
    half = {"draw": {"pipeline": "placed", "mesh": "half", "query": "seen"}}
    copy = {"query": {"query": "seen", "buffer": "words", "counter": "ps_invocations", "bits": 32}}
    again = {"draw": {"pipeline": "full", "indirect": "words", "query": "all"}}
    found = drawn(
        folder, targets=TARGET, buffers={"words": {"data": [0, 1, 0, 0], "dtype": "uint32"},
                                         "long": {"zeros": 4, "dtype": "uint32"}},
        passes=commands(half, half, half, copy, again,
                        {"query": {"query": "seen", "buffer": "long", "offset": 8}}),
    )  # fmt: skip
    assert found.queries["seen"].samples_passed == 3
    assert found.queries["seen"].c_primitives == 3
    assert found.queries["all"].samples_passed == 4
    assert found.buffers["words"].tolist() == [3, 1, 0, 0]
    assert found.buffers["long"].tolist() == [0, 0, 3, 0]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ({"draw": {"pipeline": "full"}}, "expected one of mesh, count and groups"),
        ({"draw": {"pipeline": "full", "count": 3, "indirect": "words"}}, "no count or groups"),
        ({"draw": {"pipeline": "full", "indirect": "word"}}, "did you mean words"),
        ({"draw": {"pipeline": "full", "indirect": {"buffer": "words", "offset": 4}}},
         "expected 16 bytes at offset 4, got a buffer of 16"),
        ({"draw": {"pipeline": "full", "indirect": {"buffer": "words", "stride": 12}}},
         "expected a stride of at least 16"),
        ({"draw": {"pipeline": "full", "indirect": {"buffer": "words", "count": "words",
                                                    "count_offset": 14}}},
         "expected 4 bytes at count_offset 14"),
        ({"draw": {"pipeline": "full", "indirect": "many"}}, "count: expected 1 to 20,000,000"),
        ({"draw": {"pipeline": "full", "count": 3, "instances": 10**7}}, "3 for each of 10,0"),
        ({"query": {"query": "x", "buffer": "words"}}, "no query 'x'"),
        ({"dispatch": {"pipeline": "saxpy"}}, "dispatch: expected groups or indirect"),
        ({"dispatch": {"pipeline": "saxpy", "indirect": "many"}}, "at most 65535 groups"),
    ],
)  # fmt: skip
def test_mistakes(folder: Path, command: dict[str, Any], words: str) -> None:
    (folder / "saxpy.dxbc").write_bytes((REPOSITORY / "examples" / "saxpy.dxbc").read_bytes())
    pipelines = {
        "full": {"vertex": "full.dxbc", "pixel": "red.dxbc"},
        "saxpy": {"compute": "saxpy.dxbc"},
    }
    buffers = {
        "words": {"data": [3, 1, 0, 0], "dtype": "uint32"},
        "many": {"data": [4 * 10**9, 2, 3, 0], "dtype": "uint32"},
    }
    with pytest.raises(UsageError, match=words):
        drawn(
            folder, targets=TARGET, pipelines=pipelines, buffers=buffers, passes=commands(command)
        )


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"counter": "samples"}, "no counter 'samples'"),
        ({"bits": 16}, "query.bits: expected 32 or 64, got 16"),
        ({"offset": 12}, "query: expected 8 bytes at offset 12, got a buffer of 16"),
    ],
)
def test_mistakes_of_queries(folder: Path, more: dict[str, Any], words: str) -> None:
    draw = {"draw": {"pipeline": "full", "count": 3, "query": "q"}}
    buffers = {"words": {"zeros": 4}}
    command = {"query": {"query": "q", "buffer": "words", **more}}
    with pytest.raises(UsageError, match=words):
        drawn(folder, targets=TARGET, buffers=buffers, passes=commands(draw, command))


def test_an_index_beyond_the_vertices(folder: Path) -> None:
    draw = {"pipeline": "placed", "mesh": "square", "indirect": "words"}
    with pytest.raises(UsageError):
        red(folder, [3, 1, 0, np.iinfo(np.int32).max, 0], draw)
