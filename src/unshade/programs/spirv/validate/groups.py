"""Group and subgroup operations: types of their operands.

Source: SPIR-V specification, sections 3.42.21 and 3.42.24.
"""

from ..tables.numbers import GroupOperation, Opcode
from .instruction import CheckTable, Inst
from .signatures import TypeSignature, check_signature
from .state import State

__all__ = ["CHECKS"]

CHECKS = CheckTable()
S = TypeSignature.of

_ANY = "int sv|float sv|bool sv"
_BALLOT = "uint v"
_SHUFFLE = S(_ANY, "", "same", "uint s")
_INT = S("int sv", "", "", "same")
_UINT = S("uint sv", "", "", "same")
_FLOAT = S("float sv", "", "", "same")
_BOOL = S("bool sv", "", "", "same")
_GROUP_INT = S("int sv", "", "", "same")
_GROUP_FLOAT = S("float sv", "", "", "same")

ARITHMETIC = {
    **dict.fromkeys(
        (
            Opcode.GroupNonUniformIAdd, Opcode.GroupNonUniformIMul, Opcode.GroupNonUniformSMin,
            Opcode.GroupNonUniformSMax, Opcode.GroupNonUniformBitwiseAnd,
            Opcode.GroupNonUniformBitwiseOr, Opcode.GroupNonUniformBitwiseXor,
        ),
        _INT,
    ),
    **dict.fromkeys((Opcode.GroupNonUniformUMin, Opcode.GroupNonUniformUMax), _UINT),
    **dict.fromkeys(
        (
            Opcode.GroupNonUniformFAdd, Opcode.GroupNonUniformFMul, Opcode.GroupNonUniformFMin,
            Opcode.GroupNonUniformFMax,
        ),
        _FLOAT,
    ),
    **dict.fromkeys(
        (
            Opcode.GroupNonUniformLogicalAnd, Opcode.GroupNonUniformLogicalOr,
            Opcode.GroupNonUniformLogicalXor,
        ),
        _BOOL,
    ),
}  # fmt: skip
SIGNATURES = {
    **ARITHMETIC,
    Opcode.GroupNonUniformElect: S("bool s"),
    Opcode.GroupNonUniformAny: S("bool s", "", "bool s"),
    Opcode.GroupNonUniformAll: S("bool s", "", "bool s"),
    Opcode.GroupNonUniformAllEqual: S("bool s", "", _ANY),
    **dict.fromkeys(
        (
            Opcode.GroupNonUniformBroadcast, Opcode.GroupNonUniformShuffle,
            Opcode.GroupNonUniformShuffleXor, Opcode.GroupNonUniformShuffleUp,
            Opcode.GroupNonUniformShuffleDown, Opcode.GroupNonUniformQuadBroadcast,
            Opcode.GroupNonUniformRotateKHR,
        ),
        _SHUFFLE,
    ),
    Opcode.GroupNonUniformQuadSwap: S(_ANY, "", "same", "uint s, const"),
    Opcode.GroupNonUniformBroadcastFirst: S(_ANY, "", "same"),
    Opcode.GroupNonUniformBallot: S(_BALLOT, "", "bool s"),
    Opcode.GroupNonUniformInverseBallot: S("bool s", "", _BALLOT),
    Opcode.GroupNonUniformBallotBitExtract: S("bool s", "", _BALLOT, "uint s"),
    Opcode.GroupNonUniformBallotBitCount: S("uint s", "", "", _BALLOT),
    Opcode.GroupNonUniformBallotFindLSB: S("uint s", "", _BALLOT),
    Opcode.GroupNonUniformBallotFindMSB: S("uint s", "", _BALLOT),
    Opcode.GroupAll: S("bool s", "", "bool s"),
    Opcode.GroupAny: S("bool s", "", "bool s"),
    Opcode.GroupBroadcast: S(_ANY, "", "same", "int sv"),
    **dict.fromkeys(
        (
            Opcode.GroupIAdd, Opcode.GroupUMin, Opcode.GroupSMin, Opcode.GroupUMax,
            Opcode.GroupSMax,
        ),
        _GROUP_INT,
    ),
    **dict.fromkeys((Opcode.GroupFAdd, Opcode.GroupFMin, Opcode.GroupFMax), _GROUP_FLOAT),
}  # fmt: skip
# Where the ballot is: -1 is the result.
BALLOTS = {
    Opcode.GroupNonUniformBallot: -1,
    Opcode.GroupNonUniformInverseBallot: 1,
    Opcode.GroupNonUniformBallotBitExtract: 1,
    Opcode.GroupNonUniformBallotBitCount: 2,
    Opcode.GroupNonUniformBallotFindLSB: 1,
    Opcode.GroupNonUniformBallotFindMSB: 1,
}
PARTITIONED = (
    GroupOperation.PartitionedReduceEXT,
    GroupOperation.PartitionedInclusiveScanEXT,
    GroupOperation.PartitionedExclusiveScanEXT,
)
SCANS = (GroupOperation.Reduce, GroupOperation.InclusiveScan, GroupOperation.ExclusiveScan)


