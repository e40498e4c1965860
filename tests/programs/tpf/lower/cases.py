"""Vectors that are whole programs: memories, textures and inputs in, memories and outputs out.

    Case("ld_raw", {"ld_raw"}, "…text…", {"t0": words(1, 2)}, wanted={"u0": words(2)})

`covers` are the opcodes under test; each is in the text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.ir.running import interpreted
from tests.programs.tpf.lower.support import Image, Words, program, run, same
from unshade.ir.library.sampling import SamplerState
from unshade.ir.specialisation import Specialisation


@dataclass(frozen=True, slots=True)
class Case:
    """One program and what it has to leave; memories and outputs that are not named are free."""

    name: str
    covers: frozenset[str] | set[str]
    text: str
    memories: Mapping[str, Words] = field(default_factory=dict)
    wanted: Mapping[str, Words] = field(default_factory=dict)
    images: Mapping[str, Image] = field(default_factory=dict)
    samplers: Mapping[str, SamplerState] = field(default_factory=dict)
    groups: tuple[int, int, int] = (1, 1, 1)
    inputs: Mapping[str, Words] = field(default_factory=dict)
    outputs: Mapping[str, Words] = field(default_factory=dict)
    helpers: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    outside: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name

    def check(self) -> None:
        """Run it with every engine, and compare."""
        used = {each.name for each in program(self.text).instructions}
        assert self.covers <= used, f"{self.covers - used} are not in the program"
        several = [*self.inputs.values(), *self.outputs.values()]
        items = len(several[0]) if several else 0
        outcome = run(
            self.text,
            memories=self.memories,
            images=self.images,
            samplers=self.samplers,
            groups=self.groups,
            inputs=self.inputs,
            items=items,
            helpers=None if self.helpers is None else np.array(self.helpers, bool),
            **self.options,
        )
        for name, wanted in self.wanted.items():
            same(outcome.memories[name], wanted, name)
        for name, wanted in self.outputs.items():
            same(outcome.outputs[name], wanted, name)
        for name, count in self.outside.items():
            assert outcome.report.out_of_bounds.get(name, 0) == count, name


def check_meaning(case: Case) -> None:
    """Run a case with the interpreter, the definition of a kernel's meaning."""
    several = [*case.inputs.values(), *case.outputs.values()]
    outcome = interpreted(
        program(case.text).lower(None, Specialisation(**case.options)),
        memories=case.memories, images=case.images, samplers=case.samplers, inputs=case.inputs,
        items=len(several[0]),
    )  # fmt: skip
    for name, wanted in case.wanted.items():
        same(outcome.memories[name], wanted, name)
    for name, wanted in case.outputs.items():
        same(outcome.outputs[name], wanted, name)
    for name, count in case.outside.items():
        assert outcome.report.out_of_bounds.get(name, 0) == count, name


def compute(body: str, *declarations: str, group: str = "1, 1, 1", profile: str = "cs_5_0") -> str:
    """Return a compute shader with these lines as its body."""
    lines = [
        profile, *declarations, "dcl_temps 8", f"dcl_thread_group {group}", *body.splitlines(),
        "ret", "",
    ]  # fmt: skip
    return "\n".join(line.strip() for line in lines)
