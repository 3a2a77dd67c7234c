"""`python -m toolprism` is the program."""

import sys

from ._cli import main

sys.exit(main())