@CHECKS.on(*SIGNATURES)
def check_types(state: State, inst: Inst) -> None:
    """Check an operation by its row."""
    check_signature(state, inst, SIGNATURES[inst.code])


@CHECKS.on(*BALLOTS)
def check_ballot(state: State, inst: Inst) -> None:
    """Check that a ballot has four components."""
    at = BALLOTS[inst.code]
    type_ = inst.type if at < 0 else state.operand_type(inst, at)
    if state.types.count(type_) != 4:
        code = "spirv.result-type" if at < 0 else "spirv.operand-type"
        state.report(code, inst, "expected a ballot of 4 components")
    counts = inst.code == Opcode.GroupNonUniformBallotBitCount
    if counts and state.vulkan and inst.word(1) not in SCANS:
        state.report(
            "spirv.group-operation", inst, "expected Reduce, InclusiveScan or ExclusiveScan",
            "VUID-StandaloneSpirv-OpGroupNonUniformBallotBitCount-04685",
        )  # fmt: skip


@CHECKS.on(Opcode.GroupNonUniformBroadcast, Opcode.GroupNonUniformQuadBroadcast)
def check_broadcast(state: State, inst: Inst) -> None:
    """Check that the invocation is constant, before version 1.5."""
    if not state.at_least(5) and not state.is_constant(inst.word(2)):
        state.report("spirv.operand-constant", inst, "expected a constant before version 1.5")


@CHECKS.on(*ARITHMETIC)
def check_cluster(state: State, inst: Inst) -> None:
    """Check the size of clusters and the ballot of partitions."""
    partitioned = inst.word(1) in PARTITIONED
    if len(inst.operands) < 4:
        if partitioned or inst.word(1) == GroupOperation.ClusteredReduce:
            state.report("spirv.group-operation", inst, "expected a cluster size or a ballot")
    elif partitioned:
        type_ = state.operand_type(inst, 3)
        if not state.types.fits(type_, "int sv") or state.types.count(type_) != 4:
            state.report("spirv.operand-type", inst, "expected a ballot of 4 components")
    else:
        _check_size(state, inst, 3)


@CHECKS.on(Opcode.GroupNonUniformRotateKHR)
def check_rotate(state: State, inst: Inst) -> None:
    """Check the size of clusters."""
    if len(inst.operands) > 3:
        _check_size(state, inst, 3)


def _check_size(state: State, inst: Inst, at: int) -> None:
    if not state.types.fits(state.operand_type(inst, at), "uint s"):
        state.report("spirv.operand-type", inst, "ClusterSize: expected a scalar of uint")
    elif not state.is_constant(inst.word(at)):
        state.report("spirv.operand-constant", inst, "ClusterSize: expected a constant")
