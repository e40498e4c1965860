"""Formats whose programs are lowered by hand, to test the layer between programs and engines.

    magic   u32 bytes of the text   the text of one module

A family has a few modules, each a text modelled on a real one and a function that lowers it. There
is no parser: a file holds one of these texts, or it is refused. The library knows a family only
through its `Format`, found by the entry point of a package, and runs its modules like any others.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from unshade.dialect import Heading
from unshade.errors import Diagnostic, FormatError
from unshade.format import Format
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.lowered import Lowered
from unshade.ir.memory import Memory, Port, Space
from unshade.ir.specialisation import Specialisation
from unshade.ir.types import F32, Type
from unshade.isa.source import Source
from unshade.limits import DEFAULT, Limits
from unshade.model import Reflection, Stage, SystemValue
from unshade.model.facts import ProgramFacts
from unshade.program import EntryPoint, Program
from unshade.shader import Shader
from unshade.vocab.slots import Direction, port_slot
from unshade.vocab.words import Interpolation
from unshade.wire import Span


def text(name: str) -> str:
    """Return the text of a module."""
    return (Path(__file__).parent / "texts" / name).read_text("utf-8")


class Module(NamedTuple):
    """One module: its text, its reflection, its lowering, and the kernel options it takes."""

    text: str
    reflection: Reflection
    lower: Callable[["Lines", Specialisation], Lowered]
    takes: frozenset[str] = frozenset()

    @property
    def stage(self) -> Stage:
        return Stage(str(self.reflection.stage))


class Lines(Builder):
    """A builder whose values have lines of the module's text."""

    def __init__(self, kernel: KernelIR, text: str) -> None:
        super().__init__(kernel)
        self.lines = text.splitlines()

    def at(self, words: str) -> "Lines":
        """Give the values that follow the only line with these words."""
        (found,) = (number for number, line in enumerate(self.lines, 1) if words in line)
        self.line = found
        return self

    def lowered(self, *resources: Any, **more: Any) -> Lowered:
        """Return the kernel with its resources."""
        return Lowered(self.kernel, list(resources), self.lines, **more)

    def buffer(self, name: str, slot: Any, stride: int = 4, *, writable: bool = False) -> Memory:
        """Add a buffer to the kernel."""
        return self.memory(name, Space.BUFFER, stride, writable=writable, slot=slot)

    def constants(self, name: str, slot: Any, stride: int = 16) -> Memory:
        """Add a constant buffer to the kernel."""
        return self.memory(name, Space.CONSTANT, stride, slot=slot)

    def ports(
        self,
        direction: Direction,
        place: Any,
        label: str,
        components: int,
        type: Type = F32,
        *,
        meaning: SystemValue | None = None,
        interpolation: Interpolation | None = None,
    ) -> list[Port]:
        """Add the components of an input or output to the kernel."""
        made = []
        for number in range(components):
            slot = port_slot(self.kernel.stage, direction, place, number)
            name = f"{label}.{'xyzw'[number]}" if components > 1 else label
            made.append(Port(name, type, meaning, interpolation, slot, label))
        taken = self.kernel.inputs if direction is Direction.INPUT else self.kernel.outputs
        taken += made
        return made


class Handmade(Program):
    """The code of a file."""

    modules: ClassVar[Mapping[str, Module]]
    takes: ClassVar[frozenset[str] | None] = frozenset()

    def __init__(self, text: str) -> None:
        self.text = text
        self.module = self.modules[text]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]  # as other programs

    @property
    def entry_points(self) -> Sequence[EntryPoint]:
        return [EntryPoint("main", self.module.stage)]

    def disassemble(self, dialect: str | None = None) -> str:
        return self.text

    def lower(
        self, entry: str | None = None, specialisation: Specialisation | None = None
    ) -> Lowered:
        chosen = specialisation or Specialisation()
        name, _ = self.checked_entry(entry)
        kernel = KernelIR(name, self.module.stage, wave=chosen.wave_size)
        found = self.module.lower(Lines(kernel, self.text), chosen)
        found.specialisation = chosen
        return found

    def facts(self, entry: str | None = None) -> ProgramFacts:
        name, stage = self.checked_entry(entry)
        return ProgramFacts(code=self.language, entry_point=name, stage=Stage(stage))

    def verify(self) -> list[Diagnostic]:
        return []


class Family(Shader):
    """A file with one module."""

    about: ClassVar[Format]
    program: ClassVar[type[Handmade]]
    comment: ClassVar[str] = ";"

    def __init__(self, text: str, trailing: bytes = b"") -> None:
        self.text = text
        self.trailing = trailing

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        data = bytes(data)
        size = cls.measure(data)
        return cls(data[8:size].decode(), data[size:])

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        size = 8 + int.from_bytes(data[4:8], "little")
        if bytes(data[:4]) != cls.about.magic:
            raise FormatError("expected another magic", path="magic")
        if bytes(data[8:size]).decode("latin-1") not in cls.program.modules:
            raise FormatError("expected the text of a module", offset=8, path="text")
        return size

    def to_bytes(self) -> bytes:
        text = self.text.encode()
        return self.about.magic + len(text).to_bytes(4, "little") + text + self.trailing

    @property
    def programs(self) -> list[Handmade]:
        return [self.program(self.text)]

    def to_data(self) -> dict[str, Any]:
        return {"format": self.format, "text": self.text, "trailing": self.trailing.hex()}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        return cls(data["text"], bytes.fromhex(data["trailing"]))

    def spans(self) -> list[Span]:
        sizes = {"magic": 4, "size": 4, "text": len(self.text), "trailing": len(self.trailing)}
        found, at = [], 0
        for path, size in sizes.items():
            if size:
                found.append(Span(at, size, path, None, ""))
            at += size
        return found

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        heading = Heading(self.format, "exact", 1).line(self.comment) + "\n"
        return (heading if dialect == "exact" else "") + self.text

    @classmethod
    def assemble(
        cls, sources: Sequence[Source], *, donor: Self | None = None, **options: Any
    ) -> Self:
        (source,) = sources
        return cls(source.text.partition("\n")[2])

    def identity(self) -> Reflection:
        found = self.reflect()
        return Reflection(
            format=self.format, stage=found.stage, model=found.model, profile=found.profile
        )

    def reflect(self) -> Reflection:
        return self.program.modules[self.text].reflection


def family(about: Format, program: type[Handmade], modules: Sequence[Module]) -> type[Family]:
    """Return the Shader class of a family."""
    program.modules = {module.text: module for module in modules}
    program.takes = frozenset().union(*(module.takes for module in modules))
    return type(
        about.name.title(), (Family,), {"format": about.name, "about": about, "program": program}
    )
