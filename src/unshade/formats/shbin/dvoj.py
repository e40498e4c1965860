"""DVOJ: an object file, one unlinked shader. Experimental: no sample is known.

    DVOJ   +4 u16 version  +6 stage  +7 flags  +8 masks
           +10 constants  +18 labels  +20 code  +28 descriptors  +30 lines  +38 relocations
           +40 outputs  +48 uniforms  +50 symbols        (offset and count each, from the start)

The reader follows two published descriptions, which differ even in the magic (GBATEK's title says
DVOB); no file written by the vendor's tools was available to check them. `link` makes a DVLB from
several objects.

Source: 3dbrew's page on SHBIN, GBATEK's on DVLB and DVOB.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ...errors import FormatError
from ...limits import DEFAULT, Limits
from ...shader import Shader
from .records import Dvoj
from .tables import TableFile

if TYPE_CHECKING:
    from ...damaged import Remains
    from ...rule import Rule

__all__ = ["DvojShader"]


class DvojShader(TableFile):
    """An object file; `record` is its `Dvoj` record. Experimental."""

    format: ClassVar[str] = "dvoj"
    comment: ClassVar[str] = ";"
    RECORD = Dvoj
    record: Dvoj

    def __init__(self, record: Dvoj | None = None, **options: Any) -> None:
        super().__init__(Dvoj() if record is None else record, **options)

    @property
    def executables(self) -> Sequence[Dvoj]:
        return (self.record,)

    @property
    def code_holder(self) -> Dvoj:
        return self.record

    @classmethod
    def part_types(cls) -> Mapping[str, type]:
        return {"DVOJ": Dvoj}

    def called(self, path: str) -> str:
        path = path.lstrip(".")
        return f"DVOJ.{path}" if path else "DVOJ"

    @classmethod
    def called_in(cls, data: bytes, path: str) -> str:
        return f"DVOJ.{path}" if path else "DVOJ"

    def prefix(self, executable: int) -> str:
        return ""

    @property
    def code_prefix(self) -> str:
        return ""

    @property
    def sections(self) -> list[tuple[str, str, Any]]:
        return [("DVOJ", "DVOJ", self.record)]

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size up to the end of the last table; FormatError if the stage is invalid."""
        if len(data) < 8 or data[6] > 1:
            got = data[6] if len(data) > 6 else "the end"
            raise FormatError(f"expected stage 0 or 1, got {got}", offset=6, path="DVOJ.type")
        return super().measure(data)

    @classmethod
    def salvage(cls, data: bytes, limits: Limits = DEFAULT) -> "Remains":
        from .salvage import SalvagedObject

        return SalvagedObject(cls, data, limits)

    @classmethod
    def claim(cls, data: bytes | memoryview) -> int:
        from .salvage import claimed_size_of_object

        return claimed_size_of_object(cls, data)

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return the code as picasso source, without the tables: picasso has no objects."""
        from ...dialect import no_dialect, no_options

        no_options(self.format, options)
        if dialect not in (None, "native"):
            raise no_dialect(self.format, dialect, "native")
        return self.program.disassemble(None)

    def line_paths(self) -> list[tuple[str, ...]]:
        inner = self.program.line_paths()
        return [tuple(self.field_path(self.program, path) for path in paths) for paths in inner]

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        from .shader import Shbin

        return Shbin.rule_tables()

    @classmethod
    def link(cls, objects: Sequence[Shader], **options: Any) -> Shader:
        """Return the SHBIN of several objects; see linking.py."""
        from .linking import link

        return link([each for each in objects if isinstance(each, cls)], **options)

    def __repr__(self) -> str:
        return f"<DvojShader, {len(self.record.code)} words>"
