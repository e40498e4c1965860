"""Errors of a draw, attributed to the shader at fault."""

from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import UnshadeError, with_origin
from ..execution import Execution


@contextmanager
def blamed(execution: Execution) -> Iterator[None]:
    """Add the stage of the shader to errors raised in the block."""
    try:
        with with_origin(execution.title):
            yield
    except UnshadeError as error:
        error.add_note(f"this is about the {execution.program.stage} shader")
        raise
