import pytest

import unshade

from .modules import run, shader

LANES = (
    "%scope = OpConstant %uint 3\n%v4uint = OpTypeVector %uint 4\n%v2uint = OpTypeVector %uint 2"
)
WORDS = [5, 3, 8, 2, 9, 1, 7, 6]
MINUS = 0xFFFF_FFFF


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("%y = OpGroupNonUniformIAdd %uint %scope Reduce %x", [18] * 4 + [23] * 4),
        ("%y = OpGroupNonUniformUMax %uint %scope InclusiveScan %x", [5, 5, 8, 8, 9, 9, 9, 9]),
        ("%y = OpGroupNonUniformIAdd %uint %scope ExclusiveScan %x", [0, 5, 8, 16, 0, 9, 10, 17]),
        ("%y = OpGroupNonUniformIAdd %uint %scope ClusteredReduce %x %c2",
         [8, 8, 10, 10, 10, 10, 13, 13]),
        ("%y = OpGroupNonUniformShuffleXor %uint %scope %x %c1", [3, 5, 2, 8, 1, 9, 6, 7]),
        ("%y = OpGroupNonUniformBroadcast %uint %scope %x %c2", [8] * 4 + [7] * 4),
        ("%y = OpGroupNonUniformQuadSwap %uint %scope %x %c2", [2, 8, 3, 5, 6, 7, 1, 9]),
        ("%y = OpGroupNonUniformRotateKHR %uint %scope %x %c1", [3, 8, 2, 5, 1, 7, 6, 9]),
        ("%d = OpISub %uint %c3 %i\n%l = OpBitwiseAnd %uint %d %c3\n"
         "%y = OpGroupNonUniformShuffle %uint %scope %x %l", [2, 8, 3, 5, 6, 7, 1, 9]),
        ("%y = OpGroupNonUniformBroadcastFirst %uint %scope %x", [5] * 4 + [9] * 4),
        ("%y = OpSubgroupFirstInvocationKHR %uint %x", [5] * 4 + [9] * 4),
        ("%y = OpSubgroupReadInvocationKHR %uint %x %c3", [2] * 4 + [6] * 4),
        ("%v = OpSubgroupBallotKHR %v4uint %one\n%y = OpCompositeExtract %uint %v 0",
         [0] * 4 + [2] * 4),
    ],
)  # fmt: skip
def test_lanes_of_a_subgroup_exchange_values(code: str, expected: list[int]) -> None:
    module = shader(ONES + code, "%y", globals=LANES, group=8)
    assert run(module, WORDS, wave_size=4) == expected


