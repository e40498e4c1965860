"""A user's own script: with `mypy --strict`, with threads, at a prompt."""

import sys
import threading

import pytest

import unshade
from tests.examples import EXAMPLES

PHONG = EXAMPLES / "phong.dxbc"


def test_documented_code_type_checks() -> None:
    """mypy reads this too: parts and instructions are known to every `Shader`."""
    shader: unshade.Shader = unshade.open(PHONG)
    name: str = shader["RDEF"].buffers[0].variables[1].name
    assert name == "u_eye"
    assert "RDEF" in shader
    assert "NOPE" not in shader
    sizes = {part.name: part.size for part in shader.parts.all("RDEF", "STAT")}
    assert sizes == {"RDEF": 620, "STAT": 148}
    assert shader.parts["STAT"].title == "statistics"
    for program in shader.programs:
        assert program.entry_points == [("main", "pixel")]
        assert program.instructions[-1].name == "ret"
        program.replace(-2, "nop")
    assert str(shader.programs[0].instructions[-2]) == "nop"


def test_a_format_without_parts_says_so() -> None:
    shader = unshade.Shader()
    assert len(shader.parts) == 0
    assert shader.parts.all("RDEF") == []
    assert shader.parts[:1] == ()
    assert "RDEF" not in shader
    with pytest.raises(unshade.UsageError, match="not made of parts"):
        shader["RDEF"]


@pytest.mark.slow
def test_threads_can_share_a_shader() -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(2):
            shader = unshade.open(PHONG)
            start = threading.Barrier(4)
            found: list[object] = []

            def look(
                shader: unshade.Shader = shader,
                start: threading.Barrier = start,
                found: list[object] = found,
            ) -> None:
                start.wait()
                found.append((id(shader["RDEF"]), len(shader.disassemble()), len(shader.spans())))

            threads = [threading.Thread(target=look) for _ in range(4)]
            for each in threads:
                each.start()
            for each in threads:
                each.join()
            assert len(found) == 4
            assert len(set(found)) == 1
    finally:
        sys.setswitchinterval(interval)


def test_at_a_prompt() -> None:
    assert repr(unshade.Limits()) == "Limits()"
    assert repr(unshade.Limits(parts=3)) == "Limits(parts=3)"


def test_invalid_files_and_bytes() -> None:
    with pytest.raises(unshade.UsageError, match=r"got bytes"):
        unshade.open(b"DXBC")  # type: ignore[arg-type]
    with pytest.raises(unshade.UsageError, match="expected bytes, got int"):
        unshade.loads(5)  # type: ignore[arg-type]
