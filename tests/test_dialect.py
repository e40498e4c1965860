"""The heading of a text, which names its format, dialect and version."""

import pytest

from unshade.dialect import Heading, heading, no_dialect
from unshade.errors import UnsupportedError, UsageError


@pytest.mark.parametrize("comment", ["//", ";", "#"])
def test_a_heading_round_trips(comment: str) -> None:
    written = Heading("dxcontainer", "exact", 1)
    assert heading(written.line(comment) + "\nps_5_0\n") == written
    assert heading(written.line(comment) + "\r\n") == written


@pytest.mark.parametrize("text", ["", "ps_5_0", "// unshade", "\n// unshade shbin exact 1"])
def test_other_first_lines_have_no_heading(text: str) -> None:
    assert heading(text) is None


def test_unknown_and_unsupported_dialects() -> None:
    assert isinstance(no_dialect("shbin", "upstream", "native"), UnsupportedError)
    assert isinstance(no_dialect("shbin", "nativ", "native"), UsageError)
