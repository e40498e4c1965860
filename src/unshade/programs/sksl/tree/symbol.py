"""The base class of symbols, the named objects of a program."""

from .node import TreeNode, extra

__all__ = ["Symbol"]


class Symbol(TreeNode):
    """A variable, function, set of overloads, field or type.

    `builtin` is True for symbols of Skia's modules, which a program refers to by name.
    """

    builtin: bool = extra("it is of a module, not of the program", default=False)

    @property
    def name(self) -> str:
        """The name in source; empty if there is none."""
        return ""
