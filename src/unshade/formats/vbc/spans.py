"""Spans of VBC files: fields of the record, and those of each module in place of its bytes."""

from collections.abc import Iterable, Mapping

from ...wire import Span
from .parts import called
from .program import Program
from .spelling import NAMES

__all__ = ["modules_named"]


def modules_named(spans: Iterable[Span], programs: Mapping[str, Program]) -> list[Span]:
    """Return the fields under their public paths, with those of modules in place of their bytes."""
    found = []
    for each in spans:
        program = programs.get(each.path)
        if each.path in NAMES and program is not None:
            found += [inner.shifted(each.offset, each.path) for inner in program.spans()]
        else:
            found.append(each._replace(path=called(each.path)))
    return found
