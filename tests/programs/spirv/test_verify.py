"""Rules about the form of a module: each has a module that violates it."""

import pytest

from tests.programs.spirv.modules import CAPABILITY, VOID, module, op
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.rules import RULES
from unshade.programs.spirv.verify import verify

BROKEN = {
    "spirv.version": (module(version=0x10700), 4),
    "spirv.schema": (module()[:16] + b"\1\0\0\0", 16),
    "spirv.bound": (module(*CAPABILITY, *op(19, 9), bound=9), 32),
    "spirv.id-zero": (module(*op(19, 0)), 24),
    "spirv.defined-twice": (module(*VOID, *VOID), 32),
    "spirv.undefined": (module(*op(33, 3, 2)), 28),
    "spirv.unknown-opcode": (module(*op(4000)), 20),
    "spirv.operands": (module(*op(19)), 20),
    "spirv.truncated": (module(*VOID, 0x0003_0011), 28),
    "spirv.trailing": (module(*VOID) + b"\1", 28),
}


@pytest.mark.parametrize("code", RULES)
def test_a_broken_rule_is_found(code: str) -> None:
    data, offset = BROKEN[code]
    assert [(each.code, each.offset) for each in verify(Module.loads(data))] == [(code, offset)]


def test_a_valid_module() -> None:
    assert verify(Module.loads(module(*CAPABILITY, *VOID))) == []
