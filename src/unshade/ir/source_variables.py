"""Variables of the source whose values debug information gives: DebugValue, llvm.dbg.value.

    shade::light.colour[1].x      a variable of the kernel for each scalar
    shade::r@11.x                 of another variable of the same name and function, by its line

Nothing reads these variables: engines remove them, and a debugger shows them.
"""

from collections.abc import Hashable

from .builder import Builder
from .kernel import Value
from .locations import SymbolName
from .memory import Var

__all__ = ["SourceVariables"]

MOST = 1 << 12  # scalars
MOST_SETS = 1 << 16  # beyond which later values are left out


class SourceVariables:
    """The variables of a kernel that hold scalars of variables of the source."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self._known: dict[tuple[Hashable, str], Var] = {}
        self._rows: dict[str, Hashable] = {}  # the variable that has a name first
        self._sets = 0

    def set(self, variable: Hashable, line: int, name: SymbolName, value: Value) -> None:
        """Append a set of a scalar.

        A scalar beyond the limits, or one that had another type before, is left out: debug
        information does not make a program too large to run.

        Args:
            variable: The variable of the source.
            line: The line of its declaration.
            name: The name of the scalar.
            value: Its value.
        """
        key = variable, str(name)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MOST:
                return
            row = name.whole
            if self._rows.setdefault(row, variable) != variable:
                row = f"{row}@{line}"
            text = row + "".join(name.steps[name.scope + 1 :])
            unique = self.b.names.unique(text)
            row = row if unique == text else unique
            known = self._known[key] = self.b.var(unique, value.type, row=row, gives=name)
        if known.type == value.type and self._sets < MOST_SETS:
            self._sets += 1
            self.b.set(known, value)
