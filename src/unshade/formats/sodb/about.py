"""The description of State Object Databases for the registry and the command line."""

from ...format import Format

MAGIC = b"SQLite format 3\0"
APPLICATION_ID = bytes.fromhex("0d3d50db")  # of any SQLite file of this kind, at byte 68


def is_sodb(data: bytes) -> bool:
    """Return True if a file of SQLite is a State Object Database, by its application id."""
    return data[68:72] == APPLICATION_ID


SODB = Format(
    "sodb",
    MAGIC,
    "unshade.formats.sodb.file:Sodb",
    matches=is_sodb,
    suffix=".sodb",
    beside=("-wal", "-journal"),  # a write-ahead log, a journal for rolling back
    stores_pipelines=True,
    strips=(("debug", "debug information of every shader"),),
)
