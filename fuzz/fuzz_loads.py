"""Coverage-guided fuzzing of everything that takes bytes, for Atheris.

    python fuzz/fuzz_loads.py fuzz/seeds -max_len=4096 -max_total_time=600

`fuzz/seeds` is filled from our own files when it does not exist.
"""

import sys
from pathlib import Path

try:
    import atheris  # type: ignore[import-untyped,import-not-found,unused-ignore]
except ImportError:
    sys.exit("needs Atheris (pip install atheris); fuzz/run.py works without it")

with atheris.instrument_imports(include=["unshade"]):
    from inputs import own_files  # isort: skip  (imports unshade, and says where it is)

    from tests.hostile.exercise import exercise

SEEDS = Path(__file__).parent / "seeds"


def test_one_input(data: bytes) -> None:
    """Only our errors come out, and what is read is written back."""
    exercise(data)


def main() -> None:
    if not SEEDS.exists():
        SEEDS.mkdir()
        for number, data in enumerate(own_files()):
            (SEEDS / f"{number:03}").write_bytes(data)
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
