"""SPIR-V modules as files."""

import pytest

import unshade
from tests.cli.terminal import unshade as run_verb
from tests.examples import EXAMPLES
from tests.formats.sizes import check_size_is_limited
from tests.programs.spirv.modules import SAXPY, debugged, module, one_of_each
from unshade import SpirvModule
from unshade.isa.source import Source

CLAY = EXAMPLES / "clay.frag.spv"


def test_bytes_after_the_module_can_be_replaced() -> None:
    shader = SpirvModule.loads(one_of_each()["little"] + b"\0\0\0\0")
    assert shader.trailing == b"\0\0\0\0"
    assert [each.code for each in shader.diagnostics] == ["spirv.trailing"]
    assert shader.damage is None
    shader.trailing = b""
    assert shader.to_bytes() == one_of_each()["little"]


def test_a_module_that_is_cut_off_in_an_instruction_is_damaged() -> None:
    cut = unshade.loads(one_of_each()["little"][:-4])
    assert cut.damage is None  # between two instructions
    half = unshade.loads(module(0x0002_0011, 1, 0x0003_0011))
    assert isinstance(half.damage, unshade.FormatError)
    assert (half.damage.offset, half.damage.path) == (28, "trailing")
    assert half.damage.problem == "expected an instruction of 3 words, got 4 bytes"
    assert "OpCapability Shader" in half.disassemble()


def test_options_of_the_listing() -> None:
    shader = unshade.loads(one_of_each()["named"])
    assert "%main" in shader.disassemble()
    assert "%main" not in shader.disassemble(raw_id=True)
    assert "; SPIR-V" not in shader.disassemble(header=False)
    with pytest.raises(unshade.UsageError, match="no option 'ofsets'; did you mean offsets"):
        shader.disassemble(ofsets=True)


def test_options_of_the_assembler() -> None:
    text = "%7 = OpTypeVoid"
    made = unshade.assemble(text, preserve_numeric_ids=True, target="vulkan1.1")
    assert isinstance(made, SpirvModule)
    assert (made.program.version, made.program.module.bound) == ("1.3", 8)
    with pytest.raises(unshade.UsageError, match="no option 'targets'; did you mean target"):
        unshade.assemble(text, targets="vulkan1.1")
    with pytest.raises(unshade.UsageError, match="expected one text, got 2"):
        unshade.assemble([Source(text), Source(text)], "spirv")


def test_the_identity_has_every_entry_point() -> None:
    shader = unshade.assemble(SAXPY.read_text("utf-8"))
    found = shader.identity()
    assert (found.stage, found.model, found.entry_point) == ("compute", "1.6", "main")
    assert unshade.loads(module(0x0002_0011, 1)).identity().entry_points == []


def test_sources_are_extracted() -> None:
    shader = unshade.loads(debugged().to_bytes())
    assert shader.extract() == {"a.comp": b"first half, second half", "a.comp.1": b"void main() {}"}


def test_the_size_of_a_file_is_limited() -> None:
    check_size_is_limited(SpirvModule.loads, next(iter(one_of_each().values())))


BLOCK = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 4
OpDecorate %v DescriptorSet 0
OpDecorate %v Binding 0
%void = OpTypeVoid
%float = OpTypeFloat 32
%v3float = OpTypeVector %float 3
%block = OpTypeStruct %float %v3float
%pointer = OpTypePointer Uniform %block
%v = OpVariable %pointer Uniform
%f = OpTypeFunction %void
%main = OpFunction %void None %f
%entry = OpLabel
OpReturn
OpFunctionEnd
"""


def test_options_of_spirv_val_relax_rules() -> None:
    shader = unshade.assemble(BLOCK, "spirv", target="spv1.0")

    def codes(**options: bool) -> list[str]:
        return [each.code for each in shader.verify(target="vulkan1.0", **options)]

    assert codes() == codes(relax_block_layout=True) == []
    assert codes(scalar_block_layout=False) == ["spirv.block-layout"]
    assert codes(scalar_block_layout=False, relax_block_layout=True) == []
    assert codes(scalar_block_layout=False, skip_block_layout=True) == []
    with pytest.raises(unshade.UsageError, match="no option 'relax_layout'"):
        shader.verify(relax_layout=True)


def test_the_command_line_has_each_option_of_the_validator() -> None:
    from unshade.formats.spirv.about import SPIRV
    from unshade.programs.spirv.validate import NAMES

    assert sorted(each.name for each in SPIRV.verifier) == sorted([*NAMES, "target"])
    ended = run_verb("verify", "--no-scalar-block-layout", "--relax-block-layout", CLAY)
    assert (ended.code, ended.out) == (0, "")
