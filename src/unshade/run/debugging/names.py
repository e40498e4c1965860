"""Names in a kernel: registers, values, ports, memories and their places.

    r0  r0.x  r0.xy        variables and ports, by their registers
    %12  colour.x          values of the listing, variables of the source
    u1[3]  Y[3].velocity   places in memories: their elements are as many as were bound
    COLOR  m1:TEXCOORD1.x  semantics

Names are looked up in the kernel, whatever characters they contain; only places in a memory, which
cannot be enumerated, are recognised by their form.
"""

import re
from collections.abc import Iterable, Iterator

from ...errors import UsageError
from ...ir.kernel import KernelIR
from ...ir.locations import COMPONENTS, LETTERS, SymbolName
from ...ir.lowered import Form
from ...ir.ops import OPS
from ..binding.bindings import Binding
from ..binding.suggestions import suggestion
from .places import SourcePlaces, is_bank

REGISTER = re.compile(r"\d+(\.[xyzw]+)?", re.ASCII)  # of a file
INSIDE = re.compile(r"(\[\d+\]|\.\w+|\+\d+)*", re.ASCII)


class Names:
    """The names of one kernel."""

    def __init__(
        self, kernel: KernelIR, bindings: Iterable[Binding], labels: Iterable[str],
        places: SourcePlaces,
    ) -> None:  # fmt: skip
        # Equal names may have other steps: `sum.x` of a value, `sum`, `.x` of the source.
        self.known = list({(each, each.steps): each for each in _known(kernel, places)}.values())
        self.wholes = {*labels}  # names of what has places inside
        self.wholes.update(each.name for each in kernel.memories if not each.internal)
        for name in {each for memory in kernel.memories for each in memory.gives}:
            self.wholes.update((name.whole, "".join(name.steps[name.scope : name.scope + 1])))
        self.banks = {each.name for each in kernel.memories if is_bank(each)}
        for binding in bindings:
            self.wholes.update(binding.names)
            if binding.form is Form.CONSTANTS and binding.members is not None:
                for each in binding.members.variables:
                    self.wholes.add(each.name)
                    if binding.label:
                        self.wholes.add(f"{binding.label}.{each.name}")

    def check(self, text: str) -> None:
        """Raise UsageError for an unknown name.

        Any component of a register is accepted, even if the program does not use it.
        """
        if any(each.called(text) or _component(each, text) for each in self.known):
            return
        for whole in self.wholes:
            if text.startswith(whole) and INSIDE.fullmatch(text, len(whole)):
                return
        for bank in self.banks:
            if text.startswith(bank) and REGISTER.fullmatch(text, len(bank)):
                return
        message = f"unknown name {text!r:.40}"
        parts = sorted({each for name in self.known for each in _beside(name, text)})
        if parts:
            raise UsageError(f"{message}; known: {', '.join(parts[:8])}")
        first = text.partition(".")[0].partition("[")[0].partition("+")[0]
        registers = sorted({each.whole for each in self.known})
        raise UsageError(f"{message}{suggestion(first, [*registers, *sorted(self.wholes)])}")


def _known(kernel: KernelIR, places: SourcePlaces) -> Iterator[SymbolName]:
    """Yield every name of a single number."""
    for var in kernel.variables:
        if not var.internal:
            yield var.label
            if var.gives is not None:
                yield var.gives
    for port in (*kernel.inputs, *kernel.outputs):
        if not port.internal:
            yield port.label
            label, _ = places.port(port)
            if label:
                yield label
    for value in kernel.values():
        for each in (value, *value.args):
            if each.label is not None:
                yield from each.label.names
        if value.op is OPS.source:
            yield places.source(value.attr)


def _component(name: SymbolName, text: str) -> bool:
    """Return whether a text names components of the register that `name` belongs to."""
    *whole, last = name.steps
    base = f"{''.join(whole)}."
    letters = text.removeprefix(base)
    return last in COMPONENTS and text.startswith(base) and {*letters} <= LETTERS and letters != ""


def _beside(name: SymbolName, text: str) -> Iterator[str]:
    """Yield a name if it belongs to the register of an unknown name."""
    first, *others = name.steps
    if others and text.startswith((f"{first}.", f"{first}[")):
        yield name
