"""Messages as upstream's compiler prints them."""

import pytest

from unshade.errors import AssembleError
from unshade.isa.source import Source
from unshade.programs.sksl.assembler.messages import NOWHERE, Reporter, after, cover, span


def test_a_message_has_the_line_and_carets() -> None:
    reporter = Reporter(Source("one\n\ttwo three\n"))
    reporter.error(span(9, 14), "no such number")
    assert reporter.text() == ("error: 2: no such number\n    two three\n        ^^^^^\n1 error\n")


def test_a_range_may_go_on_in_further_lines() -> None:
    reporter = Reporter(Source("one\ntwo\n"))
    reporter.error(span(1, 6), "a")
    reporter.error(span(0, 4), "b")
    assert reporter.text() == "error: 1: a\none\n ^^...\nerror: 1: b\none\n^^^^\n2 errors\n"


def test_a_message_without_place() -> None:
    reporter = Reporter(Source("one"))
    reporter.error(NOWHERE, "program is too large")
    assert reporter.text() == "error: program is too large\n1 error\n"
    with pytest.raises(AssembleError) as raised:
        reporter.check()
    assert (raised.value.line, raised.value.column) == (1, 1)


def test_the_end_of_the_source_has_a_line_and_no_carets() -> None:
    reporter = Reporter(Source("one\n"))
    reporter.error(span(4, 4), "expected more")
    assert reporter.text() == "error: 2: expected more\n1 error\n"


def test_what_follows_from_an_error_is_no_further_error() -> None:
    reporter = Reporter(Source(""))
    reporter.error(NOWHERE, "expected 'float', but found '<POISON>'")
    assert reporter.count == 0
    assert reporter.text() == ""


def test_positions() -> None:
    assert span(3, 9) == (3, 9)
    assert span(0, 1000) == (0, 255)
    assert cover((2, 4), (8, 9)) == (2, 9)
    assert cover(NOWHERE, (8, 9)) is NOWHERE
    assert after((2, 4)) == (4, 5)
