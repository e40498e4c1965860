"""`python -m unshade.cli` is `unshade`."""

import sys

from . import main

sys.exit(main())
