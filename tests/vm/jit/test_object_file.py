"""Object files loaded without LLVM: what they refer to, and what is refused."""

import ctypes
from typing import Any

import numpy as np
import pytest

from unshade.vm.jit import compile as compiling
from unshade.vm.jit import object_file
from unshade.vm.jit.compile import compile_text
from unshade.vm.jit.object_file import load_object_file, usable
from unshade.vm.jit.processor import triple

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not usable(), reason="LLVM loads object files on this machine"),
]
HEAD = """
@table = private constant [4 x i32] [i32 7, i32 8, i32 9, i32 10]
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare float @cosf(float)
define void @kernel(ptr %context, ptr %scratch, i64 %first, i64 %last) {
"""
CONSTANTS = """
  %place = getelementptr [4 x i32], ptr @table, i64 0, i64 %first
  %word = load i32, ptr %place
  %wide = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 %word, i32 1
  store <4 x i32> %wide, ptr %scratch, align 4
  ret void
}
"""
JUMPS = """
  switch i64 %first, label %e [i64 0, label %a i64 1, label %b i64 2, label %c i64 3, label %d]
a:
  store i32 5, ptr %scratch
  ret void
b:
  call void @llvm.memset.p0.i64(ptr %scratch, i8 6, i64 8, i1 false)
  ret void
c:
  store i32 7, ptr %scratch
  ret void
d:
  store i64 8, ptr %scratch
  ret void
e:
  ret void
}
"""
FILLING = """
  call void @llvm.memset.p0.i64(ptr %scratch, i8 3, i64 %last, i1 false)
  ret void
}
"""
COSINE = """
  %found = call float @cosf(float 0.0)
  store float %found, ptr %scratch
  ret void
}
"""


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> list[bytes]:
    """The files that LLVM's loader got."""
    monkeypatch.setenv("UNSHADE_CACHE", str(tmp_path))
    by_llvm, found = compiling._loaded_by_llvm, []

    def noted(llvm: Any, code: bytes, name: str, cached: bool) -> Any:
        found.append(code)
        return by_llvm(llvm, code, name, cached)

    monkeypatch.setattr(compiling, "_loaded_by_llvm", noted)
    return found


def result(body: str, level: int, first: int = 0, last: int = 0) -> list[int]:
    """Return what a function leaves in eight words of 1."""
    code = compile_text(f'target triple = "{triple()}"' + HEAD + body, level)
    words = np.ones(8, "<i4")
    code.run(0, words.ctypes.data, first, last)
    found: list[int] = words.tolist()
    return found


@pytest.mark.parametrize("level", [0, 2])
def test_references_to_constants_jumps_and_functions(level: int, loads: list[bytes]) -> None:
    assert result(CONSTANTS, level, 2)[:5] == [1, 9, 3, 4, 1]
    assert [result(JUMPS, level, first)[0] for first in range(5)] == [5, 0x0606_0606, 7, 8, 1]
    assert result(FILLING, level, 0, 12) == [0x0303_0303] * 3 + [1] * 5
    assert not loads


def test_other_functions_are_left_to_llvm(loads: list[bytes]) -> None:
    assert result(COSINE, 0)[0] == 0x3F80_0000
    assert result(COSINE, 0)[0] == 0x3F80_0000  # from the cache
    assert len(loads) == 2


def test_machines_without_our_loader(monkeypatch: pytest.MonkeyPatch, loads: list[bytes]) -> None:
    monkeypatch.setattr(compiling, "usable", lambda: False)
    assert result(CONSTANTS, 2, 3)[1] == 10
    assert len(loads) == 1
    assert load_object_file(b"", "kernel") is None


def test_memory_that_must_not_be_executable(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise OSError

    monkeypatch.setattr(object_file, "_make_executable", refuse)
    assert not usable.__wrapped__()


def made() -> bytes:
    text = f'target triple = "{triple()}"' + HEAD + CONSTANTS
    return compiling._object(compiling._binding(), text, 2, True)


def test_code_is_not_writable() -> None:
    loaded = load_object_file(made(), "kernel")
    assert loaded is not None
    with open("/proc/self/maps", encoding="ascii") as file:
        rows = [line.split()[:2] for line in file]
    (modes,) = [
        modes for (first, last), modes in ((row[0].split("-"), row[1]) for row in rows)
        if int(first, 16) <= loaded.address < int(last, 16)
    ]  # fmt: skip
    assert modes == "r-xp"
    assert ctypes.string_at(loaded.address, 1)


def test_other_files_are_refused() -> None:
    data = made()
    assert load_object_file(data, "main") is None
    for size in range(0, len(data), 61):
        assert load_object_file(data[:size], "kernel") is None
    for at in (0, 4, 5, 16, 18, 58):  # kind, width, order, purpose, machine, size of a header
        changed = bytearray(data)
        changed[at] ^= 3
        assert load_object_file(bytes(changed), "kernel") is None
