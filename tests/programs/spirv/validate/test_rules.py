"""Every rule has a module that violates it; a module that violates none has no findings."""

import pytest

from tests.programs.spirv.modules import CAPABILITY, VOID, module, op
from tests.programs.spirv.validate.snippets import SNIPPETS, SPELLED
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.assembler.targets import version_of
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.validate import RULES, InstructionFinding, validate

SHADER = (*CAPABILITY, *op(17, 5), *op(14, 0, 1))  # with Linkage
WORDS = {
    "spirv.version": module(*SHADER, version=0x10700),
    "spirv.environment-version": module(*SHADER, version=0x10600),
    "spirv.schema": module(*SHADER)[:16] + b"\1\0\0\0" + module(*SHADER)[20:],
    "spirv.bound": module(*SHADER, *op(19, 9), bound=9),
    "spirv.id-zero": module(*SHADER, *op(19, 0)),
    "spirv.unknown-opcode": module(*SHADER, *op(4000)),
    "spirv.operands": module(*SHADER, *op(19)),
    "spirv.truncated": module(*SHADER, *VOID, 0x0003_0011),
    "spirv.trailing": module(*SHADER, *VOID) + b"\1",
    "spirv.limit": module(*SHADER, bound=1 << 30),
    "spirv.reserved": module(*SHADER, *op(309, 1, 2, 3, 4)),
    "spirv.defined-twice": module(*SHADER, *VOID, *VOID),
    "spirv.extension": module(*SHADER, *op(17, 4437)),
}
TARGETS = {"spirv.environment-version": "spv1.3"}


def text_of(body: str) -> str:
    for name, text in SPELLED.items():
        body = body.replace(f"{{{name}}}", text)
    return body


def broken(code: str) -> tuple[Module, str]:
    """Return a module that violates a rule, and its target."""
    if code in WORDS:
        return Module.loads(WORDS[code]), TARGETS.get(code, "spv1.6")
    body, target = SNIPPETS[code]
    found = assemble(Source(text_of(body)))
    found.version = version_of(target)
    return found, target


MANY = {"spirv.unchecked"}  # rules that only large modules violate


@pytest.mark.parametrize(
    "code", [pytest.param(each, marks=[pytest.mark.slow] * (each in MANY)) for each in RULES]
)
def test_a_violated_rule_is_found(code: str) -> None:
    found, target = broken(code)
    assert code in {each.code for each in validate(found, target)}


@pytest.mark.parametrize("kind", ["shader", "kernel", "compute", "fragment"])
def test_a_valid_module_has_no_findings(kind: str) -> None:
    text = text_of(f"{{{kind}}} {{types}} {{main}} {{end}}")
    assert validate(assemble(Source(text), target="spv1.5"), "spv1.5") == []


def test_all_findings_are_reported() -> None:
    text = "{shader} {types} {main} %a = OpFAdd %uint %one %one\n%b = OpIAdd %float %one %one {end}"
    found = validate(assemble(Source(text_of(text))))
    assert [each.code for each in found] == ["spirv.result-type", "spirv.result-type"]


def test_a_finding_names_its_instruction() -> None:
    text = "{compute} {types} %s = OpConstant %uint 6\n{main} OpMemoryBarrier %one %s {end}"
    found = validate(assemble(Source(text_of(text)), target="spv1.5"), "vulkan1.2")
    finding = found[0]
    assert isinstance(finding, InstructionFinding)
    assert finding.vuid == "VUID-StandaloneSpirv-MemorySemantics-10865"
    assert finding.instruction == "OpMemoryBarrier %uint_1 %uint_6"
    assert finding.offset == 4 * finding.word
    assert finding.path == f"instructions[{finding.position}]"
    assert finding.to_dict()["instruction"] == finding.instruction
