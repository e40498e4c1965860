"""HASH: the compiler's MD5 of the program, or of its source. 20 bytes.

Source: DXC DxilContainer.h (DxilShaderHash).
"""

from ....wire import Record, blob, field, u32
from ....wire.data import Plain
from .description import Category, LlvmForm, PartDescription
from .kind import RecordKind

SIZE = 16


class DxilShaderHash(Record, source="DXC DxilContainer.h (DxilShaderHash)"):
    """The HASH part."""

    flags: u32 = field("1: the hash includes the source")
    digest: bytes = blob("MD5", SIZE, default=bytes(SIZE), opaque=False)


class HashKind(RecordKind):
    """A hash, whose digest plain data may leave out: the container derives it."""

    __slots__ = ()

    def from_data(self, name: str, data: Plain, pad: int, path: str) -> tuple[Record, bytes]:
        if isinstance(data, dict):
            data = {"digest": bytes(SIZE).hex()} | data
        return super().from_data(name, data, pad, path)

    def schema(self) -> dict[str, Plain]:
        found = super().schema()
        found["$defs"][self.record.__name__]["required"].remove("digest")
        return found


PARTS = {
    "HASH": PartDescription(
        "hash of the program",
        Category.DIGEST,
        HashKind(DxilShaderHash),
        by_dxc=True,
        llvm=LlvmForm("Hash", keys={"flags": "IncludesSource:1"}),
    )
}
