"""Recovery of damaged files: the strings, and the commands up to the damage."""

from ...damaged import Damage, Remains
from ...errors import FormatError, UnshadeError
from ...limits import Limits
from ...wire import Span, read
from .program import commands_start, key_of, salvaged_spans
from .records import SkslFile
from .spans import header_spans

__all__ = ["SalvagedCommands"]


class SalvagedCommands(Remains):
    """The fields that could be read; commands are nested, so that none is whole."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.errors: list[Damage] = []
        self._spans: list[Span] = []
        try:
            record = read(SkslFile, data, limits=limits)
            self._spans += header_spans(data, record.pool)
            start = commands_start(record)
            found = salvaged_spans(record.commands, record.pool, record.version, limits)
            self._spans += [each.shifted(start, key_of(record)) for each in found]
        except FormatError as error:
            self.errors.append(error)
        except UnshadeError:
            pass

    def spans(self) -> list[Span]:
        return list(self._spans)
