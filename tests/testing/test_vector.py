"""Test vectors: the call that each makes, and the errors in a list of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from unshade.errors import UsageError
from unshade.run.kernels import Kernel
from unshade.testing.vector import Vector, vectors


class Recorded:
    """Stands in for a kernel: calls are recorded, and give the same results."""

    stage = "pixel"

    def __init__(self, **results: Any) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.results = results

    def dispatch(self, groups: object, **bindings: object) -> Any:
        self.calls.append(("dispatch", groups, bindings))
        return self.results

    def shade(self, size: object, inputs: dict[str, Any], **bindings: object) -> Any:
        given = {name: (str(each.dtype), each.tolist()) for name, each in inputs.items()}
        self.calls.append(("shade", size, given, bindings))
        return self.results

    def input(self, name: str) -> Any:
        return None


def called(vector: Vector) -> tuple[Any, ...]:
    kernel = Recorded()
    vector.run(cast("Kernel", kernel))
    (call,) = kernel.calls
    return call


def test_a_vector_without_groups_is_one_group() -> None:
    assert called(Vector({})) == ("dispatch", 1, {})
    assert called(Vector({}, {"X": [1]}, groups=3)) == ("dispatch", 3, {"X": [1]})
    assert called(Vector({}, groups=[2, 3, 4])) == ("dispatch", (2, 3, 4), {})


def test_a_vector_with_a_size_is_shaded() -> None:
    vector = Vector({}, {"a": 2}, inputs={"UV": [[0, 1]]}, size=[4, 2])
    assert called(vector) == ("shade", (4, 2), {"UV": ("float32", [[0, 1]])}, {"a": 2})


@pytest.mark.parametrize(
    ("value", "limits", "fits"),
    [
        (1 + 4 * 2**-23, {}, True),
        (1 + 5 * 2**-23, {}, False),
        (1 + 5 * 2**-23, {"ulp": 5}, True),
        (1.25, {"absolute": 0.25}, True),
        (1.25, {"absolute": 0.125}, False),
    ],
)
def test_results_are_near_enough(value: float, limits: dict[str, float], fits: bool) -> None:
    kernel = cast("Kernel", Recorded(Y=np.array([value], "<f4")))
    vector = Vector({"Y": [1.0]}, **limits)  # type: ignore[arg-type]
    if fits:
        vector.check(kernel)
        return
    with pytest.raises(AssertionError, match=r"^Y: "):
        vector.check(kernel)


def test_unnamed_vectors_are_numbered() -> None:
    mark = vectors([{"expect": {}, "name": "zero"}, Vector({}), {"expect": {}, "groups": 2}])
    assert mark.mark.kwargs == {"ids": ["zero", "vector1", "vector2"]}
    name, found = mark.mark.args
    assert (name, [each.groups for each in found]) == ("vector", [1, 1, 2])
    assert found[0] == Vector(
        {}, {}, groups=1, inputs=None, ulp=4, absolute=0.0, name="zero", size=None
    )


def test_a_list_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    path.write_text(json.dumps([{"expect": {"Y": [3]}, "bind": {"a": 1}}]), encoding="utf-8")
    (found,) = vectors(path).mark.args[1]
    assert (found.expect, found.bind, found.name) == ({"Y": [3]}, {"a": 1}, "vector0")


KNOWN = "known: name, groups, size, inputs, bind, expect, ulp, absolute"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([{}], f"vector 0: `expect` is missing; {KNOWN}"),
        ([{"expect": {}}, {"expect": {}, "group": 1, "x": 2}],
         f"vector 1: unknown group, x; {KNOWN}"),
        ([3], "vector 0: expected a Vector or a dict, got 3"),
    ],
)  # fmt: skip
def test_refusals(given: list[Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        vectors(given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"), [("{}", "expected a list of vectors"), ("[", "Expecting value")]
)
def test_refused_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        vectors(path)
    assert str(caught.value).startswith(f"{path}: {message}")
