"""One of several by a number: registers, functions or resources that a program chooses.

    each_of(b, which, (2, 5), call)             switch %which {
                                                  case 2 { … }      what call(2) appends
                                                  case 5 { … }      what call(5) appends
                                                }

    one_of(b, which, (2, 5), read, zero)        the same, each case giving a value to a variable
                                                that has `zero` before

With a number that is none of them a lane does nothing, and has the value `otherwise`.
"""

from collections.abc import Callable, Iterable

from .builder import Builder
from .kernel import Value

__all__ = ["each_of", "one_of"]


def each_of(b: Builder, which: Value, numbers: Iterable[int], do: Callable[[int], object]) -> None:
    """Append a switch; `do` appends what lanes do that have a number."""
    switch = b.switch(which)
    for number in numbers:
        with b.case(switch, number):
            do(number)


def one_of(
    b: Builder,
    which: Value,
    numbers: Iterable[int],
    make: Callable[[int], Value],
    otherwise: Value,
    name: str = "chosen",
) -> Value:
    """Return the value that `make` appends for a lane's number; `otherwise` for other numbers."""
    chosen = b.var(f"{name}.{len(b.kernel.variables)}", otherwise.type, internal=True)
    b.set(chosen, otherwise)
    each_of(b, which, numbers, lambda number: b.set(chosen, make(number)))
    return b.get(chosen)
