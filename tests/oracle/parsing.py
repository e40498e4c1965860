"""A parser of the text form of kernels, as `unshade.ir.printing` writes it.

    text ── declarations, a line each ── statements, a line each, { } around regions

Blanks are ignored, `//` begins a comment, and values and blocks may have any unused number. After
an error parsing continues at the next line; errors that only follow from another are not reported.
"""

import re
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from unshade.errors import UsageError
from unshade.ir.builder import Builder
from unshade.ir.kernel import DEEPEST, Block, Case, If, KernelIR, Loop, Region, Switch, Value
from unshade.ir.memory import Bounds, Memory, Port, Space, Var
from unshade.ir.ops import OPS, Op
from unshade.ir.sources import SOURCES
from unshade.ir.textures import Action, Level, Sample, SamplerDeclaration, Shape, TextureDeclaration
from unshade.ir.types import BOOL, I32, KEEP
from unshade.ir.waves import MOST, NEUTRAL, WHOLE, WORD, Wave
from unshade.isa.source import ErrorList, Scanner, Source
from unshade.vocab.words import Interpolation, Stage, SystemValue

from .annotations import AnnotationReader, read_name_steps
from .slots import read_memory_slot, read_port_slot, read_resource_slot, read_row
from .tokens import (
    INTEGER,
    NAME,
    at_end,
    read_constant,
    read_integer,
    read_name,
    read_one_of,
    read_type,
    read_widths,
)

VALUE = re.compile(r"%(\d+)")
LABEL = re.compile(r"\$(\d+)")
HEX = re.compile(r"(?:[0-9a-fA-F]{2})*")

T = TypeVar("T")
KIND_NAMES: dict[type, str] = {
    Memory: "memory",
    Port: "port",
    SamplerDeclaration: "sampler",
    TextureDeclaration: "texture",
    Var: "variable",
}


def parse_kernel(text: str, name: str = "") -> KernelIR:
    """Parse the text of a kernel.

    Args:
        text: the text, as `print_kernel` returns it.
        name: name of the text in error messages.

    Raises:
        AssembleError: with all errors in the text.
    """
    return KernelReader(Source(text, name)).read()


class FollowOnError(Exception):
    """An error that follows from another, which has been reported."""


@dataclass(slots=True)
class OpenRegion:
    """A region being read; `made` is None if its first line is invalid."""

    made: If | Loop | Switch | Block | Case | None
    region: Region
    scope: dict[str, Value | None] = field(default_factory=dict)
    otherwise: bool = False
    label: str = ""  # of a block


