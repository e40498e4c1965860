"""PDBI: sources and arguments of a compilation in the form of RDAT, compressed.

    +0 u16 version (0)   +2 u16 1 = zlib   +4 u32 size   +8 u32 inflated size   +12 the bytes

Inflated, it is an RDAT part with the tables of PDBs. No file with this part was at hand.
Source: DXC DxilContainer.h (DxilShaderPDBInfo), RDAT_PdbInfoTypes.inl.
"""

from ....errors import FormatError
from ....limits import DEFAULT, Limits
from ....wire import Record, blob, derived, field, read, u16, u32, write
from .compression import deflated, inflated
from .description import Category, PartDescription
from .kind import RecordKind
from .rdat import RdatTableType, RuntimeData
from .runtime.pdbs import PdbInfo
from .srci import EmbeddedSource, SourceCompression


class CompressedPdbInfo(Record, source="DXC DxilContainer.h (DxilShaderPDBInfo)"):
    """The PDBI part."""

    version: u16 = field("version; 0", default=0)
    compression: u16 = field("compression", enum=SourceCompression, default=SourceCompression.ZLIB)
    stored_size: u32 | None = derived("size in the file", "len(stored)")
    inflated_size: u32 = field("size of the inflated contents")
    stored: bytes = blob("the contents as stored", "stored_size", opaque=False)

    @classmethod
    def of(cls, contents: RuntimeData) -> "CompressedPdbInfo":
        """Return the part with these contents."""
        raw = write(contents, end=4)
        return cls(inflated_size=len(raw), stored=deflated(raw))

    def contents(self, limits: Limits = DEFAULT) -> RuntimeData:
        """Return the inflated contents.

        Raises:
            FormatError: The stream or its contents are malformed.
            LimitError: The contents are larger than `limits.inflated`.
        """
        if self.compression == SourceCompression.NONE:
            return read(RuntimeData, self.stored, limits=limits)
        if self.compression != SourceCompression.ZLIB:
            raise FormatError(f"unknown compression {self.compression}", path="compression")
        raw = inflated(self.stored, self.inflated_size, limits, "stored")
        return read(RuntimeData, raw, limits=limits)

    def files(self, limits: Limits = DEFAULT) -> list[EmbeddedSource]:
        """Return the sources with their names; raise FormatError or LimitError."""
        found = []
        info: PdbInfo
        for info in self.contents(limits).records(RdatTableType.PDB_INFO):
            for name, text in zip(info.source_names, info.source_contents, strict=False):
                found.append(EmbeddedSource(name, text.encode("utf-8", "surrogateescape")))
        return found

    def arguments(self, limits: Limits = DEFAULT) -> list[tuple[str, str]]:
        """Return the name and the value of each argument of the compiler."""
        found: list[tuple[str, str]] = []
        info: PdbInfo
        for info in self.contents(limits).records(RdatTableType.PDB_INFO):
            found += zip(info.arguments[::2], info.arguments[1::2], strict=False)
        return found


PARTS = {
    "PDBI": PartDescription(
        "debug information",
        Category.DEBUG,
        RecordKind(CompressedPdbInfo),
        sources=True,
        loss="sources and the compiler's arguments",
        by_dxc=True,
    )
}
