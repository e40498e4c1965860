"""Spans: every field of a command stream and of a string pool."""

from ...limits import Limits
from ...wire import Span
from .code import Code, command_set
from .codec.pool import PooledStrings, read_strings, string_spans
from .codec.reader import fields_before_damage, read_commands

__all__ = ["command_spans", "salvaged_spans", "string_spans"]


def command_spans(code: Code) -> list[Span]:
    """Return every field of the stream; offsets are relative to its start."""
    pool, stream = code.encoded()
    texts = PooledStrings(read_strings(pool))
    return read_commands(stream, texts, command_set(code.version), code.limits, traced=True).spans


def salvaged_spans(data: bytes, pool: bytes, version: int, limits: Limits) -> list[Span]:
    """Return the fields of a malformed stream up to the damage."""
    texts = PooledStrings(read_strings(pool))
    return fields_before_damage(data, texts, command_set(version), limits)
