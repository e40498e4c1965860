"""The description of MSF files for the registry and the command line."""

from ...format import Format

MSF = Format(
    "msf",
    b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0",
    "unshade.formats.msf.file:MsfFile",
    suffix=".pdb",
    pipelines="direct3d",
    strips=(("private", "everything but the identity"),),
    reveals=((r"streams\[1\]\.signature$", "time"),),
)
