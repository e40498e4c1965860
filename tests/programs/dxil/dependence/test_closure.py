"""Unions over all paths, through circles."""

from unshade.programs.dxil.dependence.closure import closure


def test_circles_share_their_sum() -> None:
    graph = {"a": "b", "b": "cd", "c": "b", "d": "e", "e": "", "f": "ae", "g": "g"}
    bits = {name: 1 << number for number, name in enumerate("abcdefg")}
    found = closure("fg", graph.__getitem__, bits.__getitem__)
    assert {name: format(mask, "07b") for name, mask in found.items()} == {
        "a": "0011111",
        "b": "0011110",
        "c": "0011110",
        "d": "0011000",
        "e": "0010000",
        "f": "0111111",
        "g": "1000000",
    }


def test_what_is_asked_first_does_not_matter() -> None:
    graph = {0: [1], 1: [2], 2: [0, 3], 3: [4], 4: [3]}

    def sums(*roots: int) -> dict[int, int]:
        return closure(roots, graph.__getitem__, lambda node: 1 << node)

    assert sums(0, 3) == sums(3, 2, 1, 0) == {0: 31, 1: 31, 2: 31, 3: 24, 4: 24}


def test_a_long_path_is_no_recursion() -> None:
    count = 50_000
    found = closure(
        [0], lambda node: [node + 1] if node < count else [], lambda node: node == count
    )
    assert found[0] == 1
