"""A DirectX container as a shader: what its parts mean together."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...errors import Diagnostics, FormatError, UnsupportedError, UsageError
from ...limits import DEFAULT, Limits
from ...shader import Loss, Shader
from .container import Container, structure
from .part import DxPart, encoded_name
from .parts.program import NAMES as PROGRAMS
from .parts.program import Program as TpfProgram

if TYPE_CHECKING:
    from ...damaged import Remains
    from ...isa.source import Source
    from ...model import Reflection
    from ...rule import Rule

__all__ = ["DxContainer"]


class DxContainer(Container, Shader):
    """DXBC and DXIL containers.

    `parts` are the parts in file order. By name the shader is a mapping: `shader["RDEF"]` is the
    typed record of the first part of that name (bytes where a part is not described here, or is
    malformed), `shader["RDEF"] = value` replaces or adds it, `del shader["RDEF"]` takes it away,
    `"RDEF" in shader` asks, and iteration gives the names.
    """

    format: ClassVar[str] = "dxcontainer"

    @classmethod
    def part_types(cls) -> Mapping[str, type]:
        from .parts import kind_of, part_names

        kinds = {name: kind_of(name) for name in part_names()}
        return {name: kind.typed for name, kind in kinds.items() if kind is not None}

    def __setitem__(self, name: str, value: Any) -> None:
        """Give the first part of that name another value, or add a part behind the others.

        Private data stays the last part.
        The value is what `[]` gives: a typed record, a program, or bytes.
        """
        given: object = name
        if not isinstance(given, str) or len(encoded_name(given)) != 4:
            raise UsageError(f"a part's name has four letters, not {name!r:.40}")
        part = self.parts.get(given)
        if part is None:
            private = bool(self.parts) and self.parts[-1].name == "PRIV"
            at = len(self.parts) - private
            self.parts.insert(at, DxPart(given, value, limits=self.limits))
        else:
            part.value = value

    def __delitem__(self, name: str) -> None:
        """Take the first part of that name away."""
        given: object = name
        if not isinstance(given, str):
            raise UsageError(f"a part's name is needed, not {name!r:.40}")
        del self.parts[given]

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

    @classmethod
    def salvage(cls, data: bytes, limits: Limits = DEFAULT) -> "Remains":
        from .salvage import Salvaged

        return Salvaged(cls, data, limits)

    @classmethod
    def claim(cls, data: bytes | memoryview) -> int:
        from .salvage import claimed_size

        return claimed_size(data)

    @property
    def programs(self) -> list[TpfProgram]:
        """The program of every SHDR and SHEX part that could be read."""
        values = (part.value for part in self.parts.all(*PROGRAMS))
        return [value for value in values if isinstance(value, TpfProgram)]

    @property
    def digest_state(self) -> str:
        return self.digest_kind.value

    @property
    def diagnostics(self) -> Diagnostics:
        return Diagnostics(self.odd())

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """fxc's listing; in the dialect `exact` the code says all that its tokens hold.

        Options are those of `listing`. Without `strict` a malformed program is listed up to the
        damage; not in `exact`, which stands for the whole.
        """
        from ...dialect import no_dialect
        from .fxc.listing import disassemble

        if dialect not in (None, "native", "exact"):
            raise no_dialect(self.format, dialect, "native", "exact")
        exact = dialect == "exact"
        return disassemble(self, exact=exact, strict=strict or exact, **options)

    @classmethod
    def assemble(
        cls, sources: "Sequence[Source]", *, donor: Self | None = None, **options: Any
    ) -> Self:
        """The container of which the text is a listing, or that has the text's program.

        With a donor: the donor, where what the text says differently is replaced.
        """
        from .fxc.assemble import assemble

        return assemble(cls, sources, donor, **options)

    def identity(self) -> "Reflection":
        from .reflect.identity import identity

        return identity(self)

    def reflect(self) -> "Reflection":
        from .reflect import reflect

        return reflect(self)

    def verify(self) -> Diagnostics:
        from .verify import verify

        return Diagnostics(verify(self))

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        from .parts.program import rules
        from .verify import RULES

        return {"DirectX containers": RULES, "Shader Model 4 and 5 programs": rules()}

    def _losses(self) -> list[Loss]:
        from .parts.purposes import losses

        return losses(self.parts)

    def _strip(self, lost: Sequence[Loss]) -> None:
        names = {loss.part for loss in lost}
        self.parts[:] = [part for part in self.parts if part.name not in names]

    @property
    def private_data(self) -> bytes | None:
        """What somebody attached: the part PRIV, None where there is none.

        It is kept the last part: it may have any length, and what stood behind it would lose its
        alignment. dxc puts it there, and adds no part behind it.
        """
        part = self.parts.get("PRIV")
        return None if part is None else part.data

    @private_data.setter
    def private_data(self, value: bytes | None) -> None:
        given: object = value
        if given is not None and not isinstance(given, bytes | bytearray | memoryview):
            raise UsageError(f"private data are bytes, or None for none, not {value!r:.40}")
        self.parts[:] = [part for part in self.parts if part.name != "PRIV"]
        if given is not None:
            self.parts.append(DxPart("PRIV", bytes(given), limits=self.limits))

    def rename(self, path: str, name: str) -> None:
        """Give a constant, a member, a buffer or a resource another name.

        shader.rename("Light.colour", "tint"), as `rename` of the record shader["RDEF"] does.
        """
        part = self.parts.get("RDEF")
        if part is None and "DXIL" in self:
            raise UnsupportedError("the names of a DXIL shader stand in its program, not in RDEF")
        if part is None:
            raise UsageError("there is no part RDEF, so that nothing in this shader has a name")
        value = part.value
        if isinstance(value, bytes):
            raise UsageError(f"RDEF cannot be read: {part.error}")
        value.rename(path, name)

    def recount(self) -> dict[str, tuple[int, int]]:
        """Count the program again for STAT; gives each counter that changed, before and now.

        Counted as the compiler counts that RDEF names, as fxc 10 where it names no fxc. What cannot
        be counted stays: the movs of fxc 9.
        """
        from .fxc.counting import recount

        return recount(self)

    def extract(self) -> dict[str, bytes]:
        """The data of every part, by its name; `ISGN`, `ISGN.1` where a name stands twice."""
        found: dict[str, bytes] = {}
        seen: Counter[str] = Counter()
        for part in self.parts:
            number = seen[part.name]
            found[f"{part.name}.{number}" if number else part.name] = part.data
            seen[part.name] += 1
        return found

    def __repr__(self) -> str:
        return f"<DxContainer {' '.join(part.name for part in self.parts)}>"
