"""The base class of symbols: what has a name in a program."""

from .node import TreeNode, extra

__all__ = ["Symbol"]


class Symbol(TreeNode):
    """A variable, function, set of overloads, field or type.

    `builtin` is True for those of Skia's modules, which a program refers to by name.
    """

    builtin: bool = extra("it is of a module, not of the program", default=False)

    @property
    def name(self) -> str:
        """The name in source; empty if it has none."""
        return ""
