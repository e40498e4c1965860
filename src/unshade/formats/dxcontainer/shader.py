"""A DirectX container as a shader: what its parts mean together."""

from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...errors import Diagnostic, FormatError, UnsupportedError
from ...limits import DEFAULT, Limits
from ...programs.tpf import Program as TpfProgram
from ...shader import Shader
from ...wire import Span
from .container import Container, structure

if TYPE_CHECKING:
    from ...model import Reflection

__all__ = ["DxContainer"]


class DxContainer(Container, Shader):
    """DXBC and DXIL containers.

    `parts` are the parts in file order, `shader["RDEF"]` is the typed record of the first part of
    that name (bytes where a part is not described here).
    """

    format: ClassVar[str] = "dxcontainer"

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a container. FormatError where header, part table or a part's bounds are damaged."""
        return cls.read(bytes(data), limits)

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """The declared size, if the header and every part lie within it; FormatError if not."""
        size = int.from_bytes(data[24:28], "little")
        end = structure(data[: max(size, 32)])[2]
        if size != end:
            raise FormatError(f"{size} bytes declared, {end} needed", offset=24, path="size")
        return end

    @property
    def programs(self) -> list[TpfProgram]:
        """The program of every SHDR and SHEX part that could be read."""
        values = (part.value for part in self.parts.all("SHDR", "SHEX"))
        return [value for value in values if isinstance(value, TpfProgram)]

    @property
    def digest_state(self) -> str:
        return self.digest_kind.value

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return self.odd()

    def spans(self) -> list[Span]:  # type: ignore[override]
        return list(super().spans())

    def disassemble(self, dialect: str | None = None, **options: Any) -> str:
        """fxc's listing. Dialect `native` is the only one yet; options are those of `listing`."""
        from .listing import disassemble

        if dialect not in (None, "native"):
            raise UnsupportedError(f"dxcontainer has no dialect {dialect!r}, only native")
        return disassemble(self, **options)

    def reflect(self) -> "Reflection":
        from .reflect import reflect

        return reflect(self)

    def verify(self) -> list[Diagnostic]:
        from .verify import verify

        return verify(self)

    def extract(self) -> dict[str, bytes]:
        """The data of every part, by its name; `ISGN`, `ISGN.1` where a name stands twice."""
        found: dict[str, bytes] = {}
        for part in self.parts:
            name, number = part.name, 0
            while name in found:
                number += 1
                name = f"{part.name}.{number}"
            found[name] = part.data
        return found

    def __repr__(self) -> str:
        return f"<DxContainer {' '.join(part.name for part in self.parts)}>"
