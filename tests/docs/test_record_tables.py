"""The table of a record's fields, as the documentation shows it."""

from tools.pages.records import markdown
from unshade.wire import U8, Record, array, field, u8, u16, u32


class Row(Record, params=("wide", "named")):
    """A row with optional fields."""

    first: u32 = field("there in all", when="wide")
    second: u16 = field("behind it")
    third: u32 = field("the name", when="wide and named")
    fourth: u32 = field("another", when="not wide")
    fifth: list[int] = array("three bytes", U8, count="3")
    sixth: u8 = field("how many")
    seventh: list[int] = array("so many", U8, count="sixth")
    eighth: u8 = field("behind what has no fixed size")


def offsets(record: type[Record]) -> dict[str, str]:
    rows = [line.split(" | ") for line in markdown(record).splitlines() if "`" in line]
    return {row[2].strip("`"): row[0].strip("| ") for row in rows}


def test_offsets_after_optional_fields() -> None:
    assert offsets(Row) == {
        "first": "0x00",
        "second": "0x00 or 0x04",
        "third": "0x06",
        "fourth": "0x02",
        "fifth": "0x06 or 0x0a",
        "sixth": "0x09 or 0x0d",
        "seventh": "0x0a or 0x0e",
        "eighth": "",
    }
