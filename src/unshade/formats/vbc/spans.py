"""Spans of VBC files: fields of the record, and the fields of each module in place of its bytes."""

from collections.abc import Iterable, Mapping

from ...wire import Span, trace, write
from ...wire.spans import spans_of
from .layout import arguments_of
from .older import OlderLayout, to_older
from .parts import called
from .program import Program, split_modules
from .records import SubpassForm, VbcFile
from .spelling import NAMES

__all__ = ["fields", "modules_named"]


def fields(record: VbcFile, form: SubpassForm, older: OlderLayout | None) -> list[Span]:
    """Return the fields of a file by the paths of the record; values are today's."""
    arguments = arguments_of(form)
    data = write(record, arguments)
    found = spans_of(trace(VbcFile, data, arguments))
    if older is None:
        return found
    converted = to_older(data, older, split_modules)
    places = converted.moved((each.offset, each.offset + each.length) for each in found)
    moved = [
        each._replace(offset=start, length=end - start)
        for each, (start, end) in zip(found, places, strict=True)
        if end > start or not each.length
    ]
    moved += [
        Span(each.at, len(each.older), f"unused[{at}]", each.older, "zeros", None, "padding")
        for at, each in enumerate(converted.without_today())
    ]
    return sorted(moved, key=lambda each: (each.offset, -each.length))


def modules_named(spans: Iterable[Span], programs: Mapping[str, Program]) -> list[Span]:
    """Return the fields under their public paths, with modules' fields for their bytes."""
    found = []
    for each in spans:
        program = programs.get(each.path)
        if each.path in NAMES and program is not None:
            found += [inner.shifted(each.offset, each.path) for inner in program.spans()]
        else:
            found.append(each._replace(path=called(each.path)))
    return found
