"""Inlining of a kernel into another, with values as inputs and outputs.

    inliner = Inliner(host, calls)
    found = inliner.inline("blur", child, {x: …, y: …}, slots)       set @blur.x, …
    b.fmul(found[red], 0.5)                                          block $0 {
                                                                       …  the child's statements
                                                                     }
                                                                     %1 = get @blur.red

    ports         become variables: inputs are set before, outputs read after
    variables     and local memories belong to the call, and are zero at its start
    resources     are bound in the host by the slots that the caller maps them to: equal slots are
                  the same resource, so a child inlined twice may be bound once. Without a slot a
                  resource is bound by its label, prefixed with the name of the call
    lines         the child's listing is appended to the host's, once, and so are its sources; a
                  source whose name is taken is prefixed with the name of the call

A return leaves the block. A discarded lane continues through the remaining host code without
effects. Sources refer to the host's lanes.

Kernels with memories of a thread group, vertices or control points cannot be inlined.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from ...dataclass import replace
from ...errors import UnsupportedError, UsageError
from ...vocab.slots import ResourceSlot
from ..analysis.liveness import read_first
from ..builder import constant
from ..kernel import DEEPEST, Region, Value, height, regions
from ..locations import InlinedLocations
from ..lowered import Lowered
from ..memory import Memory, Port, Space, Var
from ..ops import OPS
from ..textures import SamplerDeclaration, TextureDeclaration
from ..types import I32, INTEGERS
from .copying import copied
from .functions import CallFrame, Calls

__all__ = ["Inliner"]

Slots = Callable[[ResourceSlot], ResourceSlot]
Bound = TypeVar("Bound", Memory, TextureDeclaration, SamplerDeclaration)
SAME = (
    "flush",
    "written",
    "wave",
    "quads",
)  # fields of a kernel that results of operations depend on


class Inliner:
    """An inliner into the host kernel of `calls`, whose listing is complete."""

    def __init__(self, host: Lowered, calls: Calls) -> None:
        if calls.builder.kernel is not host.kernel:
            raise UsageError("expected the calls of the host's kernel, got calls of another kernel")
        self.host = host
        self.calls = calls
        self.listings: list[tuple[Lowered, int, dict[str, str]]] = []

    def inline(
        self,
        name: str,
        child: Lowered,
        inputs: Mapping[Any, Value],
        slots: Slots = lambda slot: slot,
    ) -> dict[Hashable, Value]:
        """Append the body of a child kernel.

        Args:
            name: name of the call.
            child: the program to inline.
            inputs: values of its inputs, by key of the port.
            slots: maps slots of the child to slots of the host.

        Returns:
            The values of its outputs, by key of the port.

        Raises:
            UsageError: if inputs are missing or unknown, or the kernels do not match.
            UnsupportedError: if the child cannot be inlined.
        """
        kernel = child.kernel
        self._check(name, child, inputs)
        self.calls.spend(sum(1 for _ in kernel.values()))
        b = self.calls.builder
        with self.calls.enter(name) as frame:
            lines, files = self._listing(name, child)
            sites = InlinedLocations(frame.call, name, lines, files)
            copy = _Copy(self.host, frame, slots, sites)
            copy.declare(child)
            for port in kernel.inputs:
                b.set(copy.ports[port], inputs[port.key])
            first = read_first(kernel)
            copy.clear([copy.ports[port] for port in kernel.outputs])
            copy.clear([copy.variables[var] for var in kernel.variables if var in first])
            for memory in kernel.memories:
                if memory.space is Space.LOCAL:
                    copy.clear_memory(copy.memories[memory])
            body = copied(kernel.body, sites)
            copy.adapt(body)
            b.region += body
        return {port.key: b.get(copy.ports[port]) for port in kernel.outputs}

    def _check(self, name: str, child: Lowered, inputs: Mapping[Any, Value]) -> None:
        kernel = child.kernel
        for field in SAME:
            mine, its = getattr(self.host.kernel, field), getattr(kernel, field)
            if mine != its:
                raise UsageError(f"{name}: expected {field} {mine}, as the host has it, got {its}")
        known = {port.key: port.name for port in kernel.inputs}
        for key, label in known.items():
            if key not in inputs:
                raise UsageError(f"{name}: expected a value for its input {label}")
        for key in inputs:
            if key not in known:
                raise UsageError(f"{name}: no such input: {key!r:.60}")
        if child.points or any(each.space is Space.SHARED for each in kernel.memories):
            what = "vertices" if child.points else "memory of its thread group"
            raise UnsupportedError(f"{name}: a kernel with {what} cannot be inlined")
        if height(kernel.body) >= DEEPEST:
            raise UnsupportedError(f"{name}: its regions are nested too deeply to be inlined")

    def _listing(self, name: str, child: Lowered) -> tuple[int, dict[str, str]]:
        """Append a child's listing and sources to the host's.

        Return the number of lines before it, and the names of its sources in the host.
        """
        for known, lines, files in self.listings:
            if known is child:
                return lines, files
        lines = len(self.host.lines)
        self.host.lines = [*self.host.lines, *child.lines]
        sources = dict(self.host.sources)
        files = {}
        for file, text in child.sources.items():
            files[file] = file
            while sources.setdefault(files[file], text) != text:
                files[file] = f"{name}/{files[file]}"
        self.host.sources = sources
        self.listings.append((child, lines, files))
        return lines, files


class _Copy:
    """The declarations in the host that replace a child's declarations, in one call."""

    def __init__(
        self, host: Lowered, frame: CallFrame, slots: Slots, sites: InlinedLocations
    ) -> None:
        self.host = host
        self.frame = frame
        self.slots = slots
        self.sites = sites
        self.ports: dict[Port, Var] = {}
        self.variables: dict[Var, Var] = {}
        self.memories: dict[Memory, Memory] = {}
        self.textures: dict[TextureDeclaration, TextureDeclaration] = {}
        self.samplers: dict[SamplerDeclaration, SamplerDeclaration] = {}

    # ------------------------------------------------------------ declarations

    def declare(self, child: Lowered) -> None:
        """Copy the declarations of the child into the host."""
        kernel, host = child.kernel, self.host.kernel
        for port in (*kernel.inputs, *kernel.outputs):
            self.ports[port] = self._variable(Var(port.name, port.type, port.internal, port.row))
        for var in kernel.variables:
            self.variables[var] = self._variable(var)
        for memory in kernel.memories:
            self.memories[memory] = self._memory(memory)
        self.textures = {each: self._bound(each, host.textures) for each in kernel.textures}
        self.samplers = {each: self._bound(each, host.samplers) for each in kernel.samplers}
        self._resources(child)

    def _variable(self, var: Var) -> Var:
        name = self.frame.calls.variables.unique(f"{self.frame.name}.{var.name}")
        found = replace(var, name=name)
        self.host.kernel.variables.append(found)
        return found

    def _memory(self, memory: Memory) -> Memory:
        declared = self.host.kernel.memories
        if memory.space not in (Space.LOCAL, Space.TABLE):
            return self._bound(memory, declared)
        if memory.space is Space.TABLE:
            for each in declared:
                if _alike(each, memory):
                    return each
        name = self.frame.calls.memories.unique(f"{self.frame.name}.{memory.name}")
        declared.append(replace(memory, name=name))
        return declared[-1]

    def _bound(self, thing: Bound, declared: list[Bound]) -> Bound:
        """Return the host's declaration of the same slot, or a copy of the child's."""
        slot = thing.slot
        if isinstance(slot, ResourceSlot):
            slot = self.slots(slot)
        name = f"{self.frame.name}.{thing.name}"
        made = replace(thing, name=name, slot=slot)
        for each in declared:
            if each.key == made.key:
                if not _alike(each, made):
                    raise UsageError(
                        f"{name} has the binding of {each.name}, but a different declaration"
                    )
                return each
        if slot is not None:
            made.name = self.frame.calls.memories.unique(name)
        declared.append(made)
        return made

    def _resources(self, child: Lowered) -> None:
        """Add the child's resources to the host's, labelled like its declarations."""
        labels: dict[Hashable, str] = {}  # of a texture rather than of its sampler
        for found in (self.memories, self.textures, self.samplers):
            for thing in found.values():
                labels.setdefault(thing.key, thing.name)
        known = {each.key for each in self.host.resources}
        for each in child.resources:
            slot = None if each.slot is None else self.slots(each.slot)
            made = replace(each, name=f"{self.frame.name}.{each.name}", slot=slot)
            made.name = labels.get(made.key, made.name)
            if made.key not in known:
                self.host.resources.append(made)

    # ------------------------------------------------------------ statements

    def clear(self, variables: Iterable[Var]) -> None:
        """Append sets of variables to zero."""
        b = self.frame.calls.builder
        for var in variables:
            b.set(var, constant(0, var.type))

    def clear_memory(self, memory: Memory) -> None:
        """Append a loop that sets a local memory to zero."""
        b = self.frame.calls.builder
        at = self.frame.variable("clear", I32, internal=True)
        b.set(at, 0)
        with b.loop():
            element = b.get(at)
            with b.when(b.ule(memory.count or 0, element)):
                b.break_()
            byte = 0
            while byte < memory.stride:
                size = next(each for each in (4, 2, 1) if byte + each <= memory.stride)
                b.store(memory, element, byte, constant(0, INTEGERS[8 * size]))
                byte += size
            b.set(at, b.iadd(element, 1))

    def adapt(self, region: Region) -> None:
        """Replace the child's declarations by the host's in copied statements, in place."""
        todo = [region]
        while todo:
            for statement in todo.pop():
                statement.line = self.sites.line(statement.line)
                if isinstance(statement, Value):
                    self._value(statement)
                todo += regions(statement)

    def _value(self, value: Value) -> None:
        match value.op.attribute:
            case "var":
                value.attr = self.variables[value.attr]
            case "memory":
                value.attr = self.memories[value.attr]
            case "port":
                value.op = OPS.get if value.op is OPS.input else OPS.set
                value.attr = self.ports[value.attr]
            case "texture":
                sample = value.attr
                sampler = sample.sampler and self.samplers[sample.sampler]
                texture = self.textures[sample.texture]
                value.attr = replace(sample, texture=texture, sampler=sampler)
        if value.op is OPS.return_:
            value.op, value.attr = OPS.exit, self.frame.block


def _alike(one: Bound, other: Bound) -> bool:
    """Return True if two declarations are equal but for their names."""
    return all(
        getattr(one, field.name) == getattr(other, field.name)
        for field in fields(one)
        if field.name != "name"
    )
