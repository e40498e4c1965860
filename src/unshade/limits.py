"""Bounds on the work that a file may cause.

No memory is allocated on the word of a file: a count is compared with the bytes that are left
first. *Sharing* remains possible: a thousand pointers to one long string, or a tree whose
nodes point at each other. The limits bound that; LimitError names the limit that was exceeded.
"""

from .errors import LimitError, UsageError


class Limits:
    """Bounds on the work of one `loads` and of every operation on its result.

    file_size     size of a file in bytes
    parts         parts of a container; state objects in a state object
    string_size   size of a string in bytes
    overlap       bytes reached through pointers, as a multiple of the size of the data: two
                  pointers to one string reach it once, two strings with a common tail reach the
                  tail twice
    sharing       bytes visited on a walk through all records of a region, shared ones once for
                  each reference, in addition to 16 for each byte of the region
    depth         nesting of records
    nesting       nesting of statements and expressions, in programs that are trees
    instructions  instructions of a program
    nodes         values of a plain-data tree (`to_data`), in which shared records are repeated
    members       lines of structures in a listing, in which shared types are repeated
    inflated      bytes of compressed data of a part, or of all that an audit reads, after they are
                  inflated; an audit also counts bytes that are read in vain
    unpacked      bytes unpacked from archives by one search, or read in vain, in addition to 16 for
                  each byte of the data that is searched; every entry is also a file, of at most
                  `file_size`
    entries       entries of archives read by one search, and headers that are followed in vain
    layers        archives in each other
    texels        texels of a texture, without its smaller mip levels
    compile_seconds   seconds of one compilation of a source
    compile_memory    bytes of address space of a compiler's process, where the system limits it
    scan_seconds  seconds that a scan into a catalogue spends on a shader; three times as much on a
                  file; and in addition 50 microseconds for each byte
    scan_memory   bytes of memory of a process that reads files for a catalogue, where the system
                  limits it
    printed       bytes that all threads of a call may print; beyond it nothing is printed
    printed_lines   lines that are printed of a call
    """

    __slots__ = (
        "compile_memory",
        "compile_seconds",
        "depth",
        "entries",
        "file_size",
        "inflated",
        "instructions",
        "layers",
        "members",
        "nesting",
        "nodes",
        "overlap",
        "parts",
        "printed",
        "printed_lines",
        "scan_memory",
        "scan_seconds",
        "sharing",
        "string_size",
        "texels",
        "unpacked",
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
        nesting: int = 128,
        instructions: int = 4_000_000,
        nodes: int = 2_000_000,
        members: int = 100_000,
        inflated: int = 64 << 20,
        unpacked: int = 1 << 30,
        entries: int = 1_000_000,
        layers: int = 8,
        texels: int = 128 << 20,
        compile_seconds: int = 60,
        compile_memory: int = 4 << 30,
        scan_seconds: int = 60,
        scan_memory: int = 4 << 30,
        printed: int = 64 << 20,
        printed_lines: int = 10_000,
    ) -> None:
        for name, given in locals().items():
            if name != "self" and (not isinstance(given, int) or given < 0):
                raise UsageError(f"{name}: expected an int of at least 0, got {given!r:.40}")
        self.file_size = file_size
        self.parts = parts
        self.string_size = string_size
        self.overlap = overlap
        self.sharing = sharing
        self.depth = depth
        self.nesting = nesting
        self.instructions = instructions
        self.nodes = nodes
        self.members = members
        self.inflated = inflated
        self.unpacked = unpacked
        self.entries = entries
        self.layers = layers
        self.texels = texels
        self.compile_seconds = compile_seconds
        self.compile_memory = compile_memory
        self.scan_seconds = scan_seconds
        self.scan_memory = scan_memory
        self.printed = printed
        self.printed_lines = printed_lines

    def __repr__(self) -> str:
        """Return the limits that differ from the defaults."""
        changed = [
            f"{name}={value}"
            for name in self.__slots__
            if (value := getattr(self, name)) != (Limits.__init__.__kwdefaults__ or {})[name]
        ]
        return f"Limits({', '.join(changed)})"


DEFAULT = Limits()


def limit_memory(size: int, *, mapped: bool = True) -> None:
    """Limit the address space of this process where the platform can; MemoryError beyond it.

    No core dump is written of it. Files that are mapped count unless `mapped` is False.
    """
    from contextlib import suppress

    try:
        import resource
    except ImportError:  # Windows
        return
    for name, most in (("RLIMIT_CORE", 0), ("RLIMIT_AS" if mapped else "RLIMIT_DATA", size)):
        with suppress(AttributeError, ValueError, OSError):  # of a platform that has the name alone
            number = getattr(resource, name)
            _, hard = resource.getrlimit(number)
            soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(number, (soft, hard))


def check_file_size(size: int, limits: Limits) -> None:
    """Raise LimitError if the size of a file exceeds the limit."""
    if size > limits.file_size:
        raise LimitError("file_size", limits.file_size, size)
