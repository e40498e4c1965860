"""The same job has the same name in every family of programs, as unshade/programs says."""

from importlib.util import find_spec
from pkgutil import iter_modules

import pytest

from unshade import programs

FAMILIES = [each.name for each in iter_modules(programs.__path__)]
JOBS = (
    "program", "lower", "facts", "verify", "editing", "exact", "lexer", "assembler", "data",
    "spans", "code", "text", "instruction", "operands", "tables",
)  # fmt: skip
# What a family lacks: the words of SPIR-V are in `module`, its rules in `validate`; the exact text
# of SkSL is the native one with a heading, and operands of its statements are texts; instructions
# of DXIL are classes in `model.instructions`, and are listed with their operands by
# `listed_instructions`; operands of Direct3D 9 are registers in `registers`.
MISSING: dict[str, set[str]] = {
    "d3d9": {"operands"},
    "dxil": {"instruction", "operands"},
    "sksl": {"exact", "operands"},
    "spirv": {"code", "instruction", "verify"},
}  # fmt: skip


def test_the_jobs_are_those_that_are_documented() -> None:
    assert programs.__doc__ is not None
    assert [job for job in JOBS if job not in programs.__doc__] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_every_job_has_its_module(family: str) -> None:
    found = {job for job in JOBS if find_spec(f"unshade.programs.{family}.{job}")}
    assert set(JOBS) - found == MISSING.get(family, set())
