"""SHBIN files that are as expensive to process as possible for their size (see big.py)."""

from collections.abc import Callable
from typing import Any

from tests.fixtures.shbin import simple, words
from unshade.formats.shbin.records import Constant, Dvle, FloatValue, Label, Output, Uniform


def many_executables(size: int) -> bytes:
    """As many offsets as fit, all of one executable."""
    data = simple().to_bytes()
    count = max((size - len(data)) // 4, 2)
    dvle = int.from_bytes(data[8:12], "little") + 4 * (count - 1)
    head = data[:4] + count.to_bytes(4, "little") + dvle.to_bytes(4, "little") * count
    return head + data[12:]


def own_executables(size: int) -> bytes:
    """Executables that share their code, each with its own header."""
    shader = simple()
    shader.dvles.extend(Dvle(main=1) for _ in range(size // 68))
    return shader.to_bytes()


def one_long_label(size: int) -> bytes:
    """Labels that all have one long name."""
    shader = simple()
    rows = max(size // 100, 2)
    shader.dvles[0].labels = [Label(id=i, symbol="n" * 1000) for i in range(rows)]
    return shader.to_bytes()


def labels_of_one_word(size: int) -> bytes:
    """Labels at the same word, the entry point."""
    shader = simple()
    shader.dvles[0].labels = [Label(id=i, symbol=f"l{i}") for i in range(size // 22)]
    return shader.to_bytes()


def uniforms_over_each_other(size: int) -> bytes:
    """Uniforms that all take every register."""
    rows = [Uniform(symbol=f"u{i}", start=0x10, end=0x6F) for i in range(size // 14)]
    return simple(uniforms=rows).to_bytes()


def huge_uniforms(size: int) -> bytes:
    """Uniforms whose last register does not exist."""
    rows = [Uniform(symbol=f"u{i}", start=0, end=0xFFFF) for i in range(size // 14)]
    return simple(uniforms=rows).to_bytes()


def many_constants(size: int) -> bytes:
    """Float constants, each of them repeated."""
    value = FloatValue(value=[0x3B9999] * 4)
    rows = [Constant(type=2, id=i % 96, data=value) for i in range(size // 20)]
    return simple(constants=rows).to_bytes()


def many_outputs(size: int) -> bytes:
    """Outputs with the same meaning."""
    rows = [Output(type=2, register=i % 7, mask=15) for i in range(size // 8)]
    return simple(outputs=rows, output_mask=0).to_bytes()


def coded(lines: list[tuple[Any, ...]]) -> bytes:
    shader = simple(end=0)
    shader.dvlp.code = words(*lines)
    return shader.to_bytes()


MOVE = ("mov", {"dst": "r0", "src1": "v0", "desc": 0})


def branches_in_a_row(size: int) -> bytes:
    """Consecutive branches; each doubles the number of paths."""
    count = min(size // 8, 2000)
    lines: list[tuple[Any, ...]] = []
    for i in range(count):
        lines += [("ifu", {"bool_id": i % 16, "target": 2 * i + 2}), MOVE]
    return coded([*lines, ("end",)])


def branches_in_branches(size: int) -> bytes:
    """Nested branches with a common end."""
    count = min(size // 4, 2000)
    return coded([*[("ifu", {"target": count + 1})] * count, MOVE, ("end",)])


def calls_of_calls(size: int) -> bytes:
    """Procedures that call the next one twice."""
    count = min(size // 8, 2000)
    lines: list[tuple[Any, ...]] = []
    for i in range(count):
        lines += [("call", {"target": 2 * i + 2, "num": 2})] * 2
    return coded([*lines, ("nop",), ("end",)])


def calls_of_everything(size: int) -> bytes:
    """Procedures that overlap as much as they can."""
    count = min(size // 4, 2000)
    calls = [("call", {"target": i % max(count - 255, 1), "num": i % 255}) for i in range(count)]
    return coded([*calls, ("end",)])


def plain_moves(size: int) -> bytes:
    """Code without control flow."""
    return coded([*[MOVE] * (size // 4), ("end",)])


INPUTS: dict[str, Callable[[int], bytes]] = {
    f"shbin {function.__name__.replace('_', ' ')}": function
    for function in (
        *(many_executables, own_executables, one_long_label, labels_of_one_word),
        *(uniforms_over_each_other, huge_uniforms, many_constants, many_outputs),
        *(branches_in_a_row, branches_in_branches, calls_of_calls, calls_of_everything),
        plain_moves,
    )
}
