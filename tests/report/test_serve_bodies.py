"""The requests of `debug --serve`: fields, types and bounds of the bodies."""

import json
from typing import Any

import pytest

from unshade.errors import UsageError
from unshade.report.serve.bodies import KINDS, LiveRequest, parsed


def test_a_request_with_all_its_fields() -> None:
    body = {
        "client": "a", "constants": {"time": [0.5]}, "size": [64, 48], "thread": [40, 30],
        "checks": True, "lenses": ["r0.xyz@17"],
    }  # fmt: skip
    assert parsed("trace", json.dumps(body).encode()) == LiveRequest(
        "trace", "a", {"time": [0.5]}, (64, 48), (40, 30), True, ("r0.xyz@17",)
    )
    assert parsed("changes", b'{"version": 3}').version == 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "body",
    [
        b"", b"nothing", b"[]", b"null", b"1", b'"a"', b"{", b"\xff\xfe", b'{"a": NaN}',
        b'{"client": "a", "client": "b"}', b"[" * 60_000, b'{"client":' * 6_000,
        b"1" * 60_000, b'{"path": "/etc/passwd"}', b'{"file": "a.dxbc"}',
    ],
    ids=lambda body: body[:16].decode("latin-1"),
)  # fmt: skip
def test_a_body_that_is_no_request(kind: str, body: bytes) -> None:
    with pytest.raises(UsageError, match="the body: expected"):
        parsed(kind, body)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("client", 1, "client: expected a string of up to 256 characters"),
        ("client", "a" * 257, "client: expected a string of up to 256 characters"),
        ("size", [64], "size: expected 2 integers from 1 to 2,048"),
        ("size", [0, 64], "size: expected 2 integers"),
        ("size", [64, 2049], "size: expected 2 integers"),
        ("size", [True, 64], "size: expected 2 integers"),
        ("size", [64.0, 64], "size: expected 2 integers"),
        ("size", "64x64", "size: expected 2 integers"),
        ("thread", [], "thread: expected 1 to 3 integers"),
        ("thread", [-1, 0], "thread: expected 1 to 3 integers"),
        ("thread", [1, 2, 3, 4], "thread: expected 1 to 3 integers"),
        ("thread", ["0"], "thread: expected 1 to 3 integers"),
        ("checks", 1, "checks: expected true or false"),
        ("lenses", "r0.x@17", "lenses: expected a list of up to 8 strings"),
        ("lenses", ["r0.x@17"] * 9, "lenses: expected a list of up to 8 strings"),
        ("lenses", [17], "lenses: expected strings of up to 256 characters"),
        ("lenses", ["a" * 257], "lenses: expected strings of up to 256 characters"),
        ("constants", [], "constants: expected an object of up to 256 names"),
        ("constants", {str(at): [1] for at in range(257)}, "constants: expected an object"),
        ("constants", {"a" * 257: [1]}, "constants: expected names"),
        ("constants", {"a": 1}, "constants: expected a list of 1 to 4 numbers"),
        ("constants", {"a": []}, "constants: expected a list of 1 to 4 numbers"),
        ("constants", {"a": [1] * 5}, "constants: expected a list of 1 to 4 numbers"),
        ("constants", {"a": ["1"]}, "constants: expected finite numbers"),
        ("constants", {"a": [True]}, "constants: expected finite numbers"),
        ("constants", {"a": [1 << 32]}, "constants: expected finite numbers"),
        ("constants", {"a": [[[1]]]}, "constants: expected finite numbers"),
    ],
)
def test_a_field_of_another_type_or_size(field: str, value: Any, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        parsed("trace", json.dumps({field: value}).encode())


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("client", ["", "a" * 256]),
        ("size", [[1, 1], [2048, 2048]]),
        ("thread", [[0], [1, 2], [2**31, 2**31, 2**31]]),
        ("checks", [False, True]),
        ("lenses", [[], ["r0.x@17"] * 8, ["a" * 256]]),
        (
            "constants",
            [{}, {str(at): [1] for at in range(256)}, {"a" * 256: [1]}, {"a": [1, 2, 3, 4]}],
        ),
        ("version", [0, 2**31]),
    ],
)
def test_the_least_and_the_greatest_of_a_field(field: str, values: list[Any]) -> None:
    kind = "changes" if field == "version" else "trace"
    for value in values:
        found = getattr(parsed(kind, json.dumps({field: value}).encode()), field)
        assert json.loads(json.dumps(found)) == value


def test_a_number_beyond_the_finite() -> None:
    with pytest.raises(UsageError, match="constants: expected finite numbers"):
        parsed("picture", b'{"constants": {"a": [1e999]}}')
