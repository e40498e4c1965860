"""VERS: the compiler that made a DXIL program. Two texts follow the header.

    +0 u16 major   +2 u16 minor   +4 u32 flags   +8 u32 commits   +12 u32 size of the texts
    +16 commit, NUL, custom version, NUL, padded with zeros to 4 bytes

Source: DXC DxilContainer.h (DxilCompilerVersion), checked on files.
"""

from ....wire import Record, derived, field, text, u16, u32
from .description import Category, LlvmForm, PartDescription
from .kind import RecordKind


class CompilerVersion(Record, source="DXC DxilContainer.h (DxilCompilerVersion)"):
    """The VERS part."""

    major: u16 = field("major version")
    minor: u16 = field("minor version")
    flags: u32 = field("1: debug build, 2: internal build of Microsoft")
    commit_count: u32 = field("number of commits in the history")
    text_size: u32 | None = derived(
        "size of the texts in bytes", "bytes((commit_hash, custom_version))"
    )
    commit_hash: str = text("hash of the last commit")
    custom_version: str = text("version as the compiler prints it")


PARTS = {
    "VERS": PartDescription(
        "compiler version",
        Category.COMPILER,
        RecordKind(CompilerVersion),
        by_dxc=True,
        llvm=LlvmForm(
            "CompilerVersion",
            keys={
                "major": "Major?",
                "minor": "Minor?",
                "flags": "IsDebugBuild:1? IsValidated:1?",
                "commit_count": "CommitCount?",
                "text_size": "ContentSizeInBytes?",
                "commit_hash": "CommitSha?",
                "custom_version": "CustomVersionString?",
            },
            printed=False,
        ),
    )
}
