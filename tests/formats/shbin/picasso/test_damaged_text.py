"""Texts that are damaged in any way: a shader, or AssembleError with lines and columns."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import unshade
from tests.fixtures import shbin
from tests.programs.pica.generated_sources import sources
from tests.sampling import fewer
from unshade.errors import AssembleError

SEED = 20110226
CASES = 10_000
BATCHES = 10
FAST = 50
BITS = (
    "{", "}", ";", "[", "]", ".", ",", "(", ")", "-", "\t", "\n", "\r", "#", "!", "&&", "0x", "\0",
    "999999999999", "9" * 400, "c95", "é", '"', "\\", ".end", ".proc ", "{desc 3}", "$", ":", "..",
    "_", "1e999", "nan", ".else", ".constfa", "a0.x", "aL+", "\ud800", "\ufeff", "r0",
    "; ==== file x",
)  # fmt: skip


def texts() -> list[str]:
    """Return generated sources, and exact texts of every layout."""
    exact = [unshade.loads(data).disassemble("exact") for name, data in shbin.one_of_each().items()
             if unshade.identify(data) == "shbin"]  # fmt: skip
    return exact + [text for seed in range(60) for _, text in sources(seed)]


def damaged(chance: random.Random, text: str) -> str:
    """Return a text with a few changes to its characters or lines."""
    for _ in range(chance.choice((1, 1, 1, 2, 5, 30))):
        at = chance.randrange(len(text) + 1)
        how = chance.randrange(6)
        lines = text.split("\n")
        line, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        if how == 0:
            text = text[:at] + text[at + chance.randrange(1, 12) :]
        elif how == 1:
            text = text[:at] + chance.choice(BITS) + text[at:]
        elif how == 2:
            text = (
                text[:at] + chr(chance.choice((chance.randrange(32, 127), 0x153))) + text[at + 1 :]
            )
        elif how == 3:
            lines[line], lines[other] = lines[other], lines[line]
            text = "\n".join(lines)
        elif how == 4:
            lines[line : line + 1] = [lines[line]] * chance.choice((0, 2, 3))
            text = "\n".join(lines)
        else:
            start = chance.randrange(len(text) + 1)
            text = text[:at] + text[start : start + chance.randrange(30)] + text[at:]
    return text


def cases(seed: int, count: int) -> Iterator[str]:
    chance = random.Random(seed)
    whole = texts()
    for _ in range(count):
        yield damaged(chance, chance.choice(whole))


def check(some: Iterator[str]) -> Counter[str]:
    """Assemble each; any other exception than AssembleError goes through."""
    found: Counter[str] = Counter()
    for text in some:
        mistakes: tuple[AssembleError, ...] = ()
        try:
            unshade.assemble(text, "shbin").to_bytes()
        except AssembleError as error:
            mistakes = error.errors
        found["refused" if mistakes else "assembled"] += 1
        for each in mistakes:
            assert str(each)
            assert each.problem
            assert each.line >= 1
            assert each.column >= 1
    return found


@pytest.mark.slow
def test_a_few_damaged_texts() -> None:
    found = check(cases(SEED, FAST))
    assert found["refused"] > FAST // 2
    assert found["assembled"]


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(fewer(BATCHES)))
def test_damaged_texts(batch: int) -> None:
    assert check(cases(SEED + 1 + batch, CASES // BATCHES)).total() == CASES // BATCHES


# fmt: off
ESCAPES = {
    ".dvle «verison» 3": "unknown number of the DVLE 'verison'; did you mean version?",
    ".dvle version «65536»": "expected version, 0 to 65535, got 65536",
    ".dvle version «x»": "expected version: a number, got 'x'",
    ".dvlp «magic» 3": "unknown number of the DVLP 'magic'",
    ".header «tall»": "unknown header 'tall'",
    ".padded «yes»": "unknown boolean 'yes'",
    ".source «a»": "expected a name between quotation marks, got 'a'",
    ".source «\"\\q\"»": "expected a JSON string: Invalid \\escape: line 1 column 2 (char 1)",
    ".line «\"a\"»": "expected a line: a number, got '\"'",
    ".label 1 2 3 4«»": "expected a name between quotation marks, got the end of the line",
    ".uniform 1 «70000» \"a\"": "expected a register, 0 to 65535, got 70000",
    ".output 1 2 3«»": "expected a number: a number, got the end of the line",
    ".constant 1 2 3 4 5 6 «7»": "expected the end of the line, or ';' and a comment, got '7'",
    ".trailing «xyz»": "expected bytes in hexadecimal, got 'xyz'",
    ".layout «{x»": "expected JSON: Expecting property name enclosed in double quotes: line 1 co",
    ".layout «[1, 2]»": None,
    ".symbol \"a\" «x»": "expected the end of the line, or ';' and a comment, got 'x'",
}
# fmt: on


@pytest.mark.parametrize("line", ESCAPES)
def test_escapes(line: str) -> None:
    before, _, rest = line.partition("«")
    inside, _, after = rest.partition("»")
    with pytest.raises(AssembleError) as caught:
        unshade.assemble(f".proc main\nend\n.end\n{before}{inside}{after}", "shbin")
    (error,) = caught.value.errors
    assert (error.line, error.column) == (4, len(before) + 1)
    problem = ESCAPES[line]
    if problem is None:
        assert error.problem.startswith("invalid layout: ")
    else:
        assert error.problem == problem
        assert error.width == max(len(inside), 1) or inside[:1] == '"'
