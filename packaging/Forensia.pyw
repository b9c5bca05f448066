"""Double click here (Windows, or wherever Python files can be started): Forensia, which sets itself up on first use."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import firstuse

sys.exit(firstuse.main(sys.argv[1:]))
