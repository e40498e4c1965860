"""SHBIN files: one program, and an executable for each shader in it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...errors import FormatError, LimitError
from ...limits import DEFAULT, Limits
from ...stripping import Loss
from ...wire.codegen import Arguments
from .parts import called
from .records import Dvlb, Dvle, Dvlp
from .tables import TableFile

if TYPE_CHECKING:
    from ...damaged import Remains
    from ...isa.source import Source
    from ...rule import Rule

__all__ = ["Shbin"]

LONG_HEADER = 0x28  # bytes of picasso's DVLP header; nihstro's and azahar's have 0x1c


class Shbin(TableFile):
    """A SHBIN file.

    `record` is the `Dvlb` record of the whole file, `dvlp` and `dvles` are its parts, and `program`
    is the code with its descriptors. `short_header` is True for the DVLP header and the order of
    tables that nihstro and azahar write.
    """

    format: ClassVar[str] = "shbin"
    comment: ClassVar[str] = ";"
    RECORD = Dvlb
    record: Dvlb

    def __init__(
        self,
        record: Dvlb | None = None,
        *,
        short_header: bool = False,
        limits: Limits = DEFAULT,
    ) -> None:
        super().__init__(Dvlb(dvlp=Dvlp()) if record is None else record, limits=limits)
        self.short_header = short_header

    def _losses(self) -> list[Loss]:
        from .stripping import losses

        return list(losses(self))

    def _strip(self, lost: Sequence[Loss]) -> None:
        from .stripping import strip

        strip(self, lost)

    @property
    def dvlp(self) -> Dvlp:
        """The program's record."""
        return self.record.dvlp

    @property
    def dvles(self) -> list[Dvle]:
        """The executables, as a list that may be edited."""
        return self.record.dvles

    # -- tables -------------------------------------------------------------------------------

    @property
    def executables(self) -> Sequence[Dvle]:
        return self.record.dvles

    @property
    def code_holder(self) -> Dvlp:
        return self.record.dvlp

    @property
    def arguments(self) -> Arguments:
        return (("short", self.short_header),)

    @classmethod
    def arguments_of(cls, data: bytes) -> Arguments:
        return (("short", _is_short(data)),)

    def adopt(self, arguments: Arguments) -> None:
        self.short_header = dict(arguments)["short"] is True

    def called(self, path: str) -> str:
        return called(path, len(self.record.dvles))

    @classmethod
    def called_in(cls, data: bytes, path: str) -> str:
        return called(path, int.from_bytes(data[4:8], "little"))

    def prefix(self, executable: int) -> str:
        return f"dvles[{executable}]."

    @property
    def code_prefix(self) -> str:
        return "dvlp."

    @classmethod
    def part_types(cls) -> Mapping[str, type]:
        return {"DVLP": Dvlp, "DVLE": Dvle}

    @property
    def sections(self) -> list[tuple[str, str, Any]]:
        numbered = len(self.dvles) > 1
        return [
            ("DVLP", "DVLP", self.dvlp),
            *(
                (f"DVLE[{index}]" if numbered else "DVLE", "DVLE", each)
                for index, each in enumerate(self.dvles)
            ),
        ]

    def bounds(self, executable: Dvle) -> tuple[int, int]:
        return executable.main, executable.end

    def moved(self, executable: Dvle, main: int, end: int) -> None:
        executable.main, executable.end = main, end

    # -- operations ----------------------------------------------------------------------------

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a SHBIN; FormatError if a header or a table lies outside the file."""
        count = int.from_bytes(data[4:8], "little")
        if limits.parts < count <= len(data) // 4:
            raise LimitError("parts", limits.parts, count)
        return super().loads(data, limits)

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size up to the end of the last table; FormatError if it is not a SHBIN."""
        count = int.from_bytes(data[4:8], "little")
        at = 8 + 4 * count
        if bytes(data[at : at + 4]) != b"DVLP":
            raise FormatError(f"expected DVLP after {count} offsets", offset=min(at, len(data)))
        return super().measure(data)

    @classmethod
    def salvage(cls, data: bytes, limits: Limits = DEFAULT) -> "Remains":
        from .salvage import SalvagedExecutables

        return SalvagedExecutables(cls, data, limits)

    @classmethod
    def claim(cls, data: bytes | memoryview) -> int:
        from .salvage import claimed_size

        return claimed_size(cls, data)

    def _fields(self) -> dict[str, Any]:
        found = super()._fields()
        dvles, dvlp = found.pop("dvles"), found.pop("dvlp")
        made: dict[str, Any] = {}
        if self.short_header:
            made["header"] = "short"
        last = [key for key in ("layout", "trailing") if key in found]
        made |= {key: value for key, value in found.items() if key not in last}
        made |= {"dvlp": dvlp, "dvles": dvles}
        return made | {key: found[key] for key in last}

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return picasso source; a line separates the files of several executables."""
        from ...dialect import no_options
        from .picasso.listing import disassemble

        no_options(self.format, options)
        return disassemble(self, dialect)

    def line_paths(self) -> list[tuple[str, ...]]:
        from ...isa.linked import paths_of
        from .picasso.listing import linked_lines

        return paths_of(linked_lines(self))

    def listings(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> dict[str, str]:
        """Return a source file for each executable, as picasso requires."""
        from ...dialect import no_options
        from .picasso.listing import listings

        no_options(self.format, options)
        return listings(self, dialect)

    @classmethod
    def assemble(
        cls, sources: "Sequence[Source]", *, donor: Self | None = None, **options: Any
    ) -> Self:
        """Assemble picasso source from one or several files."""
        from .picasso.assemble import assemble

        return assemble(cls, sources, donor=donor, **options)

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        from .program import rules
        from .verify import RULES

        return {"SHBIN files and objects": RULES, **rules()}

    def extract(self) -> dict[str, bytes]:
        """Return the code and the descriptors, and each of several executables as a file."""
        found = super().extract()
        if len(self.dvles) > 1:
            for entry, each in zip(self.program.entries, self.dvles, strict=True):
                alone = Shbin(Dvlb(dvlp=self.dvlp, dvles=[each]), short_header=self.short_header)
                name, number = f"{entry.name}.shbin", 0
                while name in found:
                    number += 1
                    name = f"{entry.name}.{number}.shbin"
                found[name] = alone.to_bytes()
        return found

    def __repr__(self) -> str:
        names = ", ".join(f"{stage} {name}" for name, stage in self.program.entry_points)
        return f"<Shbin {names}>"


def _is_short(data: bytes) -> bool:
    """Return True if a table or a DVLE overlaps the last fields of the long DVLP header."""
    count = min(int.from_bytes(data[4:8], "little"), len(data) // 4)
    dvlp = 8 + 4 * count
    if len(data) < dvlp + 0x18:
        return False
    words = [int.from_bytes(data[at : at + 4], "little") for at in range(8, dvlp + 0x18, 4)]
    offsets = [word - dvlp for word in words[:count]]
    _, _, code, code_size, table, table_size = words[count:]
    offsets += [code] * bool(code_size) + [table] * bool(table_size)
    return min(offsets, default=LONG_HEADER) < LONG_HEADER
