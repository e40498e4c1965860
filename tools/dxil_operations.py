"""Write the table of dx.op functions: `python tools/dxil_operations.py FOLDER`.

FOLDER is a checkout of microsoft/DirectXShaderCompiler. Its own database of operations,
utils/hct/hctdb.py, is run; the names of functions are in lib/DXIL/DxilOperations.cpp. The table,
src/unshade/programs/dxil/tables/dxil_operations.txt, has numbers, names and types only;
`programs/dxil/tables/dxil_operations.py` explains the columns.
"""

import argparse
import importlib.util
import os
import re
import subprocess
from pathlib import Path
from typing import Any

# Letters of the stages, by the names of the database.
STAGES = {
    "pixel": "p", "vertex": "v", "geometry": "g", "hull": "h", "domain": "d", "compute": "c",
    "library": "l", "raygeneration": "r", "intersection": "i", "anyhit": "a", "closesthit": "t",
    "miss": "m", "callable": "k", "mesh": "s", "amplification": "f", "node": "n",
}  # fmt: skip
ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "src" / "unshade" / "programs" / "dxil" / "tables" / "dxil_operations.txt"
NOTICE = """\
# Operations of DXIL. Numbers, names and types from microsoft/DirectXShaderCompiler,
# revision {revision}: utils/hct/hctdb.py and lib/DXIL/DxilOperations.cpp,
# Copyright (c) Microsoft Corporation, University of Illinois/NCSA Open Source License.
# Made by tools/dxil_operations.py; the columns are explained in dxil_operations.py.
"""


def functions(folder: Path) -> dict[str, str]:
    """Return the name of the function of each operation: `dx.op.NAME`, without the prefix."""
    text = (folder / "lib" / "DXIL" / "DxilOperations.cpp").read_text()
    found = re.finditer(r'\{OC::(\w+),\s*"\w+",\s*OCC::\w+,\s*"(\w+)"', text)
    return {match[1]: match[2] for match in found}


def operations(folder: Path) -> list[list[str]]:
    """Return the rows of the table."""
    place = folder / "utils" / "hct"
    spec = importlib.util.spec_from_file_location("hctdb", place / "hctdb.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    os.chdir(place)
    spec.loader.exec_module(module)
    names = functions(folder)
    rows = []
    for table in module.db_dxil().op_tables:
        for each in table:
            flags = "".join(
                letter
                for letter, is_set in (
                    ("g", each.is_gradient),
                    ("w", each.is_wave),
                    ("b", each.is_barrier),
                    ("c", each.is_convergent),
                    ("u", each.requires_uniform_inputs),
                )
                if is_set
            )
            stages = "".join(sorted(STAGES[stage] for stage in each.shader_stages))
            model = ".".join(map(str, each.shader_model))
            operands = [
                f"{o.name}:{o.llvm_type}{'!' if o.is_const else ''}" for o in each.ops if o.pos > 1
            ]
            columns = [str(each.dxil_opid), each.dxil_op, names[each.dxil_op], each.oload_types]
            columns += [each.fn_attr or "-", model, stages or "-", flags or "-"]
            columns.append(each.ops[0].llvm_type)
            rows.append([*columns, *operands])
    return rows


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--revision", help="commit of FOLDER, if that is no git checkout")
    options = parser.parse_args()
    folder = options.folder.resolve()
    revision = options.revision or subprocess.check_output(
        ["git", "-C", str(folder), "rev-parse", "HEAD"], text=True
    )
    rows = operations(folder)
    widths = [max(len(row[at]) for row in rows) for at in range(9)]
    widths[3] = min(widths[3], 20)
    lines = [
        "  ".join(
            [row[0].rjust(widths[0]), *map(str.ljust, row[1:9], widths[1:]), " ".join(row[9:])]
        )
        for row in rows
    ]
    text = NOTICE.format(revision=revision.strip()) + "".join(
        f"{each.rstrip()}\n" for each in lines
    )
    TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
