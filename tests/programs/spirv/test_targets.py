"""The target that the comments of a text state."""

import pytest

from unshade.programs.spirv.assembler.targets import stated_target


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("; SPIR-V\n; Version: 1.3\nOpNop", "spv1.3"),
        ("\n  ; Version: 1.2\r\nOpNop", "spv1.2"),
        ("; a\x0c; Version: 1.1", "spv1.1"),
        ("; Version: 1.9\n; Version: 1.4", "spv1.4"),
        ("; Version: 1.33\n", "spv1.6"),
        ("OpNop\n; Version: 1.3\n", "spv1.6"),
        ("", "spv1.6"),
    ],
)
def test_the_first_comments_state_the_version(text: str, target: str) -> None:
    assert stated_target(text) == target