class KernelReader:
    """A parser of one text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.kernel = KernelIR()
        self.builder = Builder(self.kernel)
        self.mistakes = ErrorList()
        # None: declared, but the line is invalid
        self.declared: dict[
            str, Memory | Port | TextureDeclaration | SamplerDeclaration | None
        ] = {}
        self.variables: dict[str, Var | None] = {}
        self.open = [OpenRegion(None, self.kernel.body)]
        self.ended: set[str] = set()  # values whose region has ended
        self.labels: dict[str, Block] = {}
        self.ends = AnnotationReader()
        self.begun = False  # after the first statement, where declarations end

    def read(self) -> KernelIR:
        """Read all lines."""
        for scanner in self.source.scanners():
            with self.mistakes, suppress(FollowOnError):
                self._line(scanner)
        if len(self.open) > 1:
            last = len(self.source.lines)
            self.mistakes.add(
                self.source.error(f"expected }} of {len(self.open) - 1} regions", last)
            )
        self.mistakes.check()
        return self.kernel

    def _line(self, scanner: Scanner) -> None:
        if scanner.done or scanner.rest.startswith("//"):
            return
        if scanner.accept("}"):
            self._close(scanner)
            return
        if scanner.rest.startswith("%"):
            self._defined(scanner)
            return
        start = scanner.at
        word = scanner.take(NAME, "a statement")
        match word:
            case "if" | "loop" | "switch" | "case" | "block":
                self._construct(scanner, word, start)
            case "kernel" | "memory" | "texture" | "sampler" | "in" | "out" | "var":
                self._declaration(scanner, word, start)
            case "place" | "call":
                self._before_statements(scanner, start)
                self.ends.declare(scanner, word)
            case _:
                self._operation(scanner, word, start)

    # ------------------------------------------------------------ declarations

    def _declaration(self, scanner: Scanner, word: str, start: int) -> None:
        self._before_statements(scanner, start)
        if word == "kernel":
            self._head(scanner)
        elif word == "var":
            name = self._new(scanner, "@", self.variables)
            kind = read_type(scanner)
            internal = scanner.accept("internal")
            row = read_row(scanner)
            gives = read_name_steps(scanner) if scanner.accept("gives ") else None
            self.variables[name] = self.builder.var(
                name, kind, internal=internal, row=row, gives=gives
            )
        else:
            name = self._new(scanner, "%", self.declared)
            self.declared[name] = self._thing(scanner, word, name)
        self.ends.end(scanner)

    def _before_statements(self, scanner: Scanner, start: int) -> None:
        if self.begun:
            raise scanner.place(start).error("a declaration after the first statement")

    def _head(self, scanner: Scanner) -> None:
        kernel = self.kernel
        kernel.name = read_name(scanner, "a name")
        kernel.stage = read_one_of(scanner, Stage)
        scanner.expect("group")
        x, y, z = (read_integer(scanner, 1, 1 << 16) for _ in range(3))
        kernel.group = x, y, z
        kernel.quads = scanner.accept("quads")
        if scanner.accept("wave"):
            kernel.wave = read_integer(scanner, 1, MOST + 1)
        kernel.flush = read_widths(scanner) if scanner.accept("flush") else KEEP
        kernel.written = read_widths(scanner) if scanner.accept("written") else KEEP

    def _thing(
        self, scanner: Scanner, word: str, name: str
    ) -> Memory | Port | TextureDeclaration | SamplerDeclaration | None:
        match word:
            case "memory":
                memory = self._memory(scanner, name)
                self.kernel.memories.append(memory)
                return memory
            case "texture":
                texture = TextureDeclaration(name, read_one_of(scanner, Shape), read_type(scanner))
                texture.layered = scanner.accept("layered")
                if scanner.accept("samples"):
                    texture.samples = read_integer(scanner, 1, 64)
                texture.slot = read_resource_slot(scanner)
                self.kernel.textures.append(texture)
                return texture
            case "sampler":
                sampler = self.builder.sampler(name)
                sampler.slot = read_resource_slot(scanner)
                return sampler
        port = Port(name, read_type(scanner))
        if scanner.accept("meaning"):
            port.meaning = read_one_of(scanner, SystemValue)
        if scanner.accept("interpolation"):
            port.interpolation = read_one_of(scanner, Interpolation)
        port.row = read_row(scanner)
        port.slot = read_port_slot(scanner)
        (self.kernel.inputs if word == "in" else self.kernel.outputs).append(port)
        return port

    def _memory(self, scanner: Scanner, name: str) -> Memory:
        memory = Memory(name, read_one_of(scanner, Space), read_integer(scanner, 1, 1 << 31))
        if scanner.accept("count"):
            memory.count = read_integer(scanner, 0, 1 << 32)
        if scanner.accept("each"):
            memory.each = read_integer(scanner, 1, 1 << 31)
        memory.writable = scanner.accept("writable")
        memory.raw = scanner.accept("raw")
        memory.internal = scanner.accept("internal")
        if scanner.accept(Bounds.CLAMP):
            memory.bounds = Bounds.CLAMP
        if scanner.accept("data"):
            memory.data = bytes.fromhex(scanner.take(HEX, "bytes in hex"))
        memory.slot = read_memory_slot(scanner)
        return memory

    # ------------------------------------------------------------ regions

    def _construct(self, scanner: Scanner, word: str, start: int) -> None:
        self.begun = True
        made: If | Loop | Switch | Block | Case | None = None
        region: Region = []
        label = ""
        try:
            if len(self.open) > DEEPEST:
                raise scanner.place(start).error(f"regions are nested more than {DEEPEST} deep")
            if word == "case":
                read, region = self._case(scanner, start)
                made = read
            else:
                self._not_in_switch(scanner, start)
                if word == "block":
                    label = self._label(scanner)
                begun, region = self._begun(scanner, word)
                if isinstance(begun, Block):
                    self.labels[label] = begun
                self.open[-1].region.append(begun)
                made = begun
            scanner.expect("{")
            end = self.ends.end(scanner)
            if not isinstance(made, Case):
                end.mark(made)
        finally:  # even an invalid line opens its region
            if made is not None or scanner.text.rstrip().endswith("{"):
                self._enter(OpenRegion(made, region, label=label))

    def _enter(self, opened: OpenRegion) -> None:
        self.open.append(opened)
        self.builder.region = opened.region

    def _label(self, scanner: Scanner) -> str:
        """Read the number of a new block."""
        start = scanner.at
        found = scanner.match(LABEL)
        if found is None:
            raise scanner.expected("the number of the block")
        if found[1] in self.labels:
            raise scanner.place(start).error(f"${found[1]} is already defined")
        return found[1]

    def _around(self, scanner: Scanner) -> Block:
        """Read the number of an enclosing block."""
        start = scanner.at
        found = scanner.match(LABEL)
        if found is None:
            raise scanner.expected("the number of a block")
        if not any(each.label == found[1] for each in self.open):
            problem = "block has ended" if found[1] in self.labels else "no such block"
            raise scanner.place(start).error(f"{problem}: ${found[1]}")
        return self.labels[found[1]]

    def _begun(self, scanner: Scanner, word: str) -> tuple[If | Loop | Switch | Block, Region]:
        if word == "loop":
            loop = Loop()
            return loop, loop.body
        if word == "block":
            block = Block()
            return block, block.body
        start = scanner.at
        value = self._operand(scanner)
        if word == "if":
            if value.type != BOOL:
                raise scanner.place(start).error(
                    f"expected a bool as condition, got {value.type.name}"
                )
            chosen = If(value)
            return chosen, chosen.then
        if value.type.kind != "i":
            raise scanner.place(start).error(
                f"expected an integer to switch on, got {value.type.name}"
            )
        return Switch(value), []

    def _case(self, scanner: Scanner, start: int) -> tuple[Case, Region]:
        outer = self.open[-1]
        if outer.made is None and len(self.open) > 1:
            raise FollowOnError
        if not isinstance(outer.made, Switch):
            raise scanner.place(start).error("a case outside of a switch")
        bits = outer.made.value.type.bits
        labels = []
        while INTEGER.match(scanner.rest):
            labels.append(read_integer(scanner, -(1 << bits - 1), 1 << bits))
        case = Case(tuple(labels), scanner.accept("default"))
        outer.made.cases.append(case)
        return case, case.body

    def _close(self, scanner: Scanner) -> None:
        if len(self.open) == 1:
            raise scanner.place(0).error("} without a region")
        closed = self.open.pop()
        self.ended.update(closed.scope)
        self.builder.region = self.open[-1].region
        if scanner.accept("else"):
            made = closed.made
            if made is not None and (closed.otherwise or not isinstance(made, If)):
                self._enter(OpenRegion(None, []))
                raise scanner.place(0).error("else without an if")
            region = made.otherwise if isinstance(made, If) else []
            self._enter(OpenRegion(made, region, otherwise=True))
            scanner.expect("{")
        self.ends.end(scanner)

    def _not_in_switch(self, scanner: Scanner, start: int) -> None:
        if isinstance(self.open[-1].made, Switch):
            raise scanner.place(start).error("expected a case in a switch")

    # ------------------------------------------------------------ operations

    def _defined(self, scanner: Scanner) -> None:
        start = scanner.at
        found = scanner.match(VALUE)
        if found is None:
            raise scanner.expected("a statement")
        name = found[1]
        place = scanner.place(start)
        if name in self.ended or any(name in each.scope for each in self.open):
            raise place.error(f"%{name} is already defined")
        scope = self.open[-1].scope
        scope[name] = None
        scanner.expect("=")
        start = scanner.at
        made = self._operation(scanner, scanner.take(NAME, "an operation"), start)
        if made.type.kind == "v":
            raise place.error(f"{made.op.name} has no result")
        scope[name] = made

    def _operation(self, scanner: Scanner, word: str, start: int) -> Value:
        self.begun = True
        self._not_in_switch(scanner, start)
        op = OPS.by_name.get(word)
        if op is None or op is OPS.const:
            raise scanner.unknown("operation", word, start, OPS.by_name)
        place = scanner.place(start)
        type = read_type(scanner) if scanner.accept(":") else None
        attr, args = self._attribute(scanner, op)
        said = op.attribute and attr != WHOLE
        if scanner.accept(",") if said else not at_end(scanner):
            args.append(self._operand(scanner))
            while scanner.accept(","):
                args.append(self._operand(scanner))
        if isinstance(attr, Var | Port):
            type = attr.type
        elif op is OPS.source:
            type = I32
        end = self.ends.end(scanner)
        try:
            if op in (OPS.set, OPS.output) and args and args[0].type != type:
                raise UsageError(f"{op.name}: expected {type}, got {args[0].type}")
            made = self.builder.make(op, *args, type=type, attr=attr)
        except UsageError as error:
            raise place.error(str(error)) from None
        end.mark(made)
        return made

    def _attribute(self, scanner: Scanner, op: Op) -> tuple[object, list[Value]]:
        match op.attribute:
            case "":
                return None, []
            case "number":
                return read_integer(scanner, 0, 1 << 32), []
            case "word":
                start = scanner.at
                found = read_name(scanner, "a word")
                if op is OPS.source and found not in SOURCES:
                    raise scanner.unknown("source", found, start, SOURCES)
                return found, []
            case "var":
                return self._known(scanner, "@", self.variables, Var), []
            case "port":
                return self._known(scanner, "%", self.declared, Port), []
            case "texture":
                return self._sample(scanner), []
            case "wave":
                return self._wave(scanner), []
            case "block":
                return self._around(scanner), []
        memory = self._known(scanner, "%", self.declared, Memory)
        if not scanner.accept("["):
            return memory, []
        element = self._operand(scanner)
        scanner.expect(",")
        byte = self._operand(scanner)
        scanner.expect("]")
        return memory, [element, byte]

    def _wave(self, scanner: Scanner) -> Wave:
        op = next((each for each in NEUTRAL if scanner.accept(each.name)), None)
        cluster = read_integer(scanner, 1, MOST + 1) if scanner.accept("cluster") else 0
        word = read_integer(scanner, 0, MOST // WORD) if scanner.accept("word") else 0
        return Wave(op, cluster, word, scanner.accept("helpers"))

    def _sample(self, scanner: Scanner) -> Sample:
        action = read_one_of(scanner, Action)
        texture = self._known(scanner, "%", self.declared, TextureDeclaration)
        sampler = None
        if scanner.rest.startswith("%"):
            sampler = self._known(scanner, "%", self.declared, SamplerDeclaration)
        level = next((each for each in Level if scanner.accept(each)), Level.AUTO)
        offset = (0, 0, 0)
        if scanner.accept("offset"):
            x, y, z = (read_integer(scanner, -1024, 1024) for _ in range(3))
            offset = x, y, z
        component = read_integer(scanner, 0, 4) if scanner.accept("component") else 0
        compare, moving, clamped, feedback = (
            scanner.accept(each) for each in ("compare", "moving", "clamped", "feedback")
        )
        return Sample(
            action, texture, sampler, level, compare, offset, moving, component, clamped, feedback
        )

    # ------------------------------------------------------------ words and numbers

    def _new(self, scanner: Scanner, mark: str, names: MutableMapping[str, Any]) -> str:
        scanner.expect(mark)
        start = scanner.at
        name = read_name(scanner, "a name")
        if name in names:
            raise scanner.place(start).error(f"{mark}{name} is already declared")
        names[name] = None
        return name

    def _known(self, scanner: Scanner, mark: str, names: Mapping[str, object], kind: type[T]) -> T:
        what = KIND_NAMES[kind]
        scanner.expect(mark, f"a {what}")
        start = scanner.at
        name = read_name(scanner, f"a {what}")
        found = names.get(name)
        if isinstance(found, kind):
            return found
        if name in names and found is None:
            raise FollowOnError
        raise scanner.unknown(what, name, start, names)

    def _operand(self, scanner: Scanner) -> Value:
        start = scanner.at
        found = scanner.match(VALUE)
        if found is None:
            return read_constant(scanner)
        for each in reversed(self.open):
            if found[1] in each.scope:
                value = each.scope[found[1]]
                if value is None:
                    raise FollowOnError
                return value
        problem = "value not visible here" if found[1] in self.ended else "no such value"
        raise scanner.place(start).error(f"{problem}: %{found[1]}")
