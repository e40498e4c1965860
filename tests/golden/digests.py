"""Digests of answers: where they stand, and the tests that compare them.

# listing data fields             the names of the answers
tpf/examples/phong 81f0a2b4 …     an input, and the first bytes of BLAKE2b of each answer
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path

import pytest

from tests.changes import SOURCES, mirror
from tests.golden.answers import ANSWERS, answer, answers_of
from tests.golden.inputs import inputs
from tests.sampling import some

FOLDER = Path(__file__).parent
SIZE = 4  # bytes


def digest(text: str) -> str:
    """Return the digest of an answer."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=SIZE).hexdigest()


@cache
def digest_of(name: str, input: str) -> str:
    """Return the digest of an answer about an input, made once in a process."""
    return digest(answer(name, input, inputs(input.partition("/")[0])[input]))


@cache
def known(family: str) -> dict[str, dict[str, str]]:
    """Return the digests of a family, by input and answer."""
    path = FOLDER / f"{family}.txt"
    if not path.exists():
        return {}
    heading, *lines = path.read_text(encoding="utf-8").splitlines()
    answers = heading.split()[1:]
    return {
        name: dict(zip(answers, values, strict=True))
        for name, *values in (line.split() for line in lines)
    }


def written(family: str, names: Iterable[str] = ANSWERS) -> str:
    """Return the text of the digests of a family; only named answers are made anew."""
    answers = answers_of(family)
    lines = [f"# {' '.join(answers)}"]
    for name in inputs(family):
        made = dict(known(family).get(name, {}))
        made |= {each: digest_of(each, name) for each in answers if each in names}
        lines.append(" ".join([name, *(made[each] for each in answers)]))
    return "\n".join([*lines, ""])


def changed(family: str, name: str, answers: Iterable[str]) -> list[str]:
    """Return the names of the answers of an input that differ from their digests."""
    of_input = known(family)[name]
    return [each for each in answers if digest_of(each, name) != of_input[each]]


def held(family: str, *answers: str) -> Callable[..., None]:
    """Return a test of some answers of a family, with a case for each answer about each input."""
    of_inputs = pytest.mark.parametrize("name", [*some(known(family))])

    def compare(name: str, answer: str) -> None:
        assert not changed(family, name, [answer]), (
            f"print it: python -m tests.golden {name} {answer}"
        )

    if len(answers) > 1:  # each is a case of its own, since the fast lane takes the cheap ones
        return of_inputs(pytest.mark.parametrize("answer", answers)(compare))

    @of_inputs
    def test(name: str) -> None:
        compare(name, *answers)

    return test


def held_tables(path: str) -> Callable[..., None]:
    """Return a test of the tables of the sources that the folder of a test module mirrors.

    The fast lane always has it: an import executes the lines of tables, so none is chosen for them.
    """
    tests = Path(path).parent
    names = [name for name in known("tables") if mirror(SOURCES / name.partition("/")[2]) == tests]

    @pytest.mark.fast
    @pytest.mark.parametrize("name", names)
    def test(name: str) -> None:
        assert not changed("tables", name, ["tables"]), f"print it: python -m tests.golden {name}"

    return test
