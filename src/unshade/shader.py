"""The base class of shaders of all formats."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Self, overload

from .errors import (
    Diagnostics,
    EncodeError,
    FormatError,
    LimitError,
    Severity,
    UnsupportedError,
)
from .files import Path, contents, write_atomically
from .limits import DEFAULT, Limits
from .notebook import Shown
from .part_types import TypedParts
from .parts import Category, RawBytes
from .program import Program
from .stripping import STRIPPABLE, TRAILING, Loss, expanded
from .vocab.made import VULKAN_MODULE, WEBGPU_SOURCE, VulkanModule, WebGpuSource
from .wire import Span

if TYPE_CHECKING:
    from .compilers.jobs import Compiled
    from .damaged import Remains
    from .isa.lexer import Lexer
    from .isa.source import Source
    from .model import Reflection
    from .model.facts import ProgramResource
    from .model.pipelines import StoredPipeline
    from .model.stateobjects import StoredStateObject
    from .rule import Rule


def file_of(shader: "Shader") -> bytes | EncodeError:
    """Return the bytes of a shader's file, or why its format cannot hold it."""
    try:
        return shader.to_bytes()
    except EncodeError as error:
        return error


def has_code(shader: "Shader") -> bool:
    """Return True if a shader has a program, or a part with code that cannot be read."""
    return bool(shader.programs) or any(each.category is Category.CODE for each in shader.parts)


def outdated(before: "Shader", after: "Shader") -> dict[str, str]:
    """Return the parts of `after` that still repeat the program of `before`.

    Keys are names of parts, values are noun phrases that describe the contents.
    """
    copies = after._copies()
    if not copies or before.format != after.format or not _other_code(before, after):
        return {}
    ours, theirs = before.parts.by_name(), after.parts.by_name()
    return {
        name: holds
        for name, holds in copies.items()
        if name in ours
        and [each.data for each in ours[name]] == [each.data for each in theirs.get(name, ())]
    }


def _other_code(before: "Shader", after: "Shader") -> bool:
    old, new = before.programs, after.programs
    return len(old) != len(new) or any(
        type(x) is not type(y) or (x != y and "code" in x.differences(y))
        for x, y in zip(old, new, strict=True)
    )


def source_files(sources: Mapping[str, str]) -> dict[str, bytes]:
    """Return the sources of a program as files, by name."""
    return {name: text.encode("utf-8", "surrogateescape") for name, text in sources.items()}


