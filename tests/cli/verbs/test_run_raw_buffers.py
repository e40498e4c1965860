"""`run --bind` of a raw buffer, which declares no type: numbers, and arrays of a stated type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unshade import UsageError
from unshade.cli import main
from unshade.cli.values import files_of, value_of

COPY = """\
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 2, 1, 1
ishl r0.x, vThreadID.x, l(2)
ld_raw r0.y, r0.x, t0.x
store_raw u0.x, r0.x, r0.y
ret
"""


@pytest.fixture
def copy(tmp_path: Path) -> str:
    path = tmp_path / "copy.asm"
    path.write_text(COPY)
    return str(path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("float32[1, 2]", np.array([1, 2], "<f4")),
        ("uint8[[0, 255]]", np.array([[0, 255]], "u1")),
        ("int64[-1]", np.array([-1], "<i8")),
        ('float16[0.5, "NaN"]', np.array([0.5, np.nan], "<f2")),
    ],
)
def test_arrays_of_a_stated_type(text: str, expected: Any) -> None:
    found = value_of(text, None)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    assert not [*files_of([f"t0={text}"])]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int32[1.5]", "--bind t0: expected integers, got 1.5"),
        ("uint8[1, 256]", "--bind t0: 256 does not fit in 8 bits"),
        ("int32[x]", "--bind t0: expected numbers or JSON"),
        ("float8[1]", r"--bind t0: expected a type such as float32, got float8\[…\]"),
        ('int32[{"a": 1}]', "--bind t0: expected numbers"),
    ],
)
def test_wrong_arrays_of_a_stated_type(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        value_of(text, None, "--bind t0")


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1, 2]", np.array([1, 2], "<i4")),
        ("[1, 2.5]", np.array([1, 2.5], "<f4")),
        ("float32[1, 2]", np.array([1, 2], "<f4")),
    ],
)
def test_integers_are_int32_unless_the_type_is_stated(
    text: str, expected: Any, copy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", copy, "--groups", "1", "--bind", f"t0={text}", "--bind", "u0=zeros(2)"]
    assert main(line) == 0
    words = " ".join(map(str, expected.view("<u4")))
    assert capsys.readouterr().out == f"u0  uint32 (2,)  {words}\n"


def test_the_list_of_bindings_names_the_types(
    copy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", copy]) == 2
    assert "in a raw buffer [1, 2] is int32" in capsys.readouterr().err
