"""The counts on the format pages are those of the corpus."""

from pathlib import Path
from typing import Any

from tests.corpus import containers
from tests.tools import tool
from unshade.formats.dxcontainer import census as of_containers
from unshade.programs.tpf import census as of_programs

RECORDED = {**vars(of_containers), **vars(of_programs)}


def test_census(corpus: Path) -> None:
    found: dict[str, Any] = tool("census").counted(corpus)
    if len(containers(corpus)) == of_containers.FILES:
        assert found == {name: RECORDED[name] for name in found}, "run: python tools/census.py"
    for name in ("PARTS", "PROFILES", "OPERATIONS"):  # a sample has fewer, and no others
        assert found[name].keys() <= RECORDED[name].keys()
