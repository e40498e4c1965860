"""Coverage by lines of a source, of a module that was compiled with debug information.

4  float twice(float x) {
5      return x + x;                   called from two places
6  }
7  void main() {
8      float x = values[i];
9      if (x > 1.0)
10         x = twice(x);
11     values[i] = twice(x);
12 }
"""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.testing.test_plugin import imported, place, run_pytest

__all__ = ["imported", "place"]

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow
MODULE = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 4 1 1
%file = OpString "shaders/twice.comp"
OpSource GLSL 450 %file "void main() {}"
OpName %values "values"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %values DescriptorSet 0
OpDecorate %values Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v3uint = OpTypeVector %uint 3
%ids = OpTypePointer Input %v3uint
%local = OpTypePointer Function %float
%unary = OpTypeFunction %float %float
%array = OpTypeRuntimeArray %float
%block = OpTypeStruct %array
%blocks = OpTypePointer StorageBuffer %block
%number = OpTypePointer StorageBuffer %float
%zero = OpConstant %uint 0
%one = OpConstant %float 1
%id = OpVariable %ids Input
%values = OpVariable %blocks StorageBuffer
%main = OpFunction %void None %function
%start = OpLabel
%x = OpVariable %local Function
OpLine %file 8 5
%all = OpLoad %v3uint %id
%i = OpCompositeExtract %uint %all 0
%at = OpAccessChain %number %values %zero %i
%old = OpLoad %float %at
OpStore %x %old
OpLine %file 9 5
%big = OpFOrdGreaterThan %bool %old %one
OpSelectionMerge %after None
OpBranchConditional %big %then %after
%then = OpLabel
OpLine %file 10 9
%first = OpFunctionCall %float %twice %old
OpStore %x %first
OpBranch %after
%after = OpLabel
OpLine %file 11 5
%now = OpLoad %float %x
%last = OpFunctionCall %float %twice %now
OpStore %at %last
OpReturn
OpFunctionEnd
%twice = OpFunction %float None %unary
%given = OpFunctionParameter %float
%body = OpLabel
OpLine %file 5 5
%sum = OpFAdd %float %given %given
OpReturnValue %sum
OpFunctionEnd
"""
TEST = """
def test_it(shader):
    assert shader("twice.spv").dispatch(1, values=[0.0, 1.0, 2.0, 3.0])["values"].tolist() == [
        0, 2, 8, 12,
    ]
"""
COUNTS = ["BRDA:9,0,0,2", "BRDA:9,0,1,2", "BRF:2", "BRH:2",
          "DA:5,6", "DA:8,4", "DA:9,4", "DA:10,2", "DA:11,4", "LF:5", "LH:5"]  # fmt: skip


def covered(place: pytest.Pytester) -> list[str]:
    """Return the lines of LCOV of a run of the test."""
    unshade.assemble(MODULE, "spirv").save(place.path / "twice.spv")
    place.makepyfile(TEST)
    options = "--shader-coverage=out.info", "--shader-coverage-by-source"
    run_pytest(place, *options).assert_outcomes(passed=1)
    return (place.path / "out.info").read_text().splitlines()


def test_a_source_in_the_project_is_named(place: pytest.Pytester) -> None:
    source = place.path / "shaders" / "twice.comp"
    source.parent.mkdir()
    source.write_text("void main() {}")
    assert covered(place) == ["TN:", f"SF:{source}", *COUNTS, "end_of_record"]
    assert not (place.path / "out.info.sources").exists()


def test_a_source_in_the_shader_alone_is_written(place: pytest.Pytester) -> None:
    written = place.path / "out.info.sources" / "shaders_twice.comp"
    assert covered(place)[1] == f"SF:{written}"
    assert "void main() {}" in Path(written).read_text()


def test_counts_of_several_runs_and_programs_are_added() -> None:
    from unshade.testing.lcov import by_source, merge

    part = {"lines": {"5": 2}, "branches": {"5,0": [1, 1]}}
    one = {"listing": ["ret"], **part, "sources": {"a.hlsl": {"text": None, **part}}}
    records: dict[str, object] = {}
    merge(records, {"x": one, "y": one, "z": {**one, "sources": {}}})  # type: ignore[arg-type]
    merge(records, {"x": one})  # type: ignore[arg-type]
    sources, rest = by_source(records)  # type: ignore[arg-type]
    assert [*rest] == ["z"]
    assert sources["a.hlsl"]["lines"] == {"5": 6}
    assert sources["a.hlsl"]["branches"] == {"5,0": [2, 2], "5,1": [1, 1]}


def test_the_text_of_a_source_has_its_lines_where_they_are_counted() -> None:
    from unshade.testing.lcov import record
    from unshade.vm.lockstep.debug import Coverage

    coverage = Coverage()
    for number in (1, 2):
        coverage._sources["a.comp", number] = {(None, 1): number}
    text = "// OpModuleProcessed client vulkan100\n#line 1\n#version 450\nvoid main() {}\n"
    found = record(coverage, [], {"a.comp": text})
    assert found["sources"]["a.comp"]["lines"] == {"1": 1, "2": 2}
    assert found["sources"]["a.comp"]["text"].startswith("#version 450\nvoid main() {}\n")