class Shader(Shown, TypedParts):
    """An opened shader; each format has a subclass.

    Attributes:
        format: Name of the format.
        limits: Bounds on the work of reading the file and of operations on the shader.
        editable: False for a damaged file, which is read-only.
        trailing: Bytes after the end of the shader.
        compiled: How `unshade.compile` made it; None for any other.
    """

    drawn_in = ".report.notebook"
    drawn_by = "shader"
    format: ClassVar[str]
    editable: ClassVar[bool] = True
    comment: ClassVar[str] = "//"  # starts a comment in the format's text
    limits: Limits = DEFAULT
    compiled: "Compiled | None" = None
    trailing = RawBytes("Bytes after the end of the shader.")

    @classmethod
    def open(cls, source: "Path | BinaryIO", *, limits: Limits = DEFAULT) -> Self:
        """Open a file of this format, from a path or a binary file object.

        Like `unshade.open`, with the precise type for type checkers and editors.

        Args:
            source: A path, or a file object opened in binary mode.
            limits: Bounds on the work that the file may cause.

        Raises:
            FormatError: The data is malformed, or has another format.
            LimitError: The data exceeds a limit.
            FileError: The file cannot be read; also the matching OSError.
        """
        return cls.loads(contents(source), limits)

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read a shader from bytes; bytes after its end are kept in `trailing`."""
        raise NotImplementedError

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size in bytes of the shader at the start of `data`, from its structure."""
        raise NotImplementedError

    @classmethod
    def salvage(cls, data: bytes, limits: Limits = DEFAULT) -> "Remains | None":
        """Read the intact parts of a malformed file; return None if the format cannot."""
        return None

    @classmethod
    def claim(cls, data: bytes | memoryview) -> int:
        """Return the likely size of a damaged shader at the start of `data`, 0 if there is none.

        `data` starts with the magic, and `measure` raises an error for it.
        """
        return 0

    @property
    def programs(self) -> Sequence[Program]:
        """The programs of the shader, in file order."""
        return ()

    @property
    def pipelines(self) -> "Sequence[StoredPipeline]":
        """The pipelines that the file describes, in file order; most formats describe none."""
        return ()

    @property
    def state_objects(self) -> "Sequence[StoredStateObject]":
        """The state objects that the file describes, in file order; most formats describe none."""
        return ()

    def pipeline_file(self, key: str) -> bytes | None:
        """Return the shader or root signature that a pipeline names by this key, or None."""
        return None

    def with_debug_information(self, program: Program) -> Program:
        """Return an equivalent program of another part with debug information.

        Return `program` itself if there is none.
        """
        return program

    def frame(self) -> dict[str, Any]:
        """Return the fields of the file outside of its parts and programs, as plain data.

        Fields that follow from these, such as sizes and a valid digest, are left out. The key
        `digest` describes a checksum; all other keys describe layout.
        """
        return {}

    def derived_fields(self) -> Collection[str]:
        """Return the paths of computed fields: `HASH.digest`, and `hash.digest` of a reflection."""
        return ()

    @property
    def digest_state(self) -> str | None:
        """The kind of the digest, "unknown" if it is wrong; None if the format has none."""
        return None

    @property
    def diagnostics(self) -> Diagnostics:
        """Diagnostics of reading the file."""
        return Diagnostics()

    @property
    def damage(self) -> FormatError | LimitError | None:
        """The first error in a part or in the structure of the file; None if it is intact.

        If the shader is `editable` despite it, assigning another value to the part repairs it.
        """
        for part in self.parts:
            _ = part.value  # sets `error` if it is malformed
            if part.error is not None:
                return part.error
        for each in self.diagnostics:
            if each.severity is Severity.ERROR:
                return FormatError(each.message, offset=each.offset or 0, path=each.path)
        return None

    def to_bytes(self) -> bytes:
        """Return the bytes of the file; equal to the input if nothing was edited."""
        raise NotImplementedError

    def save(self, path: Path) -> None:
        """Write the file atomically, replacing an existing file, even the opened one.

        A temporary file is written in the same folder and then renamed.
        """
        write_atomically(path, self.to_bytes())

    def to_data(self) -> dict[str, Any]:
        """Return the shader as plain data, without loss; `unshade.from_data` is the inverse."""
        raise NotImplementedError

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """Return the shader described by plain data of `to_data`."""
        raise NotImplementedError

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return the shader as text, by default as the format's own tool prints it.

        Args:
            dialect: `native` (the default) or `exact`, which assembles to the same bytes.
            strict: If False, the text of malformed code ends at the damage, with a comment that
                describes it.
            options: Options of the format's listing, see its `about.py`.

        Raises:
            FormatError: The code is malformed.
            UsageError: The dialect or an option is unknown.
        """
        raise UnsupportedError(f"{self.format} files cannot be disassembled yet")

    def listings(self, dialect: str | None = None, **options: Any) -> dict[str, str]:
        """Return the text as files, several if the format's own tool reads several.

        Keys are suffixes of the text files, which follow the name of the shader.

        Args:
            dialect: The dialect of the text; by default the native one.
            options: Options of the format's listing.
        """
        return {".asm": self.disassemble(dialect, **options)}

    def line_paths(self) -> Sequence[tuple[str, ...]]:
        """Return the paths in `spans` that each line of `disassemble()` shows.

        A path names a field or a group of fields: `SHEX.instructions[3]`. The first path names the
        subject of the line; other paths name fields that the line also shows, such as a descriptor
        that several instructions share. A line that shows no field has no paths; lines at the end
        may be missing.
        """
        return ()

    def lexer(self, dialect: str | None = None) -> "Lexer":
        """Return the lexer of the format's text in a dialect, for syntax highlighting."""
        from .isa.lexer import comments

        return next((each.lexer() for each in self.programs), None) or comments(self.comment)

    def field_path(self, program: Program, path: str) -> str:
        """Return the path in `spans` of the field of a program that the program calls `path`."""
        holder = next((each.name for each in self.parts if each.value is program), "")
        return f"{holder}.{path}" if holder else path

    def row_paths(self, program: Program, entry: str, field: str) -> Sequence[str]:
        """Return the path in `spans` of each row of a signature.

        Args:
            program: The program.
            entry: The entry point.
            field: `inputs`, `outputs` or `patch_constants` of the reflection.
        """
        return [
            self.field_path(program, each.path) for each in getattr(program.facts(entry), field)
        ]

    def resource_path(self, program: Program, resource: "ProgramResource") -> str:
        """Return the path in `spans` of the declaration of a program's resource."""
        return self.field_path(program, resource.path)

    def root_signature_path(self, path: str) -> str:
        """Return the path in `spans` of a field of the root signature of the reflection."""
        return path

    @classmethod
    def assemble(
        cls, sources: "Sequence[Source]", *, donor: Self | None = None, **options: Any
    ) -> Self:
        """Assemble a shader from texts in any dialect.

        Args:
            sources: One text, or several if the format joins them.
            donor: A shader of this format that supplies everything that the texts omit.
            options: Options of the format's assembler, see its `about.py`.

        Raises:
            AssembleError: With all errors that were found: file, line, column.
        """
        raise UnsupportedError(f"{cls.format} files cannot be assembled yet")

    @classmethod
    def link(cls, objects: "Sequence[Shader]", **options: Any) -> "Shader":
        """Link objects of this format to a shader."""
        raise UnsupportedError(f"{cls.format} files are not linkable objects")

    @classmethod
    def pack(
        cls,
        programs: Sequence[Program],
        reflection: Mapping[str, Any] | None = None,
        names: Sequence[str] | None = None,
    ) -> Self:
        """Pack programs into a file of this format.

        Args:
            programs: The programs, in any order.
            reflection: The file's description of the programs, as plain data of `to_data`; missing
                sections are derived from the programs.
            names: Names of the programs for error messages, such as file names.
        """
        raise UnsupportedError(f"{cls.format} files cannot be packed from programs")

    def identity(self) -> "Reflection":
        """Return a partial reflection: stage, model and entry points, which are cheap to read.

        Only `format` is set if the shader contains no code, or if the format has no reflection.
        """
        from .model import Reflection

        return Reflection(format=self.format)

    def decompile(
        self,
        to: str = "hlsl",
        style: str = "readable",
        *,
        program: int = 0,
        entry: str | None = None,
        lines: bool = False,
        names: Mapping[str, str] | None = None,
        **specialisation: Any,
    ) -> str:
        """Return a program as source of a shading language.

        Args:
            to: The language: `hlsl`, or `glsl` for Vulkan.
            style: `exact` computes the same bits as the program on every lane; `readable` is
                shorter, may round differently where a comment says so, and may keep subnormal
                numbers.
            program: The number of the program, if the shader has several.
            entry: The name of the entry point, if the program has several.
            lines: Write the line of the listing behind each statement.
            names: Names in place of those that the source has without this argument, such as
                `{"t_1": "brightness"}`.
            specialisation: Values that the program is lowered for, as in `unshade.kernel`.

        Raises:
            UnsupportedError: The program has something that the language, or this library, has no
                source for; the message has the line of the listing.
            UsageError: The language, the style, the program or the entry point is unknown; or a
                name is no identifier or is taken, or nothing has the name that it replaces.
        """
        made: str = import_module(".decompile", __package__).decompile_shader(
            self,
            to=to,
            style=style,
            program=program,
            entry=entry,
            lines=lines,
            names=names,
            **specialisation,
        )
        return made

    @overload
    def translate(
        self,
        to: VulkanModule = VULKAN_MODULE,
        *,
        target: str = "vulkan1.1",
        bindings: "Mapping[str, tuple[int, int]] | None" = None,
        program: int = 0,
        entry: str | None = None,
        lines: bool = False,
        **specialisation: Any,
    ) -> "Shader": ...
    @overload
    def translate(
        self,
        to: WebGpuSource,
        *,
        bindings: "Mapping[str, tuple[int, int]] | None" = None,
        program: int = 0,
        entry: str | None = None,
        lines: bool = False,
        **specialisation: Any,
    ) -> str: ...
    def translate(
        self,
        to: str = VULKAN_MODULE,
        *,
        target: str = "vulkan1.1",
        bindings: "Mapping[str, tuple[int, int]] | None" = None,
        program: int = 0,
        entry: str | None = None,
        lines: bool = False,
        **specialisation: Any,
    ) -> "Shader | str":
        """Return a program for another API: a module of SPIR-V, or the text of WGSL.

        A module computes the same bits. WGSL leaves more open; what it lacks is refused.

        Args:
            to: `spirv`, or `wgsl`.
            target: The environment that a module is for: `vulkan1.1`, `vulkan1.2` or `vulkan1.3`.
            bindings: Descriptor set and binding of resources, by name or by register: `t0`, or
                `t0,space1`. Others keep the set and binding that docs/how-to/translate.md gives.
            program: The number of the program, if the shader has several.
            entry: The name of the entry point, if the program has several.
            lines: Tell the line of the listing that code is made from: a module in `OpLine`, WGSL
                in a comment behind each statement.
            specialisation: Values that the program is lowered for, as in `unshade.kernel`.

        Raises:
            UnsupportedError: The program has something that SPIR-V or WGSL, or this library, has
                no code for; the message has the line of the listing.
            UsageError: The language, the target, the program or the entry point is unknown, or the
                program uses no resource of this name.
        """
        text: str = import_module(".decompile", __package__).translated_text(
            self, to=to, target=target, bindings=bindings, program=program, entry=entry,
            lines=lines, **specialisation,
        )  # fmt: skip
        if to == WEBGPU_SOURCE:
            return text
        made: Shader = import_module(".api", __package__).assemble(text, VULKAN_MODULE)
        return made

    def reflect(self) -> "Reflection":
        """Return inputs, outputs, resources and constants, in terms common to all formats."""
        raise UnsupportedError(f"{self.format} files cannot be reflected yet")

    def verify(self, **options: Any) -> Diagnostics:
        """Return the diagnostics of reading and of all rules of the format and its programs.

        Args:
            options: Options of the format's verifier (`Format.verifier`).

        Raises:
            UsageError: The format has no such option.
        """
        from .dialect import no_options

        no_options(self.format, options, "verify")
        return Diagnostics(self.diagnostics)

    @classmethod
    def rules(cls) -> "Mapping[str, Rule]":
        """Return the rules that `verify` checks, by code."""
        return {code: rule for table in cls.rule_tables().values() for code, rule in table.items()}

    @classmethod
    def rule_tables(cls) -> "Mapping[str, Mapping[str, Rule]]":
        """Return the rules by subject: the format, and each kind of program in it."""
        return {}

    # -- edits ---------------------------------------------------------------------------------

    @property
    def private_data(self) -> bytes | None:
        """Private data attached to the file; None if there is none."""
        return None

    @private_data.setter
    def private_data(self, value: bytes | None) -> None:
        raise UnsupportedError(f"{self.format} files cannot hold private data")

    def rename(self, path: str, name: str) -> None:
        """Rename a constant, member, buffer or resource.

        Args:
            path: The dotted path of the present name.
            name: The new name.
        """
        raise UnsupportedError(f"names in {self.format} files cannot be changed yet")

    def put_program(self, number: int, program: Program, entry: str = "") -> None:
        """Put another program of the same language in the place of a program, in place.

        Debug information of the old program is removed; the file's description of its interface
        stays. `unshade.recompile` compiles a source and compares the interfaces first.

        Args:
            number: The number of the program in `programs`.
            program: The new program.
            entry: The name of its only entry point; empty if it stays as it is.
        """
        raise UnsupportedError(f"programs of {self.format} files cannot be replaced")

    def recount(self) -> dict[str, tuple[int, int]]:
        """Recompute the statistics; return (old, new) of each counter that changed."""
        raise UnsupportedError(f"{self.format} files have no statistics")

    def sign(self) -> None:
        """Recompute the digest in place."""
        raise UnsupportedError(f"{self.format} files have no digest")

    def strippable(self, *categories: str) -> list[Loss]:
        """Return the data that `strip` would remove, of all categories by default; change
        nothing."""
        wanted = expanded(categories or STRIPPABLE)
        return [loss for loss in self._all_losses() if loss.category in wanted]

    def strip(self, *categories: str) -> list[Loss]:
        """Remove data that the runtime does not need, in place: debug information by default.

        Args:
            categories: `debug`, `reflection`, `statistics`, `private`, `root-signature`, or `all`.
                Formats that have nothing of a category ignore it.

        Returns:
            The removed data, in the order of the file: for each part or record its name (`part`),
            its `size` in bytes, its `category`, and the consequence (`meaning`). The list is empty
            if there was nothing to remove.

        Raises:
            UsageError: A category is unknown.
        """
        wanted = expanded(categories or ("debug",))
        lost = self.strippable(*wanted)
        self._strip([loss for loss in lost if loss.part != TRAILING])
        if any(loss.part == TRAILING for loss in lost):
            self.trailing = b""
        return lost

    def _all_losses(self) -> list[Loss]:
        """Return `_losses()`, and the bytes after the end of the shader."""
        found = list(self._losses())
        if self.trailing:
            meaning = "bytes after the end, which readers of the format do not see"
            found.append(Loss(TRAILING, len(self.trailing), "private", meaning))
        return found

    def _copies(self) -> Mapping[str, str]:
        """Return the names of parts that repeat the program, with a description of each.

        Formats override this.

        An edit of the program leaves these parts as they are.
        """
        return {}

    def _losses(self) -> Sequence[Loss]:
        """Return the data that the runtime does not need, in file order; formats override this."""
        return ()

    def _strip(self, lost: Sequence[Loss]) -> None:
        """Remove some of `_losses()`; formats override this."""

    def spans(self) -> list[Span]:
        """Return a span for each field of the file, in file order."""
        raise NotImplementedError

    def iter_spans(self) -> Iterator[Span]:
        """Iterate over the spans of `spans()`, in a large file without holding all of them."""
        return iter(self.spans())

    def spans_below(self, path: str) -> list[Span]:
        """Return the spans of the fields at or below a path, in file order."""
        from .wire.spans import is_below

        return [each for each in self.iter_spans() if is_below(each.path, path)]

    def extract(self) -> dict[str, bytes]:
        """Return the files that the shader contains: programs, sources, private data."""

        return {}

    def sources(self) -> dict[str, bytes]:
        """Return the source files that the shader contains, by name.

        The arguments of the compiler, if they are known, are `arguments.txt`.

        Raises:
            FormatError: The sources are stored in a damaged form.
            LimitError: The sources exceed a limit.
        """
        return {}
