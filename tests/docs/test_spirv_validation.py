"""docs/spirv-validation.md has the figures of the ledger."""

from tests.corpus import REPOSITORY
from tests.ratchet import WHOLE, read_ledger
from tools import spirv_validation


def test_the_page_is_fresh() -> None:
    page = (REPOSITORY / "docs" / "spirv-validation.md").read_text(encoding="utf-8")
    made = spirv_validation.page(read_ledger(WHOLE))
    assert page == made, "run: python tools/spirv_validation.py"