# Only the second subgroup has a 1, in its second lane.
ONES = """%one = OpIEqual %bool %x %c1
%not = OpINotEqual %bool %x %c1
%bit = OpSelect %uint %one %c1 %c0
%first = OpCompositeConstruct %v2uint %bit %c1
%second = OpCompositeConstruct %v2uint %c1 %bit
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("OpGroupNonUniformAll %bool %scope %not", [1] * 4 + [0] * 4),
        ("OpGroupNonUniformAny %bool %scope %one", [0] * 4 + [1] * 4),
        ("OpGroupNonUniformAllEqual %bool %scope %bit", [1] * 4 + [0] * 4),
        ("OpGroupNonUniformAllEqual %bool %scope %first", [1] * 4 + [0] * 4),
        ("OpGroupNonUniformAllEqual %bool %scope %second", [1] * 4 + [0] * 4),
        ("OpGroupNonUniformElect %bool %scope", [1, 0, 0, 0] * 2),
        ("OpGroupNonUniformInverseBallot %bool %scope %mask", [1, 0, 1, 0] * 2),
        ("OpGroupNonUniformQuadAllKHR %bool %not", [1] * 4 + [0] * 4),
        ("OpGroupNonUniformQuadAnyKHR %bool %one", [0] * 4 + [1] * 4),
        ("OpSubgroupAllKHR %bool %not", [1] * 4 + [0] * 4),
        ("OpSubgroupAnyKHR %bool %one", [0] * 4 + [1] * 4),
        ("OpSubgroupAllEqualKHR %bool %one", [1] * 4 + [0] * 4),
    ],
)  # fmt: skip
def test_votes(code: str, expected: list[int]) -> None:
    text = f"{ONES}%z = {code}\n%y = OpSelect %uint %z %c1 %c0"
    constants = (
        "\n%five = OpConstant %uint 5\n%mask = OpConstantComposite %v4uint %five %c0 %c0 %c0"
    )
    module = shader(text, "%y", globals=LANES + constants, group=8)
    assert run(module, WORDS, wave_size=4) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("BallotBitCount %uint %scope Reduce %m", [24] * 64),
        ("BallotBitCount %uint %scope InclusiveScan %m", [max(n - 39, 0) for n in range(64)]),
        ("BallotBitCount %uint %scope ExclusiveScan %m", [max(n - 40, 0) for n in range(64)]),
        ("BallotFindLSB %uint %scope %m", [40] * 64),
        ("BallotFindMSB %uint %scope %m", [63] * 64),
        ("BallotFindLSB %uint %scope %none", [0xFFFF_FFFF] * 64),
        ("BallotFindMSB %uint %scope %none", [0xFFFF_FFFF] * 64),
    ],
)
def test_ballots_of_64_lanes(code: str, expected: list[int]) -> None:
    """The lanes from 40 on are in the second word."""
    test = "%t = OpUGreaterThan %bool %x %limit\n%m = OpGroupNonUniformBallot %v4uint %scope %t\n"
    constants = "\n%limit = OpConstant %uint 39\n%none = OpConstantNull %v4uint"
    module = shader(
        f"{test}%y = OpGroupNonUniform{code}", "%y", globals=LANES + constants, group=64
    )
    assert run(module, range(64), wave_size=64) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("%y = OpGroupNonUniformBallotBitCount %uint %scope Reduce %m", [2] * 4 + [2] * 4),
        ("%y = OpGroupNonUniformBallotFindLSB %uint %scope %m", [0] * 4 + [2] * 4),
        ("%y = OpGroupNonUniformBallotFindMSB %uint %scope %m", [2] * 4 + [3] * 4),
        ("%y = OpGroupNonUniformBallotBitCount %uint %scope InclusiveScan %m",
         [1, 1, 2, 2, 0, 0, 1, 2]),
        ("%y = OpGroupNonUniformBallotBitCount %uint %scope ExclusiveScan %m",
         [0, 1, 1, 2, 0, 0, 0, 1]),
        ("%z = OpGroupNonUniformBallotBitExtract %bool %scope %m %c2\n"
         "%y = OpSelect %uint %z %c1 %c0", [1] * 8),
    ],
)  # fmt: skip
def test_ballots(code: str, expected: list[int]) -> None:
    test = "%t = OpUGreaterThan %bool %x %c4\n%m = OpGroupNonUniformBallot %v4uint %scope %t\n"
    module = shader(test + code, "%y", globals=LANES, group=8)
    assert run(module, [5, 3, 8, 2, 1, 1, 7, 6], wave_size=4) == expected


# The place of an invocation of a workgroup 4 wide, and a value that is 3 x + 10 y there.
PLACE = """\
%gy = OpAccessChain %p_in %gid %c1
%y = OpLoad %uint %gy
%row = OpIMul %uint %y %c4
%at = OpIAdd %uint %row %i
%p = OpAccessChain %p_uint %in %c0 %at
%v = OpLoad %uint %p
%f = OpConvertUToF %float %v
{}
%r = OpConvertFToU %uint %d
%po = OpAccessChain %p_uint %out %c0 %at
OpStore %po %r
"""
VALUES = [3 * x + 10 * y for y in range(2) for x in range(4)]


@pytest.mark.parametrize(
    ("code", "quads", "linear"),
    [
        ("%d = OpDPdx %float %f", [3] * 8, [3] * 8),
        ("%d = OpDPdy %float %f", [10] * 8, [6] * 8),
        ("%d = OpGroupNonUniformQuadSwap %float %scope %f %c0",
         [3, 0, 9, 6, 13, 10, 19, 16], [3, 0, 9, 6, 13, 10, 19, 16]),
        ("%d = OpGroupNonUniformQuadSwap %float %scope %f %c1",
         [10, 13, 16, 19, 0, 3, 6, 9], [6, 9, 0, 3, 16, 19, 10, 13]),
        ("%d = OpGroupNonUniformQuadBroadcast %float %scope %f %c2",
         [10, 10, 16, 16, 10, 10, 16, 16], [6] * 4 + [16] * 4),
    ],
)  # fmt: skip
def test_derivative_groups(code: str, quads: list[int], linear: list[int]) -> None:
    for mode, expected in (("Quads", quads), ("Linear", linear)):
        module = shader(
            PLACE.format(code), globals=LANES, group=(4, 2, 1),
            modes=f"OpExecutionMode %main DerivativeGroup{mode}KHR",
        )  # fmt: skip
        assert run(module, VALUES) == expected


# Values of vkd3d-proton's test of WaveMatch and WaveMultiPrefix, which runs on drivers of Direct3D.
MATCHED = [20, 50, 80, 100, 40, 20, 90, 20, 10, 0, 20, 50, 80, 90, 110, 120]
PARTS = [
    0x4A1, 0x802, 0x1004, 8, 16, 0x4A1, 0x2040, 0x4A1, 0x100, 0x200, 0x4A1, 0x802, 0x1004, 0x2040,
    0x4000, 0x8000,
]  # fmt: skip
OF_PARTS = f"{LANES}\n%v3float = OpTypeVector %float 3"


def test_a_partition_of_a_subgroup() -> None:
    code = """\
