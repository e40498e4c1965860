"""Root signatures of containers as text: on the shader, listed and assembled."""

import pytest

import unshade
from tests.fixtures import blog_vs_4_0 as blog
from unshade import AssembleError, UnsupportedError, UsageError
from unshade.formats.dxcontainer import DxContainer

TEXT = "// rootsig_1_0\nRootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT),\nCBV(b0, space=1)\n"


def assembled(text: str, **options: object) -> DxContainer:
    shader = unshade.assemble(text, **options)  # type: ignore[arg-type]
    assert isinstance(shader, DxContainer)
    return shader


def test_alone() -> None:
    shader = assembled(TEXT)
    assert [part.name for part in shader.parts] == ["RTS0"]
    assert shader["RTS0"].version == 1
    assert shader.disassemble() == shader.disassemble("rootsig") == TEXT
    again = unshade.loads(shader.to_bytes())
    assert again.digest_state == "retail"
    assert again.disassemble() == TEXT


@pytest.mark.parametrize("text", ['"CBV(b0)"', "\n// a comment\nDescriptorTable(SRV(t0))"])
def test_recognised_without_a_profile(text: str) -> None:
    assert assembled(text)["RTS0"].version == 2


def test_a_donor_gets_the_root_signature() -> None:
    donor = unshade.loads(blog.build())
    shader = assembled(TEXT, donor=donor)
    assert shader["SHDR"] == donor["SHDR"]
    assert shader.disassemble("rootsig") == TEXT
    assert shader.disassemble() == donor.disassemble()
    assert assembled(TEXT, donor=shader).to_bytes() == shader.to_bytes()


def test_root_signature_of_a_shader() -> None:
    shader = unshade.loads(blog.build())
    assert isinstance(shader, DxContainer)
    assert shader.root_signature is None
    shader.root_signature = "CBV(b0)"
    assert shader["RTS0"].version == 2
    shader["RTS0"].version = 1
    shader.root_signature = "SRV(t0)"
    assert (shader["RTS0"].version, shader.root_signature) == (1, "SRV(t0)")
    shader.root_signature = None
    assert shader.to_bytes() == blog.build()
    with pytest.raises(UsageError, match="expected text or None"):
        shader.root_signature = 3  # type: ignore[assignment]
    with pytest.raises(AssembleError):
        shader.root_signature = "CBV()"


def test_what_has_no_text() -> None:
    with pytest.raises(UnsupportedError, match="expected a part RTS0"):
        unshade.loads(blog.build()).disassemble("rootsig")
    shader = assembled(TEXT)
    with pytest.raises(UsageError):
        shader.disassemble("rootsig", generation="10.1")
    shader["RTS0"].version = 7
    with pytest.raises(UnsupportedError, match="nothing to list"):
        shader.disassemble()


def test_errors_name_the_file_and_line() -> None:
    with pytest.raises(AssembleError) as caught:
        unshade.assemble("// rootsig_1_1\nCBV(b0, spce=1)\n")
    assert (caught.value.line, caught.value.column) == (2, 9)
    with pytest.raises(UsageError):
        unshade.assemble("CBV(b0)", debug=True)


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("CBV(t0)", (1, 5), "expected a register such as b0, got 't0'"),
        ("uav(b0)", (1, 5), "expected a register such as u0, got 'b0'"),
        ("\n// rootsig_1_3\nCBV(b0)", (2, 1), "expected a version of 1.0, 1.1, 1.2, got '1.3'"),
    ],
)
def test_wrong_clauses_are_still_root_signatures(
    text: str, place: tuple[int, int], problem: str
) -> None:
    with pytest.raises(AssembleError) as caught:
        unshade.assemble(text)
    assert ((caught.value.line, caught.value.column), caught.value.problem) == (place, problem)


def test_flags_of_version_1_0_are_refused() -> None:
    with pytest.raises(AssembleError) as caught:
        unshade.assemble("// rootsig_1_0\nDescriptorTable(SRV(t0, flags=DATA_STATIC))\n")
    assert (caught.value.line, caught.value.column) == (2, 31)
    shader = assembled(TEXT)
    with pytest.raises(AssembleError, match=r"need version 1\.1"):
        shader.root_signature = "CBV(b0, flags=DATA_STATIC)"
    assert shader.root_signature == assembled(TEXT).root_signature
    shader = assembled("// rootsig_1_1\nCBV(b0, flags=DATA_STATIC)")
    shader["RTS0"].version = 1
    (finding,) = [each for each in shader.verify() if each.code == "rts0.flags-version"]
    assert finding.path == "RTS0.parameters[0].payload.flags"


def test_a_finding_about_the_text_lasts_until_the_next_text() -> None:
    text = "DescriptorTable(CBV(b0, offset=4294967295), CBV(b1))"
    shader = assembled(text)
    for _ in range(2):
        (finding,) = shader.diagnostics
        assert finding in shader.verify()
        assert finding.code == "rts0.offset-text"
        assert finding.path == "RTS0.parameters[0].payload.ranges[0].table_offset"
        assert "line 1, column 32" in finding.message
        shader.root_signature = None
        shader.root_signature = text
    assert "rts0.offset-text" not in {
        each.code for each in unshade.loads(shader.to_bytes()).verify()
    }
    shader.root_signature = "CBV(b0)"
    assert "rts0.offset-text" not in {each.code for each in shader.verify()}
