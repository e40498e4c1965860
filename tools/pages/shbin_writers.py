"""Tools that write SHBIN files, and the differences between their files.

    long     DVLP header of 0x28 bytes, code, descriptors, then each DVLE with its tables:
             constants, labels, outputs, uniforms, names
    short    DVLP header of 0x1c bytes, the DVLE headers, code, descriptors, then for each DVLE
             outputs, constants, uniforms, labels, names

The offset of an empty table is the offset of the next table; in short files it is 0. The symbol
table contains the names of uniforms, then the names of labels; nihstro writes labels first. A file
does not name its writer, and most of these differences are conventions: readers should follow the
offsets.

Source: 137 files of all writers but the vendor's linker; for the vendor's linker, 3dbrew and
GBATEK.
"""

# ruff: noqa: E501
COLUMNS = (
    "layout",
    "DVLE version",
    "labels",
    "end of main",
    "masks",
    "descriptors",
    "padded to 4",
)

# fmt: off
WRITERS: dict[str, tuple[str, ...]] = {
    "picasso": ("long",  "0x1002", "none",           "after the last word", "from names and output table", "second word 0",                   "yes"),
    "aemstro": ("long",  "0",      "numbered from 0", "its end label",        "0",                             "bit 31 set, second word 0xf",     "between DVLEs"),
    "nihstro": ("short", "0",      "all numbered 0", "0",                    "0",                             "second word 0",                   "no"),
    "azahar":  ("short", "0",      "none",           "0",                    "0",                             "4096, like the code",    "no"),
    "vendor":  ("long",  "0x0c02", "flag 1, size 0xffffffff", "end label",   "set",                           "bit 31 set in most, second word 0xf, 7 or 3", "not known"),
}
# fmt: on
