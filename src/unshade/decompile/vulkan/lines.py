"""Lines of the source tree as blocks.

if (c) { … } else { … }       OpSelectionMerge, OpBranchConditional
while (c) { …; step }         a header with OpLoopMerge; the step is the continue block
do { … } while (false)        the same, without a way back that is taken
switch (x) { case 1: … }      OpSwitch
"""

from collections.abc import Sequence

from ...dataclass import dataclass
from ...errors import UnsupportedError
from ..expressions import at_line
from ..structure import changed
from ..tree import (
    Assign,
    BranchLine,
    Choice,
    Define,
    Evaluate,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    Once,
    Repeat,
    ScalarKind,
    TermType,
)
from .accesses import written
from .expressions import place_of, value_of, widened
from .module import number
from .writer import SpirvPlace, SpirvWriter

__all__ = ["FunctionLines"]

BOOL = TermType(ScalarKind.BOOL)


@dataclass(frozen=True, slots=True)
class JumpTargets:
    """The blocks to which `break` and `continue` jump."""

    after: str = ""
    again: str = ""


NO_TARGETS = JumpTargets()


class FunctionLines:
    """Writes the lines of a function; `kept` are the names of variables that change."""

    def __init__(self, writer: SpirvWriter, lines: Sequence[Line]) -> None:
        self.writer = writer
        self.kept = changed(lines)
        self.kills = writer.module.version < (1, 6) and not writer.parts.continues_after_discard

    def write(self, lines: Sequence[Line], targets: JumpTargets = NO_TARGETS) -> None:
        """Write lines, up to the first that ends the block."""
        for line in lines:
            if self.writer.ended:
                return
            self.writer.at_line(line.line)
            try:
                self._write(line, targets)
            except UnsupportedError as error:
                raise at_line(error, line.line) from None

    def _write(self, line: Line, targets: JumpTargets) -> None:
        match line:
            case Define():
                self._define(line)
            case Assign():
                self._assign(line)
            case Evaluate():
                value_of(self.writer, line.value)
            case JumpLine():
                self._jump(line.how, targets)
            case BranchLine():
                self._branch(line, targets)
            case Repeat():
                self._repeat(line)
            case Once():
                self._once(line)
            case Choice():
                self._choice(line, targets)

    # ------------------------------------------------------------ variables

    def _define(self, line: Define) -> None:
        w = self.writer
        if line.name not in self.kept:
            if line.value is not None:
                found = widened(w, line.value, line.type.width)
                w.values[line.name] = found
                if line.value.op not in (NodeForm.LITERAL, NodeForm.NAME):
                    w.module.name(found, line.name)
            return
        place = w.symbols.get(line.name)
        if place is None or place.layout.term != line.type:  # counters of loops share names
            place = w.symbols[line.name] = local(w, line.name, line.type)
        if line.value is not None:
            w.effect("OpStore", place.base, widened(w, line.value, line.type.width))

    def _assign(self, line: Assign) -> None:
        w = self.writer
        target, value = line.target, line.value
        if target.op is NodeForm.TEXEL:
            written(w, target, value, value_of, place_of)
            return
        width = target.type.width
        if target.op is not NodeForm.SWIZZLE:
            found = widened(w, value, width)
            place = place_of(w, target)
            if place.layout.term is None and place.layout.inner is not None:
                self._elements(place, value.type, found, width)
            else:
                w.effect("OpStore", w.pointer(place), held(w, found, value.type.wide(width), place))
            return
        whole, at = target.args[0], target.attr
        found = widened(w, value, width)
        place = place_of(w, whole)
        type = value.type.wide(width)
        if [*at] == [*range(whole.type.width)]:
            w.effect("OpStore", w.pointer(place), held(w, found, type, place))
        elif width > 1 and place.storage == "Function" and not place.indices:
            self._merge(place, whole.type, at, found)
        else:
            for number_, component in enumerate(at):
                part = found
                if width > 1:
                    part = w.op("OpCompositeExtract", value.type.wide(1), found, number_)
                inner = w.component(place, component)
                w.effect("OpStore", w.pointer(inner), held(w, part, type.wide(1), inner))

    def _elements(self, place: SpirvPlace, type: TermType, found: str, width: int) -> None:
        """Store the components of a vector to the elements of an array."""
        w = self.writer
        for number_ in range(width):
            part = found
            if width > 1:
                part = w.op("OpCompositeExtract", type.wide(1), found, number_)
            w.effect("OpStore", w.pointer(w.component(place, number_)), part)

    def _merge(self, place: SpirvPlace, type: TermType, at: Sequence[int], found: str) -> None:
        """Replace some components of a vector."""
        w = self.writer
        old = w.load(place)
        order = [*range(type.width)]
        for number_, component in enumerate(at):
            order[component] = type.width + number_
        w.effect("OpStore", place.base, w.op("OpVectorShuffle", type, old, found, *order))

    # ------------------------------------------------------------ control flow

    def _jump(self, how: Leave, targets: JumpTargets) -> None:
        w = self.writer
        match how:
            case Leave.RETURN:
                w.leave()
            case Leave.DISCARD if self.kills:
                w.end("OpKill")
            case Leave.DISCARD:
                w.module.require("DemoteToHelperInvocation")
                w.effect("OpDemoteToHelperInvocation")
            case Leave.BREAK:
                w.end("OpBranch", targets.after)
            case Leave.CONTINUE:
                w.end("OpBranch", targets.again)

    def _branch(self, line: BranchLine, targets: JumpTargets) -> None:
        w = self.writer
        condition = value_of(w, line.condition)
        then, after = w.module.id(), w.module.id()
        otherwise = w.module.id() if line.otherwise else after
        w.effect("OpSelectionMerge", after, "None")
        w.end("OpBranchConditional", condition, then, otherwise)
        reached = not line.otherwise
        for label, inner in ((then, line.then), (otherwise, line.otherwise)):
            if label == after:
                continue
            w.label(label)
            self.write(inner, targets)
            if not w.ended:
                reached = True
                w.end("OpBranch", after)
        w.label(after)
        if not reached:
            w.end("OpUnreachable")

    def _repeat(self, line: Repeat) -> None:
        w = self.writer
        if isinstance(line.first, Define):
            self._define(line.first)
        elif line.first is not None:
            self._assign(line.first)
        header, body, again, after = (w.module.id() for _ in range(4))
        w.end("OpBranch", header)
        w.label(header)
        w.effect("OpLoopMerge", after, again, "None")
        if line.condition is None:
            w.end("OpBranch", body)
        else:
            test = w.module.id()
            w.end("OpBranch", test)
            w.label(test)
            w.end("OpBranchConditional", value_of(w, line.condition), body, after)
        w.label(body)
        self.write(line.body, JumpTargets(after, again))
        if not w.ended:
            w.end("OpBranch", again)
        w.label(again)
        if line.step is not None:
            self._assign(line.step)
        w.end("OpBranch", header)
        w.label(after)

    def _once(self, line: Once) -> None:
        w = self.writer
        header, body, again, after = (w.module.id() for _ in range(4))
        w.end("OpBranch", header)
        w.label(header)
        w.effect("OpLoopMerge", after, again, "None")
        w.end("OpBranch", body)
        w.label(body)
        self.write(line.body, JumpTargets(after))
        if not w.ended:
            w.end("OpBranch", after)
        w.label(again)
        w.end("OpBranch", header)
        w.label(after)

    def _choice(self, line: Choice, targets: JumpTargets) -> None:
        w = self.writer
        type = line.value.type.wide(1)
        value = value_of(w, line.value)
        after = w.module.id()
        default, pairs, bodies = after, [], []
        for labels, inner in line.cases:
            block = w.module.id()
            bodies.append((block, inner))
            for each in labels:
                if each is None:
                    default = block
                else:
                    pairs += [number(each, type), block]
        w.effect("OpSelectionMerge", after, "None")
        w.end("OpSwitch", value, default, *pairs)
        for block, inner in bodies:
            w.label(block)
            self.write(inner, JumpTargets(after, targets.again))
            if not w.ended:
                w.end("OpBranch", after)
        w.label(after)


def held(w: SpirvWriter, found: str, type: TermType, place: SpirvPlace) -> str:
    """Return a value as its place holds it: as a bool, or as an integer with another sign."""
    wanted = place.layout.term
    if wanted is None or wanted.kind is type.kind:
        return found
    if wanted.kind is ScalarKind.BOOL:
        return w.op("OpINotEqual", wanted, found, w.module.constant(type, 0))
    return w.op("OpBitcast", wanted, found)


def local(w: SpirvWriter, name: str, type: TermType) -> SpirvPlace:
    """Declare a variable of the function."""
    made = w.module.id()
    layout = w.term(type)
    w.variables.append(f"{made} = OpVariable {w.module.pointer('Function', layout.id)} Function")
    w.module.name(made, name)
    return SpirvPlace(made, "Function", layout)
