"""Write docs/spirv-validation.md, which says how far the validator of SPIR-V agrees with spirv-val.

The figures are those of tests/conformance/ratchet.json. tests/docs/test_spirv_validation.py fails
if the page is stale: `python tools/spirv_validation.py` writes it again.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.ratchet import WHOLE, Known, Ledger, read_ledger  # noqa: E402

PAGE = ROOT / "docs" / "spirv-validation.md"
PREFIX = "spirv/validation/"
FIGURES = ("accepted", "refused", "located", "identified")
HEAD = """<!-- made by tools/spirv_validation.py; edit that instead -->

# Validation of SPIR-V

`unshade verify` checks SPIR-V modules by the rules of the specification and of the target environment, and reports every violation, not only the first one: its rule, Vulkan's identifier of the rule where there is one, the offset, and the text of the instruction. `--target vulkan1.3`, in Python `shader.verify(target="vulkan1.3")`, chooses the environment; targets have the names of SPIRV-Tools: `spv1.0` to `spv1.6` (the default), `vulkan1.0` to `vulkan1.4`, `opencl1.2` to `opencl2.2` (`…embedded`), `opengl4.0` to `opengl4.5`. The rules are in [the list of findings](formats/findings.md).

It does not have every rule of `spirv-val`. The table compares the two on the modules of SPIRV-Tools' own tests, by family of tests: valid modules that have no findings, invalid modules that have some, those of them that have one at the instruction where `spirv-val` stops, and those that have one with the identifier of Vulkan's rule that `spirv-val` names. A violation that `spirv-val` reports at a function, because of the stages that reach it, is reported at the instruction that is not for the stage.

| family | valid, accepted | invalid, refused | at the instruction | with Vulkan's identifier |
|---|---|---|---|---|
"""  # noqa: E501


def page(ledger: Ledger) -> str:
    """Return the text of the page."""
    found: dict[str, dict[str, Known]] = {}
    for name, known in ledger.items():
        if name.startswith(PREFIX):
            family, _, figure = name.removeprefix(PREFIX).rpartition(": ")
            found.setdefault(family, {})[figure] = known
    total = {
        figure: {
            "passed": sum(each[figure]["passed"] for each in found.values() if figure in each),
            "total": sum(each[figure]["total"] for each in found.values() if figure in each),
        }
        for figure in FIGURES
    }
    rows = sorted(found.items(), key=lambda row: -row[1].get("refused", {"total": 0})["total"])
    lines = [_line(name, row) for name, row in rows]
    return HEAD + "\n".join([*lines, _line("all", total)]) + "\n"


def _line(name: str, row: "dict[str, Known] | dict[str, dict[str, int]]") -> str:
    cells = []
    for figure in FIGURES:
        known = row.get(figure)
        cells.append(f"{known['passed']:,} of {known['total']:,}" if known else "")
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    PAGE.write_text(page(read_ledger(WHOLE)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
