"""DirectX containers as shaders: reflection, listing, verification and edits across parts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...errors import Diagnostics, FormatError, UnshadeError, UnsupportedError, UsageError
from ...limits import DEFAULT, Limits
from ...parts import Category
from ...shader import Shader, outdated, source_files
from ...stripping import Loss, Strippable, without
from .container import Container, structure
from .part import DxPart, encoded_name
from .parts.dxil import NAMES as DXIL_PROGRAMS
from .parts.dxil import is_dxil
from .parts.program import NAMES as PROGRAMS
from .parts.program import is_tokenized

if TYPE_CHECKING:
    from ...damaged import Remains
    from ...errors import Diagnostic
    from ...isa.lexer import Lexer
    from ...isa.source import Source
    from ...model import Reflection
    from ...model.facts import ProgramResource
    from ...model.stateobjects import StoredStateObject
    from ...program import Program
    from ...programs.tpf import Program as TpfProgram
    from ...rule import Rule

__all__ = ["DxContainer"]

VERSION_NAMES = {1: "1.0", 2: "1.1", 3: "1.2"}  # of root signatures


# Imported on first use and kept, as in `programs.tpf.program`.


@cache
def _reflect() -> "Callable[[Container], Reflection]":
    from .reflect import reflect

    return reflect


@cache
def _verify() -> "Callable[[Container], list[Diagnostic]]":
    from .verify import verify

    return verify


class DxContainer(Container, Shader):
    """A DXBC or DXIL container.

    `parts` are the parts in file order. The shader is also a mapping by name: `shader["RDEF"]` is
    the typed record of the first part of that name (bytes if its type is unknown or it is
    malformed), `shader["RDEF"] = value` replaces or adds it, `del shader["RDEF"]` removes it, and
    iteration yields the names.
    """

    format: ClassVar[str] = "dxcontainer"

    @classmethod
    def part_types(cls) -> Mapping[str, type]:
        from .parts import described

        kinds = {name: each.kind for name, each in sorted(described().items())}
        return {name: kind.types[0] for name, kind in kinds.items() if kind is not None}

    def __setitem__(self, name: str, value: Any) -> None:
        """Set the value of the first part of that name, or append a part.

        Private data stays the last part. The value is a typed record, a program, or bytes.
        """
        given: object = name
        if not isinstance(given, str) or len(encoded_name(given)) != 4:
            raise UsageError(f"expected a four-letter name of a part, got {name!r:.40}")
        part = self.parts.get(given)
        if part is None:
            private = bool(self.parts) and self.parts[-1].name == "PRIV"
            at = len(self.parts) - private
            self.parts.insert(at, DxPart(given, value, limits=self.limits))
        else:
            part.value = value

    def __delitem__(self, name: str) -> None:
        """Remove the first part of that name."""
        given: object = name
        if not isinstance(given, str):
            raise UsageError(f"expected the name of a part, got {name!r:.40}")
        del self.parts[given]

    def _contents(self) -> list[bytes]:
        found = super()._contents()
        if self.source is not None and self._may_follow:
            from .derived import as_read, follow

            before = self._followed or as_read(self.source, self.limits)
            followed = follow(self.parts, found, before, self.limits)
            self._followed = followed if followed != before else self._followed
        return found

    @property
    def _may_follow(self) -> bool:
        """True if there is a program that other parts may follow (derived.py)."""
        return self.parts.get(*DXIL_PROGRAMS) is not None

    def derived_fields(self) -> list[str]:
        from .derived import derived_fields

        return derived_fields(self.parts)

    def to_data(self) -> dict[str, Any]:
        if not self._may_follow:
            return super().to_data()
        from .derived import omit_derived

        self._contents()  # which may change them
        found = super().to_data()
        omit_derived(found, self.parts)
        return found

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        from .derived import complete, fill_derived

        data = complete(data)
        self = super().from_data(data)
        fill_derived(data, self.parts)
        return self

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a container.

        Raises:
            FormatError: The header, the part table or the bounds of a part are malformed.
            LimitError: The file exceeds `limits`.
        """
        return cls.read(bytes(data), limits)

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the declared size in bytes.

        Raises:
            FormatError: The header or a part does not lie within that size.
        """
        size = int.from_bytes(data[24:28], "little")
        end = structure(data[: max(size, 32)])[2]
        if size != end:
            raise FormatError(f"expected a size of {end} bytes, got {size}", offset=24, path="size")
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
    def state_objects(self) -> "list[StoredStateObject]":
        """The state object that the subobjects of a library describe."""
        if self.parts.get("RDAT") is None:
            return []
        from .reflect.objects import object_of_library

        found = object_of_library(self)
        return [] if found is None else [found]

    def pipeline_file(self, key: str) -> bytes | None:
        """Return the library itself for an empty key, a root signature for a subobject's name."""
        if not key:
            return self.to_bytes()
        from .reflect.objects import root_of_library

        return root_of_library(self, key)

    @property
    def programs(self) -> "list[TpfProgram | Any]":
        """The program of every SHDR and SHEX part that could be read; else of every DXIL part.

        Their class is `programs.tpf.Program` or `programs.dxil.Program`. ILDB is the program of
        DXIL with debug information: it is listed if there is no DXIL.
        """
        values = [part.value for part in self.parts.all(*PROGRAMS)]
        tokenized: list[TpfProgram | Any] = [each for each in values if is_tokenized(each)]
        if tokenized:
            return tokenized
        for name in DXIL_PROGRAMS:
            values = [part.value for part in self.parts.all(name)]
            found = [each for each in values if is_dxil(each) and each.is_readable]
            if found:
                return [*found]
        return []

    def with_debug_information(self, program: Any) -> Any:
        """Return the program of ILDB if it is equivalent to a program of DXIL."""
        from .choice import described

        return described(self.parts, program)

    @property
    def digest_state(self) -> str:
        return self.digest_kind.value

    @property
    def diagnostics(self) -> Diagnostics:
        return Diagnostics(self.odd())

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return fxc's listing; the dialect `exact` also shows every bit of the tokens.

        Options are as in `listing`. Unless `strict`, a malformed program is listed up to the
        damage; the dialect `exact` is always strict, since its text is the whole program.

        A container with DXIL has dxc's listing, without options. The listing shows the program of
        ILDB, which contains debug information, if it is equivalent to DXIL's. The dialect `rootsig`
        is the root signature in HLSL, which is also the default for a container without a program.
        """
        from .languages import disassemble

        return disassemble(self, dialect, strict=strict, **options)

    def lexer(self, dialect: str | None = None) -> "Lexer":
        from .languages import lexer

        return lexer(self, dialect)

    def line_paths(self) -> list[tuple[str, ...]]:
        from .languages import line_paths

        return line_paths(self)

    def row_paths(self, program: "Program", entry: str, field: str) -> Sequence[str]:
        from .parts.signature import INPUTS, OUTPUTS, PATCH_CONSTANTS, ProgramSignature

        kinds = {"inputs": INPUTS, "outputs": OUTPUTS, "patch_constants": PATCH_CONSTANTS}[field]
        for kind in kinds:
            for part in self.parts.all(kind):
                if isinstance(part.value, ProgramSignature):
                    return [f"{kind}.elements[{at}]" for at in range(len(part.value.elements))]
        return super().row_paths(program, entry, field)

    def resource_path(self, program: "Program", resource: "ProgramResource") -> str:
        from .parts.psv0 import PipelineStateValidation
        from .verify.rootsignature import resource_of_row

        part = self.parts.get("PSV0")
        state = None if part is None else part.value
        if is_dxil(program) and isinstance(state, PipelineStateValidation):
            for at, each in enumerate(state.resources):  # metadata has no single place in the file
                if resource_of_row(each).slot == resource.slot:
                    return f"PSV0.resources[{at}]"
        return super().resource_path(program, resource)

    def root_signature_path(self, path: str) -> str:
        from .reflect.rootsignature import path_in_part

        return f"RTS0.{path_in_part(path)}"

    @property
    def root_signature(self) -> str | None:
        """The root signature as text in HLSL; None if there is none, or it is malformed.

        Assign a text to replace the root signature; its version is kept, and is 1.1 at least. None
        removes it.
        """
        from .parts.rts0 import SerializedRootSignature
        from .rootsig import to_text

        part = self.parts.get("RTS0")
        record = None if part is None else part.value
        return to_text(record) if isinstance(record, SerializedRootSignature) else None

    @root_signature.setter
    def root_signature(self, text: str | None) -> None:
        from .parts.rts0 import SerializedRootSignature
        from .rootsig.reading import read_text

        given: object = text
        part = self.parts.get("RTS0")
        if given is None:
            self.parts[:] = [each for each in self.parts if each.name != "RTS0"]
            return
        if not isinstance(given, str):
            raise UsageError(f"root signature: expected text or None, got {text!r:.40}")
        version = None
        if part is not None and isinstance(part.value, SerializedRootSignature):
            version = VERSION_NAMES.get(part.value.version)
        self["RTS0"], remarks = read_text(given, version)
        self.parts["RTS0"].remarks = remarks

    @classmethod
    def assemble(
        cls, sources: "Sequence[Source]", *, donor: Self | None = None, **options: Any
    ) -> Self:
        """Return the container that a listing describes, or a container with the text's program.

        With a donor, return the donor, changed where the text differs from the donor's listing. A
        text may be LLVM assembly of DXIL, too: alone it gives a container with the program only. A
        root signature in HLSL alone gives a container with only the root signature.
        """
        from .languages import assemble

        return assemble(cls, sources, donor, **options)

    def identity(self) -> "Reflection":
        from .reflect.identity import identity

        return identity(self)

    def reflect(self) -> "Reflection":
        return _reflect()(self)

    def verify(self, **options: Any) -> Diagnostics:
        if options:
            from ...dialect import no_options

            no_options(self.format, options, "verify")
        if self.source is not None and self._may_follow:
            with suppress(UnshadeError):  # a finding
                self._contents()  # parts that follow an edit are up to date
        return Diagnostics([*_verify()(self), *self._outdated()])

    def _outdated(self) -> "list[Diagnostic]":
        """Return findings for parts that repeat the program in its state before an edit."""
        if self.read_from is None or not self._copies() or self._unsigned() == self.read_from:
            return []
        from .verify.copies import outdated_parts

        before = type(self).read(self.read_from, self.limits)
        return outdated_parts(self, outdated(before, self))

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        from .parts import dxil, level9, program
        from .verify import RULES

        return {
            "DirectX containers": RULES,
            "Shader Model 4 and 5 programs": program.rules(),
            "listings of Shader Model 4 and 5, as they are assembled": program.source_rules(),
            "DXIL programs": dxil.rules(),
            "Direct3D 9 programs": level9.rules(),
        }

    def _copies(self) -> Mapping[str, str]:
        return {part.name: text for part in self.parts if (text := part.description.repeats)}

    def _losses(self) -> list[Loss]:
        from .parts.description import losses

        return losses(self.parts)

    def _strip(self, lost: Sequence[Loss]) -> None:
        names = {loss.part for loss in lost}
        self.parts[:] = [part for part in self.parts if part.name not in names]
        for part in self.parts:
            if part.category is Category.CODE and isinstance(part.value, Strippable):
                made = without(part.value, f"{part.name} ", lost)
                if made is not part.value:
                    part.value = made

    @property
    def private_data(self) -> bytes | None:
        """Private data of the application: the part PRIV, or None.

        Private data is always the last part, as dxc writes it, since it may have any length and
        later parts would lose their alignment.
        """
        part = self.parts.get("PRIV")
        return None if part is None else part.data

    @private_data.setter
    def private_data(self, value: bytes | None) -> None:
        given: object = value
        if given is not None and not isinstance(given, bytes | bytearray | memoryview):
            raise UsageError(f"private data: expected bytes or None, got {value!r:.40}")
        self.parts[:] = [part for part in self.parts if part.name != "PRIV"]
        if given is not None:
            self.parts.append(DxPart("PRIV", bytes(given), limits=self.limits))

    def rename(self, path: str, name: str) -> None:
        """Rename a constant, a member, a buffer or a resource in RDEF.

        Args:
            path: Dotted path of the object to rename, such as "Light.colour".
            name: The new name, without its path.

        Raises:
            UsageError: Nothing has that path, or the name is already in use.
        """
        part = self.parts.get("RDEF")
        if part is None and "DXIL" in self:
            raise UnsupportedError("the names of a DXIL shader are in its program, not in RDEF")
        if part is None:
            raise UsageError("no part RDEF: the shader has no names")
        value = part.value
        if isinstance(value, bytes):
            raise UsageError(f"RDEF cannot be read: {part.error}")
        value.rename(path, name)

    def put_program(self, number: int, program: "Program", entry: str = "") -> None:
        """Put a program in the place of another; statistics, hash and PSV0 follow.

        The name of the entry point is a label here, and stays that of the new program.
        """
        old = self.programs[number]
        if type(program) is not type(old):
            raise UsageError(
                f"expected a program of {old.language}, got a program of {program.language}"
            )
        self.strip("debug")
        place = [part for part in self.parts if part.value is self.programs[number]]
        place[0].value = program
        if self.parts.get("STAT") is not None and is_tokenized(program):
            self.recount()

    def recount(self) -> dict[str, tuple[int, int]]:
        """Recompute STAT and return (before, after) of each counter that changed.

        Instructions are counted as by the compiler named in RDEF, or by fxc 10 if RDEF names no
        fxc. Counts that cannot be computed stay unchanged: the number of mov instructions of fxc 9.
        """
        from .fxc.counting import recount

        return recount(self)

    def extract(self) -> dict[str, bytes]:
        """Return the data of each part by name; `ISGN.1` is the second of that name."""
        found: dict[str, bytes] = {}
        seen: Counter[str] = Counter()
        for part in self.parts:
            number = seen[part.name]
            found[f"{part.name}.{number}" if number else part.name] = part.data
            seen[part.name] += 1
        return found

    def sources(self) -> dict[str, bytes]:
        """Return the sources in SRCI, PDBI, SDBG and SPDB, and the arguments of the compiler.

        Without these parts, return the sources in the metadata of DXIL and ILDB.
        """
        found: dict[str, bytes] = {}
        for part in self.parts:
            value = part.value if part.description.sources else b""
            if isinstance(value, Shader):
                found |= value.sources()
                continue
            if isinstance(value, bytes):
                continue
            found |= {file.name: file.text for file in value.files(self.limits)}
            lines = [f"-{name} {text}".rstrip() for name, text in value.arguments(self.limits)]
            found |= _arguments_file(lines)
        for part in () if found else self.parts.all(*DXIL_PROGRAMS):
            if is_dxil(part.value):
                found |= source_files(part.value.sources)
                found |= _arguments_file(part.value.arguments)
        return found

    def __repr__(self) -> str:
        return f"<DxContainer {' '.join(part.name for part in self.parts)}>"


def _arguments_file(lines: Iterable[str]) -> dict[str, bytes]:
    """Return the compiler's arguments as a file, with a line for each; nothing without them."""
    text = "".join(f"{line}\n" for line in lines)
    return {"arguments.txt": text.encode("utf-8", "surrogateescape")} if text else {}


def of_root_signature(data: bytes) -> DxContainer:
    """Return a container with the root signature of the data of RTS0."""
    from .rootsig.container import of_part

    return of_part(DxContainer, data)
