"""The tools that write SHBIN files, and how their files are told apart.

    long     DVLP header of 0x28 bytes, code, descriptors, then each DVLE with its tables:
             constants, labels, outputs, uniforms, names
    short    DVLP header of 0x1c bytes, the DVLE headers, code, descriptors, then of each DVLE
             outputs, constants, uniforms, labels, names

An empty table stands where the next one begins; in short files its offset is 0. Names are those of
uniforms, then those of labels; nihstro has labels first. No file says who wrote it, and most of
these are habits: readers should follow the offsets.

Source: 137 files of all but the vendor's linker; for that 3dbrew and GBATEK.
"""

# ruff: noqa: E501
COLUMNS = (
    "layout",
    "DVLE version",
    "labels",
    "end of main",
    "masks",
    "descriptors",
    "filled up to 4",
)

# fmt: off
WRITERS: dict[str, tuple[str, ...]] = {
    "picasso": ("long",  "0x1002", "none",           "behind the last word", "of names, of the output table", "second word 0",                   "yes"),
    "aemstro": ("long",  "0",      "numbered from 0", "its end label",        "0",                             "bit 31 set, second word 0xf",     "between DVLEs"),
    "nihstro": ("short", "0",      "all numbered 0", "0",                    "0",                             "second word 0",                   "no"),
    "azahar":  ("short", "0",      "none",           "0",                    "0",                             "4096, as the program's words",    "no"),
    "vendor":  ("long",  "0x0c02", "flag 1, size 0xffffffff", "end label",   "set",                           "bit 31 set in most, second word 0xf, 7 or 3", "not known"),
}
# fmt: on
