"""What the bundle starts: Forensia, once the streams it may lack and the libraries a bare system may lack are there."""

import os
import sys

for name in ("stdout", "stderr"):
    if getattr(sys, name) is None:  # a windowed program on Windows has none
        setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115

from forensia.__main__ import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
