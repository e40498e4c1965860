"""A kernel inside another: what it is given are values, and so is what it gives.

    inliner = Inliner(host, calls)
    found = inliner.inline("blur", child, {x: …, y: …}, slots)       set @blur.x, …
    b.fmul(found[red], 0.5)                                          block $0 {
                                                                       …  the child's statements
                                                                     }
                                                                     %1 = get @blur.red

    ports         variables: inputs are set before, outputs read behind
    variables     the call's own, zero at its begin, and so are memories of each lane
    what is       in the host by the slots that the caller says: equal slots are the same thing, so
    bound         the child may be put in twice and bound once. A thing without a slot is bound by
                  its label, which begins with the name of the call
    lines         the child's listing stands behind the host's, once, and so do its sources: one
                  that has the name of another begins with the name of the call

A return leaves the block. A discard is the lane's: it goes on, without effects, through the rest of
the host. Sources say where the lane of the host is.

What belongs to more than a lane cannot be put into another kernel: memories of a thread group,
vertices and control points.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from ..errors import UnsupportedError, UsageError
from ..vocab.slots import ResourceSlot
from .analysis.liveness import read_first
from .builder import constant
from .copying import copied
from .functions import CallFrame, Calls
from .kernel import DEEPEST, Region, Value, height, regions
from .locations import InlinedLocations
from .lowered import Lowered
from .memory import Memory, Port, Space, Var
from .ops import OPS
from .textures import SamplerDeclaration, TextureDeclaration
from .types import I32, INTEGERS

__all__ = ["Inliner"]

Slots = Callable[[ResourceSlot], ResourceSlot]
Bound = TypeVar("Bound", Memory, TextureDeclaration, SamplerDeclaration)
SAME = ("flush", "written", "wave")  # what operations give depends on these fields of a kernel


class Inliner:
    """Puts kernels into the one that `calls` is for: the host's, whose listing is complete."""

    def __init__(self, host: Lowered, calls: Calls) -> None:
        if calls.builder.kernel is not host.kernel:
            raise UsageError("expected the calls of the host's kernel, got those of another")
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
        """Append a child where the builder is; return the values of its outputs.

        Inputs and outputs go by the keys of the ports. UsageError where the two do not fit,
        UnsupportedError for what cannot be put into another kernel.
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
                raise UsageError(f"{name}: there is no input {key!r:.60}")
        if child.points or any(each.space is Space.SHARED for each in kernel.memories):
            told = "vertices" if child.points else "memory of its thread group"
            raise UnsupportedError(f"{name}: a kernel with {told} cannot be put into another")
        if height(kernel.body) >= DEEPEST:
            raise UnsupportedError(f"{name}: its regions lie too deep")

    def _listing(self, name: str, child: Lowered) -> tuple[int, dict[str, str]]:
        """Give the host a child's listing and sources; return the lines before it in the host's,
        and the names that its sources have there.
        """
        for known, lines, files in self.listings:
            if known is child:
                return lines, files
        lines = len(self.host.lines)
        self.host.lines += child.lines
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
    """What stands for the declarations of a child in one call."""

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
        """Give the host what the child declares."""
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
        name = self.frame.calls.variables.apart(f"{self.frame.name}.{var.name}")
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
        name = self.frame.calls.memories.apart(f"{self.frame.name}.{memory.name}")
        declared.append(replace(memory, name=name))
        return declared[-1]

    def _bound(self, thing: Bound, declared: list[Bound]) -> Bound:
        """What stands at the thing's slot in the host; the thing itself where nothing does."""
        slot = thing.slot
        if isinstance(slot, ResourceSlot):
            slot = self.slots(slot)
        name = f"{self.frame.name}.{thing.name}"
        made = replace(thing, name=name, slot=slot)
        for each in declared:
            if each.key == made.key:
                if not _alike(each, made):
                    raise UsageError(f"{name} is bound as {each.name} is, and is something else")
                return each
        if slot is not None:
            made.name = self.frame.calls.memories.apart(name)
        declared.append(made)
        return made

    def _resources(self, child: Lowered) -> None:
        """Give the host what has to be bound for the child, labelled as what it is bound to."""
        labels: dict[Hashable, str] = {}  # of a texture, not of the sampler that comes with it
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
        """Set variables to zero."""
        b = self.frame.calls.builder
        for var in variables:
            b.set(var, constant(0, var.type))

    def clear_memory(self, memory: Memory) -> None:
        """Set all of a lane's memory to zero."""
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
        """Let statements of the child be about what stands for its declarations, in place."""
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
    """Whether two declarations differ in nothing but their names."""
    return all(
        getattr(one, field.name) == getattr(other, field.name)
        for field in fields(one)
        if field.name != "name"
    )