%f = OpConvertUToF %float %x
%odd = OpIEqual %bool %x %c0
%v = OpCompositeConstruct %v3float %f %f %f
%m = OpGroupNonUniformPartitionEXT %v4uint %v
%a = OpCompositeExtract %uint %m 0
%n = OpGroupNonUniformPartitionEXT %v4uint %odd
%b = OpCompositeExtract %uint %n 0
%c = OpShiftLeftLogical %uint %b %sixteen
%y = OpBitwiseOr %uint %a %c"""
    constants = "\n%sixteen = OpConstant %uint 16"
    module = shader(code, "%y", globals=OF_PARTS + constants, group=16)
    zero = [0x200 if not x else 0xFDFF for x in MATCHED]
    expected = [a | b << 16 for a, b in zip(PARTS, zero, strict=True)]
    assert run(module, MATCHED, wave_size=16) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("IAdd %uint %scope PartitionedExclusiveScanEXT %v %m",
         [0, 0, 0, 0, 0, 1, 0, 7, 0, 0, 15, 2, 3, 7, 0, 0]),
        ("IMul %uint %scope PartitionedExclusiveScanEXT %v %m",
         [1, 1, 1, 1, 1, 1, 1, 6, 1, 1, 48, 2, 3, 7, 1, 1]),
        ("BitwiseAnd %uint %scope PartitionedExclusiveScanEXT %v %m",
         [MINUS, MINUS, MINUS, MINUS, MINUS, 1, MINUS, 0, MINUS, MINUS, 0, 2, 3, 7, MINUS, MINUS]),
        ("IAdd %uint %scope PartitionedInclusiveScanEXT %v %m",
         [1, 2, 3, 4, 5, 7, 7, 15, 9, 10, 26, 14, 16, 21, 15, 16]),
        ("IAdd %uint %scope PartitionedReduceEXT %v %m",
         [26, 14, 16, 4, 5, 26, 21, 26, 9, 10, 26, 14, 16, 21, 15, 16]),
        ("UMin %uint %scope PartitionedReduceEXT %v %m",
         [1, 2, 3, 4, 5, 1, 7, 1, 9, 10, 1, 2, 3, 7, 15, 16]),
    ],
)  # fmt: skip
def test_operations_of_parts(code: str, expected: list[int]) -> None:
    """Bits of lanes that the subgroup does not have are ignored."""
    text = f"""\
%v = OpIAdd %uint %i %c1
%m = OpCompositeConstruct %v4uint %x %v %v %v
%y = OpGroupNonUniform{code}"""
    given = [x | (n % 3) << 20 for n, x in enumerate(PARTS)]
    assert run(shader(text, "%y", globals=LANES, group=16), given, wave_size=16) == expected


def test_the_number_of_a_subgroup_counts_lanes_in_quads() -> None:
    globals = LANES + "\n%sub = OpVariable %p_in Input\n%lane = OpVariable %p_in Input"
    code = "%s = OpLoad %uint %sub\n%l = OpLoad %uint %lane\n%t = OpIMul %uint %s %c4\n"
    code += "%n = OpIAdd %uint %t %l\n" + PLACE.format("%d = OpConvertUToF %float %n")
    module = shader(
        code, globals=globals, group=(4, 2, 1),
        modes="OpExecutionMode %main DerivativeGroupQuadsKHR",
        decorations="OpDecorate %sub BuiltIn SubgroupId\n"
        "OpDecorate %lane BuiltIn SubgroupLocalInvocationId",
    )  # fmt: skip
    assert run(module, VALUES, wave_size=4) == [0, 1, 4, 5, 2, 3, 6, 7]


def test_quads_need_an_even_workgroup() -> None:
    modes = "OpExecutionMode %main DerivativeGroupQuadsKHR"
    module = shader("%f = OpConvertUToF %float %x", group=(4, 1, 1), modes=modes)
    with pytest.raises(unshade.UnsupportedError, match="expected an even width and height"):
        unshade.kernel(module)
