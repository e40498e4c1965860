"""Every registered format keeps every promise, on each of its samples."""

from pathlib import Path

import pytest

from tests.contract.promises import PROMISES
from tests.contract.samples import Sample, samples
from tests.sampling import products
from unshade import formats


def _name(given: Sample | str) -> str:
    return given if isinstance(given, str) else f"{given.format.name} {given.name}"


@pytest.mark.parametrize(("sample", "promise"), products(samples(), PROMISES), ids=_name)
def test_contract(sample: Sample, promise: str, tmp_path: Path) -> None:
    PROMISES[promise](sample, tmp_path)


@pytest.mark.parametrize("each", formats.own(), ids=lambda each: each.name)
def test_a_registered_format_has_samples(each: formats.Format) -> None:
    assert any(sample.format == each for sample in samples())
