"""Compare, print, or make anew what tests/golden holds; see the package."""

import argparse
import sys

from tests.golden.answers import ANSWERS, answer, answers_of
from tests.golden.digests import FOLDER, changed, known, written
from tests.golden.inputs import FAMILIES, inputs


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden")
    parser.add_argument("--write", action="store_true", help="make the digests anew")
    parser.add_argument("--answers", nargs="+", default=[*ANSWERS], choices=[*ANSWERS])
    parser.add_argument("names", nargs="*", help="families; or an input, and an answer to print")
    options = parser.parse_args()
    names: list[str] = options.names
    if len(names) == 2 and names[0] not in FAMILIES:
        print(answer(names[1], names[0], inputs(names[0].partition("/")[0])[names[0]]))
        return 0
    status = 0
    for family in names or FAMILIES:
        if options.write:
            path = FOLDER / f"{family}.txt"
            path.write_text(written(family, options.answers), encoding="utf-8")
            continue
        for name in known(family):
            wanted = [each for each in options.answers if each in answers_of(family)]
            for each in changed(family, name, wanted):
                print(name, each)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
