"""Sources and arguments that a container holds."""

from tests.fixtures.containers import container
from tests.fixtures.one_of_each import sources, typed
from tests.programs.dxil.modules import MINIMAL
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.programs.dxil import Program

SOURCE = r"""
!dx.source.contents = !{!3, !4}
!dx.source.args = !{!5}

!3 = !{!"main.hlsl", !"void main() {}\0A"}
!4 = !{!"lib.hlsli", !"// \E9"}
!5 = !{!"/T", !"vs_6_0", !"-I", !"/usr/include", !"-Zi"}
"""


def debug_program() -> bytes:
    """Return the data of a part with a program that holds its source."""
    entry = 'void ()* @main, !"main"'
    text = MINIMAL.format(stage="vs", minor=0, entry=entry, interface="null, null")
    return Program.assemble(text + SOURCE).encode()


def test_sources_in_metadata() -> None:
    shader = DxContainer.loads(container([("ILDB", debug_program())]))
    assert shader.sources() == {
        "main.hlsl": b"void main() {}\n",
        "lib.hlsli": b"// \xe9",
        "arguments.txt": b"/T vs_6_0\n-I /usr/include\n-Zi\n",
    }


def test_a_part_with_sources_precedes_metadata() -> None:
    shader = DxContainer.loads(typed("SRCI", sources()))
    alone = shader.sources()
    shader.parts.append(DxPart("ILDB", debug_program()))
    assert shader.sources() == alone
    assert alone["arguments.txt"] == b"-T ps_6_0\n-E main\n"
