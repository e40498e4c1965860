"""How much work a file may ask for.

Numbers that a file declares are never trusted with memory: a count is first compared with the
bytes that are left. What remains possible is *sharing*: a thousand pointers to one long string, or
a tree whose nodes point at each other. The limits here bound that, and name themselves when hit.
"""

from .errors import UsageError


class Limits:
    """Bounds on the work that one `loads` may cause.

    file_size     bytes of one file
    parts         parts of one container
    string_size   bytes of one string
    overlap       bytes that pointers may reach, as a multiple of the bytes there are: two pointers
                  to one string reach it once, two strings that share a tail reach the tail twice
    sharing       bytes that a region may have when all that is shared is repeated, beyond 16 for
                  each byte that it has: what one meets on a walk through its records
    depth         records inside records
    instructions  instructions of one program
    nodes         values of one plain-data tree (`to_data`): shared records are repeated there
    members       lines of structures in one listing: shared types are repeated there
    """

    __slots__ = (
        "depth",
        "file_size",
        "instructions",
        "members",
        "nodes",
        "overlap",
        "parts",
        "sharing",
        "string_size",
    )

    def __init__(
        self,
        *,
        file_size: int = 256 << 20,
        parts: int = 4096,
        string_size: int = 64 << 10,
        overlap: int = 4,
        sharing: int = 1 << 20,
        depth: int = 64,
        instructions: int = 4_000_000,
        nodes: int = 2_000_000,
        members: int = 100_000,
    ) -> None:
        for name, given in locals().items():
            if name != "self" and (not isinstance(given, int) or given < 0):
                raise UsageError(f"a limit is a number from 0 up, not {name}={given!r:.40}")
        self.file_size = file_size
        self.parts = parts
        self.string_size = string_size
        self.overlap = overlap
        self.sharing = sharing
        self.depth = depth
        self.instructions = instructions
        self.nodes = nodes
        self.members = members

    def __repr__(self) -> str:
        """What differs from the usual."""
        told = [
            f"{name}={value}"
            for name in self.__slots__
            if (value := getattr(self, name)) != (Limits.__init__.__kwdefaults__ or {})[name]
        ]
        return f"Limits({', '.join(told)})"


DEFAULT = Limits()
