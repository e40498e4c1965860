"""The contents of a DXIL, ILDB or STAT part: a header, and a module as LLVM bitcode.

      0  u32  version token      minor, major, stage
      4  u32  size               dwords of the program, this header included
      8  DXIL
     12  u32  DXIL version       minor, major: 0x106
     16  u32  offset             from DXIL to the bitcode: 16
     20  u32  bitcode size       bytes
     24       bitcode

STAT contains the module without function bodies, ILDB with debug information.

Source: DXC DxilContainer.h (DxilProgramHeader, DxilBitcodeHeader).
"""

from typing import Self

from ...enums import member_of
from ...errors import EncodeError, FormatError
from ...limits import DEFAULT, Limits
from ...vocab.d3d import ShaderKind
from .bitstream import BitBlock, BitRecord, Bitstream, Extent, read, write
from .decode import RecordError, decode_module
from .model import DxilModule

__all__ = ["HEADER_SIZE", "MAGIC", "Code"]

MAGIC = b"DXIL"
HEADER_SIZE, MAGIC_OFFSET = 24, 8


class Code:
    """A program: version, bitcode, and the module in it.

    `bitcode` is a tree of records, or bytes if it cannot be read: `problem` is the reason. `module`
    is made from the tree when it is first used; once it is, `encode` writes the module. `gap` holds
    the bytes between header and bitcode, `trailing` the bytes after the bitcode, `size` the number
    of dwords in the header if it is wrong, else None.
    """

    __slots__ = (
        "_decoded",
        "_module",
        "_unedited",
        "bitcode",
        "dxil_version",
        "gap",
        "limits",
        "problem",
        "size",
        "trailing",
        "version",
    )

    def __init__(
        self, version: int, dxil_version: int, bitcode: Bitstream | bytes, limits: Limits = DEFAULT
    ) -> None:
        self.version = version
        self.dxil_version = dxil_version
        self.bitcode = bitcode
        self.problem: FormatError | None = None
        self.gap = b""
        self.trailing = b""
        self.size: int | None = None
        self.limits = limits
        self._module: DxilModule | None = None
        self._decoded: DxilModule | None = None  # as long as nobody can have edited it
        self._unedited: BitBlock | None = None

    @property
    def kind(self) -> int:
        """The number of the stage; a `ShaderKind` if it is known."""
        kind = self.version >> 16
        known = member_of(ShaderKind, kind)
        return kind if known is None else known

    @property
    def shader_model(self) -> tuple[int, int]:
        """The shader model: (6, 5)."""
        return self.version >> 4 & 15, self.version & 15

    @property
    def profile(self) -> str:
        """The compiler's target: `ps_6_0`."""
        kind = self.kind
        stage = kind.profile if isinstance(kind, ShaderKind) else f"<{kind}>"
        major, minor = self.shader_model
        return f"{stage}_{major}_{minor}"

    def read_module(self) -> DxilModule:
        """Return the module for reading only: edits are not written.

        Raises:
            FormatError: The bitcode is not a module of LLVM 3.7; the path names the record.
            LimitError: The module exceeds a limit.
        """
        if self._module is not None:
            return self._module
        if self._decoded is None:
            if not isinstance(self.bitcode, Bitstream):
                raise self.problem or FormatError("expected bitcode", path="bitcode")
            try:
                self._decoded = decode_module(self.bitcode, self.limits)
            except RecordError as error:
                offset = self._offset(error.item)
                raise FormatError(error.problem, offset=offset, path=error.path) from None
        return self._decoded

    @property
    def module(self) -> DxilModule:
        """The module.

        Raises:
            FormatError: The bitcode is not a module of LLVM 3.7; the path names the record.
            LimitError: The module exceeds a limit.
        """
        if self._module is None:
            from .encode import encode_module

            module = self.read_module()
            try:
                block = encode_module(module)
            except EncodeError as error:
                raise FormatError(error.problem, path="module") from None
            # Another writer than LLVM may order or spell records differently. As long as the module
            # is not edited, it keeps them.
            self._unedited = None if block is module.block else block
            self._module, self._decoded = module, None
        return self._module

    @module.setter
    def module(self, module: DxilModule) -> None:
        self._module, self._decoded = module, None

    def _offset(self, item: BitRecord | BitBlock | None) -> int:
        """Return the offset of a record or block."""
        assert isinstance(self.bitcode, Bitstream)
        extents: list[Extent] = []
        write(self.bitcode, extents)
        start = HEADER_SIZE + len(self.gap) + len(self.bitcode.wrapper)
        return start + next((each.bit // 8 for each in extents if each.item is item), 0)

    @classmethod
    def decode(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Decode the data of a part. Bitcode that cannot be read is kept as bytes.

        Raises:
            FormatError: The header is malformed; offsets are relative to its start.
            LimitError: The bitcode exceeds a limit.
        """
        if len(data) < HEADER_SIZE:
            raise FormatError(f"expected a header of {HEADER_SIZE} bytes, got {len(data)}")
        if data[8:12] != MAGIC:
            raise FormatError(f"expected {MAGIC!r}, got {data[8:12]!r}", offset=8, path="magic")
        version, size, _, dxil_version, offset, length = (
            int.from_bytes(data[at : at + 4], "little") for at in range(0, HEADER_SIZE, 4)
        )
        start = MAGIC_OFFSET + offset
        if not HEADER_SIZE <= start <= start + length <= len(data):
            raise FormatError(
                f"expected bitcode in bytes {HEADER_SIZE} to {len(data)}, got {length} at {start}",
                offset=16,
                path="bitcode_offset",
            )
        bitcode = bytes(data[start : start + length])
        made = cls(version, dxil_version, bitcode, limits)
        made.gap = bytes(data[HEADER_SIZE:start])
        made.trailing = bytes(data[start + length :])
        made.size = size if size != made._words(length) else None
        try:
            made.bitcode = read(bitcode, limits)
        except FormatError as error:
            made.problem = error.within(start, "bitcode")
        return made

    def _words(self, length: int) -> int:
        """Return the size in dwords of a program with so much bitcode."""
        return (HEADER_SIZE + len(self.gap) + length + len(self.trailing) + 3) // 4

    def rewrite(self, *, keeps_uses: bool = False) -> None:
        """Number and encode the module as LLVM's writer does, ignoring its old encoding.

        Unreferenced objects are removed, and referenced objects are numbered. A module
        of dxc that was not edited keeps its bits. `keeps_uses` is for modules with orders of uses,
        since dxc does not sort their constants.
        """
        from .encode import enumerate_module

        enumerate_module(self.module, keeps_uses=keeps_uses)
        self.module.block = None

    def stream(self) -> Bitstream | bytes:
        """Return the records, of the module if it was used; bytes if they cannot be read."""
        bitcode = self.bitcode
        if self._module is not None:
            from .encode import encode_module, encode_standard

            old = self._module.block
            if old is None:
                return Bitstream([encode_standard(self._module)])
            block = encode_module(self._module)
            if block == self._unedited:
                block = old
            if isinstance(bitcode, Bitstream) and any(each is old for each in bitcode.blocks):
                if block is old:
                    return bitcode
                blocks = [block if each is old else each for each in bitcode.blocks]
                return Bitstream(blocks, bitcode.trailing, bitcode.wrapper, bitcode.outside)
            return Bitstream([block])
        return bitcode

    def bitcode_bytes(self) -> bytes:
        """Return the bitcode, of the module if that was used."""
        bitcode = self.stream()
        return write(bitcode) if isinstance(bitcode, Bitstream) else bitcode

    def encode(self) -> bytes:
        """Return the data of the part; EncodeError if a value does not fit."""
        bitcode = self.bitcode_bytes()
        size = self._words(len(bitcode)) if self.size is None else self.size
        offset = HEADER_SIZE - MAGIC_OFFSET + len(self.gap)
        words = self.version, size
        more = self.dxil_version, offset, len(bitcode)
        try:
            header = b"".join(each.to_bytes(4, "little") for each in words) + MAGIC
            header += b"".join(each.to_bytes(4, "little") for each in more)
        except (OverflowError, AttributeError) as error:
            raise EncodeError(f"expected numbers of 32 bits: {error}", path="header") from None
        return header + self.gap + bitcode + self.trailing
