"""Errors of a draw: which of its shaders they are about."""

from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import UnshadeError, with_origin
from ..runner import Runner


@contextmanager
def blamed(kernel: Runner) -> Iterator[None]:
    """Add the stage of the shader to errors raised in the block."""
    try:
        with with_origin(kernel.title):
            yield
    except UnshadeError as error:
        error.add_note(f"this is about the {kernel.stage} shader")
        raise
